package notnil

import (
	"errors"
	"fmt"

	"github.com/notnil/chess"

	"cbkit/board"
	"cbkit/model"
)

// What games of the library cannot be; see [ToChess].
var (
	ErrChess960 = errors.New("chess960 has no form in github.com/notnil/chess")
	ErrNullMove = errors.New("a null move has no form in github.com/notnil/chess")
	ErrNotGame  = errors.New("not a game")
)

// ToChess returns the main line of a record's game as a game of the library,
// with its header as tag pairs. Entities are looked up in e. What is lost is
// told to report, which may be nil.
//
// It fails with [ErrChess960], [ErrNullMove], with [ErrNotGame] for guiding
// texts, with the reason of games whose moves could not be decoded, and for
// starting positions and moves that the library does not allow: a side without
// a king, castling without the right.
func ToChess(rec model.Record, e *model.Entities, report model.Report) (*chess.Game, error) {
	g := rec.Game
	switch {
	case g == nil:
		return nil, fmt.Errorf("notnil: record %d: %w", rec.ID, ErrNotGame)
	case g.MovesErr != nil:
		return nil, fmt.Errorf("notnil: record %d: %w", rec.ID, g.MovesErr)
	case g.Start != nil && g.Start.Chess960:
		return nil, fmt.Errorf("notnil: record %d: %w", rec.ID, ErrChess960)
	}
	var options []func(*chess.Game)
	if g.Start != nil {
		option, err := toPosition(g.Start)
		if err != nil {
			return nil, fmt.Errorf("notnil: record %d: the starting position: %w", rec.ID, err)
		}
		options = append(options, option)
	}
	out := chess.NewGame(options...)
	if err := playMoves(out, &g.Moves); err != nil {
		return nil, fmt.Errorf("notnil: record %d: %w", rec.ID, err)
	}
	w := tagWriter{game: out, record: rec.ID, report: report}
	w.writeHeader(g, e)
	setOutcome(out, g.Result, rec.ID, report)
	reportContent(g, rec.ID, report)
	return out, nil
}

// toPosition returns the option that sets up a position. The library plays on
// without looking whether kings are there and rights can be used.
func toPosition(start *model.Position) (func(*chess.Game), error) {
	p := *start
	if _, err := board.New(&p); err != nil {
		return nil, err
	}
	for _, c := range []model.Color{model.White, model.Black} {
		if p.KingSquare(c) == model.NoSquare {
			return nil, fmt.Errorf("no %s king", c)
		}
	}
	p.Rights = orthodoxRights(&p)
	p.FullMove = max(p.FullMove, 1)
	return chess.FEN(board.FormatFEN(&p))
}

// playMoves plays the main line.
func playMoves(out *chess.Game, tree *model.Tree) error {
	for node := range tree.Line(model.NoNode) {
		m := tree.Move(node)
		if m.IsNull() {
			return fmt.Errorf("ply %d: %w", tree.Ply(node)+1, ErrNullMove)
		}
		move, err := chess.UCINotation{}.Decode(out.Position(), m.String())
		if err == nil {
			err = out.Move(move)
		}
		if err != nil {
			return fmt.Errorf("ply %d: %s: %w", tree.Ply(node)+1, m, err)
		}
	}
	return nil
}

// outcomes are the outcomes with which decided games end.
var outcomes = map[string]chess.Outcome{
	"1-0": chess.WhiteWon, "0-1": chess.BlackWon, "1/2-1/2": chess.Draw,
}

// setOutcome ends a game that the moves have not ended as the header says:
// the library can do so by resignation and by agreement.
func setOutcome(out *chess.Game, result model.Result, record model.RecordID, report model.Report) {
	want, decided := outcomes[result.String()]
	if out.Outcome() == chess.NoOutcome {
		switch want {
		case chess.WhiteWon:
			out.Resign(chess.Black)
		case chess.BlackWon:
			out.Resign(chess.White)
		case chess.Draw:
			// A draw by agreement is always possible.
			_ = out.Draw(chess.DrawOffer)
		}
	}
	switch {
	case result == model.BothLose:
		report.Add(model.Changed, record, "result", "%s has no outcome; the tag Result keeps it", result)
	case decided && out.Outcome() != want, result == model.NoResult && out.Outcome() != chess.NoOutcome:
		report.Add(model.Changed, record, "result", "%s, but the library ends the game by itself: %s by %s", result, out.Outcome(), out.Method())
	}
}

// reportContent reports variations and annotations.
func reportContent(g *model.Game, record model.RecordID, report model.Report) {
	if beside := g.Moves.Len() - g.Moves.MainLen(); beside > 0 {
		report.Add(model.LostMoves, record, "variations", "%d moves", beside)
	}
	for i := range g.Annotations {
		report.Add(model.LostAnnotation, record, string(g.Annotations[i].Value.Kind()), "at node %d", g.Annotations[i].Node)
	}
}
