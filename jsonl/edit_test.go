package jsonl

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cbkit/internal/packed"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

func edited(t rapid.TB, text string, change func(*model.Record, *model.Entities) (model.Change, error)) string {
	t.Helper()
	var out bytes.Buffer
	if _, err := Edit(context.Background(), &out, strings.NewReader(text), EditOptions{}, change); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return out.String()
}

func toHeader(set func(*model.Header, *model.Entities)) func(*model.Record, *model.Entities) (model.Change, error) {
	return func(rec *model.Record, e *model.Entities) (model.Change, error) {
		if rec.Game == nil {
			return model.Unchanged, nil
		}
		set(&rec.Game.Header, e)
		return model.ChangedHeader, nil
	}
}

// What changes is what was asked for, and not a byte more.
func TestEditChangesLittle(t *testing.T) {
	toWhite := func(name string) func(*model.Header, *model.Entities) {
		return func(h *model.Header, e *model.Entities) { h.White = e.Players.Intern(model.ParsePlayer(name)) }
	}
	for _, c := range []struct {
		text string
		set  func(*model.Header, *model.Entities)
		want string
	}{
		{"\ufeff { \"white\" : \"A\", \"round\": 3 }\r\n\r\n", toWhite("B, C"), "\ufeff { \"white\" : \"B, C\", \"round\": 3 }\r\n\r\n"},
		{`{"result": "*", "id": 1}`, toWhite("B"), `{"result": "*", "id": 1, "white": "B"}`},
		{`{"id":1,"result":"*"}`, toWhite("B"), `{"id":1,"white":"B","result":"*"}`},
		{`{"id":1,"white":"A","tags":{"X":"y"}}`, toWhite(""), `{"id":1,"tags":{"X":"y"}}`},
		{`{"white":"A","id":1}`, toWhite(""), `{"id":1}`},
		{`{"white":"A"}`, toWhite(""), `{}`},
		{`{}`, toWhite("A"), `{"id":1,"kind":"game","white":"A","result":"*"}`},
		{`{"white":"A", "white": "B"}`, toWhite("C"), `{"white":"A", "white": "C"}`},
		{`{"white":null}`, toWhite("C"), `{"white":"C"}`},
		{`{"event":"E","cbh":{"tournament":{"start":"1999.??.??", "rounds":9}}}`, func(h *model.Header, e *model.Entities) {
			e2 := e.Tournaments.Value(h.Tournament)
			e2.Rounds = 11
			h.Tournament = e.Tournaments.Intern(e2)
		}, `{"event":"E","cbh":{"tournament":{"start":"1999.??.??", "rounds":11}}}`},
		{`{"white":"A","tags":[["X","y"],["X","z"]],"moves":[{"uci":"e2e4","after":[{"text":"x"}]}]}`, func(h *model.Header, e *model.Entities) { h.Result = model.Draw },
			`{"white":"A","result":"1/2-1/2","tags":[["X","y"],["X","z"]],"moves":[{"uci":"e2e4","after":[{"text":"x"}]}]}`},
	} {
		if got := edited(t, c.text, toHeader(c.set)); got != c.want {
			t.Errorf("%s became %s, want %s", c.text, got, c.want)
		}
	}
}

// Lines that cannot be read, or must not become what they would, keep their bytes.
func TestEditPassesByWhatCannotBeRead(t *testing.T) {
	text := "{\"white\":\"A\"}\n{\"colour\":1}\n\n{\"id\":9,\"white\":\"A\"}\n" + strings.Repeat(" ", 100<<10) + "{\"id\":7}\nx"
	var wrong []string
	var out bytes.Buffer
	n, err := Edit(context.Background(), &out, strings.NewReader(text), EditOptions{
		Reader: ReaderOptions{File: "x.jsonl"}, OnError: func(_ model.RecordID, err error) error { wrong = append(wrong, err.Error()); return nil },
	}, toHeader(func(h *model.Header, e *model.Entities) { h.White = e.Players.Intern(model.Player{LastName: "B"}) }))
	if want := strings.ReplaceAll(text, `"A"`, `"B"`); err != nil || n != 2 || out.String() != want {
		t.Errorf("%d, %v: %s", n, err, out.String())
	}
	if len(wrong) != 3 || !strings.HasPrefix(wrong[0], "x.jsonl:2: ") {
		t.Errorf("told: %q", wrong)
	}
	for _, c := range []struct {
		change func(*model.Record, *model.Entities) (model.Change, error)
		want   error
	}{
		{func(*model.Record, *model.Entities) (model.Change, error) { return 0, io.ErrClosedPipe }, io.ErrClosedPipe},
		{toHeader(func(h *model.Header, _ *model.Entities) { h.White = 99 }), model.ErrCorrupt},
		{func(rec *model.Record, _ *model.Entities) (model.Change, error) {
			rec.Game = nil
			return model.ChangedGame, nil
		}, model.ErrOption},
		{toHeader(func(*model.Header, *model.Entities) {}), model.ErrCorrupt}, // of the second line
	} {
		if _, err := Edit(context.Background(), io.Discard, strings.NewReader(text), EditOptions{}, c.change); !errors.Is(err, c.want) {
			t.Errorf("%v, want %v", err, c.want)
		}
	}
}

// Lines go, and others are put behind the last one, which may have no line break.
func TestEditRemovesAndAppends(t *testing.T) {
	more := load(t, []byte(`{"white":"N"}`))
	opt := EditOptions{Append: func(put func(model.Record, *model.Entities) error) error { return put(more.List[0], &more.Tables) }}
	for text, want := range map[string]string{
		"{\"white\":\"A\"}\n{\"white\":\"B\"}": "{\"white\":\"B\"}\n{\"id\":3,\"kind\":\"game\",\"white\":\"N\",\"result\":\"*\"}\n",
		"{\"white\":\"A\"}\n{\"id\":7}\n\n":    "{\"id\":7}\n\n{\"id\":8,\"kind\":\"game\",\"white\":\"N\",\"result\":\"*\"}\n",
		"{\"white\":\"A\"}":                    "{\"id\":2,\"kind\":\"game\",\"white\":\"N\",\"result\":\"*\"}\n",
		"{\"white\":\"C\"}":                    "{\"white\":\"D\"}\n{\"id\":2,\"kind\":\"game\",\"white\":\"N\",\"result\":\"*\"}\n",
	} {
		var out bytes.Buffer
		_, err := Edit(context.Background(), &out, strings.NewReader(text), opt, func(rec *model.Record, e *model.Entities) (model.Change, error) {
			switch e.Players.Value(rec.Game.White).LastName {
			case "A":
				return model.Removed, nil
			case "C":
				rec.Game.White = e.Players.Intern(model.Player{LastName: "D"})
				return model.ChangedHeader, nil
			}
			return model.Unchanged, nil
		})
		if err != nil || out.String() != want {
			t.Errorf("%q became %q, want %q: %v", text, out.String(), want, err)
		}
	}
}

// Compressed lines stay compressed.
func TestEditKeepsTheForm(t *testing.T) {
	var in bytes.Buffer
	w := must.Get(packed.NewWriter(&in, packed.Zstd))(t)
	must.Get(io.WriteString(w, "{\"white\":\"A\"}\n"))(t)
	must.Do(t, w.Close())
	out := edited(t, in.String(), toHeader(func(h *model.Header, e *model.Entities) { h.WhiteElo = 1 }))
	text, done, err := packed.NewReader(strings.NewReader(out), "")
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	if got, err := io.ReadAll(text); err != nil || !packed.IsPacked([]byte(out)) || string(got) != "{\"white\":\"A\",\"whiteElo\":1}\n" {
		t.Errorf("%q, %v", got, err)
	}
}

// To edit lines and read them is to read them and edit the records. Lines that are not
// changed keep their bytes.
func TestEditIsEditing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		db := gen.Database(gen.Config{Leftovers: true, Undecodable: true, Wild: rapid.Bool().Draw(t, "wild")}).Draw(t, "db")
		text := write(t, db)
		db = load(t, text)
		name := rapid.SampledFrom([]string{"", "New, N", "New", "x \"y\" \\", "Ж"}).Draw(t, "name")
		number := uint16(rapid.IntRange(0, 2).Draw(t, "number"))
		changes := map[model.RecordID]int{}
		for _, rec := range db.List {
			changes[rec.ID] = rapid.IntRange(0, 7).Draw(t, "change")
		}
		change := func(rec *model.Record, e *model.Entities) (model.Change, error) {
			if changes[rec.ID] == 1 {
				rec.Deleted = !rec.Deleted
				return model.ChangedHeader, nil
			}
			g := rec.Game
			if g == nil {
				return model.Unchanged, nil
			}
			switch changes[rec.ID] {
			case 2:
				g.White = e.Players.Intern(model.ParsePlayer(name))
			case 3:
				g.WhiteElo, g.Round, g.Result = number, number, model.Result(number)
			case 4:
				of := e.Tournaments.Value(g.Tournament)
				of.Title, of.Category = name, uint8(number)
				g.Tournament = e.Tournaments.Intern(of)
			case 5:
				g.Tags = []model.Tag{{Name: "X", Value: name}, {Name: "Y", Value: name}}[:number]
			case 6:
				g.WhiteTeam = e.Teams.Intern(model.Team{Title: name, Number: int32(number)})
			case 7:
				if g.AnnotationsErr == nil {
					g.SetAnnotations(nil)
				}
				return model.ChangedGame, nil
			default:
				return model.Unchanged, nil
			}
			return model.ChangedHeader, nil
		}
		got := edited(t, string(text), change)
		back := load(t, []byte(got))
		was, now := strings.Split(string(text), "\n"), strings.Split(got, "\n")
		for i, rec := range db.List {
			changed, _ := change(&rec, &db.Tables)
			if !model.EqualRecords(rec, &db.Tables, back.List[i], &back.Tables) {
				t.Fatalf("line %d:\n%s\nbecame\n%s", i+1, was[i], now[i])
			}
			if changed == model.Unchanged && was[i] != now[i] {
				t.Fatalf("line %d has changed:\n%s\nbecame\n%s", i+1, was[i], now[i])
			}
		}
	})
}

// FuzzEdit changes any lines: those that can be read stay so.
func FuzzEdit(f *testing.F) {
	for line := range bytes.Lines(write(f, handMade())) {
		f.Add(line)
	}
	f.Add([]byte(" {\"white\" : \"A\", \"cbh\": { } }\r\n\n{}\n[]"))
	f.Add([]byte(`{"whi\u0074e":"A","moves":[],"cbh":{"white":{"last":"A"},"leftover":{"white":{"format":"cbh","data":"AA=="}}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var out bytes.Buffer
		n, failed := 0, 0
		opt := EditOptions{OnError: func(_ model.RecordID, err error) error { failed++; return nil }}
		_, err := Edit(context.Background(), &out, bytes.NewReader(text), opt, func(rec *model.Record, e *model.Entities) (model.Change, error) {
			if rec.Game == nil {
				return model.Unchanged, nil
			}
			n++
			rec.Game.White = e.Players.Intern(model.Player{LastName: "New"})
			return model.ChangedHeader, nil
		})
		if err != nil {
			return
		}
		again := NewReader(&out, ReaderOptions{})
		for rec, err := range again.Records(context.Background(), 1, model.WantAll) {
			if err == nil && rec.Game != nil && again.Entities().Players.Value(rec.Game.White).LastName == "New" {
				n--
			}
		}
		if n > failed {
			t.Fatalf("%d records are not what they should be in %q", n, out.String())
		}
	})
}
