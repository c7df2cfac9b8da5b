package model

import (
	"strconv"
	"strings"

	"cbkit/internal/jsontext"
)

func (q Quotation) appendJSON(o *jsontext.Object) {
	o.Text("white", q.White)
	o.Text("black", q.Black)
	o.Int("whiteElo", int64(q.WhiteElo))
	o.Int("blackElo", int64(q.BlackElo))
	if q.ECO != 0 {
		o.Text("eco", textOf(q.ECO))
	}
	o.Text("event", q.Event)
	o.Text("site", q.Site)
	if !q.Date.IsZero() {
		o.Text("date", textOf(q.Date))
	}
	if q.EventType != (EventType{}) {
		o.Key("eventType")
		o.Dst = AppendEventTypeJSON(o.Dst, q.EventType)
	}
	o.Text("nation", q.Nation.String())
	o.Int("category", int64(q.Category))
	o.Int("rounds", int64(q.Rounds))
	o.Int("round", int64(q.Round))
	o.Int("subround", int64(q.Subround))
	if q.Result != NoResult {
		o.Text("result", resultWord(q.Result))
	}
	o.True("forfeit", q.Result.IsForfeit())
	o.True("withMoves", q.WithMoves)
	o.Int("spare", int64(q.Spare))
	if q.Start != nil {
		o.Key("start")
		o.Dst = AppendPositionJSON(o.Dst, q.Start)
	}
	appendMoves(o, q.Moves)
}

func parseQuotation(s *jsontext.Scanner) Value {
	var q quotationMembers
	members(s, func(key string) bool {
		return q.names(s, key) || q.event(s, key) || q.play(s, key)
	})
	if q.forfeit {
		q.Result = q.Result.Forfeit()
	}
	q.markCastling(s)
	return q.Quotation
}

// quotationMembers is a quotation while it is read.
type quotationMembers struct {
	Quotation
	forfeit  bool
	castling []int
}

// names reads what belongs to the players and to the game itself.
func (q *quotationMembers) names(s *jsontext.Scanner, key string) bool {
	switch key {
	case "white":
		q.White = s.Text()
	case "black":
		q.Black = s.Text()
	case "whiteElo":
		q.WhiteElo = s.Uint16()
	case "blackElo":
		q.BlackElo = s.Uint16()
	case "eco":
		s.Fail(q.ECO.UnmarshalText(s.Bytes()))
	case "date":
		s.Fail(q.Date.UnmarshalText(s.Bytes()))
	case "round":
		q.Round = s.Uint8()
	case "subround":
		q.Subround = s.Uint8()
	default:
		return false
	}
	return true
}

// event reads what belongs to the tournament.
func (q *quotationMembers) event(s *jsontext.Scanner, key string) bool {
	switch key {
	case "event":
		q.Event = s.Text()
	case "site":
		q.Site = s.Text()
	case "eventType":
		q.EventType = parseEventType(s)
	case "nation":
		q.Nation = jsontext.Word(s, "nation", ParseNation)
	case "category":
		q.Category = s.Uint16()
	case "rounds":
		q.Rounds = s.Uint16()
	default:
		return false
	}
	return true
}

// play reads the moves and how they ended.
func (q *quotationMembers) play(s *jsontext.Scanner, key string) bool {
	switch key {
	case "result":
		q.Result = jsontext.Word(s, "result", parseResultWord)
	case "forfeit":
		q.forfeit = s.Bool()
	case "withMoves":
		q.WithMoves = s.Bool()
	case "spare":
		q.Spare = s.Uint16()
	case "start":
		q.Start = parsePosition(s)
	case "moves":
		q.Moves = jsontext.Elements(s, func() Move { return jsontext.Word(s, "move", parseMoveWord) })
	case "castling":
		q.castling = jsontext.Elements(s, func() int { return int(s.Int(0, 1<<31-1)) })
	default:
		return false
	}
	return true
}

func (q *quotationMembers) markCastling(s *jsontext.Scanner) {
	for _, i := range q.castling {
		if i >= len(q.Moves) {
			s.Failf("castling %d: there are %d moves", i, len(q.Moves))
			return
		}
		q.Moves[i] |= castlingBit
	}
}

// appendMoves appends "moves" in UCI notation, castling as the king taking
// its rook, and "castling", the indices of those moves that are castling:
// without a board nothing else tells them apart.
func appendMoves(o *jsontext.Object, moves []Move) {
	words := o.List("moves")
	for _, m := range moves {
		words.Next()
		o.Dst = jsontext.AppendString(o.Dst, moveWord(m))
	}
	words.End()
	castling := o.List("castling")
	for i, m := range moves {
		if m.IsCastling() {
			castling.Next()
			o.Dst = strconv.AppendInt(o.Dst, int64(i), 10)
		}
	}
	castling.End()
}

// moveWord returns a move without its castling bit in UCI notation, and "#n"
// if that does not say everything.
func moveWord(m Move) string {
	m &^= castlingBit
	if s := m.UCI(true); m.Promotion() <= King {
		return s
	}
	return "#" + strconv.Itoa(int(m))
}

func parseMoveWord(s string) (Move, bool) {
	if number, found := strings.CutPrefix(s, "#"); found {
		n, err := strconv.ParseUint(number, 10, 15)
		return Move(n), err == nil
	}
	if s == "0000" {
		return NullMove, true
	}
	if len(s) != 4 && len(s) != 5 {
		return 0, false
	}
	from, ok := ParseSquare(s[:2])
	to, ok2 := ParseSquare(s[2:4])
	becomes := NoPieceType
	if len(s) == 5 {
		becomes = PieceOf(s[4]).Type()
		ok = ok && s[4] >= 'a' && becomes != NoPieceType
	}
	return NewPromotion(from, to, becomes), ok && ok2
}

// resultWord returns PGN's word, and "#9" for what is no result.
func resultWord(r Result) string {
	if r <= BothLose {
		return r.String()
	}
	return "#" + strconv.Itoa(int(r))
}

func parseResultWord(s string) (Result, bool) {
	if number, found := strings.CutPrefix(s, "#"); found {
		n, err := strconv.ParseUint(number, 10, 8)
		return Result(n), err == nil
	}
	return ParseResult(s)
}

// textOf returns the exact form of a date or a code as a string.
func textOf(v interface{ AppendText([]byte) ([]byte, error) }) string {
	text, _ := v.AppendText(nil)
	return string(text)
}
