package roundtrip

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"time"

	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/parquet"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/write"

	"github.com/google/go-cmp/cmp"
)

// checker is what testing.T and rapid.T have in common.
type checker interface {
	Helper()
	Fatalf(format string, args ...any)
}

// format takes a database through a format: it writes and reads it back, and
// returns what came back and what the sink reported as lost.
type format struct {
	name string
	trip func(t checker, dir string, src model.Source) (*model.Database, []model.Loss)
}

var formats = []format{
	{"cbh", throughChessBase}, {"jsonl", throughJSONL}, {"pgn", throughPGN},
	{"dci v0", throughSimple(write.SimpleV0)}, {"dci v1", throughSimple(write.SimpleV1)},
}

// fieldFormats are those, and the ones whose games are not all they were.
var fieldFormats = append(slices.Clone(formats),
	format{"parquet", throughParquet(false)}, format{withoutGame, throughParquet(true)}, format{"pgn for people", throughPlainPGN})

// transfer copies a source and collects the losses.
func transfer(t checker, src model.Source, open func(report model.Report) (model.Sink, error)) []model.Loss {
	t.Helper()
	var losses []model.Loss
	sink, err := open(func(l model.Loss) { losses = append(losses, l) })
	if err != nil {
		t.Fatalf("%v", err)
	}
	if err := model.Copy(context.Background(), sink, src, model.CopyOptions{}); err != nil {
		t.Fatalf("%v", err)
	}
	return losses
}

// load reads a whole source.
func load(t checker, src model.Source) *model.Database {
	t.Helper()
	db, err := model.Load(context.Background(), src)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return db
}

func throughChessBase(t checker, dir string, src model.Source) (*model.Database, []model.Loss) {
	t.Helper()
	path := filepath.Join(dir, "trip.cbh")
	losses := transfer(t, src, func(report model.Report) (model.Sink, error) {
		return write.Create(context.Background(), path, write.Options{Force: true, Report: report,
			Now: func() time.Time { return time.Unix(1.7e9, 0) }})
	})
	db, err := read.Open(path, read.Options{})
	if err != nil {
		t.Fatalf("%v", err)
	}
	defer db.Close()
	return load(t, db), losses
}

func throughJSONL(t checker, _ string, src model.Source) (*model.Database, []model.Loss) {
	t.Helper()
	var text bytes.Buffer
	losses := transfer(t, src, func(report model.Report) (model.Sink, error) {
		return jsonl.NewWriter(&text, jsonl.WriterOptions{Report: report}), nil
	})
	return load(t, jsonl.NewReader(&text, jsonl.ReaderOptions{File: "trip.jsonl"})), losses
}

func throughPGN(t checker, _ string, src model.Source) (*model.Database, []model.Loss) {
	t.Helper()
	return throughText(t, src, pgn.WriterOptions{})
}

func throughPlainPGN(t checker, _ string, src model.Source) (*model.Database, []model.Loss) {
	t.Helper()
	return throughText(t, src, pgn.WriterOptions{Plain: true})
}

func throughParquet(noGame bool) func(checker, string, model.Source) (*model.Database, []model.Loss) {
	return func(t checker, dir string, src model.Source) (*model.Database, []model.Loss) {
		t.Helper()
		path := filepath.Join(dir, "tables")
		losses := transfer(t, src, func(report model.Report) (model.Sink, error) {
			return parquet.Create(context.Background(), path, parquet.Options{NoGame: noGame, Report: report, Force: true})
		})
		files, err := filepath.Glob(filepath.Join(path, "games", "*.parquet"))
		if err != nil {
			t.Fatalf("%v", err)
		}
		back, err := parquet.Open(files...)
		if err != nil || len(files) == 0 {
			t.Fatalf("%q: %v", files, err)
		}
		return load(t, back), losses
	}
}

func throughText(t checker, src model.Source, opt pgn.WriterOptions) (*model.Database, []model.Loss) {
	t.Helper()
	var text bytes.Buffer
	losses := transfer(t, src, func(report model.Report) (model.Sink, error) {
		opt.Report = report
		return pgn.NewWriter(&text, opt), nil
	})
	if text.Len() == 0 {
		return &model.Database{}, losses
	}
	return load(t, pgn.NewReader(&text, pgn.ReaderOptions{File: "trip.pgn"})), losses
}

// difference explains where two databases are not equal, "" if they are.
func difference(a, b *model.Database) string {
	if model.Equal(a, b) {
		return ""
	}
	if len(a.List) != len(b.List) {
		return cmp.Diff(len(a.List), len(b.List))
	}
	for i := range a.List {
		if d := recordDifference(a.List[i], &a.Tables, b.List[i], &b.Tables); d != "" {
			return d
		}
	}
	return "no record differs, but the databases do"
}

// recordDifference does the same for two records.
func recordDifference(a model.Record, ea *model.Entities, b model.Record, eb *model.Entities) string {
	switch {
	case model.EqualRecords(a, ea, b, eb):
		return ""
	case a.Game != nil && b.Game != nil:
		return cmp.Diff(a.Game.Resolve(ea), b.Game.Resolve(eb))
	case a.Text != nil && b.Text != nil:
		return cmp.Diff(a.Text.Resolve(ea), b.Text.Resolve(eb))
	}
	return "one is a game, the other a text"
}

// throughSimple takes a database through a layout of the Simple Chess
// Database.
func throughSimple(layout write.SimpleLayout) func(checker, string, model.Source) (*model.Database, []model.Loss) {
	return func(t checker, dir string, src model.Source) (*model.Database, []model.Loss) {
		t.Helper()
		path := filepath.Join(dir, "trip.dci")
		losses := transfer(t, src, func(report model.Report) (model.Sink, error) {
			return write.CreateSimple(context.Background(), path, write.Options{Layout: layout, Chess960: true, Force: true, Report: report})
		})
		db, err := read.Open(path, read.Options{Warn: func(err error) { t.Fatalf("warning: %v", err) }})
		if err != nil {
			t.Fatalf("%v", err)
		}
		defer db.Close()
		return load(t, db), losses
	}
}
