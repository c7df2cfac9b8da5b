package main

import "cbkit/lines"

// untangleCmd is "cbkit untangle".
type untangleCmd struct {
	Source string `arg:"" zip:"reads" help:"Database or file of any format whose games are trees of lines; - is standard input."`
	Target string `arg:"" help:"What to make."`
	makeFlags
}

// Run implements the verb.
func (c *untangleCmd) Run(env *environment) error {
	return c.make(env, "untangle", c.Target, []string{c.Source}, func(_ *transfer, src *input) (*input, error) {
		src.Source = lines.Untangle(src.Source)
		return src, nil
	})
}
