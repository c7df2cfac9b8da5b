package model

import "slices"

// TimeSpent is the time a player used for the move.
type TimeSpent struct {
	Hours, Minutes, Seconds uint8
	// Extra is a fourth stored byte whose meaning is not known.
	Extra uint8
}

// Clock is the time on one player's clock for the game as a whole, in
// hundredths of a second.
type Clock struct {
	Player       Color
	Centiseconds uint32
}

// Critical marks a critical position.
type Critical uint8

// The phases a critical position can belong to; 0 is none. Other numbers are kept.
const (
	CriticalOpening Critical = 1 + iota
	CriticalMiddlegame
	CriticalEndgame
)

// Medals is a set of distinctions of a game, bit by bit: see [Medals.Names].
type Medals uint32

// medalNames names the bits of [Medals], lowest first.
var medalNames = [16]string{
	"best-game", "decided-tournament", "model-game", "novelty",
	"pawn-structure", "strategy", "tactics", "with-attack",
	"defence", "sacrifice", "material", "piece-play",
	"endgame", "tactical-blunder", "strategic-blunder", "user",
}

// VariationColor colours a line in the notation.
type VariationColor struct {
	// Flags: bit 0 only the main line, bit 1 only the moves.
	Flags            uint8
	Red, Green, Blue uint8
}

// PawnStructure marks a pawn structure; the number's meaning is not known.
type PawnStructure uint8

// PiecePath marks the way of a piece that stands on Square; the meaning of
// Mode is not known.
type PiecePath struct {
	Mode   uint8
	Square Square
}

// VideoTime is a place in the video of a game, probably in milliseconds.
type VideoTime uint32

// WebLink is a link with a caption.
type WebLink struct {
	URL, Caption string
}

// Engine is the verdict of an engine.
type Engine struct {
	// Type 0: Value is in hundredths of a pawn for White. Type 1: Value is
	// the number of moves to mate. Other types are kept.
	Value, Type, Depth int16
}

// EvaluationKind says what the value of an [Evaluation] counts.
type EvaluationKind uint8

// The kinds of evaluations. Other numbers are kept.
const (
	Centipawns   EvaluationKind = 0
	MateInPlies  EvaluationKind = 1
	NoEvaluation EvaluationKind = 255
)

// Evaluation is an engine's verdict on one position, from White's side.
type Evaluation struct {
	Kind  EvaluationKind
	Depth uint8
	Value int16
}

// Evaluations are the verdicts on the positions of the main line: entry k
// belongs to the position after k plies.
type Evaluations []Evaluation

// TimeControl is the thinking time of a game in up to three stages.
type TimeControl [3]TimeStage

// TimeStage is one stage of a [TimeControl].
type TimeStage struct {
	// Start and Increment per move, in hundredths of a second.
	Start, Increment uint32
	// Moves of the stage; 1000 is the rest of the game.
	Moves uint16
	// Kind: 0 rest without increment, 1 counted, 3 rest with increment, 5
	// empty. Other numbers are kept.
	Kind uint8
}

func (TimeSpent) Kind() Kind { return KindTimeSpent }

func (Clock) Kind() Kind { return KindClock }

func (Critical) Kind() Kind { return KindCritical }

func (Medals) Kind() Kind { return KindMedals }

func (VariationColor) Kind() Kind { return KindVariationColor }

func (PawnStructure) Kind() Kind { return KindPawnStructure }

func (PiecePath) Kind() Kind { return KindPiecePath }

func (VideoTime) Kind() Kind { return KindVideoTime }

func (WebLink) Kind() Kind { return KindWebLink }

func (Engine) Kind() Kind { return KindEngine }

func (Evaluations) Kind() Kind { return KindEvaluations }

func (TimeControl) Kind() Kind { return KindTimeControl }

func (t TimeSpent) Equal(other Value) bool { return other == Value(t) }

func (c Clock) Equal(other Value) bool { return other == Value(c) }

func (c Critical) Equal(other Value) bool { return other == Value(c) }

func (m Medals) Equal(other Value) bool { return other == Value(m) }

func (v VariationColor) Equal(other Value) bool { return other == Value(v) }

func (p PawnStructure) Equal(other Value) bool { return other == Value(p) }

func (p PiecePath) Equal(other Value) bool { return other == Value(p) }

func (v VideoTime) Equal(other Value) bool { return other == Value(v) }

func (w WebLink) Equal(other Value) bool { return other == Value(w) }

func (e Engine) Equal(other Value) bool { return other == Value(e) }

func (t TimeControl) Equal(other Value) bool { return other == Value(t) }

func (e Evaluations) Equal(other Value) bool {
	o, ok := other.(Evaluations)
	return ok && slices.Equal(e, o)
}
