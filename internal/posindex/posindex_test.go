package posindex

import (
	"bytes"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"testing"

	"cbkit/board"
	"cbkit/internal/dbfile"
	"cbkit/internal/extsort"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"

	"pgregory.net/rapid"
)

// content is a file in memory.
type content struct{ *bytes.Reader }

// Close implements io.Closer.
func (content) Close() error { return nil }

// inMemory returns an open file with some bytes.
func inMemory(b []byte) *dbfile.File { return dbfile.New(content{bytes.NewReader(b)}, "x"+Ext) }

// opened parses an index.
func opened(b []byte) (*Index, error) {
	f := inMemory(b)
	h, err := parseHead(f)
	x := &Index{Head: h, file: f}
	if err == nil {
		err = x.read()
	}
	return x, err
}

// built returns the index of some games, in the order of their records; nil is one that
// cannot be read.
func built(t must.TB, plies, men int, structures bool, games []*model.Game) []byte {
	b := NewBuilder(plies, men, structures, extsort.Options{FS: crashfs.New()})
	defer b.Close()
	for i, g := range games {
		must.Do(t, b.Add(model.RecordID(i+1), Record{Game: g}))
	}
	var out bytes.Buffer
	must.Do(t, b.Write(&out, model.RecordID(len(games))))
	kept := []byte{}
	for _, key := range b.Frequent() {
		kept = b.AppendSummary(kept, key, []byte("summary"))
	}
	return slices.Concat(b.Block(), out.Bytes(), kept)
}

// A segment gives back what was put into it, by its keys and in order, however many leaves it
// takes.
func TestSegmentRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const records = 1 << 24
		n := rapid.SampledFrom([]int{0, 1, 20, 3000}).Draw(t, "keys")
		far := rapid.SampledFrom([]uint64{1, 1 << 20, noKind / 4000}).Draw(t, "step")
		want := map[uint64][]model.RecordID{}
		var keys []uint64
		key := uint64(0)
		rng := uint64(rapid.Uint32().Draw(t, "seed"))
		random := func(n uint64) uint64 {
			rng = rng*6364136223846793005 + 1442695040888963407
			return rng >> 33 % n
		}
		most := rapid.SampledFrom([]uint64{1, 3, 60}).Draw(t, "records of a key")
		for i := range n {
			if i > 0 || rapid.Bool().Draw(t, "not zero") {
				key += 1 + random(far)
			}
			keys = append(keys, key)
			many := 1 + random(most)
			if i == n/2 {
				many = 20000
			}
			id := model.RecordID(0)
			for range many {
				id += 1 + model.RecordID(random(800))
				want[key] = append(want[key], id)
			}
		}
		var out bytes.Buffer
		w := newSegmentWriter(&out)
		for _, key := range keys {
			for _, id := range want[key] {
				for range 1 + random(2) { // once more changes nothing
					must.Do(t, w.add(key, id))
				}
			}
		}
		leaves, err := w.finish()
		s := &segment{leaves: leaves}
		if err != nil || s.size() != int64(out.Len()) {
			t.Fatalf("%d bytes for %d leaves, %v", out.Len(), leaves, err)
		}
		s.open(inMemory(out.Bytes()), 0, records)
		collect := func(want asked) map[uint64][]model.RecordID {
			got := map[uint64][]model.RecordID{}
			for e := range must.All(t, s.entries(want)) {
				got[e.key] = append(got[e.key], e.ids...)
			}
			return got
		}
		if got := collect(all); !maps.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("%d keys, want %d", len(got), n)
		}
		var some []uint64
		found := map[uint64][]model.RecordID{}
		for i, key := range keys {
			if i%37 != 0 && i != n/2 && i != n-1 {
				continue
			}
			for _, ask := range []uint64{key, key + 1} {
				some = append(some, ask)
				if want[ask] != nil {
					found[ask] = want[ask]
				}
				if got := collect(among(ask)); !slices.Equal(got[ask], want[ask]) || len(got) > 1 {
					t.Fatalf("key %d: %d records found, want %d", ask, len(got[ask]), len(want[ask]))
				}
			}
		}
		slices.Sort(some)
		if got := collect(among(some...)); !maps.EqualFunc(got, found, slices.Equal) {
			t.Fatalf("%d keys found in order, want %d", len(got), len(found))
		}
	})
}

// drawGames draws games, some of which begin with the same moves.
func drawGames(t *rapid.T) (games []*model.Game) {
	config := gen.Config{Plies: 40}
	for range rapid.IntRange(0, 6).Draw(t, "games") {
		g := gen.Moves(config).Draw(t, "game")
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0:
			g = nil
		case 1:
			g.MovesErr = errors.New("damaged")
		case 2:
			if len(games) > 0 && games[0] != nil {
				g = games[0]
			}
		}
		games = append(games, g)
	}
	return games
}

// renewed is an index after an edit that has made a segment of it.
func renewed(t must.TB, x *Index, b []byte, ids []model.RecordID, games []*model.Game) []byte {
	e := x.Edit()
	for _, id := range ids {
		e.Add(&Change{ID: id, Record: Record{Game: games[id-1]}, Moves: true})
	}
	e.tooMany = true
	return finished(t, e, b, model.RecordID(len(games)), func(id model.RecordID) (Record, error) { return Record{Game: games[id-1]}, nil })
}

// finished is an index after an edit.
func finished(t must.TB, e *Edit, b []byte, records model.RecordID, record func(model.RecordID) (Record, error)) []byte {
	must.Do(t, e.Finish(records, record, extsort.Options{FS: crashfs.New()}))
	defer e.Close()
	var out bytes.Buffer
	at := e.At()
	must.Do(t, e.Write(&out))
	return slices.Concat(e.Block(), b[blockSize:at], out.Bytes())
}

// edited is an index after an edit of the games: some are others, some are new.
func edited(t *rapid.T, b []byte, games *[]*model.Game) []byte {
	x := must.Get(opened(b))(t)
	*games = slices.Clone(*games)
	var ids []model.RecordID
	for _, g := range drawGames(t) {
		at := rapid.IntRange(0, len(*games)).Draw(t, "at")
		if at == len(*games) {
			*games = append(*games, nil)
		}
		(*games)[at] = g
		ids = append(ids, model.RecordID(at+1))
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	records := model.RecordID(len(*games))
	if len(ids) > 0 && rapid.Bool().Draw(t, "a segment") {
		return renewed(t, x, b, ids, *games)
	}
	e := x.Edit()
	for _, id := range ids {
		e.Add(&Change{ID: id, Record: Record{Game: (*games)[id-1]}, Moves: true})
	}
	if e.tooMany {
		t.Fatal("too much")
	}
	return finished(t, e, b, records, nil)
}

// positions returns the positions of a game's main line.
func positions(g *model.Game) (list []board.Position) {
	if g == nil || g.MovesErr != nil {
		return nil
	}
	p, err := board.New(g.Start)
	if err != nil {
		return nil
	}
	list = append(list, p)
	for _, n := range g.Moves.Nodes()[:g.Moves.MainLen()] {
		p.Make(n.Move)
		list = append(list, p)
	}
	return list
}

// related returns the games related to some lines.
func related(x *Index, lines ...Line) (map[model.RecordID]bool, error) {
	list := map[model.RecordID]bool{}
	for ids, err := range x.Related(lines, 8) {
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			list[id] = true
		}
	}
	return list, nil
}

// No game that reaches a position is missing, whatever the index has of it; and what is
// listed reaches it.
func TestReachedMissesNoGame(t *testing.T) {
	openGames, listedGames := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		games := drawGames(t)
		plies, men := rapid.SampledFrom([]int{0, 1, 5, 12, 40, 100}).Draw(t, "plies"), rapid.SampledFrom([]int{0, 4, 12, 30}).Draw(t, "men")
		b := built(t, plies, men, rapid.Bool().Draw(t, "structures"), games)
		for range rapid.IntRange(0, 6).Draw(t, "edits") {
			b = edited(t, b, &games)
		}
		x := must.Get(opened(b))(t)
		var lines []Line
		each := map[model.RecordID]bool{}
		for _, g := range games {
			for n, p := range positions(g) {
				listed, open, err := x.Reached(&p)
				if err != nil {
					t.Fatal(err)
				}
				listedGames, openGames = listedGames+len(listed), openGames+len(open)
				if !slices.IsSorted(listed) || !slices.IsSorted(open) {
					t.Fatalf("%v, %v", listed, open)
				}
				for i, other := range games {
					id := model.RecordID(i + 1)
					reaches := slices.ContainsFunc(positions(other), func(q board.Position) bool { return q.DiagramKey() == p.DiagramKey() })
					isListed, isOpen := slices.Contains(listed, id), slices.Contains(open, id)
					unread := other == nil || other.MovesErr != nil
					switch {
					case isListed && isOpen, isListed && !reaches, reaches && !isListed && !isOpen, unread && !isOpen:
						t.Fatalf("plies %d, men %d, position %d, game %d: reaches it %v, listed %v, open %v", plies, men, n, id, reaches, isListed, isOpen)
					}
				}
			}
			if g == nil || g.MovesErr != nil {
				continue
			}
			line := make([]model.Move, g.Moves.MainLen())
			for i := range line {
				line[i] = g.Moves.Move(i)
			}
			for _, cut := range []int{len(line), len(line) / 2} { // the game itself, and one that it begins with
				lines = append(lines, Line{g.Start, line[:cut]})
				related, err := related(x, lines[len(lines)-1])
				if err != nil || !related[model.RecordID(slices.Index(games, g)+1)] {
					t.Fatalf("related to %d of %d plies: %v, %v", cut, len(line), related, err)
				}
				maps.Copy(each, related)
			}
		}
		if all, err := related(x, lines...); err != nil || !maps.Equal(all, each) {
			t.Fatalf("related to %d lines: %v, %v, to each %v", len(lines), all, err, each)
		}
	})
	if openGames == 0 || listedGames == 0 {
		t.Errorf("%d games open, %d listed", openGames, listedGames)
	}
}

// No game that had material or pawns is missing, and what is listed had them.
func TestStructuresMissNoGame(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		games := drawGames(t)
		if rapid.Bool().Draw(t, "crowd") { // more queens than an index can tell of
			g := model.NewGame()
			start := model.StartPosition()
			for s := range 40 {
				start.Board[s+16] = model.WhiteQueen
			}
			g.Start = &start
			games = append(games, g)
		}
		b := built(t, 5, 12, true, games)
		for range rapid.IntRange(0, 3).Draw(t, "edits") {
			b = edited(t, b, &games)
		}
		x := must.Get(opened(b))(t)
		for _, g := range games {
			for _, p := range positions(g) {
				m := materialOf(&p)
				for what, has := range map[string]func(q *board.Position) bool{
					"material": func(q *board.Position) bool { return materialOf(q) == m },
					"pawns": func(q *board.Position) bool {
						return q.Pieces(model.White, model.Pawn) == p.Pieces(model.White, model.Pawn) &&
							q.Pieces(model.Black, model.Pawn) == p.Pieces(model.Black, model.Pawn)
					},
				} {
					listed, open, err := x.WithMaterial([]Material{m})
					if what == "pawns" {
						listed, open, err = x.WithPawns(&p)
					}
					if err != nil || !slices.IsSorted(listed) || !slices.IsSorted(open) {
						t.Fatalf("%v, %v, %v", listed, open, err)
					}
					found += len(listed)
					for i, other := range games {
						id := model.RecordID(i + 1)
						had := slices.ContainsFunc(positions(other), func(q board.Position) bool { return has(&q) })
						isListed, isOpen := slices.Contains(listed, id), slices.Contains(open, id)
						if isListed && !had || had && !isListed && !isOpen || isListed && isOpen || (other == nil || other.MovesErr != nil) && !isOpen {
							t.Fatalf("%s of game %d: had it %v, listed %v, open %v", what, id, had, isListed, isOpen)
						}
					}
				}
			}
		}
	})
	if found == 0 {
		t.Error("nothing was listed")
	}
}

// A comparison finds the records for which an index has something else than their games
// say, and no others.
func TestComparison(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		games := drawGames(t)
		b := built(t, 10, 12, rapid.Bool().Draw(t, "structures"), games)
		for range rapid.IntRange(0, 6).Draw(t, "edits") {
			b = edited(t, b, &games)
		}
		x := must.Get(opened(b))(t)
		c := must.Get(x.Compare())(t)
		for i, g := range games {
			id := model.RecordID(i + 1)
			if !c.Lists(id, Record{Game: g}) {
				t.Fatalf("game %d differs", id)
			}
			other := gen.Moves(gen.Config{Plies: 12}).Draw(t, "other")
			same := slices.Equal(x.appendSorted(nil, g), x.appendSorted(nil, other))
			if c.Lists(id, Record{Game: other}) != same || c.Lists(id, Record{Text: true}) || c.Lists(id, Record{Game: g, Deleted: true}) {
				t.Fatalf("game %d: equal is %v", id, !same)
			}
		}
	})
}

// sample is an index with blocks of every kind.
func sample(t testing.TB) []byte {
	var games []*model.Game
	for seed := range 60 {
		games = append(games, gen.Moves(gen.Config{Plies: 60}).Example(seed))
	}
	for range 300 {
		games = append(games, games[:60]...)
	}
	games = append(games, nil)
	b := built(t, 20, 12, true, games)
	x := must.Get(opened(b))(t)
	return renewed(t, x, b, []model.RecordID{2, 3, 70}, append(games, games[0]))
}

// A changed byte is found wherever something is read.
func TestDamageIsFound(t *testing.T) {
	b := sample(t)
	sound := func() error {
		x, err := opened(b)
		if err == nil {
			_, err = x.Compare()
		}
		return err
	}
	must.Do(t, sound())
	for at := 0; at < len(b); at += 1 + at%5077 {
		b[at] ^= 4
		err := sound()
		var wrong *model.FormatError
		if !errors.As(err, &wrong) || wrong.File != "x"+Ext || wrong.Offset < int64(at)/blockSize*blockSize && wrong.Offset > int64(at) {
			t.Fatalf("%#x changed: %v", at, err)
		}
		b[at] ^= 4
	}
	for _, n := range []int{0, 1, 20, blockSize - 1, blockSize, len(b) - blockSize, len(b) - 1} {
		if _, err := opened(b[:n]); err == nil {
			t.Errorf("%d bytes of %d are an index", n, len(b))
		}
	}
}

// A changed byte is found in the sets of records too, which say what is marked as deleted.
func TestDamagedSetIsFound(t *testing.T) {
	builder := NewBuilder(3, 2, false, extsort.Options{FS: crashfs.New()})
	defer builder.Close()
	for id := range model.RecordID(100) {
		must.Do(t, builder.Add(id+1, Record{Text: true, Deleted: id%9 < 2}))
	}
	var out bytes.Buffer
	must.Do(t, builder.Write(&out, 100))
	b := slices.Concat(builder.Block(), out.Bytes())
	x := must.Get(opened(b))(t)
	if n := x.Deleted().count(); n != 23 {
		t.Errorf("%d records are marked as deleted", n)
	}
	for at := int(x.end()); at < len(b); at++ {
		b[at] ^= 1
		if _, err := opened(b); !dbfile.IsDamage(err) {
			t.Errorf("%#x changed: %v", at, err)
		}
		b[at] ^= 1
	}
}

// reseal puts the right sums into all blocks, and into what comes behind the last one.
func reseal(b []byte) {
	for len(b) >= blockSize {
		at := 0
		if bytes.HasPrefix(b, []byte(title)) {
			at = headSumAt
		}
		binary.LittleEndian.PutUint32(b[at:], sum(b[at+4:blockSize]))
		b = b[blockSize:]
	}
	resealParts(b)
}

// resealParts puts the right sums into parts.
func resealParts(b []byte) {
	for len(b) >= partHead {
		end := partHead + int(binary.LittleEndian.Uint32(b[4:]))
		if end > len(b) {
			break
		}
		binary.LittleEndian.PutUint32(b, sum(b[4:end]))
		b = b[end:]
	}
}

// packedSize is more than the headers and blocks of small indexes have.
const packedSize = 512

// unpacked makes an index of the begin of each of its blocks, and of what is behind them:
// inputs stay small.
func unpacked(b []byte) (whole []byte) {
	for chunk := range slices.Chunk(b, packedSize) {
		if whole = append(whole, chunk...); len(chunk) == packedSize {
			whole = append(whole, make([]byte, blockSize-packedSize)...)
		}
	}
	reseal(whole)
	return whole
}

// packed is the other way round, of blocks that have no more.
func packed(b []byte) (parts []byte) {
	for block := range slices.Chunk(b, blockSize) {
		parts = append(parts, block[:min(packedSize, len(block))]...)
	}
	return parts
}

// Whatever an index holds, with right sums too, reading it ends, without a panic and
// with records of the database alone.
func FuzzIndex(f *testing.F) {
	var games []*model.Game
	for seed := range 3 {
		games = append(games, gen.Moves(gen.Config{Plies: 8}).Example(seed))
	}
	sound := built(f, 3, 2, true, games)
	if b := unpacked(packed(sound)); !bytes.Equal(b, sound) {
		f.Fatal("the blocks have more than is packed")
	}
	f.Add(packed(sound))
	f.Add(packed(built(f, 10, 12, false, nil)))
	x := must.Get(opened(sound))(f)
	two := renewed(f, x, sound, []model.RecordID{4}, append(games, nil))
	if b := unpacked(packed(two)); !bytes.Equal(b, two) {
		f.Fatal("the blocks of two segments have more than is packed")
	}
	f.Add(packed(two))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<14 {
			return
		}
		x, err := opened(unpacked(b))
		if err != nil {
			return
		}
		for p := range slices.Values(positions(games[0])) {
			listed, open, err := x.Reached(&p)
			if err != nil {
				continue
			}
			for _, id := range append(listed, open...) {
				if id < 1 || id > x.Records {
					t.Fatalf("record %d of %d", id, x.Records)
				}
			}
		}
		if x.Records > 1<<16 {
			return
		}
		if c, err := x.Compare(); err == nil && x.Records > 0 {
			c.Lists(1, Record{Game: games[0]})
		}
	})
}

// Whatever stands where changes are, with right sums too, is read or refused.
func FuzzChanges(f *testing.F) {
	h := Head{Plies: 3, Men: 2, Structures: true, Records: 9}
	g := gen.Moves(gen.Config{Plies: 8}).Example(1)
	h.summarized = 9
	noSets := appendPart(nil, nil)
	e := (&Index{Head: h, changes: map[model.RecordID]change{}}).Edit()
	e.Add(&Change{ID: 3, Record: Record{Game: g}, Moves: true})
	e.Add(&Change{ID: 4, Record: Record{Text: true, Deleted: true}, Moves: true, Was: append(make([]byte, 46), 1)})
	e.Add(&Change{ID: 5, Record: Record{Deleted: true}, Was: []byte{}})
	f.Add(e.added)
	f.Fuzz(func(t *testing.T, b []byte) {
		b = slices.Clone(b)
		resealParts(b)
		x := &Index{Head: h}
		x.log, x.sets = int64(len(b)), int64(len(noSets))
		x.file = inMemory(slices.Concat(make([]byte, HeadSize), noSets, b))
		if x.read() != nil {
			return
		}
		for id := range x.changes {
			if id < 1 || id > h.Records {
				t.Fatalf("record %d", id)
			}
		}
		_, _ = x.listedSince(0)
		for id, c := range x.changes {
			_, _ = recordOf(id, c.was)
		}
	})
}

// An index knows which records are marked as deleted, and what records were when summaries
// were made, as long as that is not too much, whatever edits do.
func TestMarksAndWhatRecordsWere(t *testing.T) {
	before := MostChanged
	defer func() { MostChanged = before }()
	held, over := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		MostChanged = int64(rapid.SampledFrom([]int{4 << 20, 1600}).Draw(t, "most"))
		g := gen.Moves(gen.Config{Plies: 6}).Draw(t, "game")
		records := make([]Record, rapid.IntRange(200, 230).Draw(t, "records"))
		b := NewBuilder(3, 2, false, extsort.Options{FS: crashfs.New()})
		defer b.Close()
		for i := range records {
			records[i] = Record{Game: g, Deleted: i%7 == 3}
			must.Do(t, b.Add(model.RecordID(i+1), records[i]))
		}
		var out bytes.Buffer
		if err := b.Write(&out, model.RecordID(len(records))); err != nil || len(b.Frequent()) == 0 {
			t.Fatal(err, b.Frequent())
		}
		key := b.Frequent()[0]
		kept := b.AppendSummary(nil, key, []byte("summary"))
		file := slices.Concat(b.Block(), out.Bytes(), kept)
		summarized, was := len(records), map[model.RecordID][]byte{}
		for edit := range rapid.IntRange(1, 6).Draw(t, "edits") {
			x := must.Get(opened(file))(t)
			e := x.Edit()
			for _, at := range slices.Sorted(slices.Values(rapid.SliceOfNDistinct(rapid.IntRange(0, len(records)+3), 0, 12, func(i int) int { return i }).Draw(t, "changed"))) {
				c := Change{ID: model.RecordID(min(at, len(records)) + 1)}
				if at >= len(records) {
					records = append(records, Record{Game: g})
					c.Moves = true
				}
				is := &records[c.ID-1]
				if e.WantsWas(c.ID) {
					c.Was = append(bytes.Repeat([]byte{byte(edit), byte(at)}, 23), make([]byte, at%90)...)
					was[c.ID] = c.Was
				}
				switch rapid.IntRange(0, 3).Draw(t, "edit") {
				case 0:
					is.Deleted = !is.Deleted
				case 1:
					c.Moves, is.Game = true, gen.Moves(gen.Config{Plies: 6}).Draw(t, "other")
				case 2:
					c.Moves, is.Game, is.Text = true, nil, true
				}
				c.Record = *is
				e.Add(&c)
			}
			e.tooMany = e.tooMany || rapid.Bool().Draw(t, "a segment")
			file = finished(t, e, file, model.RecordID(len(records)), func(id model.RecordID) (Record, error) { return records[id-1], nil })
			x = must.Get(opened(file))(t)
			deleted := x.Deleted()
			c := must.Get(x.Compare())(t)
			for i, rec := range records {
				if id := model.RecordID(i + 1); deleted.Has(id) != rec.Deleted || !c.Lists(id, rec) {
					t.Fatalf("record %d is marked: %v, want %v", id, deleted.Has(id), rec.Deleted)
				}
			}
			listed, err := x.ListedUnder(key)
			if err != nil || slices.ContainsFunc(listed, deleted.Has) {
				t.Fatal(listed, err)
			}
			size := 0
			for _, b := range was {
				size += wasHead + len(b)
			}
			if !x.SummariesHold() {
				if over++; int64(size) <= mostWas() {
					t.Fatalf("%d bytes are too much", size)
				}
				return
			}
			held++
			for s, err := range x.Summaries() {
				if err != nil || s.Key != key || string(s.Content) != "summary" || int64(size) > mostWas() {
					t.Fatalf("%v, %v, %d bytes", s, err, size)
				}
			}
			is := map[model.RecordID][]byte{}
			for id := range x.changed(hasWas).all() {
				is[id] = x.changes[id].was
			}
			if !maps.EqualFunc(is, was, bytes.Equal) {
				t.Fatalf("%v, want %v", is, was)
			}
			since, err := x.listedSince(key)
			for _, id := range listed {
				if _, changed := was[id]; (changed || int(id) > summarized) && !slices.Contains(since, id) || !changed && int(id) <= summarized && slices.Contains(since, id) {
					t.Fatalf("record %d of %v", id, since)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	})
	if (held == 0 || over == 0) && !testing.Short() { // which draws too few
		t.Errorf("%d and %d times", held, over)
	}
}

// There are few segments, however often an index is renewed, and each record is written
// seldom.
func TestFewSegments(t *testing.T) {
	var games []*model.Game
	for seed := range 20 {
		games = append(games, gen.Moves(gen.Config{Plies: 3}).Example(seed))
	}
	b := built(t, 3, 0, true, games)
	const edits = 600
	written, most := 0, 0
	for n := range edits {
		x := must.Get(opened(b))(t)
		games = append(games, games[n%20])
		ids := []model.RecordID{model.RecordID(len(games))}
		if n%7 == 0 {
			games[n/2] = games[0]
			ids = []model.RecordID{model.RecordID(n/2 + 1), ids[0]}
		}
		b = renewed(t, x, b, ids, games)
		x = must.Get(opened(b))(t)
		most = max(most, len(x.segments))
		written += x.segments[len(x.segments)-1].of.count()
	}
	if most < 4 || most > mostSegments || written > 12*edits { // the logarithm of 620 is 9
		t.Errorf("%d segments at most, %d records written for %d", most, written, edits)
	}
	x := must.Get(opened(b))(t)
	c := must.Get(x.Compare())(t)
	for i, g := range games {
		if !c.Lists(model.RecordID(i+1), Record{Game: g}) {
			t.Fatalf("game %d differs", i+1)
		}
	}
}

// Making an index of a game takes about as long as playing through it.
func BenchmarkBuild(b *testing.B) {
	var games []*model.Game
	for seed := range 100 {
		games = append(games, gen.Moves(gen.Config{Plies: 80}).Example(seed))
	}
	h := Head{Plies: DefaultPlies, Men: DefaultMen}
	var own []uint64
	n := 0
	for b.Loop() {
		own = h.appendSorted(own[:0], games[n%len(games)])
		n++
	}
}
