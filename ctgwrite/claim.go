package ctgwrite

import (
	"context"
	"fmt"

	"cbkit/internal/atomicset"
)

// Claim is the right to write a book, for whoever has work to do before the
// writing begins. It must be released.
type Claim struct {
	path  string
	claim *atomicset.Claim
}

// NewClaim takes the right to write a book to path. It returns the error with
// which writing would be refused: there is one already and Force is not set,
// somebody else is writing it, the folder is not there or cannot be written to.
// Then nobody else can write there until the claim is released; [Options].Claim
// hands it to the writer.
func NewClaim(ctx context.Context, path string, opt Options) (*Claim, error) {
	opt.setDefaults()
	claim, err := atomicset.NewClaim(opt.files, mainPath(path), opt.set(ctx))
	if err != nil {
		return nil, err
	}
	return &Claim{mainPath(path), claim}, nil
}

// Release gives the right back. A second time it does nothing.
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
