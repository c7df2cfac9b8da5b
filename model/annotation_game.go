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
	return ok && q.White == o.White && q.Black == o.Black && q.WhiteElo == o.WhiteElo && q.BlackElo == o.BlackElo &&
		q.ECO == o.ECO && q.Event == o.Event && q.Site == o.Site && q.Date == o.Date && q.EventType == o.EventType &&
		q.Nation == o.Nation && q.Category == o.Category && q.Rounds == o.Rounds && q.Round == o.Round &&
		q.Subround == o.Subround && q.Result == o.Result && q.WithMoves == o.WithMoves && q.Spare == o.Spare &&
		equalStart(q.Start, o.Start) && slices.Equal(q.Moves, o.Moves)
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
