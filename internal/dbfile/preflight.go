package dbfile

import (
	"context"
	"fmt"

	"cbkit/model"
)

// preflightStep is how many records go by between two looks at the context.
const preflightStep = 512

// Preflight looks at records one after the other. It returns the first of all
// errors, of which one may be known already, with the number of the others.
func Preflight(ctx context.Context, count model.RecordID, first error, look func(model.RecordID) error) error {
	others := 0
	for id := model.RecordID(1); id <= count; id++ {
		if id%preflightStep == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		switch err := look(id); {
		case err == nil:
		case first == nil:
			first = err
		default:
			others++
		}
	}
	if others > 0 {
		return fmt.Errorf("%w (+%d more)", first, others)
	}
	return first
}
