package cbh2

import (
	"fmt"
	"math/bits"
	"slices"

	"cbkit/board"
	"cbkit/internal/replay"
	"cbkit/internal/wire"
	"cbkit/model"
)

// The tags of frames that hold games.
const (
	TagGame     = 0x0001
	TagChess960 = 0x0002
)

// maxDepth is how many branches may be open at once. The deepest known has 74.
const maxDepth = 1 << 16

// Moves are the moves of a game. One can take content after content; then nothing
// is allocated while they are no larger than earlier ones. The zero value is ready
// for use.
type Moves struct {
	// HasStart says that the content has a start section. If not, the game begins
	// with the standard position.
	HasStart bool
	// Start is the start position; its half-move clock is 0, which is not stored.
	Start model.Position
	// SetUp are the first three words of a set-up as they are stored: the number of
	// the next move, the side to move with the castling rights, the file of a pawn
	// that has just advanced two squares. They are zero without a set-up.
	SetUp [3]uint16
	// Section is the start section as it is stored, part of the content, without the
	// words around it.
	Section []byte
	// Tree are the moves. It is valid until the next use.
	Tree model.Tree
	// Signs are what notation says of the moves, by node, if WantSigns is set. They are
	// valid until the next use.
	WantSigns bool
	Signs     []model.Sign

	words    *motionTable
	number   int // of the Chess960 position, -1 without
	rooks    [2][2]model.Square
	pos      replay.Board
	branches []branch
}

// A branch is a place where an alternative is still to come.
type branch struct {
	parent int
	pos    replay.Board
}

// Position returns the start position, nil if it is the standard one by default.
func (g *Moves) Position() *model.Position {
	if !g.HasStart {
		return nil
	}
	return &g.Start
}

// wrong returns an error at an offset in the content of a frame.
func wrong(offset int, field string, kind error, format string, args ...any) error {
	return &model.FormatError{Offset: int64(offset), Record: -1, Field: field, Err: fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), kind)}
}

// Decode reads the content of a frame with the given tag. Errors are
// [*model.FormatError] with offsets in the content. Those that wrap
// [model.ErrCorrupt] or [model.ErrTruncated] leave in g what stands before.
func (g *Moves) Decode(tag uint16, content []byte) error {
	*g = Moves{WantSigns: g.WantSigns, Tree: g.Tree, Signs: g.Signs[:0], branches: g.branches[:0], words: table(), number: -1}
	g.Tree.Reset()
	if tag != TagGame && tag != TagChess960 {
		return wrong(0, "tag", model.ErrUnsupported, "%04x is not that of a game", tag)
	}
	at := 0
	word := func() (w uint16, ok bool) {
		if at+2 > len(content) {
			return 0, false
		}
		w = uint16(content[at]) | uint16(content[at+1])<<8
		at += 2
		return w, true
	}
	w, ok := word()
	if ok && w == wordStart {
		begin := at
		for w, ok = word(); ok && w != wordTree; w, ok = word() {
		}
		if ok {
			g.Section = content[begin : at-2]
			if err := g.start(tag, g.Section); err != nil {
				return err
			}
		}
	} else if tag == TagChess960 && ok {
		return wrong(0, "start", model.ErrCorrupt, "a game of Chess960 without its position")
	}
	if !ok || w != wordTree {
		return wrong(max(at-2, 0), "moves", model.ErrCorrupt, "there is no section of moves")
	}
	if g.pos, g.rooks = replay.Standard[0], model.AllRights(); g.HasStart {
		pos, err := board.New(&g.Start)
		if err != nil {
			return wrong(0, "start", model.ErrUnsupported, "%v", err)
		}
		g.pos.Set(&pos, false)
		g.rooks = castlingRooks(&pos)
	}
	for node, mayBranch := model.NoNode, false; ; {
		w, ok := word()
		switch {
		case !ok:
			return wrong(at, "moves", model.ErrTruncated, "%d lines do not end", len(g.branches)+1)
		case w == wordMore:
			if !mayBranch {
				return wrong(at-2, "moves", model.ErrCorrupt, "an alternative is announced where there is no move")
			}
			mayBranch = false
		case w == wordEnd:
			n := len(g.branches) - 1
			if n < 0 {
				if at != len(content) {
					return wrong(at, "moves", model.ErrCorrupt, "%d bytes stand behind the end", len(content)-at)
				}
				return nil
			}
			node, g.pos, mayBranch = g.branches[n].parent, g.branches[n].pos, false
			g.branches = g.branches[:n]
		default:
			m, known, err := g.move(w)
			if err != nil {
				return wrong(at-2, "moves", model.ErrCorrupt, "move %d: %v", g.Tree.Len()+1, err)
			}
			begin := at - 2
			// The position is kept for the alternative that the next word announces.
			if mayBranch = true; at+2 <= len(content) && content[at] == wordMore&0xff && content[at+1] == wordMore>>8 {
				if len(g.branches) == maxDepth {
					return wrong(at, "moves", model.ErrUnsupported, "more than %d alternatives are open", maxDepth)
				}
				g.branches = append(g.branches, branch{parent: node, pos: g.pos})
			}
			var sign model.Sign
			legal := false
			if known {
				sign, legal = g.pos.MoveKnown(m, g.WantSigns)
			} else {
				sign, legal = g.pos.Move(m, g.WantSigns)
			}
			if !legal {
				return wrong(begin, "moves", model.ErrCorrupt, "move %d: %v (%04x) is not legal", g.Tree.Len()+1, m, w)
			}
			node = g.Tree.AddStored(node, m)
			if g.WantSigns {
				g.Signs = append(g.Signs, sign)
			}
		}
	}
}

// castlingRooks returns with which rooks each side castles: those of the rights and,
// without a right, the outermost of the wing on the king's rank.
func castlingRooks(p *board.Position) (rooks [2][2]model.Square) {
	rooks = p.Rights()
	for _, color := range [2]model.Color{model.White, model.Black} {
		king := p.KingSquare(color)
		for side := range rooks[color] {
			if rooks[color][side] == model.NoSquare && king != model.NoSquare {
				rooks[color][side] = outermostRook(p, color, king, model.Side(side))
			}
		}
	}
	return rooks
}

// outermostRook returns the square of the rook farthest from the king on a wing of
// its first rank, NoSquare if there is none.
func outermostRook(p *board.Position, color model.Color, king model.Square, side model.Side) model.Square {
	rank := model.Square(0)
	if color == model.Black {
		rank = 56
	}
	if king&^7 != rank {
		return model.NoSquare
	}
	wing := p.Pieces(color, model.Rook) >> rank & 0xff
	if side == model.KingSide {
		if wing &^= 1<<(king-rank+1) - 1; wing != 0 {
			return rank + model.Square(bits.Len64(wing)-1)
		}
	} else if wing &= 1<<(king-rank) - 1; wing != 0 {
		return rank + model.Square(bits.TrailingZeros64(wing))
	}
	return model.NoSquare
}

// move returns the move that a word means in the position, legal or not, and whether it
// is known that its piece goes so.
func (g *Moves) move(w uint16) (m model.Move, known bool, err error) {
	p := &g.pos
	if w == wordNull {
		return model.NullMove, false, nil
	}
	if w == 0 || w >= firstPiece {
		return 0, false, fmt.Errorf("%04x is no move", w)
	}
	if w >= firstCastling {
		n := w - firstCastling
		if number := int(n)/4 - 1; number >= 0 && (!p.Chess960 || g.number >= 0 && number != g.number) {
			return 0, false, fmt.Errorf("%04x castles in another position of Chess960, %d", w, number)
		}
		color, side := model.Color(n/2%2), model.QueenSide
		if n%2 == 1 {
			side = model.KingSide
		}
		king, rook := p.King(color), g.rooks[color][side]
		if king == model.NoSquare || rook == model.NoSquare {
			return 0, false, fmt.Errorf("%04x castles without king or rook", w)
		}
		return model.NewCastling(king, rook), false, nil
	}
	t := &g.words.motions[w]
	at := t.to
	if t.enPassant {
		at = t.from&^7 | t.to&7
	}
	if p.At[t.from&63].Piece() != t.piece || p.At[at&63].Kind() != t.captured {
		return 0, false, fmt.Errorf("%v (%04x) is that of another piece, or captures what is not there", t.move, w)
	}
	return t.move, !t.enPassant, nil
}

// rightOrder are the castling rights of a set-up, the lowest bit first.
var rightOrder = [4]struct {
	color model.Color
	side  model.Side
}{{model.White, model.QueenSide}, {model.White, model.KingSide}, {model.Black, model.QueenSide}, {model.Black, model.KingSide}}

// start reads the words of a start section.
func (g *Moves) start(tag uint16, b []byte) error {
	c := wire.NewCursor(b)
	words := make([]uint16, 0, 40)
	for c.Len() >= 2 && len(words) < cap(words) {
		words = append(words, c.U16LE())
	}
	bad := func(format string, args ...any) error { return wrong(2, "start", model.ErrCorrupt, format, args...) }
	g.number = -1
	free := tag == TagChess960
	if free && len(words) == 1 && words[0] < 960 {
		g.HasStart, g.Start, g.number = true, board.Chess960Start(int(words[0])), int(words[0])
		return nil
	}
	if free {
		if len(words) == 0 || words[0] != wordFree {
			return bad("neither a position of Chess960 nor a set-up")
		}
		words = words[1:]
	}
	if c.Len() > 0 || len(words) < 3 {
		return bad("%d bytes are no set-up", len(b))
	}
	g.SetUp = [3]uint16(words)
	p := model.Position{FullMove: max(words[0], 1), Rights: model.NoRights(), EnPassant: model.NoFile, Chess960: free}
	if words[1]&1 == 1 {
		p.Turn = model.Black
	}
	if words[1]&^0x0f01 != 0 {
		return bad("%04x says neither who is to move nor who may castle", words[1])
	}
	var men, pawns [2]int
	for i, w := range words[3:] {
		piece, at, ok := setUpPiece(w)
		if !ok || p.Board[at] != model.NoPiece {
			return bad("word %d, %04x, is no piece on an empty square", i+3, w)
		}
		p.Board[at] = piece
		men[piece.Color()]++
		if piece.Type() == model.Pawn {
			pawns[piece.Color()]++
		}
	}
	if max(men[0], men[1]) > 16 || max(pawns[0], pawns[1]) > 8 {
		return bad("more than 16 men or 8 pawns of a side")
	}
	pos, err := board.New(&p)
	if err != nil {
		return bad("%v", err)
	}
	for i, r := range rightOrder {
		if words[1]>>(8+i)&1 == 1 {
			p.Rights[r.color][r.side] = rightOf(&pos, r.color, r.side, free)
		}
	}
	if file := int8(words[2]) - 1; words[2] >= 1 && words[2] <= 8 && hasAdvanced(&p, file) {
		p.EnPassant = file
	}
	g.HasStart, g.Start = true, p
	return nil
}

// rightOf returns the rook of a castling right that is granted, NoSquare where king
// or rook do not stand for it.
func rightOf(p *board.Position, color model.Color, side model.Side, free bool) model.Square {
	king := p.KingSquare(color)
	if king == model.NoSquare {
		return model.NoSquare
	}
	rook := outermostRook(p, color, king, side)
	if home := model.AllRights()[color][side]; !free && (king != home&^7|4 || rook != home) {
		return model.NoSquare
	}
	return rook
}

// hasAdvanced reports whether a pawn of the side that is not to move may have just
// advanced two squares on a file.
func hasAdvanced(p *model.Position, file int8) bool {
	from, over, to := model.Square(file)+48, model.Square(file)+40, model.Square(file)+32
	if p.Turn == model.Black {
		from, over, to = model.Square(file)+8, model.Square(file)+16, model.Square(file)+24
	}
	return p.Board[to] == model.NewPiece(p.Turn.Other(), model.Pawn) && p.Board[over] == model.NoPiece && p.Board[from] == model.NoPiece
}

// AppendMoves appends the content of the frame of a game, and returns its tag. The
// start section is the stored one where that says what Start says. Errors wrap
// [model.ErrUnsupported]: a start or a move that no word says.
func AppendMoves(dst []byte, g *Moves) (content []byte, tag uint16, err error) {
	tag, number := TagGame, -1
	if start := g.Position(); start != nil {
		if start.Chess960 {
			tag = TagChess960
		}
		section := g.Section
		var stored Moves
		if stored.start(tag, section) != nil || stored.Start != withoutClock(start) {
			section = appendStart(nil, start)
			if err := stored.start(tag, section); err != nil || stored.Start != withoutClock(start) {
				return nil, 0, fmt.Errorf("no words say the set-up %s: %w", board.FormatFEN(start), model.ErrUnsupported)
			}
		}
		number = stored.number
		dst = append(wire.AppendU16LE(dst, wordStart), section...)
	}
	dst = wire.AppendU16LE(dst, wordTree)
	last := model.NoNode
	for node, pos := range board.Walk(g.Position(), &g.Tree) {
		if node > 0 && g.Tree.Parent(node) != last {
			dst = wire.AppendU16LE(dst, wordEnd)
		}
		w, err := wordIn(pos, g.Tree.Move(node), number)
		if err != nil {
			return nil, 0, fmt.Errorf("move %d: %w", node+1, err)
		}
		dst = wire.AppendU16LE(dst, w)
		if g.Tree.NextAlternative(node) != model.NoNode {
			dst = wire.AppendU16LE(dst, wordMore)
		}
		last = node
	}
	return wire.AppendU16LE(dst, wordEnd), tag, nil
}

// wordIn returns the word of a move in a position; number is that of the game's
// Chess960 position, -1 without.
func wordIn(p *board.Position, m model.Move, number int) (uint16, error) {
	from, piece := m.From(), p.PieceAt(m.From())
	switch {
	case m.IsNull():
		return wordNull, nil
	case m.IsCastling():
		w := firstCastling + 2*uint16(piece.Color())
		if m.IsShortCastling() {
			w++
		}
		return w + 4*uint16(number+1), nil
	}
	t := motion{move: m, from: from, to: m.To(), piece: piece, captured: p.PieceAt(m.To()).Type(), becomes: m.Promotion()}
	if piece.Type() == model.Pawn && t.captured == model.NoPieceType && from%8 != t.to%8 {
		t.captured, t.enPassant = model.Pawn, true
	}
	if w := table().wordOf(t); w != 0 {
		return w, nil
	}
	return 0, fmt.Errorf("no word says %v: %w", m, model.ErrUnsupported)
}

// appendStart appends the words of a start section.
func appendStart(dst []byte, start *model.Position) []byte {
	if start.Chess960 {
		if n, ok := board.Chess960Number(start); ok && withoutClock(start) == board.Chess960Start(n) {
			return wire.AppendU16LE(dst, uint16(n))
		}
		dst = wire.AppendU16LE(dst, wordFree)
	}
	side := uint16(start.Turn)
	for i, r := range rightOrder {
		if start.Rights[r.color][r.side] != model.NoSquare {
			side |= 1 << (8 + i)
		}
	}
	for _, w := range [3]uint16{max(start.FullMove, 1), side, uint16(start.EnPassant + 1)} {
		dst = wire.AppendU16LE(dst, w)
	}
	for stored := range byte(64) {
		if piece := start.Board[square(stored)]; piece != model.NoPiece {
			dst = wire.AppendU16LE(dst, setUpWord(piece, square(stored)))
		}
	}
	return dst
}

// withoutClock returns a position without what no record stores of it.
func withoutClock(p *model.Position) model.Position {
	q := *p
	q.HalfMoves, q.FullMove = 0, max(q.FullMove, 1)
	return q
}

// Places appends the nodes of a game in the order in which annotations count them:
// a move, its alternatives with all that follows each, then the line goes on.
func Places(dst []int32, t *model.Tree) []int32 {
	if !t.HasVariations() {
		for node := range t.Len() {
			dst = append(dst, int32(node))
		}
		return dst
	}
	// What is still to be walked, the next last: lines behind a node, of which an
	// alternative itself comes first.
	type line struct {
		node        int
		alternative bool
	}
	for rest := []line{{node: model.NoNode}}; len(rest) > 0; {
		next := rest[len(rest)-1]
		rest = rest[:len(rest)-1]
		if next.alternative {
			dst = append(dst, int32(next.node))
		}
		main := t.Main(next.node)
		if main == model.NoNode {
			continue
		}
		dst = append(dst, int32(main))
		rest = append(rest, line{node: main})
		first := len(rest)
		for node := range t.Alternatives(main) {
			rest = append(rest, line{node, true})
		}
		slices.Reverse(rest[first:])
	}
	return dst
}
