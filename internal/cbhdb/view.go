package cbhdb

import (
	"encoding/binary"

	"cbkit/internal/cbh"
	"cbkit/internal/derive"
	"cbkit/internal/wire"
	"cbkit/model"
)

// View is the stored header of a record, of which every field is decoded when it
// is asked for. It is what package cbh decodes as a whole, for those who pass over
// millions of headers and look at some fields of each.
type View struct {
	// Head is the record of the .cbh file.
	Head *[cbh.RecordSize]byte
}

// View returns the stored header to look at.
func (h *Header) View() View { return View{Head: (*[cbh.RecordSize]byte)(h.Head)} }

// References returns the entities that the record refers to.
func (h *Header) References() derive.References {
	v, more := h.View(), cbh.DecodeExtEntities(h.Ext)
	r := derive.References{
		Text: v.Type().IsText(), White: int32(v.White()), Black: int32(v.Black()), Tournament: int32(v.Tournament()),
		Annotator: int32(v.Annotator()), Source: int32(v.Source()),
		WhiteTeam: more.WhiteTeam, BlackTeam: more.BlackTeam, Title: more.GameTitle,
	}
	if r.Text {
		r.WhiteTeam, r.BlackTeam = -1, -1
	}
	return r
}

// Where the records of games and of texts have their fields.
// (docs/formats/cbh-entities.md 3, 4)
const (
	annotationsAt = 5
	whiteAt       = 9
	blackAt       = 12
	tournamentAt  = 15
	annotatorAt   = 18
	sourceAt      = 21
	dateAt        = 24
	resultAt      = 27
	evaluationAt  = 28
	roundAt       = 29
	subroundAt    = 30
	whiteEloAt    = 31
	blackEloAt    = 33
	openingAt     = 35
	medalsAt      = 37
	flagsAt       = 39
	movesAt       = 45

	textTournamentAt = 7
	textSourceAt     = 10
	textAnnotatorAt  = 13
	textRoundAt      = 16

	teamsAt = 0   // both, in the .cbj record
	titleAt = 116 // in the .cbj record
)

// Type returns the type of the record.
func (v View) Type() cbh.RecordType { return cbh.RecordType(v.Head[0]) }

// entity returns the id at a place.
func (v View) entity(at int) model.EntityID {
	n := wire.U24BE(v.Head[at:])
	return model.EntityID(int32(n+1)&(1<<24-1)) - 1 // all bits set is none
}

// of returns the id at one of two places, or none where texts have no such.
func (v View) of(game, text int) model.EntityID {
	switch {
	case !v.Type().IsText():
		return v.entity(game)
	case text == 0:
		return model.NoEntity
	}
	return v.entity(text)
}

// White returns who played White; the other methods speak for themselves. What
// texts do not have is none.
func (v View) White() model.EntityID { return v.of(whiteAt, 0) }

// Black returns who played Black.
func (v View) Black() model.EntityID { return v.of(blackAt, 0) }

// Tournament returns the tournament.
func (v View) Tournament() model.EntityID { return v.of(tournamentAt, textTournamentAt) }

// Annotator returns the annotator.
func (v View) Annotator() model.EntityID { return v.of(annotatorAt, textAnnotatorAt) }

// Source returns the source.
func (v View) Source() model.EntityID { return v.of(sourceAt, textSourceAt) }

// Date returns the date of a game. It and the fields below mean nothing in a text.
func (v View) Date() model.Date { return cbh.UnpackDate(wire.U24BE(v.Head[dateAt:])) }

// Result returns the result of a game.
func (v View) Result() model.Result {
	r, _ := cbh.UnpackResult(v.Head[resultAt])
	return r
}

// ECO returns the opening of a game.
func (v View) ECO() model.ECO {
	eco, _ := cbh.UnpackOpening(binary.BigEndian.Uint16(v.Head[openingAt:]))
	return eco
}

// Elo returns the ratings of a game.
func (v View) Elo() (white, black uint16) {
	return binary.BigEndian.Uint16(v.Head[whiteEloAt:]), binary.BigEndian.Uint16(v.Head[blackEloAt:])
}

// Round returns the round and the subround.
func (v View) Round() (round, subround uint16) {
	at := roundAt
	if v.Type().IsText() {
		at = textRoundAt
	}
	return uint16(v.Head[at]), uint16(v.Head[at+1])
}

// Content returns what is stored of the content of a game.
func (v View) Content() (flags uint32, medals model.Medals, moves uint8) {
	return binary.BigEndian.Uint32(v.Head[flagsAt:]), model.Medals(binary.BigEndian.Uint16(v.Head[medalsAt:])), v.Head[movesAt]
}

// HasAnnotations reports whether the .cbh record of a game leads to annotations.
func (v View) HasAnnotations() bool { return binary.BigEndian.Uint32(v.Head[annotationsAt:]) != 0 }

// Game fills the header of a game with what the .cbh record says, and the .cbj
// record, which may be short or nil. It is [cbh.GameRecord.Header] without the
// steps between.
func (v View) Game(h *model.Header, ext []byte) {
	b := v.Head
	h.White, h.Black = v.entity(whiteAt), v.entity(blackAt)
	h.Tournament, h.Annotator, h.Source = v.entity(tournamentAt), v.entity(annotatorAt), v.entity(sourceAt)
	h.WhiteTeam, h.BlackTeam, h.GameTitle = extEntity(ext, teamsAt), extEntity(ext, teamsAt+4), extEntity(ext, titleAt)
	h.Date, h.Result = v.Date(), v.Result()
	h.LineEvaluation = 0
	if h.Result == model.NoResult {
		h.LineEvaluation = model.NAG(b[evaluationAt])
	}
	h.Round, h.Subround = uint16(b[roundAt]), uint16(b[subroundAt])
	h.WhiteElo, h.BlackElo = v.Elo()
	h.ECO = v.ECO()
	h.Tags = nil
}

// extEntity returns an id of a .cbj record; where the record is too short there
// is none.
func extEntity(ext []byte, at int) model.EntityID {
	if len(ext) < at+4 {
		return model.NoEntity
	}
	return model.EntityID(max(int32(binary.BigEndian.Uint32(ext[at:])), int32(model.NoEntity)))
}

// Meaningless reports whether one of the ids of a .cbj record is below that for
// none.
func Meaningless(ext []byte) bool {
	for _, at := range [...]int{teamsAt, teamsAt + 4, titleAt} {
		if len(ext) >= at+4 && int32(binary.BigEndian.Uint32(ext[at:])) < cbh.NoLink {
			return true
		}
	}
	return false
}
