package atomicset

import "time"

// Chtimes sets the time when a file of the set, which is closed, was last
// changed.
func (s *Set) Chtimes(name string, changed time.Time) error {
	return s.fs.Chtimes(s.stagePath(name), changed)
}
