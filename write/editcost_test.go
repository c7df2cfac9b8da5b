package write

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"strings"
	"sync"
	"testing"

	"cbkit/internal/fsys"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/must"
	"cbkit/internal/testkit/seeds"
	"cbkit/model"
)

// largeDatabase is a source of many small games of many players, in no memory but
// that of the names.
type largeDatabase struct {
	model.Database
	games int
}

// scrambled returns a number that looks like chance.
func scrambled(i int) uint32 {
	x := uint32(i) * 0x9E3779B1
	x ^= x >> 15
	x *= 0x85EBCA77
	return x ^ x>>13
}

// nameOfNumber makes a name of letters.
func nameOfNumber(n int) string {
	var b strings.Builder
	for x := scrambled(n); b.Len() < 7; x /= 26 {
		b.WriteByte(byte('a' + x%26))
	}
	return strings.ToUpper(b.String()[:1]) + b.String()[1:] + fmt.Sprint(n)
}

// newLargeDatabase returns a source of games by as many players as given, and a
// fifth of that of everything else that has names.
func newLargeDatabase(games, players int) *largeDatabase {
	db := &largeDatabase{games: games}
	for i := range players {
		db.Tables.Players.Append(model.Slot[model.Player]{Value: model.Player{LastName: nameOfNumber(i), FirstName: "A"}})
	}
	for i := range players / 5 {
		year := uint16(1900 + i%100)
		db.Tables.Tournaments.Append(model.Slot[model.Tournament]{Value: model.Tournament{Title: nameOfNumber(i), Start: model.Date{Year: year}}})
		db.Tables.Annotators.Append(model.Slot[model.Annotator]{Value: model.Annotator{Name: nameOfNumber(i)}})
		db.Tables.Sources.Append(model.Slot[model.Publication]{Value: model.Publication{Title: nameOfNumber(i)}})
	}
	return db
}

// game makes the game of a number. The first ones bring the names one after the
// other, so that no game behind them is the first one of anybody.
func (db *largeDatabase) game(i int) *model.Game {
	pick := func(n, salt int) model.EntityID {
		if i < n {
			return model.EntityID(i)
		}
		return model.EntityID(scrambled(i+salt) % uint32(n))
	}
	g := &model.Game{Header: model.NewHeader()}
	g.White, g.Black = pick(db.Tables.Players.Len(), 0), pick(db.Tables.Players.Len(), 1<<24)
	g.Tournament, g.Annotator = pick(db.Tables.Tournaments.Len(), 2<<24), pick(db.Tables.Annotators.Len(), 3<<24)
	g.Source = pick(db.Tables.Sources.Len(), 4<<24)
	appendShuffle(g, 8+i%8, model.G1, model.F3, model.G8, model.F6)
	if i%4 == 0 {
		g.Annotate(0, model.Text{Text: "a comment"})
	}
	return g
}

// appendShuffle appends moves of two knights to and fro.
func appendShuffle(g *model.Game, plies int, white, whiteTo, black, blackTo model.Square) {
	moves := [4]model.Move{
		model.NewMove(white, whiteTo), model.NewMove(black, blackTo), model.NewMove(whiteTo, white), model.NewMove(blackTo, black),
	}
	for i := range plies {
		g.Moves.Append(moves[i%4])
	}
}

// Count implements model.Source.
func (db *largeDatabase) Count() int { return db.games }

// Records implements model.Source.
func (db *largeDatabase) Records(_ context.Context, from model.RecordID, _ model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		for id := from; int(id) <= db.games; id++ {
			if !yield(model.Record{ID: id, Game: db.game(int(id) - 1)}, nil) {
				return
			}
		}
	}
}

// meter is a file system that counts what is done with files.
type meter struct {
	fsys.FS
	mu            sync.Mutex
	read, written int64
	pages         map[meteredPage]bool
	syncs         int
	passed        string // a file that is read as a whole, which does not count
}

type meteredPage struct {
	file   string
	number int64
}

func (m *meter) OpenFile(name string, flag int, perm fs.FileMode) (fsys.File, error) {
	f, err := m.FS.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return &meteredFile{f, m, name}, nil
}

func (m *meter) SyncDir(name string) error {
	m.count(func() { m.syncs++ })
	return m.FS.SyncDir(name)
}

func (m *meter) count(do func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	do()
}

// touch counts a part of a file.
func (m *meter) touch(name string, at int64, n int, total *int64) {
	const size = 1 << 12
	m.count(func() {
		if name == m.passed {
			return
		}
		*total += int64(n)
		for page := at / size; page <= (at+int64(n)-1)/size; page++ {
			m.pages[meteredPage{name, page}] = true
		}
	})
}

type meteredFile struct {
	fsys.File
	meter *meter
	name  string
}

func (f *meteredFile) ReadAt(b []byte, at int64) (int, error) {
	n, err := f.File.ReadAt(b, at)
	f.meter.touch(f.name, at, n, &f.meter.read)
	return n, err
}

func (f *meteredFile) WriteAt(b []byte, at int64) (int, error) {
	n, err := f.File.WriteAt(b, at)
	f.meter.touch(f.name, at, n, &f.meter.written)
	return n, err
}

// Read and Write go through the places, so that they are counted by them.
func (f *meteredFile) Read(b []byte) (int, error) {
	at, err := f.Seek(0, 1)
	if err != nil {
		return 0, err
	}
	n, err := f.File.Read(b)
	f.meter.touch(f.name, at, n, &f.meter.read)
	return n, err
}

func (f *meteredFile) Write(b []byte) (int, error) {
	at, err := f.Seek(0, 1)
	if err != nil {
		return 0, err
	}
	n, err := f.File.Write(b)
	f.meter.touch(f.name, at, n, &f.meter.written)
	return n, err
}

func (f *meteredFile) Sync() error {
	f.meter.count(func() { f.meter.syncs++ })
	return f.File.Sync()
}

// cost is what an edit took.
type cost struct {
	bytes        int64
	pages, syncs int
}

// costOf makes an edit on a disk and measures it.
func costOf(tb testing.TB, disk *crashfs.FS, db *largeDatabase, e smallEdit) cost {
	tb.Helper()
	m := &meter{FS: disk, pages: map[meteredPage]bool{}}
	if e.newName {
		m.passed = "games.cbh"
	}
	ed := must.Get(Edit(context.Background(), "games.cbh", EditOptions{Now: crashClock, files: m}))(tb)
	must.Do(tb, e.change(ed, db))
	must.Do(tb, errors.Join(ed.Commit(), ed.Close()))
	return cost{m.read + m.written, len(m.pages), m.syncs}
}

// BenchmarkEdit measures small edits of a database of 100,000 games.
func BenchmarkEdit(b *testing.B) {
	db := newLargeDatabase(100_000, 20_000)
	disk := largeDisk(b, db)
	for _, e := range smallEdits {
		b.Run(e.name, func(b *testing.B) {
			for b.Loop() {
				costOf(b, disk, db, e)
			}
		})
	}
}

// largeDisk writes a database to a disk.
func largeDisk(tb testing.TB, db *largeDatabase) *crashfs.FS {
	tb.Helper()
	disk := crashfs.New()
	sink := must.Get(Create(context.Background(), "games.cbh", Options{Now: crashClock, files: disk}))(tb)
	must.Do(tb, model.Copy(context.Background(), sink, db, model.CopyOptions{}))
	return disk
}

// smallEdit is a change whose cost must not depend on the size of the database, but for
// the pass over the headers that a new name takes.
type smallEdit struct {
	name    string
	newName bool
	change  func(ed *Editor, db *largeDatabase) error
}

var smallEdits = []smallEdit{
	{"append", true, func(ed *Editor, db *largeDatabase) error {
		g, one := db.game(db.Tables.Players.Len()/10), &model.Database{} // the same names in all databases
		g.White = one.Tables.Players.Intern(db.Tables.Players.Value(g.White))
		g.Black = one.Tables.Players.Intern(model.Player{LastName: "Newcomer"})
		g.Tournament = one.Tables.Tournaments.Intern(db.Tables.Tournaments.Value(g.Tournament))
		g.Annotator = one.Tables.Annotators.Intern(db.Tables.Annotators.Value(g.Annotator))
		g.Source = one.Tables.Sources.Intern(db.Tables.Sources.Value(g.Source))
		one.AddGame(g)
		return ed.Append(context.Background(), one, model.CopyOptions{})
	}},
	{"header", false, func(ed *Editor, db *largeDatabase) error {
		id := model.RecordID(db.games / 2)
		h, err := ed.Header(id)
		if err != nil {
			return err
		}
		h.WhiteElo, h.Date = 2700, model.Date{Year: 1999}
		return ed.SetHeader(id, h, nil)
	}},
	{"delete", false, func(ed *Editor, db *largeDatabase) error { return ed.Delete(model.RecordID(db.games / 2)) }},
	{"rename", false, func(ed *Editor, db *largeDatabase) error {
		return ed.Players().Change(model.EntityID(db.Tables.Players.Len()/2), model.Player{LastName: "Renamed"})
	}},
	{"replace", false, func(ed *Editor, db *largeDatabase) error {
		id := model.RecordID(db.games / 3)
		old, err := ed.Game(id)
		if err != nil {
			return err
		}
		// Other moves, as many; White is somebody else.
		g := &model.Game{Header: old.Header, Annotations: old.Annotations}
		appendShuffle(g, old.Moves.Len(), model.B1, model.C3, model.B8, model.C6)
		g.White, err = ed.Players().Find(db.Tables.Players.Value(model.EntityID(db.Tables.Players.Len() - 7)))
		if err != nil {
			return err
		}
		return ed.Replace(id, model.Record{Game: g}, nil)
	}},
}

// TestEditCost shows that what a change costs does not depend on the size of the
// database: it reads and writes less than a megabyte of a million games, in about
// the pages that it takes among a tenth of them, with as many syncs. Where there are
// more names too, the ways through their trees are longer. A new name takes one pass
// over the headers besides.
func TestEditCost(t *testing.T) {
	games, players := 30_000, 6_000
	if testing.Short() || !seeds.InCI {
		games, players = 10_000, 2_000
	}
	measure := func(games, players int) (list []cost) {
		db := newLargeDatabase(games, players)
		disk := largeDisk(t, db)
		for _, e := range smallEdits {
			list = append(list, costOf(t, disk, db, e))
		}
		return list
	}
	few, small, large := measure(games, players/10), measure(games, players), measure(10*games, players)
	const most = 1 << 20
	// Ten times the names make a tree four or five levels deeper, and a game has names
	// in four of them. Very small files are read as a whole.
	const levels, trees = 6, 4
	for i, e := range smallEdits {
		a, b := small[i], large[i]
		t.Logf("%s: %v in %d games; %v in %d games; %v in %d games with a tenth of the names", e.name, b, 10*games, a, games, few[i], games)
		if ratio := float64(b.pages) / float64(a.pages); ratio < 0.8 || ratio > 1.2 {
			t.Errorf("%s: %.2f times the pages", e.name, ratio)
		}
		if b.bytes >= most || b.syncs != a.syncs || b.pages > few[i].pages+trees*levels {
			t.Errorf("%s costs too much", e.name)
		}
	}
}

// String implements fmt.Stringer.
func (c cost) String() string {
	return fmt.Sprintf("%d bytes, %d pages, %d syncs", c.bytes, c.pages, c.syncs)
}
