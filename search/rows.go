package search

import (
	"context"
	"iter"

	"cbkit/board"
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/derive"
	"cbkit/internal/lifecycle"
	"cbkit/internal/wire"
	"cbkit/model"
	"cbkit/moveenc"
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
	if g == nil || !g.IsPlayable() {
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

// last returns the last position of the main line, nil if there is none.
func (r *row) last() (last *board.Position) {
	r.positions(func(p *board.Position) bool { last = p; return true })
	return last
}

// allPositions calls visit with the position at the start, as that of model.NoNode, and
// with that behind every move, those of variations too, in stored order, until it returns
// false.
func (r *row) allPositions(visit func(node, parent int, p *board.Position) bool) {
	g := r.game
	if g == nil || !g.IsPlayable() {
		return
	}
	p, err := board.New(g.Start)
	if err != nil || !visit(model.NoNode, model.NoNode, &p) {
		return
	}
	for node, before := range board.Walk(g.Start, &g.Moves) {
		p = *before
		p.Make(g.Moves.Move(node))
		if !visit(node, g.Moves.Parent(node), &p) {
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

// setHead fills the row from stored headers.
func (r *row) setHead(h *cbhdb.Header, facts *stored) {
	v := h.View()
	*r = row{id: h.ID, typ: v.Type(), deleted: v.Type().IsDeleted(), stored: facts}
	r.refs = h.References() // not in the literal, which would be made elsewhere and copied
	if *facts = (stored{}); r.refs.Text {
		return
	}
	r.date, r.result, r.eco = v.Date(), v.Result(), v.ECO()
	r.whiteElo, r.blackElo = v.Elo()
	round, subround := v.Round()
	r.round, r.subround = int(round), int(subround)
	facts.flags, facts.medals, facts.moves = v.Content()
	facts.flags &^= evaluationFlag
	facts.bare = facts.flags == 0 && !v.HasAnnotations()
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

// gameReader reads single games from the .cbg file. Doing so, without all the
// other files, is what a search with boosters mostly does. It is for one
// goroutine.
type gameReader struct {
	blocks *cbhdb.BlockReader
	moves  moveenc.Game
	game   model.Game
}

// usualGame is more than most games have bytes.
const usualGame = 512

// read returns the moves of the game with the given header, valid until the
// next call. The error says why they cannot be read.
func (r *gameReader) read(h *cbhdb.Header) (*model.Game, error) {
	x, err := r.blocks.Next(h.MovesAt(), h.ID)
	if err != nil {
		return nil, err
	}
	rec, err := r.blocks.Bytes(x)
	if err == nil {
		err = moveenc.DecodeLegal(rec, &r.moves)
	}
	if err != nil {
		return nil, wire.Locate(err, r.blocks.Name(), x.At, int64(h.ID))
	}
	r.game.Start, r.game.Moves = r.moves.SetUp(), r.moves.Moves
	return &r.game, nil
}

// Selection is the records of a source that meet a condition, with their ids.
// It is a [model.Source]. It judges the records one by one as they are read, as
// [Searcher.Find] does without an index, so that the source may be a pipe. One
// goroutine may read it at a time.
type Selection struct {
	model.Source
	session *session
	test    test
	found   int
}

// Found returns how many records that meet the condition were yielded.
func (s *Selection) Found() int { return s.found }

// Progress implements [model.Measured] as the source does.
func (s *Selection) Progress() (done, total int64) { return model.ProgressOf(s.Source) }

// Select returns the records of src for which a condition is true.
func Select(src model.Source, c Condition) (*Selection, error) {
	s := &session{ctx: context.Background(), opt: &Options{}, entities: src.Entities(), leftover: src.Leftover(), names: map[nameQuery]*nameSet{}}
	t, err := bind(c, s)
	if err != nil {
		return nil, err
	}
	return &Selection{Source: src, session: s, test: t}, nil
}

// Count returns -1: how many there are is known when all are read.
func (s *Selection) Count() int { return -1 }

// Records yields the records that meet the condition, and the errors of the
// source.
func (s *Selection) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		var r row
		for rec, err := range s.Source.Records(ctx, from, want|s.session.wants) {
			s.session.plan.Records++
			if err == nil {
				s.session.plan.Headers++
				if s.session.wants&model.WantMoves != 0 && rec.Game != nil && rec.Game.IsPlayable() {
					s.session.plan.Played++
				}
				s.session.countGame(&rec)
				r.setRecord(&rec)
				if !r.judge(s.test, rec.Game) {
					continue
				}
				s.found++
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// Unknown returns the names in the condition that none of the records read so
// far has.
func (s *Selection) Unknown() []Unknown {
	list, _ := s.session.unknown() // it reads no files
	return list
}

// Also returns players whose names the condition does not match but who may be the
// players it names, with the games read so far, most games first.
func (s *Selection) Also() []Spelling {
	list, _ := s.session.also() // it reads no files
	return list
}

// MainLinesOnly reports whether conditions about positions looked at main lines alone;
// [InVariations] looks further.
func (s *Selection) MainLinesOnly() bool { return s.session.mainLinesOnly }

// Plan returns how many records were read so far.
func (s *Selection) Plan() Plan { return s.session.plan }

// Preflight implements [model.Preflighter] as the source does.
func (s *Selection) Preflight(ctx context.Context) error { return lifecycle.Preflight(ctx, s.Source) }

// LegalMoves implements [model.Referee] as the source does.
func (s *Selection) LegalMoves() bool { return lifecycle.LegalMoves(s.Source) }
