package collect

import (
	"context"
	"encoding/binary"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"sync"

	"cbkit/internal/namepattern"
	"cbkit/model"
)

// Order is a key that records are sorted by, and its direction. Records without a
// value come last, and guiding texts after all games.
type Order struct {
	// Key is "date", "event", "place", "round", "white", "black", "elo" (the higher
	// rating of both players), "eco", "result", "plies", "white-elo" or "black-elo".
	Key        string
	Descending bool
}

var sortKeys = []string{"date", "event", "place", "round", "white", "black", "elo", "eco", "result", "plies", "white-elo", "black-elo"}

// ParseOrders reads names of keys with commas between them, such as
// "date,-elo,white"; a minus turns the direction.
func ParseOrders(s string) ([]Order, error) {
	var list []Order
	for word := range strings.SplitSeq(s, ",") {
		name, descending := strings.CutPrefix(strings.TrimSpace(word), "-")
		i := slices.IndexFunc(sortKeys, func(known string) bool { return strings.EqualFold(known, name) })
		if i < 0 {
			return nil, noKey(name)
		}
		list = append(list, Order{sortKeys[i], descending})
	}
	return list, nil
}

func noKey(name string) error {
	return fmt.Errorf("%q is no key to sort by; there are %s", name, strings.Join(sortKeys, ", "))
}

// Sorted are the records of a source in another order. It is a [model.Source]
// that can be read once, by one goroutine, and must be closed.
type Sorted struct {
	model.Source
	spool *spool
	stop  func()
	n     int

	reading sync.Mutex
	origins []model.RecordID // of the records that were read so far
}

// Sort puts the records of src in order. Records that are equal by all orders stay as
// they were. All of src is read for the keys. The records of a [model.Numbered] source
// are read from it in the new order, so it must stay open until then; those of others are
// kept in a temporary file. Memory grows by four bytes for each record, and by what the
// options give.
func Sort(ctx context.Context, src model.Source, orders []Order, opt Options) (*Sorted, error) {
	for _, o := range orders {
		if !slices.Contains(sortKeys, o.Key) {
			return nil, noKey(o.Key)
		}
	}
	s := &Sorted{}
	key := func(dst []byte, rec *model.Record) []byte {
		s.n++
		return appendKey(dst, rec, src.Entities(), orders)
	}
	want := model.WantHeaders
	if slices.ContainsFunc(orders, func(o Order) bool { return o.Key == "plies" }) {
		want = model.WantMoves
	}
	var err error
	if s.spool, err = newSpool(ctx, src, opt, want, key); err != nil {
		return nil, err
	}
	next, stop := iter.Pull2(s.spool.entries())
	s.stop, s.origins = stop, make([]model.RecordID, 0, s.n)
	origin := func(id model.RecordID) {
		s.reading.Lock()
		s.origins = append(s.origins, id)
		s.reading.Unlock()
	}
	if s.spool.src == nil {
		s.Source = s.spool.records(next, origin)
		return s, nil
	}
	r := &reading{src: s.spool.src, opt: opt, whole: true, next: next}
	s.Source, s.stop = &readPart{reading: r, read: origin}, func() { r.end(); stop() }
	return s, nil
}

// LegalMoves implements [model.Referee].
func (s *Sorted) LegalMoves() bool { return s.Source.(model.Referee).LegalMoves() }

// Count implements [model.Source]; after Close it is 0.
func (s *Sorted) Count() int {
	if s.spool.closed {
		return 0
	}
	return s.n
}

// Origin returns the id that a record had in the original source, given its new
// id. It is known once the record has been read.
func (s *Sorted) Origin(id model.RecordID) model.RecordID {
	s.reading.Lock()
	defer s.reading.Unlock()
	if i := int(id) - 1; i >= 0 && i < len(s.origins) {
		return s.origins[i]
	}
	return 0
}

// Records implements [model.Source].
func (s *Sorted) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		if s.spool.closed {
			yield(model.Record{}, fs.ErrClosed)
			return
		}
		s.Source.Records(ctx, from, want)(yield)
	}
}

// Close removes the temporary files.
func (s *Sorted) Close() error {
	s.stop()
	return s.spool.close()
}

// appendKey appends bytes that sort as the orders say.
func appendKey(dst []byte, rec *model.Record, e *model.Entities, orders []Order) []byte {
	if rec.Game == nil {
		return append(dst, 1)
	}
	dst = append(dst, 0)
	for _, o := range orders {
		from := len(dst)
		var has bool
		dst, has = appendValue(append(dst, 0), rec.Game, e, o.Key)
		if !has {
			dst[from] = 1
			continue
		}
		if o.Descending {
			for i := from + 1; i < len(dst); i++ {
				dst[i] = ^dst[i]
			}
		}
	}
	return dst
}

// appendValue appends the value of a key as bytes that sort like it.
func appendValue(dst []byte, g *model.Game, e *model.Entities, key string) (_ []byte, has bool) {
	switch key {
	case "date":
		return append(binary.BigEndian.AppendUint16(dst, g.Date.Year), g.Date.Month, g.Date.Day), !g.Date.IsZero()
	case "event":
		return appendText(dst, e.Tournaments.Value(g.Tournament).Title)
	case "place":
		return appendText(dst, e.Tournaments.Value(g.Tournament).Place)
	case "round":
		return appendNumbers(dst, g.Round, g.Subround)
	case "white":
		return appendPlayer(dst, e.Players.Value(g.White))
	case "black":
		return appendPlayer(dst, e.Players.Value(g.Black))
	case "elo":
		return appendNumbers(dst, max(g.WhiteElo, g.BlackElo))
	case "white-elo":
		return appendNumbers(dst, g.WhiteElo)
	case "black-elo":
		return appendNumbers(dst, g.BlackElo)
	case "eco":
		return appendNumbers(dst, uint16(g.ECO))
	case "result":
		return append(dst, byte(g.Result)), g.Result != model.NoResult
	}
	plies := g.Moves.MainLen()
	return binary.BigEndian.AppendUint32(dst, uint32(plies)), plies > 0
}

// appendNumbers appends numbers, of which one at least is not 0 if there are any.
func appendNumbers(dst []byte, list ...uint16) (_ []byte, has bool) {
	for _, n := range list {
		dst = binary.BigEndian.AppendUint16(dst, n)
		has = has || n != 0
	}
	return dst, has
}

// appendText appends a name: first without regard to case and accents, then as
// it is, so that names that look alike stand together.
func appendText(dst []byte, s string) (_ []byte, has bool) {
	dst = append(append(dst, namepattern.Fold(s)...), 0)
	return appendName(dst, s), s != ""
}

// appendName appends bytes that sort as a text does, and that no other text begins with,
// whatever stands behind them: 00 is the end, in the text it is 01 01, and 01 is 01 02.
func appendName(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c <= 1 {
			dst = append(dst, 1, c+1)
		} else {
			dst = append(dst, c)
		}
	}
	return append(dst, 0)
}

func appendPlayer(dst []byte, p model.Player) (_ []byte, has bool) {
	dst, hasLast := appendText(dst, p.LastName)
	dst, hasFirst := appendText(dst, p.FirstName)
	return dst, hasLast || hasFirst
}
