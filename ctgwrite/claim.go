package ctgwrite

import (
	"context"
	"fmt"

	"cbkit/internal/atomicset"
)

// Claim is the exclusive right to write a book, taken before the writing
// begins. It must be released.
type Claim struct {
	path  string
	claim *atomicset.Claim
}

// NewClaim takes the exclusive right to write a book to path, until
// [Claim.Release]. It fails with the error that writing would fail with: the
// book exists and Force is not set, another process is writing it, or the
// folder does not exist or is read-only. Options.Claim passes the right on to
// the writer.
func NewClaim(ctx context.Context, path string, opt Options) (*Claim, error) {
	opt.setDefaults()
	claim, err := atomicset.NewClaim(opt.files, mainPath(path), opt.set(ctx))
	if err != nil {
		return nil, err
	}
	return &Claim{mainPath(path), claim}, nil
}

// Release gives the right back. A second call does nothing.
func (c *Claim) Release() error { return c.claim.Release() }

// set returns the options of a set of files.
func (o *Options) set(ctx context.Context) atomicset.Options {
	return atomicset.Options{
		Force: o.Force, Extensions: setExtensions, Proves: isMain, Wait: o.Wait, Context: ctx, OnReplace: o.OnReplace,
	}
}

// newSet begins the files of a book.
func (o *Options) newSet(ctx context.Context, path string) (*atomicset.Set, error) {
	if o.Claim == nil {
		return atomicset.New(o.files, mainPath(path), o.set(ctx))
	}
	if o.Claim.path != mainPath(path) {
		return nil, fmt.Errorf("%s: the claim is on %s", path, o.Claim.path)
	}
	return o.Claim.claim.Begin()
}
