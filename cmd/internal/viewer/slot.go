package viewer

import (
	"context"
	"sync"
)

// opened is a source or a book.
type opened interface {
	// changed reports whether the files are others than those that were opened.
	changed() bool
	close() error
}

// slot holds what is open under a name, and opens it again after another program,
// such as cbkit edit, has changed it.
type slot[T opened] struct {
	again func(context.Context) (T, error) // nil: it stays as it was opened

	lock sync.Mutex
	now  *held[T]
}

// held is what one state of the files was opened as.
type held[T opened] struct {
	is    T
	using sync.RWMutex
}

func newSlot[T opened](now T, again func(context.Context) (T, error)) *slot[T] {
	return &slot[T]{again: again, now: &held[T]{is: now}}
}

// use returns what is open for one call, which ends with done.
func (s *slot[T]) use(ctx context.Context) (is T, done func(), err error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.again != nil && s.now.is.changed() {
		fresh, err := s.again(ctx)
		if err != nil {
			return is, nil, err
		}
		go s.now.close() // when the calls that use it have ended
		s.now = &held[T]{is: fresh}
	}
	s.now.using.RLock()
	return s.now.is, s.now.using.RUnlock, nil
}

// last returns what was open last, for its name.
func (s *slot[T]) last() T {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.now.is
}

func (s *slot[T]) close() error { return s.now.close() }

func (h *held[T]) close() error {
	h.using.Lock()
	defer h.using.Unlock()
	return h.is.close() // it was only read
}
