package jsonl

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// write returns the lines of a database.
func write(t rapid.TB, db *model.Database) []byte {
	t.Helper()
	var out bytes.Buffer
	must.Do(t, model.Copy(context.Background(), NewWriter(&out, WriterOptions{AcceptLosses: true}), db, model.CopyOptions{}))
	return out.Bytes()
}

// load reads lines.
func load(t rapid.TB, text []byte) *model.Database {
	t.Helper()
	db, err := model.Load(context.Background(), NewReader(bytes.NewReader(text), ReaderOptions{}))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return db
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := gen.Config{Leftovers: true, Undecodable: true, Wild: rapid.Bool().Draw(rt, "wild")}
		db := gen.Database(c).Draw(rt, "db")
		text := write(rt, db)
		checkLines(rt, text, len(db.List))
		got := load(rt, text)
		checkSame(rt, db, got)
		if again := write(rt, got); !bytes.Equal(again, text) {
			rt.Fatalf("written again:\n%s\nfirst:\n%s", again, text)
		}
	})
}

// checkLines asks encoding/json whether every line is JSON.
func checkLines(t rapid.TB, text []byte, want int) {
	lines := bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
	if len(text) == 0 {
		lines = nil
	}
	if len(lines) != want {
		t.Fatalf("%d lines, want %d", len(lines), want)
	}
	for _, line := range lines {
		if !json.Valid(line) {
			t.Fatalf("not JSON: %s", line)
		}
	}
}

// checkSame compares everything but the ids of entities.
func checkSame(t rapid.TB, want, got *model.Database) {
	if !model.Equal(want, got) {
		t.Fatalf("the databases differ:\nwant %+v\nhave %+v", resolveAll(want), resolveAll(got))
	}
	if len(want.List) > 0 && !reflect.DeepEqual(want.Extra, got.Extra) {
		t.Fatalf("the leftover of the database is %v, want %v", got.Extra, want.Extra)
	}
	for i, w := range want.List {
		g := got.List[i]
		if w.ID != g.ID {
			t.Fatalf("record %d has become %d", w.ID, g.ID)
		}
		if a, b := aside(w), aside(g); !reflect.DeepEqual(a, b) {
			t.Fatalf("record %d: what Equal leaves out is\n%v\nwant\n%v", w.ID, b, a)
		}
		checkEntities(t, w, &want.Tables, &got.Tables)
	}
}

func resolveAll(db *model.Database) (all []any) {
	for _, r := range db.List {
		if r.Game != nil {
			all = append(all, r.Game.Resolve(&db.Tables))
		} else {
			all = append(all, r.Text.Resolve(&db.Tables))
		}
	}
	return all
}

// aside lists what model.Equal leaves out of a record: leftovers, and the
// reasons why something could not be decoded.
func aside(r model.Record) (all []any) {
	add := func(l *model.Leftover) { all = append(all, l) }
	reason := func(err error) {
		all = append(all, errors.Is(err, model.ErrCorrupt), errors.Is(err, model.ErrUnsupported), errors.Is(err, model.ErrTruncated))
		if err != nil {
			all = append(all, err.Error())
		}
	}
	texts := func(list []model.LocalText) {
		for _, t := range list {
			add(t.Leftover)
		}
	}
	if t := r.Text; t != nil {
		add(t.Leftovers.Header)
		add(t.Leftovers.Content)
		reason(t.ContentErr)
		texts(t.Titles)
		texts(t.Contents)
		return all
	}
	g := r.Game
	l := g.Leftovers
	for _, l := range []*model.Leftover{l.Header, l.Derived, l.Moves, l.Annotations} {
		add(l)
	}
	reason(g.MovesErr)
	reason(g.AnnotationsErr)
	for _, a := range g.Annotations {
		add(a.Leftover)
	}
	return all
}

// checkEntities asks whether the entities that a record mentions have kept
// their leftovers.
func checkEntities(t rapid.TB, r model.Record, want, got *model.Entities) {
	h := model.NewHeader()
	if r.Game != nil {
		h = r.Game.Header
	} else {
		h.Tournament, h.Annotator, h.Source, h.GameTitle = r.Text.Tournament, r.Text.Annotator, r.Text.Source, r.Text.GameTitle
	}
	checkEntity(t, &want.Players, &got.Players, h.White, h.Black)
	checkEntity(t, &want.Tournaments, &got.Tournaments, h.Tournament)
	checkEntity(t, &want.Annotators, &got.Annotators, h.Annotator)
	checkEntity(t, &want.Sources, &got.Sources, h.Source)
	checkEntity(t, &want.Teams, &got.Teams, h.WhiteTeam, h.BlackTeam)
	checkEntity(t, &want.GameTitles, &got.GameTitles, h.GameTitle)
}

func checkEntity[T comparable](t rapid.TB, want, got *model.Table[T], ids ...model.EntityID) {
	for _, id := range ids {
		if id == model.NoEntity || want.Slot(id).Leftover == nil {
			continue
		}
		slot := want.Slot(id)
		if found, ok := got.Find(slot.Value); !ok || !reflect.DeepEqual(got.Slot(found).Leftover, slot.Leftover) {
			t.Fatalf("the leftover of %+v is lost", slot.Value)
		}
	}
}

// TestSortedKeys reads what a program makes that sorts the keys of objects, as
// jq -S and Go's maps do.
func TestSortedKeys(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		db := gen.Database(gen.Config{Leftovers: true, Undecodable: true}).Draw(rt, "db")
		var sorted []byte
		for line := range strings.Lines(string(write(rt, db))) {
			var v any
			d := json.NewDecoder(strings.NewReader(line))
			d.UseNumber()
			must.Do(rt, d.Decode(&v))
			text := must.Get(json.Marshal(v))(rt)
			sorted = append(append(sorted, text...), '\n')
		}
		checkSame(rt, db, load(rt, sorted))
	})
}

// TestHeaderPass reads headers only, and then everything with the same tables.
func TestHeaderPass(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		db := gen.Database(gen.Config{Leftovers: true}).Draw(rt, "db")
		text := write(rt, db)
		d := newDecoder(&model.Entities{})
		for i, line := range bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n")) {
			if len(line) == 0 {
				continue
			}
			rec := must.Get(d.decode(line, model.WantHeaders))(rt)
			if rec.Game == nil {
				continue
			}
			got, want := rec.Game.Resolve(d.entities), db.List[i].Game.Resolve(&db.Tables)
			want.Moves, want.Annotations = nil, nil
			if !want.Equal(got) {
				rt.Fatalf("have %+v\nwant %+v", got, want)
			}
		}
	})
}

// TestMemoryIsReused keeps nothing of a record when the next one is read.
func TestMemoryIsReused(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		db := gen.Database(gen.Config{}).Draw(rt, "db")
		text := write(rt, db)
		reader := NewReader(bytes.NewReader(text), ReaderOptions{})
		n := 0
		for rec := range must.All(rt, reader.Records(context.Background(), 1, model.WantAll)) {
			if !model.EqualRecords(rec, reader.Entities(), db.List[n], &db.Tables) {
				rt.Fatalf("record %d differs when it is yielded", rec.ID)
			}
			n++
		}
		if n != len(db.List) {
			rt.Fatalf("%d records, want %d", n, len(db.List))
		}
	})
}

func TestNestedVariations(t *testing.T) {
	nest := func(depth int) *model.Database {
		b := new(model.TreeBuilder)
		knights := [2][2]model.Move{
			{model.NewMove(model.G1, model.F3), model.NewMove(model.B8, model.C6)},
			{model.NewMove(model.F3, model.G1), model.NewMove(model.C6, model.B8)},
		}
		last := b.Add(model.NoNode, knights[0][0])
		for i := 1; i <= depth; i++ {
			// An alternative to the next move, which is where the next one branches off.
			b.Add(last, model.NullMove)
			last = b.Add(last, knights[i/2%2][i%2])
		}
		db := &model.Database{}
		db.AddGame(&model.Game{Header: model.NewHeader(), Moves: b.Tree()})
		return db
	}
	db := nest(maxDepth)
	if got := load(t, write(t, db)); !model.Equal(got, db) {
		t.Error("a deep game comes back as another one")
	}
	var out bytes.Buffer
	w := NewWriter(&out, WriterOptions{AcceptLosses: true})
	must.Do(t, w.Begin(db))
	if err := w.Put(nest(maxDepth + 1).List[0]); !errors.Is(err, model.ErrTooLarge) {
		t.Errorf("have %v", err)
	}
	if err := errors.Join(w.Put(model.Record{ID: 1, Text: model.NewGuidingText()}), w.Commit()); err != nil || out.String() != `{"id":1,"kind":"text"}`+"\n" {
		t.Errorf("the writer cannot be used on: %q, %v", out.String(), err)
	}
	line := AppendRecord(nil, nest(maxDepth + 1).List[0], &model.Entities{})
	if !json.Valid(line) {
		t.Error("a deeper game is not JSON")
	}
	if _, err := newDecoder(&model.Entities{}).decode(line, model.WantAll); err == nil || !strings.Contains(err.Error(), "nested") {
		t.Errorf("have %v", err)
	}
	hostile := `{"moves":[` + strings.Repeat(`{"alternatives":[[`, 1<<20)
	if _, err := newDecoder(&model.Entities{}).decode([]byte(hostile), model.WantAll); err == nil {
		t.Error("no error")
	}
}
