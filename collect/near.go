package collect

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"cbkit/board"
	"cbkit/internal/derive"
	"cbkit/model"
)

// Near are two games that are almost the same, the first one as First.
type Near struct {
	First, Second model.RecordID
	// Swapped says that the games differ only in the order of two moves.
	Swapped bool
	Plies   []NearPly // one or two
}

// NearPly is a ply in which two games differ: both moves as PGN has them, such as "12.Nf3" or
// "12...Nc6", and "" behind the end of a game.
type NearPly struct {
	Ply    int    `json:"ply"` // from 1
	First  string `json:"move"`
	Second string `json:"nearMove"`
}

// FindNear finds pairs of games whose main lines differ in one or two plies, extra plies
// at the end included. Their players and dates agree as far as known; names may be spelt
// differently. They may be one game that was written down twice, or two games. Pairs that
// [Duplicates] takes for the same are left out, and so are games of fewer than 8 plies or
// without a name.
//
// The source is read once, keeping some 80 bytes for each game, or once for each part if
// Memory is less. Games that may be near are read again, or all games if the source is
// not [model.Numbered].
func FindNear(ctx context.Context, src model.Source, opt DuplicateOptions) ([]Near, error) {
	n := nearby{finder: finder{opt: opt, parts: 1, unread: map[model.RecordID]bool{}}, pairs: map[[2]model.RecordID]bool{}}
	for ; n.part < n.parts; n.part++ {
		if err := n.readPart(ctx, src); err != nil {
			return nil, err
		}
		n.pair()
	}
	return n.compare(ctx, src)
}

// nearby looks for games that are almost the same.
type nearby struct {
	finder
	lines    []nearLine
	sketches []sketch
	pairs    map[[2]model.RecordID]bool // that may be near
}

// nearLine is what is kept of a game.
type nearLine struct {
	moves        uint64
	id           model.RecordID
	white, black model.EntityID
	date         model.Date
	deleted      bool
}

// nearClasses are the classes of plies, by their remainders: lines that differ in two plies are
// equal in those of one class.
const nearClasses = 3

// sketch is what games are found by: the players, and the plies of a class.
type sketch struct {
	key  uint64
	line int32
	part uint8
}

// bytesOfNear is what is kept of a game: its line, and three sketches.
const bytesOfNear = 32 + nearClasses*16

// readPart reads what is kept of the games of a part. While the first one is read there
// become as many as memory asks for.
func (n *nearby) readPart(ctx context.Context, src model.Source) error {
	limit := cmp.Or(max(n.opt.Memory, 0), 256<<20) / bytesOfNear
	n.lines, n.sketches = n.lines[:0], n.sketches[:0]
	for rec, err := range n.records(ctx, src, model.WantMoves, n.part == 0) {
		if err != nil {
			return err
		}
		g := rec.Game
		n.meet(g.White, src.Entities())
		n.meet(g.Black, src.Entities())
		if g.Moves.MainLen() < shortest || !n.person(g.White).IsKnown() || !n.person(g.Black).IsKnown() {
			continue
		}
		line := nearLine{id: rec.ID, white: g.White, black: g.Black, date: g.Date, deleted: rec.Deleted}
		var classes [nearClasses]uint64
		nodes := g.Moves.Nodes()
		for ply, hash := range derive.Beginnings(g) {
			line.moves = hash
			if ply == 0 {
				for i := range classes {
					classes[i] = derive.Mix(hash, uint64(i))
				}
				continue
			}
			class := &classes[ply%nearClasses]
			*class = derive.Mix(*class, uint64(nodes[ply-1].Move)+1)
		}
		n.enter(line, classes)
		for n.part == 0 && len(n.lines) > limit && n.parts < maxParts {
			n.parts *= 2
			before := len(n.lines)
			n.thin()
			if len(n.lines) > before*3/4 { // games of two players
				limit *= 2
			}
		}
	}
	return nil
}

// enter enters a line under all that its players sound like.
func (n *nearby) enter(line nearLine, classes [nearClasses]uint64) {
	white, black := n.soundsOf(line.white), n.soundsOf(line.black)
	at, before := int32(len(n.lines)), len(n.sketches)
	for i, w := range white {
		for j, b := range black {
			if i > 0 && w == white[0] || j > 0 && b == black[0] {
				continue
			}
			players := derive.Mix(derive.Mix(0, uint64(w)), uint64(b))
			if part := uint8(players % maxParts); n.isIn(part, false) {
				for _, class := range classes {
					n.sketches = append(n.sketches, sketch{derive.Mix(class, players), at, part})
				}
			}
		}
	}
	if len(n.sketches) > before {
		n.lines = append(n.lines, line)
	}
}

// thin drops what is not in the part.
func (n *nearby) thin() {
	n.sketches = slices.DeleteFunc(n.sketches, func(s sketch) bool { return !n.isIn(s.part, false) })
	lines, last := n.lines[:0], int32(-1)
	for i := range n.sketches {
		s := &n.sketches[i]
		if s.line != last {
			last = s.line
			lines = append(lines, n.lines[last])
		}
		s.line = int32(len(lines) - 1)
	}
	n.lines = lines
}

// pair notes the games of a part that may be near.
func (n *nearby) pair() {
	slices.SortFunc(n.sketches, func(a, b sketch) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.line, b.line)) })
	for i, s := range n.sketches {
		a := &n.lines[s.line]
		for _, other := range n.sketches[i+1 : min(i+1+maxCandidates, len(n.sketches))] {
			if other.key != s.key {
				break
			}
			b := &n.lines[other.line]
			if a.id == b.id || a.moves == b.moves || a.deleted != b.deleted {
				continue
			}
			days, _ := daysApart(a.date, b.date)
			white, _ := n.person(a.white).Same(n.person(b.white))
			black, _ := n.person(a.black).Same(n.person(b.black))
			if days == 0 && white && black {
				n.pairs[[2]model.RecordID{a.id, b.id}] = true
			}
		}
	}
}

// compare reads the games of the pairs again, and compares their moves.
func (n *nearby) compare(ctx context.Context, src model.Source) (list []Near, err error) {
	places := map[model.RecordID]int{}
	for p := range n.pairs {
		places[p[0]], places[p[1]] = -1, -1
	}
	if len(places) == 0 {
		return nil, nil
	}
	n.games = n.games[:0]
	var moves []*model.Game
	for rec, err := range n.records(ctx, chosen{src, slices.Sorted(maps.Keys(places))}, model.WantMoves, false) {
		if err != nil {
			return nil, err
		}
		if _, wanted := places[rec.ID]; wanted {
			places[rec.ID] = len(moves)
			n.games = append(n.games, n.entryOf(rec.ID, rec.Deleted, rec.Game, src.Entities()))
			moves = append(moves, rec.Game.Clone())
		}
	}
	pairs := slices.SortedFunc(maps.Keys(n.pairs), func(a, b [2]model.RecordID) int { return slices.Compare(a[:], b[:]) })
	for _, p := range pairs {
		first, second := places[p[0]], places[p[1]]
		if first < 0 || second < 0 { // it cannot be read any more
			continue
		}
		near := nearPlies(moves[first], moves[second])
		if near == nil {
			continue
		}
		x, y := &n.games[first], &n.games[second]
		if near.Plies[0].Ply > int(min(x.plies, y.plies)) { // one begins the other
			if _, same := n.reason(x, y); same {
				continue
			}
		}
		near.First, near.Second = p[0], p[1]
		list = append(list, *near)
	}
	return list, nil
}

// nearPlies returns in which plies two games from the same position differ, nil if these are
// more than two, or none.
func nearPlies(a, b *model.Game) *Near {
	x, y := a.Moves.Nodes(), b.Moves.Nodes()
	xs, ys := a.Moves.MainLen(), b.Moves.MainLen()
	var at []int
	for i := range max(xs, ys) {
		if i >= xs || i >= ys || x[i].Move != y[i].Move {
			if at = append(at, i); len(at) > 2 {
				return nil
			}
		}
	}
	if len(at) == 0 {
		return nil
	}
	near := &Near{Plies: make([]NearPly, len(at))}
	if len(at) == 2 && at[1] < min(xs, ys) {
		i, j := at[0], at[1]
		near.Swapped = x[i].Move == y[j].Move && x[j].Move == y[i].Move
	}
	for i, ply := range at {
		near.Plies[i] = NearPly{ply + 1, moveAt(a, ply), moveAt(b, ply)}
	}
	return near
}

// moveAt returns a move of the main line with its number, "" behind the end.
func moveAt(g *model.Game, ply int) string {
	if ply >= g.Moves.MainLen() {
		return ""
	}
	move := g.Moves.Move(ply)
	p, err := board.After(g.Start, &g.Moves, ply-1)
	if err != nil {
		return move.String()
	}
	dots := "."
	if p.Turn() == model.Black {
		dots = "..."
	}
	return fmt.Sprintf("%d%s%s", p.FullMove(), dots, p.SAN(move))
}
