package ctgwrite

import (
	"bufio"
	"context"
	"io"
	"iter"
	"math"
	"strconv"

	"cbkit/board"
	"cbkit/internal/bookdamage"
	"cbkit/internal/jsontext"
	"cbkit/model"
)

// WriteJSON writes every entry of a book as a line of JSON, in stored order, as
// [AppendJSON] does. It returns how many there were. OnError is called once for each
// damaged place of the book; if it returns nil, the work goes on without the entries that
// cannot be read and without the figures of moves that lead to them. If it is nil the
// first damage ends the work.
func WriteJSON(ctx context.Context, w io.Writer, b model.Book, onError func(error) error) (entries int, err error) {
	out := bufio.NewWriterSize(w, 1<<16)
	var line []byte
	for e, err := range readable(ctx, b, onError) {
		if err != nil {
			return entries, err
		}
		line = append(AppendJSON(line[:0], e), '\n')
		if _, err := out.Write(line); err != nil {
			return entries, err
		}
		entries++
	}
	if err := ctx.Err(); err != nil {
		return entries, err
	}
	return entries, out.Flush()
}

// readable yields the entries of a book that can be read, with the figures of
// their moves as far as those can. An error is one that ends the work.
func readable(ctx context.Context, b model.Book, onError func(error) error) iter.Seq2[*model.BookEntry, error] {
	return func(yield func(*model.BookEntry, error) bool) {
		damage := bookdamage.Reporter{Decide: onError}
		for e, err := range b.Entries(ctx) {
			sound := err == nil
			if sound {
				err = b.Figures(e)
			}
			err = damage.Report(err)
			if (sound || err != nil) && !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// AppendJSON appends an entry as one JSON object without line breaks:
//
//	{"fen":"…","games":499,"wins":176,"draws":122,"losses":201,"score":2500,
//	 "ratings":{"own":{"games":490,"average":2244},"opponent":{…}},
//	 "recommendation":"main","weight":5,"commentary":11,
//	 "moves":[{"uci":"e2e4","san":"e4","games":…,"wins":…,"draws":…,"losses":…,"score":…,
//	           "averageRating":…,"performance":…,"annotation":1,"recommendation":"avoid",…}]}
//
// The figures of the position are those of the side to move in "fen", the figures of a
// move those of the player who makes it. "score" counts tenths of points. The five counts
// are always there, unless a move's position is not in the book; everything else is left
// out when it is zero or empty. An entry that is Weighed has only "fen" and "moves"; its
// moves always have "moveWeight", and "learn" if it is not zero.
func AppendJSON(dst []byte, e *model.BookEntry) []byte {
	o := jsontext.Object{Dst: dst}
	o.Text("fen", board.FormatFEN(&e.Position))
	if e.Weighed {
		appendMoves(&o, e)
		return o.End()
	}
	counts(&o, &e.Stats)
	o.Object("ratings", func(in *jsontext.Object) {
		ratings(in, "own", e.Stats.Own)
		ratings(in, "opponent", e.Stats.Opponent)
	})
	appendMarks(&o, &e.Stats)
	appendMoves(&o, e)
	return o.End()
}

func appendMoves(o *jsontext.Object, e *model.BookEntry) {
	// An entry of a book is a position; without one there are no moves.
	p, _ := board.New(&e.Position)
	list := o.List("moves")
	for i := range e.Moves {
		m := &e.Moves[i]
		in := list.Object()
		in.Text("uci", m.Move.UCI(e.Position.Chess960))
		in.Text("san", p.SAN(m.Move))
		if e.Weighed {
			in.Key("moveWeight")
			in.Dst = strconv.AppendUint(in.Dst, uint64(m.MoveWeight), 10)
			in.Int("learn", int64(m.Learn))
		}
		if m.Known {
			counts(&in, &m.Stats)
			in.Int("averageRating", int64(m.Stats.Own.Average()))
			in.Int("performance", int64(performance(&m.Stats)))
		}
		in.Int("annotation", int64(m.Annotation))
		if m.Known {
			appendMarks(&in, &m.Stats)
		}
		o.Dst = in.End()
	}
	list.End()
}

func counts(o *jsontext.Object, s *model.BookStats) {
	for _, c := range [...]struct {
		key string
		n   uint32
	}{{"games", s.Games}, {"wins", s.Wins}, {"draws", s.Draws}, {"losses", s.Losses}, {"score", s.Score}} {
		o.Key(c.key)
		o.Dst = strconv.AppendUint(o.Dst, uint64(c.n), 10)
	}
}

func ratings(o *jsontext.Object, key string, r model.BookRatings) {
	if r.Games == 0 {
		return
	}
	o.Object(key, func(in *jsontext.Object) {
		in.Int("games", int64(r.Games))
		in.Int("average", int64(r.Average()))
	})
}

func appendMarks(o *jsontext.Object, s *model.BookStats) {
	o.Text("recommendation", s.Recommendation.String())
	o.Int("weight", int64(s.Weight))
	o.Int("commentary", int64(s.Commentary))
}

// performance returns the rating at which a player would be expected to score
// as this one did against these opponents: their average plus 400 times the
// decimal logarithm of points won by points lost, which is kept within 800. It
// is 0 if no opponent has a rating.
func performance(s *model.BookStats) int {
	average := s.Opponent.Average()
	if average == 0 || s.Games == 0 {
		return 0
	}
	share := min(s.Percent()/100, 1) // damaged books have more points than games
	return average + int(math.Round(max(-800, min(800, 400*math.Log10(share/(1-share))))))
}
