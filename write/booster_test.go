package write_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/booster"
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/derive"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// withoutBoosters copies the files of a real database, leaving its boosters
// out, and returns both sets.
func withoutBoosters(t *testing.T, name string) (real, copied *read.FileSet) {
	t.Helper()
	real = must.Get(read.FindFiles(corpus.Path(t, name)))(t)
	dir := gen.Folder(t)
	for _, ext := range real.Endings() {
		if slices.Contains(write.BoosterExts(), ext) {
			continue
		}
		must.Do(t, os.WriteFile(filepath.Join(dir, real.Name(ext)), readFile(t, real.Path(ext)), 0o644))
	}
	return real, findFiles(t, filepath.Join(dir, real.Name(".cbh")))
}

// withBoosters computes the boosters of a database.
func withBoosters(t *testing.T, path string) string {
	t.Helper()
	must.Get(write.Boosters(t.Context(), path, write.BoosterOptions{}))(t)
	return path
}

func findFiles(t testing.TB, path string) *read.FileSet {
	t.Helper()
	return must.Get(read.FindFiles(path))(t)
}

// allLists reads every list of a pair of files.
func allLists(t testing.TB, files *read.FileSet, pair *cbh.ListFile) map[derive.Reference][]int32 {
	t.Helper()
	lists := must.Get(booster.OpenLists(cbhdb.FilesOf(files), pair))(t)
	defer lists.Close()
	all := map[derive.Reference][]int32{}
	for id := range lists.Rows {
		row := must.Get(lists.Row(nil, id))(t)
		for kind, ends := range row {
			ids := must.Get(lists.Append(nil, id, cbh.ListKind(kind), ends, 1<<24, nil))(t)
			if len(ids) > 0 {
				all[derive.Reference{Kind: cbh.ListKind(kind), Entity: id}] = ids
			}
		}
	}
	return all
}

// Rebuilt lists are those of ChessBase, entity by entity. The numbers of blocks
// are not: they tell the history of a file. How many bytes are equal all the
// same is known. (docs/formats/boosters.md 7)
func TestRebuiltListsEqualReal(t *testing.T) {
	for _, c := range []struct {
		database                string
		pair                    *cbh.ListFile
		files                   []string
		equalTable, tableSize   int
		equalBlocks, blocksSize int
		lists                   int
	}{
		{"cbh/hedgehog/Hedgehog.cbh", &cbh.Lists, nil, 8735, 9772, 17118, 32204, 496},
		{"cbh/world-ch/World-ch.cbh", &cbh.Lists, []string{"cit"}, 2838, 3292, 20768, 32908, 185},
		{"cbh/world-ch/World-ch.cbh", &cbh.TitleLists, []string{"cib2"}, 25, 28, 585, 780, 2},
	} {
		t.Run(filepath.Base(c.database)+c.pair.Table, func(t *testing.T) {
			real, copied := withoutBoosters(t, c.database)
			must.Get(write.Boosters(context.Background(), copied.Path(".cbh"), write.BoosterOptions{Files: c.files}))(t)
			copied = findFiles(t, copied.Path(".cbh"))
			got, want := allLists(t, copied, c.pair), allLists(t, real, c.pair)
			if !maps.EqualFunc(got, want, slices.Equal) {
				t.Errorf("the lists differ")
			}
			t.Logf("%d lists", len(want))
			for _, f := range []struct {
				ext         string
				equal, size int
			}{{c.pair.Table, c.equalTable, c.tableSize}, {c.pair.Blocks, c.equalBlocks, c.blocksSize}} {
				equal, size := equalBytes(readFile(t, copied.Path(f.ext)), readFile(t, real.Path(f.ext)))
				if equal != f.equal || size != f.size {
					t.Errorf("%s: %d of %d bytes are equal, want %d of %d", f.ext, equal, size, f.equal, f.size)
				}
			}
		})
	}
}

// equalBytes counts the bytes that are equal at the same place, and those of
// the second slice.
func equalBytes(a, b []byte) (equal, size int) {
	for i := range min(len(a), len(b)) {
		if a[i] == b[i] {
			equal++
		}
	}
	return equal, len(b)
}

func TestRebuiltOffsetsEqualReal(t *testing.T) {
	real, copied := withoutBoosters(t, "cbh/world-ch/World-ch.cbh")
	must.Get(write.Boosters(context.Background(), copied.Path(".cbh"), write.BoosterOptions{Files: []string{".cbgi"}}))(t)
	got := readFile(t, copied.Path(".cbgi"))
	if !bytes.Equal(got, readFile(t, real.Path(".cbgi"))) {
		t.Error("World-ch.cbgi differs")
	}
	// Places in the real file.
	for at, want := range map[int]string{0: "0e040000 1a000000 7d010000 f5020000", 4 * 99: "00000000", 4 * 1037: "8f804600 4c814600"} {
		want = strings.ReplaceAll(want, " ", "")
		if got := fmt.Sprintf("%x", got[at:at+len(want)/2]); got != want {
			t.Errorf("%d: %s, want %s", at, got, want)
		}
	}
}

// A database that cannot have a booster says so.
func TestBoostersThatCannotBe(t *testing.T) {
	_, world := withoutBoosters(t, "cbh/world-ch/World-ch.cbh")
	_, hedgehog := withoutBoosters(t, "cbh/hedgehog/Hedgehog.cbh")
	for _, c := range []struct {
		path  string
		files []string
		want  string
	}{
		{world.Path(".cbh"), []string{"cbb"}, "World-ch.cbg"},
		{hedgehog.Path(".cbh"), []string{"cit2"}, "has no game titles"},
		{hedgehog.Path(".cbh"), []string{"cbp"}, `"cbp" is no search booster`},
		{filepath.Join(world.Dir, "nothing.cbh"), nil, "nothing.cbh"},
	} {
		_, err := write.Boosters(context.Background(), c.path, write.BoosterOptions{Files: c.files})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: %v", c.path, c.files, err)
		}
	}
	for _, set := range []*read.FileSet{world, hedgehog} {
		entries := must.Get(os.ReadDir(set.Dir))(t)
		for _, e := range entries {
			if strings.Contains(e.Name(), "cbkit") {
				t.Errorf("%s was left behind", e.Name())
			}
		}
	}
}

// Where a part of the database is missing or damaged, the boosters that need it
// are left out, and the others written.
func TestBoostersThatCanBe(t *testing.T) {
	for _, c := range []struct {
		database, ext string
		damage        func(b []byte) []byte // nil removes the file
		left, reason  string
		files         int
	}{
		{"cbh/world-ch/World-ch.cbh", "", nil, "World-ch.cbb", "World-ch.cbg", 5},
		{"cbh/twic1134/twic1134.cbh", ".cbl", nil, "twic1134.cit2 twic1134.cib2", "twic1134.cbl is missing", 4},
		{"cbh/twic1134/twic1134.cbh", ".cbp", nil, "twic1134.cbb, twic1134.cit twic1134.cib", "twic1134.cbp", 3},
		{"cbh/twic1134/twic1134.cbh", ".cbs", func(b []byte) []byte { b[8]++; return b }, "twic1134.cit twic1134.cib, twic1134.cbb", "twic1134.cbs", 3},
		{"cbh/twic1134/twic1134.cbh", ".cbt", func(b []byte) []byte { return b[:len(b)-1] }, "twic1134.cit twic1134.cib", "twic1134.cbt has", 4},
	} {
		_, copied := withoutBoosters(t, c.database)
		if c.ext != "" {
			var err error
			if c.damage == nil {
				err = os.Remove(copied.Path(c.ext))
			} else {
				err = os.WriteFile(copied.Path(c.ext), c.damage(readFile(t, copied.Path(c.ext))), 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		result, err := write.Boosters(context.Background(), copied.Path(".cbh"), write.BoosterOptions{Jobs: 1})
		if err != nil {
			t.Errorf("%s without a sound %s: %v", c.database, c.ext, err)
			continue
		}
		var left []string
		for _, skipped := range result.Skipped {
			left = append(left, strings.Join(skipped.Files, " "))
			if !strings.Contains(skipped.Reason, c.reason) {
				t.Errorf("%v: %s, want %q in it", skipped.Files, skipped.Reason, c.reason)
			}
		}
		if got := strings.Join(left, ", "); got != c.left || len(result.Files) != c.files {
			t.Errorf("%s without a sound %s: left out %s, wrote %v", c.database, c.ext, got, result.Files)
		}
		for _, name := range result.Files {
			readFile(t, filepath.Join(copied.Dir, name))
		}
	}
}

// Create writes them on request, and a rebuild gives the same bytes again.
func TestCreateWithBoosters(t *testing.T) {
	databases := gen.Database(gen.Config{NoTags: true, Undecodable: true, NoHalfMoves: true, Records: 60})
	for seed := range 8 {
		db := databases.Example(seed)
		path := withBoosters(t, create(t, db, write.Options{AcceptLosses: true}))
		set := findFiles(t, path)
		first := map[string][]byte{}
		for _, ext := range write.BoosterExts() {
			first[ext] = readFile(t, set.Path(ext))
			must.Do(t, os.Remove(set.Path(ext)))
		}
		result, err := write.Boosters(context.Background(), path, write.BoosterOptions{Memory: 64, Jobs: 1})
		if err != nil || len(result.Files) != 6 || result.Records != len(db.List) {
			t.Fatalf("%+v, %v", result, err)
		}
		for ext, want := range first {
			if !bytes.Equal(readFile(t, set.Path(ext)), want) {
				t.Fatalf("seed %d: %s is another one after a rebuild", seed, ext)
			}
		}
		checkTraces(t, path, first[".cbb"], result.Undecoded)
		for _, ext := range write.BoosterExts() {
			files := cbhdb.FilesOf(findFiles(t, path))
			must.Do(t, booster.CheckSeal(files, ext), booster.CheckSums(files, ext))
		}
	}
}

// checkTraces compares a .cbb file with the games of its database.
func checkTraces(t *testing.T, path string, file []byte, undecoded int) {
	t.Helper()
	db := must.Get(read.Open(path, read.Options{}))(t)
	defer db.Close()
	if len(file) != cbh.TraceSize*(db.Count()+1) {
		t.Fatalf("%d bytes for %d records", len(file), db.Count())
	}
	for rec, err := range db.Records(context.Background(), 1, model.WantMoves) {
		var want cbh.GameTrace
		switch g := rec.Game; {
		case err != nil && rec.ID == 0:
			t.Fatal(err)
		case g == nil: // a text, perhaps one that cannot be read
		case g.MovesErr != nil:
			undecoded--
		default:
			want = must.Get(derive.Trace(g.Start, &g.Moves))(t)
		}
		if got := file[cbh.TraceSize*int(rec.ID):][:cbh.TraceSize]; !bytes.Equal(got, want.Append(nil)) {
			t.Fatalf("record %d: % x, want % x", rec.ID, got, want.Append(nil))
		}
	}
	if undecoded != 0 {
		t.Fatalf("%d more games were reported as undecodable than there are", undecoded)
	}
}

// Games that cannot be decoded are listed, and stay zero.
func TestBoostersListUndecodedGames(t *testing.T) {
	_, copied := withoutBoosters(t, "cbh/mate2/Mate2.cbh")
	moves := readFile(t, copied.Path(".cbg"))
	head := must.Get(cbh.DecodeGameRecord(readFile(t, copied.Path(".cbh"))[3*cbh.RecordSize:]))(t)
	moves[head.MovesOffset] |= 0x3F // a mode that does not exist
	must.Do(t, os.WriteFile(copied.Path(".cbg"), moves, 0o644))
	var ids []model.RecordID
	progress := 0
	result, err := write.Boosters(context.Background(), copied.Path(".cbh"), write.BoosterOptions{
		Undecoded: func(id model.RecordID, err error) { ids = append(ids, id) },
		Progress:  func(done, total int) { progress = 100 * done / total },
	})
	if err != nil || result.Undecoded != 1 || !slices.Equal(ids, []model.RecordID{3}) || progress != 100 {
		t.Errorf("%+v, %v, %v, %d %%", result, ids, err, progress)
	}
	traces := readFile(t, copied.Path(".cbb"))
	for id := 1; id <= 7; id++ {
		if zero := bytes.Count(traces[52*id:52*id+52], []byte{0}) == 52; zero != (id == 3) {
			t.Errorf("game %d: all zero is %v", id, zero)
		}
	}
}

func TestBoostersStopWithTheContext(t *testing.T) {
	_, copied := withoutBoosters(t, "cbh/hedgehog/Hedgehog.cbh")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := write.Boosters(ctx, copied.Path(".cbh"), write.BoosterOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func ExampleBoosters() {
	dir, err := os.MkdirTemp("", "cbkit")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "games.cbh")
	sink, err := write.Create(context.Background(), path, write.Options{})
	if err != nil {
		panic(err)
	}
	db := &model.Database{}
	db.AddGame(&model.Game{Header: model.NewHeader()})
	if err := model.Copy(context.Background(), sink, db, model.CopyOptions{}); err != nil {
		panic(err)
	}
	result, err := write.Boosters(context.Background(), path, write.BoosterOptions{})
	if err != nil {
		panic(err)
	}
	for _, name := range result.Files {
		fmt.Println(name)
	}
	// Unordered output:
	// games.cit
	// games.cib
	// games.cit2
	// games.cib2
	// games.cbb
	// games.cbgi
}
