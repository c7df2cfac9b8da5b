package main

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"

	"cbkit/internal/testkit/gen"
)

// failing is a sink whose Commit fails.
type failing struct {
	output
	err error
}

func (f failing) Written() int  { return 1 }
func (f failing) Commit() error { return f.err }

// An interruption says what was not written: not the database, if that is in
// its place already.
func TestInterruptedCommit(t *testing.T) {
	path := copyCorpus(t, gen.Folder(t), "cbh/mate2/Mate2.cbh")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for want, do := range map[string]func(*transfer) error{
		"cbkit: interrupted; x.cbh was not written\n": func(tr *transfer) error {
			return (&transferSink{output: failing{err: context.Canceled}, t: tr, path: "x.cbh"}).Commit()
		},
		"cbkit: interrupted; the set of boosters was not written\n": func(tr *transfer) error {
			return (&boostersCmd{DB: path, Quiet: true}).Run(tr.env)
		},
	} {
		var errOut bytes.Buffer
		env := &environment{ctx: ctx, stderr: &errOut}
		tr := newTransfer(env, transferFlags{writeFlags: writeFlags{Quiet: true}}, "convert", target{"x.cbh", formatChessBase})
		if status := env.fail(do(tr)); status != exitFailed || errOut.String() != want {
			t.Errorf("status %d, %q, want %q", status, errOut.String(), want)
		}
	}
	if made, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.cbb")); len(made) > 0 || err != nil {
		t.Errorf("boosters %v, %v", made, err)
	}
}
