package pgn

import (
	"cbkit/board"
	"cbkit/model"
)

// encoder writes games. Its memory is used again for each game.
type encoder struct {
	report model.Report
	record model.RecordID
	// reported has the entities of which a loss was reported.
	reported map[lostEntity]bool

	e     *model.Entities
	g     *model.Game
	links model.Game // scratch of g, with links as tags
	out   wrapper

	// For the tags.
	meant []byte        // what a kept tag means, in the words of its field
	kept  [numTags]int  // index in tags of one kept beside its field, -1
	wrote [numTags]bool // the field has its tag
	tags  []model.Tag   // those of the game that have no field, by name
	used  []bool        // by index in tags: written in the place of the field
	// forfeit is the index in tags of the Termination that says that the game
	// was decided without play, -1 if it was not.
	forfeit int
	value   []byte
	// judged are the entities that losses looked at last, if isJudged.
	judged   [3]model.EntityID
	isJudged bool

	// For the moves.
	ply   int // number of the next full move times two, plus one if it is Black's
	outer []interrupted
	// plays says that the moves are made on a board, since their signs are not known, or not
	// whether they are legal: undo takes the last one back, boards are those of the lines
	// in outer.
	plays  bool
	signs  []model.Sign
	pos    board.Position
	undo   board.Undo
	boards []interruptedBoard
	first  []int32 // by node+1: index of its first annotation
	// annotated says that there are annotations; legal, that the moves are known
	// to be.
	annotated, legal bool
	// notation is the form of the annotations; plain says that it is the one
	// for people.
	notation notation
	plain    bool
	roster   bool // of the tags there are the seven of the roster alone
	// lines has the first moves of the lines that were written, if they are
	// wanted.
	lines []int
	// deepest is how deep variations were nested.
	deepest int
	// take, if not nil, gets the tags that would be written.
	take func(name string, value []byte)
}

// init prepares an encoder, which must not be copied any more.
func (enc *encoder) init(plain bool, report model.Report) {
	enc.report, enc.plain = report, plain
	if plain {
		enc.notation = &plainWriter{comment: comment{out: &enc.out}, report: enc.reportLoss}
	} else {
		enc.notation = &losslessWriter{comment: comment{out: &enc.out}}
	}
}

// lostEntity names a field of an entity.
type lostEntity struct {
	field string
	id    model.EntityID
}

// appendGame appends a game with its tags and an empty line at the end.
func (enc *encoder) appendGame(dst []byte, g *model.Game, e *model.Entities) []byte {
	enc.g, enc.e = g.WithKnownValues(enc.record, enc.report).LinksAsTags(&enc.links), e
	enc.out.reset(dst)
	enc.writeTags()
	enc.out.line()
	enc.writeMoveText()
	enc.out.line()
	enc.out.line()
	enc.g, enc.e = nil, nil
	return enc.out.dst
}

// resultMarker returns what ends the moves. The PGN standard knows no lost game
// for both: readers take "0-0" for castling or drop the game, so that only the
// tag says it.
func resultMarker(r model.Result) string {
	if r == model.BothLose {
		r = model.NoResult
	}
	return r.String()
}

// lost reports that PGN cannot say something about the game.
func (enc *encoder) lost(kind model.LossKind, field, format string, args ...any) {
	enc.report.Add(kind, enc.record, field, format, args...)
}

// reportLoss reports it in words that need no figures.
func (enc *encoder) reportLoss(kind model.LossKind, field, what string) {
	if enc.report != nil {
		enc.report(model.Loss{Kind: kind, Record: enc.record, Field: field, What: what})
	}
}

// lostOf reports that PGN has no word for a field of an entity, once for each
// entity.
func (enc *encoder) lostOf(id model.EntityID, field, format string, args ...any) {
	key := lostEntity{field, id}
	if enc.report == nil || enc.reported[key] {
		return
	}
	if enc.reported == nil {
		enc.reported = make(map[lostEntity]bool)
	}
	enc.reported[key] = true
	enc.lost(model.LostField, field, format, args...)
}
