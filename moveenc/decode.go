package moveenc

import (
	"errors"
	"fmt"

	"cbkit/internal/replay"
	"cbkit/model"
)

// Game is a decoded record. One Game can take record after record; then
// nothing is allocated while they are no larger than earlier ones. The zero
// value is ready for use. A Game must not be copied after use; [model.Tree]
// has a Clone for the moves.
type Game struct {
	// HasStart says that the record holds a start position. If not, the game
	// begins with the standard one, and Start has no meaning.
	HasStart bool
	// Start is the start position. Its half-move clock is 0, which the format
	// does not hold.
	Start model.Position
	// Moves are valid until the next use of the Game.
	Moves model.Tree
	// Form is valid until the next use of the Game; [AppendForm] keeps it.
	Form Form

	// CheckKings asks [Decode] to check also whether kings are left in check. It stays as
	// it is set.
	CheckKings bool
	// Exposed is, with CheckKings, the first move that leaves the own king in check, or
	// [model.NoNode]: what [board.Validate] would find.
	Exposed int

	// WantSigns asks [Decode] to fill Signs, by node. It stays as it is set.
	WantSigns bool
	// Signs are valid until the next use of the Game.
	Signs []model.Sign

	// KeepGoing asks [Decode] to keep the moves before the damage of a corrupt or
	// truncated record, along with the error. It stays as it is set.
	KeepGoing bool

	decoder decoder
}

// SetUp returns the start position, nil if it is the standard one by default.
func (g *Game) SetUp() *model.Position {
	if !g.HasStart {
		return nil
	}
	return &g.Start
}

func (g *Game) reset() {
	g.HasStart, g.Exposed = false, model.NoNode
	g.Moves.Reset()
	g.Signs = g.Signs[:0]
	g.Form.reset()
}

// Decode reads a game record into g. Bytes beyond the size that the record's
// head gives are not looked at.
//
// Errors are [*model.FormatError] with offsets from the first byte of the record, and
// leave g empty unless Game.KeepGoing is set. They wrap
//
//   - model.ErrTruncated if rec is shorter than the record says;
//   - model.ErrUnsupported for modes without a known table (12 and above), for
//     the modes of losing chess (8 and 9), whose rules the model cannot say,
//     for start positions that board.New refuses, and for whatever does not
//     decode in a mode whose table no real record has confirmed (2, 3, 6, 7, 11);
//   - model.ErrCorrupt for everything else: a piece that is not there, a move
//     that it cannot make, alternatives that do not come, bits that mean
//     nothing.
//
// On an error, keep the bytes to lose nothing.
func Decode(rec []byte, g *Game) error {
	g.reset()
	head, err := DecodeHead(rec)
	if err != nil {
		return err
	}
	if head.Size > len(rec) {
		return fail(int64(len(rec)), "size", fmt.Errorf("%d bytes, %d are there: %w", head.Size, len(rec), model.ErrTruncated))
	}
	if err := supported(head.Mode); err != nil {
		return fail(0, "mode", err)
	}
	if err = g.decoder.decode(head, rec[:head.Size], g); err != nil && !(g.KeepGoing && !errors.Is(err, model.ErrUnsupported)) {
		g.reset()
	}
	g.decoder.rec, g.decoder.game = nil, nil // the caller's again
	return err
}

// DecodeLegal is [Decode] for legal games: a move that leaves the own king in check is an
// error, which comes before any error later in the record.
func DecodeLegal(rec []byte, g *Game) error {
	g.CheckKings = true
	err := Decode(rec, g)
	node := g.Exposed
	if node == model.NoNode {
		return err
	}
	m := g.Moves.Move(node)
	if g.KeepGoing {
		g.Moves.Cut(node)
		g.Signs = g.Signs[:min(node, len(g.Signs))]
	} else {
		g.reset()
	}
	return fail(0, "moves", fmt.Errorf("move %d: %v leaves the own king in check: %w", node+1, m, model.ErrCorrupt))
}

// supported returns an error if a mode cannot be decoded and encoded.
func supported(mode Mode) error {
	switch {
	case mode >= numModes:
		return fmt.Errorf("mode %d is not known: %w", mode, model.ErrUnsupported)
	case modes[mode].variant == losing:
		return fmt.Errorf("mode %d is losing chess: %w", mode, model.ErrUnsupported)
	}
	return nil
}

// decoder reads the moves of one record.
type decoder struct {
	state
	cipher cipher
	mode   *traits
	rec    []byte
	off    int // of the next byte
	game   *Game
	// branches are the nodes after which alternatives are still to come, the
	// innermost last.
	branches []int32
	parent   int // node of the position on the board
}

// What a record must not hold.
var (
	errNoStart     = errors.New("Chess960 without a start position")
	errNoPiece     = errors.New("no such piece")
	errUnused      = errors.New("code without a meaning")
	errIllegal     = errors.New("illegal move")
	errAlternative = errors.New("alternative missing")
	errPush        = errors.New("PUSH without a move")
	errWordBits    = errors.New("bits without a meaning")
	errHalfWord    = errors.New("half a move at the end")
)

// corrupt returns err for the byte at the given offset.
func (d *decoder) corrupt(off int, field string, err error) error {
	kind := model.ErrCorrupt
	if !d.mode.proven {
		kind = model.ErrUnsupported
	}
	return fail(int64(off), field, fmt.Errorf("%w: %w", err, kind))
}

// corruptMove is corrupt for the move that was to be the next node.
func (d *decoder) corruptMove(off int, err error) error {
	return d.corrupt(off, "moves", fmt.Errorf("move %d: %w", d.game.Moves.Len()+1, err))
}

func (d *decoder) decode(head Head, rec []byte, g *Game) error {
	d.game, d.rec, d.off = g, rec, HeadSize
	d.mode, d.cipher = &modes[head.Mode], newCipher(head.Mode)
	d.branches, d.parent = d.branches[:0], model.NoNode
	g.Form.Bit7 = head.Bit7
	if head.Mode != defaultMode(d.mode.variant == chess960) {
		g.Form.Mode = head.Mode
	}
	if err := d.setUp(head.HasStart); err != nil {
		return err
	}
	if d.mode.simple {
		return d.simple()
	}
	return d.compact()
}

// defaultMode returns the mode that games are written in.
func defaultMode(chess960 bool) Mode {
	if chess960 {
		return ModeChess960
	}
	return ModeRegular
}

// setUp reads the start position, if there is one, and sets up the board.
func (d *decoder) setUp(present bool) error {
	is960 := d.mode.variant == chess960
	if !present {
		d.begin(d.mode.reverse)
		if is960 {
			return d.corrupt(0, "start", errNoStart)
		}
		return nil
	}
	end := HeadSize + startLen(is960)
	if end > len(d.rec) {
		return d.corrupt(len(d.rec), "start", model.ErrTruncated)
	}
	block := d.rec[HeadSize:end]
	position, err := d.beginAt(block, d.mode)
	if err != nil {
		return fail(HeadSize, "start", err)
	}
	d.off = end
	d.game.HasStart, d.game.Start = true, position
	var ours [startSize960]byte
	if string(appendStart(ours[:0], &position)) != string(block) {
		d.game.Form.Start = append(d.game.Form.Start, block...)
	}
	return nil
}

// add plays a move that was accepted and adds it to the tree.
func (d *decoder) add(m model.Move, ch replay.Change) {
	g := d.game
	node := g.Moves.AddStored(d.parent, m)
	if g.WantSigns {
		g.Signs = append(g.Signs, d.Unchecked(m, ch))
	}
	if len(d.branches) > 0 {
		d.playOn(m, ch, node)
	} else {
		d.Play(m, ch)
	}
	d.parent = node
	switch {
	case m.IsNull():
	case g.WantSigns:
		d.judge(node)
	case g.CheckKings && g.Exposed == model.NoNode && d.InCheck(d.Turn^1):
		g.Exposed = node
	}
}

// judge looks at both kings after a move, which is no null move: it notes whether
// the move leaves the own one in check, and adds check and mate to its sign.
func (d *decoder) judge(node int) {
	g := d.game
	exposed, check := d.AttackedKings()
	if exposed && g.CheckKings && g.Exposed == model.NoNode {
		g.Exposed = node
	}
	if check {
		g.Signs[node] |= d.CheckSign()
	}
}

// branch notes that alternatives to the next move will follow.
func (d *decoder) branch() {
	d.branches = append(d.branches, int32(d.parent))
}

// endLine goes back to the last branch; false if there is none left.
func (d *decoder) endLine() bool {
	last := len(d.branches) - 1
	if last < 0 {
		return false
	}
	d.parent = int(d.branches[last])
	d.branches = d.branches[:last]
	d.backTo(d.parent, &d.game.Moves)
	return true
}

// end reads what stands after the last POP, or notes that none has come.
func (d *decoder) end(closed bool) error {
	if closed {
		d.game.Form.Trailer = append(d.game.Form.Trailer, d.rec[d.off:]...)
		return nil
	}
	if len(d.branches) > 0 {
		return d.corrupt(len(d.rec), "moves", errAlternative)
	}
	d.game.Form.NoEnd = true
	return nil
}

// What may come next in a record of the compact encoder (docs/formats/cbg.md 6).
type expected uint8

const (
	anything      expected = iota // after a move, at the beginning
	anAlternative                 // after POP: a move, maybe with PUSH
	aMove                         // after PUSH
)

// compact reads moves that the compact encoder wrote.
func (d *decoder) compact() error {
	next := anything
	for tokens := uint32(0); d.off < len(d.rec); {
		at := d.off
		v := d.cipher.decode(d.rec[at], byte(d.game.Moves.Len()))
		d.off++
		if op := &opcodes[v]; op.kind == pieceStep {
			if err := d.step(op); err != nil {
				return d.corruptMove(at, err)
			}
			next = anything
			tokens++
			continue
		}
		if v == codeDummy {
			d.game.Form.Dummies = append(d.game.Form.Dummies, tokens)
			continue
		}
		tokens++
		switch v {
		case codePush:
			if next == aMove {
				return d.corrupt(at, "moves", errPush)
			}
			next = aMove
			d.branch()
		case codePop:
			if next != anything {
				return d.corrupt(at, "moves", errAlternative)
			}
			if !d.endLine() {
				return d.end(true)
			}
			next = anAlternative
		default:
			if err := d.otherMove(v); err != nil {
				return d.corruptMove(at, err)
			}
			next = anything
		}
	}
	if next != anything {
		return d.corrupt(d.off, "moves", errAlternative)
	}
	return d.end(false)
}

// step reads the step of a numbered piece, as most moves are.
func (d *decoder) step(op *opcode) error {
	mover := replay.Side(d.Turn) | replay.Man(op.slot)
	from := d.Square[mover&replay.Mask]
	if from >= model.NoSquare {
		return errNoPiece
	}
	m, ch, ok := d.AcceptStep(mover, model.Piece(op.piece), from, op.step[d.Turn&1].from(from))
	if !ok {
		return d.describe(m, &d.game.Moves, d.parent)
	}
	if op.twin {
		d.note(&d.game.Form.Twins)
	}
	d.add(m, ch)
	return nil
}

// otherMove reads any other move, which begins with the code v.
func (d *decoder) otherMove(v byte) error {
	m, err := d.parseOther(v)
	if err != nil {
		return err
	}
	ch, ok := d.Accept(m)
	if !ok {
		return d.describe(m, &d.game.Moves, d.parent)
	}
	d.add(m, ch)
	return nil
}

// parseOther returns the move of a code, which need not be legal.
func (d *decoder) parseOther(v byte) (m model.Move, err error) {
	ok := true
	switch kind := opcodes[v].kind; kind {
	case nullMove:
	case castleShort, castleLong:
		m, ok = d.castling(model.Side(kind - castleShort))
		ok = ok && !d.Chess960
	case twoBytes:
		if d.off+2 > len(d.rec) {
			return 0, errHalfWord
		}
		w := d.nextWord()
		if w&(wordEnds|wordBranch) != 0 {
			return 0, errWordBits
		}
		if m, ok = d.parseWord(w); ok && d.code(m) != codeTwoBytes {
			d.note(&d.game.Form.Words)
			d.noteBits(w, m)
		}
	default:
		return 0, errUnused
	}
	if !ok {
		return 0, errIllegal
	}
	return m, nil
}

// note enters the next node in a list of the form.
func (d *decoder) note(list *[]uint32) {
	*list = append(*list, uint32(d.game.Moves.Len()))
}

// noteBits enters the next node, m, in the form if its word has bits for a
// promotion and it is none.
func (d *decoder) noteBits(w uint16, m model.Move) {
	if w&wordPromotion != 0 && m.Promotion() == model.NoPieceType {
		bits := uint32(w & wordPromotion >> 12)
		d.game.Form.Bits = append(d.game.Form.Bits, uint32(d.game.Moves.Len())<<2|bits)
	}
}

// nextWord reads two bytes that are there.
func (d *decoder) nextWord() uint16 {
	n := byte(d.game.Moves.Len())
	high, low := d.cipher.decode(d.rec[d.off], n), d.cipher.decode(d.rec[d.off+1], n)
	d.off += 2
	return uint16(high)<<8 | uint16(low)
}

// simple reads moves that the simple encoder wrote (docs/formats/cbg.md 7).
func (d *decoder) simple() error {
	alternative := false // one must come
	for d.off < len(d.rec) {
		at := d.off
		if at+2 > len(d.rec) {
			return d.corruptMove(at, errHalfWord)
		}
		w := d.nextWord()
		if w&wordBranch != 0 {
			d.branch()
		}
		if err := d.simpleMove(w); err != nil {
			return d.corruptMove(at, err)
		}
		alternative = w&wordEnds != 0
		if alternative && !d.endLine() {
			return d.end(true)
		}
	}
	switch {
	case alternative:
		return d.corrupt(d.off, "moves", errAlternative)
	case d.game.Moves.Len() == 0: // written without a word
		return nil
	}
	return d.end(false)
}

func (d *decoder) simpleMove(w uint16) error {
	if d.mode.reverse {
		w = swapSquares(w)
	}
	m, ok := d.parseWord(w)
	if !ok { // ChessBase passes by what is no promotion
		m, ok = d.parseWord(w &^ wordPromotion)
	}
	if !ok {
		return errIllegal
	}
	ch, ok := d.Accept(m)
	if !ok {
		return d.describe(m, &d.game.Moves, d.parent)
	}
	d.noteBits(w, m)
	d.add(m, ch)
	return nil
}
