// Package lifecycle holds the sinks of all formats to the order of calls that
// [model.Sink] asks for: Begin, any number of Put, then Commit or Abort.
package lifecycle

import (
	"fmt"

	"cbkit/model"
)

// Sink is the state of a sink.
type Sink struct {
	// Package is the name of the sink's package, with which errors begin.
	Package string
	state   state
}

type state uint8

const (
	isNew state = iota
	isOpen
	isClosed
)

// Begin is called at the beginning of Begin. Until [Sink.Begun] nothing can be
// put.
func (s *Sink) Begin() error {
	if s.state != isNew {
		return fmt.Errorf("%s: Begin was called before, or comes after Abort", s.Package)
	}
	s.state = isClosed
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
		return fmt.Errorf("%s: Put outside of Begin and Commit", s.Package)
	case (rec.Game == nil) == (rec.Text == nil):
		return fmt.Errorf("%s: record %d must be a game or a text", s.Package, rec.ID)
	}
	return nil
}

// Commit ends the time of Put, whatever becomes of it.
func (s *Sink) Commit() error {
	if s.state != isOpen {
		return fmt.Errorf("%s: Commit without Begin, or after Commit or Abort", s.Package)
	}
	s.state = isClosed
	return nil
}

// Abort ends it too.
func (s *Sink) Abort() { s.state = isClosed }
