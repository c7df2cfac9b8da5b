package jsonl

import (
	"bytes"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"cbkit/internal/testkit/gen"
	"cbkit/model"
)

// TestSingleLines writes every record of a database twice, the second time in
// reverse order: a line does not depend on those before it. Read one by one the
// records are equal.
func TestSingleLines(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := gen.Config{Leftovers: true, Undecodable: true, Wild: rapid.Bool().Draw(rt, "wild")}
		db := gen.Database(c).Draw(rt, "db")
		enc := NewEncoder(&db.Tables)
		lines := make([][]byte, len(db.List))
		for i, rec := range db.List {
			line, err := enc.Append([]byte("before"), rec)
			if err != nil || !bytes.HasPrefix(line, []byte("before{")) {
				rt.Fatalf("record %d: %.60q, %v", rec.ID, line, err)
			}
			lines[i] = bytes.TrimPrefix(line, []byte("before"))
		}
		for i := len(db.List) - 1; i >= 0; i-- {
			if line, _ := enc.Append(nil, db.List[i]); !bytes.Equal(line, lines[i]) {
				rt.Fatalf("record %d once more:\n%s\nfirst:\n%s", i, line, lines[i])
			}
		}
		var e model.Entities
		dec := NewDecoder(&e)
		for i := len(db.List) - 1; i >= 0; i-- {
			rec, err := dec.Decode(lines[i], model.WantAll)
			if err != nil || rec.ID != db.List[i].ID || !model.EqualRecords(db.List[i], &db.Tables, rec, &e) {
				rt.Fatalf("record %d: %v\n%s", i, err, lines[i])
			}
		}
		for id, p := range e.Players.All() {
			if p.Leftover != nil {
				rt.Fatalf("player %d has a leftover", id)
			}
		}
	})
}

// TestSingleLineWithoutID leaves out the id 0, and gives it back.
func TestSingleLineWithoutID(t *testing.T) {
	var e model.Entities
	line, err := NewEncoder(&e).Append(nil, model.Record{Game: model.NewGame()})
	if err != nil || string(line) != `{"kind":"game","result":"*"}` {
		t.Fatalf("%s, %v", line, err)
	}
	rec, err := NewDecoder(&e).Decode(line, model.WantAll)
	if err != nil || rec.ID != 0 || rec.Game == nil {
		t.Errorf("%+v, %v", rec, err)
	}
}

// TestSingleLineTooLarge refuses what no reader takes, and goes on.
func TestSingleLineTooLarge(t *testing.T) {
	db := &model.Database{}
	g := model.NewGame()
	g.Annotate(model.NoNode, model.Text{Text: string(bytes.Repeat([]byte("x"), maxLine))})
	enc := NewEncoder(&db.Tables)
	if line, err := enc.Append([]byte("before"), model.Record{Game: g}); !errors.Is(err, model.ErrTooLarge) || string(line) != "before" {
		t.Errorf("%d bytes, %v", len(line), err)
	}
	if _, err := enc.Append(nil, model.Record{Game: model.NewGame()}); err != nil {
		t.Error(err)
	}
	if _, err := NewDecoder(&db.Tables).Decode(make([]byte, maxLine+1), model.WantAll); !errors.Is(err, model.ErrTooLarge) {
		t.Error(err)
	}
}
