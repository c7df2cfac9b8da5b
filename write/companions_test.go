package write_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/check"
	"cbkit/internal/cbh"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/write"
)

// furnished returns the path of a database of five games, the second and third
// deleted, each of its own tournament, with everything beside it that one can
// have.
func furnished(t *testing.T) string {
	t.Helper()
	db := &model.Database{}
	for i := range 5 {
		g := &model.Game{Header: model.NewHeader()}
		g.White = db.Tables.Players.Intern(model.Player{LastName: fmt.Sprint("player ", i)})
		g.Tournament = db.Tables.Tournaments.Intern(model.Tournament{Title: fmt.Sprint("tournament ", i)})
		db.AddGame(g)
		db.List[i].Deleted = i == 1 || i == 2
	}
	path := create(t, db, write.Options{})
	marks := cbh.NewExamined(5)
	marks.Set(1, cbh.TopGame)
	marks.Set(2, cbh.IsExamined)
	marks.Set(4, cbh.IsExamined)
	marks.Set(5, cbh.TopGame)
	for ext, content := range map[string]string{
		".flags": string(marks.Append(nil)), ".ini": "[DescrCBG]\nTitle=mine\n",
		".html/a.bmp": "picture", ".wav/b/1.wav": "sound",
		".cko": "key", ".cpx": "what a later program writes",
		".cbv": "archive", ".cbz": "archive", ".cbf": "old", ".cbi": "old", ".cbone": "other", ".2cbh": "other", ".txt": "notes",
	} {
		writeBeside(t, path, ext, content)
	}
	head := readFile(t, path)
	binary.BigEndian.PutUint32(head[16:], 9) // next picture
	writeBeside(t, path, ".cbh", string(head))
	must.Get(write.Boosters(context.Background(), path, write.BoosterOptions{}))(t)
	return path
}

// beside returns the path of another file of a database.
func beside(path, ext string) string { return strings.TrimSuffix(path, ".cbh") + ext }

func writeBeside(t *testing.T, path, ext, content string) {
	t.Helper()
	name := beside(path, ext)
	must.Do(t, os.MkdirAll(filepath.Dir(name), 0o777))
	must.Do(t, os.WriteFile(name, []byte(content), 0o666))
}

// way is how a database is made of another one: copied, or written afresh.
type way struct{ afresh, purge, force bool }

// convert makes a database of another one and returns the losses.
func convert(t *testing.T, from, to string, w way) []string {
	t.Helper()
	db := openDatabase(t, from)
	var losses []string
	report := func(l model.Loss) { losses = append(losses, string(l.Kind)+" "+l.Field) }
	var sink model.Sink
	var err error
	if w.afresh {
		sink, err = write.Create(context.Background(), to, write.Options{Force: w.force, Report: report})
	} else {
		sink, err = write.CreateCopy(context.Background(), to, db, write.Options{Force: w.force, Report: report})
	}
	if err != nil {
		t.Fatal(err)
	}
	keep := func(r model.Record) bool { return !w.purge || !r.Deleted }
	must.Do(t, model.Copy(context.Background(), sink, db, model.CopyOptions{Keep: keep}))
	slices.Sort(losses)
	return losses
}

// checkEnsuing looks at what goes along however a database is written, and
// that other databases beside it do not.
func checkEnsuing(t *testing.T, path string) {
	t.Helper()
	for ext, want := range map[string]string{
		".ini": "[DescrCBG]\nTitle=mine\n", ".html/a.bmp": "picture", ".wav/b/1.wav": "sound",
	} {
		if b, err := os.ReadFile(beside(path, ext)); err != nil || string(b) != want {
			t.Errorf("%s: %q, %v", ext, b, err)
		}
	}
	if n := binary.BigEndian.Uint32(readFile(t, path)[16:]); n != 9 {
		t.Errorf("the next picture is %d, was 9", n)
	}
}

// marksOf returns what the .flags file says about the first records.
func marksOf(t *testing.T, path string, n int) (marks []uint8) {
	t.Helper()
	e := must.Get(cbh.DecodeExamined(readFile(t, beside(path, ".flags"))))(t)
	for id := range n {
		marks = append(marks, e.Get(model.RecordID(id+1)))
	}
	if len(e.Bits) != 4*int(e.Words) {
		t.Errorf(".flags: %d bytes, the header counts %d words", len(e.Bits), e.Words)
	}
	return marks
}

var otherDatabases = []string{".cbv", ".cbz", ".cbf", ".cbi", ".cbone", ".2cbh", ".txt"}

// A copy takes everything along that is the database's, and nothing else.
func TestCopyTakesCompanions(t *testing.T) {
	from, to := furnished(t), filepath.Join(gen.Folder(t), "copy.cbh")
	if losses := convert(t, from, to, way{}); len(losses) > 0 {
		t.Errorf("losses: %v", losses)
	}
	checkEnsuing(t, to)
	for _, ext := range []string{".flags", ".cko", ".cpx", ".cit", ".cib", ".cbb", ".cbgi"} {
		if !bytes.Equal(readFile(t, beside(from, ext)), readFile(t, beside(to, ext))) {
			t.Errorf("%s differs", ext)
		}
	}
	for _, ext := range otherDatabases {
		if _, err := os.Stat(beside(to, ext)); err == nil {
			t.Errorf("%s is no file of the database", ext)
		}
	}
}

// What is written afresh keeps media, settings and marks; what goes by the old
// numbers of records is reported, but for boosters, which can be computed.
func TestPurgeTakesCompanions(t *testing.T) {
	left := []string{"file .cko", "file .cpx"}
	for name, c := range map[string]struct {
		way
		marks []uint8
	}{
		"copy":            {way{purge: true}, []uint8{cbh.TopGame, cbh.IsExamined, cbh.TopGame, 0, 0}},
		"copy onto":       {way{purge: true, force: true}, []uint8{cbh.TopGame, cbh.IsExamined, cbh.TopGame, 0, 0}},
		"afresh":          {way{purge: true, afresh: true}, []uint8{cbh.TopGame, cbh.IsExamined, cbh.TopGame, 0, 0}},
		"afresh onto":     {way{purge: true, afresh: true, force: true}, []uint8{cbh.TopGame, cbh.IsExamined, cbh.TopGame, 0, 0}},
		"all afresh":      {way{afresh: true}, []uint8{cbh.TopGame, cbh.IsExamined, 0, cbh.IsExamined, cbh.TopGame}},
		"all afresh onto": {way{afresh: true, force: true}, []uint8{cbh.TopGame, cbh.IsExamined, 0, cbh.IsExamined, cbh.TopGame}},
	} {
		t.Run(name, func(t *testing.T) {
			from := furnished(t)
			to := filepath.Join(gen.Folder(t), "copy.cbh")
			if c.force {
				to = from
			}
			losses := convert(t, from, to, c.way)
			if !slices.Equal(losses, left) {
				t.Errorf("losses %v, want %v", losses, left)
			}
			checkEnsuing(t, to)
			if marks := marksOf(t, to, 5); !slices.Equal(marks, c.marks) {
				t.Errorf("marks %v, want %v", marks, c.marks)
			}
			for _, ext := range []string{".cit", ".cib", ".cbb", ".cbgi", ".cbkit"} {
				if _, err := os.Stat(beside(to, ext)); err == nil {
					t.Errorf("%s is stale", ext)
				}
			}
			for _, ext := range otherDatabases {
				if _, err := os.Stat(beside(to, ext)); (err == nil) != c.force {
					t.Errorf("%s: %v", ext, err)
				}
			}
		})
	}
}

// Marks that cannot be read go along only while all records keep their numbers.
func TestPurgeWithDamagedMarks(t *testing.T) {
	for _, afresh := range []bool{false, true} {
		from := furnished(t)
		writeBeside(t, from, ".flags", "damaged")
		to := filepath.Join(gen.Folder(t), "copy.cbh")
		convert(t, from, to, way{afresh: afresh})
		if got := readFile(t, beside(to, ".flags")); string(got) != "damaged" {
			t.Errorf("all records: %q", got)
		}
		losses := convert(t, from, to, way{afresh: afresh, purge: true, force: true})
		if !slices.Contains(losses, "file .flags") {
			t.Errorf("losses %v", losses)
		}
		if _, err := os.Stat(beside(to, ".flags")); err == nil {
			t.Error("the marks are there, of other records")
		}
	}
}

// A copy that leaves records out gives the marks of the others their new
// numbers even if it is not written afresh.
func TestMarksFollowRecords(t *testing.T) {
	from, to := furnished(t), filepath.Join(gen.Folder(t), "copy.cbh")
	convert(t, from, to, way{purge: true})
	if marks, want := marksOf(t, to, 4), []uint8{cbh.TopGame, cbh.IsExamined, cbh.TopGame, 0}; !slices.Equal(marks, want) {
		t.Errorf("marks %v, want %v", marks, want)
	}
}

// Records of a .cbtt file of which nothing is known go with their tournaments.
func TestPurgeKeepsUnknownTournamentExtras(t *testing.T) {
	const version, size = 5, 405
	from, to := furnished(t), filepath.Join(gen.Folder(t), "copy.cbh")
	head := cbh.TournamentExtraHeader{Version: version, RecordSize: size, Highest: 3, Garbage: [20]byte{7: 0xAB}}
	file := head.Append(nil)
	for id := range 4 {
		file = append(file, bytes.Repeat([]byte{byte('A' + id)}, size)...)
	}
	writeBeside(t, from, ".cbtt", string(file))
	losses := convert(t, from, to, way{afresh: true, purge: true})
	if slices.ContainsFunc(losses, func(l string) bool { return strings.Contains(l, "tournament") || strings.Contains(l, ".cbtt") }) {
		t.Errorf("losses %v", losses)
	}
	head.Highest = 1
	want := head.Append(nil)
	// The tournaments of games 1, 4 and 5 are left, the last one has no record.
	for _, content := range "AD" {
		want = append(want, bytes.Repeat([]byte(string(content)), size)...)
	}
	if got := readFile(t, beside(to, ".cbtt")); !bytes.Equal(got, want) {
		t.Errorf("%d bytes, want %d:\n%.60x\n%.60x", len(got), len(want), got, want)
	}
	// What is not whole cannot be somebody's.
	writeBeside(t, from, ".cbtt", string(file)+"rest")
	losses = convert(t, from, to, way{afresh: true, purge: true, force: true})
	if !slices.Contains(losses, "file .cbtt") {
		t.Errorf("losses %v", losses)
	}
	// In a copy tournaments keep their numbers, and the file is theirs.
	losses = convert(t, from, to, way{purge: true, force: true})
	if got := readFile(t, beside(to, ".cbtt")); string(got) != string(file)+"rest" || slices.Contains(losses, "file .cbtt") {
		t.Errorf("%d bytes, losses %v", len(got), losses)
	}
}

// Lists of media that are longer than a record of the .cbm file are whole, and
// sound.
func TestLongMediaLists(t *testing.T) {
	db := &model.Database{}
	for _, n := range []int{100, 1, 300} {
		text := model.NewGuidingText()
		for i := range n {
			text.Media = append(text.Media, fmt.Sprintf("picture%03d.jpg", i))
		}
		db.AddText(text)
	}
	again, losses := trip(t, gen.Folder(t), db, write.Options{})
	if len(losses) > 0 || !model.Equal(db, again) {
		t.Errorf("losses %v:\n%s", losses, difference(db, again))
	}
	from := create(t, db, write.Options{})
	for _, w := range []way{{}, {afresh: true}} {
		to := filepath.Join(gen.Folder(t), "copy.cbh")
		if losses := convert(t, from, to, w); len(losses) > 0 {
			t.Errorf("losses %v", losses)
		}
		if !bytes.Equal(readFile(t, beside(from, ".cbm")), readFile(t, beside(to, ".cbm"))) {
			t.Errorf("the lists differ, written with %+v", w)
		}
		made := check.Database(context.Background(), to, check.Options{})
		for f, err := range made.Findings() {
			if err != nil {
				break // Summary has it
			}
			t.Error(f)
		}
		if _, err := made.Summary(); err != nil {
			t.Error(err)
		}
		report, err := check.Verify(context.Background(), to, check.Options{})
		if err != nil || report.Different() > 0 {
			t.Errorf("%d different, %v", report.Different(), err)
		}
	}
}
