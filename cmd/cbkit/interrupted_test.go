package main

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"cbkit/write"
)

// failing is a sink whose Commit fails.
type failing struct {
	output
	err error
}

func (f failing) Commit() error { return f.err }

// An interruption says what was not written: not the database, if that is in
// its place already.
func TestInterruptedCommit(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		err  error
		want string
	}{
		{context.Canceled, "cbkit: interrupted; x.cbh was not written\n"},
		{fmt.Errorf("%w: %w", write.ErrNoBoosters, context.Canceled), "cbkit: interrupted; the set of boosters was not written\n"},
	} {
		var errOut bytes.Buffer
		env := &environment{ctx: ctx, stderr: &errOut}
		tr := newTransfer(env, transferFlags{}, "convert", target{"x.cbh", formatChessBase})
		err := (&transferSink{failing{err: c.err}, tr, "x.cbh"}).Commit()
		if status := env.fail(err); status != exitFailed || errOut.String() != c.want {
			t.Errorf("status %d, %q, want %q", status, errOut.String(), c.want)
		}
	}
}
