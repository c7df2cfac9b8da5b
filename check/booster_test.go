package check_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"cbkit/check"
	"cbkit/internal/booster"
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// What ChessBase wrote is valid, and says so.
func TestRealBoosters(t *testing.T) {
	for _, c := range []struct{ database, want string }{
		{"cbh/hedgehog/Hedgehog.cbh", "cit valid 231, cib valid 231, cit2 not applicable, cib2 not applicable, cbb missing, cbgi missing"},
		{"cbh/world-ch/World-ch.cbh", "cit valid 1038, cib valid 1038, cit2 valid 1038, cib2 valid 1038, cbb missing, cbgi valid 1038"},
		{"cbh/small/small.cbh", "cit missing, cib missing, cit2 not applicable, cib2 not applicable, cbb missing, cbgi missing"},
	} {
		list := must.Get(check.Boosters(context.Background(), corpus.Path(t, c.database), check.Options{}))(t)
		quick := must.Get(check.BoosterStates(context.Background(), corpus.Path(t, c.database), check.Options{}))(t)
		if got := states(list); got != c.want || states(quick) != got {
			t.Errorf("%s: %s, quickly %s, want %s", c.database, got, states(quick), c.want)
		}
		for _, b := range list {
			for _, f := range b.Findings {
				if f.Code != "booster-missing" {
					t.Errorf("%v", f)
				}
			}
		}
	}
}

// states writes the states of boosters in a line.
func states(list []check.Booster) string {
	var words []string
	for _, b := range list {
		word := strings.TrimPrefix(filepath.Ext(b.File), ".") + " " + string(b.State)
		if b.Covers > 0 {
			word += fmt.Sprint(" ", b.Covers)
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

// What is said without playing through games is the same, but for the .cbb file
// where that would tell more than its seal.
func TestBoosterStates(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(f map[string][]byte)
		want string
	}{
		"none":        {func(map[string][]byte) {}, allValid},
		"no seal":     {func(f map[string][]byte) { delete(f, ".cbkit") }, other("cbb", "unsealed")},
		"other trace": {func(f map[string][]byte) { f[".cbb"][52*7+20] ^= 1 }, other("cbb", "unsealed")},
		"cut trace":   {func(f map[string][]byte) { f[".cbb"] = f[".cbb"][:52*30] }, strings.Replace(allValid, "cbb valid 40", "cbb stale 29", 1)},
		"other count": {func(f map[string][]byte) { f[".cbb"][3] = 42 }, other("cbb", "wrong")},
		"no moves":    {func(f map[string][]byte) { delete(f, ".cbg") }, other("cbb", "unsealed")},
		"other list":  {func(f map[string][]byte) { putLE(f[".cib"], block(0)+12, 2) }, other("cit", "wrong", "cib", "wrong")},
		"missing":     {func(f map[string][]byte) { delete(f, ".cbb") }, other("cbb", "missing")},
	} {
		t.Run(name, func(t *testing.T) {
			files := boostedSample(t)
			c.do(files)
			list := must.Get(check.BoosterStates(context.Background(), save(t, files), check.Options{}))(t)
			if got := states(list); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// boosted are the files of a small database with boosters: 39 games between
// players 0 and 1, of one team, with title 0; player 2 plays himself in game
// 20; record 30 is a text.
var boosted = sync.OnceValues(func() (map[string][]byte, error) {
	dir, err := os.MkdirTemp("", "check")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	db := &model.Database{}
	h := model.NewHeader()
	h.White, h.Black = db.Tables.Players.Intern(model.Player{LastName: "Adam"}), db.Tables.Players.Intern(model.Player{LastName: "Eve"})
	h.WhiteTeam = db.Tables.Teams.Intern(model.Team{Title: "Eden"})
	h.GameTitle = db.Tables.GameTitles.Intern(model.GameTitle{Titles: [8]string{"Paradise"}})
	alone := db.Tables.Players.Intern(model.Player{LastName: "Cain"})
	for id := 1; id <= 40; id++ {
		if id == 30 {
			text := model.NewGuidingText()
			text.GameTitle = h.GameTitle
			db.AddText(text)
			continue
		}
		g := &model.Game{Header: h}
		if id == 20 {
			g.White, g.Black = alone, alone
		}
		g.Moves.Append(model.NewMove(model.E2, model.E4))
		db.AddGame(g)
	}
	sink, err := write.Create(context.Background(), filepath.Join(dir, "sample.cbh"), write.Options{AcceptLosses: true})
	if err == nil {
		err = model.Copy(context.Background(), sink, db, model.CopyOptions{})
	}
	if err == nil {
		_, err = write.Boosters(context.Background(), filepath.Join(dir, "sample.cbh"), write.BoosterOptions{})
	}
	if err != nil {
		return nil, err
	}
	return readFiles(dir)
})

// Where things are in the sample. Its .cib file has the lists of players 0 (of
// 38 games, blocks 0 to 2), of tournament 0 (40, blocks 3 to 6), of team 0 (39,
// 7 to 9), source 0 (40, 10 to 13), annotator 0 (40, 14 to 17), player 1 (38,
// 18 to 20) and player 2 (the same game twice, 21).
const (
	sampleBlocks = 22
	listRow      = 40
	listHead     = cbh.ListHeaderSize
)

// block is where a block of the sample's .cib file begins.
func block(n int) int { return int(cbh.BlockOffset(int32(n))) }

// putLE stores a number.
func putLE(b []byte, at int, v int32) { binary.LittleEndian.PutUint32(b[at:], uint32(v)) }

// boosterFault changes the files of the sample.
type boosterFault struct {
	name string
	do   func(f map[string][]byte)
	want string   // the states
	code []string // of all findings
}

const allValid = "cit valid 40, cib valid 40, cit2 valid 40, cib2 valid 40, cbb valid 40, cbgi valid 40"

// other is allValid with other states for some files, by their endings.
func other(states ...string) string {
	want := ", " + allValid
	for i := 0; i < len(states); i += 2 {
		want = strings.Replace(want, ", "+states[i]+" valid 40", ", "+states[i]+" "+states[i+1], 1)
	}
	return want[2:]
}

var (
	wrongLists = other("cit", "wrong", "cib", "wrong")
)

var boosterFaults = []boosterFault{
	{"none", func(map[string][]byte) {}, allValid, nil},
	{"no offsets", func(f map[string][]byte) { delete(f, ".cbgi") }, other("cbgi", "missing"), []string{"booster-missing"}},
	{"no blocks", func(f map[string][]byte) { delete(f, ".cib") },
		other("cit", "wrong", "cib", "missing"), []string{"booster-missing", "booster-pair"}},
	{"no table", func(f map[string][]byte) { delete(f, ".cit") },
		other("cit", "missing", "cib", "unknown"), []string{"booster-missing", "booster-pair"}},
	{"row size", func(f map[string][]byte) { f[".cit"][0] = 41 }, wrongLists, []string{"booster-header"}},
	{"table cut", func(f map[string][]byte) { f[".cit"] = f[".cit"][:50] }, wrongLists, []string{"booster-header"}},
	{"empty blocks", func(f map[string][]byte) { f[".cib"] = nil }, wrongLists, []string{"booster-header"}},
	{"blocks cut", func(f map[string][]byte) { f[".cib"] = f[".cib"][:block(5)] }, wrongLists, []string{"booster-header"}},
	{"head without tail", func(f map[string][]byte) { putLE(f[".cit"], listHead+4, -1) }, wrongLists, nil},
	{"head outside", func(f map[string][]byte) { putLE(f[".cit"], listHead, 99) }, wrongLists, nil},
	{"block leads outside", func(f map[string][]byte) { putLE(f[".cib"], block(0), 99) }, wrongLists, nil},
	{"block leads back", func(f map[string][]byte) { putLE(f[".cib"], block(2), 0) }, wrongLists, nil},
	{"block shared", func(f map[string][]byte) { copy(f[".cit"][listHead+2*listRow:], f[".cit"][listHead:][:8]) }, wrongLists, nil},
	{"count", func(f map[string][]byte) { putLE(f[".cib"], block(1)+8, 14) }, wrongLists, nil},
	{"count of a full block", func(f map[string][]byte) { putLE(f[".cib"], block(0)+8, 12) }, wrongLists, nil},
	{"word", func(f map[string][]byte) { putLE(f[".cib"], block(3)+4, 1) }, allValid, []string{"booster-block"}},
	{"ids in disorder", func(f map[string][]byte) { putLE(f[".cib"], block(0)+12, 7) }, wrongLists, nil},
	{"id too large", func(f map[string][]byte) { putLE(f[".cib"], block(21)+12, 41) }, wrongLists, nil},
	{"another id", func(f map[string][]byte) { putLE(f[".cib"], block(2)+12, 30) }, wrongLists, nil},
	{"an id less", func(f map[string][]byte) { putLE(f[".cib"], block(20)+8, 11) }, wrongLists, []string{"booster-content"}},
	{"a player of both sides listed once", func(f map[string][]byte) { putLE(f[".cib"], block(21)+8, 1) }, allValid, nil},
	{"a player of one side listed twice", func(f map[string][]byte) {
		copy(f[".cib"][block(20)+12+4:], f[".cib"][block(20)+12:][:4])
	}, wrongLists, []string{"booster-content", "booster-content"}},
	{"trash is no fault", func(f map[string][]byte) { putLE(f[".cib"], block(21)+60, 77) }, allValid, nil},
	{"free block in use", func(f map[string][]byte) { putLE(f[".cib"], 8, 5) }, wrongLists, []string{"booster-free-list"}},
	{"free block outside", func(f map[string][]byte) { putLE(f[".cib"], 8, 500) }, wrongLists, []string{"booster-free-list"}},
	{"free blocks in a circle", func(f map[string][]byte) {
		spare := cbh.ListBlock{Next: sampleBlocks, Count: 1}
		f[".cib"] = spare.Append(f[".cib"])
		putLE(f[".cib"], 4, sampleBlocks+1)
		putLE(f[".cib"], 8, sampleBlocks)
	}, wrongLists, []string{"booster-free-list"}},
	{"a free block", func(f map[string][]byte) {
		spare := cbh.ListBlock{Count: 1}
		f[".cib"] = spare.Append(f[".cib"])
		putLE(f[".cib"], 4, sampleBlocks+1)
		putLE(f[".cib"], 8, sampleBlocks)
	}, allValid, nil},
	{"a lost block", func(f map[string][]byte) {
		spare := cbh.ListBlock{Next: -1, Count: 1}
		f[".cib"] = spare.Append(f[".cib"])
		putLE(f[".cib"], 4, sampleBlocks+1)
	}, wrongLists, []string{"booster-lost-block"}},
	{"block 0 lost", func(f map[string][]byte) { // its content is in a new block now
		f[".cib"] = append(f[".cib"], f[".cib"][block(0):block(1)]...)
		putLE(f[".cib"], 4, sampleBlocks+1)
		putLE(f[".cit"], listHead, sampleBlocks)
	}, allValid, []string{"booster-lost-block"}},
	{"block 0 lost with the free blocks behind it", func(f map[string][]byte) {
		f[".cib"] = append(f[".cib"], f[".cib"][block(0):block(1)]...)
		behind := cbh.ListBlock{Next: sampleBlocks + 2}
		f[".cib"] = behind.Append(f[".cib"])
		last := cbh.ListBlock{}
		f[".cib"] = last.Append(f[".cib"])
		putLE(f[".cib"], block(0), sampleBlocks+1)
		putLE(f[".cib"], 4, sampleBlocks+3)
		putLE(f[".cit"], listHead, sampleBlocks)
	}, allValid, []string{"booster-lost-block", "booster-lost-block"}},
	{"a block lost beside those behind block 0", func(f map[string][]byte) {
		f[".cib"] = append(f[".cib"], f[".cib"][block(0):block(1)]...)
		for range 2 {
			k := cbh.ListBlock{}
			f[".cib"] = k.Append(f[".cib"])
		}
		putLE(f[".cib"], block(0), sampleBlocks+1)
		putLE(f[".cib"], 4, sampleBlocks+3)
		putLE(f[".cit"], listHead, sampleBlocks)
	}, wrongLists, []string{"booster-lost-block", "booster-lost-block", "booster-lost-block"}},
	{"counter of a player", func(f map[string][]byte) {
		b := f[".cbp"]
		putLE(b, cbh.EntityHeaderSize+4+cbh.EntityLinksSize+cbh.Players.Size-8, 39)
	}, allValid, []string{"booster-count"}},
	{"first record of a player", func(f map[string][]byte) {
		b := f[".cbp"]
		putLE(b, cbh.EntityHeaderSize+4+cbh.EntityLinksSize+cbh.Players.Size-4, 2)
	}, allValid, []string{"booster-count"}},
	{"no titles", func(f map[string][]byte) {
		delete(f, ".cbj")
		delete(f, ".cit2")
		delete(f, ".cib2")
		f[".cit"], f[".cib"] = nil, nil
	}, other("cit", "wrong", "cib", "wrong", "cit2", "not applicable", "cib2", "not applicable"), []string{"booster-header", "booster-unsealed"}},
	{"lists of a shorter database", func(f map[string][]byte) { shorten(f[".cit"], f[".cib"], 35) },
		other("cit", "stale 35", "cib", "stale 35"), []string{"booster-stale", "booster-stale"}},
	{"title in its row", func(f map[string][]byte) {
		putLE(f[".cit2"], listHead, 0x20000001)
		putLE(f[".cit2"], listHead+4, 0x20000000|40)
	}, allValid, []string{"booster-lost-block", "booster-lost-block"}},
	{"trace", func(f map[string][]byte) { f[".cbb"][52*7+20] ^= 4 }, other("cbb", "wrong"), []string{"booster-trace"}},
	{"trace of a text", func(f map[string][]byte) { f[".cbb"][52*30+20] ^= 4 }, other("cbb", "wrong"), []string{"booster-trace"}},
	{"zero trace", func(f map[string][]byte) { clear(f[".cbb"][52*7 : 52*8]) }, other("cbb", "wrong"), []string{"booster-trace"}},
	{"zero traces at the end", func(f map[string][]byte) { clear(f[".cbb"][52*39:]) }, other("cbb", "stale 38"), []string{"booster-stale"}},
	{"traces cut", func(f map[string][]byte) { f[".cbb"] = f[".cbb"][:52*12+7] }, other("cbb", "stale 11"), []string{"booster-stale"}},
	{"traces padded", func(f map[string][]byte) { f[".cbb"] = append(f[".cbb"], make([]byte, 520)...) }, allValid, []string{"booster-unsealed"}},
	{"traces counted without the header", func(f map[string][]byte) { f[".cbb"][3] = 40 }, allValid, []string{"booster-unsealed"}},
	{"too many traces", func(f map[string][]byte) { f[".cbb"][3] = 42 }, other("cbb", "wrong"), []string{"booster-header"}},
	{"trace size", func(f map[string][]byte) { f[".cbb"][7] = 50 }, other("cbb", "wrong"), []string{"booster-header"}},
	{"reserved bytes of traces", func(f map[string][]byte) { f[".cbb"][20] = 1 }, allValid, []string{"booster-header", "booster-unsealed"}},
	{"no seal", func(f map[string][]byte) { delete(f, ".cbkit") }, allValid, []string{"booster-unsealed"}},
	{"no moves", func(f map[string][]byte) { delete(f, ".cbg") }, other("cbb", "unknown"), []string{"booster-unknown"}},
	{"offset", func(f map[string][]byte) { f[".cbgi"][4*17]++ }, other("cbgi", "wrong"), []string{"booster-offset"}},
	{"offset of a text", func(f map[string][]byte) {
		copy(f[".cbgi"][4*30:], []byte{f[".cbh"][46*30+4], f[".cbh"][46*30+3], 0, 0})
	}, allValid, nil},
	{"offsets end early", func(f map[string][]byte) { f[".cbgi"][0] = 33 }, other("cbgi", "stale 33"), []string{"booster-stale"}},
	{"offsets cut", func(f map[string][]byte) { f[".cbgi"] = f[".cbgi"][:4*21+2] }, other("cbgi", "stale 20"), []string{"booster-stale"}},
	{"too many offsets", func(f map[string][]byte) { f[".cbgi"][0] = 41 }, other("cbgi", "wrong"), []string{"booster-header"}},
	{"no offsets at all", func(f map[string][]byte) { f[".cbgi"] = f[".cbgi"][:3] }, other("cbgi", "wrong"), []string{"booster-header"}},
}

// shorten removes all ids above last from lists whose last blocks keep some.
func shorten(table, blocks []byte, last int32) {
	for n := range sampleBlocks {
		k, err := cbh.DecodeListBlock(blocks[block(n):])
		if err != nil {
			panic(err)
		}
		for k.Count > 0 && k.IDs[k.Count-1] > last {
			k.Count--
		}
		if k.Count == 0 { // the block before it is the last one now
			k.Next = 0
		}
		copy(blocks[block(n):], k.Append(nil))
	}
	for at := listHead; at+8 <= len(table); at += 8 {
		tail := int32(binary.LittleEndian.Uint32(table[at+4:]))
		for tail >= 0 && binary.LittleEndian.Uint32(blocks[block(int(tail))+8:]) == 0 {
			free := int32(binary.LittleEndian.Uint32(blocks[8:]))
			putLE(blocks, block(int(tail)), free)
			putLE(blocks, 8, tail)
			tail--
			putLE(blocks, block(int(tail)), -1)
			putLE(table, at+4, tail)
		}
	}
}

func save(t testing.TB, files map[string][]byte) string {
	t.Helper()
	dir := gen.Folder(t)
	for ext, b := range files {
		name := filepath.Join(dir, "sample"+ext)
		must.Do(t, os.WriteFile(name, b, 0o644))
		// A file that is the same has the same change time, others another one.
		changed := time.Unix(int64(crc32.ChecksumIEEE(b)), 0)
		must.Do(t, os.Chtimes(name, changed, changed))
	}
	return filepath.Join(dir, "sample.cbh")
}

// seal gives the files of a database a seal that fits them, right or wrong.
func seal(t testing.TB, files map[string][]byte) {
	t.Helper()
	set := must.Get(read.FindFiles(save(t, files)))(t)
	s := must.Get(booster.SealOf(cbhdb.FilesOf(set), booster.SealedFiles[:]))(t)
	files[booster.SealExt] = s.Append(nil)
}

func boostedSample(t testing.TB) map[string][]byte {
	t.Helper()
	sound := must.Get(boosted())(t)
	files := map[string][]byte{}
	for ext, b := range sound {
		files[ext] = slices.Clone(b)
	}
	seal(t, files)
	return files
}

func TestBoosterFaults(t *testing.T) {
	for _, c := range boosterFaults {
		t.Run(c.name, func(t *testing.T) {
			files := boostedSample(t)
			c.do(files)
			list := must.Get(check.Boosters(context.Background(), save(t, files), check.Options{Jobs: 1}))(t)
			if got := states(list); got != c.want {
				t.Errorf("%s\nwant %s", got, c.want)
			}
			var codes []string
			for _, b := range list {
				for _, f := range b.Findings {
					codes = append(codes, f.Code)
					t.Log(f)
				}
			}
			if slices.Sort(codes); c.code != nil && !slices.Equal(codes, c.code) || strings.Contains(c.want, "wrong") && codes == nil {
				t.Errorf("findings %q, want %q", codes, c.code)
			}
		})
	}
}

// Every code of a booster's finding was seen above, or here.
func TestEveryBoosterCodeHasAFault(t *testing.T) {
	seen := map[string]bool{}
	note := func(files map[string][]byte) {
		list := must.Get(check.Boosters(context.Background(), save(t, files), check.Options{}))(t)
		for _, b := range list {
			for _, f := range b.Findings {
				seen[f.Code] = true
			}
		}
	}
	for _, c := range boosterFaults {
		files := boostedSample(t)
		c.do(files)
		note(files)
	}
	many := boostedSample(t)
	for id := 1; id < 40; id++ {
		many[".cbb"][52*id+20] ^= 1
	}
	note(many)
	for _, c := range check.CodesAbout(check.AboutBoosters) {
		if !seen[c.Code] {
			t.Errorf("%s was never found", c.Code)
		}
	}
	if len(seen) != len(check.CodesAbout(check.AboutBoosters)) {
		t.Errorf("codes that are not in the list: %v", seen)
	}
}

func TestBoosterChoice(t *testing.T) {
	path := save(t, boostedSample(t))
	done := 0
	list, err := check.Boosters(context.Background(), path, check.Options{
		Files: []string{".CIB", "cbgi"}, Progress: func(n, total int) { done = 100 * n / total },
	})
	if got := states(list); err != nil || got != "cib valid 40, cbgi valid 40" || done != 100 {
		t.Errorf("%s, %v, %d %%", got, err, done)
	}
	if _, err := check.Boosters(context.Background(), path, check.Options{Files: []string{"cbh"}}); err == nil {
		t.Error("a file that is no booster was accepted")
	}
	if _, err := check.Boosters(context.Background(), filepath.Join(filepath.Dir(path), "nothing"), check.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := check.Boosters(ctx, path, check.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// FuzzBoosters: whatever a booster holds, it is judged.
func FuzzBoosters(f *testing.F) {
	sample := must.Get(boosted())(f)
	exts := []string{".cit", ".cib", ".cit2", ".cib2", ".cbb", ".cbgi", ".cbkit"}
	for i, ext := range exts {
		b := sample[ext]
		f.Add(uint8(i), b[:min(len(b), 4096)])
	}
	path := save(f, sample)
	f.Fuzz(func(t *testing.T, which uint8, b []byte) {
		ext := exts[int(which)%len(exts)]
		name := strings.TrimSuffix(path, ".cbh") + ext
		put := func(content []byte) {
			must.Do(t, os.WriteFile(name, content, 0o644))
		}
		put(b)
		defer put(sample[ext])
		list, err := check.Boosters(context.Background(), path, check.Options{Jobs: 1})
		if err != nil || len(list) != 6 {
			t.Fatalf("%s: %v", ext, err)
		}
		for _, booster := range list {
			bad := slices.ContainsFunc(booster.Findings, func(f check.Finding) bool { return f.Severity == check.Error })
			if bad && booster.State == check.BoosterValid {
				t.Fatalf("%s is valid, with %v", booster.File, booster.Findings)
			}
		}
	})
}

func ExampleBoosters() {
	dir, err := os.MkdirTemp("", "cbkit")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := exampleDatabase(dir)
	if _, err := write.Boosters(context.Background(), path, write.BoosterOptions{Files: []string{"cit", "cbb"}}); err != nil {
		panic(err)
	}
	list, err := check.Boosters(context.Background(), path, check.Options{})
	if err != nil {
		panic(err)
	}
	for _, b := range list {
		fmt.Println(b.File, b.State)
	}
	// Output:
	// games.cit valid
	// games.cib valid
	// games.cit2 missing
	// games.cib2 missing
	// games.cbb valid
	// games.cbgi missing
}

func ExampleBoosterStates() {
	dir, err := os.MkdirTemp("", "cbkit")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := exampleDatabase(dir)
	if _, err := write.Boosters(context.Background(), path, write.BoosterOptions{}); err != nil {
		panic(err)
	}
	if err := os.Remove(strings.TrimSuffix(path, ".cbh") + ".cbkit"); err != nil { // the seal
		panic(err)
	}
	list, err := check.BoosterStates(context.Background(), path, check.Options{Files: []string{"cit", "cbb"}})
	if err != nil {
		panic(err)
	}
	for _, b := range list {
		fmt.Println(b.File, b.State)
	}
	// Output:
	// games.cit valid
	// games.cbb unsealed
}
