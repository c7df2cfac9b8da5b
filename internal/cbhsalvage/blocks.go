package cbhsalvage

import (
	"errors"

	"cbkit/internal/cbh"
	"cbkit/internal/wire"
	"cbkit/model"
	"cbkit/moveenc"
)

// content is a record of the .cbg file, decoded.
type content struct {
	isText bool
	guide  cbh.Guide
	start  *model.Position
	moves  model.Tree
	// broken is why it breaks off, nil if it is whole. Raw is the record if it is
	// of a kind that is not known, and kept as it is.
	broken error
	raw    []byte
	// endless says that the moves have no end mark, as in some old databases; cut,
	// that they break off.
	endless, cut bool
}

// workspace is memory for one record at a time.
type workspace struct {
	game  moveenc.Game
	bytes []byte
}

// bytesOf returns the bytes of a record with its size in its head.
func (s *Source) bytesOf(b block) ([]byte, error) {
	stored, err := s.moves.window.At(b.at, b.size)
	if err != nil {
		return nil, err
	}
	s.decoded += b.size
	s.work.bytes = append(s.work.bytes[:0], stored...)
	wire.AppendU24BE(s.work.bytes[:1], uint32(b.size))
	return s.work.bytes, nil
}

// isGuideHead reports whether a record begins as a guiding text does.
func isGuideHead(rec []byte) bool { return rec[0]&0x80 != 0 }

// decode decodes a record as a game or as a text, whichever it is; the header, if
// there is one, is asked first.
func (s *Source) decode(rec []byte, asText bool) content {
	first := s.decodeAs(rec, asText)
	if first.broken == nil {
		return first
	}
	if second := s.decodeAs(rec, !asText); second.broken == nil && second.isText == isGuideHead(rec) {
		return second
	}
	return first
}

// decodeAs decodes a record as far as it goes.
func (s *Source) decodeAs(rec []byte, asText bool) content {
	if asText {
		guide, err := cbh.DecodeGuide(rec, s.page)
		c := content{isText: true, guide: guide, broken: err}
		if errors.Is(err, model.ErrUnsupported) {
			c.raw = rec
		}
		return c
	}
	g := &s.work.game
	g.KeepGoing = true
	err := moveenc.DecodeLegal(rec, g)
	c := content{broken: err}
	if errors.Is(err, model.ErrUnsupported) {
		c.raw = rec
		return c
	}
	c.start, c.moves, c.endless = g.SetUp(), g.Moves, g.Form.NoEnd
	return c
}

// mend returns a record whose size is not believed: the bytes up to a limit, or
// as many of them as its moves take.
func (s *Source) mend(at, limit int64) (block, error) {
	const most = 1<<24 - 1 // the largest size
	b := block{at: at, size: min(limit-at, most)}
	if b.size < leastMoves {
		return block{at: at}, nil
	}
	rec, err := s.bytesOf(b)
	if err != nil || isGuideHead(rec) {
		return b, err
	}
	g := &s.work.game
	g.KeepGoing = false
	if moveenc.DecodeLegal(rec, g) == nil {
		b.size -= int64(len(g.Form.Trailer))
	}
	return b, nil
}

// prefix is how many bytes of a long record are decoded first: trash fails there,
// and a game at the end of them, or a few bytes before it.
const (
	prefix      = 512
	longestMove = 16
)

// isWhole reports whether a whole record lies at a place, with nothing behind its end.
func (s *Source) isWhole(b block) (bool, error) {
	if b.size > prefix {
		rec, err := s.bytesOf(block{at: b.at, size: prefix})
		if err != nil {
			return false, err
		}
		var at *model.FormatError
		s.work.game.KeepGoing = false
		switch {
		case isGuideHead(rec):
			if rec[4] > 3 || rec[5] != 0 { // of no version
				return false, nil
			}
		case errors.As(moveenc.DecodeLegal(rec, &s.work.game), &at) && at.Offset < prefix-longestMove:
			return false, nil
		}
	}
	rec, err := s.bytesOf(b)
	if err != nil {
		return false, err
	}
	if isGuideHead(rec) {
		_, err := cbh.DecodeGuide(rec, s.page)
		return err == nil, nil
	}
	g := &s.work.game
	g.KeepGoing = false
	return moveenc.DecodeLegal(rec, g) == nil && len(g.Form.Trailer) == 0 && !g.Form.NoEnd, nil
}

// scanCost bounds the bytes that are taken to be decoded, for each byte that is
// looked at: a file that was made for that would cost any amount of time. What is
// not looked at for that is counted as unsearched. Bytes
// without any order cost less than half of it: a prefix each, and now and then
// what could be a text.
const scanCost = 1 << 11

// scan returns the whole records in a part of the .cbg file, in order: every byte
// can be the first of one.
func (s *Source) scan(from, to int64) (list []block, err error) {
	end, most := from, s.decoded+scanCost*(to-from)
	for at := from; at+leastMoves <= to; {
		if s.decoded > most {
			s.unsearched += to - at
			break
		}
		b, err := s.blockAt(at)
		if err != nil {
			return nil, err
		}
		whole := b.size >= leastMoves && b.end() <= to
		if whole {
			if whole, err = s.isWhole(b); err != nil {
				return nil, err
			}
		}
		if !whole {
			at++
			continue
		}
		b.follows = b.at == end
		list = append(list, b)
		at, end = b.end(), b.end()
	}
	return list, nil
}
