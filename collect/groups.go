package collect

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"iter"
	"strconv"
	"strings"

	"cbkit/model"
)

// Grouping is a property by which [Split] groups records: "white", "player", "event",
// "eco", "year", or a number, such as "1000", that puts so many records into each group.
type Grouping string

// ParseGrouping reads a grouping.
func ParseGrouping(s string) (Grouping, error) {
	if n, err := strconv.Atoi(s); err == nil {
		if n < 1 {
			return "", fmt.Errorf("%d records a group are too few", n)
		}
		return Grouping(s), nil
	}
	for _, by := range []Grouping{"white", "player", "event", "eco", "year"} {
		if strings.EqualFold(s, string(by)) {
			return by, nil
		}
	}
	return "", fmt.Errorf("%q is no way to split; there are white, player, event, eco, year, or a number of games", s)
}

// size returns how many records are in each group, 0 if a property says which.
func (by Grouping) size() int {
	n, _ := strconv.Atoi(string(by))
	return n
}

// Group is a part of a source. Its records can be read once, by one goroutine, until the next
// group is asked for.
type Group struct {
	// Name is what its records have in common, "" for those without it: a
	// player, the title of a tournament with its year, "C67", "1997"; or the number of the
	// group, from 1.
	Name string
	model.Source
}

// Groups are the parts of a source. It must be closed.
type Groups struct {
	spool   *spool
	records int
	by      Grouping
}

// Split takes a source apart. Every record is in exactly one group, deleted ones and
// texts too. With "player" a game is in the group of the player who has more games
// in the source, or of White if both have the same number; the source is then read twice.
// The records of a [model.Numbered] source are read from it part by part, so it must stay
// open until then, and one that cannot be read then is reported then; those of others are
// kept in a temporary file.
func Split(ctx context.Context, src model.Source, by Grouping, opt Options) (*Groups, error) {
	by, err := ParseGrouping(string(by))
	if err != nil {
		return nil, err
	}
	s := splitter{by: by, size: by.size()}
	if by == "player" {
		for rec, err := range model.Readable(ctx, src, model.WantHeaders, passOver) {
			if err != nil {
				return nil, err
			}
			if rec.Game == nil {
				continue
			}
			for _, id := range [2]model.EntityID{rec.Game.White, rec.Game.Black} {
				if id < 0 {
					continue
				}
				for int(id) >= len(s.games) {
					s.games = append(s.games, 0)
				}
				s.games[id]++
			}
		}
	}
	spool, err := newSpool(ctx, src, opt, model.WantHeaders, func(dst []byte, rec *model.Record) []byte {
		return appendName(dst, s.name(rec, src.Entities()))
	})
	if err != nil {
		return nil, err
	}
	return &Groups{spool, s.n, by}, nil
}

// splitter finds the group of each record.
type splitter struct {
	by    Grouping
	size  int   // of a group by number
	n     int   // records so far
	games []int // of each player
}

// count returns how many games a player has.
func (s *splitter) count(id model.EntityID) int {
	if id < 0 || int(id) >= len(s.games) {
		return 0
	}
	return s.games[id]
}

// name returns the name of the group of a record.
func (s *splitter) name(rec *model.Record, e *model.Entities) string {
	s.n++
	g := rec.Game
	switch {
	case s.size > 0:
		return fmt.Sprintf("%012d", (s.n-1)/s.size+1)
	case g == nil && s.by == "event":
		return eventName(e.Tournaments.Value(rec.Text.Tournament), 0)
	case g == nil:
		return ""
	}
	switch s.by {
	case "white":
		return e.Players.Value(g.White).String()
	case "player":
		if s.count(g.Black) > s.count(g.White) {
			return e.Players.Value(g.Black).String()
		}
		return e.Players.Value(g.White).String()
	case "event":
		return eventName(e.Tournaments.Value(g.Tournament), g.Date.Year)
	case "eco":
		if i := g.ECO.Index(); g.ECO.Valid() {
			return model.NewECO(i, 0).String()
		}
	case "year":
		if g.Date.Year != 0 {
			return fmt.Sprintf("%04d", g.Date.Year)
		}
	}
	return ""
}

// eventName is the title of a tournament with its year, or that of the game, behind it,
// if it is not in the title: events of other years are others.
func eventName(t model.Tournament, played uint16) string {
	year := strconv.Itoa(int(cmp.Or(t.Start.Year, played)))
	if year == "0" || t.Title == "" || strings.Contains(t.Title, year) {
		return t.Title
	}
	return t.Title + " " + year
}

// All yields the groups in the order of their names, as often as it is called.
func (g *Groups) All() iter.Seq2[Group, error] {
	return func(yield func(Group, error) bool) {
		if g.spool.closed {
			yield(Group{}, fs.ErrClosed)
			return
		}
		next, stop := iter.Pull2(g.spool.entries())
		defer stop()
		if g.spool.src != nil {
			g.read(next, yield)
			return
		}
		w := walk{next: next}
		w.advance()
		for w.has && w.err == nil {
			name := w.name()
			records := g.spool.records(func() (entryLine, error, bool) { return w.take(name) }, nil)
			if !yield(Group{g.label(name), records}, nil) {
				return
			}
			for w.has && w.err == nil && bytes.Equal(w.name(), name) {
				w.advance() // what was not read
			}
		}
		if w.err != nil {
			yield(Group{}, w.err)
		}
	}
}

// read yields the groups of a source that is read by the ids of entries.
func (g *Groups) read(next func() (entryLine, error, bool), yield func(Group, error) bool) {
	r := &reading{src: g.spool.src, opt: g.spool.opt, next: next}
	defer r.end()
	for {
		entry, err, ok := r.first()
		if err != nil {
			yield(Group{}, err)
			return
		}
		if !ok || !yield(Group{g.label([]byte(entry.key[:len(entry.key)-1])), &readPart{reading: r, key: entry.key}}, nil) {
			return
		}
		for left, _, ok := r.first(); ok && left.key == entry.key; left, _, ok = r.first() {
			r.end() // what was not read
			r.pass(left.id)
		}
	}
}

// label returns the name of a group: of what appendName wrote, or a number without the zeros
// that sort it.
func (g *Groups) label(key []byte) string {
	if g.by.size() > 0 {
		return string(bytes.TrimLeft(key, "0"))
	}
	return strings.NewReplacer("\x01\x01", "\x00", "\x01\x02", "\x01").Replace(string(key))
}

// walk goes through the entries of all groups.
type walk struct {
	next  func() (entryLine, error, bool)
	ahead entryLine // the entry that comes next
	has   bool
	err   error
}

func (w *walk) advance() { w.ahead, w.err, w.has = w.next() }

// name returns a copy of the name of the group that comes next.
func (w *walk) name() []byte { return bytes.Clone(w.ahead.key[:len(w.ahead.key)-1]) }

// take returns the next entry of a group.
func (w *walk) take(name []byte) (entryLine, error, bool) {
	if !w.has || w.err != nil || !bytes.Equal(w.name(), name) {
		return entryLine{}, w.err, false
	}
	entry := w.ahead
	entry.key = nil // valid until the next step
	w.advance()
	return entry, nil, true
}

// Count returns how many records all groups have together; after Close it is 0.
func (g *Groups) Count() int {
	if g.spool.closed {
		return 0
	}
	return g.records
}

// Close removes the temporary files. A second call does nothing.
func (g *Groups) Close() error { return g.spool.close() }
