package cbhsalvage

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/internal/testkit/must"
	_ "cbkit/internal/testkit/seeds"
	"cbkit/internal/wire"
	"cbkit/model"
	"cbkit/moveenc"

	"pgregory.net/rapid"
)

// files are the files of a database in memory, by their endings.
type files map[string][]byte

func (f files) Has(ext string) bool               { return f[ext] != nil }
func (f files) Name(ext string) string            { return "games" + ext }
func (f files) Changed(string) (time.Time, error) { return time.Time{}, nil }
func (f files) Open(ext string) (*dbfile.File, error) {
	return dbfile.New(fsys.NewMemory(bytes.Clone(f[ext])), f.Name(ext)), nil
}

// open opens files; lost is called for the records of which nothing came out.
func open(t must.TB, f files, lost func(Fate)) *Source {
	s, err := New(context.Background(), f, cbh.CodePage{}, lost)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// record returns the .cbg record of a game of so many half-moves.
func record(t must.TB, plies int) []byte {
	var moves model.Tree
	for i := range plies { // knights go out and back
		moves.Append([]model.Move{
			model.NewMove(model.G1, model.F3), model.NewMove(model.G8, model.F6),
			model.NewMove(model.F3, model.G1), model.NewMove(model.F6, model.G8),
		}[i%4])
	}
	b, err := moveenc.Append(nil, nil, &moves, nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// database returns games of 1, 2, … half-moves, with where their records begin.
func database(t must.TB, games int) (f files, places []int64) {
	head, blocks := cbh.NewFileHeader(uint32(games)), cbh.NewBlockHeader(0, 0)
	headers, moves := head.Append(nil), blocks.Append(nil)
	for i := range games {
		r := cbh.NewGameRecord(-1)
		const none = 1<<24 - 1
		r.White, r.Black, r.Tournament, r.Annotator, r.Source = none, none, none, none, none
		r.MovesOffset, r.MoveCount = uint32(len(moves)), uint8(i/2+1)
		headers, places = r.Append(headers), append(places, int64(len(moves)))
		moves = append(moves, record(t, i+1)...)
	}
	return files{".cbh": headers, ".cbg": moves}, places
}

// A record of the .cbg file can begin behind the header, where its head gives it a
// size that a record can have and that the file has room for.
func TestWhereARecordCanBegin(t *testing.T) {
	const size = 40
	for _, c := range []struct {
		at, stated, want int64
	}{
		{cbh.OldBlockHeaderSize, leastMoves, leastMoves},
		{cbh.OldBlockHeaderSize, leastMoves - 1, 0},
		{cbh.OldBlockHeaderSize, 0, 0},
		{cbh.OldBlockHeaderSize, size - cbh.OldBlockHeaderSize, size - cbh.OldBlockHeaderSize},
		{cbh.OldBlockHeaderSize, size - cbh.OldBlockHeaderSize + 1, 0},
		{cbh.OldBlockHeaderSize - 1, leastMoves, 0},
		{0, leastMoves, 0},
		{-1, leastMoves, 0},
		{size - leastMoves, leastMoves, leastMoves},
		{size - leastMoves + 1, leastMoves, 0},
		{1 << 62, leastMoves, 0},
	} {
		b := make([]byte, size)
		if c.at >= 0 && c.at+moveenc.HeadSize <= size {
			wire.AppendU24BE(b[:c.at+1], uint32(c.stated))
		}
		s := open(t, files{".cbg": b}, nil)
		if got, err := s.blockAt(c.at); err != nil || got.size != c.want || got.at != c.at {
			t.Errorf("%d bytes at %d: %+v, %v; want %d", c.stated, c.at, got, err, c.want)
		}
	}
	if got, err := open(t, files{}, nil).blockAt(100); err != nil || got.size != 0 {
		t.Errorf("of no file: %+v, %v", got, err)
	}
}

// Records begin behind the header; behind the shorter one if it is damaged.
func TestWhereRecordsBegin(t *testing.T) {
	for _, c := range []struct {
		file []byte
		want int64
	}{
		{[]byte{0, cbh.BlockHeaderSize}, cbh.BlockHeaderSize},
		{[]byte{0, cbh.OldBlockHeaderSize}, cbh.OldBlockHeaderSize},
		{[]byte{0xAB, 0xCD}, cbh.OldBlockHeaderSize},
		{[]byte{0}, cbh.OldBlockHeaderSize},
		{nil, 0},
	} {
		f := files{}
		if c.file != nil {
			f[".cbg"] = c.file
		}
		if got := beginOf(open(t, f, nil).moves); got != c.want {
			t.Errorf("% x: %d, want %d", c.file, got, c.want)
		}
	}
}

// Places are reliable that one id alone gives, that ascend with the ids, and whose
// records do not reach into each other: of those, the longest row.
func TestTrust(t *testing.T) {
	for _, c := range []struct {
		what  string
		at    []int64 // by id, from 1; 0: not known
		sizes []int32 // 0: no record can begin there
		want  []model.RecordID
	}{
		{"in order", []int64{30, 40, 50}, []int32{10, 10, 10}, []model.RecordID{1, 2, 3}},
		{"with holes", []int64{30, 45, 90}, []int32{10, 10, 10}, []model.RecordID{1, 2, 3}},
		{"one far ahead", []int64{30, 90, 50, 60}, []int32{10, 10, 10, 10}, []model.RecordID{1, 3, 4}},
		{"one far back", []int64{40, 50, 30, 60}, []int32{10, 10, 10, 10}, []model.RecordID{1, 2, 4}},
		{"two at one place", []int64{30, 40, 40, 60}, []int32{10, 10, 10, 10}, []model.RecordID{1, 4}},
		{"no record there", []int64{30, 40, 50}, []int32{10, 0, 10}, []model.RecordID{1, 3}},
		{"one reaches into the next", []int64{30, 40, 50, 60}, []int32{10, 15, 10, 10}, []model.RecordID{1, 4}},
		{"none", []int64{0, 0}, []int32{0, 0}, nil},
	} {
		s := &Source{count: model.RecordID(len(c.at)), at: append([]int64{0}, c.at...), claims: map[int64]int{}}
		s.reliable = make([]bool, len(s.at))
		s.trust(append([]int32{0}, c.sizes...))
		if !slices.Equal(s.row, c.want) {
			t.Errorf("%s: %v, want %v", c.what, s.row, c.want)
		}
		for id := 1; id < len(s.at); id++ {
			if s.reliable[id] != slices.Contains(c.want, model.RecordID(id)) {
				t.Errorf("%s: %d is trusted: %v", c.what, id, s.reliable[id])
			}
		}
	}
}

// Whatever headers say, reliable records ascend and do not overlap, and every other
// place has its claims counted.
func TestTrustIsARow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "ids")
		s := &Source{count: model.RecordID(n), at: make([]int64, n+1), reliable: make([]bool, n+1), claims: map[int64]int{}}
		sizes := make([]int32, n+1)
		claims := 0
		for id := 1; id <= n; id++ {
			s.at[id] = rapid.Int64Range(0, 60).Draw(t, "at")
			if s.at[id] > 0 {
				claims++
				sizes[id] = rapid.Int32Range(0, 8).Draw(t, "size")
			}
		}
		s.trust(sizes)
		end := int64(0)
		for _, id := range s.row {
			if s.at[id] < end || sizes[id] == 0 {
				t.Fatalf("%d at %d with %d bytes, and the one before ends at %d", id, s.at[id], sizes[id], end)
			}
			end = s.at[id] + int64(sizes[id])
		}
		for _, c := range s.claims {
			claims -= c
		}
		if claims != len(s.row) {
			t.Fatalf("%d places are neither trusted nor claimed", claims-len(s.row))
		}
	})
}

// Every whole record is found, wherever it lies between bytes that are none, and
// nothing else is. A record without its end is none.
func TestScanFindsWholeRecords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := make([]byte, cbh.BlockHeaderSize)
		var want []block
		end := int64(len(b))
		for range rapid.IntRange(0, 6).Draw(t, "records") {
			filler := rapid.SampledFrom([]byte{0, 0xFF}).Draw(t, "filler")
			b = append(b, bytes.Repeat([]byte{filler}, rapid.IntRange(0, 9).Draw(t, "between"))...)
			rec := record(t, rapid.SampledFrom([]int{0, 1, 7, 600}).Draw(t, "plies"))
			at := int64(len(b))
			b = append(b, rec...)
			if rapid.IntRange(0, 4).Draw(t, "cut") == 0 {
				clear(b[at+1 : at+moveenc.HeadSize]) // its size is gone
				continue
			}
			want = append(want, block{at: at, size: int64(len(rec)), follows: at == end})
			end = int64(len(b))
		}
		s := open(t, files{".cbg": b}, nil)
		got, err := s.scan(cbh.BlockHeaderSize, s.end())
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%+v, %v; want %+v", got, err, want)
		}
	})
}

// A file in which every few bytes begin what could be a long record costs no more
// than a limit for each of its bytes.
func TestScanIsLimited(t *testing.T) {
	const size, stated = 1 << 16, 1 << 15
	guide := append(wire.AppendU24BE([]byte{0x80}, stated), 3, 0) // fails at its end only, if at all
	b := bytes.Repeat(guide, size/len(guide))
	s := open(t, files{".cbg": b}, nil)
	list, err := s.scan(cbh.OldBlockHeaderSize, s.end())
	if err != nil || len(list) > 0 {
		t.Fatalf("%d records, %v", len(list), err)
	}
	if limit := int64(scanCost*len(b) + 2*stated); s.decoded > limit || int64(len(b)/2/len(guide))*stated < limit {
		t.Errorf("%d bytes were decoded, the limit is %d", s.decoded, limit)
	}
	if n := s.Unsearched(); n <= 0 || n >= s.end() {
		t.Errorf("%d bytes of %d were not searched", n, s.end())
	}
}

// What becomes of records whose places are lost: those that are found between
// reliable ones go to the ids between them; one too many belongs to nobody, and ids
// for which nothing is found are left with their headers.
func TestWhatIsFound(t *testing.T) {
	const games = 5
	type fate struct {
		id    model.RecordID
		state State
		plies int
	}
	kept := func(skip ...int) (list []fate) {
		for id := 1; id <= games; id++ {
			if !slices.Contains(skip, id) {
				list = append(list, fate{model.RecordID(id), Kept, id})
			}
		}
		return list
	}
	placeOf := func(f files, id int) []byte {
		return f[".cbh"][id*cbh.RecordSize+cbh.GameMoves.At:][:cbh.GameMoves.Size]
	}
	for what, c := range map[string]struct {
		damage func(f files, places []int64)
		want   []fate
	}{
		"nothing": {func(files, []int64) {}, kept()},
		"two places are lost": {func(f files, _ []int64) {
			clear(placeOf(f, 2))
			clear(placeOf(f, 3))
		}, kept()},
		"a place is another record's": {func(f files, _ []int64) { copy(placeOf(f, 2), placeOf(f, 4)) }, kept()},
		"the first place is lost, and the last": {func(f files, _ []int64) {
			clear(placeOf(f, 1))
			clear(placeOf(f, games))
		}, kept()},
		"the .cbh file is lost": {func(f files, _ []int64) { delete(f, ".cbh") },
			[]fate{{1, Found, 1}, {2, Found, 2}, {3, Found, 3}, {4, Found, 4}, {5, Found, 5}}},
		"the last header is lost": {func(f files, _ []int64) { f[".cbh"] = f[".cbh"][:games*cbh.RecordSize] },
			append(kept(games), fate{games, Cut, games})},
		"the .cbg file is lost": {func(f files, _ []int64) { delete(f, ".cbg") },
			[]fate{{1, Cut, 0}, {2, Cut, 0}, {3, Cut, 0}, {4, Cut, 0}, {5, Cut, 0}}},
		"a record is lost with its place": {func(f files, places []int64) {
			clear(placeOf(f, 3))
			clear(f[".cbg"][places[2]:places[3]])
		}, []fate{{1, Kept, 1}, {2, Kept, 2}, {3, Cut, 0}, {4, Kept, 4}, {5, Kept, 5}}},
		"a header and a record are lost": {func(f files, places []int64) {
			clear(f[".cbh"][3*cbh.RecordSize:][:cbh.RecordSize])
			clear(f[".cbg"][places[2]:places[3]])
		}, []fate{{1, Kept, 1}, {2, Kept, 2}, {3, Lost, 0}, {4, Kept, 4}, {5, Kept, 5}}},
		"a size is lost": {func(f files, places []int64) { clear(f[".cbg"][places[2]+1:][:3]) }, kept()},
	} {
		f, places := database(t, games)
		c.damage(f, places)
		var got []fate
		s := open(t, f, func(lost Fate) { got = append(got, fate{lost.ID, lost.State, 0}) })
		for rec := range must.All(t, s.Records(t.Context(), 1, 0)) {
			got = append(got, fate{rec.ID, s.Fate().State, rec.Game.Moves.Len()})
			if s.Fate().ID != rec.ID || (s.Fate().State == Kept) != (len(s.Fate().Why) == 0) {
				t.Errorf("%s: record %d: %+v", what, rec.ID, s.Fate())
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", what, got, c.want)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Whoever wants no more records gets none, and whoever stops is told that.
func TestSalvageIsStopped(t *testing.T) {
	f, _ := database(t, 5)
	n := 0
	for range open(t, f, nil).Records(t.Context(), 1, 0) {
		if n++; n == 2 {
			break
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := open(t, f, nil)
	cancel()
	var last error
	for _, err := range s.Records(ctx, 1, 0) {
		last = err
	}
	if n != 2 || !errors.Is(last, context.Canceled) {
		t.Errorf("%d records, and %v", n, last)
	}
}
