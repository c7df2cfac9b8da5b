package search

import (
	"cbkit/board"
	"cbkit/internal/cbh"
	"cbkit/internal/derive"
	"cbkit/model"
)

// row is what conditions see of a record. First they see its header; those that
// cannot decide by it are asked again with the game.
type row struct {
	id      model.RecordID
	typ     cbh.RecordType // of a ChessBase database
	deleted bool
	// refs are the entities; those of a text are the few that a text has.
	refs derive.References

	// Of games only.
	date               model.Date
	result             model.Result
	eco                model.ECO
	whiteElo, blackElo uint16
	round, subround    int

	// stored is what a ChessBase header says about the content, nil where the
	// format has no such thing.
	stored *stored
	// trace is the record of the .cbb file, nil if it is not used.
	trace *cbh.GameTrace
	// game is the game itself once loaded is true; it is nil if it cannot be
	// read, and for texts.
	game   *model.Game
	loaded bool
}

// stored is what the header of a game says about its moves and annotations.
type stored struct {
	flags  uint32
	medals model.Medals
	moves  uint8
	bare   bool // there are no annotations
}

// facts returns what is stored about a game, or computes it of the loaded game;
// ok is false if the game has to be loaded first.
func (r *row) facts() (f stored, ok bool) {
	switch {
	case r.stored != nil:
		return *r.stored, true
	case !r.loaded:
		return stored{}, false
	case r.game == nil:
		return stored{}, true
	}
	moves, err := derive.Moves(r.game.Start, &r.game.Moves)
	if err != nil {
		return stored{}, true
	}
	return stored{moves.Flags | flagsOf(r.game.Annotations), r.game.Medals(), moves.FullMoves, len(r.game.Annotations) == 0}, true
}

// positions calls visit with every position of the main line, the first and the
// last included, until it returns false.
func (r *row) positions(visit func(*board.Position) bool) {
	g := r.game
	if g == nil || g.MovesErr != nil {
		return
	}
	p, err := board.New(g.Start)
	if err != nil || !visit(&p) {
		return
	}
	for _, node := range g.Moves.Nodes()[:g.Moves.MainLen()] {
		p.Make(node.Move)
		if !visit(&p) {
			return
		}
	}
}

// truth is an answer, or that there is none yet.
type truth int8

const (
	no truth = iota
	maybe
	yes
)

// truthOf turns a bool into a truth.
func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

// setHead fills the row from stored headers. With ext the record of the .cbj
// file counts too.
func (r *row) setHead(id model.RecordID, head, ext []byte, facts *stored) error {
	refs, err := derive.ReferencesOf(head, ext)
	if err != nil {
		return err
	}
	typ := cbh.RecordType(head[0])
	*r = row{id: id, typ: typ, deleted: typ.IsDeleted(), refs: refs, stored: facts}
	if refs.Text {
		*facts = stored{}
		return nil
	}
	g, err := cbh.DecodeGameRecord(head)
	if err != nil {
		return err
	}
	r.date = cbh.UnpackDate(g.Date)
	r.result, _ = cbh.UnpackResult(g.Result) // numbers without a meaning are no result
	r.eco, _ = cbh.UnpackOpening(g.Opening)
	r.whiteElo, r.blackElo = g.WhiteRating, g.BlackRating
	r.round, r.subround = int(g.Round), int(g.Subround)
	*facts = stored{g.Flags, model.Medals(g.Medals), g.MoveCount, g.AnnotationsOffset == 0 && g.Flags == 0}
	return nil
}

// setRecord fills the row from a record of any format.
func (r *row) setRecord(rec *model.Record) {
	*r = row{id: rec.ID, deleted: rec.Deleted}
	if t := rec.Text; t != nil {
		r.refs = derive.References{
			Text: true, White: -1, Black: -1, WhiteTeam: -1, BlackTeam: -1,
			Tournament: int32(t.Tournament), Annotator: int32(t.Annotator), Source: int32(t.Source), Title: int32(t.GameTitle),
		}
		return
	}
	if rec.Game == nil { // it could not be read
		r.refs = derive.References{White: -1, Black: -1, WhiteTeam: -1, BlackTeam: -1, Tournament: -1, Annotator: -1, Source: -1, Title: -1}
		return
	}
	h := &rec.Game.Header
	r.refs = derive.References{
		White: int32(h.White), Black: int32(h.Black), Tournament: int32(h.Tournament), Annotator: int32(h.Annotator),
		Source: int32(h.Source), WhiteTeam: int32(h.WhiteTeam), BlackTeam: int32(h.BlackTeam), Title: int32(h.GameTitle),
	}
	r.date, r.result, r.eco, r.whiteElo, r.blackElo = h.Date, h.Result, h.ECO, h.WhiteElo, h.BlackElo
	r.round, r.subround = int(h.Round), int(h.Subround)
}
