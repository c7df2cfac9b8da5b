package write

import "testing"

// TestStamps: a new stamp is later than all that games brought along, save
// those that no clock can have shown.
func TestStamps(t *testing.T) {
	s := stamps{next: 100}
	for _, step := range []struct{ seen, want uint64 }{
		{99, 100},      // earlier than those given
		{101, 102},     // the one that would come next
		{500, 501},     // later
		{1 << 62, 502}, // garbage
		{1<<64 - 1, 503},
		{1<<62 - 1, 1 << 62}, // the last that counts
	} {
		s.seen(step.seen)
		if got := s.take(); got != step.want {
			t.Errorf("after %d: %d, want %d", step.seen, got, step.want)
		}
	}
}
