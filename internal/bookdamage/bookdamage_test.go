package bookdamage

import (
	"errors"
	"fmt"
	"testing"
)

func TestTell(t *testing.T) {
	one, two := errors.New("page 1"), errors.New("page 2")
	var told []error
	teller := Reporter{Decide: func(err error) error {
		told = append(told, err)
		if err == two {
			return err
		}
		return nil
	}}
	for _, c := range []struct{ err, want error }{
		{nil, nil}, {one, nil}, {errors.New("page 1"), nil}, {errors.Join(one, one), nil}, {errors.Join(one, two), two},
	} {
		if got := teller.Report(c.err); got != c.want {
			t.Errorf("%v: %v, want %v", c.err, got, c.want)
		}
	}
	if fmt.Sprint(told) != "[page 1 page 2]" {
		t.Errorf("told %v", told)
	}
	if err := new(Reporter).Report(one); err != one {
		t.Errorf("nobody decides: %v", err)
	}
}
