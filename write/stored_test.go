package write_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/check"
	"cbkit/internal/cbhdb"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// teamGames returns a database of four games with teams and annotations, and a
// guiding text with media.
func teamGames() *model.Database {
	db := &model.Database{}
	e := &db.Tables
	for i := range 4 {
		g := &model.Game{Header: model.NewHeader()}
		g.White = e.Players.Intern(model.Player{LastName: fmt.Sprint("White ", i)})
		g.Black = e.Players.Intern(model.Player{LastName: "Black"})
		g.WhiteTeam = e.Teams.Intern(model.Team{Title: fmt.Sprint("Team ", i)})
		g.Tournament = e.Tournaments.Intern(model.Tournament{Title: "Event", End: model.Date{Year: 2001, Month: 2, Day: 3}})
		g.Moves.Append(model.NewMove(model.E2, model.E4))
		g.Annotate(0, model.Text{Text: strings.Repeat("text ", i+1)})
		db.AddGame(g)
	}
	text := model.NewGuidingText()
	text.Media = []string{"photo.jpg"}
	text.Contents = []model.LocalText{{Language: model.English, Text: "An introduction"}}
	db.AddText(text)
	return db
}

// teamRecords is the number of records of teamGames.
const teamRecords = 5

// oddFile is something that the files of a database can hold although it is
// not what they should: readers pass over it and copies keep it.
type oddFile struct {
	name, ext string
	change    func([]byte) []byte
	// warning is what must be said on opening, "" for nothing.
	warning string
	// cut says that records are missing: the preflight refuses.
	cut bool
	// gone says that content is missing, lost that the file cannot be used at
	// all.
	gone, lost bool
}

func putLE(at int, v int32) func([]byte) []byte {
	return func(b []byte) []byte { binary.LittleEndian.PutUint32(b[at:], uint32(v)); return b }
}

func putBE(at int, v uint32) func([]byte) []byte {
	return func(b []byte) []byte { binary.BigEndian.PutUint32(b[at:], v); return b }
}

func behind(n int) func([]byte) []byte {
	return func(b []byte) []byte { return append(b, bytes.Repeat([]byte("stale"), n)[:n]...) }
}

func both(first, second func([]byte) []byte) func([]byte) []byte {
	return func(b []byte) []byte { return second(first(b)) }
}

func nothing([]byte) []byte { return []byte{} }

// oddFiles are wrong counters, wrong sizes and bytes behind the last record, as
// old databases have them, and optional files that cannot be used.
// (docs/formats/real-databases.md 10)
var oddFiles = []oddFile{
	{name: "no players by the header", ext: ".cbp", change: putLE(0, 0), warning: "new.cbp: at 0x0 (capacity): "},
	{name: "fewer players", ext: ".cbp", change: putLE(0, 3), warning: "new.cbp: at 0x0 (capacity): "},
	{name: "more players", ext: ".cbp", change: putLE(0, 30), warning: "new.cbp: at 0x0 (capacity): "},
	{name: "fewer tournaments", ext: ".cbt", change: putLE(0, 0), warning: "new.cbt: at 0x0 (capacity): "},
	{name: "fewer teams", ext: ".cbe", change: putLE(0, 1), warning: "new.cbe: at 0x0 (capacity): "},
	{name: "cut players", ext: ".cbp", change: func(b []byte) []byte { return b[:len(b)-20] }, warning: "new.cbp: at 0x0 (capacity): ", gone: true},
	{name: "live players", ext: ".cbp", change: putLE(20, 1)},
	{name: "no root", ext: ".cbp", change: putLE(4, -1)},
	{name: "bytes behind players", ext: ".cbp", change: behind(10)},

	{name: "no record by the counter", ext: ".cbh", change: putBE(6, 1), warning: "new.cbh: at 0x6 (next game id): "},
	{name: "a counter of 0", ext: ".cbh", change: putBE(6, 0), warning: "new.cbh: at 0x6 (next game id): "},
	{name: "fewer records", ext: ".cbh", change: both(putBE(6, 3), putBE(40, 3)), warning: "new.cbh: at 0x6 (next game id): "},
	{name: "the other counter", ext: ".cbh", change: putBE(40, 0)},
	{name: "more records", ext: ".cbh", change: putBE(6, 700), warning: "new.cbh: at 0x6 (next game id): ", cut: true},
	{name: "bytes behind .cbh", ext: ".cbh", change: behind(20)},

	{name: "one .cbj record by the header", ext: ".cbj", change: putLE(8, 1), warning: "new.cbj: at 0x8 (records): "},
	{name: "no .cbj record by the header", ext: ".cbj", change: putLE(8, 0), warning: "new.cbj: at 0x8 (records): "},
	{name: "more .cbj records", ext: ".cbj", change: putLE(8, 9), warning: "new.cbj: at 0x8 (records): "},
	{name: ".cbj records of games long gone", ext: ".cbj", change: both(putLE(8, teamRecords+2), behind(240))},
	{name: "the same, not counted", ext: ".cbj", change: behind(240), warning: "new.cbj: at 0x8 (records): "},
	{name: "cut .cbj", ext: ".cbj", change: func(b []byte) []byte { return b[:len(b)-3*120] }, warning: "new.cbj: at 0x8 (records): ", gone: true},
	{name: "a piece behind .cbj", ext: ".cbj", change: behind(7)},

	{name: "14 bytes behind .cba", ext: ".cba", change: behind(14)},
	{name: "bytes behind .cbg", ext: ".cbg", change: behind(2000)},
	{name: "a small .cbg by the header", ext: ".cbg", change: putBE(2, 60)},
	{name: "an empty .cbg by the header", ext: ".cbg", change: both(putBE(2, 0), behind(9))},
	{name: "64-bit sizes of 0", ext: ".cba", change: both(putBE(10, 0), putBE(14, 0))},
	{name: "a large .cba by the header", ext: ".cba", change: both(putBE(2, 1<<20), putBE(14, 1<<20))},
	{name: "holes that are none", ext: ".cbg", change: both(putBE(6, 77), putBE(22, 77))},

	{name: "highest tournament", ext: ".cbtt", change: putLE(8, 40)},
	{name: "no tournament data", ext: ".cbtt", change: func(b []byte) []byte { return putLE(8, -1)(b[:32]) }, gone: true},
	{name: "media lists", ext: ".cbm", change: putLE(8, 0)},
	{name: "empty .flags", ext: ".flags", change: nothing},
	{name: "empty .ini", ext: ".ini", change: nothing},

	{name: "empty .cbe", ext: ".cbe", change: nothing, warning: "new.cbe: ", lost: true},
	{name: "empty .cbl", ext: ".cbl", change: nothing, warning: "new.cbl: ", lost: true},
	{name: "empty .cbtt", ext: ".cbtt", change: nothing, warning: "new.cbtt: ", lost: true},
	{name: "empty .cbj", ext: ".cbj", change: nothing, warning: "new.cbj: ", lost: true},
	{name: "empty .cbm", ext: ".cbm", change: nothing, warning: "new.cbm: ", lost: true},
	{name: "teams of a later version", ext: ".cbe", change: putLE(12, 70), warning: "new.cbe: at 0xc (payload size): ", lost: true},
	{name: ".cbj of another kind", ext: ".cbj", change: putLE(4, 0), warning: "new.cbj: at 0x4 (record size): ", lost: true},
}

// write writes the database with one odd file.
func (o *oddFile) write(t *testing.T) string {
	path := create(t, teamGames(), write.Options{})
	b, err := os.ReadFile(sibling(path, o.ext))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	replace(t, sibling(path, o.ext), o.change(b))
	return path
}

// openWarned opens a database and returns what it warns of.
func openWarned(t *testing.T, path string) (chess *read.ChessBase, warnings []string) {
	t.Helper()
	db, err := read.Open(path, read.Options{Warn: func(err error) {
		var e *model.FormatError
		if !errors.As(err, &e) {
			t.Errorf("%v does not say where", err)
		}
		warnings = append(warnings, err.Error())
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db.(*read.ChessBase), warnings
}

// Whatever the headers say, a copy has the same files with the same bytes.
func TestCopyKeepsOddFiles(t *testing.T) {
	for _, o := range oddFiles {
		t.Run(o.name, func(t *testing.T) {
			path := o.write(t)
			db, warnings := openWarned(t, path)
			if o.warning == "" && len(warnings) > 0 || o.warning != "" && (len(warnings) != 1 || !strings.HasPrefix(warnings[0], o.warning)) {
				t.Errorf("warnings %q, want %q", warnings, o.warning)
			}
			if db.Count() != teamRecords {
				t.Errorf("%d records, want %d", db.Count(), teamRecords)
			}
			if err := db.Preflight(context.Background()); (err != nil) != o.cut || o.cut && !strings.HasPrefix(err.Error(), o.warning) {
				t.Errorf("preflight: %v", err)
			}
			opt := write.Options{Report: func(l model.Loss) { t.Errorf("loss: %v", l) }}
			copied := copied(t, db, opt, model.CopyOptions{SkipPreflight: o.cut})
			if o.cut { // what is not there is left out
				checkErrors(t, copied)
				return
			}
			compareFiles(t, path, copied)
		})
	}
}

// compareFiles compares the files of two databases byte for byte.
func compareFiles(t *testing.T, path, target string) {
	t.Helper()
	from := must.Get(read.FindFiles(path))(t)
	to := must.Get(read.FindFiles(target))(t)
	if a, b := from.Endings(), to.Endings(); !slices.Equal(a, b) {
		t.Fatalf("files %v became %v", a, b)
	}
	for _, ext := range from.Endings() {
		a, b := readFile(t, from.Path(ext)), readFile(t, to.Path(ext))
		if !bytes.Equal(a, b) {
			t.Errorf("%s: %d bytes became %d others", ext, len(a), len(b))
		}
	}
}

// afresh writes an odd database afresh by way of change and returns it and the
// losses.
func (o *oddFile) afresh(t *testing.T, change func(read.Database) model.Source) (string, []model.Loss) {
	t.Helper()
	db, _ := openWarned(t, o.write(t))
	var losses []model.Loss
	target := filepath.Join(gen.Folder(t), "new.cbh")
	sink := must.Get(write.Create(context.Background(), target, write.Options{Now: clock, Report: func(l model.Loss) { losses = append(losses, l) }}))(t)
	must.Do(t, model.Copy(context.Background(), sink, change(db), model.CopyOptions{SkipPreflight: true}))
	return target, losses
}

// wantLosses checks that a file that cannot be used is reported, and nothing
// else but references to entities that are gone with it.
func (o *oddFile) wantLosses(t *testing.T, losses []model.Loss) {
	t.Helper()
	var files []string
	for _, l := range losses {
		if l.Kind == model.LostFile {
			files = append(files, l.Field)
		} else if !o.gone && !o.lost || !strings.HasPrefix(l.What, "there is no ") {
			t.Errorf("loss: %v", l)
		}
	}
	if o.lost && !slices.Equal(files, []string{o.ext}) || !o.lost && len(files) > 0 {
		t.Errorf("files lost: %q", files)
	}
}

// Written afresh, an odd database is a sound one that says the same.
func TestFreshCopyOfOddFiles(t *testing.T) {
	for _, o := range oddFiles {
		t.Run(o.name, func(t *testing.T) {
			path, losses := o.afresh(t, func(db read.Database) model.Source { return db })
			o.wantLosses(t, losses)
			db, warnings := openWarned(t, path)
			if len(warnings) > 0 {
				t.Errorf("warnings: %q", warnings)
			}
			again := must.Get(model.Load(context.Background(), db))(t)
			if want := teamGames(); !o.gone && !o.lost && !model.Equal(want, again) {
				t.Error(difference(want, again))
			}
		})
	}
}

// An odd database that was changed in memory is written afresh too.
func TestChangedCopyOfOddFiles(t *testing.T) {
	for _, o := range oddFiles {
		t.Run(o.name, func(t *testing.T) {
			path, losses := o.afresh(t, func(db read.Database) model.Source {
				changed := must.Get(model.Load(context.Background(), db))(t)
				g := changed.List[0].Game.Clone()
				g.Leftovers = model.GameLeftovers{}
				id := changed.AddGame(g)
				changed.List[id-1].Damage = changed.List[0].Damage // references into a file that is gone
				return changed
			})
			o.wantLosses(t, losses)
			db, warnings := openWarned(t, path)
			if len(warnings) > 0 || db.Count() != teamRecords+1 {
				t.Errorf("%d records, warnings: %q", db.Count(), warnings)
			}
			end := must.Get(cbhdb.New(cbhdb.FilesOf(db.Files())).End(context.Background(), o.ext))(t)
			if stat, err := os.Stat(sibling(path, o.ext)); err == nil && end != 0 && stat.Size() != end {
				t.Errorf("%s has %d bytes, its records end after %d", o.ext, stat.Size(), end)
			}
		})
	}
}

// Holes are left out in front of bytes behind the declared end, which stay
// behind it.
func TestCopyKeepsTailBehindHoles(t *testing.T) {
	path := create(t, teamGames(), write.Options{})
	moves := sibling(path, ".cbg")
	sound := readFile(t, moves)
	const hole, tail = 7, "fourteen stale"
	odd := append(bytes.Clone(sound), make([]byte, hole)...)
	odd = append(putBE(2, uint32(len(odd)))(odd), tail...)
	replace(t, moves, odd)

	db, _ := openWarned(t, path)
	if end, err := cbhdb.New(cbhdb.FilesOf(db.Files())).End(context.Background(), ".cbg"); err != nil || end != int64(len(sound)+hole) {
		t.Errorf("the records end after %d bytes, %v; they have %d and a hole", end, err, len(sound))
	}
	copied := readFile(t, sibling(copied(t, db, write.Options{}, model.CopyOptions{}), ".cbg"))
	if want := append(bytes.Clone(sound), tail...); !bytes.Equal(copied, want) {
		t.Errorf("%x, want %x", copied, want)
	}
}

// A deleted player to whom games refer stays deleted in a copy, and is a live
// one where the tables are written afresh.
func TestDeletedPlayerInUse(t *testing.T) {
	path := create(t, teamGames(), write.Options{})
	players := sibling(path, ".cbp")
	replace(t, players, both(putLE(16, 0), putLE(32, -999))(readFile(t, players)))
	if name := whitePlayer(t, path); name != "White 0" {
		t.Errorf("White is %q", name)
	}
	db, warnings := openWarned(t, path)
	if len(warnings) > 0 || !db.Entities().Players.Slot(0).Deleted {
		t.Errorf("player 0 is not deleted; %q", warnings)
	}
	compareFiles(t, path, copied(t, db, write.Options{}, model.CopyOptions{}))

	afresh := create(t, db, write.Options{Report: func(l model.Loss) { t.Errorf("loss: %v", l) }})
	again, _ := openWarned(t, afresh)
	if name := whitePlayer(t, afresh); name != "White 0" || again.Entities().Players.Slot(0).Deleted {
		t.Errorf("White is %q, deleted %v", name, again.Entities().Players.Slot(0).Deleted)
	}
}

// A .cbtt file of a later version is kept by a copy, and goes along record by
// record where the database is written afresh. Without the files of the source
// it is lost, which is reported.
func TestTournamentDataOfALaterVersion(t *testing.T) {
	later := oddFile{ext: ".cbtt", change: func(b []byte) []byte {
		return append(both(putLE(0, 5), putLE(4, 405))(b[:32]), make([]byte, 405)...)
	}}
	path := later.write(t)
	db, _ := openWarned(t, path)
	compareFiles(t, path, copied(t, db, write.Options{}, model.CopyOptions{}))

	afresh, losses := later.afresh(t, func(db read.Database) model.Source { return db })
	if got := readFile(t, sibling(afresh, ".cbtt")); len(losses) != 0 || got[0] != 5 || len(got) != 32+405 {
		t.Errorf("%d bytes of version %d, losses: %v", len(got), got[0], losses)
	}
	_, losses = later.afresh(t, func(db read.Database) model.Source {
		return must.Get(model.Load(context.Background(), db))(t)
	})
	if len(losses) != 1 || losses[0].Kind != model.LostFile || losses[0].Field != ".cbtt" {
		t.Errorf("losses: %v", losses)
	}
}

// A database with a game that has no names, no tournament and nothing else gets
// the empty entities that ChessBase has for that, one of each.
func TestCopyWithNamelessGames(t *testing.T) {
	for name, open := range map[string]func(*testing.T) string{
		"our own":  func(t *testing.T) string { return create(t, teamGames(), write.Options{}) },
		"mate2":    func(t *testing.T) string { return corpus.Path(t, "cbh/mate2/Mate2.cbh") },
		"twic1134": func(t *testing.T) string { return corpus.Path(t, "cbh/twic1134/twic1134.cbh") },
	} {
		t.Run(name, func(t *testing.T) {
			path := open(t)
			db, _ := openWarned(t, path)
			loaded := must.Get(model.Load(context.Background(), db))(t)
			for range 2 {
				loaded.AddGame(model.NewGame())
			}
			copied := create(t, loaded, write.Options{})
			checkErrors(t, copied)
			again, _ := openWarned(t, copied)
			if again.Count() != db.Count()+2 {
				t.Errorf("%d games, were %d", again.Count(), db.Count())
			}
			empty := 0
			for _, slot := range again.Entities().Players.All() {
				if slot.Value == (model.Player{}) && !slot.Deleted {
					empty++
				}
			}
			if empty != 1 {
				t.Errorf("%d players without a name", empty)
			}
		})
	}
}

// checkErrors checks a database for errors.
func checkErrors(t *testing.T, path string) {
	t.Helper()
	made := check.Database(context.Background(), path, check.Options{})
	for f, err := range made.Findings() {
		if err != nil {
			break // Summary has it
		}
		if f.Severity == check.Error {
			t.Error(f)
		}
	}
	must.Get(made.Summary())(t)
}
