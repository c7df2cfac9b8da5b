package cbhedit

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/journal"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/must"
	"cbkit/internal/wire"
	"cbkit/model"
	"cbkit/moveenc"

	"pgregory.net/rapid"
)

// tester is a test, or one draw of a property.
type tester interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// emptyDisk has a database without records, in memory.
func emptyDisk() *crashfs.FS {
	disk := crashfs.New()
	for _, ext := range cbh.NewFileExts {
		b, _ := cbh.EmptyFile(ext)
		disk.WriteFile("games"+ext, b)
	}
	return disk
}

// openSet opens the database of a disk for change.
func openSet(t tester, disk *crashfs.FS, memory int) (*DB, *journal.Set) {
	t.Helper()
	set, err := journal.Open(ctx, disk, "games.cbh", journal.Options{Memory: memory})
	must.Do(t, err)
	d, err := Open(set, memory)
	must.Do(t, err)
	return d, set
}

// commit ends a transaction and begins the next one.
func commit(t tester, d *DB) Work {
	t.Helper()
	w, err := d.Finish(false)
	must.Do(t, err)
	must.Do(t, d.set.Commit())
	must.Do(t, d.Begin())
	return w
}

// movesOf returns a .cbg record of a size, filled with a byte.
func movesOf(size int, fill byte) []byte {
	b := bytes.Repeat([]byte{fill}, size)
	b[0] = 0
	wire.AppendU24BE(b[:1], uint32(size))
	return b
}

// notesOf returns a .cba record of a size.
func notesOf(size int, fill byte) []byte {
	b := bytes.Repeat([]byte{fill}, size)
	binary.BigEndian.PutUint32(b[10:], uint32(size))
	return b
}

// headerOf returns the header of a game between two players. It refers to the
// entities 0 of all other kinds that no game is without.
func headerOf(d *DB, white, black int32) cbhdb.Header {
	r, ext := cbh.NewGameRecord(-1), cbh.NewExtRecord()
	r.White, r.Black = uint32(white), uint32(black)
	ext.Checksum = ext.Sum()
	return cbhdb.Header{Head: r.Append(nil), Ext: ext.Append(nil, d.ExtSize())}
}

// addOthers adds what headerOf refers to besides players.
func addOthers(t tester, d *DB) {
	t.Helper()
	for _, kind := range cbh.EntityFiles[cbhdb.Tournaments : cbhdb.Sources+1] {
		_, err := d.Entities(kind).Insert(make([]byte, kind.Size))
		must.Do(t, err)
	}
}

// playerOf returns the payload of a player.
func playerOf(name string) []byte {
	b, _ := cbh.Players.Append(nil, model.Player{LastName: name}, cbh.CodePage{})
	return b
}

// player returns the number of a player, who is added if there is none.
func player(t tester, d *DB, name string) int32 {
	t.Helper()
	e := d.Entities(&cbh.Players.EntityFile)
	ids, err := e.Find(playerOf(name))
	must.Do(t, err)
	if len(ids) > 0 {
		return ids[0]
	}
	id, err := e.Insert(playerOf(name))
	must.Do(t, err)
	return id
}

// withGames returns a disk with games of one player whose .cbg records have sizes.
func withGames(t tester, sizes ...int) *crashfs.FS {
	t.Helper()
	disk := emptyDisk()
	d, set := openSet(t, disk, 0)
	addOthers(t, d)
	id := player(t, d, "A")
	for i, size := range sizes {
		_, err := d.Append(headerOf(d, id, id), movesOf(size, byte(i)), nil)
		must.Do(t, err)
	}
	commit(t, d)
	must.Do(t, set.Close())
	return disk
}

// A record takes as much of the hole behind it as it needs. What is missing makes
// all that follows move; the last one makes the file longer. A new record comes
// behind all others: holes are for records that grow.
func TestWhereRecordsGo(t *testing.T) {
	disk := withGames(t, 20, 30, 40)
	d, set := openSet(t, disk, 0)
	const begin = cbh.BlockHeaderSize
	for _, step := range []struct {
		what   string
		id     model.RecordID // 0: a new one
		size   int
		places []int64 // afterwards
		end    int64
		holes  int64
		moved  int64
	}{
		{"shorter", 2, 10, []int64{0, 20, 50}, 90, 20, 0},
		{"longer, in its hole", 2, 25, []int64{0, 20, 50}, 90, 5, 0},
		{"longer, to the end of its hole", 2, 30, []int64{0, 20, 50}, 90, 0, 0},
		{"shorter again", 1, 12, []int64{0, 20, 50}, 90, 8, 0},
		{"longer than its place", 2, 35, []int64{0, 20, 55}, 95, 8, 40},
		{"longer than its hole", 1, 23, []int64{0, 23, 58}, 98, 0, 75},
		{"the last one longer", 3, 45, []int64{0, 23, 58}, 103, 0, 0},
		{"the last one shorter", 3, 5, []int64{0, 23, 58}, 103, 40, 0},
		{"a new one", 0, 10, []int64{0, 23, 58, 103}, 113, 40, 0},
		{"of the same size", 1, 23, []int64{0, 23, 58, 103}, 113, 40, 0},
	} {
		record := movesOf(step.size, 77)
		if step.id > 0 {
			must.Do(t, d.PutMoves(step.id, record))
		} else {
			var err error
			step.id, err = d.Append(headerOf(d, 0, 0), record, nil)
			must.Do(t, err)
		}
		w := commit(t, d)
		if w.Moved != step.moved || d.moves.Size() != begin+step.end || d.moves.DeclaredHoles() != step.holes || !d.moves.Head.Declares(d.moves.Size()) {
			t.Errorf("%s: %d bytes moved, %d bytes, %d of them unused; want %d, %d, %d",
				step.what, w.Moved, d.moves.Size()-begin, d.moves.DeclaredHoles(), step.moved, step.end, step.holes)
		}
		for i, want := range step.places {
			h, err := d.Header(model.RecordID(i + 1))
			must.Do(t, err)
			if h.MovesAt() != begin+want {
				t.Errorf("%s: record %d lies at %d, want %d", step.what, i+1, h.MovesAt()-begin, want)
			}
		}
		if got, err := d.Moves(step.id); err != nil || !bytes.Equal(got, record) {
			t.Errorf("%s: % x, %v", step.what, got, err)
		}
	}
	must.Do(t, set.Close())
}

// What is behind the declared end, and what reaches into another record, is never
// taken for a hole.
func TestDamagedPlacesAreRefused(t *testing.T) {
	for what, damage := range map[string]func(disk *crashfs.FS){
		"a record reaches into the next": func(disk *crashfs.FS) {
			b := disk.Files()["games.cbg"]
			wire.AppendU24BE(b[:cbh.BlockHeaderSize+1], 25)
			disk.WriteFile("games.cbg", b)
		},
		"records in descending order": func(disk *crashfs.FS) {
			b := disk.Files()["games.cbh"]
			one, two := b[cbh.RecordSize:2*cbh.RecordSize], b[2*cbh.RecordSize:]
			at := cbh.GameMoves.Uint(one)
			cbh.GameMoves.Put(one, cbh.GameMoves.Uint(two))
			cbh.GameMoves.Put(two, at)
			disk.WriteFile("games.cbh", b)
		},
		"a place past the end": func(disk *crashfs.FS) {
			b := disk.Files()["games.cbh"]
			cbh.GameMoves.Put(b[2*cbh.RecordSize:], 1<<20)
			disk.WriteFile("games.cbh", b)
		},
	} {
		disk := withGames(t, 20, 30)
		damage(disk)
		before := disk.Files()
		d, set := openSet(t, disk, 0)
		err := d.PutMoves(1, movesOf(60, 1))
		if err == nil {
			_, err = d.Finish(false)
		}
		if err == nil {
			t.Errorf("%s: a record was made longer", what)
		}
		if _, again := d.Finish(false); again == nil {
			t.Errorf("%s: after an error, the transaction ends well", what)
		}
		must.Do(t, set.Rollback())
		must.Do(t, set.Close())
		for name, b := range disk.Files() {
			if !bytes.Equal(b, before[name]) {
				t.Errorf("%s: %s has changed", what, name)
			}
		}
	}
}

// game is what a record of the model below is.
type game struct {
	moves, annotations []byte
	white, black       string
}

// state is what a database must be, and the database.
type state struct {
	games []game
	d     *DB
}

// put makes a record what the model says, which is new if it has no number yet.
func (s *state) put(t tester, id model.RecordID, g game) {
	t.Helper()
	h := headerOf(s.d, player(t, s.d, g.white), player(t, s.d, g.black))
	if int(id) > len(s.games) {
		_, err := s.d.Append(h, g.moves, g.annotations)
		must.Do(t, err)
		s.games = append(s.games, g)
		return
	}
	h.ID = id
	must.Do(t, s.d.PutHeader(h))
	must.Do(t, s.d.PutMoves(id, g.moves))
	must.Do(t, s.d.PutAnnotations(id, g.annotations))
	s.games[id-1] = g
}

// drawGame draws what a record shall be.
func drawGame(t *rapid.T) game {
	size := rapid.IntRange(moveenc.HeadSize+1, 60)
	g := game{moves: movesOf(size.Draw(t, "moves"), rapid.Byte().Draw(t, "fill"))}
	if rapid.Bool().Draw(t, "annotated") {
		g.annotations = notesOf(cbh.AnnotationHeadSize+size.Draw(t, "notes"), rapid.Byte().Draw(t, "fill"))
	}
	name := rapid.SampledFrom([]string{"A", "B", "C", "D", "é"})
	g.white, g.black = name.Draw(t, "white"), name.Draw(t, "black")
	return g
}

// check compares the database with the model.
func (s *state) check(t tester) {
	t.Helper()
	if s.d.Count() != model.RecordID(len(s.games)) {
		t.Fatalf("%d records, want %d", s.d.Count(), len(s.games))
	}
	for i, want := range s.games {
		id := model.RecordID(i + 1)
		moves, err := s.d.Moves(id)
		must.Do(t, err)
		annotations, err := s.d.Annotations(id)
		must.Do(t, err)
		if !bytes.Equal(moves, want.moves) || !bytes.Equal(annotations, want.annotations) {
			t.Fatalf("record %d: % x and % x, want % x and % x", id, moves, annotations, want.moves, want.annotations)
		}
		h, err := s.d.Header(id)
		must.Do(t, err)
		for f, name := range map[*cbh.Field]string{&cbh.GameWhite: want.white, &cbh.GameBlack: want.black} {
			payload, err := s.d.Entities(f.Entity).Payload(int32(f.Uint(h.Head)))
			must.Do(t, err)
			if got := cbh.Players.Decode(payload, cbh.CodePage{}).LastName; got != name {
				t.Fatalf("record %d: %s is %q, want %q", id, f.Name, got, name)
			}
		}
		if !cbh.HasRightSum(h.Ext) {
			t.Fatalf("record %d: the checksum of the .cbj record", id)
		}
	}
	s.checkPlaces(t, s.d.moves, (*cbhdb.Header).MovesAt, func(g game) []byte { return g.moves })
	s.checkPlaces(t, s.d.annotations, (*cbhdb.Header).AnnotationsAt, func(g game) []byte { return g.annotations })
	s.checkUses(t)
	s.checkOffsets(t)
}

// checkPlaces looks at where records lie: in the order of their numbers, none of
// them in another, and what lies between them is what the header counts.
func (s *state) checkPlaces(t tester, b *blocks, placeOf func(*cbhdb.Header) int64, recordOf func(game) []byte) {
	t.Helper()
	between, used := b.Between(), int64(0)
	for i, g := range s.games {
		h, err := s.d.Header(model.RecordID(i + 1))
		must.Do(t, err)
		at, size := placeOf(&h), int64(len(recordOf(g)))
		if (at == 0) != (size == 0) {
			t.Fatalf("%s: record %d has %d bytes at %d", b.Name(), i+1, size, at)
		}
		if at == 0 {
			continue
		}
		if order, _ := between.Pass(cbhdb.Extent{At: at, Size: size}); order != cbhdb.Ascending {
			t.Fatalf("%s: record %d lies before or in one with a smaller number", b.Name(), i+1)
		}
		used += size
	}
	if b.Size() < between.End || int64(b.Head.Size)+used+b.DeclaredHoles() != b.Size() || !b.Head.Declares(b.Size()) {
		t.Fatalf("%s: %d bytes of records and %d unused ones in %d; records end at %d", b.Name(), used, b.DeclaredHoles(), b.Size(), between.End)
	}
}

// checkUses looks at the counts of references, and whether lists of boosters, if
// there are any, agree with the headers.
func (s *state) checkUses(t tester) {
	t.Helper()
	records := map[cbhdb.Reference][]int32{}
	must.Do(t, s.d.eachReference(1, func(rec model.RecordID, ref cbhdb.Reference) bool {
		records[ref] = append(records[ref], int32(rec))
		return true
	}))
	for kind, file := range cbh.EntityFiles {
		for r, err := range s.d.Entities(file).Live() {
			must.Do(t, err)
			want := records[cbhdb.Reference{Kind: kind, ID: r.ID}]
			use := cbh.EntityUse{Count: int32(len(want)), First: none}
			if len(want) > 0 {
				use.First = want[0]
			}
			stored := cbh.DecodeEntityUse(r.Payload)
			if stored != use {
				t.Fatalf("%s %d: %+v, want %+v", file.Name, r.ID, stored, use)
			}
			if !s.d.has(".cit") {
				continue
			}
			if list, err := s.d.provenList(cbhdb.Reference{Kind: kind, ID: r.ID}, stored); err != nil || !slices.Equal(list, want) {
				t.Fatalf("%s %d: the list is %d, %v; want %d", file.Name, r.ID, list, err, want)
			}
		}
	}
}

// checkOffsets compares the .cbgi file, if there is one, with the headers.
func (s *state) checkOffsets(t tester) {
	t.Helper()
	if s.d.offsets == nil {
		return
	}
	for i := range s.games {
		h, err := s.d.Header(model.RecordID(i + 1))
		must.Do(t, err)
		b, err := s.d.offsets.Bytes(nil, cbh.OffsetSize*int64(h.ID), cbh.OffsetSize)
		must.Do(t, err)
		if at, err := cbh.DecodeOffset(b); err != nil || int64(at) != h.MovesAt() {
			t.Fatalf("record %d: .cbgi has %d, want %d", h.ID, at, h.MovesAt())
		}
	}
}

// putBoosters puts boosters of no records beside a database that has none.
func putBoosters(t tester, disk *crashfs.FS) {
	t.Helper()
	table, blocks := cbh.Lists.NewTableHeader(), cbh.NewListBlocksHeader(0)
	disk.WriteFile("games.cit", table.Append(nil))
	disk.WriteFile("games.cib", blocks.Append(nil))
	disk.WriteFile("games.cbgi", cbh.AppendOffset(nil, 0))
}

// Whatever is changed, and however little memory there is: every record is what it
// was made, no two of them overlap, headers count what is there, and boosters that
// fitted go on fitting. What is rolled back was never there.
func TestTransactions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		disk := emptyDisk()
		boosters := rapid.Bool().Draw(t, "boosters")
		if boosters {
			putBoosters(t, disk)
		}
		d, set := openSet(t, disk, rapid.SampledFrom([]int{0, 64, 1 << 10}).Draw(t, "memory"))
		defer set.Close()
		s := &state{d: d}
		addOthers(t, d)
		for range rapid.IntRange(1, 5).Draw(t, "transactions") {
			before := slices.Clone(s.games)
			for range rapid.IntRange(1, 6).Draw(t, "changes") {
				id := model.RecordID(rapid.IntRange(1, len(s.games)+1).Draw(t, "id"))
				s.put(t, id, drawGame(t))
			}
			if len(before) > 0 && rapid.IntRange(0, 3).Draw(t, "rollback") == 0 {
				must.Do(t, set.Rollback())
				must.Do(t, d.Begin())
				s.games = before
			} else if w := commit(t, d); len(w.Dropped) > 0 {
				t.Fatalf("dropped %q", w.Dropped)
			}
			s.check(t)
		}
		sizes := [2]int64{d.moves.Size(), d.annotations.Size()}
		holes := int64(d.Holes())
		before, after, err := d.Compact(ctx, nil)
		must.Do(t, err)
		if before != sizes[0]+sizes[1] || after != before-holes {
			t.Fatalf("compacted from %d to %d, with %d bytes unused", before, after, holes)
		}
		commit(t, d)
		s.check(t)
		if d.Holes() != 0 || d.moves.Size()+d.annotations.Size() != after {
			t.Fatalf("compacted, and %d bytes are unused; %d bytes, want %d", d.Holes(), d.moves.Size()+d.annotations.Size(), after)
		}
		if boosters && (!d.has(".cit") || d.offsets == nil) {
			t.Fatalf("the boosters are gone")
		}
	})
}

// A header that is put says nothing of places: they stay what they were, in both
// files and byte for byte, odd ones too.
func TestPutHeaderKeepsPlaces(t *testing.T) {
	for _, odd := range []uint64{cbh.BlockHeaderSize, 0, 1 << 40} { // in the .cbj file
		disk := withGames(t, 20)
		d, set := openSet(t, disk, 0)
		must.Do(t, d.PutAnnotations(1, notesOf(20, 1)))
		commit(t, d)
		must.Do(t, set.Close())
		b := disk.Files()["games.cbj"]
		cbh.ExtMoves.Put(b[cbh.ExtHeaderSize:], odd)
		disk.WriteFile("games.cbj", b)
		d, set = openSet(t, disk, 0)
		old, err := d.Header(1)
		must.Do(t, err)
		h := headerOf(d, 0, 0)
		h.ID = 1
		cbh.GameRound.Put(h.Head, 5)
		must.Do(t, d.PutHeader(h))
		commit(t, d)
		now, err := d.Header(1)
		must.Do(t, err)
		if now.MovesAt() != old.MovesAt() || now.AnnotationsAt() != old.AnnotationsAt() || cbh.ExtMoves.Uint(now.Ext) != odd || cbh.GameRound.Uint(now.Head) != 5 {
			t.Errorf("moves at %d, %d in .cbj, annotations at %d; want %d, %d, %d",
				now.MovesAt(), cbh.ExtMoves.Uint(now.Ext), now.AnnotationsAt(), old.MovesAt(), odd, old.AnnotationsAt())
		}
		must.Do(t, set.Close())
	}
}

// An entity whose count or first record was wrong is counted anew when a change
// shows that; one that loses its last reference goes.
func TestWrongUsesAreCounted(t *testing.T) {
	for _, wrong := range []cbh.EntityUse{{Count: 0, First: -1}, {Count: 1, First: 1}, {Count: -5, First: 3}, {Count: 2, First: 7}} {
		disk := emptyDisk()
		d, set := openSet(t, disk, 0)
		addOthers(t, d)
		s := &state{d: d}
		for range 3 {
			s.put(t, model.RecordID(len(s.games)+1), game{moves: movesOf(9, 1), white: "A", black: "X"})
		}
		commit(t, d)
		e := d.Entities(&cbh.Players.EntityFile)
		must.Do(t, e.putUse(0, &use{count: wrong.Count, first: wrong.First}))
		commit(t, d)
		s.put(t, 2, game{moves: movesOf(9, 1), white: "B", black: "X"})
		commit(t, d)
		s.check(t)
		for id := model.RecordID(1); id <= 3; id++ {
			s.put(t, id, game{moves: movesOf(9, 1), white: "B", black: "X"})
		}
		w := commit(t, d)
		s.check(t)
		if _, err := d.Entities(&cbh.Players.EntityFile).Payload(0); err == nil || w.Removed != 1 {
			t.Errorf("%+v: nobody refers to the player any more, who is there: %+v", wrong, w)
		}
		must.Do(t, set.Close())
	}
}

// One entity takes over the references of another, which goes.
func TestMerge(t *testing.T) {
	d, set := openSet(t, emptyDisk(), 0)
	addOthers(t, d)
	s := &state{d: d}
	for i, names := range [][2]string{{"A", "B"}, {"C", "A"}, {"B", "C"}, {"A", "A"}} {
		s.put(t, model.RecordID(i+1), game{moves: movesOf(9, 1), white: names[0], black: names[1]})
	}
	commit(t, d)
	must.Do(t, d.Merge(&cbh.Players.EntityFile, map[int32]int32{player(t, d, "A"): player(t, d, "C")}))
	w := commit(t, d)
	for i := range s.games {
		for _, name := range []*string{&s.games[i].white, &s.games[i].black} {
			if *name == "A" {
				*name = "C"
			}
		}
	}
	s.check(t)
	if ids, err := d.Entities(&cbh.Players.EntityFile).Find(playerOf("A")); err != nil || len(ids) > 0 || w.Removed != 1 {
		t.Errorf("A is %d, %v; %+v", ids, err, w)
	}
	must.Do(t, set.Close())
}

// A tree out of order is built anew before something is looked up in it, in files
// that are small enough to be looked at as a whole; names keep their numbers.
func TestTreeOutOfOrderIsBuiltAnew(t *testing.T) {
	disk := emptyDisk()
	d, set := openSet(t, disk, 0)
	addOthers(t, d)
	s := &state{d: d}
	for i := range 7 {
		name := fmt.Sprintf("P%d", i)
		s.put(t, model.RecordID(i+1), game{moves: movesOf(9, 1), white: name, black: name})
	}
	commit(t, d)
	e := d.Entities(&cbh.Players.EntityFile)
	must.Do(t, e.file())
	one, err := e.record(1)
	must.Do(t, err)
	five, err := e.record(5)
	must.Do(t, err)
	must.Do(t, e.f.PutLinks(1, five.Links))
	must.Do(t, e.f.PutLinks(5, one.Links))
	must.Do(t, d.set.Commit())
	must.Do(t, d.Begin())
	for i := range 7 {
		ids, err := d.Entities(&cbh.Players.EntityFile).Find(playerOf(fmt.Sprintf("P%d", i)))
		if err != nil || !slices.Equal(ids, []int32{int32(i)}) {
			t.Errorf("P%d is %d, %v", i, ids, err)
		}
	}
	if w := commit(t, d); len(w.Once) != 1 {
		t.Errorf("%+v", w)
	}
	s.check(t)
	must.Do(t, set.Close())
}

// Lists that do not fit the database are not followed: they go.
func TestBoostersThatDoNotFitGo(t *testing.T) {
	disk := withGames(t, 9, 9)
	putBoosters(t, disk) // of no records
	d, set := openSet(t, disk, 0)
	_, err := d.Append(headerOf(d, 0, 0), movesOf(9, 1), nil)
	must.Do(t, err)
	w := commit(t, d)
	slices.Sort(w.Dropped)
	if !slices.Equal(w.Dropped, []string{"games.cbgi", "games.cib", "games.cit"}) {
		t.Errorf("dropped %q", w.Dropped)
	}
	for name := range disk.Files() {
		if slices.Contains(w.Dropped, name) {
			t.Errorf("%s is there", name)
		}
	}
	must.Do(t, set.Close())
}
