package model

import "slices"

// Quotation is another game quoted at a move: its header and, if WithMoves,
// its main line.
type Quotation struct {
	White, Black       string // "Last,First"
	WhiteElo, BlackElo uint16
	ECO                ECO
	Event, Site        string
	Date               Date
	EventType          EventType
	Nation             Nation
	Category, Rounds   uint16
	Round, Subround    uint8
	Result             Result
	WithMoves          bool
	// Spare is a word that ChessBase stores between header and moves and whose
	// meaning is unknown; 0 in new quotations.
	Spare uint16
	// Start is nil for the standard starting position.
	Start *Position
	Moves []Move
}

func (Quotation) Kind() Kind { return KindQuotation }

func (q Quotation) Equal(other Value) bool {
	o, ok := other.(Quotation)
	if !ok || !slices.Equal(q.Moves, o.Moves) || !equalStart(q.Start, o.Start) {
		return false
	}
	q.Moves, o.Moves, q.Start, o.Start = nil, nil, nil, nil
	return q.header() == o.header()
}

// quotationHeader is the comparable part of a quotation.
type quotationHeader struct {
	text             [4]string
	elo              [2]uint16
	eco              ECO
	date             Date
	event            EventType
	nation           Nation
	category, rounds uint16
	round, subround  uint8
	result           Result
	withMoves        bool
	spare            uint16
}

func (q Quotation) header() quotationHeader {
	return quotationHeader{
		[4]string{q.White, q.Black, q.Event, q.Site}, [2]uint16{q.WhiteElo, q.BlackElo},
		q.ECO, q.Date, q.EventType, q.Nation, q.Category, q.Rounds, q.Round, q.Subround,
		q.Result, q.WithMoves, q.Spare,
	}
}

// equalStart compares two optional starting positions; nil is the standard
// one and equals it.
func equalStart(a, b *Position) bool {
	standard := StartPosition()
	if a == nil {
		a = &standard
	}
	if b == nil {
		b = &standard
	}
	return *a == *b
}

// Training asks for the move of its node.
type Training struct {
	// Seconds allowed to answer, and points for the best solution.
	Seconds uint32
	Points  uint16
	// Question, the reply to a wrong move, and two hints.
	Question, WrongReply, FirstHint, SecondHint []TrainingText
	Solutions                                   []Solution
}

// TrainingText is a text of a training question in one language.
type TrainingText struct {
	Language Language
	Text     string
}

// Solution is an accepted answer to a training question.
type Solution struct {
	From, To Square
	// Promotion is the stored third byte of a solution; 0 in all that were
	// ever seen.
	Promotion uint8
	Points    uint8
	Reply     []TrainingText
}

func (Training) Kind() Kind { return KindTraining }

func (t Training) Equal(other Value) bool {
	o, ok := other.(Training)
	return ok && t.Seconds == o.Seconds && t.Points == o.Points &&
		slices.Equal(t.Question, o.Question) && slices.Equal(t.WrongReply, o.WrongReply) &&
		slices.Equal(t.FirstHint, o.FirstHint) && slices.Equal(t.SecondHint, o.SecondHint) &&
		slices.EqualFunc(t.Solutions, o.Solutions, Solution.equal)
}

func (s Solution) equal(o Solution) bool {
	return s.From == o.From && s.To == o.To && s.Promotion == o.Promotion &&
		s.Points == o.Points && slices.Equal(s.Reply, o.Reply)
}
