package check_test

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"cbkit/check"
	"cbkit/internal/cbh2"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
)

// madeChessBase2 reads the files of a made database.
func madeChessBase2(t *testing.T, name string) fstest.MapFS {
	files := fstest.MapFS{}
	for _, ext := range []string{".2cbh", ".2cbg", ".2cba", ".2lid", ".2lgd", ".2lcd"} {
		files["Games"+ext] = &fstest.MapFile{Data: corpus.Read(t, "2cbh/"+name+ext)}
	}
	return files
}

// judged returns what a check finds: severity, ending and code of each kind.
func judged(t *testing.T, files fs.FS) (found []string) {
	t.Helper()
	kinds := map[string]bool{}
	made := check.ChessBase2(t.Context(), "Games.2cbh", check.Options{FS: files})
	for f := range must.All(t, made.Findings()) {
		kinds[f.Severity.String()+" "+strings.TrimPrefix(f.File, "Games")+" "+strings.TrimPrefix(f.Code, "2cbh-")] = true
	}
	return slices.Sorted(maps.Keys(kinds))
}

// reframed changes the content of the first frame behind an offset and its sum.
func reframed(b []byte, offset int, change func(content []byte)) {
	offset += bytes.Index(b[offset:], cbh2.Magic)
	content := b[offset+cbh2.FrameHeadSize:][:binary.LittleEndian.Uint32(b[offset+8:])]
	change(content)
	binary.BigEndian.PutUint64(b[offset+16:], cbh2.Checksum(content))
}

// Each kind of damage has its finding, and nothing else.
func TestChessBase2Faults(t *testing.T) {
	const many = "many"
	for _, c := range []struct {
		name, of string
		damage   func(f fstest.MapFS)
		want     []string
	}{
		{"nothing", many, func(fstest.MapFS) {}, nil},
		{"no annotations", many, func(f fstest.MapFS) { delete(f, "Games.2cba") }, []string{"note .2cba missing-optional-file"}},
		{"no moves", many, func(f fstest.MapFS) { delete(f, "Games.2cbg") }, []string{"error .2cbg missing-file"}},
		{"no names", many, func(f fstest.MapFS) { delete(f, "Games.2lid") }, []string{"error .2lid missing-file"}},
		{"record size", many, func(f fstest.MapFS) { f["Games.2cbh"].Data[10] = 46 }, []string{"error .2cbh header"}},
		{"version", many, func(f fstest.MapFS) { f["Games.2cbh"].Data[13] = 3 }, []string{"note .2cbh version"}},
		{"next id", many, func(f fstest.MapFS) { f["Games.2cbh"].Data[16]++ }, []string{"error .2cbh next-id"}},
		{"cut headers", many, func(f fstest.MapFS) { f["Games.2cbh"].Data = f["Games.2cbh"].Data[:192*151-1] },
			[]string{"error .2cbh cut-file", "error .2cbh next-id", "note .2cba unused", "note .2cbg unused", "note .2lgd list"}},
		{"size", many, func(f fstest.MapFS) { f["Games.2cbg"].Data[0]++ }, []string{"note .2cbg file-size"}},
		{"kind", many, func(f fstest.MapFS) { f["Games.2cbh"].Data[192*5+2] = 7 },
			[]string{"error .2cbh kind", "note .2cba unused", "note .2cbg unused", "note .2lgd list"}},
		{"no such player", many, func(f fstest.MapFS) { f["Games.2cbh"].Data[192*5+0x1a] = 7 }, []string{"error .2cbh reference", "note .2lgd list"}},
		{"a deleted player", "made", func(f fstest.MapFS) { f["Games.2cbh"].Data[192+0x18] = 7 },
			[]string{"error .2cbh reference", "note .2cbg field", "note .2cbh code-page", "note .2lcd order", "note .2lgd list"}},
		{"result", many, func(f fstest.MapFS) { f["Games.2cbh"].Data[192*5+0x58] = 9 }, []string{"note .2cbh field"}},
		{"offset", many, func(f fstest.MapFS) { f["Games.2cbh"].Data[192*5+0x0e] = 9 }, []string{"error .2cbh frame", "note .2cbg unused"}},
		{"two of one place", many, func(f fstest.MapFS) { copy(f["Games.2cbh"].Data[192*5+8:][:8], f["Games.2cbh"].Data[192*6+8:]) }, []string{"note .2cbg unused"}},
		{"sum", many, func(f fstest.MapFS) { f["Games.2cbg"].Data[12+16]++ }, []string{"error .2cbg frame"}},
		{"trailing size", many, func(f fstest.MapFS) { f["Games.2cba"].Data[len(f["Games.2cba"].Data)-8]++ }, []string{"error .2cba frame"}},
		{"a word", many, func(f fstest.MapFS) { reframed(f["Games.2cbg"].Data, 12, func(b []byte) { b[2], b[3] = 0xff, 0xc5 }) }, []string{"error .2cbg moves"}},
		{"a type", "made", func(f fstest.MapFS) {
			reframed(f["Games.2cba"].Data, 12, func(b []byte) { b[8] = 0x60 })
		}, []string{"note .2cba annotation-type", "note .2cbg field"}},
		{"a place", "made", func(f fstest.MapFS) {
			reframed(f["Games.2cba"].Data, 12, func(b []byte) { b[bytes.LastIndex(b, []byte{0x13, 0, 0, 0, 3})+1] = 1 })
		}, []string{"error .2cba place", "note .2cbg field", "note .2cbh code-page"}},
		{"a count", "made", func(f fstest.MapFS) { reframed(f["Games.2cba"].Data, 12, func(b []byte) { b[4] = 2 }) }, []string{"error .2cba annotations", "note .2cbg field"}},
		{"flags", many, func(f fstest.MapFS) { f["Games.2cbh"].Data[192*5+0x84] ^= 2 }, []string{"note .2cbh derived"}},
		{"full moves", many, func(f fstest.MapFS) { f["Games.2cbh"].Data[192*5+0x8a]++ }, []string{"note .2cbh derived"}},
		{"a name", many, func(f fstest.MapFS) { f["Games.2lid"].Data[184+4234*3+5] = 9 }, []string{"error .2lid name", "note .2lcd order"}},
		{"names cut", many, func(f fstest.MapFS) { f["Games.2lid"].Data = f["Games.2lid"].Data[:184+4234*129] }, []string{"error .2cbh reference", "error .2lid cut-file", "note .2lcd order"}},
		{"first deleted", many, func(f fstest.MapFS) { f["Games.2lid"].Data[8+19] = 1 }, []string{"note .2lid deleted-names"}},
		{"a count of a list", many, func(f fstest.MapFS) { f["Games.2lgd"].Data[12+8*21]++ }, []string{"note .2lgd list"}},
		{"another record", many, func(f fstest.MapFS) { f["Games.2lgd"].Data[12+8]++ }, []string{"note .2lgd list"}},
		{"a block", many, func(f fstest.MapFS) { f["Games.2lgd"].Data[12+256+8] = 31 }, []string{"note .2lgd list"}},
		{"a key", many, func(f fstest.MapFS) { f["Games.2lcd"].Data[2*4096+40+24]++ }, []string{"note .2lcd order"}},
		{"a link", many, func(f fstest.MapFS) { f["Games.2lcd"].Data[2*4096+40+1] = 7 }, []string{"note .2lcd order"}},
		{"a parent", many, func(f fstest.MapFS) { f["Games.2lcd"].Data[2*4096+40+16]++ }, []string{"note .2lcd order"}},
		{"a root", many, func(f fstest.MapFS) { f["Games.2lcd"].Data[4096+12] = 1 }, []string{"note .2lcd order"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := madeChessBase2(t, c.of)
			c.damage(files)
			if got := judged(t, files); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// The made databases have no errors, and their records come back from their values.
func TestChessBase2Made(t *testing.T) {
	for _, name := range []string{"made", "many", "variants/wide", "variants/version3", "variants/UPPER", "variants/empty"} {
		made := check.ChessBase2(t.Context(), corpus.Path(t, "2cbh/"+name+".expected.json")[:len(corpus.Path(t, "2cbh/"+name+".expected.json"))-len(".expected.json")], check.Options{Verify: true, Jobs: 2})
		summary, err := made.Summary()
		report, _ := made.Report()
		if err != nil || summary.Errors > 0 || len(summary.Files) != 6 || len(report.Files) != 4 || report.Different()+report.Undecoded() > 0 {
			t.Errorf("%s: %+v, %+v, %v", name, summary, report, err)
		}
		for _, f := range report.Files {
			if left := f.Records - f.Exact; left > 0 && (name == "many" || f.Kept != 1 || left != 1) { // a text that is no UTF-8
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
}

// What keeps a record from being read whole is an error of a check, and a check of any
// bytes ends.
func TestChessBase2CheckSeesWhatReadingSees(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	for i := range 400 {
		files := madeChessBase2(t, []string{"made", "many"}[i%2])
		for range 1 + rng.IntN(4) {
			f := files["Games"+[]string{".2cbh", ".2cbg", ".2cba", ".2lid", ".2lgd", ".2lcd"}[rng.IntN(6)]]
			at := rng.IntN(min(len(f.Data), 9000))
			f.Data[at] = byte(rng.IntN(256))
			if rng.IntN(8) == 0 {
				f.Data = f.Data[:at]
			}
		}
		faults := []error{}
		note := func(err error) { faults = append(faults, err) }
		db, err := read.OpenFS(files, "Games.2cbh", read.Options{Jobs: 1, Warn: func(error) {}, Damage: note})
		if err != nil {
			note(err)
		} else {
			for rec, err := range db.Records(t.Context(), 1, model.WantAll) {
				if err != nil {
					note(err)
				}
				faults = append(faults, rec.Faults()...)
			}
		}
		found := judged(t, files)
		if hasErrors := slices.ContainsFunc(found, func(s string) bool { return strings.HasPrefix(s, "error") }); len(faults) > 0 && !hasErrors {
			t.Errorf("database %d: %v; the check has %q", i, faults, found)
		}
	}
}
