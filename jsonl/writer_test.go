package jsonl

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// failingWriter takes some bytes and then fails.
type failingWriter struct{ room int }

var errFull = errors.New("no space left")

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.room -= len(p); w.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriterOrder(t *testing.T) {
	game := model.Record{ID: 1, Game: &model.Game{Header: model.NewHeader()}}
	w := NewWriter(io.Discard, WriterOptions{})
	if w.Put(game) == nil || w.Commit() == nil {
		t.Error("a writer works before Begin")
	}
	must.Do(t, w.Begin(&model.Database{}))
	if w.Begin(&model.Database{}) == nil {
		t.Error("Begin works twice")
	}
	for _, c := range []struct {
		id model.RecordID
		ok bool
	}{{0, false}, {3, true}, {3, false}, {2, false}, {4, true}} {
		game.ID = c.id
		if err := w.Put(game); (err == nil) != c.ok {
			t.Errorf("record %d: %v", c.id, err)
		}
	}
	if w.Put(model.Record{ID: 9}) == nil {
		t.Error("an empty record was written")
	}
	if err := w.Commit(); err != nil {
		t.Error(err)
	}
	if game.ID = 10; w.Put(game) == nil || w.Commit() == nil || w.Abort() != nil {
		t.Error("a writer works after Commit")
	}
}

func TestWriterFails(t *testing.T) {
	long := model.Record{Game: &model.Game{Header: model.NewHeader()}}
	long.Game.Tags = []model.Tag{{Name: "x", Value: strings.Repeat("y", flushSize)}}
	w := NewWriter(&failingWriter{room: flushSize + flushSize/2}, WriterOptions{})
	must.Do(t, w.Begin(&model.Database{}))
	long.ID = 1
	must.Do(t, w.Put(long))
	long.ID = 2
	if err := w.Put(long); !errors.Is(err, errFull) {
		t.Errorf("have %v", err)
	}
	if w.Abort() != nil {
		t.Error("Abort fails")
	}
	w = NewWriter(&failingWriter{}, WriterOptions{})
	must.Do(t, w.Begin(&model.Database{}))
	must.Do(t, w.Put(model.Record{ID: 1, Text: model.NewGuidingText()}))
	if err := w.Commit(); !errors.Is(err, errFull) {
		t.Errorf("have %v", err)
	}
}

func TestWriterRefusesWhatCannotBeRead(t *testing.T) {
	w := NewWriter(io.Discard, WriterOptions{})
	if err := w.enc.check(make([]byte, maxLine)); err != nil {
		t.Error(err)
	}
	if err := w.enc.check(make([]byte, maxLine+1)); !errors.Is(err, model.ErrTooLarge) {
		t.Errorf("have %v", err)
	}
}

func TestUnusedEntitiesAreReported(t *testing.T) {
	db := handMade()
	db.Tables.Players.Intern(model.Player{LastName: "Nobody"})
	db.Tables.Players.Append(model.Slot[model.Player]{Deleted: true})
	db.Tables.Teams.Append(model.Slot[model.Team]{Value: model.Team{Title: "Reserve"}})
	var got []string
	w := NewWriter(io.Discard, WriterOptions{Report: func(l model.Loss) { got = append(got, string(l.Kind)+" "+l.String()) }})
	must.Do(t, w.Begin(db))
	for _, rec := range db.List {
		must.Do(t, w.Put(rec))
	}
	must.Do(t, w.Commit())
	want := []string{"entity player: 1 that no record refers to", "entity team: 1 that no record refers to"}
	if !slices.Equal(got, want) {
		t.Errorf("have %q", got)
	}
}
