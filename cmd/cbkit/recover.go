package main

import (
	"errors"

	"cbkit/ctgwrite"
	"cbkit/write"
)

// recoverCmd is "cbkit recover".
type recoverCmd struct {
	DB string `arg:"" name:"db" help:"Database or book whose replacement was interrupted."`
}

// Run implements the verb.
func (c *recoverCmd) Run(*environment) error {
	switch formatOf(c.DB) {
	case formatSimple:
		_, err := write.RecoverSimple(c.DB)
		return err
	case formatBook:
		_, err := ctgwrite.Recover(c.DB)
		return err
	}
	// A name without an ending may be that of any of them; where nothing was
	// interrupted nothing is done.
	var errs []error
	for _, recoverAs := range []func(string) (write.Recovery, error){write.Recover, write.RecoverSimple, ctgwrite.Recover} {
		_, err := recoverAs(c.DB)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
