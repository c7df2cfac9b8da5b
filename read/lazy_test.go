package read_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/write"
)

// counted are the files of a folder, with the bytes that were read of them.
type counted struct {
	fs.FS
	calls, bytes *atomic.Int64
	fails        *atomic.Bool // reading fails from now on
}

func count(dir string) counted {
	return counted{os.DirFS(dir), new(atomic.Int64), new(atomic.Int64), new(atomic.Bool)}
}

func (c counted) Open(name string) (fs.File, error) {
	f, err := c.FS.Open(name)
	if file, ok := f.(*os.File); ok {
		return countedFile{file, c}, err
	}
	return f, err
}

type countedFile struct {
	*os.File
	in counted
}

var errBroken = errors.New("the disk is broken")

func (f countedFile) ReadAt(b []byte, at int64) (int, error) {
	if f.in.fails.Load() && strings.HasSuffix(f.Name(), ".cbp") {
		return 0, errBroken
	}
	f.in.calls.Add(1)
	f.in.bytes.Add(int64(len(b)))
	return f.File.ReadAt(b, at)
}

var _ io.ReaderAt = countedFile{}

// pairings is a source of games in which everybody plays once, in a tournament for
// each pair.
type pairings struct {
	model.Source
	games    int
	entities model.Entities
}

func (p *pairings) Entities() *model.Entities { return &p.entities }
func (p *pairings) Count() int                { return p.games }
func (p *pairings) Leftover() *model.Leftover { return nil }
func (p *pairings) LegalMoves() bool          { return true }

func player(n int) model.Player { return model.Player{LastName: fmt.Sprint("Player ", n)} }

func (p *pairings) Records(context.Context, model.RecordID, model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		for i := range p.games {
			g := model.NewGame()
			g.White = p.entities.Players.Append(model.Slot[model.Player]{Value: player(2 * i)})
			g.Black = p.entities.Players.Append(model.Slot[model.Player]{Value: player(2*i + 1)})
			g.Tournament = p.entities.Tournaments.Append(model.Slot[model.Tournament]{Value: model.Tournament{Title: fmt.Sprint("T ", i)}})
			if !yield(model.Record{ID: model.RecordID(i + 1), Game: g}, nil) {
				return
			}
		}
	}
}

func (p *pairings) store(t testing.TB) (dir string) {
	t.Helper()
	dir = gen.Folder(t)
	sink := must.Get(write.Create(context.Background(), filepath.Join(dir, "db.cbh"), write.Options{}))(t)
	must.Do(t, model.Copy(t.Context(), sink, p, model.CopyOptions{}))
	return dir
}

// Opening reads as much of a database with 100,000 players and 50,000 tournaments
// as of one with ten.
func TestOpeningDoesNotGrow(t *testing.T) {
	many := 50_000
	if testing.Short() {
		many = 10_000
	}
	var calls, bytes [2]int64
	for i, games := range []int{5, many} {
		files := count((&pairings{games: games}).store(t))
		db := must.Get(read.OpenFS(files, "db.cbh", read.Options{}))(t)
		calls[i], bytes[i] = files.calls.Load(), files.bytes.Load()
		if n := db.Entities().Players.Len(); n != 2*games {
			t.Errorf("%d players", n)
		}
		db.Close()
	}
	if calls[0] != calls[1] || bytes[1] > bytes[0]+1<<10 {
		t.Errorf("opening reads %d bytes in %d calls of the small database, %d in %d of the large one", bytes[0], calls[0], bytes[1], calls[1])
	}
}

// A pass over headers that looks at every name keeps few of them, however many
// there are, and finds them right after they had to go.
func TestNamesDoNotStay(t *testing.T) {
	if testing.Short() {
		t.Skip("reads and writes 200,000 games")
	}
	const games = 200_000
	db := must.Get(read.Open(filepath.Join((&pairings{games: games}).store(t), "db.cbh"), read.Options{}))(t)
	defer db.Close()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	e := db.Entities()
	for rec := range must.All(t, db.Records(t.Context(), 1, model.WantHeaders)) {
		i, g := int(rec.ID)-1, rec.Game
		far := model.EntityID(i)
		if i%100 == 0 { // one that is not in the order of the file
			far = model.EntityID((i * 7919) % (2 * games))
		}
		if e.Players.Value(g.White) != player(2*i) || e.Players.Value(g.Black) != player(2*i+1) || e.Players.Value(far) != player(int(far)) {
			t.Fatalf("game %d: %v - %v", rec.ID, e.Players.Value(g.White), e.Players.Value(g.Black))
		}
		if rec.ID == games {
			runtime.GC()
			runtime.ReadMemStats(&after)
		}
	}
	// Not all of 400,000 players, and less than 64 MiB with what is to be collected.
	if kept := int64(after.HeapAlloc) - int64(before.HeapAlloc); kept > 28<<20 {
		t.Errorf("%d bytes are kept", kept)
	}
	if err := e.Err(); err != nil {
		t.Error(err)
	}
}

// Names that cannot be read when they are needed are an error at the end of the
// pass at the latest, and of every sink.
func TestNamesThatCannotBeRead(t *testing.T) {
	dir := filepath.Dir(newDatabase(t, 300))
	open := func() (read.Database, counted) {
		files := count(dir)
		db := must.Get(read.OpenFS(files, "db.cbh", read.Options{}))(t)
		t.Cleanup(func() { db.Close() })
		return db, files
	}
	for _, jobs := range []model.Want{model.WantHeaders, model.WantMoves} {
		db, files := open()
		files.fails.Store(true)
		var last error
		for rec, err := range db.Records(t.Context(), 1, jobs) {
			if last = err; rec.ID == 301 {
				db.Entities().Players.Value(7)
			}
		}
		if !errors.Is(last, errBroken) || !errors.Is(db.Entities().Err(), errBroken) {
			t.Errorf("errors %v and %v", last, db.Entities().Err())
		}
	}
	db, files := open()
	files.fails.Store(true)
	for range db.Entities().Players.Live() {
		t.Error("a player is listed")
	}
	if err := db.Entities().Err(); !errors.Is(err, errBroken) {
		t.Errorf("listing: error %v", err)
	}
	for name, sink := range map[string]model.Sink{
		"PGN":    pgn.NewWriter(io.Discard, pgn.WriterOptions{AcceptLosses: true}),
		"JSON":   jsonl.NewWriter(io.Discard, jsonl.WriterOptions{AcceptLosses: true}),
		"create": must.Get(write.Create(context.Background(), filepath.Join(gen.Folder(t), "db.cbh"), write.Options{AcceptLosses: true}))(t),
	} {
		db, files := open()
		files.fails.Store(true)
		if err := model.Copy(t.Context(), sink, db, model.CopyOptions{}); !errors.Is(err, errBroken) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// The views of headers say what the records say.
func TestHeaders(t *testing.T) {
	for _, path := range []string{newDatabase(t, 5000), corpus.Path(t, "cbh/hedgehog/Hedgehog.cbh"), corpus.Path(t, "cbh/mate2/Mate2.cbh")} {
		db := must.Get(read.Open(path, read.Options{}))(t)
		defer db.Close()
		var records []model.Record
		for rec := range must.All(t, db.Records(t.Context(), 3, model.WantMoves)) {
			records = append(records, rec.Clone())
		}
		n := 0
		for h := range must.All(t, db.(*read.ChessBase).Headers(t.Context(), 3)) {
			rec := records[n]
			n++
			if h.ID != rec.ID || h.IsText() != (rec.Text != nil) || h.IsDeleted() != rec.Deleted {
				t.Fatalf("record %d: %+v", rec.ID, h)
			}
			if h.IsText() {
				if h.Tournament() != rec.Text.Tournament || h.White() != model.NoEntity || h.Result() != model.NoResult || h.Date() != (model.Date{}) {
					t.Errorf("text %d", rec.ID)
				}
				continue
			}
			var got model.Header
			if err := h.Game(&got); err != nil || !reflect.DeepEqual(got, rec.Game.Header) {
				t.Errorf("game %d: %+v, %v", rec.ID, got, err)
			}
		}
		if n != len(records) {
			t.Errorf("%d headers of %d", n, len(records))
		}
	}
}

// Passing over headers, and looking up names that are in memory, allocates nothing
// for a record.
func TestHeaderAllocations(t *testing.T) {
	db := must.Get(read.Open(newDatabase(t, 5000), read.Options{}))(t)
	defer db.Close()
	players := &db.Entities().Players
	for name, pass := range map[string]func(){
		"records": func() {
			for rec := range db.Records(t.Context(), 1, model.WantHeaders) {
				if rec.Game != nil {
					players.Value(rec.Game.White)
				}
			}
		},
		"views": func() {
			for h := range db.(*read.ChessBase).Headers(t.Context(), 1) {
				players.Value(h.White())
			}
		},
	} {
		pass()
		if n := testing.AllocsPerRun(3, pass); n > 100 {
			t.Errorf("%s: %v allocations for 5,001 records", name, n)
		}
	}
}

// Entities that are listed are those that are looked up, without deleted ones.
func TestLiveEntities(t *testing.T) {
	for _, path := range []string{newDatabase(t, 5000), copied(t, "twic1134"), copied(t, "hedgehog")} {
		players := strings.TrimSuffix(path, ".cbh") + ".cbp"
		deleteSecond(t, players)
		db := must.Get(read.Open(path, read.Options{}))(t)
		defer db.Close()
		e := db.Entities()
		if !e.Players.IsDeleted(1) {
			t.Errorf("%s: no player is deleted", path)
		}
		sameLive(t, "players", &e.Players)
		sameLive(t, "tournaments", &e.Tournaments)
		sameLive(t, "annotators", &e.Annotators)
		sameLive(t, "sources", &e.Sources)
		sameLive(t, "teams", &e.Teams)
		sameLive(t, "game titles", &e.GameTitles)
	}
}

// deleteSecond marks the second record of a player file, which is the test's own, as
// deleted.
func deleteSecond(t *testing.T, path string) {
	t.Helper()
	f := must.Get(os.OpenFile(path, os.O_RDWR, 0))(t)
	_, err := f.WriteAt([]byte{0x19, 0xFC, 0xFF, 0xFF}, 28+4+67) // -999
	must.Do(t, err, f.Close())
}

func sameLive[T comparable](t *testing.T, what string, table *model.Table[T]) {
	t.Helper()
	next := model.EntityID(0)
	skip := func(to model.EntityID) {
		for ; next < to; next++ {
			if !table.IsDeleted(next) {
				t.Errorf("%s: %d is left out", what, next)
			}
		}
	}
	for id, v := range table.Live() {
		skip(id)
		if next++; v != table.Value(id) || table.IsDeleted(id) {
			t.Errorf("%s: %d is %v, not %v", what, id, v, table.Value(id))
		}
	}
	skip(model.EntityID(table.Len()))
	for range table.Live() {
		break
	}
	if err := table.Err(); err != nil {
		t.Error(err)
	}
}

// Opening a database and listing its players allocates for files and for runs of
// entities, not for each.
func TestListingAllocations(t *testing.T) {
	path := corpus.Path(t, "cbh/twic1134/twic1134.cbh")
	open := func(list bool) func() {
		return func() {
			db := must.Get(read.Open(path, read.Options{}))(t)
			defer db.Close()
			if !list {
				return
			}
			n := 0
			for range db.Entities().Players.Live() {
				n++
			}
			if n != 2737 {
				t.Fatalf("%d players", n)
			}
		}
	}
	opening := testing.AllocsPerRun(10, open(false))
	listing := testing.AllocsPerRun(10, open(true)) - opening
	if opening > 400 || listing > 60 {
		t.Errorf("%v allocations for opening, %v for listing", opening, listing)
	}
}
