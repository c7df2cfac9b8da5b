package ctgwrite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"cbkit/board"
	"cbkit/internal/bookdamage"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/stats"
)

// PGNOptions configures [WritePGN]. The zero value writes the whole book from the start of
// the game.
type PGNOptions struct {
	// From is the position that the tree begins with; nil is the start of the game.
	From *board.Position
	// Name is what the game is called: its event. Empty is "?".
	Name string
	// MaxPly is how many plies the lines have at most, 0 for all.
	MaxPly int
	// MinGames leaves out moves with fewer games, of a Polyglot book those with a smaller
	// weight.
	MinGames int
	// OnError is called for damage in the book, each place once, and decides: nil
	// goes on without what cannot be read. If it is nil the first damage ends the work.
	OnError func(error) error
}

// maxTree is how many bytes the text of a tree has at most: readers, also our own, take a
// longer game for a file without end.
const maxTree = 60 << 20

// ErrTree is the error of a tree that is too large for one game, or has no move.
var ErrTree = errors.New("the book is no tree for one game")

// WritePGN writes what a book's moves lead to as a tree of variations: one game. It
// returns the number of its moves. In each position the move with most games comes first
// (in a Polyglot book the one with the largest weight). A comment after a move gives the
// results of the player who made it, "*" being games without one, and the average rating
// of these players: "+12 =5 -3 *1, 2610"; or, from a Polyglot book, the weight.
//
// If a Polyglot book has the position after a move that it does not list, the tree has
// that move with a note, since such books often lack the moves of one side.
//
// If several lines lead to a position, one of them goes on; the others end with a
// reference to it, such as "= 1.d4 Nf6 2.c4". With MaxPly a line that reaches the
// position in fewer plies goes on too.
//
// A tree of more than 60 MB of text is an error that wraps [ErrTree], and nothing is
// written; MaxPly and MinGames make it smaller.
func WritePGN(ctx context.Context, w io.Writer, b model.Book, opt PGNOptions) (moves int, err error) {
	t := bookTree{ctx: ctx, book: b, opt: &opt, homes: map[uint64]home{}, damage: bookdamage.Reporter{Decide: opt.OnError}, p: board.Start()}
	entities, g := new(model.Entities), model.NewGame()
	g.Tournament = entities.Tournaments.Intern(model.Tournament{Title: cmp.Or(opt.Name, "?")})
	if opt.From != nil {
		start := opt.From.Model()
		t.p, g.Start = *opt.From, &start
	}
	t.start = t.p
	if err := t.arrive(model.NoNode, model.NullMove, board.Undo{}); err != nil {
		return 0, err
	}
	for len(t.path) > 0 {
		at := &t.path[len(t.path)-1]
		if len(t.pending) == at.first {
			t.path = t.path[:len(t.path)-1]
			if len(t.path) > 0 {
				t.p.Unmake(at.last, at.undo)
			}
			continue
		}
		m := t.pending[len(t.pending)-1]
		t.pending = t.pending[:len(t.pending)-1]
		node := t.tree.AddStored(at.node, m.Move)
		t.size += len("Nf3 ")
		if m.isBeside {
			t.comment(node, "not in the book")
		} else {
			s := model.Symbols{Move: m.Annotation}
			if m.Known {
				s.Position = m.Stats.Commentary
			}
			if s.Move != 0 || s.Position != 0 {
				t.annotations = append(t.annotations, model.Annotation{Node: int32(node), Value: s})
			}
			t.comment(node, describe(&m.BookMove))
		}
		if node&0xfff == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if t.size > maxTree {
			return 0, errLargeTree
		}
		undo, depth := t.p.Make(m.Move), len(t.path)
		if err := t.arrive(node, m.Move, undo); err != nil {
			return 0, err
		}
		if len(t.path) == depth {
			t.p.Unmake(m.Move, undo)
		}
	}
	if t.tree.Len() == 0 {
		return 0, fmt.Errorf("%w: it has no move from %s", ErrTree, t.start.FEN())
	}
	g.Moves = t.tree
	g.SetAnnotations(t.annotations)
	text := pgn.AppendGame(nil, g, entities)
	if len(text) > maxTree {
		return 0, errLargeTree
	}
	_, err = w.Write(text)
	return t.tree.Len(), err
}

var errLargeTree = fmt.Errorf("%w: it has more than %d MB of text", ErrTree, maxTree>>20)

// bookTree is a tree that is being built.
type bookTree struct {
	ctx         context.Context
	book        model.Book
	opt         *PGNOptions
	damage      bookdamage.Reporter
	start       board.Position
	p           board.Position
	entry       model.BookEntry
	next        model.BookEntry // of a move that the book does not list
	tree        model.Tree
	annotations []model.Annotation
	size        int // of its text, at least
	homes       map[uint64]home
	path        []treeFork
	// pending are the moves not yet in the tree of all positions of the path, the first of
	// each last.
	pending []treeMove
}

// treeMove is a move that a position goes on with, which the book may not list.
type treeMove struct {
	model.BookMove
	isBeside bool
}

// home is where a position goes on: the move that leads there, and its plies.
type home struct{ node, plies int32 }

// treeFork is a position of the path.
type treeFork struct {
	node  int // the move that leads there
	first int // of its moves in pending
	last  model.Move
	undo  board.Undo // of that
}

// comment puts a text behind a move, or adds it to that which is there.
func (t *bookTree) comment(node int, text string) {
	if text == "" {
		return
	}
	t.size += len("{} ") + len(text)
	if last := len(t.annotations) - 1; last >= 0 && t.annotations[last].Node == int32(node) {
		if old, is := t.annotations[last].Value.(model.Text); is {
			t.annotations[last].Value = model.Text{Text: old.Text + "; " + text}
			return
		}
	}
	t.annotations = append(t.annotations, model.Annotation{Node: int32(node), Value: model.Text{Text: text}})
}

// describe says what a book knows of a move.
func describe(m *model.BookMove) string {
	if !m.Known {
		if m.MoveWeight == 0 && m.Learn == 0 {
			return ""
		}
		return fmt.Sprintf("weight %d", m.MoveWeight) + optionalNumber(", learn ", int(m.Learn))
	}
	s := &m.Stats
	text := fmt.Sprintf("+%d =%d -%d", s.Wins, s.Draws, s.Losses)
	if decided := s.Wins + s.Draws + s.Losses; decided < s.Games {
		text += fmt.Sprintf(" *%d", s.Games-decided)
	}
	text += optionalNumber(", ", s.Own.Average()) + optionalNumber(", factor ", int(s.Weight))
	if s.Recommendation != model.NoRecommendation {
		text += ", " + s.Recommendation.String()
	}
	return text
}

func optionalNumber(before string, n int) string {
	if n == 0 {
		return ""
	}
	return before + fmt.Sprint(n)
}

// arrive looks up the position that a move has led to, and puts it on the path if it goes
// on here.
func (t *bookTree) arrive(node int, m model.Move, undo board.Undo) error {
	plies := len(t.path)
	if t.opt.MaxPly > 0 && plies >= t.opt.MaxPly {
		return nil
	}
	found, err := t.book.Find(t.p.Model(), &t.entry)
	if found && err == nil {
		err = t.book.Figures(&t.entry)
	}
	if err = t.damage.Report(err); err != nil {
		return err
	}
	if !found {
		t.entry.Moves = t.entry.Moves[:0]
	}
	moves := t.listed(t.entry.Moves)
	besides, err := t.besides(plies)
	if err != nil || len(moves)+len(besides) == 0 {
		return err
	}
	key := t.p.PolyglotKey()
	if h, known := t.homes[key]; known && (int(h.plies) <= plies || t.opt.MaxPly == 0) {
		var line []model.Move
		for n := int(h.node); n != model.NoNode; n = t.tree.Parent(n) {
			line = append(line, t.tree.Move(n))
		}
		slices.Reverse(line)
		t.comment(node, "= "+cmp.Or(stats.FormatLine(t.start, line), "the first position"))
		return nil
	}
	t.homes[key] = home{int32(node), int32(plies)}
	t.path = append(t.path, treeFork{node: node, first: len(t.pending), last: m, undo: undo})
	slices.SortStableFunc(moves, func(a, b model.BookMove) int { return cmp.Compare(games(&b), games(&a)) })
	for _, m := range slices.Backward(besides) {
		t.pending = append(t.pending, treeMove{model.BookMove{Move: m}, true})
	}
	for _, m := range slices.Backward(moves) {
		t.pending = append(t.pending, treeMove{m, false})
	}
	return nil
}

// listed returns the moves that the tree takes.
func (t *bookTree) listed(moves []model.BookMove) []model.BookMove {
	return slices.DeleteFunc(moves, func(m model.BookMove) bool { return games(&m) < t.opt.MinGames })
}

// besides returns the moves that a Polyglot book does not list, and the tree goes on with.
func (t *bookTree) besides(plies int) (list []model.Move, err error) {
	book, ok := t.book.(interface {
		Beside(context.Context, board.Position) ([]model.Move, error)
	})
	if !ok || t.opt.MaxPly > 0 && plies+1 >= t.opt.MaxPly {
		return nil, nil
	}
	moves, err := book.Beside(t.ctx, t.p)
	for _, m := range moves {
		next := t.p
		next.Make(m)
		if _, err := t.book.Find(next.Model(), &t.next); err != nil {
			return nil, err
		}
		if len(t.listed(t.next.Moves)) > 0 {
			list = append(list, m)
		}
	}
	return list, err
}

// games returns how often a move was played, or its weight.
func games(m *model.BookMove) int { return int(m.Stats.Games) + int(m.MoveWeight) }
