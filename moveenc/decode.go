package moveenc

import (
	"errors"
	"fmt"

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

	// CheckKings asks [Decode] to look after the kings as well. It stays as it
	// is set.
	CheckKings bool
	// Exposed is then the first move that leaves the own king in check, or
	// [model.NoNode]: what [board.Validate] would find.
	Exposed int

	// KeepGoing asks [Decode] to leave what stands before the damage of a corrupt
	// or truncated record, along with the error. It stays as it is set.
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
	g.Form.reset()
}

// Decode reads a game record into g. Bytes beyond the size that the record's
// head gives are not looked at.
//
// Errors are [*model.FormatError] with offsets from the first byte of the
// record, and leave g empty but for Game.KeepGoing. They wrap
//
//   - model.ErrTruncated if rec is shorter than the record says;
//   - model.ErrUnsupported for modes without a known table (12 and above), for
//     the modes of losing chess (8 and 9), whose rules the model cannot say,
//     for start positions that board.New refuses, and for whatever does not
//     decode in a mode whose table no real record has confirmed (1-4, 6, 7, 11);
//   - model.ErrCorrupt for everything else: a piece that is not there, a move
//     that it cannot make, alternatives that do not come, bits that mean
//     nothing.
//
// A caller that must lose nothing then keeps the bytes.
func Decode(rec []byte, g *Game) error {
	g.reset()
	head, err := ParseHead(rec)
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

// DecodeLegal is Decode for games as they have to be: the first move that leaves
// the own king in check is an error, before all that comes later.
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
func (d *decoder) add(m model.Move, ch change) {
	node := d.game.Moves.AddStored(d.parent, m)
	if len(d.branches) > 0 {
		d.playOn(m, ch, node)
	} else {
		d.play(m, ch)
	}
	if d.game.CheckKings && d.game.Exposed == model.NoNode && !m.IsNull() && d.inCheck(d.turn^1) {
		d.game.Exposed = node
	}
	d.parent = node
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
