package parquet

import (
	"bytes"
	"context"
	"errors"
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
	"cbkit/internal/testkit/must"
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
		must.Do(t, run(disk, someGames(part), part, 3, false))
	}
	was := content(disk)
	if len(was) != 6 {
		t.Fatalf("%d files, want 6", len(was))
	}
	// A part that is run again replaces its own files and no others.
	must.Do(t, run(disk, someGames(10), 2, 3, false))
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
	must.Do(t, run(disk, someGames(1), 0, 0, false))
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
	first := must.Get(Create(context.Background(), dir, Options{Database: "db", Force: true}))(t)
	if _, err := Create(context.Background(), dir, Options{Database: "db", Force: true}); !errors.Is(err, model.ErrLocked) {
		t.Errorf("a second one: %v", err)
	}
	other := must.Get(Create(context.Background(), dir, Options{Database: "other"}))(t)
	for _, w := range []*Writer{first, other} {
		if err := model.Copy(t.Context(), w, someGames(1), model.CopyOptions{}); err != nil {
			t.Error(err)
		}
	}
	again := must.Get(Create(context.Background(), dir, Options{Database: "db", Force: true}))(t)
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
	w := must.Get(Create(context.Background(), dir, Options{Database: "db"}))(t)
	name := filepath.Join(dir, "games", "db.1-of-1.0001.parquet")
	must.Do(t, os.WriteFile(name, []byte("mine"), 0o666))
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

// Files of a part that is not complete are refused, until it is written again.
func TestUnplacedPart(t *testing.T) {
	dir := gen.Folder(t)
	write := func(n int, force bool) error {
		w, err := Create(context.Background(), dir, Options{Database: "db", Force: force})
		if err == nil {
			err = model.Copy(t.Context(), w, someGames(n), model.CopyOptions{})
		}
		return err
	}
	must.Do(t, write(1, false))
	name := filepath.Join(dir, "games", "db.1-of-1.0001.parquet")
	unplaced := filepath.Join(dir, ".db.1-of-1.17.cbkit-writing")
	must.Do(t, os.WriteFile(unplaced, nil, 0o666))
	if _, err := Open(name); err != nil {
		t.Errorf("its manifest is there: %v", err)
	}
	must.Do(t, os.Remove(filepath.Join(dir, "_manifest.db.1-of-1.jsonl")))
	if _, err := Open(name); !errors.Is(err, model.ErrNeedsRecovery) || !strings.Contains(err.Error(), "write the tables again") {
		t.Errorf("opened: %v", err)
	}
	if err := write(2, false); err != nil {
		t.Error(err)
	}
	if r, err := Open(name); err != nil || r.rows != 2 {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(unplaced); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("left: %v", err)
	}
}

// A run of games alone leaves no positions of another run.
func TestOneTableOfTwo(t *testing.T) {
	dir := gen.Folder(t)
	for i, tables := range [][]Table{{Games, Positions}, {Games}} {
		w := must.Get(Create(t.Context(), dir, Options{Database: "db", Tables: tables, Force: i > 0}))(t)
		must.Do(t, model.Copy(t.Context(), w, someGames(2-i), model.CopyOptions{}))
	}
	if left, err := filepath.Glob(filepath.Join(dir, "positions", "*.parquet")); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	if _, err := Create(t.Context(), dir, Options{Database: "db", Tables: []Table{Positions}}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("without force: %v", err)
	}
	// A part that is run again replaces its files, but for those of a table that it does not make.
	for _, tables := range [][]Table{{Games}, {Games}, {Positions}} {
		w, err := Create(t.Context(), dir, Options{Database: "other", Tables: tables, Part: 1, Parts: 2})
		if err == nil {
			err = model.Copy(t.Context(), w, someGames(2), model.CopyOptions{})
		}
		if tables[0] == Games && err != nil || tables[0] == Positions && !errors.Is(err, fs.ErrExist) {
			t.Errorf("%v: %v", tables, err)
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
			must.Do(t, disk.Mkdir(dir, 0o777))
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
	w := must.Get(createIn(context.Background(), disk, "out", Options{Database: "db", Jobs: 1, NoGame: true}))(t)
	w.tables[0].groupRows, w.tables[0].maxGroups = 1, 2
	must.Do(t, model.Copy(context.Background(), w, someGames(batchGames*5), model.CopyOptions{}))
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
