package parquet

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"cbkit/internal/headerfields"
	"cbkit/internal/jobs"
	"cbkit/internal/lifecycle"
	"cbkit/jsonl"
	"cbkit/model"
)

// Writer writes games as tables. It is a [model.Sink].
//
//	Put ──► batches ──► players ──► tables, column by column ──► files
//
// Each arrow leads to other goroutines; the number of batches is bounded. Rows
// are in the order of records unless Options.ByKey is set, and the same games give the same
// bytes.
type Writer struct {
	opt    Options
	target target
	tables []*table
	life   lifecycle.Sink

	entities *model.Entities
	lines    *jsonl.Encoder
	last     model.RecordID
	lastRow  int64
	games    int

	batch              *batch // being filled
	free, todo, inTurn chan *batch
	running            sync.WaitGroup
	failure            failure
}

var (
	_ model.Sink    = (*Writer)(nil)
	_ model.Counter = (*Writer)(nil)
	_ model.Wanter  = (*Writer)(nil)
)

// failure is the first error of the goroutines that write.
type failure struct{ first atomic.Pointer[error] }

func (f *failure) set(err error) {
	if err != nil {
		f.first.CompareAndSwap(nil, &err)
	}
}

func (f *failure) get() error {
	if first := f.first.Load(); first != nil {
		return *first
	}
	return nil
}

// panicked notes what a goroutine has panicked with.
func (f *failure) panicked(p *jobs.Panicked) { f.set(p) }

// check returns the error. It is for the caller's goroutine, which panics as others
// did.
func (f *failure) check() error {
	err := f.get()
	if p, is := err.(*jobs.Panicked); is {
		panic(p)
	}
	return err
}

// target is where files go.
type target interface {
	// create begins the next file of a table, whose number counts from 1.
	create(t Table, number int) (io.Writer, error)
	// finish ends the file that was begun last for a table.
	finish(t Table) error
	// commit puts all files in place, abort removes them.
	commit() error
	abort() error
}

// NewWriter returns a writer of one table to w, which gets the file as it is
// made.
func NewWriter(w io.Writer, opt Options) (*Writer, error) { return newWriter(&stream{w: w}, opt) }

// stream is a target of one file.
type stream struct {
	w     io.Writer
	files int
}

func (s *stream) create(Table, int) (io.Writer, error) {
	if s.files++; s.files > 1 {
		return nil, fmt.Errorf("parquet: more rows than one file should have: %w", model.ErrTooLarge)
	}
	return s.w, nil
}

func (s *stream) finish(Table) error { return nil }
func (s *stream) commit() error      { return nil }
func (s *stream) abort() error       { return nil }

// newWriter returns a writer; files have as many row groups as they can.
func newWriter(to target, opt Options) (*Writer, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	codec, err := opt.Compression.codec()
	if err != nil {
		return nil, err
	}
	w := &Writer{opt: opt, target: to, life: lifecycle.Sink{Package: "parquet"}}
	w.opt.Jobs = jobs.Count(opt.Jobs)
	w.opt.Report = w.life.Report(opt.Report, opt.AcceptLosses)
	for _, name := range opt.Tables {
		t := newTable(name, &w.opt, codec)
		number := 0
		t.create = func() (io.Writer, error) {
			number++
			return to.create(name, number)
		}
		t.finish = func() error { return to.finish(name) }
		w.tables = append(w.tables, t)
	}
	return w, nil
}

// Wants implements [model.Wanter]: everything but leftovers, which have no column.
func (w *Writer) Wants() model.Want { return model.WantMoves | model.WantAnnotations }

// Begin implements [model.Sink].
func (w *Writer) Begin(src model.Source) error {
	if err := w.life.Begin(src); err != nil {
		return err
	}
	w.entities = src.Entities()
	if !w.opt.NoGame && w.opt.has(Games) {
		w.lines = jsonl.NewEncoder(w.entities)
	}
	ahead := w.opt.Jobs + 2
	w.free, w.todo, w.inTurn = make(chan *batch, ahead), make(chan *batch, ahead), make(chan *batch, ahead)
	for range ahead {
		b := &batch{played: make(chan struct{}, 1)}
		for _, t := range w.tables {
			b.sheets = append(b.sheets, newSheet(t))
		}
		w.free <- b
	}
	for range w.opt.Jobs {
		w.running.Go(w.play)
	}
	w.running.Go(w.write)
	w.batch = <-w.free
	return w.life.Begun(nil)
}

// play plays the games of batches and fills their sheets.
func (w *Writer) play() {
	p := player{positions: w.opt.has(Positions), fen: w.opt.FEN, database: w.opt.Database}
	for b := range w.todo {
		jobs.Catch(func() {
			p.text = b.text[:0]
			for i := range b.records {
				g := p.play(b, &b.records[i])
				for s := range b.sheets {
					sheet := &b.sheets[s]
					for k := range sheet.columns {
						sheet.columns[k].fill(sheet.vectors[sheet.first[k]:], g)
					}
				}
			}
			b.text = p.text
		}, w.failure.panicked)
		b.played <- struct{}{}
	}
}

// write writes batches in their order. After an error they only go round, for Put
// not to wait.
func (w *Writer) write() {
	for b := range w.inTurn {
		<-b.played
		for i, t := range w.tables {
			if w.failure.get() == nil {
				jobs.Catch(func() {
					if t.byKey != nil { // its rows are written once all are there
						w.failure.set(t.byKey.add(&b.sheets[i]))
					} else {
						w.failure.set(t.write(&b.sheets[i], w.opt.Jobs))
					}
				}, w.failure.panicked)
			}
		}
		b.reset()
		w.free <- b
	}
}

// Put implements [model.Sink]. Guiding texts have no row; they are reported.
func (w *Writer) Put(rec model.Record) error {
	if err := w.life.Put(&rec); err != nil {
		return err
	}
	if rec.ID <= w.last {
		return fmt.Errorf("parquet: record %d after record %d", rec.ID, w.last)
	}
	w.last = rec.ID
	if err := w.failure.check(); err != nil {
		return err
	}
	if rec.Game == nil {
		w.opt.Report.Add(model.LostRecord, rec.ID, "text", "tables have rows for games only")
		return nil
	}
	id := int64(rec.ID)
	if w.opt.RowID != nil {
		id = w.opt.RowID(rec)
	}
	if w.games > 0 && id <= w.lastRow {
		return fmt.Errorf("parquet: row id %d after %d: %w; they must grow", id, w.lastRow, model.ErrOption)
	}
	w.lastRow = id
	rec.Game = rec.Game.WithKnownValues(rec.ID, w.opt.Report)
	model.ReportUnread(rec, w.entities, "", w.opt.Report)
	b := w.batch
	r := b.add(id, rec, w.entities, &w.opt)
	w.games++
	switch {
	case w.lines != nil:
		line := rec
		if w.opt.RowID != nil {
			line.ID = 0 // the row has another number
		}
		from := len(b.lines)
		if lines, err := w.lines.Append(b.lines, line); err != nil {
			w.opt.Report.Add(model.LostField, rec.ID, gameColumn, "%v", errors.Unwrap(err))
		} else {
			b.lines = lines
			r.line = lines[from:len(lines):len(lines)]
		}
	case w.opt.NoGame:
		w.reportLosses(rec)
	}
	if len(b.moves) >= batchPlies || len(b.records) >= batchGames || len(b.lines) >= batchLines {
		w.pass()
	}
	return nil
}

// pass passes the batch on and takes an empty one.
func (w *Writer) pass() {
	w.todo <- w.batch
	w.inTurn <- w.batch
	w.batch = <-w.free
}

// stop ends the goroutines.
func (w *Writer) stop() {
	if w.todo == nil {
		return
	}
	close(w.todo)
	close(w.inTurn)
	w.running.Wait()
	w.todo = nil
}

// Written implements [model.Counter]: it counts games.
func (w *Writer) Written() int { return w.games }

// Rows returns how many rows a table has, and whether it is written at all. It
// is known after Commit.
func (w *Writer) Rows(name Table) (rows int64, written bool) {
	for _, t := range w.tables {
		if t.name == name {
			return t.total, true
		}
	}
	return 0, false
}

// Commit completes the files and puts them in place.
func (w *Writer) Commit() error {
	if err := w.life.Commit(); err != nil {
		return err
	}
	if len(w.batch.records) > 0 {
		w.pass()
	}
	w.stop()
	err := errors.Join(w.failure.check(), w.life.Lost())
	for _, t := range w.tables {
		if err == nil {
			err = t.close(w.opt.Jobs)
		}
	}
	err = errors.Join(err, w.closeSorters())
	if err != nil {
		return err
	}
	return w.target.commit()
}

// Abort implements [model.Sink].
func (w *Writer) Abort() error {
	w.life.Abort()
	w.failure.set(errAborted)
	w.stop()
	return errors.Join(w.closeSorters(), w.target.abort())
}

// closeSorters removes temporary files.
func (w *Writer) closeSorters() (err error) {
	for _, t := range w.tables {
		if t.byKey != nil {
			err = errors.Join(err, t.byKey.sorter.Close())
		}
	}
	return err
}

var errAborted = errors.New("the writer was aborted")

// reportLosses reports what a row does not hold without the column game.
func (w *Writer) reportLosses(rec model.Record) {
	g, report, id := rec.Game, w.opt.Report, rec.ID
	if report == nil {
		return
	}
	if n := g.Moves.Len() - g.Moves.MainLen(); n > 0 {
		report.Add(model.LostMoves, id, "variations", "%d moves", n)
	}
	if g.MovesErr != nil {
		report.Add(model.LostMoves, id, "moves", "they could not be read: %v", g.MovesErr)
	}
	if n := len(g.Annotations); n > 0 {
		report.Add(model.LostAnnotation, id, "annotations", "%d", n)
	}
	for l := range headerfields.LostIn(headerfields.Parquet, &g.Header, w.entities) {
		report.Add(model.LostField, id, l.Field, l.Format, l.Value)
	}
	if t := w.entities.Tournaments.Value(g.Tournament); t != (model.Tournament{Title: t.Title, Place: t.Place}) {
		report.Add(model.LostField, id, "tournament", "its dates, type and other details")
	}
	if p := w.entities.Sources.Value(g.Source); p != (model.Publication{Title: p.Title}) {
		report.Add(model.LostField, id, "source", "its publisher, dates and quality")
	}
	if t := w.entities.GameTitles.Value(g.GameTitle); t != (model.GameTitle{Titles: [8]string{t.String()}}) {
		report.Add(model.LostField, id, "game title", "the languages of %q", t)
	}
	if r, ok := model.ParseResult(g.Result.String()); !ok || r != g.Result && r.Forfeit() != g.Result {
		report.Add(model.LostField, id, "result", "%d is no result", g.Result)
	}
	if g.ECO != 0 && !g.ECO.Valid() {
		report.Add(model.LostField, id, "ECO", "%d is no code", g.ECO)
	}
	for _, team := range [...]model.EntityID{g.WhiteTeam, g.BlackTeam} {
		if t := w.entities.Teams.Value(team); t != (model.Team{Title: t.Title}) {
			report.Add(model.LostField, id, "team", "its number, year and nation")
		}
	}
	for i := range g.Tags {
		for _, t := range g.Tags[:i] {
			if t.Name == g.Tags[i].Name {
				report.Add(model.LostTag, id, t.Name, "it is there twice: %q", g.Tags[i].Value)
			}
		}
	}
}
