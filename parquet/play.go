package parquet

import (
	"math/bits"
	"slices"
	"sort"
	"strconv"

	"cbkit/board"
	"cbkit/internal/derive"
	"cbkit/internal/marks"
	"cbkit/model"
)

// played is a game with its positions. Its memory is used again for the next
// game; texts are in the memory of the batch.
type played struct {
	*record
	database  string
	start     *model.Position // nil is the usual one
	positions []position
	// plies is the number of moves of the main line, whose positions come
	// first; end is the last of them.
	plies    int
	null     bool // the main line has a null move
	material span // at the end of the main line
	movetext []byte
	text     []byte // what spans are in
}

// position is a row of the table of positions.
type position struct {
	variation, ply int32
	turn           model.Color
	key            uint64
	move           model.Move
	hasMove        bool
	san, fen       span
	material       span
	pawns          span
	before, after  measures // of the move that led here, and of the one played
	visit          visit
}

// span is a text in the memory of the batch.
type span struct{ from, to int32 }

// visit says how an opening book counts a position of the main line.
type visit uint8

const (
	notCounted visit = iota
	firstVisit
	anotherVisit
)

// player plays games through. It makes no more of them than the tables need.
type player struct {
	positions bool // that table is wanted
	fen       bool
	database  string

	game  played
	board board.Position
	text  []byte // where new texts are put

	// What was last written, and of which pieces: it is the same as a rule.
	material, pawns span
	packed          uint64
	pawnSets        [2]uint64

	keys   []uint64 // of the positions of the main line, as books see them
	counts bool     // a book counts the game up to here
	last   measures // of the move before
	timer  timer
}

// play plays a game of the batch.
func (p *player) play(b *batch, r *record) *played {
	g := &p.game
	*g = played{record: r, database: p.database, positions: g.positions[:0], plies: len(r.moves), movetext: g.movetext[:0]}
	if r.start >= 0 {
		g.start = &b.starts[r.start]
	}
	// The moves were seen to be legal, or none of this would be here.
	p.board, _ = board.New(g.start)
	p.material, p.pawns, p.keys = span{}, span{}, p.keys[:0]
	p.playMain()
	if p.positions && r.tree.Len() > 0 {
		p.playVariations()
	}
	g.text = p.text
	return g
}

// at returns the text of a span.
func (g *played) at(s span) []byte { return g.text[s.from:s.to:s.to] }

// playMain plays the main line. Its positions are no rows where that table is
// not wanted. Its movetext is as PGN has it, with the clocks and evaluations that
// comments of the game hold, and nothing else.
func (p *player) playMain() {
	g := &p.game
	p.counts = p.positions && bookable(g)
	p.timer = newTimer(g.header.Tag("TimeControl"))
	p.last = g.measuresOf(model.NoNode, p.board.Turn().Other())
	if len(g.evals) > 0 {
		p.last.addEvaluation(g.evals[0])
	}
	text, mark := g.movetext[:0], 0 // the next of the marks
	number, turn := 1, model.White
	if g.start != nil {
		number, turn = int(max(g.start.FullMove, 1)), g.start.Turn
	}
	interrupted := true // the number of a move of Black must be said
	for ply, m := range g.moves[:g.plies] {
		switch {
		case turn == model.White:
			text = append(strconv.AppendInt(text, int64(number), 10), ". "...)
		case interrupted:
			text = append(strconv.AppendInt(text, int64(number), 10), "... "...)
		}
		if p.positions {
			row := p.addPosition(0, int32(ply))
			row.before, row.after = p.last, g.measuresOf(ply, p.board.Turn())
			if next := ply + 1; next < len(g.evals) {
				row.after.addEvaluation(g.evals[next])
			}
			row.after.spent.set(p.timer.spent(p.board.Turn(), ply < 2, row.after.clock))
			p.last = row.after
			if p.counts {
				row.visit = p.visit()
			}
			p.addMove(row, m)
			// Books end at a null move, and at castling without the right to it.
			p.counts = p.counts && !m.IsNull() && (!m.IsCastling() || p.board.Legal(m))
			text = append(text, p.text[row.san.from:row.san.to]...)
		} else {
			text = p.board.AppendSAN(text, m)
		}
		text, interrupted = append(text, ' '), false
		if mark < len(g.marks) {
			text, mark, interrupted = appendMarks(text, g.marks, mark, ply)
		}
		if turn = turn.Other(); turn == model.White {
			number++
		}
		g.null = g.null || m.IsNull()
		p.board.Make(m)
	}
	g.movetext = append(text, g.header.Result.String()...)
	g.material = p.materialText()
	if !p.positions {
		return
	}
	row := p.addPosition(0, int32(g.plies))
	row.before = p.last
	if p.counts {
		row.visit = p.visit()
	}
}

// bookable reports whether opening books count a game: not a deleted one, none
// whose moves are unknown, and of Chess960 only where castling is as usual.
func bookable(g *played) bool {
	return !g.deleted && !g.undecoded && derive.HasUsualCastling(g.start)
}

// visit says whether the main line is in its present position for the first
// time. It can only have been there since the last capture or pawn move.
func (p *player) visit() visit {
	key := p.board.BookKey()
	since := p.keys[max(0, len(p.keys)-p.board.HalfMoves()):]
	p.keys = append(p.keys, key)
	if slices.Contains(since, key) {
		return anotherVisit
	}
	return firstVisit
}

// playVariations adds the positions of the other lines: each from the position
// in which it branches off to its end.
func (p *player) playVariations() {
	g := &p.game
	nodes := g.tree.Nodes()
	variation := int32(0)
	ply := make([]int32, len(nodes))
	for node, pos := range board.Walk(g.start, &g.tree) {
		if parent := nodes[node].Parent; parent >= 0 {
			ply[node] = ply[parent] + 1
		}
		if node < g.plies {
			continue
		}
		if !g.tree.IsMain(node) {
			variation++
		}
		p.board = *pos
		row := p.addPosition(variation, ply[node])
		row.before = g.measuresOf(g.tree.Parent(node), pos.Turn().Other())
		row.after = g.measuresOf(node, pos.Turn())
		p.addMove(row, nodes[node].Move)
		if g.tree.Main(node) == model.NoNode {
			p.board.Make(nodes[node].Move)
			p.addPosition(variation, ply[node]+1).before = g.measuresOf(node, row.turn)
		}
	}
}

// measuresOf returns what is known of a player's move, that of a node.
func (g *played) measuresOf(node int, player model.Color) measures {
	m, list := noMeasures, g.record.marks
	from := sort.Search(len(list), func(i int) bool { return int(list[i].Node) >= node })
	for _, a := range list[from:] {
		if int(a.Node) != node {
			break
		}
		m.add(a.Value, player)
	}
	return m
}

// addPosition adds the present position.
func (p *player) addPosition(variation, ply int32) *position {
	g := &p.game
	g.positions = append(g.positions, position{
		variation: variation, ply: ply, turn: p.board.Turn(), before: noMeasures, after: noMeasures,
	})
	row := &g.positions[len(g.positions)-1]
	row.key, row.material = p.board.PolyglotKey(), p.materialText()
	pawns := [2]uint64{p.board.Pieces(model.White, model.Pawn), p.board.Pieces(model.Black, model.Pawn)}
	if p.pawns == (span{}) || pawns != p.pawnSets {
		p.pawnSets, p.pawns = pawns, p.keep(appendPawns(p.text, pawns[0], pawns[1]))
	}
	row.pawns = p.pawns
	if p.fen {
		m := p.board.Model()
		row.fen = p.keep(board.AppendFEN(p.text, &m))
	}
	return row
}

// materialText returns the material signature of the present position, such as
// "KRPP-KRP", White first.
func (p *player) materialText() span {
	packed := uint64(0) // how many pieces of each kind there are
	for c := range model.Color(2) {
		for _, t := range signatureKinds {
			packed = packed<<5 | uint64(bits.OnesCount64(p.board.Pieces(c, t)))
		}
	}
	if p.material != (span{}) && packed == p.packed {
		return p.material
	}
	text, shift := p.text, 5*2*len(signatureKinds)
	for c := range 2 {
		if c == 1 {
			text = append(text, '-')
		}
		for _, t := range signatureKinds {
			shift -= 5
			for range packed >> shift & 31 {
				text = append(text, t.Letter())
			}
		}
	}
	p.packed, p.material = packed, p.keep(text)
	return p.material
}

// keep returns what was appended to p.text.
func (p *player) keep(text []byte) span {
	s := span{int32(len(p.text)), int32(len(text))}
	p.text = text
	return s
}

// addMove adds the move that is played in a position.
func (p *player) addMove(row *position, m model.Move) {
	row.move, row.hasMove = m, true
	row.san = p.keep(p.board.AppendSAN(p.text, m))
}

// signatureKinds are the kinds of pieces in the order of a material signature.
var signatureKinds = [...]model.PieceType{model.King, model.Queen, model.Rook, model.Bishop, model.Knight, model.Pawn}

// appendPawns appends where the pawns stand, as in the first field of a FEN.
func appendPawns(dst []byte, white, black uint64) []byte {
	var pawns [64]model.Piece
	for ; white != 0; white &= white - 1 {
		pawns[bits.TrailingZeros64(white)] = model.WhitePawn
	}
	for ; black != 0; black &= black - 1 {
		pawns[bits.TrailingZeros64(black)] = model.BlackPawn
	}
	return board.AppendPlacement(dst, &pawns)
}

// uciSquares returns a move that is no promotion as JSON Lines have it: castling is
// the king's own move from e1 or e8 in orthodox chess, and the king taking its rook
// everywhere else. It must not be changed.
func uciSquares(m model.Move, start *model.Position) []byte {
	if m.IsNull() {
		return nullWord
	}
	from, to := m.From(), m.To()
	if (start == nil || !start.Chess960) && (from == model.E1 || from == model.E8) {
		to = m.KingTarget()
	}
	return squareWords[from&63][to&63][:]
}

var (
	nullWord = []byte("0000")
	// squareWords are the words of two squares each, such as e2e4: most of what
	// columns of moves hold.
	squareWords = func() (words [64][64][4]byte) {
		for from := range model.Square(64) {
			for to := range model.Square(64) {
				words[from][to] = [4]byte{'a' + byte(from.File()), '1' + byte(from.Rank()), 'a' + byte(to.File()), '1' + byte(to.Rank())}
			}
		}
		return words
	}()
)

// appendMarks appends the commands at a move that say what a column of positions holds
// as a comment. It returns where the
// marks of the next moves begin.
func appendMarks(dst []byte, list []model.Annotation, next, node int) (out []byte, after int, some bool) {
	for ; next < len(list) && int(list[next].Node) <= node; next++ {
		comment, ok := list[next].Value.(model.Text)
		if !ok || int(list[next].Node) < node {
			continue
		}
		for c, ok := marks.Next(comment.Text); ok; c, ok = marks.Next(c.After) {
			if c.Name != "clk" && c.Name != "emt" && c.Name != "eval" {
				continue
			}
			if !some {
				dst = append(dst, "{ "...)
			}
			dst, some = append(append(dst, c.Text...), ' '), true
		}
	}
	if some {
		dst = append(dst, "} "...)
	}
	return dst, next, some
}
