// Package bookdamage tells of damage in an opening book once for each place.
// The moves of many positions lead to one page: if that is damaged, each of them
// meets the same error.
package bookdamage

// Teller passes each error of a damaged book on once, to the caller that
// decides about it.
type Teller struct {
	// Decide is told of every error once. It returns nil to go on; if Decide
	// is nil the first error ends the work.
	Decide func(error) error

	told map[string]struct{}
}

// Tell passes an error on, or each of those joined in it. It returns the first
// one that ends the work, nil to go on.
func (t *Teller) Tell(err error) error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range joined.Unwrap() {
			if err := t.Tell(one); err != nil {
				return err
			}
		}
		return nil
	}
	if err == nil || t.Decide == nil {
		return err
	}
	// The text of an error names the place.
	if _, ok := t.told[err.Error()]; ok {
		return nil
	}
	if t.told == nil {
		t.told = map[string]struct{}{}
	}
	t.told[err.Error()] = struct{}{}
	return t.Decide(err)
}
