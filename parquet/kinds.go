package parquet

import "cbkit/model"

// kindSet is a set of kinds of annotations, a bit for each of [model.Kinds].
type kindSet uint32

// add adds the kind of a value.
func (s *kindSet) add(v model.Value) {
	known, ok := model.KnownValue(v)
	if !ok {
		return
	}
	kind := known.Kind()
	for i, k := range model.Kinds {
		if k == kind {
			*s |= 1 << i
			return
		}
	}
}
