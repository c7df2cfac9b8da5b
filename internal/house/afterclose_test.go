package house

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"cbkit"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/parquet"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/write"
)

// What was closed says so: each of its methods that returns an error returns one that
// wraps fs.ErrClosed, those without give the zero value, nothing panics, and what ends
// the work may be called again. The methods are all that the type has.
func TestAfterClose(t *testing.T) {
	folder := newClosingFolder(t)
	for _, name := range slices.Sorted(maps.Keys(closers)) {
		t.Run(name, func(t *testing.T) {
			closed := must.Get(closers[name](folder))(t)
			must.Do(t, closed.Close())
			callAll(t, closed)
		})
	}
	// Of cbkit.Source there are several kinds.
	for _, name := range []string{folder.simple, folder.text, folder.lines} {
		src := must.Get(cbkit.OpenAll([]string{name}, cbkit.Options{}))(t)
		must.Do(t, src.Close())
		callAll(t, src)
	}
}

// sinks make a value of every public type that ends with Commit or Abort alone, with
// what can be put into it.
var sinks = map[string]func(closingFolder) (model.Sink, model.Source, error){
	"cbkit/jsonl.Writer": func(closingFolder) (model.Sink, model.Source, error) {
		return jsonl.NewWriter(io.Discard, jsonl.WriterOptions{AcceptLosses: true}), library(), nil
	},
	"cbkit/parquet.Writer": func(closingFolder) (model.Sink, model.Source, error) {
		w, err := parquet.NewWriter(io.Discard, parquet.Options{})
		return w, library(), err
	},
	"cbkit/pgn.Writer": func(closingFolder) (model.Sink, model.Source, error) {
		return pgn.NewWriter(io.Discard, pgn.WriterOptions{}), library(), nil
	},
	"cbkit/write.Copier": func(f closingFolder) (model.Sink, model.Source, error) {
		db, err := read.Open(f.database, read.Options{})
		if err != nil {
			return nil, nil, err
		}
		sink, err := write.CreateCopy(context.Background(), f.target, db.(*read.ChessBase), write.Options{})
		return sink, db, err
	},
	"cbkit/write.Creator": func(f closingFolder) (model.Sink, model.Source, error) {
		sink, err := write.Create(context.Background(), f.target, write.Options{})
		return sink, library(), err
	},
	"cbkit/write.ScidCreator": func(f closingFolder) (model.Sink, model.Source, error) {
		sink, err := write.CreateScid(context.Background(), f.target, write.Options{AcceptLosses: true})
		return sink, library(), err
	},
	"cbkit/write.SimpleCreator": func(f closingFolder) (model.Sink, model.Source, error) {
		sink, err := write.CreateSimple(context.Background(), f.target, write.Options{AcceptLosses: true})
		return sink, library(), err
	},
}

// What sinks are asked for when they have come to their end, in whatever way, they
// refuse; to abort them again does nothing.
func TestAfterCommit(t *testing.T) {
	folder := newClosingFolder(t)
	for _, name := range slices.Sorted(maps.Keys(sinks)) {
		for _, end := range []string{"Commit", "Abort", "Abort at once"} {
			t.Run(name+" "+end, func(t *testing.T) {
				folder.target = filepath.Join(gen.Folder(t), "New.cbh")
				if strings.HasSuffix(name, "ScidCreator") {
					folder.target = filepath.Join(gen.Folder(t), "New.si4")
				}
				if strings.HasSuffix(name, "SimpleCreator") {
					folder.target = filepath.Join(gen.Folder(t), "New.dci")
				}
				sink, src, err := sinks[name](folder)
				if err != nil {
					t.Fatal(err)
				}
				if db, is := src.(io.Closer); is {
					defer db.Close()
				}
				switch end {
				case "Commit":
					err = errors.Join(sink.Begin(src), sink.Commit())
				case "Abort":
					err = errors.Join(sink.Begin(src), sink.Abort())
				default:
					err = sink.Abort()
				}
				if err != nil {
					t.Fatal(err)
				}
				callAll(t, sink)
			})
		}
	}
}

// callAll calls all methods of something that has come to its end.
func callAll(t *testing.T, closed any) {
	t.Helper()
	v := reflect.ValueOf(closed)
	for i := range v.NumMethod() {
		callClosed(t, v.Type().Method(i).Name, v.Method(i), 0)
	}
}

// harmless are methods that end the work, or tell what was known when it was opened.
var harmless = []string{"Close", "Abort", "Rollback", "Damage", "Warning"}

// stay are methods that tell of something closed what it was, or of something done
// what came of it.
var stay = []string{
	"CodePage", "Enciphered", "Files", "Format", "Layout", "LegalMoves", "Name", "Path", "Unwrap", "Wants",
	"Result", "Rows", "Version", "Written",
	"FS",       // whose files cannot be opened; it is called by itself
	"Progress", // of what never knew it is -1
}

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
	results := method.Call(args)
	fails := len(results) > 0 && results[len(results)-1].Type() == errorType
	for _, out := range results {
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
		case name == "FS":
			if _, err := out.Interface().(fs.FS).Open("Classics.cbh"); !errors.Is(err, fs.ErrClosed) {
				t.Errorf("%s opens a file: %v", name, err)
			}
		case !fails && !slices.Contains(stay, name) && !out.IsZero():
			t.Errorf("%s gives %v", name, out)
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
