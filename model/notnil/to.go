package notnil

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"cbkit/board"
	"cbkit/model"

	"github.com/notnil/chess"
)

// What games of the library cannot be; see [ToChess].
var (
	ErrChess960 = errors.New("chess960 has no form in github.com/notnil/chess")
	ErrNullMove = errors.New("a null move has no form in github.com/notnil/chess")
	ErrNotGame  = errors.New("not a game")
)

// ToChess returns the main line of a record's game as a game of the library,
// with its header as tag pairs. Entities are looked up in e. Report is called
// for what is lost; it may be nil.
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
	for node := range g.Moves.Line(model.NoNode) {
		m := g.Moves.Move(node)
		if m.IsNull() {
			return nil, fmt.Errorf("notnil: record %d: ply %d: %w", rec.ID, g.Moves.Ply(node)+1, ErrNullMove)
		}
		move, err := chess.UCINotation{}.Decode(out.Position(), m.String())
		if err == nil {
			err = out.Move(move)
		}
		if err != nil {
			return nil, fmt.Errorf("notnil: record %d: ply %d: %s: %w", rec.ID, g.Moves.Ply(node)+1, m, err)
		}
	}
	writeHeader(out, &rec, e, report)
	setOutcome(out, g.Result, rec.ID, report)
	if beside := g.Moves.Len() - g.Moves.MainLen(); beside > 0 {
		report.Add(model.LostMoves, rec.ID, "variations", "%d moves", beside)
	}
	for i := range g.Annotations {
		report.Add(model.LostAnnotation, rec.ID, string(g.Annotations[i].Value.Kind()), "at node %d", g.Annotations[i].Node)
	}
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

// writeHeader adds the seven tags that every game has, those of the other
// fields that are known, and the game's own. What has no tag is reported.
func writeHeader(out *chess.Game, rec *model.Record, e *model.Entities, report model.Report) {
	g := rec.Game
	add := func(name, value string) { out.AddTagPair(name, value) }
	addKnown := func(name, value string) {
		if value != "" {
			add(name, value)
		}
	}
	tournament := e.Tournaments.Value(g.Tournament)
	white, black := e.Teams.Value(g.WhiteTeam), e.Teams.Value(g.BlackTeam)
	round := numberWord(g.Round)
	if g.Subround != 0 {
		round = strconv.Itoa(int(g.Round)) + "." + strconv.Itoa(int(g.Subround))
	}
	add("Event", orUnknown(tournament.Title))
	add("Site", orUnknown(tournament.Place))
	add("Date", g.Date.String())
	add("Round", orUnknown(round))
	add("White", orUnknown(e.Players.Value(g.White).String()))
	add("Black", orUnknown(e.Players.Value(g.Black).String()))
	add("Result", g.Result.String())
	addKnown("ECO", g.ECO.String())
	addKnown("WhiteElo", numberWord(g.WhiteElo))
	addKnown("BlackElo", numberWord(g.BlackElo))
	addKnown("Annotator", e.Annotators.Value(g.Annotator).Name)
	addKnown("WhiteTeam", white.Title)
	addKnown("BlackTeam", black.Title)
	if g.Start != nil {
		add("SetUp", "1")
		add("FEN", board.FormatFEN(g.Start))
	}
	if g.Result.IsForfeit() {
		add("Termination", "forfeit")
	}
	// The game's own tags count more than those of fields: they are there because a field
	// could not take the value.
	for i, tag := range g.Tags {
		twice := slices.ContainsFunc(g.Tags[:i], func(t model.Tag) bool { return t.Name == tag.Name })
		if twice || tag.Name == "FEN" || tag.Name == "SetUp" {
			report.Add(model.LostTag, rec.ID, tag.Name, "there is one already; left out %q", tag.Value)
			continue
		}
		add(tag.Name, tag.Value)
	}
	for _, f := range []struct {
		field string
		lost  bool
	}{
		{"tournament", tournament != model.Tournament{Title: tournament.Title, Place: tournament.Place} &&
			tournament != model.Tournament{Title: tournament.Title, Place: tournament.Place, Start: model.Date{Year: g.Date.Year}}}, // as PGN reads it
		{"source", e.Sources.Value(g.Source) != model.Publication{}},
		{"game title", e.GameTitles.Value(g.GameTitle) != model.GameTitle{}},
		{"white team", white != model.Team{Title: white.Title}},
		{"black team", black != model.Team{Title: black.Title}},
		{"line evaluation", g.LineEvaluation != 0},
	} {
		if f.lost {
			report.Add(model.LostField, rec.ID, f.field, "it, or what is known besides its name, has no tag")
		}
	}
}

func orUnknown(value string) string {
	if value == "" {
		return "?"
	}
	return value
}

// numberWord returns a number that is known.
func numberWord(n uint16) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(int(n))
}
