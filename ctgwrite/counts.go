package ctgwrite

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"cbkit/board"
	"cbkit/internal/ctg"
	"cbkit/model"
)

// AddCounts adds positions that were counted elsewhere, in any order; those of
// one position are added up, also with those of games. The book is then the one
// that the games themselves would have made: of MaxPly, Variations and Keep,
// which are about games, whoever counted has taken care.
//
// It stops at the first error of the sequence, and at figures that contradict
// each other, unless OnError lets it go on without that line. After Write or
// Close it returns an error.
func (b *Builder) AddCounts(ctx context.Context, counts iter.Seq2[*model.BookCount, error]) error {
	if b.workers == nil {
		return errUsedUp
	}
	n := 0
	for c, err := range counts {
		if err == nil {
			err = b.addCount(c)
		}
		if err != nil {
			b.unread++
			if err = b.opt.onDamage(err); err != nil {
				return err
			}
			continue
		}
		b.read++
		if n++; n&4095 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return ctx.Err()
}

var (
	errOutcomes = errors.New("more wins, draws and losses than games")
	errScore    = errors.New("more points than the games have")
	errRatings  = errors.New("more ratings than games, or ratings above 65535")
)

// checkCount asks whether figures can be true.
func checkCount(c *model.BookCount) error {
	const most = 1 << 56 // so that sums of them do not overflow
	for _, n := range [...]uint64{c.Played, c.Games, c.Wins, c.Draws, c.Losses, c.Score, c.OwnSum, c.OpponentSum} {
		if n > most {
			return fmt.Errorf("%d: %w", n, model.ErrTooLarge)
		}
	}
	switch {
	case c.Wins+c.Draws+c.Losses > c.Games:
		return errOutcomes
	case c.Score > 10*c.Games:
		return errScore
	case c.OwnGames > c.Games || c.OpponentGames > c.Games,
		c.OwnSum > 65535*c.OwnGames || c.OpponentSum > 65535*c.OpponentGames:
		return errRatings
	}
	return nil
}

// addCount adds a line.
func (b *Builder) addCount(c *model.BookCount) error {
	err := checkCount(c)
	if err == nil && c.Position.Chess960 && !orthodox(c.Position.Rights) {
		err = errors.New("books have no words for the castling rights of Chess960")
	}
	var p board.Position
	if err == nil {
		p, err = board.New(&c.Position)
	}
	if err != nil {
		return fmt.Errorf("position %s: %w: %w", board.FormatFEN(&c.Position), model.ErrCorrupt, err)
	}
	key, view := ctg.Encode(&p)
	code := byte(noCode)
	if c.HasMove && !c.Move.IsNull() && p.Legal(c.Move) {
		var ok bool
		if code, ok = ctg.EncodeMove(&p, view, c.Move, b.opt.codes()); !ok {
			b.report(model.LostMoves, 0, "move", "%v in %s: "+b.opt.noWord(), c.Move, board.FormatFEN(&c.Position))
			code = noCode
		}
	} else {
		if c.HasMove {
			b.report(model.LostMoves, 0, "moves", "%v is not a legal move in %s", c.Move, board.FormatFEN(&c.Position))
		}
		b.games = int(min(uint64(b.games)+c.Played, 1<<62))
	}
	if err := b.putCount(c, &key, code); err != nil {
		return err
	}
	if twin, ok := ctg.EncodeTwin(&p); ok && !b.opt.Exact {
		return b.putCount(c, &twin, code)
	}
	return nil
}

// putCount puts a line under a key.
func (b *Builder) putCount(c *model.BookCount, key *ctg.Key, code byte) error {
	record := appendFigures(b.record[:0], key, &ctg.Totals{
		Games: c.Games, Wins: c.Wins, Losses: c.Losses, Draws: c.Draws, Score: c.Score,
		OwnGames: c.OwnGames, OwnSum: c.OwnSum, OpponentGames: c.OpponentGames, OpponentSum: c.OpponentSum,
	})
	if code != noCode {
		record = appendPlayed(record, code, c.Played)
	}
	b.record = record
	return b.sorter.Add(record)
}
