package journal

import (
	"errors"
	"fmt"
	"io/fs"

	"cbkit/model"
)

// Steps is work on a set in transactions, each of which begins where the one
// before has ended.
type Steps struct {
	*Set
	// Begin starts a transaction with what is in the files.
	Begin func() error
	// Finish makes the files agree with each other, or with dry only says what
	// that would be.
	Finish func(dry bool) error
	// Keep is called when what was changed is in place.
	Keep func()
}

// Commit makes everything permanent that was changed since the last commit. After
// an error nothing of it is there, unless it is [model.ErrCommitted] or
// [model.ErrUncertain]; after each of them the next transaction has begun.
func (s *Steps) Commit() error {
	if err := s.Open(); err != nil {
		return err
	}
	err := s.Finish(false)
	if err != nil {
		err = errors.Join(err, s.Set.Rollback())
	} else if err = s.Set.Commit(); isInPlace(err) {
		s.Keep()
	}
	begin := s.Begin()
	switch {
	case begin == nil:
		return err
	case err == nil:
		return fmt.Errorf("%w, but: %w", model.ErrCommitted, begin)
	}
	return errors.Join(err, begin)
}

// Rehearse does what Commit does before it writes. Files that may not be written to
// are the error that they would be then.
func (s *Steps) Rehearse() error {
	if err := s.Open(); err != nil {
		return err
	}
	if err := s.Finish(true); err != nil {
		return err
	}
	return s.Set.Rehearse()
}

// Open returns fs.ErrClosed if the set was closed.
func (s *Steps) Open() error {
	if s.closed {
		return fs.ErrClosed
	}
	return nil
}

// Rollback forgets all changes since the last commit and begins anew. On a set that
// was closed there is nothing to forget.
func (s *Steps) Rollback() error {
	if s.closed {
		return nil
	}
	if err := s.Set.Rollback(); err != nil {
		return err
	}
	return s.Begin()
}
