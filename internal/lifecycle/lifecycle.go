// Package lifecycle holds the sinks of all formats to what [model.Sink] asks for: the
// order of calls (Begin, any number of Put, then Commit or Abort), records that make
// sense, and losses that are reported. It also asks sources and sinks about optional
// methods: [LegalMoves], [Preflight], [Wants].
package lifecycle

import (
	"context"
	"fmt"
	"io/fs"

	"cbkit/board"
	"cbkit/model"
)

// Sink is the state of a sink.
type Sink struct {
	// Package is the name of the sink's package, with which errors begin.
	Package string
	state   state

	entities *model.Entities // of the source
	legal    bool            // its moves need not be looked at
	losses   model.LossError // that were not reported
}

type state uint8

const (
	isNew state = iota
	isOpen
	isClosed
)

// Report returns what losses are reported to: the given report, or, if that is nil
// and losses are not accepted, the sink itself, whose [Sink.Lost] tells of them.
func (s *Sink) Report(report model.Report, accept bool) model.Report {
	if report == nil && !accept {
		return s.losses.Add
	}
	return report
}

// Lost returns a [*model.LossError] if something was lost that was not reported, and
// the error of the source's tables if names could not be read. It is called in
// Commit before the target becomes visible.
func (s *Sink) Lost() error {
	if err := s.entities.Err(); err != nil {
		return err
	}
	if s.losses.Count == 0 {
		return nil
	}
	return fmt.Errorf("%s: %w", s.Package, &s.losses)
}

// ended refuses a call that is out of order. One that comes after the end wraps
// fs.ErrClosed.
func (s *Sink) ended(what string) error {
	if s.state == isClosed {
		return fmt.Errorf("%s: %w: %s", s.Package, fs.ErrClosed, what)
	}
	return fmt.Errorf("%s: %s", s.Package, what)
}

// IsNew returns an error if Begin cannot be called any more.
func (s *Sink) IsNew() error {
	if s.state == isNew {
		return nil
	}
	return s.ended("Begin was called before, or comes after Abort")
}

// Begin is called at the beginning of Begin. Until [Sink.Begun] nothing can be
// put.
func (s *Sink) Begin(src model.Source) error {
	if err := s.IsNew(); err != nil {
		return err
	}
	s.state = isClosed
	s.entities = src.Entities()
	s.legal = LegalMoves(src)
	return nil
}

// Begun is called at the end of Begin, with its error, which it returns.
func (s *Sink) Begun(err error) error {
	if err == nil {
		s.state = isOpen
	}
	return err
}

// Put looks at what Put gets.
func (s *Sink) Put(rec *model.Record) error {
	switch {
	case s.state != isOpen:
		return s.ended("Put outside of Begin and Commit")
	case (rec.Game == nil) == (rec.Text == nil):
		return fmt.Errorf("%s: record %d must be a game or a text", s.Package, rec.ID)
	}
	if err := s.judge(rec); err != nil {
		return fmt.Errorf("%s: %w", s.Package, &model.RecordError{Record: rec.ID, Err: err})
	}
	return nil
}

// judge looks for what no record can have.
func (s *Sink) judge(rec *model.Record) error {
	if err := rec.CheckMade(); err != nil {
		return err
	}
	if len(rec.Damage) == 0 { // else the source has reported it
		if err := model.CheckReferences(rec, s.entities); err != nil {
			return err
		}
	}
	g := rec.Game
	if g == nil || g.MovesErr != nil {
		return nil
	}
	for i := range g.Annotations {
		if node := int(g.Annotations[i].Node); node < model.NoNode || node >= g.Moves.Len() {
			return fmt.Errorf("an annotation at move %d of %d: %w", node, g.Moves.Len(), model.ErrCorrupt)
		}
	}
	if s.legal {
		return nil
	}
	if err := board.Validate(g.Start, &g.Moves); err != nil {
		return fmt.Errorf("%w: %w", err, model.ErrCorrupt)
	}
	return nil
}

// Commit ends the time of Put, whatever becomes of it.
func (s *Sink) Commit() error {
	if s.state != isOpen {
		return s.ended("Commit without Begin, or after Commit or Abort")
	}
	s.state = isClosed
	return nil
}

// Abort ends it too.
func (s *Sink) Abort() { s.state = isClosed }

// LegalMoves reports whether a source vouches for its moves, as a [model.Referee].
func LegalMoves(src model.Source) bool {
	r, ok := src.(model.Referee)
	return ok && r.LegalMoves()
}

// Preflight looks a source through if it is a [model.Preflighter].
func Preflight(ctx context.Context, src model.Source) error {
	if p, ok := src.(model.Preflighter); ok {
		return p.Preflight(ctx)
	}
	return nil
}

// Wants returns what a sink looks at: all, unless it is a [model.Wanter].
func Wants(dst model.Sink) model.Want {
	if w, ok := dst.(model.Wanter); ok {
		return w.Wants()
	}
	return model.WantAll
}
