package pgn

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"cbkit/internal/lifecycle"
	"cbkit/internal/scid"
	"cbkit/model"
)

// WriterOptions configures a [Writer]. The zero value writes the form that
// reads back exactly.
type WriterOptions struct {
	// Deleted writes games that are marked as deleted, too, with the letter D in the tag
	// ScidFlags, as Scid does. If it is false each of them is a loss.
	Deleted bool
	// Plain chooses the form for people and other programs. The form of the zero value
	// reads back exactly; this one has only what others know: symbols, and after them one
	// comment with texts, commands such as [%cal] and [%eval], and sentences for training
	// questions, quotations and the like (docs/formats/pgn.md 7). Kinds without words are
	// left out. What is left out or becomes words is reported.
	Plain bool
	// Roster writes only the Seven Tag Roster, and the starting position of games that
	// have their own. Other tags that are left out are not reported as losses.
	Roster bool
	// Report is called for what PGN cannot say. Without one, Commit fails with a
	// *model.LossError if there is such a thing, unless AcceptLosses is set.
	Report       model.Report
	AcceptLosses bool
}

// Writer writes games as PGN. It is a [model.Sink]. Text goes to the underlying
// writer as it is made; callers that must show nothing before Commit pass a
// temporary file.
type Writer struct {
	w         io.Writer
	opt       WriterOptions
	entities  *model.Entities
	enc       encoder
	buf       []byte
	last      model.RecordID
	games     int
	lifecycle lifecycle.Sink
}

// flushSize is how much is collected before it is written, in bytes.
const flushSize = 64 << 10

// noGames stands in a file without games, where nothing at all could be taken
// for an accident.
const noGames = "% This database has no games.\n"

// NewWriter returns a writer to w.
func NewWriter(w io.Writer, opt WriterOptions) *Writer {
	wr := &Writer{w: w, opt: opt, lifecycle: lifecycle.Sink{Package: "pgn"}}
	wr.opt.Report = wr.lifecycle.Report(opt.Report, opt.AcceptLosses)
	wr.enc.init(opt.Plain, wr.opt.Report)
	wr.enc.roster = opt.Roster
	return wr
}

// Wants implements [model.Wanter]: the writer uses no leftovers but those of PGN, which
// always come. If the source knows the signs of moves, the writer needs no board.
func (w *Writer) Wants() model.Want {
	return model.WantMoves | model.WantAnnotations | model.WantSigns
}

// Begin implements [model.Sink].
func (w *Writer) Begin(src model.Source) error {
	if err := w.lifecycle.Begin(src); err != nil {
		return err
	}
	w.entities = src.Entities()
	return w.lifecycle.Begun(nil)
}

// maxWritten is the largest game that is written, in bytes: a reader has to see where
// the next one begins.
const maxWritten = maxGame - readSize

// Put writes a game. Guiding texts, and deleted games unless the options say
// otherwise, are losses. A game that a [Reader] refuses, of more than 64 MB or with
// variations nested more than 65,536 deep, is a [*model.RecordError] that wraps
// [model.ErrTooLarge].
func (w *Writer) Put(rec model.Record) error {
	if err := w.lifecycle.Put(&rec); err != nil {
		return err
	}
	if rec.ID <= w.last {
		return fmt.Errorf("pgn: record %d after record %d", rec.ID, w.last)
	}
	w.last = rec.ID
	switch {
	case rec.Text != nil:
		w.opt.Report.Add(model.LostRecord, rec.ID, "text", "PGN has no guiding texts; left out %q", textTitle(rec.Text))
		return nil
	case rec.Deleted && !w.opt.Deleted:
		w.opt.Report.Add(model.LostRecord, rec.ID, "game", "it is marked as deleted; left out")
		return nil
	}
	g := rec.Game
	switch {
	case rec.Deleted && w.opt.Roster:
		w.opt.Report.Add(model.Changed, rec.ID, "game", "it is marked as deleted, for which there is no tag among the seven")
	case rec.Deleted:
		marked := *g
		marked.Tags = markDeleted(g.Tags)
		g = &marked
	}
	model.ReportUnread(rec, w.entities, "", w.opt.Report)
	w.enc.record, w.enc.legal = rec.ID, rec.Game.MovesErr == nil // as lifecycle.Put has seen, or the source promises
	text := w.enc.appendGame(w.buf, g, w.entities)
	var err error // if it could not be read again
	if size := len(text) - len(w.buf); size > maxWritten {
		err = fmt.Errorf("a game of %d MB, more than %d: %w", size>>20, maxGame>>20, model.ErrTooLarge)
	} else if w.enc.deepest > maxDepth {
		err = fmt.Errorf("variations nested %d deep, more than %d: %w", w.enc.deepest, maxDepth, model.ErrTooLarge)
	}
	if err != nil {
		return fmt.Errorf("pgn: %w", &model.RecordError{Record: rec.ID, Err: err})
	}
	w.games++
	w.buf = text
	if len(w.buf) >= flushSize {
		return w.flush()
	}
	return nil
}

// takeDeleted takes the letter of deleted games out of the flags of Scid, and reports whether
// it was there.
func takeDeleted(tags []model.Tag) ([]model.Tag, bool) {
	i := slices.IndexFunc(tags, func(t model.Tag) bool { return t.Name == scid.FlagsTag && strings.Contains(t.Value, "D") })
	if i < 0 {
		return tags, false
	}
	if tags[i].Value = strings.ReplaceAll(tags[i].Value, "D", ""); tags[i].Value == "" {
		tags = slices.Delete(tags, i, i+1)
	}
	return tags, true
}

// markDeleted returns tags with that letter.
func markDeleted(tags []model.Tag) []model.Tag {
	tags = slices.Clone(tags)
	if i := slices.IndexFunc(tags, func(t model.Tag) bool { return t.Name == scid.FlagsTag }); i >= 0 {
		tags[i].Value += "D"
		return tags
	}
	return append(tags, model.Tag{Name: scid.FlagsTag, Value: "D"})
}

func textTitle(t *model.GuidingText) string {
	if len(t.Titles) == 0 {
		return ""
	}
	return t.Titles[0].Text
}

func (w *Writer) flush() error {
	_, err := w.w.Write(w.buf)
	w.buf = w.buf[:0]
	return err
}

// Commit writes what is still in memory.
func (w *Writer) Commit() error {
	if err := w.lifecycle.Commit(); err != nil {
		return err
	}
	if w.games == 0 {
		w.buf = append(w.buf, noGames...)
	}
	if err := w.lifecycle.Lost(); err != nil {
		return err
	}
	return w.flush()
}

// Abort discards what was not written yet.
func (w *Writer) Abort() error {
	w.lifecycle.Abort()
	w.buf = nil
	return nil
}

// Written implements [model.Counter].
func (w *Writer) Written() int { return w.games }

// AppendGame appends one game as PGN, with an empty line at its end. Entities are looked
// up in e. What PGN cannot express is silently left out or changed; a [Writer] reports
// it.
func AppendGame(dst []byte, g *model.Game, e *model.Entities) []byte {
	var enc encoder
	enc.init(false, nil)
	return enc.appendGame(dst, g, e)
}

// MoveText returns a game without its tags, in the form for people: moves, what is
// said of them, and the result. Lines end before the 80th character. [model.Record.Header]
// has what the tags would say.
func MoveText(g *model.Game) string {
	var enc encoder
	enc.init(true, nil)
	enc.g = g.WithKnownValues(0, nil).LinksAsTags(nil)
	enc.out.reset(nil)
	enc.writeMoveText()
	return string(enc.out.dst)
}

// AppendPlainGame is AppendGame in the form for people: see
// [WriterOptions].Plain.
func AppendPlainGame(dst []byte, g *model.Game, e *model.Entities) []byte {
	var enc encoder
	enc.init(true, nil)
	return enc.appendGame(dst, g, e)
}
