package jsonl

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// outcome is what a reader yields for a record, in short.
func outcomes(r *Reader, from model.RecordID) (list []string) {
	for rec, err := range r.Records(context.Background(), from, model.WantAll) {
		s := "error"
		if err == nil {
			s = r.Entities().Players.Value(rec.Game.White).LastName
		}
		list = append(list, string(rune('0'+rec.ID))+" "+s)
	}
	return list
}

func TestIDs(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		from model.RecordID
		want string
	}{
		"given":             {`{"id":2,"white":"a"}` + "\n" + `{"id":5,"white":"b"}`, 1, "2 a, 5 b"},
		"not given":         {`{"white":"a"}` + "\n" + `{"white":"b"}`, 1, "1 a, 2 b"},
		"some":              {`{"id":3,"white":"a"}` + "\n" + `{"white":"b"}`, 1, "3 a, 4 b"},
		"not ascending":     {`{"id":3,"white":"a"}` + "\n" + `{"id":3,"white":"b"}` + "\n" + `{"id":4,"white":"c"}`, 1, "3 a, 4 error, 4 c"},
		"bad line":          {`{"id":1,"white":"a"}` + "\n{x\n" + `{"id":3,"white":"c"}`, 1, "1 a, 2 error, 3 c"},
		"bad line, no ids":  {`{"white":"a"}` + "\n{x\n" + `{"white":"c"}`, 1, "1 a, 2 error, 3 c"},
		"bad line, with id": {`{"id":1,"white":"a"}` + "\n" + `{"id":7,"white":3}` + "\n" + `{"id":8,"white":"c"}`, 1, "1 a, 7 error, 8 c"},
		"from":              {`{"id":1,"white":"a"}` + "\n{x\n" + `{"id":5,"white":"c"}`, 3, "5 c"},
		"blank lines":       {"\ufeff\n \r\n" + `{"white":"a"}` + "\r\n\r\n" + `{"white":"b"}` + "\n\n", 1, "1 a, 2 b"},
		"nothing":           {"\n", 1, ""},
	} {
		r := NewReader(strings.NewReader(c.text), ReaderOptions{})
		if got := strings.Join(outcomes(r, c.from), ", "); got != c.want {
			t.Errorf("%s: have %q, want %q", name, got, c.want)
		}
	}
}

func TestLineErrors(t *testing.T) {
	for _, c := range []struct{ line, message string }{
		{`{`, "the text ends"},
		{`{"white":"a"`, "the text ends"},
		{`{"white":"a"}{}`, "after the end"},
		{`{"wite":"a"}`, `unknown key "wite"`},
		{`{"kind":"book"}`, `unknown kind "book"`},
		{`{"kind":"text","white":"a"}`, `key "white" in a text`},
		{`{"kind":"game","title":[]}`, `key "title" in a game`},
		{`{"id":0}`, "not between"},
		{`{"id":2147483648}`, "not between"},
		{`{"whiteElo":-1}`, "not between"},
		{`{"whiteElo":"high"}`, "want a number"},
		{`{"round":"first"}`, `"first" is not a number`},
		{`{"result":"2-0"}`, `"2-0" is not a result`},
		{`{"termination":"time"}`, `"time" is not a termination`},
		{`{"date":"1997-05-11"}`, "not a date"},
		{`{"eco":"C1"}`, "not an ECO code"},
		{`{"medals":["gold"]}`, "not a medal"},
		{`{"tags":[["a"]]}`, "1 parts"},
		{`{"tags":"x"}`, "want '{'"},
		{`{"fen":"8/8"}`, "fen"},
		{`{"variant":"atomic"}`, `"atomic" is not known`},
		{`{"annotations":[{"kind":"note"}]}`, `unknown kind "note"`},
		{`{"annotations":[{"kind":"text","leftover":3}]}`, "want '{'"},
		{`{"moves":[{"san":"e4"}]}`, `unknown key "san"`},
		{`{"moves":[{}]}`, `without "uci"`},
		{`{"moves":[{"uci":"e2e4","uci":"d2d4"}]}`, "second time"},
		{`{"moves":[{"uci":"e2e4","annotations":[],"annotations":[]}]}`, "second time"},
		{`{"moves":[{"uci":"e2e4"},{"uci":"e2e4"}]}`, `"e2e4" at ply 2`},
		{`{"moves":[{"uci":"e2e4","alternatives":[[{"uci":"e7e5"}]]}]}`, `"e7e5" at ply 1`},
		{`{"moves":[{"uci":"castles"}]}`, `"castles" is not a move`},
		{`{"moves":[{"uci":"x"}]}`, `"x" at ply 1`},
		{`{"moves":[{"uci":"e2e4","nags":[256]}]}`, "not between"},
		{`{"moves":[{"uci":"e2e4","after":[{"language":"en"}]}]}`, `unknown key "language"`},
		{`{"fen":"kk6/8/8/8/8/8/8/KK6 w - - 0 1","moves":[{"uci":"a1a2"}]}`, "cannot be played"},
		{`{"cbh":{"tournament":{"tieBreaks":[1,2,3,4,5,6,7,8,9,10,11]}}}`, "11 tie breaks"},
		{`{"cbh":{"leftover":{"header":{}}}}`, "without a format"},
		{`{"cbh":{"leftover":{"header":{"a":"","b":""}}}}`, "two formats"},
		{`{"cbh":{"leftover":{"header":{"cbh":"*"}}}}`, "base64"},
		{`{"cbh":{"leftover":{"footer":{}}}}`, `unknown key "footer"`},
		{`{"cbh":{"undecodable":{"moves":{"error":"bad"}}}}`, `"bad" is not a kind of error`},
		{`{"moves":[{"uci":"e2e4"}],"cbh":{"undecodable":{"moves":{}}}}`, "both moves and"},
		{`{"kind":"text","title":[{"text":"a"}],"cbh":{"undecodable":{"content":{}}}}`, "both a text and"},
		{`{"cbh":{"extra":1}}`, `unknown key "extra"`},
	} {
		r := NewReader(strings.NewReader(`{}`+"\n"+c.line+"\n"), ReaderOptions{File: "games.jsonl"})
		var last error
		n := 0
		for rec, err := range r.Records(context.Background(), 1, model.WantAll) {
			n++
			if last = err; err != nil && (rec.Game != nil || rec.Text != nil || rec.ID != 2) {
				t.Errorf("%s: the error comes with %+v", c.line, rec)
			}
		}
		var line *LineError
		if !errors.As(last, &line) || !errors.Is(last, model.ErrCorrupt) || line.Line != 2 || n != 2 ||
			!strings.HasPrefix(last.Error(), "games.jsonl:2: ") || !strings.Contains(last.Error(), c.message) {
			t.Errorf("%s: have %v, want %q", c.line, last, c.message)
		}
	}
	if err := (&LineError{Line: 3, Err: io.EOF}); err.Error() != "line 3: EOF" || !errors.Is(err, io.EOF) {
		t.Errorf("have %v", err)
	}
}

// What is no JSON is told also where nobody asked for what it says.
func TestDamageThatIsNotRead(t *testing.T) {
	for _, line := range []string{
		`{"annotations":[{"kind":"text","te":"xt":"a"}]}`,
		`{"moves":[{"uci":"e2e4","after":[{"text""a"}],"annotations":[]}]}`,
		`{"moves":[{"uci":"e2e4","annotations":[{"kind":tex}]}]}`,
		`{"moves":[{"uci":"e2e4"},,{"uci":"e7e5"}]}`,
	} {
		for _, want := range []model.Want{model.WantHeaders, model.WantMoves, model.WantAll} {
			r := NewReader(strings.NewReader(line+"\n"), ReaderOptions{})
			for _, err := range r.Records(t.Context(), 1, want) {
				if !errors.Is(err, model.ErrCorrupt) {
					t.Errorf("%s: read with %v: %v", line, want, err)
				}
			}
		}
	}
}

func TestNoJSONLines(t *testing.T) {
	for _, text := range []string{"[Event \"x\"]\n", "PK\x03\x04", "[{}]", "[\n{}\n]", "[{},\n{}]", "x\n[{}]\n"} {
		r := NewReader(strings.NewReader(text), ReaderOptions{File: "x"})
		n := 0
		for rec, err := range r.Records(context.Background(), 1, model.WantAll) {
			if n++; !errors.Is(err, model.ErrNotDatabase) || rec.ID != 0 {
				t.Errorf("%q: have %v, %v", text, rec, err)
			}
		}
		if n != 1 {
			t.Errorf("%q: %d errors", text, n)
		}
	}
}

// TestDamagedFirstLine: a text of JSON Lines is one also if its first byte is
// damaged, and the other lines are read.
func TestDamagedFirstLine(t *testing.T) {
	for _, text := range []string{"x\"id\":1}\n{\"id\":5}\n{}", "[\"id\":1}\n\n{\"id\":5}\n{}"} {
		r := NewReader(strings.NewReader(text), ReaderOptions{File: "x"})
		var ids []model.RecordID
		for rec, err := range r.Records(context.Background(), 1, model.WantAll) {
			ids = append(ids, rec.ID)
			var line *LineError
			if bad := rec.ID == 1; bad != errors.As(err, &line) || bad && (line.Line != 1 || errors.Is(err, model.ErrNotDatabase)) {
				t.Errorf("%q: record %d has %v", text, rec.ID, err)
			}
		}
		if diff := cmp.Diff([]model.RecordID{1, 5, 6}, ids); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestLongLines(t *testing.T) {
	// Longer than the buffer, as long as can be, and longer than that.
	line := func(n int) string {
		frame := `{"white":"","annotator":"a"}`
		return `{"white":"` + strings.Repeat("x", n-len(frame)) + `","annotator":"a"}` + "\n"
	}
	const longest = 5*bufferSize + 17
	text := line(2*bufferSize) + line(longest) + line(longest+1) + `{"white":"b"}`
	r := NewReader(strings.NewReader(text), ReaderOptions{})
	if r.text.max != maxLine {
		t.Errorf("lines of %d bytes are read", r.text.max)
	}
	r.text.max = longest
	var got []string
	for rec, err := range r.Records(context.Background(), 1, model.WantAll) {
		switch {
		case errors.Is(err, model.ErrTooLarge):
			got = append(got, "too large")
		case err != nil:
			got = append(got, err.Error())
		case len(r.Entities().Players.Value(rec.Game.White).LastName) > 1:
			got = append(got, "long")
		default:
			got = append(got, "short")
		}
	}
	if s := strings.Join(got, ", "); s != "long, long, too large, short" {
		t.Errorf("have %s", s)
	}
}

func TestReadOnce(t *testing.T) {
	r := NewReader(strings.NewReader(`{"cbh":{"leftover":{"database":{"cbh":"AQ=="}}}}`+"\n{}\n"), ReaderOptions{})
	if l := r.Leftover(); l == nil || len(l.Data) != 1 {
		t.Fatalf("have %v", l)
	}
	if n := len(outcomes(r, 1)); n != 2 {
		t.Errorf("%d records after Leftover, want 2", n)
	}
	for rec, err := range r.Records(context.Background(), 1, model.WantAll) {
		if err == nil || rec.ID != 0 {
			t.Errorf("read again: have %v, %v", rec, err)
		}
	}
	if r.Leftover() == nil || r.Count() != -1 {
		t.Error("the leftover is gone")
	}
}

func TestOpen(t *testing.T) {
	path := filepath.Join(gen.Folder(t), "a.jsonl")
	text := `{"white":"a","cbh":{"leftover":{"database":{"cbh":"AQ=="}}}}` + "\n" + `{"white":"b"}` + "\n{x\n"
	must.Do(t, os.WriteFile(path, []byte(text), 0o600))
	r := must.Get(Open(path, ReaderOptions{}))(t)
	for range 2 {
		if got := strings.Join(outcomes(r, 1), ", "); got != "1 a, 2 b, 3 error" {
			t.Errorf("have %s", got)
		}
		if r.Leftover() == nil || r.Entities().Players.Len() != 2 {
			t.Errorf("leftover %v, %d players", r.Leftover(), r.Entities().Players.Len())
		}
	}
	for range r.Records(context.Background(), 1, model.WantAll) {
		break
	}
	must.Do(t, os.Remove(path))
	for _, err := range r.Records(context.Background(), 1, model.WantAll) {
		if !errors.Is(err, os.ErrNotExist) {
			t.Errorf("have %v", err)
		}
	}
	if _, err := Open(path, ReaderOptions{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("have %v", err)
	}
	if _, err := Open(gen.Folder(t), ReaderOptions{}); err == nil {
		t.Error("a folder can be opened")
	}
}

func TestBrokenInput(t *testing.T) {
	broken := iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader(`{}` + "\n{}\n")))
	r := NewReader(broken, ReaderOptions{File: "x"})
	n := 0
	for rec, err := range r.Records(context.Background(), 1, model.WantAll) {
		if n++; !errors.Is(err, iotest.ErrTimeout) || rec.ID != 0 {
			t.Errorf("have %v, %v", rec, err)
		}
	}
	if n != 1 {
		t.Errorf("%d errors", n)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var last error
	for _, err := range NewReader(strings.NewReader("{}\n{}\n{}\n"), ReaderOptions{}).Records(ctx, 1, model.WantAll) {
		last = err
		cancel()
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("have %v", last)
	}
}

// TestTruncation cuts a line at every length: an error, never a panic, and
// never another game.
func TestTruncation(t *testing.T) {
	line := AppendRecord(nil, handMade().List[0], &handMade().Tables)
	d := newDecoder(&model.Entities{})
	for n := range len(line) {
		if _, err := d.decode(line[:n], model.WantAll); err == nil {
			t.Fatalf("no error at %s", line[:n])
		}
	}
	must.Get(d.decode(line, model.WantAll))(t)
}
