package model_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

var errTest = errors.New("a failure made by the test")

// memorySink collects records in a Database and can fail at any call.
type memorySink struct {
	db    model.Database
	calls []string
	fail  string // the call that fails, such as "Put 2"
}

func (s *memorySink) call(name string) error {
	s.calls = append(s.calls, name)
	if name == s.fail {
		return errTest
	}
	return nil
}

func (s *memorySink) Begin(src model.Source) error {
	s.db.Extra = src.Leftover()
	return s.call("Begin")
}

func (s *memorySink) Put(rec model.Record) error {
	s.db.List = append(s.db.List, rec.Clone())
	return s.call(fmt.Sprint("Put ", rec.ID))
}

func (s *memorySink) Commit() error { return s.call("Commit") }

// Abort fails too, to see whose error is told.
func (s *memorySink) Abort() error {
	_ = s.call("Abort")
	return errors.New("Abort failed")
}

// faultySource is a database whose records 2 and 4 cannot be read, that ends
// with an error if fatal is set, and whose extents are bad if preflight is.
type faultySource struct {
	*model.Database
	bad, fatal bool
	preflight  error
	want       model.Want
}

func (s *faultySource) Preflight(context.Context) error { return s.preflight }

func (s *faultySource) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	s.want = want
	return func(yield func(model.Record, error) bool) {
		for rec, err := range s.Database.Records(ctx, from, want) {
			if s.bad && err == nil && rec.ID%2 == 0 {
				rec, err = model.Record{ID: rec.ID}, errTest
			}
			if !yield(rec, err) {
				return
			}
		}
		if s.fatal {
			yield(model.Record{}, errTest)
		}
	}
}

func fourGames() *model.Database {
	db := &model.Database{}
	for i := range 4 {
		g := &model.Game{Header: model.NewHeader()}
		g.White = db.Tables.Players.Intern(model.Player{LastName: fmt.Sprint("player ", i)})
		db.AddGame(g)
	}
	return db
}

func TestCopy(t *testing.T) {
	odd := func(r model.Record) bool { return r.ID%2 == 1 }
	stop := func(model.RecordID, error) error { return errors.New("enough") }
	goOn := func(model.RecordID, error) error { return nil }
	for name, c := range map[string]struct {
		src  faultySource
		fail string
		opt  model.CopyOptions
		err  string // "" for none
		want string
	}{
		"everything":           {want: "Begin, Put 1, Put 2, Put 3, Put 4, Commit"},
		"some":                 {opt: model.CopyOptions{Keep: odd}, want: "Begin, Put 1, Put 3, Commit"},
		"from and to":          {opt: model.CopyOptions{From: 2, To: 3}, want: "Begin, Put 2, Put 3, Commit"},
		"behind the end":       {opt: model.CopyOptions{From: 9}, want: "Begin, Commit"},
		"failing Begin":        {fail: "Begin", err: "failure", want: "Begin, Abort"},
		"failing Put":          {fail: "Put 2", err: "failure", want: "Begin, Put 1, Put 2, Abort"},
		"failing Commit":       {fail: "Commit", err: "failure", want: "Begin, Put 1, Put 2, Put 3, Put 4, Commit, Abort"},
		"bad record":           {src: faultySource{bad: true}, err: "failure", want: "Begin, Put 1, Abort"},
		"bad record, stop":     {src: faultySource{bad: true}, opt: model.CopyOptions{OnError: stop}, err: "enough", want: "Begin, Put 1, Abort"},
		"bad records, go on":   {src: faultySource{bad: true}, opt: model.CopyOptions{OnError: goOn}, want: "Begin, Put 1, Put 3, Commit"},
		"broken source":        {src: faultySource{fatal: true}, err: "failure", want: "Begin, Put 1, Put 2, Put 3, Put 4, Abort"},
		"broken source, go on": {src: faultySource{fatal: true}, opt: model.CopyOptions{OnError: goOn}, err: "failure", want: "Begin, Put 1, Put 2, Put 3, Put 4, Abort"},
		"bad extents":          {src: faultySource{preflight: errTest}, err: "failure", want: "Abort"},
		"bad extents, go on":   {src: faultySource{preflight: errTest}, opt: model.CopyOptions{SkipPreflight: true}, want: "Begin, Put 1, Put 2, Put 3, Put 4, Commit"},
	} {
		c.src.Database = fourGames()
		dst := &memorySink{fail: c.fail}
		err := model.Copy(context.Background(), dst, &c.src, c.opt)
		if got := strings.Join(dst.calls, ", "); got != c.want {
			t.Errorf("%s: have %s\nwant %s", name, got, c.want)
		}
		if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s: have error %v, want %q", name, err, c.err)
		}
	}
}

func TestCopyWantsAndProgress(t *testing.T) {
	src := &faultySource{Database: fourGames(), bad: true}
	var failed, done []model.RecordID
	opt := model.CopyOptions{
		OnError:  func(id model.RecordID, _ error) error { failed = append(failed, id); return nil },
		Progress: func(id model.RecordID) { done = append(done, id) },
	}
	must.Do(t, model.Copy(context.Background(), &memorySink{}, src, opt))
	if !slices.Equal(failed, []model.RecordID{2, 4}) || !slices.Equal(done, []model.RecordID{1, 3}) || src.want != model.WantAll {
		t.Errorf("failed %v, done %v, want %v", failed, done, src.want)
	}
	opt.Want = model.WantMoves
	if err := model.Copy(context.Background(), &memorySink{}, src, opt); err != nil || src.want != model.WantMoves {
		t.Errorf("asked for %v, %v", src.want, err)
	}
}

// modestSink looks at the moves alone.
type modestSink struct{ memorySink }

func (*modestSink) Wants() model.Want { return model.WantMoves }

func TestCopyAsksTheSink(t *testing.T) {
	for want, opt := range map[model.Want]model.CopyOptions{
		model.WantMoves: {}, model.WantAnnotations: {Want: model.WantAnnotations},
	} {
		src := &faultySource{Database: new(model.Database)}
		if err := model.Copy(context.Background(), new(modestSink), src, opt); err != nil || src.want != want {
			t.Errorf("asked for %b, %v; want %b", src.want, err, want)
		}
	}
}

func TestCopyIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	dst := &memorySink{}
	err := model.Copy(ctx, dst, fourGames(), model.CopyOptions{Progress: func(id model.RecordID) {
		if id == 2 {
			cancel()
		}
	}})
	if got := strings.Join(dst.calls, ", "); !errors.Is(err, context.Canceled) || got != "Begin, Put 1, Put 2, Abort" {
		t.Errorf("have %v after %s", err, got)
	}
	if _, err := model.Load(ctx, fourGames()); !errors.Is(err, context.Canceled) {
		t.Errorf("Load: have %v", err)
	}
}

func TestLoad(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		db := gen.Database(gen.Config{Wild: true, Leftovers: true, Undecodable: true}).Draw(t, "db")
		got, err := model.Load(context.Background(), db)
		if err != nil || !model.Equal(got, db) || !model.Identical(got, db) {
			t.Fatalf("have %v, %v", got, err)
		}
		var dst memorySink
		must.Do(t, model.Copy(context.Background(), &dst, db, model.CopyOptions{}))
		dst.db.Tables = db.Tables
		if !model.Identical(&dst.db, db) {
			t.Fatal("a copy is not identical")
		}
	})
	if _, err := model.Load(context.Background(), &faultySource{Database: fourGames(), bad: true}); !errors.Is(err, errTest) {
		t.Errorf("have %v", err)
	}
}

// TestLoadSharesNothing changes what was loaded, and asks the source.
func TestLoadSharesNothing(t *testing.T) {
	src := specimen()
	src.Tables.Players.Find(model.Player{}) // so that there is an index
	db := must.Get(model.Load(context.Background(), src))(t)
	added := db.Tables.Players.Intern(model.Player{LastName: "new"})
	if _, there := src.Tables.Players.Find(model.Player{LastName: "new"}); there {
		t.Error("an entity of the copy is found in the source")
	}
	if id := src.Tables.Players.Intern(model.Player{LastName: "other"}); id != added || db.Tables.Players.Value(id).LastName != "new" {
		t.Error("the tables share their slots")
	}
	src = specimen()
	db = must.Get(model.Load(context.Background(), src))(t)
	g, text := db.List[0].Game, db.List[1].Text
	g.Tags[0].Value = "changed"
	g.Start.FullMove++
	g.Moves.Append(model.NullMove)
	for _, l := range []*model.Leftover{
		db.Extra, g.Leftovers.Header, g.Leftovers.Derived, g.Leftovers.Moves, g.Leftovers.Annotations,
		g.Annotations[0].Leftover, text.Leftovers.Header, text.Leftovers.Content,
		text.Titles[0].Leftover, text.Contents[0].Leftover,
	} {
		l.Data[0]++
	}
	g.Annotations[0].Node = -7
	text.Titles[0].Text, text.Contents[0].Text, text.Media[0] = "changed", "changed", "changed"
	if !model.Identical(src, specimen()) {
		t.Error("changing a copy changes the source")
	}
}

func TestDatabaseRecord(t *testing.T) {
	db := &model.Database{}
	for i, id := range []model.RecordID{1, 2, 5, 9} {
		db.List = append(db.List, model.Record{ID: id, Game: &model.Game{Header: model.Header{Round: uint16(i)}}})
	}
	for id := model.RecordID(-1); id < 12; id++ {
		rec, err := db.Record(id)
		switch there := id == 1 || id == 2 || id == 5 || id == 9; {
		case there && (err != nil || rec.ID != id):
			t.Errorf("record %d: have %v, %v", id, rec, err)
		case !there && !errors.Is(err, model.ErrNoRecord):
			t.Errorf("record %d: have %v, %v", id, rec, err)
		}
	}
	if id := db.AddText(model.NewGuidingText()); id != 10 {
		t.Errorf("the next record is %d", id)
	}
	if id := (&model.Database{}).AddGame(&model.Game{}); id != 1 || db.Count() != 5 {
		t.Errorf("the first record is %d, there are %d", id, db.Count())
	}
}

func TestDatabaseRecords(t *testing.T) {
	var got []model.RecordID
	for rec := range must.All(t, fourGames().Records(context.Background(), 3, model.WantHeaders)) {
		got = append(got, rec.ID)
	}
	for range fourGames().Records(context.Background(), 1, model.WantAll) {
		break
	}
	if !slices.Equal(got, []model.RecordID{3, 4}) {
		t.Errorf("have %v", got)
	}
}

// headersAlone is a sink that notes what was asked of the source, and wants moves.
type headersAlone struct{ nothing }

type nothing struct{}

func (nothing) Begin(model.Source) error { return nil }
func (nothing) Put(model.Record) error   { return nil }
func (nothing) Commit() error            { return nil }
func (nothing) Abort() error             { return nil }

func (headersAlone) Wants() model.Want { return model.WantMoves }

// Whoever copies headers alone says so; whoever says nothing gets what the sink asks
// for.
func TestCopyHeadersAlone(t *testing.T) {
	for _, c := range []struct{ asked, want model.Want }{
		{0, model.WantMoves}, {model.WantHeaders, model.WantHeaders}, {model.WantAll, model.WantAll},
	} {
		src := &wanted{Database: fourGames()}
		must.Do(t, model.Copy(context.Background(), headersAlone{}, src, model.CopyOptions{Want: c.asked}))
		if src.want != c.want {
			t.Errorf("CopyOptions{Want: %b} reads %b, want %b", c.asked, src.want, c.want)
		}
	}
	if !model.Want(0).OnlyHeaders() || !model.WantHeaders.OnlyHeaders() || (model.WantHeaders | model.WantMoves).OnlyHeaders() {
		t.Error("OnlyHeaders")
	}
}

// wanted is a source that notes what is wanted of it.
type wanted struct {
	*model.Database
	want model.Want
}

func (w *wanted) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	w.want = want
	return w.Database.Records(ctx, from, want)
}
