package write

import (
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"cbkit/board"
	"cbkit/internal/cbh"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"

	"github.com/google/go-cmp/cmp"
)

// salvageGames is how many records the database has that is damaged.
const salvageGames = 60

// salvageOriginal are the files of a database by their endings, and its records.
var salvageOriginal = sync.OnceValues(func() (map[string][]byte, *model.Database) {
	db := salvageDatabase(rand.New(rand.NewPCG(13, 1)), salvageGames)
	dir, err := os.MkdirTemp("", "salvage")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	sink, err := Create(context.Background(), filepath.Join(dir, "games.cbh"), Options{Now: crashClock, AcceptLosses: true})
	if err == nil {
		err = model.Copy(context.Background(), sink, db, model.CopyOptions{})
	}
	if err != nil {
		panic(err)
	}
	files := map[string][]byte{}
	list, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, name := range list {
		if files[filepath.Ext(name)], err = os.ReadFile(name); err != nil {
			panic(err)
		}
	}
	return files, db
})

// salvageDatabase returns n games of random moves with names of their own, some of
// them with variations and annotations, some deleted, and a few texts.
func salvageDatabase(r *rand.Rand, n int) *model.Database {
	db := &model.Database{}
	for id := 1; id <= n; id++ {
		if id%17 == 0 {
			text := model.NewGuidingText()
			text.Titles = []model.LocalText{{Language: model.English, Text: fmt.Sprint("Report ", id)}}
			text.Contents = []model.LocalText{{Language: model.English, Text: strings.Repeat("All about it. ", id)}}
			db.AddText(text)
			continue
		}
		g := &model.Game{Header: model.NewHeader()}
		g.White = db.Tables.Players.Intern(model.Player{LastName: fmt.Sprint("White ", id)})
		g.Black = db.Tables.Players.Intern(model.Player{LastName: fmt.Sprint("Black ", id%7)})
		g.Tournament = db.Tables.Tournaments.Intern(model.Tournament{Title: fmt.Sprint("Event ", id%5), Start: model.Date{Year: 1990}})
		g.Annotator = db.Tables.Annotators.Intern(model.Annotator{Name: "Nunn"})
		g.WhiteTeam = db.Tables.Teams.Intern(model.Team{Title: fmt.Sprint("Team ", id%3)})
		g.Result, g.Date, g.WhiteElo = model.WhiteWins, model.Date{Year: uint16(1900 + id)}, uint16(2000+id)
		b := new(model.TreeBuilder)
		plies := 3 + r.IntN(70)
		if id%10 == 5 {
			plies = 700 // more bytes than are looked at first
		}
		randomLine(r, b, model.NoNode, board.Start(), plies)
		b.Build(&g.Moves)
		if id%3 == 0 {
			g.Annotate(1, model.Text{Text: fmt.Sprint("comment ", id)})
			g.Annotate(2, model.Symbols{Move: model.NAG(1 + id%5)})
		}
		db.AddGame(g)
		db.List[id-1].Deleted = id%19 == 0
	}
	return db
}

// randomLine adds random moves behind a node, and now and then a variation.
func randomLine(r *rand.Rand, b *model.TreeBuilder, parent int, pos board.Position, plies int) {
	for ply := range plies {
		moves := pos.AppendLegal(nil)
		if len(moves) == 0 {
			return
		}
		m := moves[r.IntN(len(moves))]
		if ply > 2 && r.IntN(40) == 0 {
			if other := moves[r.IntN(len(moves))]; other != m {
				next := pos
				next.Make(other)
				at := b.Add(parent, m)
				randomLine(r, b, b.Add(parent, other), next, 3)
				parent = at
				pos.Make(m)
				continue
			}
		}
		parent = b.Add(parent, m)
		pos.Make(m)
	}
}

// salvageDamage damages files, and says how.
func salvageDamage(r *rand.Rand, files map[string][]byte) (how string) {
	names := slices.Sorted(maps.Keys(files))
	large := []string{".cbh", ".cbg", ".cba", ".cbp", ".cbj", ".cbg"}
	for range 1 + r.IntN(3) {
		name := large[r.IntN(len(large))]
		if r.IntN(3) == 0 {
			name = names[r.IntN(len(names))]
		}
		b := files[name]
		if len(b) < 2 {
			continue
		}
		at, n := r.IntN(len(b)), 1+r.IntN(min(len(b)/2, 400))
		switch kind := r.IntN(10); {
		case kind < 4:
			for range 1 + r.IntN(4) {
				b[r.IntN(len(b))] ^= 1 << r.IntN(8)
			}
			how += fmt.Sprintf("%s: bits flipped; ", name)
		case kind < 6:
			clear(b[at:min(at+n, len(b))])
			how += fmt.Sprintf("%s: %d zeros at %d; ", name, n, at)
		case kind < 7:
			files[name] = b[:at]
			how += fmt.Sprintf("%s: cut at %d; ", name, at)
		case kind < 9:
			one, other := r.IntN(len(b)-n+1), r.IntN(len(b)-n+1)
			kept := slices.Clone(b[one : one+n])
			copy(b[one:], b[other:other+n])
			copy(b[other:], kept)
			how += fmt.Sprintf("%s: %d bytes at %d and %d swapped; ", name, n, one, other)
		default:
			delete(files, name)
			how += name + ": missing; "
		}
	}
	return how
}

var salvageRuns = flag.Int("salvage.runs", 200, "how many damaged databases TestSalvage saves")

// TestSalvage damages a database in a thousand ways: every game whose moves are
// intact comes out with them, with its names where those are intact, and the
// account has every id.
func TestSalvage(t *testing.T) {
	runs := *salvageRuns
	if testing.Short() {
		runs = min(runs, 20)
	}
	states := map[string]int{}
	for seed := range runs {
		sound, original := salvageOriginal()
		files := map[string][]byte{}
		for ext, b := range sound {
			files[ext] = slices.Clone(b)
		}
		how := salvageDamage(rand.New(rand.NewPCG(uint64(seed), 13)), files)
		if len(files) == 0 {
			continue
		}
		s := salvaged(t, files)
		where := fmt.Sprintf("seed %d: %s", seed, how)
		if files[".cbg"] == nil && files[".cbh"] == nil && errors.Is(s.err, model.ErrNotDatabase) {
			continue // nothing is left
		}
		if s.err != nil {
			t.Errorf("%s: %v", where, s.err)
			continue
		}
		if wrong := s.account(files); wrong != "" {
			t.Errorf("%s: %s", where, wrong)
		}
		for _, f := range s.fates {
			states[string(f.State)]++
		}
		if missing := s.missing(sound, files, original); len(missing) > 0 {
			t.Errorf("%s: %s", where, strings.Join(missing, "; "))
		}
	}
	t.Logf("%v", states)
}

// salvageRun is one salvage and what came of it.
type salvageRun struct {
	err    error
	result SalvageResult
	fates  map[model.RecordID]Salvaged
	out    *model.Database
}

// account says what is wrong with the account, nothing if it has every id and every
// record of the new database once.
func (s *salvageRun) account(files map[string][]byte) string {
	if whole := len(files[".cbh"])/cbh.RecordSize - 1; s.result.IDs < whole {
		return fmt.Sprintf("%d ids, but there are %d headers", s.result.IDs, whole)
	}
	for id := range s.result.IDs + s.result.Found {
		if _, known := s.fates[model.RecordID(id+1)]; !known {
			return fmt.Sprintf("the account has no %d", id+1)
		}
	}
	used := map[model.RecordID]bool{}
	for id, f := range s.fates {
		if (f.New == 0) != (f.State == SalvageLost) || f.New != 0 && used[f.New] || (len(f.Why) == 0) != (f.State == SalvageKept) {
			return fmt.Sprintf("the fate of %d is %+v", id, f)
		}
		used[f.New] = true
	}
	if r := s.result; len(s.out.List) != r.Written || r.Kept+r.Cut+r.Found != r.Written || r.Kept+r.Cut+r.Lost != r.IDs {
		return fmt.Sprintf("%d records, %+v", len(s.out.List), r)
	}
	return ""
}

// salvaged salvages files.
func salvaged(t *testing.T, files map[string][]byte) salvageRun {
	t.Helper()
	dir := must.Get(os.MkdirTemp("", "salvage"))(t)
	defer os.RemoveAll(dir)
	path := ""
	for ext, b := range files {
		path = filepath.Join(dir, "games"+ext)
		must.Do(t, os.WriteFile(path, b, 0o644))
	}
	s := salvageRun{fates: map[model.RecordID]Salvaged{}}
	disk := crashfs.New() // in memory, where nothing waits for a disk
	s.result, s.err = Salvage(t.Context(), path, "out.cbh", SalvageOptions{Now: crashClock, files: disk, Account: func(f Salvaged) {
		if _, known := s.fates[f.ID]; known {
			t.Errorf("%d is told of twice", f.ID)
		}
		s.fates[f.ID] = f
	}})
	if s.err == nil {
		s.out = loadedFrom(t, disk)
	}
	return s
}

// loadedFrom reads everything of a database on a disk in memory.
func loadedFrom(t *testing.T, disk *crashfs.FS) *model.Database {
	t.Helper()
	files := fstest.MapFS{}
	for name, b := range disk.Files() {
		files[name] = &fstest.MapFile{Data: b}
	}
	db := must.Get(read.OpenFS(files, "out.cbh", read.Options{}))(t)
	defer db.Close()
	must.Do(t, db.Preflight(t.Context()))
	return must.Get(model.Load(t.Context(), db))(t)
}

// missing lists what should have come out and did not.
func (s *salvageRun) missing(sound, files map[string][]byte, original *model.Database) (list []string) {
	for i, rec := range original.List {
		id := model.RecordID(i + 1)
		if !sameRange(sound[".cbg"], files[".cbg"], movesRange(sound, id)) {
			continue
		}
		out := s.withMoves(rec)
		if len(out) == 0 {
			list = append(list, fmt.Sprintf("the moves of %d are intact and missing (%v)", id, s.fates[id]))
			continue
		}
		if rec.Game == nil || !s.namesIntact(sound, files, id, rec.Game) {
			continue
		}
		want := rec.Game.Resolve(&original.Tables)
		if !slices.ContainsFunc(out, func(r model.Record) bool {
			got := r.Game.Resolve(&s.out.Tables)
			if part := notesRange(sound, id); sameRange(sound[".cba"], files[".cba"], part) && !cmp.Equal(got.Annotations, want.Annotations) {
				return false
			}
			return got.White == want.White && got.Black == want.Black && got.Date == want.Date && got.Result == want.Result
		}) {
			list = append(list, fmt.Sprintf("the names of %d are intact and missing (%v)", id, s.fates[id]))
		}
	}
	return list
}

// withMoves returns the records that have the moves, or the text, of another.
func (s *salvageRun) withMoves(rec model.Record) (list []model.Record) {
	for _, r := range s.out.List {
		switch {
		case rec.Game != nil && r.Game != nil && slices.Equal(rec.Game.Moves.Nodes(), r.Game.Moves.Nodes()),
			rec.Text != nil && r.Text != nil && slices.Equal(rec.Text.Contents, r.Text.Contents):
			list = append(list, r)
		}
	}
	return list
}

// movesRange is where the moves of a record lie.
func movesRange(files map[string][]byte, id model.RecordID) [2]int {
	head := files[".cbh"][int(id)*cbh.RecordSize:]
	at := int(binary.BigEndian.Uint32(head[1:]))
	b := files[".cbg"][at:]
	return [2]int{at, at + int(b[1])<<16 + int(b[2])<<8 + int(b[3])}
}

// notesRange is where the annotations of a game lie; those it has not lie nowhere.
func notesRange(files map[string][]byte, id model.RecordID) [2]int {
	at := binary.BigEndian.Uint32(files[".cbh"][int(id)*cbh.RecordSize+5:])
	if at == 0 {
		return [2]int{}
	}
	return [2]int{int(at), int(at + binary.BigEndian.Uint32(files[".cba"][at+10:]))}
}

// sameRange reports whether a part of a file is what it was.
func sameRange(was, is []byte, part [2]int) bool {
	return part[1] <= len(is) && slices.Equal(was[part[0]:part[1]], is[part[0]:part[1]])
}

// namesIntact reports whether the header of a game and its players are what they
// were.
func (s *salvageRun) namesIntact(sound, files map[string][]byte, id model.RecordID, g *model.Game) bool {
	at := int(id) * cbh.RecordSize
	if !sameRange(sound[".cbh"], files[".cbh"], [2]int{at, at + cbh.RecordSize}) {
		return false
	}
	players := &cbh.Players.EntityFile
	if !sameRange(sound[players.Ext], files[players.Ext], [2]int{0, cbh.EntityHeaderSize + 4}) {
		return false // where the records begin
	}
	for _, player := range []model.EntityID{g.White, g.Black} {
		at := cbh.EntityHeaderSize + 4 + int(player)*players.RecordSize()
		if !sameRange(sound[players.Ext], files[players.Ext], [2]int{at, at + players.RecordSize()}) {
			return false
		}
	}
	return true
}

// TestSalvageOfSound: of a database without damage all comes out as it is.
func TestSalvageOfSound(t *testing.T) {
	files, original := salvageOriginal()
	s := salvaged(t, files)
	if s.err != nil || !s.result.IsWhole() || s.result.Kept != salvageGames {
		t.Fatalf("%+v, %v", s.result, s.err)
	}
	for i, rec := range original.List {
		if !model.EqualRecords(rec, &original.Tables, s.out.List[i], &s.out.Tables) {
			t.Errorf("record %d is not what it was", i+1)
		}
	}
}

// TestSalvageTwice: a second salvage, at another time, gives the same bytes.
func TestSalvageTwice(t *testing.T) {
	sound, _ := salvageOriginal()
	dir := gen.Folder(t)
	for ext, b := range sound {
		if ext == ".cbh" || ext == ".cbj" {
			continue // the games have lost their stamps
		}
		must.Do(t, os.WriteFile(filepath.Join(dir, "games"+ext), b, 0o644))
	}
	var disks [2]*crashfs.FS
	for i := range disks {
		if disks[i] = crashfs.New(); i > 0 {
			time.Sleep(50 * time.Millisecond)
		}
		must.Get(Salvage(t.Context(), filepath.Join(dir, "games.cbg"), "out.cbh", SalvageOptions{files: disks[i]}))(t)
	}
	if one, other := disks[0].Files(), disks[1].Files(); !crashfs.Same(one, other) {
		t.Error("the second salvage gives other bytes")
	}
}

// FuzzSalvage replaces one file of a database by anything: there is no panic, and
// what comes out can be read.
func FuzzSalvage(f *testing.F) {
	sound, _ := salvageOriginal()
	names := slices.Sorted(maps.Keys(sound))
	for i, name := range names {
		f.Add(uint8(i), sound[name][:min(len(sound[name]), 500)])
	}
	f.Fuzz(func(t *testing.T, which uint8, content []byte) {
		files := maps.Clone(sound)
		files[names[int(which)%len(names)]] = content
		if s := salvaged(t, files); s.err != nil {
			t.Errorf("%v", s.err)
		}
	})
}

// TestSalvageOfRealDatabases: of what ChessBase wrote all comes out as it is; where
// the file with the moves is missing, names and annotations of the game as a whole.
func TestSalvageOfRealDatabases(t *testing.T) {
	for _, name := range []string{"hedgehog/Hedgehog", "mate2/Mate2", "cbh_test/cbh_test", "cbh_cbj_test/cbh_cbj_test", "small/small", "twic1134/twic1134", "world-ch/World-ch"} {
		if testing.Short() && strings.HasPrefix(name, "twic") {
			continue
		}
		path, disk, wrong := corpus.Path(t, "cbh/"+name+".cbh"), crashfs.New(), 0
		r, err := Salvage(t.Context(), path, "out.cbh", SalvageOptions{Now: crashClock, files: disk, Account: func(f Salvaged) {
			if wrong += len(f.Why); wrong > 0 && wrong < 5 && !strings.HasPrefix(name, "world") {
				t.Errorf("%s: %+v", name, f)
			}
		}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if strings.HasPrefix(name, "world") {
			if r.Cut != 1025 || r.Lost != 13 || r.Written != 1025 {
				t.Errorf("%s: %+v", name, r)
			}
			continue
		}
		db := must.Get(read.Open(path, read.Options{}))(t)
		was := must.Get(model.Load(t.Context(), db))(t)
		is := loadedFrom(t, disk)
		if !r.IsWhole() || len(is.List) != len(was.List) {
			t.Errorf("%s: %+v", name, r)
			continue
		}
		for i := range was.List {
			if !model.EqualRecords(was.List[i], &was.Tables, is.List[i], &is.Tables) {
				t.Errorf("%s: record %d is not what it was", name, i+1)
			}
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}
