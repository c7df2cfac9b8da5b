package search_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"os"
	"slices"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/check"
	"cbkit/internal/testkit/bulk"
	"cbkit/model"
	"cbkit/search"
	"cbkit/stats"
	"cbkit/write"
)

// after returns the position behind some moves.
func after(t testing.TB, moves string) board.Position {
	t.Helper()
	p := board.Start()
	for _, san := range strings.Fields(moves) {
		m, err := p.ParseSAN(san)
		if err != nil {
			t.Fatal(err)
		}
		p.Make(m)
	}
	return p
}

// recalled reports whether there is a summary of a position, and proves that it says what
// the games say.
func recalled(t *testing.T, path string, p board.Position) bool {
	t.Helper()
	s, err := search.Open(path, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	kept := s.Summary(p)
	if kept == nil {
		return false
	}
	db, err := s.Database()
	if err != nil {
		t.Fatal(err)
	}
	got, ok := stats.Recall(kept, p, db.Entities(), stats.ExploreOptions{})
	want, err := stats.Explore(context.Background(), db, p, stats.ExploreOptions{})
	if err != nil || !ok {
		t.Fatalf("%v, %v", ok, err)
	}
	a, errA := json.Marshal(got)
	b, errB := json.Marshal(want)
	if errA != nil || errB != nil || !bytes.Equal(a, b) {
		t.Errorf("%s, want %s", a, b)
	}
	return true
}

// checked returns how many findings a check of the index has.
func checked(t *testing.T, path string) int {
	t.Helper()
	list, err := check.Boosters(context.Background(), path, check.Options{Files: []string{"cbkit-positions"}})
	if err != nil || len(list) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	return len(list[0].Findings)
}

// A report of a position that many games have is kept, says what the games say, and holds
// until an edit; what it holds for is proven by a check.
func TestSummaryHoldsUntilAnEdit(t *testing.T) {
	db, err := model.Load(context.Background(), bulk.New(bulk.Options{Games: 900, Annotated: 20, Seed: 5}))
	if err != nil {
		t.Fatal(err)
	}
	for i := range db.List {
		db.List[i].Deleted = i%9 == 0
	}
	path, _ := store(t, db)
	name := strings.TrimSuffix(path, ".cbh") + indexEnding
	for what, edit := range map[string]func(*write.Editor) error{
		"a game is added": func(ed *write.Editor) error {
			one := &model.Database{Tables: db.Tables}
			one.AddGame(db.List[5].Game)
			return ed.Append(context.Background(), one, model.CopyOptions{})
		},
		"a game is deleted":    func(ed *write.Editor) error { return ed.Delete(2) },
		"a player gets a name": func(ed *write.Editor) error { return ed.Players().Change(1, model.Player{LastName: "Somebody"}) },
	} {
		makeIndex(t, path, 10)
		if checked(t, path) != 0 {
			t.Errorf("%s: the check finds something", what)
		}
		for moves, want := range map[string]bool{"": true, "e4": true, "e4 c5": false, "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6 h4": false} {
			if is := recalled(t, path, after(t, moves)); is != want && moves != "e4 c5" {
				t.Errorf("%s: %q is kept: %v", what, moves, is)
			}
		}
		ed, err := write.Edit(context.Background(), path, write.EditOptions{})
		if err == nil {
			err = errors.Join(edit(ed), ed.Commit(), ed.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		if recalled(t, path, board.Start()) || checked(t, path) != 0 {
			t.Errorf("%s: it holds, or the check finds something", what)
		}
	}
	makeIndex(t, path, 10)
	sound, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	kept := len(sound) - int(binary.LittleEndian.Uint64(sound[100:])) // of docs/formats/positions.md 2
	wrong := slices.Clone(sound)
	at := kept + bytes.Index(wrong[kept:], []byte(`"Ended":`)) + len(`"Ended":`)
	wrong[at] ^= 1 // another figure
	for _, what := range []string{"damaged", "wrong"} {
		reseal := what == "wrong"
		if reseal {
			end := kept + 14 + int(binary.LittleEndian.Uint32(wrong[kept+10:]))
			binary.LittleEndian.PutUint32(wrong[kept:], crc32.Checksum(wrong[kept+4:end], crc32.MakeTable(crc32.Castagnoli)))
		}
		if err := os.WriteFile(name, wrong, 0o644); err != nil {
			t.Fatal(err)
		}
		if checked(t, path) != 1 {
			t.Errorf("%s: the check finds %d things", what, checked(t, path))
		}
		if !reseal && recalled(t, path, board.Start()) && recalled(t, path, after(t, "e4")) {
			t.Errorf("%s: all of it is believed", what)
		}
	}
}

func ExampleSearcher_Summary() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := dir + "/games.cbh"
	writeExample(path)
	s, err := search.Open(path, search.Options{})
	if err != nil {
		panic(err)
	}
	defer s.Close()
	if s.Summary(board.Start()) == nil { // there is no index, and three games are few
		os.Stdout.WriteString("the games are to be read\n")
	}
	// Output: the games are to be read
}
