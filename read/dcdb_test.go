package read_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/dcdb"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

var simpleExts = []string{".dci", ".dcn", ".dcs", ".dce", ".dcg"}

// simpleFiles are the contents of the files of a database.
type simpleFiles map[string][]byte

// newSimple makes a database with the given games, each without its length;
// White is "A", Black "B", site and event are unknown.
func newSimple(layout dcdb.Layout, games ...[]byte) simpleFiles {
	record := func(kind dcdb.File, names ...string) []byte {
		b := dcdb.AppendMagic(nil, kind)
		for _, name := range names {
			n := dcdb.EncodeName(name)
			b = append(b, n[:]...)
		}
		return b
	}
	f := simpleFiles{
		".dci": layout.AppendIndexHeader(nil, 0), ".dcg": dcdb.AppendMagic(nil, dcdb.Games),
		".dcn": record(dcdb.Names, "A", "B"), ".dcs": record(dcdb.Sites, "?"), ".dce": record(dcdb.Events, "?"),
	}
	for _, body := range games {
		e := dcdb.Entry{Offset: uint64(len(f[".dcg"])), White: 10, Black: 46, Site: 10, Event: 10}
		f[".dci"] = layout.AppendEntry(f[".dci"], &e)
		f[".dcg"] = append(dcdb.AppendLength(f[".dcg"], uint32(len(body))), body...)
	}
	return f
}

// save writes the files into a folder and returns the path of the database.
func (f simpleFiles) save(t testing.TB, dir string) string {
	for _, ext := range simpleExts {
		name := filepath.Join(dir, "games"+ext)
		os.Remove(name)
		if b, ok := f[ext]; ok {
			must.Do(t, os.WriteFile(name, b, 0o600))
		}
	}
	return filepath.Join(dir, "games.dci")
}

// readAll reads all records; errors and warnings are returned as text.
func readAll(t testing.TB, path string, jobs int) (games []model.Game, trouble []string) {
	t.Helper()
	db := must.Get(read.Open(path, read.Options{Jobs: jobs, Warn: func(err error) { trouble = append(trouble, err.Error()) }}))(t)
	defer db.Close()
	for rec, err := range db.Records(context.Background(), 1, model.WantAll) {
		if err != nil {
			trouble = append(trouble, err.Error())
			continue
		}
		for _, err := range rec.Damage {
			trouble = append(trouble, err.Error())
		}
		games = append(games, *rec.Clone().Game)
	}
	return games, trouble
}

var (
	e4   = []byte{0, 0x03, 0x1c}
	e4e5 = []byte{0, 0x03, 0x1c, 0x0d, 0x24}
)

// Damage of files is said, and what can be kept is kept.
func TestSimpleDamage(t *testing.T) {
	for name, v := range map[string]struct {
		damage  func(simpleFiles)
		games   int
		trouble string
	}{
		"sound":          {func(simpleFiles) {}, 2, ""},
		"7f as a length": {func(f simpleFiles) { f[".dcg"][14] = 0x7f }, 2, "games.dcg: record 2 at 0xe (length): truncated: 127 bytes are announced, the file has 5"},
		"no length":      {func(f simpleFiles) { f[".dcg"][14] = 0x85 }, 1, "85 begins no length"},
		"offset past the end": {func(f simpleFiles) { f[".dci"][19+39+1] = 1 }, 1,
			"games.dci: record 2 at 0x3a (offset): corrupt: 72057594037927950 is not inside games.dcg, which has 20 bytes"},
		"cut .dcg":        {func(f simpleFiles) { f[".dcg"] = f[".dcg"][:18] }, 2, "5 bytes are announced, the file has 3"},
		"cut entry":       {func(f simpleFiles) { f[".dci"] = append(f[".dci"], 1, 2) }, 2, "2 bytes behind the last whole entry"},
		"name past end":   {func(f simpleFiles) { f[".dci"][19+9] = 1 }, 2, "16777226 is not inside games.dcn"},
		"name between":    {func(f simpleFiles) { f[".dci"][19+12] = 11 }, 2, "no name begins at 11"},
		"site not UTF-8":  {func(f simpleFiles) { copy(f[".dcs"][10:], "Z\xfcrich") }, 2, "1 names are not UTF-8"},
		"short last name": {func(f simpleFiles) { f[".dcn"] = f[".dcn"][:47] }, 2, ""},
		"misprint":        {func(f simpleFiles) { f[".dce"][2] = 0xed }, 2, "misprint"},
		"status":          {func(f simpleFiles) { f[".dci"][19] = 1 }, 2, "01 has no meaning"},
		"no events":       {func(f simpleFiles) { delete(f, ".dce") }, 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			files := newSimple(dcdb.V0, e4, e4e5)
			v.damage(files)
			games, trouble := readAll(t, files.save(t, gen.Folder(t)), 0)
			if len(games) != v.games {
				t.Errorf("%d games, want %d", len(games), v.games)
			}
			all := strings.Join(trouble, "\n")
			if (all == "") != (v.trouble == "") || !strings.Contains(all, v.trouble) {
				t.Errorf("said %q, want %q", all, v.trouble)
			}
			if len(games) > 0 && games[0].Moves.Len() != 1 {
				t.Errorf("the first game has %d moves", games[0].Moves.Len())
			}
		})
	}
}

// Preflight refuses what lies outside its file.
func TestSimplePreflight(t *testing.T) {
	files := newSimple(dcdb.V1, e4, e4e5, e4)
	for _, damage := range []func(){func() {}, func() { files[".dcg"][14] = 0x7f }, func() { files[".dci"][11+1] = 9 }} {
		damage()
		db := must.Get(read.Open(files.save(t, gen.Folder(t)), read.Options{}))(t)
		err := db.Preflight(context.Background())
		db.Close()
		switch {
		case files[".dcg"][14] != 0x7f:
			if err != nil {
				t.Error(err)
			}
		case files[".dci"][12] == 9:
			if !errors.Is(err, model.ErrCorrupt) || !strings.HasSuffix(err.Error(), "(+1 more)") {
				t.Error(err)
			}
		case !errors.Is(err, model.ErrTruncated):
			t.Error(err)
		}
	}
}

// A file that is missing or something else is named.
func TestSimpleWrongFiles(t *testing.T) {
	for _, ext := range simpleExts {
		files := newSimple(dcdb.V1, e4)
		delete(files, ext)
		_, err := read.Open(files.save(t, gen.Folder(t)), read.Options{})
		if ext != ".dce" && (err == nil || !strings.Contains(err.Error(), "games"+ext)) {
			t.Errorf("without %s: %v", ext, err)
		}
		files = newSimple(dcdb.V1, e4)
		files[ext] = append([]byte("no magic bytes"), files[ext][14:]...)
		if _, err := read.Open(files.save(t, gen.Folder(t)), read.Options{}); !errors.Is(err, model.ErrNotDatabase) {
			t.Errorf("wrong %s: %v", ext, err)
		}
		files[ext] = files[ext][:4]
		if _, err := read.Open(files.save(t, gen.Folder(t)), read.Options{}); !errors.Is(err, model.ErrTruncated) {
			t.Errorf("cut %s: %v", ext, err)
		}
	}
	if _, err := read.Open(filepath.Join(gen.Folder(t), "none.dci"), read.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// All layouts are read, by any of the file names.
func TestSimpleLayouts(t *testing.T) {
	for _, layout := range []dcdb.Layout{dcdb.V0, dcdb.V1} {
		dir := gen.Folder(t)
		newSimple(layout, e4, e4e5).save(t, dir)
		for _, name := range append(simpleExts, "", ".DCG") {
			db := must.Get(read.Open(filepath.Join(dir, "games"+name), read.Options{}))(t)
			rec, err := db.Record(context.Background(), 2, model.WantAll)
			if err != nil || rec.Game.Moves.Len() != 2 || db.Entities().Players.Value(rec.Game.Black).LastName != "B" {
				t.Errorf("%v: %+v, %v", layout, rec, err)
			}
			if _, err := db.Record(context.Background(), 3, model.WantAll); !errors.Is(err, model.ErrNoRecord) {
				t.Errorf("%v: %v", layout, err)
			}
			var got []model.RecordID // an id that does not exist ends nothing
			for rec, err := range db.(model.Numbered).RecordsOf(t.Context(), slices.Values([]model.RecordID{0, 2, 3, 1, 9}), model.WantAll) {
				if got = append(got, rec.ID); errors.Is(err, model.ErrNoRecord) != (rec.Game == nil) {
					t.Errorf("record %d: %v", rec.ID, err)
				}
			}
			if !slices.Equal(got, []model.RecordID{0, 2, 3, 1, 9}) {
				t.Errorf("%v: records %v", layout, got)
			}
			info, err := db.Info(context.Background())
			if err != nil || info.Games != 2 || !strings.Contains(info.Version, layout.String()) || len(info.Files) != 5 {
				t.Errorf("%+v, %v", info, err)
			}
			db.Close()
		}
	}
}

// The numbering of promotions is that of the games, not that of the version.
func TestSimplePromotions(t *testing.T) {
	const fen = "8/PPPP1k2/8/8/8/8/5K2/8 w - - 0 1"
	with := func(move uint16) []byte {
		b := append(dcdb.AppendLength([]byte{1}, uint32(len(fen))), fen...)
		return binary.BigEndian.AppendUint16(b, move)
	}
	const a8 = 48<<6 | 56
	for _, v := range []struct {
		layout dcdb.Layout
		codes  []uint16
		want   string
	}{
		{dcdb.V0, []uint16{4}, "r"}, {dcdb.V1, []uint16{4}, "q"},
		{dcdb.V0, []uint16{4, 1}, "qn"}, {dcdb.V1, []uint16{4, 5}, "rq"},
		{dcdb.V0, []uint16{2, 5, 1}, "nqn"},
	} {
		var games [][]byte
		for _, code := range v.codes {
			games = append(games, with(code<<12|a8))
		}
		list, _ := readAll(t, newSimple(v.layout, games...).save(t, gen.Folder(t)), 0)
		got := ""
		for _, g := range list {
			got += strings.TrimPrefix(g.Moves.Move(0).String(), "a7a8")
		}
		if got != v.want {
			t.Errorf("%v %v: %s, want %s", v.layout, v.codes, got, v.want)
		}
	}
}

// Small databases cut at every length neither panic nor hang.
func TestSimpleCutAnywhere(t *testing.T) {
	dir := gen.Folder(t)
	for _, layout := range []dcdb.Layout{dcdb.V0, dcdb.V1} {
		for _, ext := range simpleExts {
			whole := newSimple(layout, e4, e4e5)
			for n := range whole[ext] {
				files := newSimple(layout, e4, e4e5)
				files[ext] = whole[ext][:n]
				visitSimple(t, files.save(t, dir))
			}
		}
	}
}

// visitSimple reads whatever is there.
func visitSimple(t testing.TB, path string) {
	db, err := read.Open(path, read.Options{Jobs: 1})
	if err != nil {
		return
	}
	defer db.Close()
	ctx := context.Background()
	_ = db.Preflight(ctx)
	n := 0
	for rec, err := range db.Records(ctx, 1, model.WantAll) {
		n++
		var e *model.FormatError
		if err != nil && (!errors.As(err, &e) || e.File == "") {
			t.Fatalf("record %d: %v does not say where", rec.ID, err)
		}
	}
	if n != db.Count() {
		t.Fatalf("%d records, counted %d", n, db.Count())
	}
	_, _ = db.Info(ctx)
}

// Whatever the files hold, reading them neither panics nor hangs.
func FuzzSimple(f *testing.F) {
	for _, layout := range []dcdb.Layout{dcdb.V0, dcdb.V1} {
		s := newSimple(layout, e4, e4e5)
		f.Add(s[".dci"], s[".dcn"], s[".dcs"], s[".dcg"])
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, index, names, sites, games []byte) {
		files := simpleFiles{".dci": index, ".dcn": names, ".dcs": sites, ".dcg": games}
		visitSimple(t, files.save(t, dir))
	})
}

// An index that was cut between two entries is noticed by the games that have
// none.
func TestCutIndex(t *testing.T) {
	for _, layout := range []write.SimpleLayout{write.SimpleV0, write.SimpleV1} {
		var db model.Database
		for range 4 {
			g := model.NewGame()
			g.Moves.Append(model.NewMove(model.E2, model.E4))
			db.AddGame(g)
		}
		path := filepath.Join(gen.Folder(t), "games.dci")
		sink, err := write.CreateSimple(context.Background(), path, write.Options{Layout: layout})
		if err == nil {
			err = model.Copy(t.Context(), sink, &db, model.CopyOptions{})
		}
		if err != nil {
			t.Fatal(err)
		}
		info := must.Get(os.Stat(path))(t)
		entry := map[write.SimpleLayout]int64{write.SimpleV0: 39, write.SimpleV1: 61}[layout]
		for cut := range int64(5) {
			must.Do(t, os.Truncate(path, info.Size()-cut*entry))
			var told []error
			opened := must.Get(read.Open(path, read.Options{Damage: func(err error) { told = append(told, err) }}))(t)
			opened.Close()
			want := fmt.Sprintf("entries of %d games", cut)
			if cut == 0 && len(told) > 0 || cut > 0 && (len(told) != 1 || !strings.Contains(told[0].Error(), want)) {
				t.Errorf("layout %v without %d entries: %v", layout, cut, told)
			}
		}
	}
}
