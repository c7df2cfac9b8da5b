package read

import (
	"cbkit/internal/cbh"
	"cbkit/model"
)

// noEntity24 is -1 in the 24 bits of an entity id.
const noEntity24 = 1<<24 - 1

// entityID returns the id in a 24-bit field.
func entityID(n uint32) model.EntityID {
	if n == noEntity24 {
		return model.NoEntity
	}
	return model.EntityID(n)
}

// gameHeader makes the header of a game of its records in the .cbh and .cbj
// files.
func gameHeader(r *cbh.GameRecord, ext *cbh.ExtRecord) model.Header {
	result, _ := cbh.UnpackResult(r.Result) // numbers without a meaning are no result
	eco, _ := cbh.UnpackOpening(r.Opening)
	h := model.Header{
		White: entityID(r.White), Black: entityID(r.Black),
		Tournament: entityID(r.Tournament), Annotator: entityID(r.Annotator), Source: entityID(r.Source),
		WhiteTeam: model.EntityID(max(ext.WhiteTeam, -1)), BlackTeam: model.EntityID(max(ext.BlackTeam, -1)),
		GameTitle: model.EntityID(max(ext.GameTitle, -1)),

		Date: cbh.UnpackDate(r.Date), Result: result,
		Round: uint16(r.Round), Subround: uint16(r.Subround),
		WhiteElo: r.WhiteRating, BlackElo: r.BlackRating, ECO: eco,
	}
	if result == model.NoResult {
		h.LineEvaluation = model.NAG(r.LineEvaluation)
	}
	return h
}
