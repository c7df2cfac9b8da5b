package cbh

import (
	"encoding/binary"
	"fmt"

	"cbkit/internal/brief"
	"cbkit/internal/wire"
	"cbkit/model"
)

// none24 is -1 in the 24 bits of an entity id.
const none24 = 1<<24 - 1

// unpack24 returns the id in a 24-bit field.
func unpack24(n uint32) EntityID {
	if n == none24 {
		return NoEntity
	}
	return EntityID(n)
}

// pack24 is the inverse of unpack24.
func pack24(id EntityID) uint32 { return uint32(id) & none24 }

// unpack32 returns the id in a 32-bit field, where every negative number is
// none.
func unpack32(n int32) EntityID { return EntityID(max(n, NoLink)) }

// set32 stores an id in a 32-bit field that does not say it yet.
func set32(field *int32, id EntityID) {
	if unpack32(*field) != id {
		*field = int32(id)
	}
}

// EntityID is the number under which a database has an entity. Those of a source,
// which mean others, are of type [model.EntityID]: only who looks an entity up, or
// knows that the source is this database, makes one of the other.
type EntityID int32

// NoEntity is the id of no entity.
const NoEntity EntityID = -1

// EntityIDs are the entities of a record. Texts have no players and no teams.
type EntityIDs struct {
	White, Black, Tournament, Annotator, Source, WhiteTeam, BlackTeam, GameTitle EntityID
}

// NoEntities are those of a record that is not there yet.
var NoEntities = EntityIDs{NoEntity, NoEntity, NoEntity, NoEntity, NoEntity, NoEntity, NoEntity, NoEntity}

// Entities returns the entities of a game.
func (r *GameRecord) Entities(ext *ExtRecord) EntityIDs {
	return EntityIDs{
		White: unpack24(r.White), Black: unpack24(r.Black),
		Tournament: unpack24(r.Tournament), Annotator: unpack24(r.Annotator), Source: unpack24(r.Source),
		WhiteTeam: unpack32(ext.WhiteTeam), BlackTeam: unpack32(ext.BlackTeam), GameTitle: unpack32(ext.GameTitle),
	}
}

// SetEntities stores the entities of a game. Fields that say so already stay as
// they are.
func (r *GameRecord) SetEntities(ext *ExtRecord, e EntityIDs) {
	r.White, r.Black = pack24(e.White), pack24(e.Black)
	r.Tournament, r.Annotator, r.Source = pack24(e.Tournament), pack24(e.Annotator), pack24(e.Source)
	set32(&ext.WhiteTeam, e.WhiteTeam)
	set32(&ext.BlackTeam, e.BlackTeam)
	set32(&ext.GameTitle, e.GameTitle)
}

// Entities returns the entities of a guiding text.
func (r *TextRecord) Entities(ext *ExtRecord) EntityIDs {
	e := NoEntities
	e.Tournament, e.Annotator, e.Source = unpack24(r.Tournament), unpack24(r.Annotator), unpack24(r.Source)
	e.GameTitle = unpack32(ext.GameTitle)
	return e
}

// SetEntities stores the entities of a guiding text.
func (r *TextRecord) SetEntities(ext *ExtRecord, e EntityIDs) {
	r.Tournament, r.Annotator, r.Source = pack24(e.Tournament), pack24(e.Annotator), pack24(e.Source)
	set32(&ext.GameTitle, e.GameTitle)
}

// NewGameRecord returns the record of a new game, about which nothing is known
// but the number of its Chess960 starting position, -1 if it has none.
func NewGameRecord(chess960 int) GameRecord {
	return GameRecord{Type: TypeInUse, Result: noResult, Opening: PackOpening(0, chess960)}
}

// Header returns what the records of a game say about it, apart from its moves
// and annotations. Numbers without a meaning are read as none.
func (r *GameRecord) Header(ext *ExtRecord) model.Header {
	result, _ := UnpackResult(r.Result)
	eco, _ := UnpackOpening(r.Opening)
	e := r.Entities(ext)
	h := model.NewHeader()
	h.White, h.Black = model.EntityID(e.White), model.EntityID(e.Black)
	h.Tournament, h.Annotator, h.Source = model.EntityID(e.Tournament), model.EntityID(e.Annotator), model.EntityID(e.Source)
	h.WhiteTeam, h.BlackTeam, h.GameTitle = model.EntityID(e.WhiteTeam), model.EntityID(e.BlackTeam), model.EntityID(e.GameTitle)
	h.Date, h.Result, h.ECO = UnpackDate(r.Date), result, eco
	h.Round, h.Subround = uint16(r.Round), uint16(r.Subround)
	h.WhiteElo, h.BlackElo = r.WhiteRating, r.BlackRating
	if result == model.NoResult {
		h.LineEvaluation = model.NAG(r.LineEvaluation)
	}
	return h
}

// AppendUnread appends the fields of a game that are read as none because their
// numbers mean nothing.
func AppendUnread(dst []model.Unread, result uint8, opening uint16) []model.Unread {
	if _, known := UnpackResult(result); !known {
		dst = append(dst, model.Unread{Field: "result", What: fmt.Sprintf("%d is none of the results", result)})
	}
	if eco, chess960 := UnpackOpening(opening); eco == 0 && chess960 < 0 && opening != 0 {
		dst = append(dst, model.Unread{Field: "ECO", What: fmt.Sprintf("%d is no code", opening)})
	}
	return dst
}

// SetHeader stores h, but for its entities ([GameRecord.SetEntities]), in the
// record of a game. What it says already stays as it is, bit for bit. Chess960 is the
// number of the starting position, -1 if it has none. SetHeader returns what
// the record cannot hold, without its number.
func (r *GameRecord) SetHeader(h *model.Header, chess960 int) (losses []model.Loss) {
	lost := func(field, format string, args ...any) {
		losses = append(losses, model.Loss{Kind: model.LostField, Field: field, What: brief.Sprintf(format, args...)})
	}
	if UnpackDate(r.Date) != h.Date {
		packed, ok := PackDate(h.Date)
		if r.Date = packed; !ok {
			lost("date", "%s: a part is out of range", h.Date)
		}
	}
	if result, _ := UnpackResult(r.Result); result != h.Result {
		r.Result, r.LineEvaluation = PackResult(h.Result), 0
		if held, _ := UnpackResult(r.Result); held != h.Result {
			lost("result", "%d is no result", h.Result)
		}
	}
	if h.Result == model.NoResult {
		r.LineEvaluation = uint8(h.LineEvaluation)
	} else if h.LineEvaluation != 0 {
		lost("line evaluation", "$%d: only games without a result have one", h.LineEvaluation)
	}
	losses = setRounds(&r.Round, &r.Subround, h.Round, h.Subround, losses)
	r.WhiteRating, r.BlackRating = h.WhiteElo, h.BlackElo
	if eco, _ := UnpackOpening(r.Opening); eco != h.ECO {
		r.Opening = PackOpening(h.ECO, chess960)
		switch held, _ := UnpackOpening(r.Opening); {
		case held == h.ECO:
		case !h.ECO.Valid():
			lost("ECO", "%d is no code", h.ECO)
		default:
			lost("ECO", "%s: a Chess960 game has its starting position there", h.ECO)
		}
	}
	return losses
}

// SetChess960 makes the number of the Chess960 starting position, -1 if there is
// none, that of the record.
func (r *GameRecord) SetChess960(number int) {
	if eco, stored := UnpackOpening(r.Opening); stored != number {
		r.Opening = PackOpening(eco, number)
	}
}

// SetHeader does the same for a guiding text; only the header fields of t count.
func (r *TextRecord) SetHeader(t *model.GuidingText) []model.Loss {
	return setRounds(&r.Round, &r.Subround, t.Round, t.Subround, nil)
}

// Header returns a guiding text with the fields that its records hold.
func (r *TextRecord) Header(ext *ExtRecord) model.GuidingText {
	e := r.Entities(ext)
	t := *model.NewGuidingText()
	t.Tournament, t.Annotator, t.Source = model.EntityID(e.Tournament), model.EntityID(e.Annotator), model.EntityID(e.Source)
	t.GameTitle = model.EntityID(e.GameTitle)
	t.Round, t.Subround = uint16(r.Round), uint16(r.Subround)
	return t
}

// setRounds stores round and subround, 0 where they do not fit.
func setRounds(round, subround *uint8, r, s uint16, losses []model.Loss) []model.Loss {
	for _, f := range []struct {
		name  string
		field *uint8
		value uint16
	}{{"round", round, r}, {"subround", subround, s}} {
		*f.field = uint8(f.value)
		if f.value > 255 {
			*f.field = 0
			what := fmt.Sprintf("%d: the largest number is 255", f.value)
			losses = append(losses, model.Loss{Kind: model.LostField, Field: f.name, What: what})
		}
	}
	return losses
}

// Place completes an offset: the .cbh file has its low 32 bits, the .cbj file
// all 64, which count only where both agree (docs/formats/cbh-entities.md 10).
func Place(low uint32, full uint64) int64 {
	if uint32(full) != low || full > 1<<62 {
		return int64(low)
	}
	return int64(full)
}

// HeaderView is the stored header of a record, of which every field is decoded when
// it is asked for, for those who pass over millions of headers and look at some
// fields of each.
type HeaderView struct {
	// Head is the record of the .cbh file.
	Head *[RecordSize]byte
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
func (v HeaderView) Type() RecordType { return RecordType(v.Head[0]) }

// entity returns the id at a place.
func (v HeaderView) entity(at int) model.EntityID {
	n := wire.U24BE(v.Head[at:])
	return model.EntityID(int32(n+1)&(1<<24-1)) - 1 // all bits set is none
}

// of returns the id at one of two places, or none where texts have no such.
func (v HeaderView) of(game, text int) model.EntityID {
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
func (v HeaderView) White() model.EntityID { return v.of(whiteAt, 0) }

// Black returns who played Black.
func (v HeaderView) Black() model.EntityID { return v.of(blackAt, 0) }

// Tournament returns the tournament.
func (v HeaderView) Tournament() model.EntityID { return v.of(tournamentAt, textTournamentAt) }

// Annotator returns the annotator.
func (v HeaderView) Annotator() model.EntityID { return v.of(annotatorAt, textAnnotatorAt) }

// Source returns the source.
func (v HeaderView) Source() model.EntityID { return v.of(sourceAt, textSourceAt) }

// Date returns the date of a game. It and the fields below mean nothing in a text.
func (v HeaderView) Date() model.Date { return UnpackDate(wire.U24BE(v.Head[dateAt:])) }

// Result returns the result of a game.
func (v HeaderView) Result() model.Result {
	r, _ := UnpackResult(v.Head[resultAt])
	return r
}

// ECO returns the opening of a game.
func (v HeaderView) ECO() model.ECO {
	eco, _ := UnpackOpening(binary.BigEndian.Uint16(v.Head[openingAt:]))
	return eco
}

// AppendUnread is [AppendUnread] for a game.
func (v HeaderView) AppendUnread(dst []model.Unread) []model.Unread {
	return AppendUnread(dst, v.Head[resultAt], binary.BigEndian.Uint16(v.Head[openingAt:]))
}

// Elo returns the ratings of a game.
func (v HeaderView) Elo() (white, black uint16) {
	return binary.BigEndian.Uint16(v.Head[whiteEloAt:]), binary.BigEndian.Uint16(v.Head[blackEloAt:])
}

// Round returns the round and the subround.
func (v HeaderView) Round() (round, subround uint16) {
	at := roundAt
	if v.Type().IsText() {
		at = textRoundAt
	}
	return uint16(v.Head[at]), uint16(v.Head[at+1])
}

// Content returns what is stored of the content of a game.
func (v HeaderView) Content() (flags uint32, medals model.Medals, moves uint8) {
	return binary.BigEndian.Uint32(v.Head[flagsAt:]), model.Medals(binary.BigEndian.Uint16(v.Head[medalsAt:])), v.Head[movesAt]
}

// HasAnnotations reports whether the .cbh record of a game leads to annotations.
func (v HeaderView) HasAnnotations() bool {
	return binary.BigEndian.Uint32(v.Head[annotationsAt:]) != 0
}

// Game fills the header of a game with what the .cbh record says, and the .cbj
// record, which may be short or nil. It is [GameRecord.Header] without the
// steps between.
func (v HeaderView) Game(h *model.Header, ext []byte) {
	b := v.Head
	*h = model.NewHeader()
	h.White, h.Black = v.entity(whiteAt), v.entity(blackAt)
	h.Tournament, h.Annotator, h.Source = v.entity(tournamentAt), v.entity(annotatorAt), v.entity(sourceAt)
	h.WhiteTeam, h.BlackTeam, h.GameTitle = extEntity(ext, teamsAt), extEntity(ext, teamsAt+4), extEntity(ext, titleAt)
	h.Date, h.Result = v.Date(), v.Result()
	if h.Result == model.NoResult {
		h.LineEvaluation = model.NAG(b[evaluationAt])
	}
	h.Round, h.Subround = uint16(b[roundAt]), uint16(b[subroundAt])
	h.WhiteElo, h.BlackElo = v.Elo()
	h.ECO = v.ECO()
}

// extEntity returns an id of a .cbj record; where the record is too short there
// is none.
func extEntity(ext []byte, at int) model.EntityID {
	if len(ext) < at+4 {
		return model.NoEntity
	}
	return model.EntityID(unpack32(int32(binary.BigEndian.Uint32(ext[at:]))))
}

// Meaningless reports whether one of the ids of a .cbj record is below that for
// none.
func Meaningless(ext []byte) bool {
	for _, at := range [...]int{teamsAt, teamsAt + 4, titleAt} {
		if len(ext) >= at+4 && int32(binary.BigEndian.Uint32(ext[at:])) < NoLink {
			return true
		}
	}
	return false
}
