package parquet

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/fsys"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/neighbours"
	"cbkit/model"
)

// someGames is a database of so many games.
func someGames(n int) *model.Database {
	db := &model.Database{}
	for range n {
		g := model.NewGame()
		g.Moves.Append(model.NewMove(model.E2, model.E4))
		db.AddGame(g)
	}
	return db
}

// run writes a part into the folder "out", with both tables.
func run(files fsys.FS, db *model.Database, part, parts int, force bool) error {
	w, err := createIn(context.Background(), files, "out", Options{
		Database: "db", Tables: []Table{Games, Positions}, Part: part, Parts: parts, Force: force, Jobs: 1,
	})
	if err != nil {
		return err
	}
	return model.Copy(context.Background(), w, db, model.CopyOptions{})
}

// street is a disk with neighbours of the database "db" in the folder "out", and in
// those of both tables.
var street = func() *crashfs.FS {
	disk := crashfs.New()
	for _, main := range []string{"out/db.parquet", "out/games/db.parquet", "out/positions/db.parquet"} {
		neighbours.On(disk, main)
	}
	for _, database := range []string{"mydb", "db.2024", "DB", "d", "db.1-of-2", "db.parquet"} {
		disk.WriteFile("out/games/"+database+".1-of-2.0001.parquet", []byte(database))
	}
	return disk
}()

// wrong says which neighbour on a disk is not as it was.
func wrong(disk *crashfs.FS) string {
	files := disk.Files()
	for name, data := range street.Files() {
		if !bytes.Equal(files[name], data) {
			return name + " is not as it was"
		}
	}
	if manifests := wrongManifest(own(disk)); manifests != "" {
		return manifests
	}
	return ""
}

// wrongManifest says what manifests say that is not so, or do not say, of the files that
// stand there with no others to come.
func wrongManifest(files map[string][]byte) string {
	entries := map[string]ManifestEntry{}
	for name, data := range files {
		if strings.HasSuffix(name, placingEnding) {
			return ""
		}
		for line := range bytes.Lines(data) {
			var e ManifestEntry
			if !strings.HasPrefix(filepath.Base(name), "_manifest.") {
				break
			}
			if err := json.Unmarshal(line, &e); err != nil {
				return name + ": " + err.Error()
			}
			entries[filepath.Join(filepath.Dir(name), e.File)] = e
		}
	}
	for name, data := range files {
		if !fileOfPart.MatchString(filepath.Base(name)) {
			continue
		}
		e, ok := entries[name]
		delete(entries, name)
		if !ok || e.Bytes != int64(len(data)) || e.SHA256 != fmt.Sprintf("%x", sha256.Sum256(data)) || (e.FirstID == nil) != (e.Rows == 0) {
			return fmt.Sprintf("%s: the manifest says %+v", name, e)
		}
	}
	for name := range entries {
		return name + " is in a manifest and nowhere else"
	}
	return ""
}

// own returns the files of a disk that are not on the street.
func own(disk *crashfs.FS) map[string][]byte {
	files, theirs := disk.Files(), street.Files()
	maps.DeleteFunc(files, func(name string, _ []byte) bool { return theirs[name] != nil })
	return files
}

// content returns the complete files of a disk but for those of the street.
func content(disk *crashfs.FS) map[string]string {
	all := map[string]string{}
	for name, data := range own(disk) {
		if strings.HasSuffix(name, ".parquet") {
			all[filepath.Base(filepath.Dir(name))+"/"+filepath.Base(name)] = string(data)
		}
	}
	return all
}

func TestParts(t *testing.T) {
	disk := crashfs.New()
	for part := 1; part <= 3; part++ {
		if err := run(disk, someGames(part), part, 3, false); err != nil {
			t.Fatal(err)
		}
	}
	was := content(disk)
	if len(was) != 6 {
		t.Fatalf("%d files, want 6", len(was))
	}
	// A part that is run again replaces its own files and no others.
	if err := run(disk, someGames(10), 2, 3, false); err != nil {
		t.Fatal(err)
	}
	for name, is := range content(disk) {
		if own := strings.Contains(name, ".2-of-3."); own == (is == was[name]) {
			t.Errorf("%s: changed %v", name, own)
		}
	}
	if err := run(disk, someGames(1), 1, 2, true); err == nil || !strings.Contains(err.Error(), "would be there twice") {
		t.Errorf("a part of two beside parts of three: %v", err)
	}
}

func TestForce(t *testing.T) {
	disk := crashfs.New()
	if err := run(disk, someGames(1), 0, 0, false); err != nil {
		t.Fatal(err)
	}
	was := content(disk)
	if err := run(disk, someGames(2), 0, 0, false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("without force: %v", err)
	}
	if err := run(disk, someGames(2), 0, 0, true); err != nil {
		t.Error(err)
	}
	if is := content(disk); len(is) != 2 || is["games/db.1-of-1.0001.parquet"] == was["games/db.1-of-1.0001.parquet"] {
		t.Error("with force the file is as it was")
	}
}

// TestOneWriterOfAPart begins several runs at once.
func TestOneWriterOfAPart(t *testing.T) {
	dir := filepath.Join(gen.Folder(t), "out")
	first, err := Create(context.Background(), dir, Options{Database: "db", Force: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Create(context.Background(), dir, Options{Database: "db", Force: true}); !errors.Is(err, model.ErrLocked) {
		t.Errorf("a second one: %v", err)
	}
	other, err := Create(context.Background(), dir, Options{Database: "other"})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []*Writer{first, other} {
		if err := model.Copy(t.Context(), w, someGames(1), model.CopyOptions{}); err != nil {
			t.Error(err)
		}
	}
	again, err := Create(context.Background(), dir, Options{Database: "db", Force: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Abort(); err != nil {
		t.Error(err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*cbkit*")); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

// TestMeanwhile makes files that come into being while others of their names are
// written.
func TestMeanwhile(t *testing.T) {
	dir := gen.Folder(t)
	w, err := Create(context.Background(), dir, Options{Database: "db"})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "games", "db.1-of-1.0001.parquet")
	if err := os.WriteFile(name, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := model.Copy(t.Context(), w, someGames(1), model.CopyOptions{}); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	if b, err := os.ReadFile(name); err != nil || string(b) != "mine" {
		t.Errorf("%q, %v", b, err)
	}
	if entries, err := os.ReadDir(filepath.Dir(name)); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

// TestCrashAtEveryCall stops the machine at every call of writing a part. The files
// that have their names are never of two runs; after recovering they are all of the
// old one or all of the new one, and files of other parts are what they were.
func TestCrashAtEveryCall(t *testing.T) {
	base := street.Clone()
	for part := 1; part <= 2; part++ {
		if err := runSmall(base, someGames((4-part)*batchGames), part); err != nil {
			t.Fatal(err)
		}
	}
	before := func() *crashfs.FS {
		return base.Restart(func(pending int) int { return pending }, func(string) bool { return true })
	}
	was := content(before())
	whole := before()
	whole.Plan(nil)
	next := someGames(batchGames + 1) // other files, and fewer of them
	if err := runSmall(whole, next, 1); err != nil {
		t.Fatal(err)
	}
	is, calls := content(whole), whole.Calls()
	if calls < 10 || len(is) >= len(was) {
		t.Fatalf("only %d calls, %d files after %d", calls, len(is), len(was))
	}
	old := 0
	for n := range crashfs.Tried(calls, 11, 3) {
		for _, lost := range []bool{false, true} {
			disk := before()
			disk.CrashAt(n, lost)
			_ = runSmall(disk, next, 1)
			for pending := range disk.Pending() + 1 {
				after := disk.Restart(func(int) int { return pending }, func(string) bool { return false })
				got := content(after)
				if !isPartOf(got, was) && !isPartOf(got, is) {
					t.Fatalf("crash at call %d, %d names on the disk: files of two runs: %v", n, pending, slices.Sorted(maps.Keys(got)))
				}
				if _, err := recoverIn(context.Background(), after, "out", 0); err != nil {
					t.Fatalf("crash at call %d: %v", n, err)
				}
				switch got = content(after); {
				case maps.Equal(got, was):
					old++
				case !maps.Equal(got, is):
					t.Fatalf("crash at call %d: recovered are %v", n, slices.Sorted(maps.Keys(got)))
				}
				for name := range own(after) {
					if strings.Contains(name, "cbkit") {
						t.Fatalf("crash at call %d: %s is left", n, name)
					}
				}
				if wrong := wrong(after); wrong != "" {
					t.Fatalf("crash at call %d: %s", n, wrong)
				}
			}
		}
	}
	if old == 0 {
		t.Error("nothing was ever taken back")
	}
}

// runSmall writes a part of two with a file for each few games.
func runSmall(files fsys.FS, db *model.Database, part int) error {
	w, err := createIn(context.Background(), files, "out", Options{
		Database: "db", Tables: []Table{Games, Positions}, Part: part, Parts: 2, Jobs: 1, NoGame: true, Compression: "none",
	})
	if err != nil {
		return err
	}
	for _, table := range w.tables {
		table.groupRows, table.maxGroups = 1, 1
	}
	return model.Copy(context.Background(), w, db, model.CopyOptions{})
}

// isPartOf reports whether all files are among others.
func isPartOf(files, of map[string]string) bool {
	for name, data := range files {
		if of[name] != data {
			return false
		}
	}
	return true
}

// A part whose files are not all in place is told by readers, until it is recovered
// or written again. What says so is not believed if it names other files.
func TestUnplacedPart(t *testing.T) {
	dir := gen.Folder(t)
	write := func(n int) error {
		w, err := Create(context.Background(), dir, Options{Database: "db", Force: true})
		if err == nil {
			err = model.Copy(t.Context(), w, someGames(n), model.CopyOptions{})
		}
		return err
	}
	if err := write(1); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "games", "db.1-of-1.0001.parquet")
	stop := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "db.1-of-1.cbkit-placing"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(name); !errors.Is(err, model.ErrNeedsRecovery) || !strings.Contains(err.Error(), "cbkit recover "+dir) {
			t.Errorf("opened: %v", err)
		}
	}
	stop("end\n")
	if r, err := Recover(t.Context(), dir, 0); err != nil || r.Outcome != model.RecoveryCompleted || len(r.Cleared) != 1 {
		t.Errorf("%v, %v", r, err)
	}
	if _, err := Open(name); err != nil {
		t.Error(err)
	}
	for text, kind := range map[string]error{
		"old games/db.1-of-1.0001.parquet\n": model.ErrTruncated, "old games/mine.parquet\nend\n": model.ErrCorrupt,
		"old ../games/db.1-of-1.0001.parquet\nend\n": model.ErrCorrupt, "new games/db.1-of-1.0001.parquet\nend\n": model.ErrCorrupt,
		"new games/.db.1-of-1.0002.parquet.1-0.cbkit-writing\nend\n": fs.ErrNotExist,
	} {
		stop(text)
		if _, err := Recover(t.Context(), dir, 0); !errors.Is(err, kind) {
			t.Errorf("%q: %v", text, err)
		}
		if err := write(2); !errors.Is(err, kind) {
			t.Errorf("%q: written: %v", text, err)
		}
	}
	stop("old games/db.1-of-1.0001.parquet\nend\n")
	if err := write(2); err != nil {
		t.Error(err)
	}
	if r, err := Open(name); err != nil || r.rows != 2 {
		t.Errorf("%v", err)
	}
}

// TestFailAtEveryCall lets every call fail once: the error is told, and no file
// that has its name is incomplete.
func TestFailAtEveryCall(t *testing.T) {
	whole := street.Clone()
	whole.Plan(nil)
	if err := run(whole, someGames(3), 1, 2, false); err != nil {
		t.Fatal(err)
	}
	is := content(whole)
	for n := range whole.Calls() {
		disk := street.Clone()
		disk.FailAt(n)
		err := run(disk, someGames(3), 1, 2, false)
		got := content(disk)
		if err == nil && len(got) != len(is) {
			t.Errorf("call %d failed: no error, and %d files", n, len(got))
		}
		for name, data := range got {
			if data != is[name] {
				t.Errorf("call %d failed: %s is incomplete", n, name)
			}
		}
		if wrong := wrong(disk); wrong != "" {
			t.Errorf("call %d failed: %s", n, wrong)
		}
	}
}

// Where case means nothing, files of a database whose name differs in case alone are in
// the place of new ones: they are refused, with force too, and nothing is left to
// recover.
func TestTwinInTheWay(t *testing.T) {
	for _, name := range []string{"out/games/DB.1-of-1.0001.parquet", "out/positions/db.1-of-1.0001.PARQUET"} {
		disk := crashfs.New()
		disk.IgnoreCase()
		for _, dir := range []string{"out", "out/games", "out/positions"} {
			if err := disk.Mkdir(dir, 0o777); err != nil {
				t.Fatal(err)
			}
		}
		disk.WriteFile(name, []byte("mine"))
		before := disk.Files()
		for _, force := range []bool{false, true} {
			if err := run(disk, someGames(1), 0, 0, force); !errors.Is(err, fs.ErrExist) || errors.Is(err, model.ErrNeedsRecovery) || strings.Count(err.Error(), "parquet") != 1 {
				t.Errorf("%s, force %t: %v", name, force, err)
			}
			if !crashfs.Same(before, disk.Files()) {
				t.Errorf("%s, force %t: %v", name, force, crashfs.Differing(disk.Files(), before, before))
			}
		}
	}
}

// TestManyFiles writes more row groups than a file has.
func TestManyFiles(t *testing.T) {
	disk := crashfs.New()
	w, err := createIn(context.Background(), disk, "out", Options{Database: "db", Jobs: 1, NoGame: true})
	if err != nil {
		t.Fatal(err)
	}
	w.tables[0].groupRows, w.tables[0].maxGroups = 1, 2
	if err := model.Copy(context.Background(), w, someGames(batchGames*5), model.CopyOptions{}); err != nil {
		t.Fatal(err)
	}
	total := int64(0)
	for name, data := range content(disk) {
		p, err := readFooter(bytes.NewReader([]byte(data)), int64(len(data)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		total += p.NumRows()
	}
	if n := len(content(disk)); n != 3 || total != batchGames*5 {
		t.Errorf("%d files with %d rows, want 3 with %d", n, total, batchGames*5)
	}
}

func TestFileNames(t *testing.T) {
	for database, want := range map[string]string{"Mega.2024": "Mega.2024", "": "games", "a/b:c": "a_b_c", "..x": "x"} {
		if got := fileName(database); got != want {
			t.Errorf("%q: %q, want %q", database, got, want)
		}
	}
	for _, database := range []string{"Mega", "Mega.1-of-2"} {
		if m := fileOfPart.FindStringSubmatch(database + ".1-of-4.0001.parquet"); !slices.Equal(m[1:], []string{database, "1", "4"}) {
			t.Errorf("the name of a file of %s is understood as %q", database, m)
		}
	}
}
