package pgn

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"cbkit/internal/packed"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

const twoGames = "[Event \"A\"]\n[White \"Muster, Max\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. d4 *\n"

// bzip2Games is twoGames, compressed; the standard library only reads bzip2.
const bzip2Games = "425a683931415926535996923c730000135f800010501524003202008a26611f402000545001a0003209429a" +
	"1a69a6469a34648730aad62901fb0f48df8c8b48890accecd59b3464a3a6b71abe81c84c240262f8bb9229c28484b491e398"

func bzip2Text(t *testing.T) []byte {
	return must.Get(hex.DecodeString(bzip2Games))(t)
}

func TestCompressed(t *testing.T) {
	var zipped, zstded bytes.Buffer
	z := gzip.NewWriter(&zipped)
	io.WriteString(z, twoGames)
	z.Close()
	s := must.Get(zstd.NewWriter(&zstded))(t)
	io.WriteString(s, twoGames)
	s.Close()
	skippable := append([]byte{0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 1, 2, 3, 4}, zstded.Bytes()...)

	want := readAll(t, []byte(twoGames))
	for name, text := range map[string][]byte{
		"plain": []byte(twoGames), "BOM": []byte("\uFEFF" + twoGames), "gzip": zipped.Bytes(),
		"zstd": zstded.Bytes(), "zstd after a skippable frame": skippable, "bzip2": bzip2Text(t),
		"UTF-16": []byte("\xFF\xFE" + strings.Join(strings.Split(twoGames, ""), "\x00") + "\x00"),
	} {
		if got := readAll(t, text); !model.Identical(got, want) {
			t.Errorf("%s reads otherwise", name)
		}
	}
	for name, text := range map[string][]byte{
		"gzip": zipped.Bytes()[:zipped.Len()/2], "zstd": zstded.Bytes()[:zstded.Len()-3],
	} {
		_, err := model.Load(context.Background(), NewReader(bytes.NewReader(text), ReaderOptions{File: "x.pgn"}))
		if !errors.Is(err, model.ErrTruncated) {
			t.Errorf("%s, cut: %v", name, err)
		}
	}
}

func TestOpen(t *testing.T) {
	dir := gen.Folder(t)
	first, second := filepath.Join(dir, "a.pgn"), filepath.Join(dir, "b.txt")
	must.Do(t, os.WriteFile(first, []byte(twoGames), 0o666))
	must.Do(t, os.WriteFile(second, []byte("[Event \"C\"]\n\n1. e4 Ke4 *\n\n"+twoGames), 0o666))
	r := must.Get(Open(ReaderOptions{}, first, second))(t)
	for range 2 { // files can be read again
		var got []string
		for rec, err := range r.Records(context.Background(), 2, model.WantAll) {
			if err != nil {
				got = append(got, fmt.Sprintf("%d: %v", rec.ID, strings.TrimPrefix(err.Error(), dir+string(filepath.Separator))))
				continue
			}
			got = append(got, fmt.Sprintf("%d %s", rec.ID, r.Entities().Tournaments.Value(rec.Game.Tournament).Title))
		}
		want := "2 B|3: b.txt:3: game 1: 1...Ke4: no legal move fits|3 A|4 B"
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("got  %s\nwant %s", s, want)
		}
	}
	if n := r.Entities().Players.Len(); n != 1 {
		t.Errorf("%d players, want 1", n)
	}
	if r.Count() != -1 || r.Leftover() != nil {
		t.Errorf("count %d, leftover %v", r.Count(), r.Leftover())
	}
}

func TestOpenFails(t *testing.T) {
	if _, err := Open(ReaderOptions{}, filepath.Join(gen.Folder(t), "no.pgn")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := Open(ReaderOptions{}, gen.Folder(t)); err == nil || !strings.Contains(err.Error(), "directory") {
		t.Errorf("a directory: %v", err)
	}
}

func TestWholeFileErrors(t *testing.T) {
	tests := []struct {
		name, text, want string
		kind             error
	}{
		{"empty", "", "x.pgn: the file is empty, or holds blanks and zeros alone: not a database", model.ErrNotDatabase},
		{"blank", " \r\n\n", "x.pgn: the file is empty, or holds blanks and zeros alone: not a database", model.ErrNotDatabase},
		{"prose", "Dear John,\n\nhow are you?\n", "x.pgn: there is no game in it, neither tags nor moves: not a database", model.ErrNotDatabase},
		{"binary", "\x00\x00\x2c\x00\x2e\x01\x80\xff\x00", "x.pgn: there is no game in it, neither tags nor moves: not a database", model.ErrNotDatabase},
		{"unreadable games only", "1. x\n1.\x01\x80 \n1 Qa1 \n", "x.pgn: there is no game in it, neither tags nor moves: not a database", model.ErrNotDatabase},
		{"a picture", "\x89PNG\r\n\x1a\n[\x80\x90 {\n[\x80x\"1.\"]\n1.gI\x80 x\n;1\n", "x.pgn: there is no game in it, neither tags nor moves: not a database", model.ErrNotDatabase},
		{"many unreadable games", strings.Repeat("1. Ke5 * ", 2000) + "[Event \"a\"] 1. e4 *", "x.pgn: there is no game in it, neither tags nor moves: not a database", model.ErrNotDatabase},
		{"only a comment", "{Hello}\n", "x.pgn: there is no game in it, neither tags nor moves: not a database", model.ErrNotDatabase},
		{"prose in UTF-16", "\xFF\xFEH\x00i\x00", "x.pgn: there is no game in it, neither tags nor moves: not a database", model.ErrNotDatabase},
		{"escaped lines", "% nothing\n", "", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, keepGoing := range []bool{false, true} {
				opt := ReaderOptions{File: "x.pgn", KeepGoing: keepGoing, Report: func(l model.Loss) { t.Errorf("reported: %v", l) }}
				_, err := model.Load(context.Background(), NewReader(strings.NewReader(test.text), opt))
				if !errors.Is(err, test.kind) || err != nil && err.Error() != test.want {
					t.Errorf("got %v", err)
				}
			}
		})
	}
}

func TestReadOnce(t *testing.T) {
	r := NewReader(strings.NewReader(twoGames), ReaderOptions{})
	must.Get(model.Load(context.Background(), r))(t)
	if _, err := model.Load(context.Background(), r); err == nil {
		t.Error("a reader was read twice")
	}
}

// failing is a reader that fails behind some text.
func failing(text string) io.Reader {
	return io.MultiReader(strings.NewReader(text), errorReader{})
}

type errorReader struct{}

var errDisk = errors.New("disk on fire")

func (errorReader) Read([]byte) (int, error) { return 0, errDisk }

// TestSetEntities reads two files into the same tables.
func TestSetEntities(t *testing.T) {
	var all model.Entities
	for i, name := range []string{"Kasparov, Garry", "Anna"} {
		r := NewReader(strings.NewReader("[White \"Anna\"]\n[Black \""+name+"\"]\n\n1. e4 *\n"), ReaderOptions{})
		r.SetEntities(&all)
		db := must.Get(model.Load(t.Context(), r))(t)
		if g := must.Get(db.Record(1))(t).Game; r.Entities() != &all || g.White != 0 || g.Black != model.EntityID(1-i) {
			t.Errorf("file %d: players %d and %d", i, g.White, g.Black)
		}
	}
	if all.Players.Len() != 2 {
		t.Errorf("%d players, want 2", all.Players.Len())
	}
}

func TestReadError(t *testing.T) {
	games := 0
	var last error
	for rec, err := range NewReader(failing(twoGames), ReaderOptions{}).Records(context.Background(), 1, model.WantAll) {
		if last = err; err == nil {
			games++
		} else if rec.ID != 0 {
			t.Errorf("the error has record %d", rec.ID)
		}
	}
	if games != 2 || !errors.Is(last, errDisk) {
		t.Errorf("%d games, then %v", games, last)
	}
}

// TestOrderAndJobs reads the same text with different numbers of jobs.
func TestOrderAndJobs(t *testing.T) {
	text := syntheticPGN(300)
	var want *model.Database
	for _, jobs := range []int{1, 2, 7} {
		db := must.Get(model.Load(context.Background(), NewReader(bytes.NewReader(text), ReaderOptions{Jobs: jobs})))(t)
		if want == nil {
			want = db
		}
		if len(db.List) != 300 || !model.Identical(db, want) {
			t.Errorf("%d jobs: %d games", jobs, len(db.List))
		}
	}
}

// TestNoLeak leaves loops early and cancels contexts: all goroutines end.
func TestNoLeak(t *testing.T) {
	text := syntheticPGN(400)
	before := runtime.NumGoroutine()
	for i := range 20 {
		ctx, cancel := context.WithCancel(context.Background())
		r := NewReader(bytes.NewReader(text), ReaderOptions{Jobs: 3})
		var last error
		for rec, err := range r.Records(ctx, 1, model.WantAll) {
			if last = err; err == nil && int(rec.ID) == 5*i+1 {
				if i%2 == 0 {
					break
				}
				cancel()
			}
		}
		if i%2 == 1 && !errors.Is(last, context.Canceled) {
			t.Errorf("cancelled: %v", last)
		}
		cancel()
	}
	for wait := time.Now(); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Since(wait) > 10*time.Second {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

func TestCancelledWhileReadBlocks(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(10*time.Millisecond, cancel)
	for rec, err := range NewReader(r, ReaderOptions{}).Records(ctx, 1, model.WantAll) {
		if !errors.Is(err, context.Canceled) || rec.ID != 0 {
			t.Errorf("record %d: %v", rec.ID, err)
		}
	}
}

func TestWant(t *testing.T) {
	const text = "1. e4 $1 {good} (1. d4 {too}) *"
	for _, want := range []model.Want{model.WantHeaders, model.WantMoves} {
		for rec, err := range NewReader(strings.NewReader(text), ReaderOptions{}).Records(context.Background(), 1, want) {
			if err != nil || rec.Game.Moves.Len() != 2 || len(rec.Game.Annotations) != 0 {
				t.Errorf("want %d: %v, %v", want, rec.Game, err)
			}
		}
	}
}

func TestSeveralGames(t *testing.T) {
	tests := []struct {
		name, text string
		want       int
	}{
		{"without tags", "1. e4 e5 1-0\n\n1. d4 d5 0-1 1. c4 *", 3},
		{"tags in the same line", "[Event \"a\"] 1. e4 * [Event \"b\"] 1. d4 *", 2},
		{"only tags", "[Event \"a\"]\n\n[Event \"b\"]\n\n[Event \"c\"]\n", 3},
		{"a name twice", "[White \"a\"]\n\n[White \"b\"]\n", 2},
		{"garbage between", "[Event \"a\"]\n\n1. e4 *\n\nPage 2 of 3, e4!\n\n[Event \"b\"]\n\n*", 2},
		{"garbage in front", "From: me\nSubject: 1 game\n\n[Event \"a\"]\n\n1. e4 *\n", 1},
		{"a comment in front", "{ About [Event \"x\"] }\n\n[Event \"a\"]\n\n1. e4 *\n", 1},
	}
	for _, test := range tests {
		if db := readAll(t, []byte(test.text)); len(db.List) != test.want {
			t.Errorf("%s: %d games, want %d", test.name, len(db.List), test.want)
		}
	}
}

func TestCrowd(t *testing.T) {
	errs, games := errorsOf(strings.Repeat("1. e4 * ", chunkGames+10)+"\n[Event \"b\"]\n\n*", ReaderOptions{})
	if games != chunkGames+1 || len(errs) != 1 || !strings.Contains(errs[0], "without tags") {
		t.Errorf("%d games, %v", games, errs)
	}
}

// TestErrorsBeforeTheFirstGame reads a file of which only a later game can be
// read: nothing that was wrong before it is kept back.
func TestErrorsBeforeTheFirstGame(t *testing.T) {
	got, games := errorsOf("Hello\n1. Ke5 *\n1. x *\n\n[Event \"a\"]\n\n1. e4 *\n", ReaderOptions{File: "x.pgn"})
	if len(got) != 1 || got[0] != "x.pgn:2: game 1: 1.Ke5: no legal move fits" || games != 1 {
		t.Errorf("%d games, %q", games, got)
	}
}

// With KeepGoing the games before the place where a compressed file was cut
// stay, and so do those of the files behind it.
func TestCompressedAndCut(t *testing.T) {
	const games = 20_000
	dir := gen.Folder(t)
	var text bytes.Buffer
	random := rand.New(rand.NewPCG(1, 2))
	for i := range games {
		fmt.Fprintf(&text, "[Event \"%d\"]\n\n1. e4 {%x} e5 *\n\n", i, random.Uint64())
	}
	save := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		must.Do(t, os.WriteFile(path, data, 0o600))
		return path
	}
	whole := save("whole.pgn", text.Bytes())
	for _, ending := range []string{packed.Gzip, packed.Zstd} {
		var out bytes.Buffer
		w := must.Get(packed.NewWriter(&out, ending))(t)
		must.Get(w.Write(text.Bytes()))(t)
		must.Do(t, w.Close())
		cut := save("cut.pgn"+ending, out.Bytes()[:out.Len()*3/4])
		for _, keepGoing := range []bool{false, true} {
			r := must.Get(Open(ReaderOptions{KeepGoing: keepGoing}, cut, whole))(t)
			good, bad := 0, 0
			for rec, err := range r.Records(t.Context(), 1, model.WantAll) {
				if err == nil {
					good++
					continue
				}
				if !errors.Is(err, model.ErrTruncated) {
					continue // the game in which the file was cut
				}
				bad++
				if !keepGoing && rec.ID != 0 || keepGoing && int(rec.ID) != good+1 {
					t.Errorf("%s: error %v with id %d after %d games", cut, err, rec.ID, good)
				}
			}
			if bad != 1 || keepGoing != (good > games) || good == 0 {
				t.Errorf("%s, keep going %t: %d games, %d errors", cut, keepGoing, good, bad)
			}
		}
	}
}
