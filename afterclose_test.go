package cbkit_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"cbkit/model"
	"cbkit/read"
)

// What was closed says so: each of its methods that returns an error returns one that
// wraps fs.ErrClosed, those without give the zero value, nothing panics, and what ends
// the work may be called again. The methods are all that the type has.
func TestAfterClose(t *testing.T) {
	folder := newClosingFolder(t)
	for _, name := range slices.Sorted(maps.Keys(closers)) {
		t.Run(name, func(t *testing.T) {
			closed, err := closers[name](folder)
			if err != nil {
				t.Fatal(err)
			}
			if err := closed.Close(); err != nil {
				t.Fatal(err)
			}
			v := reflect.ValueOf(closed)
			for i := range v.NumMethod() {
				callClosed(t, v.Type().Method(i).Name, v.Method(i), 0)
			}
		})
	}
}

// harmless are methods that end the work, or tell what was known when it was opened.
var harmless = []string{"Close", "Abort", "Rollback", "Damage", "Warning"}

// callClosed calls a method of something closed with arguments that are good for
// something open, and judges what it returns.
func callClosed(t *testing.T, name string, method reflect.Value, depth int) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s panics: %v", name, r)
		}
	}()
	var args []reflect.Value
	for i := range method.Type().NumIn() {
		if method.Type().IsVariadic() && i == method.Type().NumIn()-1 {
			args = append(args, argumentOf(method.Type().In(i).Elem()))
			continue
		}
		args = append(args, argumentOf(method.Type().In(i)))
	}
	errorType := reflect.TypeFor[error]()
	for _, out := range method.Call(args) {
		switch typ := out.Type(); {
		case typ == errorType:
			err, _ := out.Interface().(error)
			if slices.Contains(harmless, name) {
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
			} else if !errors.Is(err, fs.ErrClosed) {
				t.Errorf("%s returns %v", name, err)
			}
		case typ.Kind() == reflect.Func && typ.NumIn() == 1:
			judgeSequence(t, name, out)
		case typ.Kind() == reflect.Pointer && typ.Elem().Kind() == reflect.Struct && !out.IsNil() && depth == 0 && typ.NumMethod() > 0:
			if _, isSource := out.Interface().(*model.Entities); isSource {
				continue
			}
			if _, closes := out.Interface().(io.Closer); closes {
				continue // on its own
			}
			if _, isSet := out.Interface().(*read.FileSet); isSet {
				continue // of names alone
			}
			for i := range typ.NumMethod() {
				callClosed(t, typ.Method(i).Name, out.Method(i), 1)
			}
		}
	}
}

// judgeSequence goes through an iterator of something closed: it yields one error.
func judgeSequence(t *testing.T, name string, seq reflect.Value) {
	t.Helper()
	yields := 0
	yield := reflect.MakeFunc(seq.Type().In(0), func(args []reflect.Value) []reflect.Value {
		yields++
		if err, _ := args[len(args)-1].Interface().(error); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%s yields %v", name, args)
		}
		return []reflect.Value{reflect.ValueOf(true)}
	})
	seq.Call([]reflect.Value{yield})
	last := seq.Type().In(0).In(seq.Type().In(0).NumIn() - 1)
	if last == reflect.TypeFor[error]() && yields != 1 {
		t.Errorf("%s yields %d times", name, yields)
	}
}

// argumentOf returns an argument of a type that means something.
func argumentOf(typ reflect.Type) reflect.Value {
	var v any
	switch typ {
	case reflect.TypeFor[context.Context]():
		v = context.Background()
	case reflect.TypeFor[model.Source]():
		v = model.Source(library())
	case reflect.TypeFor[model.RecordID]():
		v = model.RecordID(1)
	case reflect.TypeFor[model.Record]():
		v = model.Record{ID: 1, Game: library().List[0].Game}
	case reflect.TypeFor[*model.Record]():
		v = &model.Record{ID: 1, Game: library().List[0].Game}
	case reflect.TypeFor[*model.Game]():
		v = library().List[0].Game
	case reflect.TypeFor[model.Header]():
		v = model.NewHeader()
	case reflect.TypeFor[*model.GuidingText]():
		v = model.NewGuidingText()
	case reflect.TypeFor[io.Writer]():
		v = io.Discard
	case reflect.TypeFor[string]():
		v = "x"
	case reflect.TypeFor[time.Duration]():
		v = time.Duration(0)
	default:
		if typ.Kind() == reflect.Func {
			return reflect.MakeFunc(typ, func([]reflect.Value) []reflect.Value {
				var out []reflect.Value
				for i := range typ.NumOut() {
					out = append(out, reflect.Zero(typ.Out(i)))
				}
				return out
			})
		}
		if typ.Kind() == reflect.Pointer {
			return reflect.New(typ.Elem())
		}
		return reflect.Zero(typ)
	}
	out := reflect.New(typ).Elem()
	out.Set(reflect.ValueOf(v))
	return out
}
