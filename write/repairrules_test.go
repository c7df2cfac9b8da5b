package write

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cbkit/internal/cbh"
	"cbkit/internal/derive"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/must"
	"cbkit/model"

	"pgregory.net/rapid"
)

// files are the files of a database by their endings.
type files map[string][]byte

// head returns the .cbh record of a game or text, ext that of the .cbj file.
func (f files) head(id int) []byte { return f[".cbh"][id*cbh.RecordSize:][:cbh.RecordSize] }

func (f files) ext(id int) []byte {
	return f[".cbj"][cbh.ExtHeaderSize+(id-1)*cbh.ExtRecordSize:][:cbh.ExtRecordSize]
}

// moves returns the .cbg file from the record of a game or text on, annotations the .cba
// file.
func (f files) moves(id int) []byte { return f[".cbg"][cbh.GameMoves.Uint(f.head(id)):] }

func (f files) annotations(id int) []byte { return f[".cba"][cbh.GameAnnotations.Uint(f.head(id)):] }

// player returns the record of a player.
func (f files) player(id int) []byte {
	b := f[".cbp"]
	head, _ := cbh.DecodeEntityHeader(b)
	size := cbh.Players.RecordSize()
	return b[head.Size()+id*size:][:size]
}

// clone returns an independent copy.
func (f files) clone() files {
	c := files{}
	for ext, b := range f {
		c[ext] = bytes.Clone(b)
	}
	return c
}

// flip changes bits of a field.
func flip(f *cbh.Field, record []byte, bits uint64) { f.Put(record, f.Uint(record)^bits) }

// The records of the database that is damaged.
const (
	plain     = 1 // a game
	annotated = 2
	varied    = 3 // has a variation and annotations
	text      = 4
	last      = 5 // has annotations
)

// sound returns the files of a small database without faults.
func sound(t testing.TB) files {
	t.Helper()
	db := &model.Database{}
	for id := plain; id <= last; id++ {
		if id == text {
			guide := model.NewGuidingText()
			guide.SetContents([]model.LocalText{{Language: model.English, Text: "About"}}, []model.LocalText{{Language: model.English, Text: "Games"}})
			db.AddText(guide)
			continue
		}
		g := model.NewGame()
		g.White = db.Tables.Players.Intern(model.Player{LastName: "White"})
		g.Black = db.Tables.Players.Intern(model.Player{LastName: strings.Repeat("B", id)})
		g.Moves.Append(model.NewMove(model.E2, model.E4))
		g.Moves.Append(model.NewMove(model.E7, model.E5))
		if id == varied {
			b := new(model.TreeBuilder)
			e4 := b.Add(model.NoNode, model.NewMove(model.E2, model.E4))
			b.Add(e4, model.NewMove(model.E7, model.E5))
			b.Add(e4, model.NewMove(model.C7, model.C5))
			g.Moves = b.Tree()
		}
		if id == annotated || id == varied || id == last {
			g.Annotate(0, model.Symbols{Move: model.NAGGood})
			g.Annotate(1, model.Text{Text: "a reply"})
		}
		db.AddGame(g)
	}
	dir := t.TempDir()
	clock := func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
	sink := must.Get(Create(context.Background(), filepath.Join(dir, "games.cbh"), Options{Now: clock}))(t)
	must.Do(t, model.Copy(t.Context(), sink, db, model.CopyOptions{}))
	list := must.Get(os.ReadDir(dir))(t)
	f := files{}
	for _, e := range list {
		f[filepath.Ext(e.Name())] = must.Get(os.ReadFile(filepath.Join(dir, e.Name())))(t)
	}
	return f
}

// repair repairs files and returns what becomes of them, with the codes of the
// changes.
func repair(ctx context.Context, t must.TB, f files) (files, []string, error) {
	disk := crashfs.New()
	for ext, b := range f {
		disk.WriteFile("games"+ext, b)
	}
	var codes []string
	_, err := Repair(ctx, "games.cbh", RepairOptions{files: disk, Jobs: 1, Repaired: func(c Repaired) {
		if c.Message == "" || !strings.HasPrefix(c.File, "games.") {
			t.Fatal(c)
		}
		codes = append(codes, c.Code)
	}})
	after := files{}
	for name, b := range disk.Files() {
		if strings.HasPrefix(name, "games.") {
			after[filepath.Ext(name)] = b
		}
	}
	slices.Sort(codes)
	return after, slices.Compact(codes), err
}

// same compares files.
func same(t interface{ Errorf(string, ...any) }, what string, got, want files) {
	for ext, b := range want {
		if bytes.Equal(got[ext], b) {
			continue
		}
		at := 0
		for at < min(len(b), len(got[ext])) && got[ext][at] == b[at] {
			at++
		}
		t.Errorf("%s: %s has %d bytes, want %d; they differ from %d on", what, ext, len(got[ext]), len(b), at)
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d files, want %d", what, len(got), len(want))
	}
}

// mended are damages of all that can be derived, with what a repair calls them.
var mended = []struct {
	code   string
	damage func(files)
}{
	{"bad-header", func(f files) { f[".cbh"][1] ^= 0x55 }},
	{"bad-header", func(f files) { f[".cbj"][4]++ }},
	{"bad-header", func(f files) { f[".cbg"][1]++ }},
	{"bad-header", func(f files) { f[".cba"][1]++ }},
	{"bad-header", func(f files) { f[".cbp"][9] ^= 1 }},
	{"bad-header", func(f files) { f[".cbtt"][7] = 0xFF }},
	{"bad-header", func(f files) { f[".cbm"][7] = 0xFF }},
	{"record-count", func(f files) { f[".cbh"][9]++ }},
	{"record-count", func(f files) { f[".cbh"][9]-- }},
	{"ext-count", func(f files) { f[".cbj"][8]-- }},
	{"offset-twins", func(f files) { flip(&cbh.ExtMoves, f.ext(plain), 3) }},
	{"offset-twins", func(f files) { flip(&cbh.GameMoves, f.head(plain), 1<<30) }},
	{"offset-twins", func(f files) { flip(&cbh.GameAnnotations, f.head(annotated), 1<<30) }},
	{"offset-outside", func(f files) { flip(&cbh.ExtMoves, f.ext(plain), 1<<50) }},
	{"record-size", func(f files) { f.moves(last)[1] = 0xFF }},
	{"record-size", func(f files) { f.moves(plain)[3] = 1 }},
	{"record-size", func(f files) { f.annotations(varied)[10] = 0xFF }},
	{"record-type", func(f files) { f.head(plain)[0] = 0 }},
	{"checksum", func(f files) { flip(&cbh.ExtChecksum, f.ext(last), 1) }},
	{"stale-flags", func(f files) { flip(&cbh.GameFlags, f.head(varied), uint64(derive.FlagVariations)) }},
	{"stale-flags", func(f files) { flip(&cbh.GameFlags, f.head(plain), 1<<3) }},
	{"stale-magnitude", func(f files) { flip(&cbh.GameMagnitude, f.head(varied), 0xFFFF) }},
	{"stale-medals", func(f files) { flip(&cbh.GameMedals, f.head(annotated), 4) }},
	{"stale-move-count", func(f files) { flip(&cbh.GameMoveCount, f.head(plain), 7) }},
	{"stale-material", func(f files) {
		flip(&cbh.ExtMaterial, f.ext(plain), 1)
		cbh.PutSum(f.ext(plain))
	}},
	{"annotation-head", func(f files) { f.annotations(annotated)[2] ^= 0x40 }},
	{"annotation-head", func(f files) { f.annotations(annotated)[4] ^= 0x40 }},
	{"annotation-count", func(f files) { f.annotations(annotated)[9]++ }},
	{"text-mark", func(f files) { f.moves(text)[0] &^= 1 << 7 }},
	{"live-count", func(f files) { f[".cbp"][20]++ }},
	{"reference-count", func(f files) { f.player(0)[cbh.Players.RecordSize()-8]++ }},
	{"first-reference", func(f files) { f.player(0)[cbh.Players.RecordSize()-4]++ }},
	{"declared-size", func(f files) { f[".cbg"][5]++ }},
	{"declared-size", func(f files) { f[".cba"][10] = 1 }},
	{"hole-count", func(f files) { f[".cba"][9]++ }},
	{"header-twins", func(f files) { f[".cbg"][25]++ }},
}

// Each damage alone is told by its code, and every byte becomes what it was.
func TestRepairMakesTrue(t *testing.T) {
	f := sound(t)
	for i, m := range mended {
		damaged := f.clone()
		m.damage(damaged)
		after, codes, err := repair(t.Context(), t, damaged)
		if err != nil || !slices.Equal(codes, []string{m.code}) {
			t.Errorf("%d: %q, %v; want %s", i, codes, err, m.code)
		}
		same(t, m.code, after, f)
	}
}

// Of a database without faults nothing changes, and of one that was repaired
// nothing more does.
func TestRepairOfTheSound(t *testing.T) {
	f := sound(t)
	after, codes, err := repair(t.Context(), t, f)
	if err != nil || len(codes) > 0 {
		t.Errorf("%q, %v", codes, err)
	}
	same(t, "sound", after, f)
}

// Whatever bytes are damaged, a repair ends well, and a second one changes nothing.
func TestRepairOnce(t *testing.T) {
	f := sound(t)
	exts := make([]string, 0, len(f))
	for ext := range f {
		exts = append(exts, ext)
	}
	slices.Sort(exts)
	rapid.Check(t, func(t *rapid.T) {
		damaged := f.clone()
		for range rapid.IntRange(1, 4).Draw(t, "faults") {
			b := damaged[rapid.SampledFrom(exts).Draw(t, "file")]
			if len(b) > 0 {
				b[rapid.IntRange(0, len(b)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
			}
		}
		once, _, err := repair(context.Background(), t, damaged)
		if err != nil {
			t.Fatal(err)
		}
		twice, codes, err := repair(context.Background(), t, once)
		if err != nil || len(codes) > 0 {
			t.Fatalf("again: %q, %v", codes, err)
		}
		same(t, "again", twice, once)
	})
}

// What follows from something that is not sound stays as it is, byte for byte, and
// wrong as it may be.
func TestNothingIsGuessed(t *testing.T) {
	f := sound(t)
	for what, damage := range map[string]func(files){
		"counts, of references that lead nowhere": func(f files) {
			cbh.GameWhite.Put(f.head(plain), 999)
			f.player(1)[cbh.Players.RecordSize()-8]++
		},
		"a number of moves, of moves that do not decode": func(f files) {
			f.moves(plain)[4] ^= 0x5A
			flip(&cbh.GameMoveCount, f.head(plain), 7)
		},
		"medals, of annotations whose sizes lead nowhere": func(f files) {
			f.annotations(last)[18] = 0xFF
			flip(&cbh.GameMedals, f.head(last), 4)
		},
		"records that share their bytes": func(f files) {
			at := cbh.GameMoves.Uint(f.head(plain))
			cbh.GameMoves.Put(f.head(annotated), at)
			cbh.ExtMoves.Put(f.ext(annotated), at)
			flip(&cbh.GameMoveCount, f.head(plain), 7)
			flip(&cbh.GameMoveCount, f.head(annotated), 7)
		},
		"a place that both headers have wrong": func(f files) {
			cbh.GameMoves.Put(f.head(plain), 1<<30)
			cbh.ExtMoves.Put(f.ext(plain), 1<<30)
			f[".cbg"][9]++
		},
		"a checksum, of a version that is not known": func(f files) {
			f[".cbj"][0] = 99
			flip(&cbh.ExtChecksum, f.ext(plain), 1)
		},
		"flags, of annotations that nobody points to": func(f files) {
			cbh.GameAnnotations.Put(f.head(annotated), 0)
			cbh.ExtAnnotations.Put(f.ext(annotated), 0)
			cbh.PutSum(f.ext(annotated))
		},
		"places, of headers that stand beside the .cbj records of others": func(f files) {
			for i, b := range f.head(plain) {
				f.head(plain)[i], f.head(annotated)[i] = f.head(annotated)[i], b
			}
		},
		"a tree, of two names that are exchanged": func(f files) {
			for i, b := range f.player(1) {
				f.player(1)[i], f.player(3)[i] = f.player(3)[i], b
			}
		},
		"sizes, of a file that ends too early": func(f files) {
			f[".cbg"] = f[".cbg"][:len(f[".cbg"])-1]
		},
		"a number of records, of a file that ends too early": func(f files) {
			f[".cbh"] = f[".cbh"][:len(f[".cbh"])-cbh.RecordSize]
		},
		"a tree, of a file that ends too early": func(f files) {
			f[".cbp"] = f[".cbp"][:len(f[".cbp"])-1]
		},
		"a header that is wrong in other ways too": func(f files) {
			f[".cbg"][1]++
			f[".cbg"][5]++
		},
		"places, with a .cbj file whose records have another size than those of its version": func(f files) {
			f[".cbj"][4]++
			f[".cbj"] = f[".cbj"][:len(f[".cbj"])-1]
		},
	} {
		damaged := f.clone()
		damage(damaged)
		after, codes, err := repair(t.Context(), t, damaged)
		if err != nil || len(codes) > 0 {
			t.Errorf("%s: %q, %v", what, codes, err)
		}
		same(t, what, after, damaged)
	}
}

// Of a file that ends in its header, or is empty, nothing is known: repairing tells
// it, or leaves it alone.
func TestRepairOfCutHeaders(t *testing.T) {
	f := sound(t)
	for ext := range f {
		for _, n := range []int{0, 1, 2, 3, 4, 5, 8, 11, 12, 23, 24, 27, 28, 31, 32, 45, 127} {
			if n < len(f[ext]) {
				damaged := f.clone()
				damaged[ext] = damaged[ext][:n]
				_, _, _ = repair(t.Context(), discardFatal{}, damaged) // it does not panic
			}
		}
	}
}

// Bytes behind the last record become a hole: nothing is cut off.
func TestBytesBehindTheEndAreKept(t *testing.T) {
	f := sound(t)
	want := f.clone()
	for _, ext := range []string{".cbg", ".cba"} {
		f[ext] = append(f[ext], "what is this?"...)
		head := cbh.NewBlockHeader(uint64(len(f[ext])), uint64(len("what is this?")))
		want[ext] = append(head.Append(nil), f[ext][cbh.BlockHeaderSize:]...)
	}
	after, codes, err := repair(t.Context(), t, f)
	if err != nil || !slices.Equal(codes, []string{"trailing-bytes"}) {
		t.Errorf("%q, %v", codes, err)
	}
	same(t, "trailing bytes", after, want)
}

// Records of the .cbj file that are missing are made, and say where their parts are
// and nothing else; references follow.
func TestMissingExtRecordsAreMade(t *testing.T) {
	f := sound(t)
	damaged := f.clone()
	damaged[".cbj"] = damaged[".cbj"][:cbh.ExtHeaderSize+3*cbh.ExtRecordSize]
	damaged[".cbj"][8] = 3
	after, codes, err := repair(t.Context(), t, damaged)
	if err != nil || !slices.Equal(codes, []string{"ext-count", "reference-count"}) {
		t.Errorf("%q, %v", codes, err)
	}
	if len(after[".cbj"]) != len(f[".cbj"]) || after[".cbj"][8] != last {
		t.Fatalf("%d bytes count %d records, want %d, %d", len(after[".cbj"]), after[".cbj"][8], len(f[".cbj"]), last)
	}
	made, was := cbh.DecodeExtRecord(after.ext(last)), cbh.DecodeExtRecord(f.ext(last))
	want := cbh.DefaultExtRecord()
	want.MovesOffset = was.MovesOffset
	want.SetAnnotationsOffset(was.AnnotationsOffset)
	if !bytes.Equal(made.Append(nil, cbh.ExtRecordSize), want.Append(nil, cbh.ExtRecordSize)) {
		t.Errorf("%+v, want %+v", made, want)
	}
}

// Traces go with what they are about, and stay where nothing of that has changed.
func TestTracesGoWithTheirGames(t *testing.T) {
	for what, c := range map[string]struct {
		damage func(files)
		stay   bool
	}{
		"nothing":       {func(files) {}, true},
		"a name's tree": {func(f files) { f[".cbp"][20]++ }, true},
		"a game":        {func(f files) { flip(&cbh.GameMoveCount, f.head(plain), 7) }, false},
	} {
		f := sound(t)
		dir := t.TempDir()
		for ext, b := range f {
			must.Do(t, os.WriteFile(filepath.Join(dir, "games"+ext), b, 0o644))
		}
		must.Get(Boosters(t.Context(), filepath.Join(dir, "games.cbh"), BoosterOptions{Files: []string{".cbb"}}))(t)
		var err error
		f[".cbb"] = must.Get(os.ReadFile(filepath.Join(dir, "games.cbb")))(t)
		c.damage(f)
		after, codes, err := repair(t.Context(), t, f)
		if _, stays := after[".cbb"]; err != nil || stays != c.stay || slices.Contains(codes, "booster-unsealed") == c.stay {
			t.Errorf("%s: %v, %q, %v", what, stays, codes, err)
		}
	}
}

// A repair that is stopped changes nothing.
func TestRepairIsStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := sound(t)
	f.head(plain)[45]++
	after, _, err := repair(ctx, discardFatal{t}, f)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	same(t, "stopped", after, f)
}

// discardFatal takes changes that were begun for what they are.
type discardFatal struct{ testing.TB }

func (discardFatal) Fatal(...any) {}
