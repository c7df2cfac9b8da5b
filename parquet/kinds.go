package parquet

import "cbkit/model"

// annotationKinds are the kinds of annotations, in the order in which the
// column flags names them.
var annotationKinds = []model.Kind{
	model.KindText, model.KindSymbols, model.KindSquares, model.KindArrows, model.KindTimeSpent,
	model.KindTraining, model.KindQuotation, model.KindPawnStructure, model.KindPiecePath, model.KindClock,
	model.KindCritical, model.KindWebLink, model.KindEngine, model.KindMedals, model.KindVariationColor,
	model.KindTimeControl, model.KindVideoTime, model.KindEvaluations, model.KindOpaque,
}

// kindSet is a set of kinds of annotations, a bit for each.
type kindSet uint32

// add adds the kind of a value.
func (s *kindSet) add(v model.Value) {
	known, ok := model.KnownValue(v)
	if !ok {
		return
	}
	kind := known.Kind()
	for i, k := range annotationKinds {
		if k == kind {
			*s |= 1 << i
			return
		}
	}
}
