package ctg

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"cbkit/board"
	"cbkit/model"
)

// Format is the name of this format's leftovers.
const Format = "ctg"

// Decode fills out with the entry of p, seen under the view of p's key. Bytes
// of moves that mean no legal move, or one for the second time, give no move but
// an error; they are among the leftovers like the rest of the entry.
func Decode(e Entry, p *board.Position, v View, out *model.BookEntry) {
	out.Position = p.Model()
	s := e.Stats()
	out.Stats = s.Neutral(v)
	out.Moves, out.MovesErr = out.Moves[:0], nil
	moves := e.Moves()
	for i := 0; i < len(moves); i += 2 {
		m, ok := DecodeMove(p, v, moves[i])
		legal := ok && p.Legal(m)
		twice := slices.ContainsFunc(out.Moves, func(b model.BookMove) bool { return b.Move == m })
		if legal && !twice {
			out.Moves = append(out.Moves, model.BookMove{Move: m, Annotation: model.NAG(moves[i+1])})
			continue
		}
		switch {
		case out.MovesErr != nil:
		case legal:
			out.MovesErr = fmt.Errorf("%w: the move %02x is listed twice in %s", model.ErrCorrupt, moves[i], p.FEN())
		default:
			out.MovesErr = fmt.Errorf("%w: %02x means no legal move in %s", model.ErrCorrupt, moves[i], p.FEN())
		}
	}
	if out.Leftover == nil {
		out.Leftover = new(model.Leftover)
	}
	out.Leftover.Format, out.Leftover.Data = Format, append(out.Leftover.Data[:0], e...)
}

// WithScore returns the figures with their score. Old books leave that of finished
// games out; it is made up for. (docs/formats/ctg.md 6)
func (s Stats) WithScore() *Stats {
	if decided := 10*s.Wins + 5*s.Draws; s.Score < decided {
		open := s.Games - min(s.Games, s.Wins+s.Draws+s.Losses)
		s.Score = decided + 5*open
	}
	return &s
}

// Neutral returns the figures as the model has them, with their score.
func (s *Stats) Neutral(v View) model.BookStats {
	n := model.BookStats{
		Games: s.Games, Wins: s.Wins, Draws: s.Draws, Losses: s.Losses, Score: s.Score,
		Own:        model.BookRatings{Games: s.OwnGames, Sum: s.OwnSum},
		Opponent:   model.BookRatings{Games: s.OpponentGames, Sum: s.OpponentSum},
		Weight:     s.Weight,
		Commentary: model.NAG(turnCommentary(s.Commentary, v)),
	}
	n.Score = s.WithScore().Score
	switch {
	case s.Recommendation&AvoidMove != 0:
		n.Recommendation = model.AvoidMove
	case s.Recommendation&MainMove != 0:
		n.Recommendation = model.MainMove
	}
	return n
}

// turnCommentary exchanges the sides of a judgement if the view exchanges the
// colours: only of those that name a side that is better, all others have no
// sides in these books. It is its own inverse. (docs/formats/ctg.md 6)
func turnCommentary(nag uint8, v View) uint8 {
	if v.Flipped() && nag >= 14 && nag <= 19 {
		return nag ^ 1
	}
	return nag
}

// statsOf is the inverse of Neutral, as far as there is one.
func statsOf(n *model.BookStats, v View) Stats {
	t := Totals{
		Games: uint64(n.Games), Wins: uint64(n.Wins), Losses: uint64(n.Losses), Draws: uint64(n.Draws),
		Score:    uint64(n.Score),
		OwnGames: uint64(n.Own.Games), OwnSum: uint64(n.Own.Sum),
		OpponentGames: uint64(n.Opponent.Games), OpponentSum: uint64(n.Opponent.Sum),
	}
	s := t.Stats()
	s.Recommendation = RecommendationBits(n.Recommendation, n.Weight)
	s.Weight = n.Weight
	s.Commentary = turnCommentary(uint8(n.Commentary), v)
	return s
}

// RecommendationBits returns the byte to store for a recommendation. The bit
// that goes with a weight stands alone, for programs that compare the byte.
func RecommendationBits(r model.Recommendation, weight int8) uint8 {
	switch {
	case r == model.MainMove:
		return MainMove
	case r == model.AvoidMove:
		return AvoidMove
	case weight != 0:
		return WeightedMove
	}
	return 0
}

// Encoder turns entries of the model into those of a book. The zero value is
// ready; it is not for concurrent use.
type Encoder struct {
	// Codes are the move bytes that may be used.
	Codes Codes
	// Limit is how many moves an entry may have; 0 is MaxMoves.
	Limit int
	// Strict drops bytes of moves that mean no legal move, and applies Codes
	// and Limit to entries that came from a book, too. Of recommendations it
	// keeps what [RecommendationBits] writes.
	Strict bool
	// Legal drops bytes of moves that mean no legal move, or the same one again,
	// where Strict does not do so already.
	Legal bool
	// Dropped is called for the moves that cannot be stored, may be nil. The null
	// move stands for bytes that mean no move.
	Dropped func(p *board.Position, m model.Move)
	// Changed is called for recommendations that are stored in another way than
	// before, may be nil.
	Changed func(p *board.Position, was, is uint8)

	moves   []byte
	entry   []byte
	decoded model.BookEntry
}

// Encode returns the entry's key and bytes; they are valid until the next
// call. What came from a book and was not changed keeps its bytes: the moves
// as a whole, unless Strict is set or Legal drops one, and the figures as a whole.
func (c *Encoder) Encode(e *model.BookEntry) (Key, Entry, error) {
	p, err := board.New(&e.Position)
	if err != nil {
		return Key{}, nil, err
	}
	key, view := Encode(&p)
	raw := c.decodeRaw(e, &key, &p, view)
	c.entry = append(c.entry[:0], key.Bytes()...)
	if raw != nil && !c.Strict && (!c.Legal || c.decoded.MovesErr == nil) && slices.EqualFunc(c.decoded.Moves, e.Moves, sameMove) {
		c.entry = appendMoves(c.entry, raw.Moves())
	} else {
		c.entry = appendMoves(c.entry, c.encodeMoves(e.Moves, &p, view))
	}
	if raw != nil && c.decoded.Stats == e.Stats {
		c.entry = append(c.entry, raw.StatsBytes()...)
		if c.Strict {
			c.normalise(&p, e)
		}
	} else {
		s := statsOf(&e.Stats, view)
		c.entry = s.Append(c.entry)
	}
	return key, c.entry, nil
}

// normalise gives the entry the recommendation that all programs understand.
// (docs/formats/ctg.md 6)
func (c *Encoder) normalise(p *board.Position, e *model.BookEntry) {
	stored := &c.entry[len(c.entry)-StatsSize+recommendationAt]
	is := RecommendationBits(e.Stats.Recommendation, e.Stats.Weight)
	if *stored == is {
		return
	}
	if c.Changed != nil {
		c.Changed(p, *stored, is)
	}
	*stored = is
}

// decodeRaw returns the bytes that the entry was decoded from, nil if there
// are none, and decodes them again to see what has changed.
func (c *Encoder) decodeRaw(e *model.BookEntry, key *Key, p *board.Position, v View) Entry {
	raw, rest, err := CutEntry(e.Leftover.From(Format))
	if err != nil || len(rest) != 0 || !bytes.Equal(raw.KeyBytes(), key.Bytes()) {
		return nil
	}
	Decode(raw, p, v, &c.decoded)
	if (c.Strict || c.Legal) && c.decoded.MovesErr != nil {
		c.drop(p, model.NullMove)
	}
	return raw
}

func sameMove(a, b model.BookMove) bool { return a.Move == b.Move && a.Annotation == b.Annotation }

// encodeMoves returns the bytes of the moves that can be stored.
func (c *Encoder) encodeMoves(moves []model.BookMove, p *board.Position, v View) []byte {
	limit := cmp.Or(c.Limit, MaxMoves)
	c.moves = c.moves[:0]
	for _, m := range moves {
		code, ok := EncodeMove(p, v, m.Move, c.Codes)
		if !ok || !p.Legal(m.Move) || len(c.moves) >= 2*limit {
			c.drop(p, m.Move)
			continue
		}
		c.moves = append(c.moves, code, uint8(m.Annotation))
	}
	return c.moves
}

func (c *Encoder) drop(p *board.Position, m model.Move) {
	if c.Dropped != nil {
		c.Dropped(p, m)
	}
}
