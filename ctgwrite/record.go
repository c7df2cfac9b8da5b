package ctgwrite

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"iter"
	"slices"

	"cbkit/internal/ctg"
	"cbkit/internal/extsort"
)

// Records of a sorter of counted positions; those of one position have the
// same beginning and are added up when they are read:
//
//	u32 trie order | key | nine uvarints, the figures | for each move: u8 code, uvarint count

// appendCounted appends a record of a position that was counted here.
func appendCounted(dst []byte, key *ctg.Key, s *sum, moves []moveCount) []byte {
	dst = appendFigures(dst, key, &ctg.Totals{
		Games: uint64(s.games), Wins: uint64(s.wins), Losses: uint64(s.losses), Draws: uint64(s.draws), Score: uint64(s.score),
		OwnGames: uint64(s.ownGames), OwnSum: s.ownSum, OpponentGames: uint64(s.opponentGames), OpponentSum: s.opponentSum,
	})
	for i := s.moves; i != 0; i = moves[i-1].next {
		dst = appendPlayed(dst, moves[i-1].code, uint64(moves[i-1].count))
	}
	return dst
}

// appendFigures appends a record without its moves.
func appendFigures(dst []byte, key *ctg.Key, t *ctg.Totals) []byte {
	dst = binary.BigEndian.AppendUint32(dst, ctg.TrieOrder(key.Hash()))
	dst = append(dst, key.Bytes()...)
	for _, n := range [...]uint64{
		t.Games, t.Wins, t.Losses, t.Draws, t.Score, t.OwnGames, t.OwnSum, t.OpponentGames, t.OpponentSum,
	} {
		dst = binary.AppendUvarint(dst, n)
	}
	return dst
}

// appendPlayed appends a move and how often it was played.
func appendPlayed(dst []byte, code byte, count uint64) []byte {
	return binary.AppendUvarint(append(dst, code), count)
}

// position is a counted position with all records added up.
type position struct {
	hash   uint32
	key    ctg.Key
	totals ctg.Totals
	moves  []playedMove
}

type playedMove struct {
	count uint64
	code  byte
}

// countedPositions yields the positions of a sorter in trie order. A position
// is valid until the next step.
func countedPositions(s *extsort.Sorter) iter.Seq2[*position, error] {
	return func(yield func(*position, error) bool) {
		var p position
		var prefix []byte
		for record, err := range s.Sorted() {
			if err != nil {
				yield(nil, err)
				return
			}
			n := 4 + int(record[4]&31) // the part that names the position
			if !bytes.Equal(prefix, record[:n]) {
				if len(prefix) > 0 && !yield(&p, nil) {
					return
				}
				prefix = append(prefix[:0], record[:n]...)
				p = position{hash: ctg.TrieOrder(binary.BigEndian.Uint32(prefix)), moves: p.moves[:0]}
				copy(p.key[:], prefix[4:])
			}
			p.add(record[n:])
		}
		if len(prefix) > 0 {
			yield(&p, nil)
		}
	}
}

// add adds what follows the position in a record.
func (p *position) add(b []byte) {
	t := &p.totals
	for _, n := range [...]*uint64{
		&t.Games, &t.Wins, &t.Losses, &t.Draws, &t.Score,
		&t.OwnGames, &t.OwnSum, &t.OpponentGames, &t.OpponentSum,
	} {
		v, size := binary.Uvarint(b)
		*n += v
		b = b[size:]
	}
	for len(b) > 0 {
		count, size := binary.Uvarint(b[1:])
		code := b[0]
		if i := slices.IndexFunc(p.moves, func(m playedMove) bool { return m.code == code }); i >= 0 {
			p.moves[i].count += count
		} else {
			p.moves = append(p.moves, playedMove{count, code})
		}
		b = b[1+size:]
	}
}

// sortMoves puts the moves in the order of a book: the most played first. It
// does not depend on the order of the games.
func (p *position) sortMoves() {
	slices.SortFunc(p.moves, func(a, b playedMove) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.code, b.code))
	})
}

// finisher turns counted positions into entries.
type finisher struct {
	b     *Builder
	ctx   context.Context
	moves []byte
	entry []byte
	once  int // positions with one game
}

// entries yields the entries of the book in trie order.
func (f *finisher) entries() iter.Seq2[placed, error] {
	return func(yield func(placed, error) bool) {
		seq := uint64(0)
		f.once = 0
		for p, err := range countedPositions(f.b.sorter) {
			if err == nil && seq&4095 == 0 {
				err = f.ctx.Err()
			}
			if err != nil {
				yield(placed{}, err)
				return
			}
			if p.totals.Games < uint64(max(f.b.opt.MinGames, 0)) {
				continue
			}
			if p.totals.Games == 1 {
				f.once++
			}
			f.make(p)
			if !yield(placed{hash: p.hash, seq: seq, Entry: f.entry}, nil) {
				return
			}
			seq++
		}
	}
}

// make makes the entry of a position.
func (f *finisher) make(p *position) {
	p.sortMoves()
	f.moves = f.moves[:0]
	for _, m := range p.moves {
		f.moves = append(f.moves, m.code, 0)
	}
	f.moves = f.b.opt.cutMoves(f.moves, f.b.opt.moveLimit(), &p.key, "the least played; programs have room for")
	stats := p.totals.Stats()
	f.b.settings.apply(&p.key, f.moves, &stats)
	f.entry = ctg.AppendEntry(f.entry[:0], &p.key, f.moves, &stats)
}
