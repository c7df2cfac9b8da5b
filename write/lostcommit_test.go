package write

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// transactions is what both editors have.
type transactions interface {
	Commit() error
	Close() error
	Count() int
}

// When a commit has failed and could not be taken back, every method that can fail says
// that it is to be recovered, in one line, and none panics: also when the disk is well
// again. Then the next editor takes the commit back.
func TestAfterLostCommit(t *testing.T) {
	database := crashDisk(t, true)
	simple := crashfs.New()
	sink := must.Get(CreateSimple(context.Background(), "db.dci", Options{AcceptLosses: true, files: simple}))(t)
	must.Do(t, model.Copy(context.Background(), sink, simpleCrashDatabase(5), model.CopyOptions{}))
	edit := func(disk *crashfs.FS) (transactions, error) {
		ed, err := Edit(context.Background(), "games.cbh", EditOptions{Now: crashClock, files: disk, changed: crashClock})
		if err == nil {
			err = everything(ed)
		}
		return ed, err
	}
	editSimple := func(disk *crashfs.FS) (transactions, error) {
		ed, err := EditSimple(context.Background(), "db.dci", EditOptions{AcceptLosses: true, files: disk})
		if err == nil {
			db := simpleCrashDatabase(3)
			err = errors.Join(ed.Delete(4), ed.Append(context.Background(), db, model.CopyOptions{}),
				ed.Replace(1, db.List[0], &db.Tables), ed.SetAnnotations(6, nil), ed.Undelete(3))
		}
		return ed, err
	}
	for name, c := range map[string]struct {
		before *crashfs.FS
		edit   func(*crashfs.FS) (transactions, error)
	}{".cbh": {database, edit}, ".dci": {simple, editSimple}} {
		lost := 0
		for n, done := 0, false; !done; n += 1 + n/16 {
			disk := c.before.Clone()
			ed := must.Get(c.edit(disk))(t)
			disk.Plan(func(call int) crashfs.Fate {
				if call < n {
					return crashfs.Succeed
				}
				return crashfs.Fail
			})
			err := ed.Commit()
			done = err == nil
			if errors.Is(err, model.ErrNeedsRecovery) {
				lost++
				callLost(t, fmt.Sprintf("%s, call %d", name, n), ed)
				disk.Plan(nil)
				callLost(t, fmt.Sprintf("%s, call %d, afterwards", name, n), ed)
			} else {
				ed.Count() // whatever else it was
			}
			disk.Plan(nil)
			_ = ed.Close() // the error of the commit says more
			again, err := c.edit(disk)
			if err != nil {
				t.Fatalf("%s, call %d: the next one: %v", name, n, err)
			}
			if err := again.Close(); err != nil {
				t.Errorf("%s, call %d: %v", name, n, err)
			}
		}
		if lost == 0 {
			t.Errorf("%s: no commit was lost", name)
		}
	}
}

// callLost calls all methods of an editor whose commit is lost, and those of its entities.
func callLost(t *testing.T, where string, ed any) {
	t.Helper()
	v := reflect.ValueOf(ed)
	for i := range v.NumMethod() {
		switch name := v.Type().Method(i).Name; name {
		case "Close", "Result", "Written", "CodePage", "Entities": // the end, and what is known
		case "Players", "Tournaments", "Annotators", "Sources", "Teams", "GameTitles":
			of := v.Method(i).Call(nil)[0]
			for k := range of.NumMethod() {
				callOne(t, where+": "+name+"."+of.Type().Method(k).Name, of.Method(k))
			}
		default:
			callOne(t, where+": "+name, v.Method(i))
		}
	}
}

// callOne calls a method with arguments that would be good.
func callOne(t *testing.T, where string, method reflect.Value) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s panics: %v", where, r)
		}
	}()
	failed := func(err error) {
		if !errors.Is(err, model.ErrNeedsRecovery) {
			t.Errorf("%s: %v", where, err)
		}
	}
	db := simpleCrashDatabase(1)
	var args []reflect.Value
	for i := range method.Type().NumIn() {
		typ := method.Type().In(i)
		if method.Type().IsVariadic() && i == method.Type().NumIn()-1 {
			typ = typ.Elem()
		}
		arg := reflect.Zero(typ)
		switch {
		case typ == reflect.TypeFor[context.Context]():
			arg = reflect.ValueOf(context.Background())
		case typ == reflect.TypeFor[model.Source]():
			arg = reflect.ValueOf(db)
		case typ == reflect.TypeFor[model.RecordID]():
			arg = reflect.ValueOf(model.RecordID(1))
		case typ == reflect.TypeFor[model.Record]():
			arg = reflect.ValueOf(db.List[0])
		case typ == reflect.TypeFor[*model.Game]():
			arg = reflect.ValueOf(db.List[0].Game)
		case typ == reflect.TypeFor[*model.Entities]():
			arg = reflect.ValueOf(&db.Tables)
		case typ == reflect.TypeFor[model.Header]():
			arg = reflect.ValueOf(model.NewHeader())
		case typ == reflect.TypeFor[*model.GuidingText]():
			arg = reflect.ValueOf(model.NewGuidingText())
		case typ == reflect.TypeFor[map[model.EntityID]model.EntityID]():
			arg = reflect.ValueOf(map[model.EntityID]model.EntityID{0: 1})
		case typ.Kind() == reflect.Func:
			arg = reflect.MakeFunc(typ, func([]reflect.Value) []reflect.Value { return []reflect.Value{reflect.Zero(typ.Out(0))} })
		}
		args = append(args, arg)
	}
	for _, out := range method.Call(args) {
		switch err, is := out.Interface().(error); {
		case is:
			failed(err)
		case out.Type() == reflect.TypeFor[error]():
			failed(nil)
		case out.Kind() == reflect.Func: // a sequence
			out.Call([]reflect.Value{reflect.MakeFunc(out.Type().In(0), func(args []reflect.Value) []reflect.Value {
				err, _ := args[len(args)-1].Interface().(error)
				failed(err)
				return []reflect.Value{reflect.ValueOf(false)}
			})})
		}
	}
}

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
