package moveenc

import (
	"errors"
	"fmt"
	"sync"

	"cbkit/board"
	"cbkit/internal/replay"
	"cbkit/model"
)

// Append appends a game record to dst: a game that begins at start, nil for
// the standard position, with the given moves, nil for none. The form is what [Decode] found
// in the record that the game comes from; nil or a zero form writes what
// ChessBase writes today: the compact encoder in [ModeRegular] or
// [ModeChess960], one-byte codes wherever there is one, no dummies.
//
// On an error dst is returned as it was. Errors wrap
//
//   - model.ErrTooLarge if the record would be larger than [MaxSize];
//   - model.ErrUnsupported for what the format or the mode cannot hold: a
//     position that board.New refuses, Chess960 in another mode, castling with
//     a rook that the start position does not name, an unknown mode;
//   - model.ErrCorrupt for a move that its piece cannot make, and for a form
//     that belongs to another game.
//
// Parts of the start position that a record cannot hold are no error; [Losses] reports
// them.
func Append(dst []byte, start *model.Position, moves *model.Tree, form *Form) ([]byte, error) {
	if moves == nil {
		moves = new(model.Tree)
	}
	e := encoders.Get().(*encoder)
	defer e.release()
	e.dst, e.base = dst, len(dst)
	if form != nil {
		e.form = *form
	}
	is960 := start != nil && start.Chess960
	mode := e.form.Mode
	if mode == 0 {
		mode = defaultMode(is960)
	}
	err := supported(mode)
	if err == nil {
		err = e.encode(mode, start, moves)
	}
	if err != nil {
		return dst, fail(-1, "", err)
	}
	return e.dst, nil
}

// encoder writes one record.
type encoder struct {
	state
	cipher cipher
	mode   *traits
	dst    []byte
	base   int // where the record begins in dst
	// form loses what has been used: at the end its lists must be empty.
	form Form
}

// encoders keeps encoders for the memory of their lines.
var encoders = sync.Pool{New: func() any { return new(encoder) }}

// release gives an encoder back, with nothing left of its game.
func (e *encoder) release() {
	e.dst, e.form = nil, Form{}
	encoders.Put(e)
}

// What a game or a form must not be.
var (
	errMode960   = errors.New("a mode for Chess960 and a game that is not, or the reverse")
	errOtherForm = errors.New("form of another game")
)

func (e *encoder) encode(mode Mode, start *model.Position, moves *model.Tree) error {
	e.mode, e.cipher = &modes[mode], newCipher(mode)
	if (e.mode.variant == chess960) != (start != nil && start.Chess960) {
		return fmt.Errorf("%w: %w", errMode960, model.ErrUnsupported)
	}
	if e.form.NoEnd && len(e.form.Trailer) > 0 || e.mode.simple && e.form.isCompact() {
		return fmt.Errorf("%w: %w", errOtherForm, model.ErrCorrupt)
	}
	e.dst = append(e.dst, 0, 0, 0, 0)
	if err := e.setUp(start); err != nil {
		return err
	}
	var err error
	if e.mode.simple {
		err = e.simple(moves)
	} else {
		err = e.compact(moves)
	}
	if err != nil {
		return err
	}
	if e.form.hasPlaces() { // places that the game does not have
		return fmt.Errorf("%w: %w", errOtherForm, model.ErrCorrupt)
	}
	e.dst = append(e.dst, e.form.Trailer...)
	size := len(e.dst) - e.base
	if size > MaxSize {
		return fmt.Errorf("record of %d bytes: %w", size, model.ErrTooLarge)
	}
	Head{mode, e.form.Bit7, start != nil, size}.put(e.dst[e.base:])
	return nil
}

// setUp writes the start position, if there is one, and sets up the board with
// what a reader will see.
func (e *encoder) setUp(start *model.Position) error {
	if start == nil {
		e.begin(e.mode.reverse)
		if len(e.form.Start) > 0 {
			return fmt.Errorf("%w: start position: %w", errOtherForm, model.ErrCorrupt)
		}
		return nil
	}
	if _, err := board.New(start); err != nil {
		return fmt.Errorf("%w: %w", err, model.ErrUnsupported)
	}
	if block := e.form.Start; len(block) > 0 { // it must be the same position
		want := *start
		want.FullMove = max(want.FullMove, 1)
		if len(block) == startLen(start.Chess960) {
			if stored, err := e.beginAt(block, e.mode); err == nil && stored == want {
				e.dst = append(e.dst, block...)
				return nil
			}
		}
		return fmt.Errorf("%w: start position: %w", errOtherForm, model.ErrCorrupt)
	}
	at := len(e.dst)
	e.dst = appendStart(e.dst, start)
	_, err := e.beginAt(e.dst[at:], e.mode)
	return err
}

// check says what a move of the game changes. It is an error if it cannot be
// made on the board, or has no form in the record.
func (e *encoder) check(node int, m model.Move, moves *model.Tree) (replay.Change, error) {
	ch, ok := e.Accept(m)
	switch {
	case !ok:
		return ch, fmt.Errorf("move %d: %w: %w", node+1, e.describe(m, moves, moves.Parent(node)), model.ErrCorrupt)
	case m.IsCastling() && !e.holdsCastling(m):
		return ch, fmt.Errorf("move %d: castling with another rook than the start position names: %w",
			node+1, model.ErrUnsupported)
	}
	return ch, nil
}

// holdsCastling reports whether a castling move is the one that its code means.
func (e *encoder) holdsCastling(m model.Move) bool {
	side := model.QueenSide
	if m.IsShortCastling() {
		side = model.KingSide
	}
	coded, ok := e.castling(side)
	return ok && coded == m
}

// moveBits returns the bits for a promotion that the word of a move which is none
// has in the form at hand.
func (e *encoder) moveBits(node int, m model.Move) uint16 {
	list := e.form.Bits
	if len(list) == 0 || int(list[0]>>2) != node || !m.IsNull() && (!e.mode.simple || m.Promotion() != model.NoPieceType) {
		return 0
	}
	e.form.Bits = list[1:]
	return uint16(list[0]&3) << 12
}

// putByte writes a byte of the move with the number n.
func (e *encoder) putByte(v byte, n int) {
	e.dst = append(e.dst, e.cipher.encode(v, byte(n)))
}

// putWord writes a word of the move with the number n.
func (e *encoder) putWord(w uint16, n int) {
	e.putByte(byte(w>>8), n)
	e.putByte(byte(w), n)
}

// compact writes the moves with the compact encoder (docs/formats/cbg.md 5, 6).
func (e *encoder) compact(moves *model.Tree) error {
	nodes := moves.Nodes()
	branches, tokens := 0, 0
	for i := range nodes {
		if parent := int(nodes[i].Parent); parent != i-1 {
			e.token(&tokens, codePop, i)
			e.backTo(parent, moves)
			branches--
		}
		if nodes[i].Next != model.NoNode {
			e.token(&tokens, codePush, i)
			branches++
		}
		m := nodes[i].Move
		ch, err := e.check(i, m, moves)
		if err != nil {
			return err
		}
		code := e.chooseCode(i, m)
		e.token(&tokens, code, i)
		if code == codeTwoBytes {
			e.putWord(e.word(m)|e.moveBits(i, m), i)
		}
		if branches > 0 {
			e.playOn(m, ch, i)
		} else {
			e.Play(m, ch)
		}
	}
	e.dummies(tokens, len(nodes))
	if !e.form.NoEnd {
		e.putByte(codePop, len(nodes))
	}
	return nil
}

// token writes the next token, after the dummies that stand before it.
func (e *encoder) token(tokens *int, code byte, n int) {
	if len(e.form.Dummies) > 0 {
		e.dummies(*tokens, n)
	}
	e.putByte(code, n)
	*tokens++
}

// dummies writes the dummies after the given number of tokens.
func (e *encoder) dummies(tokens, n int) {
	for takeFirst(&e.form.Dummies, tokens) {
		e.putByte(codeDummy, n)
	}
}

// chooseCode returns the code of a legal move in the form at hand.
func (e *encoder) chooseCode(node int, m model.Move) byte {
	code := e.code(m)
	switch {
	case code != codeTwoBytes && takeFirst(&e.form.Words, node):
		return codeTwoBytes
	case twins[code] != 0 && takeFirst(&e.form.Twins, node):
		return twins[code]
	}
	return code
}

// code returns the first byte of a legal move, as ChessBase writes it.
func (s *state) code(m model.Move) byte {
	switch {
	case m.IsNull():
		return codeNull
	case m.Promotion() != model.NoPieceType || m.IsCastling() && s.Chess960:
		return codeTwoBytes
	case m.IsShortCastling():
		return codeCastleShort
	case m.IsCastling():
		return codeCastleLong
	}
	slot := s.At[m.From()].Slot()
	if slot >= replay.NumSlots {
		return codeTwoBytes
	}
	return codes[s.Turn&1][slot][between(m.From(), m.To()).index()]
}

// simple writes the moves with the simple encoder (docs/formats/cbg.md 7).
func (e *encoder) simple(moves *model.Tree) error {
	nodes := moves.Nodes()
	branches := 0
	for i := range nodes {
		if parent := int(nodes[i].Parent); parent != i-1 {
			e.backTo(parent, moves)
			branches--
		}
		m := nodes[i].Move
		ch, err := e.check(i, m, moves)
		if err != nil {
			return err
		}
		w := e.word(m) | e.moveBits(i, m)
		if e.mode.reverse {
			w = swapSquares(w)
		}
		if nodes[i].Next != model.NoNode {
			w |= wordBranch
			branches++
		}
		last := i+1 == len(nodes)
		if !last && int(nodes[i+1].Parent) != i || last && !e.form.NoEnd {
			w |= wordEnds
		}
		e.putWord(w, i)
		if branches > 0 {
			e.playOn(m, ch, i)
		} else {
			e.Play(m, ch)
		}
	}
	if len(nodes) == 0 && (e.form.NoEnd || len(e.form.Trailer) > 0) {
		return fmt.Errorf("%w: %w", errOtherForm, model.ErrCorrupt)
	}
	return nil
}
