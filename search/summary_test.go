package search_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"cbkit/board"
	"cbkit/check"
	"cbkit/internal/posindex"
	"cbkit/internal/testkit/bulk"
	"cbkit/internal/testkit/must"
	"cbkit/internal/testkit/seeds"
	"cbkit/model"
	"cbkit/search"
	"cbkit/stats"
	"cbkit/write"

	"pgregory.net/rapid"
)

// after returns the position behind some moves.
func after(t testing.TB, moves string) board.Position {
	t.Helper()
	p := board.Start()
	for _, san := range strings.Fields(moves) {
		m := must.Get(p.ParseSAN(san))(t)
		p.Make(m)
	}
	return p
}

// recalled reports whether a report of a position was made of what the index keeps, and
// proves that it says what the games say, as any other one does.
func recalled(t testing.TB, path string, p board.Position) bool {
	t.Helper()
	s := must.Get(search.Open(path, search.Options{}))(t)
	defer s.Close()
	db := must.Get(s.Database())(t)
	opt := stats.ExploreOptions{Options: stats.Options{OnError: func(model.RecordID, error) error { return nil }}}
	want := must.Get(stats.Explore(context.Background(), db, p, opt))(t)
	got, found, err := s.Report(context.Background(), p, nil, opt)
	if err != nil || got == nil && found.Plan.Records == 0 {
		t.Fatal(err)
	}
	if got != nil && !reflect.DeepEqual(got, want) {
		a, _ := json.Marshal(got)
		b, _ := json.Marshal(want)
		t.Fatalf("%s, want %s", a, b)
	}
	return found.Plan.Records == 0
}

// checked returns how many findings a check of the index has.
func checked(t *testing.T, path string) int {
	t.Helper()
	ending := "cbkit-positions" + strings.TrimSuffix(strings.TrimPrefix(filepath.Ext(path), "."), "cbh")
	list, err := check.Boosters(context.Background(), path, check.Options{Files: []string{ending}})
	if err != nil || len(list) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	return len(list[0].Findings)
}

// A report of a position that many games have is kept, and says what the games say after
// edits too; what it holds for is proven by a check.
func TestSummaryHoldsThroughEdits(t *testing.T) {
	db := must.Get(model.Load(context.Background(), bulk.New(bulk.Options{Games: 900, Annotated: 20, Seed: 5})))(t)
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
		ed := must.Get(write.Edit(context.Background(), path, write.EditOptions{}))(t)
		must.Do(t, errors.Join(edit(ed), ed.Commit(), ed.Close()))
		if !recalled(t, path, board.Start()) || !recalled(t, path, after(t, "e4")) || checked(t, path) != 0 {
			t.Errorf("%s: it does not hold, or the check finds something", what)
		}
	}
	makeIndex(t, path, 10)
	sound := must.Get(os.ReadFile(name))(t)
	kept := len(sound) - int(binary.LittleEndian.Uint64(sound[96:])) // of docs/formats/positions.md 2
	wrong := slices.Clone(sound)
	at := kept + bytes.Index(wrong[kept:], []byte(`"Ended":`)) + len(`"Ended":`)
	wrong[at] ^= 1 // another figure
	for _, what := range []string{"damaged", "wrong"} {
		reseal := what == "wrong"
		if reseal {
			end := kept + 8 + int(binary.LittleEndian.Uint32(wrong[kept+4:]))
			binary.LittleEndian.PutUint32(wrong[kept:], crc32.Checksum(wrong[kept+4:end], crc32.MakeTable(crc32.Castagnoli)))
		}
		must.Do(t, os.WriteFile(name, wrong, 0o644))
		if checked(t, path) != 1 {
			t.Errorf("%s: the check finds %d things", what, checked(t, path))
		}
		if !reseal && recalled(t, path, board.Start()) && recalled(t, path, after(t, "e4")) {
			t.Errorf("%s: all of it is believed", what)
		}
	}
}

// Reports say what the games say after random edits, whether the index keeps changes or
// makes segments of them, and so does a search for games that are not deleted.
func TestReportsAfterRandomEdits(t *testing.T) {
	room, fewest := posindex.MostChanged, posindex.FewestSummarized
	defer func() { posindex.MostChanged, posindex.FewestSummarized = room, fewest }()
	posindex.FewestSummarized = 8
	told, edits := 0, 12
	if testing.Short() {
		edits = 1
	} else if !seeds.InCI {
		edits = 6
	}
	for seed := range 3 {
		r := rand.New(rand.NewPCG(uint64(seed), 11))
		posindex.MostChanged = []int64{room, 12000, 60000}[seed]
		db := rapid.Custom(mixedDatabase).Example(seed)
		path, _ := store(t, db)
		makeIndex(t, path, 12)
		asked := []board.Position{board.Start(), after(t, "e4"), after(t, "e4 c5"), after(t, "d4 Nf6"), after(t, "d4"), after(t, "e4 e5 Nf3")}
		for n := range edits {
			ed := must.Get(write.Edit(context.Background(), path, write.EditOptions{AcceptLosses: true}))(t)
			for range 1 + r.IntN(4) {
				must.Do(t, editAtRandom(ed, db, r))
			}
			must.Do(t, ed.Commit(), ed.Close())
			for _, p := range asked {
				if recalled(t, path, p) {
					told++
				}
				with := must.Get(search.Open(path, search.Options{Warn: func(err error) { t.Error(err) }}))(t)
				alive := search.And(search.Reached(p), search.Not(search.Deleted()))
				count := must.Get(with.Count(context.Background(), alive))(t)
				if want := find(t, path, alive, search.Options{NoBoosters: true}); !slices.Equal(count.IDs, want.IDs) || len(count.Plan.Boosters) == 0 {
					t.Fatalf("edit %d: %v, want %v", n, count.IDs, want.IDs)
				}
				with.Close()
			}
			if checked(t, path) != 0 {
				t.Fatalf("edit %d: the check finds something", n)
			}
		}
	}
	if t.Logf("%d reports were recalled", told); told < 3*edits {
		t.Errorf("only %d reports were recalled", told)
	}
}

// A report is the same of positions that the beginnings of games do not reach, or not far
// enough, of few games or one.
func TestReportsOfDeepPositions(t *testing.T) {
	fewest := posindex.FewestSummarized
	defer func() { posindex.FewestSummarized = fewest }()
	posindex.FewestSummarized = 1
	db := must.Get(model.Load(context.Background(), bulk.New(bulk.Options{Games: 25, Annotated: 20, Seed: 3})))(t)
	path, _ := store(t, db)
	paths := []string{beside(t, path, db), path}
	if testing.Short() {
		paths = paths[:1]
	}
	for _, path := range paths {
		makeIndex(t, path, 300)
		told := 0
		for i, ply := range []int{3, 17, 19, 20, 21, 25, 31, 32, 33, 45, 60} {
			if list := positionsOf(db.List[2*i].Game); ply < len(list) && recalled(t, path, list[ply]) {
				told++
			}
		}
		if told < 8 || checked(t, path) != 0 {
			t.Errorf("%d reports were recalled", told)
		}
	}
}

// editAtRandom changes a record of a database, or adds one like another database's.
func editAtRandom(ed *write.Editor, db *model.Database, r *rand.Rand) error {
	id := model.RecordID(1 + r.IntN(ed.Count()))
	like := db.List[r.IntN(len(db.List))]
	h, err := ed.Header(id)
	isText := err != nil
	switch kind := r.IntN(8); {
	case kind == 0:
		return ed.Delete(id)
	case kind == 1:
		return ed.Undelete(id)
	case kind == 2:
		_, err := ed.Add(like, db.Entities())
		return err
	case isText || like.Game == nil:
		return nil
	case kind == 3:
		h.WhiteElo, h.BlackElo, h.Result = like.Game.WhiteElo, uint16(r.IntN(2900)), like.Game.Result
		return ed.SetHeader(id, h, nil)
	case kind == 4:
		h.Date = like.Game.Date
		h.White, h.Black = h.Black, h.White
		return ed.SetHeader(id, h, nil)
	case kind == 5:
		if h.White < 0 || h.Black < 0 || h.White == h.Black {
			return nil
		}
		return ed.Players().Merge(h.White, h.Black)
	}
	return ed.Replace(id, model.Record{Game: like.Game}, db.Entities())
}

func ExampleSearcher_Report() {
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
	report, _, err := s.Report(context.Background(), board.Start(), nil, stats.ExploreOptions{})
	if err == nil && report == nil { // all games have the position
		os.Stdout.WriteString("the games are to be read\n")
	}
	// Output: the games are to be read
}

// movesRead are files that count what is read of moves.
type movesRead struct {
	fs.FS
	bytes *atomic.Int64
}

func (m movesRead) Open(name string) (fs.File, error) {
	f, err := m.FS.Open(name)
	if file, ok := f.(*os.File); ok && strings.HasSuffix(name, ".cbg") {
		return movesFile{file, m.bytes}, err
	}
	return f, err
}

type movesFile struct {
	*os.File
	bytes *atomic.Int64
}

func (f movesFile) ReadAt(b []byte, at int64) (int, error) {
	f.bytes.Add(int64(len(b)))
	return f.File.ReadAt(b, at)
}

// A report reads no game if neither the index nor a search booster holds that rules games
// out: whoever asked reads all of them. Of an index that does not hold one warning tells.
func TestReportReadsNothingInVain(t *testing.T) {
	db := must.Get(model.Load(context.Background(), bulk.New(bulk.Options{Games: 900, Annotated: 20, Seed: 5})))(t)
	path, files := store(t, db)
	makeIndex(t, path, 40)
	ending := func(ext string) string { return strings.TrimSuffix(path, ".cbh") + ext }
	sound := must.Get(os.ReadFile(ending(indexEnding)))(t)
	blocks := slices.Clone(sound)
	for at := 4096; at+2000 < len(blocks); at += 4096 {
		blocks[at+2000] ^= 1
	}
	cut, seal := sound[:len(sound)-1], files[".cbkit"]
	games := positionsOf(db.List[0].Game)
	late := games[len(games)-1]
	for _, c := range []struct {
		what        string
		index, seal []byte
		p           board.Position
		where       search.Condition
		warnings    int
		reports     bool
	}{
		{"sound", sound, nil, late, nil, 0, true},
		{"blocks that are damaged", blocks, nil, board.Start(), nil, 1, false},
		{"blocks that are damaged, others asked too", blocks, nil, late, search.Not(search.Deleted()), 1, false},
		{"cut", cut, nil, late, nil, 1, false},
		{"cut, but the booster rules games out", cut, seal, late, nil, 1, true},
		{"cut, and the booster rules none out", cut, seal, after(t, "e4 c5"), nil, 1, false},
		{"no index, but the booster", nil, seal, late, nil, 0, true},
		{"no index, and a booster that is not sealed", nil, nil, late, nil, 0, false},
	} {
		for ext, content := range map[string][]byte{indexEnding: c.index, ".cbkit": c.seal} {
			err := os.WriteFile(ending(ext), content, 0o644)
			if content == nil {
				err = os.Remove(ending(ext))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		counted := movesRead{os.DirFS(filepath.Dir(path)), new(atomic.Int64)}
		warned := 0
		s := must.Get(search.Open(filepath.Base(path), search.Options{FS: counted, Warn: func(error) { warned++ }}))(t)
		report, found, err := s.Report(context.Background(), c.p, c.where, stats.ExploreOptions{})
		if err != nil || warned != c.warnings || (report != nil) != c.reports {
			t.Errorf("%s: %v, %v, %d warnings", c.what, report, err, warned)
		}
		if n := counted.bytes.Load(); !c.reports && (n > 0 || found.Plan.Records != 0) || c.reports && n == 0 {
			t.Errorf("%s: %d bytes of moves were read, %d records", c.what, n, found.Plan.Records)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
