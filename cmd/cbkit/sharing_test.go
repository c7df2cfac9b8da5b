package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/cbh"
	"cbkit/internal/dcdb"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/internal/testkit/seeds"
	"cbkit/model"
	"cbkit/write"
)

var everyVerb = flag.Bool("every-verb", false, "TestRecordsThatShareAGame: try all verbs where some are tried, and all formats")

// sharingRecords is how many records lead to the same bytes.
const sharingRecords = 400

// repeatRecord puts the headers of the only record of a database there many
// times.
func repeatRecord(t *testing.T, db string) {
	t.Helper()
	change(t, db, ".cbh", func(b []byte) []byte {
		b = append(b[:2*cbh.RecordSize:2*cbh.RecordSize], []byte(strings.Repeat(string(b[cbh.RecordSize:2*cbh.RecordSize]), sharingRecords-1))...)
		h := must.Get(cbh.DecodeFileHeader(b))(t)
		h.SetRecords(sharingRecords)
		copy(b, h.Append(nil))
		return b
	})
	change(t, db, ".cbj", func(b []byte) []byte {
		record := string(b[cbh.ExtHeaderSize:][:cbh.ExtRecordSize])
		return append(b[:cbh.ExtHeaderSize:cbh.ExtHeaderSize], strings.Repeat(record, sharingRecords)...)
	})
}

// Records that share one game by the hundred make no verb write or read without
// end: whatever is more than the file twice is not read, and named.
func TestRecordsThatShareAGame(t *testing.T) {
	if testing.Short() {
		t.Skip("writes the same games again and again, with every verb")
	}
	var db model.Database
	g := model.NewGame()
	for range 5 {
		for _, m := range []model.Move{
			model.NewMove(model.G1, model.F3), model.NewMove(model.G8, model.F6),
			model.NewMove(model.F3, model.G1), model.NewMove(model.F6, model.G8),
		} {
			g.Moves.Append(m)
			g.Annotate(g.Moves.Len()-1, model.Text{Text: strings.Repeat("word ", 6_000)})
		}
	}
	db.AddGame(g)
	path := filepath.Join(gen.Folder(t), "games.cbh")
	create(t, path, &db, write.Options{})
	simple := filepath.Join(filepath.Dir(path), "simple.dci")
	mustRun(t, "convert", "-q", "--layout", "v0", path, simple)
	repeatRecord(t, path)
	change(t, strings.TrimSuffix(simple, ".dci"), ".dci", func(b []byte) []byte {
		entry := string(b[dcdb.V0.HeaderSize():])
		return append(b, strings.Repeat(entry, sharingRecords-1)...)
	})
	oneOf := 10 // so many verbs
	if seeds.InCI {
		oneOf = 5
	}
	for k, source := range []string{path, simple} {
		for i, verb := range []string{
			"sort --by date IN OUT.cbh", "sort --by date IN OUT.pgn", "merge IN IN OUT.cbh", "merge --dedup IN IN OUT.jsonl", "dedup IN OUT.cbh",
			"strip --symbols IN OUT.cbh", "strip --symbols IN OUT.pgn", "eco IN OUT.cbh", "split --by 100 IN OUT", "export IN OUT.parquet",
			"find IN piece:Nf3 -o OUT.cbh", "salvage IN OUT.cbh", "compact --purge IN",
		} {
			if !*everyVerb && (i+k)%oneOf > 0 {
				continue
			}
			t.Run(filepath.Base(source)+" "+verb, func(t *testing.T) { writeShared(t, source, verb) })
		}
		for i, name := range []string{"out.pgn", "out.jsonl", "out.dci", "out.cbh"} {
			if !*everyVerb && (i+k)%2 > 0 {
				continue
			}
			t.Run(filepath.Base(source)+" to "+name, func(t *testing.T) { convertShared(t, source, name) })
		}
	}
}

// convertShared converts a database whose records share their bytes.
func convertShared(t *testing.T, source, name string) {
	target := filepath.Join(gen.Folder(t), name)
	fails(t, exitFailed, "share", "convert", "-q", source, target)
	if _, err := os.Stat(target); err == nil {
		t.Fatal("there is a target")
	}
	r := cbkit(t, "", "convert", "-q", "--keep-going", source, target)
	if r.status != exitFailed || !strings.Contains(r.errOut, fmt.Sprintf("record %d at", 12)) {
		t.Errorf("exit status %d: %s", r.status, r.errOut)
	}
	if got, most := size(filesBeside(t, target)), 16*size(filesBeside(t, source)); got > most {
		t.Errorf("%d bytes, want %d at most", got, most)
	}
}

// writeShared runs a verb that writes what it has read of a database whose records
// share their bytes. It does not, or not all of it, and says so.
func writeShared(t *testing.T, source, verb string) {
	if filepath.Ext(source) == ".dci" && strings.HasPrefix(verb, "salvage") {
		t.Skip("of ChessBase alone")
	}
	dir := gen.Folder(t)
	for name, content := range filesBeside(t, source) {
		save(t, filepath.Join(dir, name), string(content))
	}
	in, before := filepath.Join(dir, filepath.Base(source)), size(filesBeside(t, source))
	args := strings.Fields(strings.NewReplacer("IN", in, "OUT", filepath.Join(dir, "out")).Replace(verb))
	for _, flags := range [][]string{{"-q"}, {"-q", "--keep-going", "--force"}} {
		if len(flags) > 1 && (args[0] == "salvage" || args[0] == "compact") {
			break
		}
		r := cbkit(t, "", append(args[:len(args):len(args)], flags...)...)
		if r.status != exitFailed || args[0] != "salvage" && !strings.Contains(r.errOut, "share") {
			t.Errorf("%v: exit status %d: %.500s%.500s", flags, r.status, r.out, r.errOut)
		}
		after := 0
		err := filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
			if info, infoErr := e.Info(); err == nil && infoErr == nil && !e.IsDir() {
				after += int(info.Size())
			}
			return err
		})
		if err != nil || after > 16*before {
			t.Errorf("%v: %d bytes of %d, %v", flags, after, before, err)
		}
	}
}

// The same of texts that share a list of media.
func TestTextsThatShareAList(t *testing.T) {
	if testing.Short() {
		t.Skip("writes lists of 60,000 pictures, 400 times")
	}
	var db model.Database
	text := model.NewGuidingText()
	text.SetContents(nil, []model.LocalText{{Language: model.English, Text: "text"}})
	for i := range 60_000 {
		text.Media = append(text.Media, fmt.Sprintf("picture%06d.jpg", i))
	}
	db.AddText(text)
	path := filepath.Join(gen.Folder(t), "texts.cbh")
	create(t, path, &db, write.Options{})
	repeatRecord(t, path)
	for i, name := range []string{"out.jsonl", "out.cbh"} {
		if !isTried(i, 2) {
			continue
		}
		target := filepath.Join(gen.Folder(t), name)
		r := cbkit(t, "", "convert", "-q", "--fresh", path, target)
		if r.status != exitFailed || !strings.Contains(r.errOut, "texts.cbm: record 7 at") {
			t.Errorf("%s: exit status %d: %s", name, r.status, r.errOut)
		}
		if got, most := size(filesBeside(t, target)), 16*size(filesBeside(t, path)); got > most {
			t.Errorf("%s: %d bytes, want %d at most", name, got, most)
		}
	}
}
