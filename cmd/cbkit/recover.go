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
		return write.RecoverSimple(c.DB)
	case formatBook:
		return ctgwrite.Recover(c.DB)
	}
	// A name without an ending may be that of any of them; where nothing was
	// interrupted nothing is done.
	return errors.Join(write.Recover(c.DB), write.RecoverSimple(c.DB), ctgwrite.Recover(c.DB))
}
