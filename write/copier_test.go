package write_test

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cbkit/check"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/write"

	"pgregory.net/rapid"
)

// faultsOf returns the codes of what is wrong with a database, but for search
// boosters.
func faultsOf(t *testing.T, path string) (codes []string) {
	t.Helper()
	made := check.Database(t.Context(), path, check.Options{})
	for f, err := range made.Findings() {
		if err != nil {
			break // Summary has it
		}
		if f.Severity == check.Error {
			codes = append(codes, f.Code)
		}
	}
	must.Get(made.Summary())(t)
	slices.Sort(codes)
	return slices.Compact(codes)
}

// A copy that leaves records out says the same of the others, and has no fault
// that its original has not.
func TestCopyLeavesRecordsOut(t *testing.T) {
	for _, name := range []string{"hedgehog/Hedgehog", "mate2/Mate2", "cbh_cbj_test/cbh_cbj_test", "cbh_test/cbh_test", "twic1134/twic1134"} {
		if testing.Short() && filepath.Base(name) == "twic1134" {
			continue // it is large
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			path := corpus.Path(t, "cbh/"+name+".cbh")
			faults := faultsOf(t, path)
			db := openDatabase(t, path)
			original := must.Get(model.Load(t.Context(), db))(t)
			for _, step := range []model.RecordID{2, 3, 7} {
				keep := func(r model.Record) bool { return r.ID%step != 1 }
				report := func(l model.Loss) {
					if l.Kind != model.LostFile {
						t.Errorf("loss: %v", l)
					}
				}
				copied := copied(t, db, write.Options{Report: report}, model.CopyOptions{Keep: keep})
				for _, code := range faultsOf(t, copied) {
					if !slices.Contains(faults, code) {
						t.Errorf("every record but one of %d: the copy has the fault %s", step, code)
					}
				}
				again := must.Get(model.Load(t.Context(), openDatabase(t, copied)))(t)
				want := &model.Database{Tables: original.Tables}
				for _, r := range original.List {
					if keep(r) {
						r.ID = model.RecordID(len(want.List) + 1)
						want.List = append(want.List, r)
					}
				}
				if diff := difference(want, again); diff != "" {
					t.Errorf("every record but one of %d:\n%s", step, diff)
				}
			}
		})
	}
}

// The bytes that records share are written once.
func TestCopyOfSharedBytes(t *testing.T) {
	db := &model.Database{}
	for i := range 200 {
		g := model.NewGame()
		g.White = db.Tables.Players.Intern(model.Player{LastName: "Morphy"})
		g.Moves.Append(model.NewMove(model.E2, model.E4))
		g.Annotate(0, model.Text{Text: string(rune('a' + i%26))})
		db.AddGame(g)
	}
	path := create(t, db, write.Options{})
	headers, extensions := readFile(t, path), readFile(t, sibling(path, ".cbj"))
	for id := 2; id <= 200; id++ {
		copy(headers[id*46+1:id*46+9], headers[47:55])
		copy(extensions[32+(id-1)*120+12:][:8], extensions[32+12:])
		copy(extensions[32+(id-1)*120+28:][:10], extensions[32+28:])
	}
	replace(t, path, headers)
	replace(t, sibling(path, ".cbj"), extensions)
	copied := copied(t, openDatabase(t, path), write.Options{}, model.CopyOptions{})
	for _, ext := range []string{".cbg", ".cba"} {
		was, is := len(readFile(t, sibling(path, ext))), len(readFile(t, sibling(copied, ext)))
		if is > was {
			t.Errorf("%s: %d bytes became %d", ext, was, is)
		}
	}
	again := must.Get(model.Load(t.Context(), openDatabase(t, copied)))(t)
	for _, r := range again.List {
		if r.Game.Moves.Len() != 1 || len(r.Game.Annotations) != 1 {
			t.Fatalf("record %d: %d moves, %v", r.ID, r.Game.Moves.Len(), r.Game.Annotations)
		}
	}
}

// Records that reach into each other are copied each for itself: what is wrong
// with one of them costs nothing of the other.
func TestCopyOfOverlaps(t *testing.T) {
	db := oneGame("first")
	db.AddGame(db.List[0].Game)
	path := create(t, db, write.Options{})
	moves := readFile(t, sibling(path, ".cbg"))
	at := binary.BigEndian.Uint32(readFile(t, path)[47:])
	moves[at+3]++ // reaches into the next one
	replace(t, sibling(path, ".cbg"), moves)
	again := must.Get(model.Load(t.Context(), openDatabase(t, copied(t, openDatabase(t, path), write.Options{}, model.CopyOptions{}))))(t)
	if n := len(again.List); n != 2 {
		t.Fatalf("%d records", n)
	}
	want := db.List[0].Game
	if got := again.List[1].Game; !want.Moves.Equal(&got.Moves) {
		t.Errorf("the second game is %v, want %v", got.Moves.Nodes(), want.Moves.Nodes())
	}
}

// Records that share their bytes to the point that their copies would be twice
// as many are refused, and nothing is written.
func TestCopyRefusesOverlaps(t *testing.T) {
	db := oneGame("first")
	for range 19 {
		db.AddGame(db.List[0].Game)
	}
	path := create(t, db, write.Options{})
	headers, moves := readFile(t, path), readFile(t, sibling(path, ".cbg"))
	size := binary.BigEndian.Uint32(headers[46+47:]) - binary.BigEndian.Uint32(headers[47:])
	for id := range 12 {
		moves[binary.BigEndian.Uint32(headers[(id+1)*46+1:])+3] = byte(8 * size) // seven others
	}
	replace(t, sibling(path, ".cbg"), moves)
	src := openDatabase(t, path)
	target := filepath.Join(gen.Folder(t), "copy.cbh")
	sink := must.Get(write.CreateCopy(context.Background(), target, src, write.Options{}))(t)
	err := model.Copy(context.Background(), sink, src, model.CopyOptions{})
	var refused *model.RecordError
	if !errors.As(err, &refused) || refused.Record != 5 || !errors.Is(err, model.ErrCorrupt) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(target); err == nil {
		t.Error("the copy is there")
	}
}

// A copier copies the database it was made for, in order, and no other.
func TestCopierKnowsItsSource(t *testing.T) {
	src, other := openDatabase(t, create(t, oneGame("a"), write.Options{})), openDatabase(t, create(t, oneGame("b"), write.Options{}))
	sink := must.Get(write.CreateCopy(context.Background(), filepath.Join(gen.Folder(t), "copy.cbh"), src, write.Options{}))(t)
	if err := sink.Begin(other); !errors.Is(err, model.ErrOption) {
		t.Errorf("another source: %v", err)
	}
	must.Do(t, sink.Begin(src))
	rec := must.Get(src.Record(t.Context(), 1, sink.Wants()))(t)
	if err := sink.Put(rec); err != nil || sink.Written() != 1 {
		t.Errorf("%v, %d written", err, sink.Written())
	}
	if err := sink.Put(rec); err == nil {
		t.Error("a record was put twice")
	}
	if err := sink.Abort(); err != nil {
		t.Error(err)
	}
}

// Copying some of the games of a generated database is what writing these games
// afresh says.
func TestCopyOfSomeGames(t *testing.T) {
	dir := gen.Folder(t)
	rapid.Check(t, func(t *rapid.T) {
		db := gen.Database(gen.Config{NoTags: true, NoHalfMoves: true, NameBytes: 12}).Draw(t, "database")
		once, _ := trip(t, dir, db, write.Options{})
		kept := rapid.SliceOfN(rapid.Bool(), len(once.List), len(once.List)).Draw(t, "kept")
		want := &model.Database{Tables: once.Tables}
		for i, r := range once.List {
			if kept[i] {
				r.ID = model.RecordID(len(want.List) + 1)
				want.List = append(want.List, r)
			}
		}
		got := copyTrip(t, dir, "", func(r model.Record) bool { return kept[r.ID-1] })
		if diff := difference(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}
