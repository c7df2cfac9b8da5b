package main

import (
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
	return write.Recover(c.DB)
}
