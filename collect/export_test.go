package collect

import "cbkit/model"

// A MainLine is what games are looked up by.
type MainLine = mainLine

// Scan returns what finds candidates by reading the base.
func Scan(base model.Source) candidates { return scan(base, nil) }

// Ask has something else asked for candidates.
func (o *AdditionOptions) Ask(other candidates) { o.candidates = other }
