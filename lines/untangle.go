package lines

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"cbkit/collect"
	"cbkit/model"
	"cbkit/pgn"
)

// Untangle returns a source that has a game for each line of the games of src, numbered
// from 1: the moves of the line with what is said of them, and
//
//   - for each game whose data a Forest put at a move of the line: the moves up to there,
//     with the header of that game;
//   - for each line that ends without such data: the whole line, with the header of the
//     tree. So a book of variations becomes one game for each variation.
//
// Games that a forest took uncut come back from it with the same lines, names and
// results, in the order of the tree. Guiding texts and games whose moves could not be
// decoded are passed on.
//
// A tree whose lines have more than 1,073,741,824 moves in all gives an error of its
// record that wraps [model.ErrTooLarge].
func Untangle(src model.Source) model.Source {
	return &untangled{Source: src, union: collect.NewUnion(src)}
}

type untangled struct {
	model.Source                // for what can be passed on
	union        *collect.Union // has the tables, which grow
}

var (
	_ model.Measured    = (*untangled)(nil)
	_ model.Referee     = (*untangled)(nil)
	_ model.Preflighter = (*untangled)(nil)
)

// Entities implements [model.Source].
func (u *untangled) Entities() *model.Entities { return u.union.Entities() }

// Leftover implements [model.Source]: there is none.
func (u *untangled) Leftover() *model.Leftover { return nil }

// Count implements [model.Source]: it is not known.
func (u *untangled) Count() int { return -1 }

// Progress implements [model.Measured] as the source does.
func (u *untangled) Progress() (done, total int64) { return u.union.Progress() }

// LegalMoves implements [model.Referee] as the source does.
func (u *untangled) LegalMoves() bool { return u.union.LegalMoves() }

// Preflight implements [model.Preflighter] as the source does.
func (u *untangled) Preflight(ctx context.Context) error { return u.union.Preflight(ctx) }

// Records implements [model.Source].
func (u *untangled) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		next := model.RecordID(1)
		give := func(rec model.Record, err error) bool {
			rec.ID = next
			next++
			return rec.ID < from || yield(rec, err)
		}
		for rec, err := range u.union.Records(ctx, 1, want|model.WantMoves|model.WantAnnotations) {
			switch {
			case err != nil && rec.ID == 0:
				yield(rec, err)
				return
			case err != nil || rec.Game == nil || rec.Game.MovesErr != nil:
				if !give(rec, err) {
					return
				}
			default:
				// What is wrong with the tree comes with its first line.
				damage := slices.Clip(rec.Damage)
				if err := rec.Game.AnnotationsErr; err != nil {
					damage = append(damage, err)
				}
				tree := newTangle(rec.Game)
				if err := tree.check(); err != nil {
					if !give(model.Record{}, &model.RecordError{Record: next, Err: err}) {
						return
					}
					continue
				}
				for g := range tree.lines(u.Entities()) {
					if !give(model.Record{Game: g, Deleted: rec.Deleted, Damage: damage, Unread: rec.Unread}, nil) {
						return
					}
					damage, rec.Unread = nil, nil
				}
			}
		}
	}
}

// placed is a text with commands, at a node.
type placed struct {
	before string // what stands in front of the first one
	games  []endedGame
	see    bool // the line goes on elsewhere
}

// endedGame is a game with what stands behind its command.
type endedGame struct {
	tags []model.Tag
	rest string
}

// parseText reads a text at the end of a line. It is false if it has no command.
func parseText(text string) (p placed, ok bool) {
	p.before, _, p.see = strings.Cut(text, seeCommand)
	if p.see {
		text = p.before
	}
	at := strings.Index(text, gameCommand)
	if at < 0 {
		p.before = strings.TrimSpace(p.before)
		return p, p.see
	}
	p.before = strings.TrimSpace(text[:at])
	for at >= 0 {
		args, rest, closed := strings.Cut(text[at+len(gameCommand):], "]")
		tags, good := parseGame(args)
		if !closed || !good {
			return placed{}, false // it was changed
		}
		text = rest
		if at = strings.Index(text, gameCommand); at >= 0 {
			rest = text[:at]
		}
		p.games = append(p.games, endedGame{tags, strings.TrimSpace(rest)})
	}
	return p, true
}

// tangle is a tree with what stands at its moves.
type tangle struct {
	g    *model.Game
	kept model.Game // the annotations but for the commands
	at   map[int32]placed
}

func newTangle(g *model.Game) *tangle {
	t := &tangle{g: g, at: map[int32]placed{}}
	for _, a := range g.Annotations {
		text, isText := a.Value.(model.Text)
		p, ok := parseText(text.Text)
		if !isText || !ok {
			t.kept.Annotations = append(t.kept.Annotations, a)
			continue
		}
		if text.Text = p.before; p.before != "" {
			t.kept.Annotations = append(t.kept.Annotations, model.Annotation{Node: a.Node, Value: text})
		}
		all := t.at[a.Node]
		t.at[a.Node] = placed{games: append(all.games, p.games...), see: all.see || p.see}
	}
	return t
}

// ends yields the last move of each line with the game that ends there, nil for one of
// which nothing is said. Games at one place come in their order.
func (t *tangle) ends() iter.Seq2[int, *endedGame] {
	return func(yield func(int, *endedGame) bool) {
		for node := model.NoNode; node < t.g.Moves.Len(); node++ {
			p := t.at[int32(node)]
			for i := range p.games {
				if !yield(node, &p.games[i]) {
					return
				}
			}
			if t.g.Moves.Main(node) == model.NoNode && len(p.games) == 0 && !p.see && !yield(node, nil) {
				return
			}
		}
	}
}

// mostPlies is how many moves the lines of a tree may have together: a million games of a
// thousand plies. Variations at every move of a long line would have the square of what
// the tree has.
var mostPlies = 1 << 30

// check refuses a tree whose lines have too many moves.
func (t *tangle) check() error {
	depth := make([]int32, t.g.Moves.Len())
	plies := 0
	for node := range depth {
		depth[node] = 1
		if parent := t.g.Moves.Parent(node); parent != model.NoNode {
			depth[node] += depth[parent]
		}
	}
	for node := range t.ends() {
		if node != model.NoNode {
			plies += int(depth[node])
		}
	}
	if plies > mostPlies {
		return fmt.Errorf("its lines have %d moves, more than %d: %w", plies, mostPlies, model.ErrTooLarge)
	}
	return nil
}

// lines yields the games of the tree: each with the moves up to the end of its line, and
// what is said of them.
func (t *tangle) lines(e *model.Entities) iter.Seq[*model.Game] {
	return func(yield func(*model.Game) bool) {
		for node, game := range t.ends() {
			h, rest := t.g.Header, ""
			if game != nil {
				h, rest = pgn.ParseTags(game.tags, e), game.rest
			}
			h.Tags = slices.Clone(h.Tags)
			line := model.NewGame()
			line.Header = h
			var nodes []int
			for n := node; n != model.NoNode; n = t.g.Moves.Parent(n) {
				nodes = append(nodes, n)
			}
			slices.Reverse(nodes)
			var moves model.Tree
			list := slices.Clone(t.kept.AnnotationsAt(model.NoNode))
			for i, n := range nodes {
				moves.Append(t.g.Moves.Move(n))
				for _, a := range t.kept.AnnotationsAt(n) {
					list = append(list, model.Annotation{Node: int32(i), Value: a.Value})
				}
			}
			if rest = strings.TrimSpace(strings.TrimPrefix(rest, describe(&h, e))); rest != "" {
				list = append(list, model.Annotation{Node: int32(len(nodes) - 1), Value: model.Text{Text: rest}})
			}
			var start *model.Position
			if t.g.Start != nil {
				start = new(*t.g.Start)
			}
			line.SetMoves(start, moves)
			line.SetAnnotations(list)
			if !yield(line) {
				return
			}
		}
	}
}
