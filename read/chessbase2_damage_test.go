package read

import (
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// files2 are the files of a made database that are read.
func files2(t *testing.T, name string) fstest.MapFS {
	files := fstest.MapFS{}
	for _, ext := range []string{".2cbh", ".2cbg", ".2cba", ".2lid"} {
		files["Games"+ext] = &fstest.MapFile{Data: corpus.Read(t, "2cbh/"+name+ext)}
	}
	return files
}

// readAll2 reads all of a database: its games and texts, the moves of all, and what
// is wrong.
func readAll2(t *testing.T, files fstest.MapFS, rescue bool) (records, moves, faults int) {
	t.Helper()
	opt := Options{Jobs: 1, Warn: func(error) {}, Damage: func(error) { faults++ }}
	var db Database
	var err error
	if rescue {
		set := must.Get(FindFilesFS(files, "Games.2cbh"))(t)
		db, _, err = RescueChessBase2(set, opt)
	} else {
		db, err = OpenFS(files, "Games.2cbh", opt)
	}
	if err != nil {
		return 0, 0, 1
	}
	defer db.Close()
	for rec, err := range db.Records(t.Context(), 1, model.WantAll) {
		if err != nil {
			faults++
			continue
		}
		records++
		faults += len(rec.Faults())
		if g := rec.Game; g != nil {
			moves += g.Moves.Len()
			for _, id := range []model.EntityID{g.White, g.Black} {
				if id != model.NoEntity {
					_ = db.Entities().Players.Value(id)
				}
			}
		}
	}
	return records, moves, faults
}

// Where a database is cut, it says so: no game or move is missing in silence.
func TestChessBase2Truncated(t *testing.T) {
	whole := files2(t, "made")
	records, moves, faults := readAll2(t, whole, false)
	if records != 12 || faults > 0 {
		t.Fatal(records, moves, faults)
	}
	for name, f := range whole {
		full := f.Data
		step := 1
		if len(full) > 8192 {
			step = 61
		}
		for n := 0; n < len(full); n += step * int(crashfs.Of(5, 1, 1)) {
			f.Data = full[:n]
			if r, m, faults := readAll2(t, whole, false); faults == 0 && (r != records || m != moves) {
				t.Errorf("%s of %d bytes: %d records, %d moves, and nothing is wrong", name, n, r, m)
			}
			if n%7 == 0 {
				readAll2(t, whole, true)
			}
		}
		f.Data = full
	}
}

// Whatever bytes are changed, reading ends, in bounded memory, and no record is missing in
// silence.
func TestChessBase2Damaged(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 42))
	var before, after runtime.MemStats
	for i := range crashfs.Of(300, 2000, 2000) {
		of := []string{"made", "many"}[i%2]
		files := files2(t, of)
		want := 12
		if of == "many" {
			want = 150
		}
		for range 1 + rng.IntN(8) {
			f := files["Games"+[]string{".2cbh", ".2cbg", ".2cba", ".2lid"}[rng.IntN(4)]]
			at := rng.IntN(min(len(f.Data), 4096))
			switch rng.IntN(4) {
			case 0:
				f.Data[at] ^= 1 << rng.IntN(8)
			case 1:
				f.Data[at] = 0xff
			case 2: // a large number
				for j := at &^ 3; j < min(at&^3+4, len(f.Data)); j++ {
					f.Data[j] = []byte{0xff, 0x7f, 0, 0x80}[rng.IntN(4)]
				}
			default:
				f.Data[at] = byte(rng.IntN(256))
			}
		}
		runtime.ReadMemStats(&before)
		records, _, faults := readAll2(t, files, false)
		readAll2(t, files, true)
		runtime.ReadMemStats(&after)
		if records != want && faults == 0 {
			t.Errorf("database %d: %d records, and nothing is wrong", i, records)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
			t.Errorf("database %d took %d bytes", i, used)
		}
	}
}

// A record that refers to a deleted name says so, where names are looked at.
func TestChessBase2DeletedName(t *testing.T) {
	files := files2(t, "made")
	files["Games.2cbh"].Data[192+0x18] = 7
	db := must.Get(OpenFS(files, "Games.2cbh", Options{}))(t)
	defer db.Close()
	rec, err := db.Record(t.Context(), 1, model.WantAll)
	if err != nil || len(rec.Faults()) != 1 || !strings.Contains(rec.Faults()[0].Error(), "player 7 is deleted") || rec.Game.White != model.NoEntity {
		t.Errorf("%v, %v", rec.Faults(), err)
	}
}
