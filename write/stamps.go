package write

// stamps gives creation stamps to new games: each is later than all before
// it, so that a stamp is also the identity of its game.
// (docs/formats/cbh-entities.md 5.3)
type stamps struct {
	next uint64
}

// take returns a new stamp.
func (s *stamps) take() uint64 {
	s.next++
	return s.next - 1
}

// seen notes a stamp that a game has brought along.
func (s *stamps) seen(stamp uint64) {
	if stamp >= s.next && stamp < 1<<62 {
		s.next = stamp + 1
	}
}
