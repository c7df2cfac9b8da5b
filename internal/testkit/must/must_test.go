package must_test

import (
	"errors"
	"slices"
	"testing"

	"cbkit/internal/testkit/must"
)

// recorder counts how often a test was ended.
type recorder int

func (*recorder) Helper()        {}
func (r *recorder) Fatal(...any) { *r++ }

// An error ends the test, and without one nothing does.
func TestMust(t *testing.T) {
	var ended recorder
	failed := errors.New("failed")
	numbers := func(err error) func(yield func(int, error) bool) {
		return func(yield func(int, error) bool) { _ = yield(1, nil) && yield(2, err) && yield(3, nil) }
	}
	for err, want := range map[error]recorder{nil: 0, failed: 3} {
		ended = 0
		must.Do(&ended, nil, err)
		if v := must.Get(7, err)(&ended); v != 7 {
			t.Errorf("Get returns %d", v)
		}
		got, whole := slices.Collect(must.All(&ended, numbers(err))), []int{1, 2, 3}
		if ended != want || err == nil && !slices.Equal(got, whole) || err != nil && !slices.Equal(got, whole[:1]) {
			t.Errorf("%v: %d ends, want %d; %d were yielded", err, ended, want, got)
		}
	}
	ended = 0
	for range must.All(&ended, numbers(failed)) {
		break
	}
	if ended != 0 {
		t.Error("an error behind what was asked for ends the test")
	}
}
