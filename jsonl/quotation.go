package jsonl

import (
	"strconv"

	"cbkit/internal/jsontext"
	"cbkit/model"
)

// castlingBit is what tells castling from another move, which a quotation,
// having no board, cannot.
var castlingBit = model.NewCastling(model.A1, model.A1)

// quotation is a quoted game as JSON has it: whether it was forfeit and which
// moves are castling, by their indices, are members of their own.
type quotation struct {
	model.Quotation
	forfeit  bool
	castling []int
}

var quotationShape = jsontext.Shape[quotation]{
	jsontext.String("white", func(q *quotation) *string { return &q.White }),
	jsontext.String("black", func(q *quotation) *string { return &q.Black }),
	jsontext.Number("whiteElo", func(q *quotation) *uint16 { return &q.WhiteElo }),
	jsontext.Number("blackElo", func(q *quotation) *uint16 { return &q.BlackElo }),
	exact("eco", func(q *quotation) *model.ECO { return &q.ECO }),
	jsontext.String("event", func(q *quotation) *string { return &q.Event }),
	jsontext.String("site", func(q *quotation) *string { return &q.Site }),
	exact("date", func(q *quotation) *model.Date { return &q.Date }),
	eventType("eventType", func(q *quotation) *model.EventType { return &q.EventType }),
	nation(func(q *quotation) *model.Nation { return &q.Nation }),
	jsontext.Number("category", func(q *quotation) *uint16 { return &q.Category }),
	jsontext.Number("rounds", func(q *quotation) *uint16 { return &q.Rounds }),
	jsontext.Number("round", func(q *quotation) *uint8 { return &q.Round }),
	jsontext.Number("subround", func(q *quotation) *uint8 { return &q.Subround }),
	jsontext.Named("result", "result", func(q *quotation) *model.Result { return &q.Result }, quotedResultWord, parseResult),
	jsontext.Flag("forfeit", func(q *quotation) *bool { return &q.forfeit }),
	jsontext.Flag("withMoves", func(q *quotation) *bool { return &q.WithMoves }),
	jsontext.Number("spare", func(q *quotation) *uint16 { return &q.Spare }),
	{Key: "start", Append: appendQuotedStart, Parse: func(s *jsontext.Scanner, q *quotation) { q.Start = parsePosition(s) }},
	{Key: "moves", Append: appendQuotedMoves, Parse: func(s *jsontext.Scanner, q *quotation) {
		q.Moves = jsontext.Elements(s, func() model.Move { return jsontext.Word(s, "move", parseMoveWord) })
	}},
	{Key: "castling", Append: appendCastling, Parse: func(s *jsontext.Scanner, q *quotation) {
		q.castling = jsontext.Elements(s, func() int { return int(s.Int(0, 1<<31-1)) })
	}},
}

func newQuotation(q model.Quotation) quotation {
	return quotation{Quotation: q, forfeit: q.Result.IsForfeit()}
}

// value puts the parts together again.
func (q quotation) value(s *jsontext.Scanner) model.Quotation {
	if q.forfeit {
		q.Result = q.Result.Forfeit()
	}
	for _, i := range q.castling {
		if i >= len(q.Moves) {
			s.Failf("castling %d: there are %d moves", i, len(q.Moves))
			break
		}
		q.Moves[i] |= castlingBit
	}
	return q.Quotation
}

func quotedResultWord(r model.Result) string {
	if r == model.NoResult {
		return ""
	}
	return resultWord(r)
}

func appendQuotedStart(o *jsontext.Object, key string, q *quotation) {
	if q.Start != nil {
		o.Key(key)
		o.Dst = appendPosition(o.Dst, q.Start)
	}
}

// appendQuotedMoves appends the moves in UCI notation, castling as the king
// taking its rook.
func appendQuotedMoves(o *jsontext.Object, key string, q *quotation) {
	jsontext.AppendList(o, key, q.Moves, func(dst []byte, m model.Move) []byte { return jsontext.AppendString(dst, moveWord(m)) })
}

func appendCastling(o *jsontext.Object, key string, q *quotation) {
	castling := o.List(key)
	for i, m := range q.Moves {
		if m.IsCastling() {
			castling.Next()
			o.Dst = strconv.AppendInt(o.Dst, int64(i), 10)
		}
	}
	castling.End()
}

// moveWord returns a move without its castling bit in UCI notation, and "#n"
// if that does not say everything.
func moveWord(m model.Move) string {
	m &^= castlingBit
	if s := m.UCI(true); m.Promotion() <= model.King {
		return s
	}
	return numberWord(int(m))
}

func parseMoveWord(s string) (model.Move, bool) {
	if n, ok := parseNumberWord(s, 15); ok {
		return model.Move(n), true
	}
	if s == "0000" {
		return model.NullMove, true
	}
	if len(s) != 4 && len(s) != 5 {
		return 0, false
	}
	from, ok := model.ParseSquare(s[:2])
	to, ok2 := model.ParseSquare(s[2:4])
	becomes := model.NoPieceType
	if len(s) == 5 {
		becomes = model.PieceOf(s[4]).Type()
		ok = ok && s[4] >= 'a' && becomes != model.NoPieceType
	}
	return model.NewPromotion(from, to, becomes), ok && ok2
}
