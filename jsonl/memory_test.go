package jsonl

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"cbkit/internal/stale"
	"cbkit/internal/testkit/must"
	"cbkit/internal/testkit/seeds"
	"cbkit/model"
)

// hostileLines are lines that take as much memory as possible: how they begin, what
// stands in them as often as there is room, and how they end.
var hostileLines = map[string][3]string{
	"one name":       {`{"white":"`, "abcdefgh", "\"}\n"},
	"escapes":        {`{"white":"`, `\"`, "\"}\n"},
	"moves":          {`{"moves":[{"uci":"e2e4"}`, `,{"uci":"g8f6"},{"uci":"g1f3"},{"uci":"f6g8"},{"uci":"f3g1"}`, "]}\n"},
	"variations":     {`{"moves":[{"uci":"e2e4","alternatives":[[{"uci":"d2d4"}]`, `,[{"uci":"d2d4"}]`, "]}]}\n"},
	"annotations":    {`{"moves":[{"uci":"e2e4","annotations":[{"kind":"symbols"}`, `,{"kind":"symbols"}`, "]}]}\n"},
	"elsewhere":      {`{"cbh":{"elsewhere":[{"node":-1,"annotations":[{"kind":"symbols"}`, `,{"kind":"symbols"}`, "]}]}}\n"},
	"empty texts":    {`{"moves":[{"uci":"e2e4","before":[{}`, `,{}`, "]}]}\n"},
	"symbols":        {`{"moves":[{"uci":"e2e4","nags":[1`, `,1`, "]}]}\n"},
	"titles":         {`{"cbh":{"gameTitles":[""`, `,""`, "]}}\n"},
	"tags":           {`{"tags":{"a":"b"`, `,"a":"b"`, "}}\n"},
	"guiding texts":  {`{"kind":"text","content":[{}`, `,{}`, "]}\n"},
	"names of media": {`{"kind":"text","media":[""`, `,""`, "]}\n"},
	"open brackets":  {`{"moves":[{"uci":"e2e4","nags":[`, `[`, "]}]}\n"},
}

// hostileLine is the variable that makes this test a process which reads one of
// them: its name, and how many megabytes it has.
const hostileLine = "CBKIT_TEST_HOSTILE_LINE"

// A line of n bytes takes 64 MB and four times n at most, whatever is in it.
func TestMemoryOfALine(t *testing.T) {
	if stale.Overwrites {
		t.Skip("the race detector has memory of its own")
	}
	if name := os.Getenv(hostileLine); name != "" {
		name, megabytes, _ := strings.Cut(name, ",")
		size := must.Get(strconv.Atoi(megabytes))(t)
		readHostile(t, name, size<<20)
		return
	}
	for name := range hostileLines {
		megabytes, most := 6, name == "moves" || name == "elsewhere" // those that take the most
		switch {
		case testing.Short() && !most:
			continue
		case seeds.InCI && !testing.Short() && most:
			megabytes = 63
		}
		size, args := megabytes<<20, []string{"-test.run", "^TestMemoryOfALine$", "-test.v"}
		cmd := exec.Command(os.Args[0], args...)
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s,%d", hostileLine, name, megabytes), "GOGC=100")
		out, err := cmd.CombinedOutput()
		_, said, _ := strings.Cut(string(out), "took ")
		said, _, _ = strings.Cut(said, " ")
		took, failed := strconv.Atoi(said)
		if err != nil || failed != nil {
			t.Fatalf("%s: %v: %s", name, err, out)
		}
		if took > 64<<20+4*size {
			t.Errorf("%s: a line of %d MB takes %d MB", name, size>>20, took>>20)
		}
	}
}

// readHostile reads a line and says how much memory was taken.
func readHostile(t *testing.T, name string, size int) {
	parts := hostileLines[name]
	again := (size - len(parts[0]) - len(parts[2])) / len(parts[1])
	text := io.MultiReader(strings.NewReader(parts[0]), &repeated{parts[1], again * len(parts[1]), 0}, strings.NewReader(parts[2]))
	for _, err := range NewReader(text, ReaderOptions{}).Records(t.Context(), 1, model.WantAll) {
		_ = err // some are refused
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("took %d bytes", m.HeapSys)
}

// repeated is a text again and again, up to a size.
type repeated struct {
	text     string
	size, at int
}

// Read implements io.Reader.
func (r *repeated) Read(p []byte) (n int, err error) {
	for n < len(p) && r.at < r.size {
		k := copy(p[n:], r.text[r.at%len(r.text):])
		k = min(k, r.size-r.at)
		n, r.at = n+k, r.at+k
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// What has more values than a reader takes is refused by the writer, too.
func TestWriterRefusesTooManyValues(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a game of millions of annotations")
	}
	g := model.NewGame()
	for range mostValues + longLine/bytesPerValue + 100_000 {
		g.Annotations = append(g.Annotations, model.Annotation{Node: model.NoNode, Value: model.Symbols{Move: 1}})
	}
	db := &model.Database{}
	db.AddGame(g)
	w := NewWriter(io.Discard, WriterOptions{})
	if err := model.Copy(t.Context(), w, db, model.CopyOptions{}); err == nil || !strings.Contains(err.Error(), "texts and annotations") {
		t.Errorf("%v", err)
	}
}
