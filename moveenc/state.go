package moveenc

import (
	"fmt"
	"slices"

	"cbkit/board"
	"cbkit/model"
)

// state is what decoder and encoder follow alike: the men on the board, and the
// line that leads back to the last branch.
type state struct {
	men
	// rooks are the rooks that castle, by colour and side.
	rooks [2][2]model.Square
	line  []played
	// first is the start position if isSetUp, else it is the standard one.
	first   model.Position
	isSetUp bool
}

// played is a move on the current line that may have to be taken back.
type played struct {
	change change
	node   int32
}

// begin sets the standard starting position.
func (s *state) begin(reverse bool) {
	s.rooks, s.isSetUp, s.line = orthodoxRooks, false, s.line[:0]
	s.men = standardMen[0]
	if reverse {
		s.men = standardMen[1]
	}
}

// beginAt sets the position of a start block and returns that as data.
func (s *state) beginAt(block []byte, mode *traits) (model.Position, error) {
	start, p, err := openStart(block, mode.variant == chess960)
	if err != nil {
		return model.Position{}, err
	}
	s.rooks, s.first, s.isSetUp, s.line = start.rooks, start.position, true, s.line[:0]
	s.count(&p, mode.reverse)
	return start.position, nil
}

// playOn makes an accepted move that backTo can take back.
func (s *state) playOn(m model.Move, ch change, node int) {
	s.play(m, ch)
	s.line = append(s.line, played{ch, int32(node)})
}

// backTo takes back all moves of playOn after the given node, which is on the
// line or the last move before it.
func (s *state) backTo(node int, t *model.Tree) {
	for n := len(s.line) - 1; n >= 0 && int(s.line[n].node) > node; n-- {
		last := &s.line[n]
		s.takeBack(t.Move(int(last.node)), last.change)
		s.line = s.line[:n]
	}
}

// castling returns the castling move of the side to move towards a wing, which
// need not be legal; ok is false if there is no king or no rook.
func (s *state) castling(side model.Side) (m model.Move, ok bool) {
	king, rook := s.king(s.turn), s.rooks[s.turn&1][side]
	if king == model.NoSquare || rook == model.NoSquare {
		return 0, false
	}
	return model.NewCastling(king, rook), (rook > king) == (side == model.KingSide)
}

// describe returns errIllegal with a move and the position after the given
// node, which it plays from the start.
func (s *state) describe(m model.Move, t *model.Tree, after int) error {
	p := board.Start()
	if s.isSetUp {
		p, _ = board.New(&s.first) // it was accepted before
	}
	var line []model.Move
	for ; after != model.NoNode; after = t.Parent(after) {
		line = append(line, t.Move(after))
	}
	for _, played := range slices.Backward(line) {
		p.Make(played)
	}
	return fmt.Errorf("%w %v in %s", errIllegal, m, p.FEN())
}

// The slots of one side's pieces: the king, three each of queens, rooks,
// bishops and knights, eight pawns. A piece's number is its slot within its
// kind. Pieces beyond the last of their kind have no number; they share one
// slot for each kind.
const (
	kingSlot   = 0
	queenSlot  = 1
	rookSlot   = 4
	bishopSlot = 7
	knightSlot = 10
	pawnSlot   = 13
	numSlots   = 21

	spareQueen  = 21
	spareRook   = 22
	spareBishop = 23
	spareKnight = 24
	sparePawn   = 25

	// slotsSize is a power of two, so that a masked slot needs no bounds check.
	slotsSize = 32
)

// slots are the first slot of each kind, the one after the last, and that of
// the pieces without a number.
var slots = [8]struct{ first, end, spare uint8 }{
	model.King:   {kingSlot, queenSlot, kingSlot},
	model.Queen:  {queenSlot, rookSlot, spareQueen},
	model.Rook:   {rookSlot, bishopSlot, spareRook},
	model.Bishop: {bishopSlot, knightSlot, spareBishop},
	model.Knight: {knightSlot, pawnSlot, spareKnight},
	model.Pawn:   {pawnSlot, numSlots, sparePawn},
}

// lastSlot is the last slot of the kind that a slot belongs to.
var lastSlot = func() (last [slotsSize]uint8) {
	for _, span := range slots {
		for s := span.first; s < span.end; s++ {
			last[s] = span.end - 1
		}
	}
	return last
}()

// man is what stands on a square: the slot in bits 0 to 4, the colour in bit
// 5. [nobody] is an empty square.
type man uint8

const (
	slotBits man = slotsSize - 1
	colorBit man = slotsSize
	nobody   man = slotBits // of no kind
	menCount     = 2 * slotsSize

	// Masks for what is in range anyhow, so that it needs no bounds check.
	menSet    = menCount - 1
	squareSet = 63
)

// pieces are the pieces that men are; NoPiece for nobody.
var pieces = func() (pieces [menCount]model.Piece) {
	for _, color := range [2]man{0, colorBit} {
		for kind, span := range slots {
			for s := span.first; s < span.end; s++ {
				pieces[man(s)|color] = model.NewPiece(color.color(), model.PieceType(kind))
			}
			if span.end > 0 {
				pieces[man(span.spare)|color] = model.NewPiece(color.color(), model.PieceType(kind))
			}
		}
	}
	return pieces
}()

// side returns the bit that the men of a colour have.
func side(c model.Color) man { return man(c&1) * colorBit }

// slot returns the man's slot.
func (m man) slot() uint8 { return uint8(m & slotBits) }

// side returns the bit of the man's colour.
func (m man) side() man { return m & colorBit }

// color returns the man's colour.
func (m man) color() model.Color { return model.Color(m / colorBit & 1) }

// piece returns the piece that the man is.
func (m man) piece() model.Piece { return pieces[m&menSet] }

// kind returns the kind of piece.
func (m man) kind() model.PieceType { return m.piece().Type() }

// men are the pieces on the board with their numbers (docs/formats/cbg.md 5.2), and
// all else that the next move depends on. Pieces are numbered once, at the
// start; a number follows its piece. When a numbered queen, rook, bishop or
// knight is captured the higher ones of its kind move down. A pawn's number is
// never used again. A promoted piece takes the lowest number free. A piece
// without a number never gets one.
type men struct {
	at        [64]man                // by square
	square    [menCount]model.Square // by man; NoSquare if there is none
	sides     [2]uint64              // where a colour's men are: bit n is square n
	kinds     [8]uint64              // where the men of a kind are, of both colours
	turn      model.Color
	enPassant int8 // file of the pawn that has just advanced two squares
	chess960  bool
}

// change is what a move does to the men, and enough to take it back.
type change struct {
	moved      man          // nobody for a null move
	captured   man          // nobody if nothing is captured
	capturedAt model.Square // where it stands
	enPassant  int8         // before the move
}

// standardMen are those of the standard starting position, counted from a1 and
// from h8.
var standardMen = func() (m [2]men) {
	p := board.Start()
	m[0].count(&p, false)
	m[1].count(&p, true)
	return m
}()

// count numbers the pieces of a starting position, file by file from a1, in
// the reverse modes from h8.
func (b *men) count(p *board.Position, reverse bool) {
	*b = men{turn: p.Turn(), enPassant: p.EnPassant(), chess960: p.Chess960()}
	for m := range b.square {
		b.square[m] = model.NoSquare
	}
	for i := range uint8(64) {
		if reverse {
			i = 63 - i
		}
		s := model.SquareFromFileMajor(i)
		b.at[s] = nobody
		if piece := p.PieceAt(s); piece != model.NoPiece {
			b.sides[piece.Color()&1] |= set(s)
			b.kinds[piece.Type()&7] |= set(s)
			b.put(piece.Type(), side(piece.Color()), s)
		}
	}
}

// put gives a piece that has come to a square the lowest number that is free,
// if one is.
func (b *men) put(kind model.PieceType, color man, s model.Square) {
	span := slots[kind&7]
	m := man(span.spare) | color
	for slot := span.first; slot < span.end; slot++ {
		if numbered := man(slot) | color; b.square[numbered&menSet] == model.NoSquare {
			m = numbered
			break
		}
	}
	b.at[s&squareSet] = m
	b.square[m&menSet] = s
}

// occupied returns the squares of all men.
func (b *men) occupied() uint64 { return b.sides[0] | b.sides[1] }

// king returns the square of a colour's king, NoSquare without one.
func (b *men) king(c model.Color) model.Square { return b.square[side(c)|kingSlot] }

// play makes a move that [men.accept] has looked at.
func (b *men) play(m model.Move, ch change) {
	b.enPassant = model.NoFile
	b.turn ^= 1
	if ch.captured != nobody {
		b.remove(ch.captured, ch.capturedAt)
	}
	if isSpecial := m == model.NullMove || m>>12 != 0; isSpecial {
		b.playOther(m, ch)
		return
	}
	from, to := m.From(), m.To()
	b.at[from] = nobody
	b.at[to] = ch.moved
	b.square[ch.moved&menSet] = to
	kind := ch.moved.kind()
	b.shift(ch.moved, kind, from, to)
	if from^to == 16 && kind == model.Pawn {
		b.enPassant = int8(from & 7)
	}
}

// shift moves a man of a kind in the sets.
func (b *men) shift(m man, kind model.PieceType, from, to model.Square) {
	us, same := &b.sides[m.color()], &b.kinds[kind&7]
	*us = *us&^set(from) | set(to)
	*same = *same&^set(from) | set(to)
}

// playOther makes castling, a promotion or a null move.
func (b *men) playOther(m model.Move, ch change) {
	from, to := m.From(), m.To()
	switch {
	case m.IsNull():
	case m.IsCastling():
		b.castle(from, to, m.KingTarget(), m.RookTarget())
	default:
		b.at[from] = nobody
		b.square[ch.moved&menSet] = model.NoSquare
		b.sides[ch.moved.color()] ^= set(from) | set(to)
		b.kinds[model.Pawn] &^= set(from)
		b.kinds[m.Promotion()] |= set(to)
		b.put(m.Promotion(), ch.moved.side(), to)
	}
}

// remove takes a captured piece off the board.
func (b *men) remove(captured man, s model.Square) {
	b.at[s&squareSet] = nobody
	b.sides[captured.color()] &^= set(s)
	b.kinds[captured.kind()&7] &^= set(s)
	free := captured
	if captured.movesDown() {
		for last := captured.side() | man(lastSlot[captured.slot()&31]); free < last; free++ {
			next := b.square[(free+1)&menSet]
			if next == model.NoSquare {
				break
			}
			b.square[free&menSet] = next
			b.at[next&squareSet] = free
		}
	}
	b.square[free&menSet] = model.NoSquare
}

// restore undoes remove.
func (b *men) restore(captured man, s model.Square) {
	if captured.movesDown() {
		for m := captured.side() | man(lastSlot[captured.slot()&31]); m > captured; m-- {
			b.square[m&menSet] = b.square[(m-1)&menSet]
			if now := b.square[m&menSet]; now != model.NoSquare {
				b.at[now&squareSet] = m
			}
		}
	}
	b.square[captured&menSet], b.at[s&squareSet] = s, captured
	b.sides[captured.color()] |= set(s)
	b.kinds[captured.kind()&7] |= set(s)
}

// movesDown reports whether the higher numbers of its kind move down when the
// man is captured.
func (m man) movesDown() bool { return m.slot() >= queenSlot && m.slot() < pawnSlot }

// castle moves king and rook at once: in Chess960 either may go to a square
// that the other leaves.
func (b *men) castle(king, rook, kingTo, rookTo model.Square) {
	k, r := b.at[king&squareSet], b.at[rook&squareSet]
	b.at[king&squareSet], b.at[rook&squareSet] = nobody, nobody
	b.at[kingTo&squareSet], b.at[rookTo&squareSet] = k, r
	b.square[k&menSet], b.square[r&menSet] = kingTo, rookTo
	us, kings, rooks := &b.sides[k.color()], &b.kinds[model.King], &b.kinds[model.Rook]
	*us = *us&^(set(king)|set(rook)) | set(kingTo) | set(rookTo)
	*kings = *kings&^set(king) | set(kingTo)
	*rooks = *rooks&^set(rook) | set(rookTo)
}

// takeBack undoes play.
func (b *men) takeBack(m model.Move, ch change) {
	b.turn ^= 1
	b.enPassant = ch.enPassant
	from, to := m.From(), m.To()
	switch {
	case m.IsNull():
		return
	case m.IsCastling():
		b.castle(m.KingTarget(), m.RookTarget(), from, to)
		return
	}
	if became := m.Promotion(); became != model.NoPieceType {
		b.square[b.at[to&squareSet]&menSet] = model.NoSquare
		b.kinds[became] &^= set(to)
	}
	b.at[to&squareSet], b.at[from&squareSet] = nobody, ch.moved
	b.square[ch.moved&menSet] = from
	b.shift(ch.moved, ch.moved.kind(), to, from)
	if ch.captured != nobody {
		b.restore(ch.captured, ch.capturedAt)
	}
}

// Sets of squares: bit n is square n.
var (
	// reach are the squares that a piece attacks on an empty board, by piece
	// and square.
	reach [16][64]uint64
	// attackersOf are the attackers of each square.
	attackersOf [64]attackers
	// path are the squares between two on a rank, a file or a diagonal.
	path [64][64]uint64
	// slides are the squares that must be free on the path of a piece.
	slides = [16]uint64{
		model.WhiteQueen: ^uint64(0), model.WhiteRook: ^uint64(0), model.WhiteBishop: ^uint64(0),
		model.BlackQueen: ^uint64(0), model.BlackRook: ^uint64(0), model.BlackBishop: ^uint64(0),
	}
)

// attackers are the squares from which pieces attack one on an empty board.
type attackers struct {
	knight, king, rook, bishop uint64
	pawn                       [2]uint64 // by colour
}

// direction is a step without the modulo.
type direction struct{ file, rank int }

func init() {
	straight := []direction{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	oblique := []direction{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}
	jumps := []direction{{2, 1}, {1, 2}, {-1, 2}, {-2, 1}, {-2, -1}, {-1, -2}, {1, -2}, {2, -1}}
	for s := range model.Square(64) {
		for _, c := range []model.Color{model.White, model.Black} {
			of := func(t model.PieceType) *uint64 { return &reach[model.NewPiece(c, t)][s] }
			*of(model.Rook) = walk(s, straight, 7)
			*of(model.Bishop) = walk(s, oblique, 7)
			*of(model.Queen) = *of(model.Rook) | *of(model.Bishop)
			*of(model.King) = walk(s, straight, 1) | walk(s, oblique, 1)
			*of(model.Knight) = walk(s, jumps, 1)
			*of(model.Pawn) = walk(s, oblique[2*c:2*c+2], 1)
			attackersOf[s].pawn[c^1] = *of(model.Pawn)
		}
		to := &attackersOf[s]
		to.knight, to.king = reach[model.WhiteKnight][s], reach[model.WhiteKing][s]
		to.rook, to.bishop = reach[model.WhiteRook][s], reach[model.WhiteBishop][s]
	}
}

// walk returns the squares up to n steps from s in each direction, and fills
// path on its way.
func walk(s model.Square, directions []direction, n int) uint64 {
	var all uint64
	for _, d := range directions {
		var passed uint64
		for k := 1; k <= n; k++ {
			file, rank := s.File()+k*d.file, s.Rank()+k*d.rank
			if file|rank < 0 || file|rank > 7 {
				break
			}
			to := model.NewSquare(file, rank)
			path[s][to] = passed
			passed |= set(to)
		}
		all |= passed
	}
	return all
}

func set(s model.Square) uint64 { return 1 << (s & squareSet) }
