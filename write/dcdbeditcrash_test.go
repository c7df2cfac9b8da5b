package write

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/neighbours"
	"cbkit/model"
)

// simpleCrashDatabase returns games for a Simple Chess Database.
func simpleCrashDatabase(games int) *model.Database {
	db := &model.Database{}
	for i := range games {
		g := crashGame(db, fmt.Sprint("Player ", games, i), 10+i)
		g.Annotate(0, model.Text{Text: fmt.Sprint("comment ", i)})
		db.AddGame(g)
	}
	return db
}

// simpleKinds are all kinds of changes.
var simpleKinds = map[string]func(ed *SimpleEditor) error{
	"append": func(ed *SimpleEditor) error {
		return ed.Append(context.Background(), simpleCrashDatabase(4), model.CopyOptions{})
	},
	"replace": func(ed *SimpleEditor) error {
		db := simpleCrashDatabase(3)
		return ed.Replace(2, db.List[2], &db.Tables)
	},
	"delete": func(ed *SimpleEditor) error { return errors.Join(ed.Delete(1), ed.Undelete(3)) },
	"header": func(ed *SimpleEditor) error {
		h, err := ed.Header(1)
		if err != nil {
			return err
		}
		h.WhiteElo, h.Black = 2700, ed.Entities().Players.Intern(model.Player{LastName: "New"})
		return ed.SetHeader(1, h, nil)
	},
	"annotations": func(ed *SimpleEditor) error { return ed.SetAnnotations(2, nil) },
	"all of it": func(ed *SimpleEditor) error {
		db := simpleCrashDatabase(3)
		return errors.Join(ed.Delete(4), ed.Append(context.Background(), db, model.CopyOptions{}),
			ed.Replace(1, db.List[0], &db.Tables), ed.SetAnnotations(6, nil), ed.Undelete(3))
	},
}

// editSimpleOn makes one kind of change on a disk.
func editSimpleOn(disk *crashfs.FS, change func(*SimpleEditor) error, memory int) error {
	ed, err := EditSimple(context.Background(), "db.dci", EditOptions{Memory: memory, AcceptLosses: true, files: disk})
	if err != nil {
		return err
	}
	if err = change(ed); err == nil {
		err = ed.Commit()
	}
	if closing := ed.Close(); err == nil && closing != nil {
		return fmt.Errorf("%w: %w", errClosing, closing)
	}
	return err
}

// eachSimpleTrial gives all kinds of edits, in both layouts, to do.
func eachSimpleTrial(t *testing.T, do func(name string, trial crashfs.Trial)) {
	for _, layout := range []SimpleLayout{SimpleV0, SimpleV1} {
		disk := crashfs.New()
		sink, err := CreateSimple(context.Background(), "db.dci", Options{Layout: layout, AcceptLosses: true, files: disk})
		if err == nil {
			db := simpleCrashDatabase(5)
			db.List[2].Deleted = true
			err = model.Copy(context.Background(), sink, db, model.CopyOptions{})
		}
		if err != nil {
			t.Fatal(err)
		}
		neighbours.On(disk, "db.dci")
		disk.WriteFile("db.ini", []byte("settings"))
		for i, kind := range slices.Sorted(maps.Keys(simpleKinds)) {
			for _, memory := range []int{0, 1} {
				do(kind, crashfs.Trial{
					Before: disk, Seed: uint64(i), Step: crashfs.Of(61, 11, 1),
					Change: func(disk *crashfs.FS) error { return editSimpleOn(disk, simpleKinds[kind], memory) },
					Next:   func(disk *crashfs.FS) error { return editSimpleOn(disk, func(*SimpleEditor) error { return nil }, 0) },
				})
			}
		}
	}
}

// The machine stops at every call to the file system of every kind of edit. The
// next editor finds the old database or the new one, byte for byte, and nothing
// else in the folder.
func TestSimpleEditCrashAtEveryCall(t *testing.T) {
	var tally crashfs.Tally
	eachSimpleTrial(t, func(name string, trial crashfs.Trial) {
		tally.Add(trial.Crash(func(format string, args ...any) { t.Errorf(name+": "+format, args...) }))
	})
	t.Logf("%d points: %d gave the old database, %d the new one", tally.Points, tally.Old, tally.New)
	if tally.New == 0 || tally.Old == 0 || crashfs.EveryCall() && tally.Points < 5000 {
		t.Error("too few points")
	}
}

// Every call fails once: the edit fails and the old database is there, or it is
// done.
func TestSimpleEditFailureAtEveryCall(t *testing.T) {
	var tally crashfs.Tally
	eachSimpleTrial(t, func(name string, trial crashfs.Trial) {
		done := func(err error) bool { return isInPlace(err) || errors.Is(err, errClosing) }
		tally.Add(trial.Fail(done, func(format string, args ...any) { t.Errorf(name+": "+format, args...) }))
	})
	t.Logf("%d points, %d of them with the new database", tally.Points, tally.New)
}
