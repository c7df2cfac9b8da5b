package write

import (
	"errors"
	"fmt"

	"cbkit/model"
)

// lifecycle holds a sink to the order that [model.Sink] asks for.
type lifecycle uint8

const (
	lifeNew lifecycle = iota
	lifeOpen
	lifeClosed
)

// begin is called at the beginning of Begin. Until begun nothing can be put.
func (l *lifecycle) begin() error {
	if *l != lifeNew {
		return errors.New("write: Begin was called before, or comes after Abort")
	}
	*l = lifeClosed
	return nil
}

// begun is called at the end of Begin, with its error.
func (l *lifecycle) begun(err error) error {
	if err == nil {
		*l = lifeOpen
	}
	return err
}

// put looks at what Put gets.
func (l *lifecycle) put(rec *model.Record) error {
	switch {
	case *l != lifeOpen:
		return errors.New("write: Put outside of Begin and Commit")
	case (rec.Game == nil) == (rec.Text == nil):
		return fmt.Errorf("write: record %d must be a game or a text", rec.ID)
	}
	return nil
}

// commit ends the time of Put, whatever becomes of Commit.
func (l *lifecycle) commit() error {
	if *l != lifeOpen {
		return errors.New("write: Commit outside of Begin and Commit")
	}
	*l = lifeClosed
	return nil
}

// abort ends it too.
func (l *lifecycle) abort() { *l = lifeClosed }
