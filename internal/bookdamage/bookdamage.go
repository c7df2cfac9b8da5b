// Package bookdamage reports damage in an opening book once for each place.
// The moves of many positions lead to one page: if that is damaged, each of them
// meets the same error.
package bookdamage

// Reporter passes each error of a damaged book on once, to the caller that
// decides about it.
type Reporter struct {
	// Decide is called with every error once. It returns nil to go on; if Decide
	// is nil the first error ends the work.
	Decide func(error) error

	reported map[string]struct{}
}

// Report passes an error on, or each of those joined in it. It returns the first
// one that ends the work, nil to go on.
func (t *Reporter) Report(err error) error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range joined.Unwrap() {
			if err := t.Report(one); err != nil {
				return err
			}
		}
		return nil
	}
	if err == nil || t.Decide == nil {
		return err
	}
	// The text of an error names the place.
	if _, ok := t.reported[err.Error()]; ok {
		return nil
	}
	if t.reported == nil {
		t.reported = map[string]struct{}{}
	}
	t.reported[err.Error()] = struct{}{}
	return t.Decide(err)
}
