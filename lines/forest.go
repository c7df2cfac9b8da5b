package lines

import (
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"iter"
	"slices"

	"cbkit/board"
	"cbkit/eco"
	"cbkit/model"
)

// Options configures a [Forest]. The zero value makes one tree of all games from each
// start position, whole, with the data of every game at its end.
type Options struct {
	// MaxPly is how many plies of each game are taken, 0 is all.
	MaxPly int
	// MinGames is how many games a move needs to be kept; games with rarer moves end
	// before these. 0 and 1 keep all.
	MinGames int
	// Variations takes the games' own variations as lines that were not played.
	Variations bool
	// Annotations keeps what is said of the moves in the games, once where several
	// say the same.
	Annotations bool
	// Transpositions ends a line where it reaches a position of an earlier line, with a
	// reference to that; its games continue there.
	Transpositions bool
	// BestFirst puts first the moves that scored best for the side that made them;
	// otherwise the most played come first. Equal moves keep the order of the games.
	BestFirst bool
	// By says which games share a tree, besides their start.
	By Grouping
	// Ends says what stands at the ends of lines.
	Ends Ends
	// Color is the side from whose view [AtEndFigures] count.
	Color model.Color
	// LegalMoves says that the moves of all games are known to be legal, as those of a
	// [model.Referee] are.
	LegalMoves bool
	// Report is called for what is left out of the games: variations and annotations.
	Report model.Report
}

// Grouping is what the games of a tree have in common.
type Grouping uint8

// The groupings.
const (
	OneTree     Grouping = iota // nothing but their start
	ByECO                       // the opening code, that of the position where the game has none
	ByFirstMove                 // the first move
)

var groupings = []string{"start", "eco", "first-move"}

// ParseGrouping reads the name of a grouping: start, eco or first-move.
func ParseGrouping(s string) (Grouping, error) {
	n, err := choice(s, groupings, "way to part trees")
	return Grouping(n), err
}

// Ends is what stands at the ends of the lines of a tree.
type Ends uint8

// The kinds of ends.
const (
	// AtEndGames: for each game that ends there its header, in a command that [Untangle]
	// reads, and players, result and date in words.
	AtEndGames Ends = iota
	// AtEndNames: the words alone.
	AtEndNames
	// AtEndFigures: how many games have come that far, with their results and the average
	// rating of their players: "12 games +5 =4 -3, 2610". They also stand at each move of
	// a position that has several.
	AtEndFigures
	// AtEndNothing: nothing.
	AtEndNothing
)

var ends = []string{"games", "names", "figures", "nothing"}

// ParseEnds reads the name of what stands at the ends of lines: games, names, figures or
// nothing.
func ParseEnds(s string) (Ends, error) {
	n, err := choice(s, ends, "thing to stand at the ends of lines")
	return Ends(n), err
}

// choice returns the place of a word in a list.
func choice(s string, list []string, what string) (int, error) {
	n := slices.Index(list, s)
	if n < 0 {
		return 0, fmt.Errorf("%q is no %s; there are %v", s, what, list)
	}
	return n, nil
}

// Figures count the games that have come to a move, from White's view.
type Figures struct {
	Games               int // with and without a result
	Wins, Draws, Losses int
	Ratings             int64 // of both players, added up
	Rated               int   // how many these are
}

// Elo returns the average rating of the players, 0 if none has one.
func (f Figures) Elo() int {
	if f.Rated == 0 {
		return 0
	}
	return int((2*f.Ratings + int64(f.Rated)) / int64(2*f.Rated))
}

// Forest is a set of trees of games, one for each start position and group. After games
// were added it is a [model.Source] of the trees: each is a game whose variations are the
// games.
//
// It takes some 60 bytes for each move of the trees, and for each game the text at its
// end, some 250 bytes with [AtEndGames]. One goroutine may use a forest at a time.
type Forest struct {
	opt      Options
	trees    []*Tree
	index    map[treeKey]*Tree
	entities model.Entities
	players  [2]model.EntityID
	where    []int32 // by node of the game that is added: its node in the tree
	hash     maphash.Seed
	reported map[model.Loss]bool // without records
	games    int
	nodes    int
	most     int // nodes that there may be
	finished bool
}

var (
	_ model.Source  = (*Forest)(nil)
	_ model.Referee = (*Forest)(nil)
)

// treeKey is what the games of a tree have in common.
type treeKey struct {
	start model.Position
	group uint16
}

// NewForest returns a forest without trees.
func NewForest(opt Options) *Forest {
	return &Forest{
		opt: opt, index: map[treeKey]*Tree{}, players: [2]model.EntityID{model.NoEntity, model.NoEntity}, hash: maphash.MakeSeed(),
		reported: map[model.Loss]bool{}, most: maxNodes,
	}
}

// maxNodes is how many moves a forest holds: far more than a game of any format can have.
const maxNodes = 16 << 20

// Add adds a game, whose entities are looked up in e. A game whose moves cannot be read or
// are not legal is refused with a [*model.RecordError], and so is one that would make the
// forest larger than 16,777,216 moves, with [model.ErrTooLarge]. Deleted games are taken
// too. Nothing can be added once the trees were read.
func (f *Forest) Add(rec *model.Record, e *model.Entities) error {
	g := rec.Game
	if f.finished {
		return fmt.Errorf("lines: Add after the trees were read")
	}
	if g == nil {
		return fmt.Errorf("lines: record %d is a text", rec.ID)
	}
	if err := f.judge(g); err != nil {
		return &model.RecordError{Record: rec.ID, Err: err}
	}
	if f.nodes+g.Moves.Len() > f.most {
		return fmt.Errorf("more than %d moves: %w", f.most, model.ErrTooLarge)
	}
	t := f.tree(g)
	before := t.made
	last := t.add(f, g)
	f.nodes += t.made - before
	if f.opt.Annotations {
		t.annotate(f, g.Clone())
	}
	f.reportLeftOut(rec.ID, g)
	if f.opt.Ends == AtEndGames || f.opt.Ends == AtEndNames {
		n := t.at(last)
		t.ends = append(t.ends, endOf{endText(rec, e, f.opt.Ends == AtEndGames, f.reportOnce), n.ends})
		n.ends = int32(len(t.ends))
	}
	f.games++
	return nil
}

// judge refuses games that no tree can take.
func (f *Forest) judge(g *model.Game) error {
	if g.MovesErr != nil && g.Moves.Len() == 0 {
		return fmt.Errorf("its moves cannot be read: %w", g.MovesErr)
	}
	if !f.opt.LegalMoves {
		return board.Validate(g.Start, &g.Moves)
	}
	_, err := board.New(g.Start)
	return err
}

// tree returns the tree that a game belongs to.
func (f *Forest) tree(g *model.Game) *Tree {
	key := treeKey{start: g.StartPosition()}
	switch f.opt.By {
	case ByECO:
		code := g.ECO
		if !code.Valid() {
			if o, _, ok := eco.Classify(g); ok {
				code = o.Code
			}
		}
		if code.Valid() {
			key.group = uint16(code.Index() + 1)
		}
	case ByFirstMove:
		if first := g.Moves.Main(model.NoNode); first != model.NoNode {
			key.group = uint16(g.Moves.Move(first)) + 1
		}
	}
	t := f.index[key]
	if t == nil {
		t = &Tree{key: key, opt: &f.opt, see: map[int32]int32{}, lastNote: map[int32]int32{}}
		t.make(none, model.NullMove)
		if g.Start != nil && key.start != model.StartPosition() {
			t.start = &t.key.start
		}
		f.index[key] = t
		f.trees = append(f.trees, t)
	}
	return t
}

// reportLeftOut reports what a game has that its tree has not.
func (f *Forest) reportLeftOut(id model.RecordID, g *model.Game) {
	if f.opt.Report == nil {
		return
	}
	main := g.Moves.MainLen()
	if !f.opt.Variations {
		for n := main; n < g.Moves.Len(); n++ {
			if !g.Moves.IsMain(n) {
				f.opt.Report.Add(model.LostAnnotation, id, "variation", "left out of the tree")
			}
		}
	}
	for i := range g.Annotations {
		a := &g.Annotations[i]
		if !f.opt.Annotations || f.placeOf(a.Node) == none {
			f.opt.Report.Add(model.LostAnnotation, id, string(a.Value.Kind()), "left out of the tree")
		}
	}
}

// placeOf returns where a node of the game that was added last has gone.
func (f *Forest) placeOf(node int32) int32 {
	switch {
	case node == model.NoNode:
		return root
	case int(node) < len(f.where):
		return f.where[node]
	}
	return none // the game has no such move
}

// reportOnce reports what tags of PGN cannot say, once for all games.
func (f *Forest) reportOnce(l model.Loss) {
	key := model.Loss{Kind: l.Kind, Field: l.Field, What: l.What}
	if f.opt.Report == nil || f.reported[key] {
		return
	}
	f.reported[key] = true
	f.opt.Report(l)
}

// SetPlayers sets the players of all trees; a zero [model.Player] stands for an unknown
// one.
func (f *Forest) SetPlayers(white, black model.Player) {
	for c, p := range [2]model.Player{white, black} {
		f.players[c] = model.NoEntity
		if p != (model.Player{}) {
			f.players[c] = f.entities.Players.Intern(p)
		}
	}
}

// Trees returns the trees: with [ByECO] in the order of the codes, those without one
// last, else those of most games first. This completes the trees: no more games can be
// added, moves of too few games are removed, with [Options].Transpositions lines end
// where they reach a position of an earlier line, and moves are put in order.
func (f *Forest) Trees() []*Tree {
	if f.finished {
		return f.trees
	}
	f.finished = true
	for _, t := range f.trees {
		t.said = nil
		if f.opt.MinGames > 1 {
			t.prune(int32(f.opt.MinGames))
		}
		t.sort()
		if f.opt.Transpositions {
			t.fold()
			t.sort()
		}
	}
	slices.SortStableFunc(f.trees, func(a, b *Tree) int {
		byGames := cmp.Compare(b.at(root).games, a.at(root).games)
		if f.opt.By == ByECO {
			return cmp.Or(cmp.Compare(a.key.group-1, b.key.group-1), byGames)
		}
		return byGames
	})
	return f.trees
}

// Games returns how many games were added.
func (f *Forest) Games() int { return f.games }

// Entities implements [model.Source].
func (f *Forest) Entities() *model.Entities { return &f.entities }

// Leftover implements [model.Source]: there is none.
func (f *Forest) Leftover() *model.Leftover { return nil }

// Count implements [model.Source]: it is the number of trees so far.
func (f *Forest) Count() int { return len(f.trees) }

// LegalMoves implements [model.Referee].
func (f *Forest) LegalMoves() bool { return true }

// Records implements [model.Source]: a game for each of [Forest.Trees], with everything.
func (f *Forest) Records(ctx context.Context, from model.RecordID, _ model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		for i, t := range f.Trees() {
			id := model.RecordID(i + 1)
			if id < from {
				continue
			}
			if err := ctx.Err(); err != nil {
				yield(model.Record{}, err)
				return
			}
			g := t.Game()
			g.White, g.Black = f.players[model.White], f.players[model.Black]
			g.Tournament = f.entities.Tournaments.Intern(model.Tournament{Title: t.title()})
			if !yield(model.Record{ID: id, Game: g}, nil) {
				return
			}
		}
	}
}
