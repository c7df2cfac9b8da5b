package scid

import (
	"bytes"
	"slices"
	"strings"

	"cbkit/board"
	"cbkit/internal/replay"
	"cbkit/internal/wire"
	"cbkit/model"
)

// BlockSize is what the files of games consist of, in bytes: no record crosses a
// multiple of it. That of .sg3 is OldBlockSize.
const (
	BlockSize    = 1 << 17
	OldBlockSize = 1 << 15
	MaxRecord    = BlockSize - 1
)

// Marks among the moves, in the bytes that no move of a king has.
const (
	markNAG   = 0x0b // the next byte is a NAG of the move before
	markText  = 0x0c // the move before has a text, or the line
	markBegin = 0x0d // of a variation, an alternative to the move before
	markEnd   = 0x0e // of a variation
	markStop  = 0x0f // of the game
)

// The bits of a record's flags, which are the lowest of its entry's too.
const (
	FlagStart          = 1 << iota // it begins with a position of its own
	FlagPromotion                  // there is a promotion on the main line
	FlagUnderpromotion             // there is one to other than a queen
)

// maxDepth is how deep variations may be nested.
const maxDepth = 1 << 16

// Tag is a tag of a record, which Scid has no field for in its entries.
type Tag struct {
	// Name is "" for a tag of a code that was never given, and for the date of Scid 2.
	Name string
	// Code is how the name is stored: 0 for its letters.
	Code  byte
	Value []byte
}

// codeDate is the code of a date of three bytes, which only Scid 2 wrote.
const codeDate = 0xff

// firstCode is the code of the first common name.
const firstCode = 0xf1

// commonNames are the names that have codes.
var commonNames = [...]string{
	"WhiteCountry", "BlackCountry", "Annotator", "PlyCount", "EventDate", "Opening", "Variation", "Setup", "Source", "SetUp",
}

// NewTag returns a tag as Scid stores it.
func NewTag(name string, value []byte) Tag {
	t := Tag{Name: name, Value: value}
	if i := slices.Index(commonNames[:], name); i >= 0 {
		t.Code = firstCode + byte(i)
	}
	return t
}

// StepKind is what a step of the notation is.
type StepKind uint8

// The kinds of steps.
const (
	StepMove  StepKind = iota
	StepNAG            // of the move before
	StepText           // of the move before or, at the beginning of a line, in front of its first move
	StepBegin          // of a variation
	StepEnd            // of a variation
)

// Step is a move, or a mark in the order of the notation.
type Step struct {
	Kind StepKind
	NAG  byte
	Sign model.Sign // of the move
	// Hidden says that a later text stands at the place of this one.
	Hidden bool
	Move   model.Move
	Text   int32 // index in Game.Texts
}

// JudgesMove reports whether a NAG is one of those that judge a move, of which Scid shows one.
func JudgesMove(nag byte) bool { return nag >= 1 && nag <= 6 }

// JudgesPosition reports whether a NAG is one of those that judge a position, likewise.
func JudgesPosition(nag byte) bool { return nag >= 10 && nag <= 21 }

// Game is a record of a file of games. It can take record after record; then nothing is
// allocated while they are no larger than earlier ones. The zero value is ready for use.
type Game struct {
	// Chess960 says, before a record is decoded, that the rules of Chess960 hold, as
	// entries of .si5 do.
	Chess960 bool
	// Open says, before a record is decoded, that other bytes follow it, so that it ends
	// with the last text that there is a mark for.
	Open bool

	Tags  []Tag
	Flags byte
	// FEN is the start position as it is stored, and Start what it says; nil without.
	FEN   []byte
	Start *model.Position
	Steps []Step
	Texts [][]byte
	// Size is how many bytes the record has.
	Size int
	// InTexts says of an error that it is about the texts: the moves are whole.
	InTexts bool

	start  model.Position
	pos    replay.Board
	men    men
	levels []level
}

// level is a line that is interrupted by a variation.
type level struct {
	pos, before    replay.Board
	men, menBefore men
	text, moves    int
}

// Reset empties a game.
func (g *Game) Reset() {
	*g = Game{Chess960: g.Chess960, Open: g.Open, Tags: g.Tags[:0], Steps: g.Steps[:0], Texts: g.Texts[:0], levels: g.levels[:0]}
}

// DecodeTags reads the tags of a record and where they end.
func (g *Game) DecodeTags(b []byte) (end int, err error) {
	g.Tags = g.Tags[:0]
	c := wire.NewCursor(b)
	for {
		n := c.U8()
		if c.Err() != nil || n == 0 {
			return int(c.Offset()), c.Err()
		}
		t := Tag{}
		switch {
		case n == codeDate:
			t.Code, t.Value = n, c.Bytes(3)
		case n >= firstCode:
			if t.Code = n; int(n-firstCode) < len(commonNames) {
				t.Name = commonNames[n-firstCode]
			}
			t.Value = c.Bytes(int(c.U8()))
		default:
			t.Name = string(c.Bytes(int(n)))
			t.Value = c.Bytes(int(c.U8()))
		}
		if err := c.Err(); err != nil {
			return len(b), err
		}
		g.Tags = append(g.Tags, t)
	}
}

// Decode reads a record. Slices of it are parts of b. Errors are [*model.FormatError]
// with offsets in the record; where moves are wrong, what stands before stays in g, and
// where texts are missing, those that are there.
func (g *Game) Decode(b []byte) error {
	g.Reset()
	at, err := g.DecodeTags(b)
	if err != nil {
		return err
	}
	for _, t := range g.Tags {
		g.Chess960 = g.Chess960 || t.Name == "Variant" && namesChess960(string(t.Value))
	}
	if at == len(b) {
		return wrong(at, "flags", model.ErrTruncated, "the record ends behind its tags")
	}
	g.Flags = b[at]
	at++
	if g.Flags&FlagStart != 0 {
		n := bytes.IndexByte(b[at:], 0)
		if n < 0 {
			return wrong(at, "FEN", model.ErrTruncated, "it does not end")
		}
		g.FEN = b[at : at+n]
		if g.start, err = parseFEN(string(g.FEN), g.Chess960); err != nil {
			return wrong(at, "FEN", model.ErrCorrupt, "%q: %v", g.FEN, err)
		}
		g.Start = &g.start
		at += n + 1
	}
	if g.pos = replay.Standard[0]; g.Start != nil {
		pos, err := board.New(g.Start)
		if err != nil {
			return wrong(at, "FEN", model.ErrCorrupt, "%v", err)
		}
		g.pos.Set(&pos, false)
	}
	g.men.set(g.Start)
	if at, err = g.decodeMoves(b, at); err != nil {
		return err
	}
	if err = g.decodeTexts(b, at); err != nil {
		g.InTexts = true
	}
	return err
}

// AppendSigns appends the signs of all moves by node, which order gives for those of the
// steps, nil where the moves have the order of the tree.
func (g *Game) AppendSigns(dst []model.Sign, order []int32) []model.Sign {
	from := len(dst)
	for _, s := range g.Steps {
		if s.Kind == StepMove {
			dst = append(dst, s.Sign)
		}
	}
	if order != nil {
		for n, sign := range slices.Clone(dst[from:]) {
			dst[from+int(order[n])] = sign
		}
	}
	return dst
}

// decodeMoves reads the moves from an offset on, and returns where they end.
func (g *Game) decodeMoves(b []byte, at int) (int, error) {
	now := level{text: -1} // before the last move; moves counts those of the line
	for at < len(b) {
		c := b[at]
		at++
		switch c {
		case markStop:
			if len(g.levels) > 0 {
				return at, wrong(at-1, "moves", model.ErrCorrupt, "the game ends in a variation")
			}
			return at, nil
		case markEnd:
			n := len(g.levels) - 1
			if n < 0 {
				return at, wrong(at-1, "moves", model.ErrCorrupt, "a variation ends on the main line")
			}
			g.Steps = append(g.Steps, Step{Kind: StepEnd})
			now = g.levels[n]
			g.pos, g.men, g.levels = now.pos, now.men, g.levels[:n]
		case markBegin:
			switch {
			case now.moves == 0:
				return at, wrong(at-1, "moves", model.ErrCorrupt, "a variation begins before any move")
			case len(g.levels) == maxDepth:
				return at, wrong(at-1, "moves", model.ErrUnsupported, "variations are more than %d deep", maxDepth)
			}
			now.pos, now.men = g.pos, g.men
			g.levels = append(g.levels, now)
			g.pos, g.men = now.before, now.menBefore
			g.Steps = append(g.Steps, Step{Kind: StepBegin})
			now = level{text: -1}
		case markNAG:
			if at == len(b) {
				break
			}
			if now.moves > 0 { // else it belongs to nothing
				g.Steps = append(g.Steps, Step{Kind: StepNAG, NAG: b[at]})
			}
			at++
		case markText:
			if now.text >= 0 {
				g.Steps[now.text].Hidden = true
			}
			now.text = len(g.Steps)
			g.Steps = append(g.Steps, Step{Kind: StepText})
		default:
			m, size, err := g.men.decode(b[at-1:])
			code := at - 1
			if err != nil {
				return at, wrong(code, "moves", model.ErrCorrupt, "move %d: %v", g.count(StepMove)+1, err)
			}
			if at += size - 1; at < len(b) && b[at] >= markNAG && b[at] < markStop { // there may be a variation
				now.before, now.menBefore = g.pos, g.men
			}
			sign, legal := g.pos.Move(m, true)
			if !legal {
				return at, wrong(code, "moves", model.ErrCorrupt, "move %d: %v (%02x) is not legal", g.count(StepMove)+1, m, c)
			}
			g.men.play(m)
			g.Steps = append(g.Steps, Step{Kind: StepMove, Move: m, Sign: sign})
			now.moves++
			now.text = -1
		}
	}
	return at, wrong(at, "moves", model.ErrTruncated, "the game does not end")
}

// count returns how many steps are of a kind.
func (g *Game) count(kind StepKind) (n int) {
	for _, s := range g.Steps {
		if s.Kind == kind {
			n++
		}
	}
	return n
}

// decodeTexts reads the texts. Those without a mark belong to the places behind the last
// one that has a mark.
func (g *Game) decodeTexts(b []byte, at int) error {
	last := -1
	for i := range g.Steps {
		if g.Steps[i].Kind != StepText {
			continue
		}
		n := bytes.IndexByte(b[at:], 0)
		if n < 0 {
			err := wrong(at, "texts", model.ErrTruncated, "text %d of %d does not end", len(g.Texts)+1, g.count(StepText))
			rest := slices.DeleteFunc(g.Steps[i:], func(s Step) bool { return s.Kind == StepText })
			g.Steps = g.Steps[:i+len(rest)]
			return err
		}
		g.Steps[i].Text = int32(len(g.Texts))
		g.Texts = append(g.Texts, b[at:at+n])
		at += n + 1
		last = i
	}
	if g.Size = at; g.Open {
		return nil
	}
	g.Size = len(b)
	for next := last + 1; ; {
		n := bytes.IndexByte(b[at:], 0)
		if n < 0 {
			return nil
		}
		switch {
		case next > len(g.Steps):
			return wrong(at, "texts", model.ErrCorrupt, "there are more texts than places for them")
		case len(g.Texts) == 0: // in front of the game
		default:
			for next < len(g.Steps) && (g.Steps[next].Kind == StepNAG || g.Steps[next].Kind == StepText) {
				next++
			}
			if next++; next > len(g.Steps) || g.Steps[next-1].Kind == StepEnd { // the end of a line, which shows nothing
				at += n + 1
				continue
			}
			for next < len(g.Steps) && g.Steps[next].Kind == StepNAG {
				next++
			}
		}
		g.Steps = slices.Insert(g.Steps, next, Step{Kind: StepText, Text: int32(len(g.Texts))})
		g.Texts = append(g.Texts, b[at:at+n])
		at += n + 1
		next++
	}
}

// AppendTags appends tags as records begin with them, and what ends them.
func AppendTags(dst []byte, tags []Tag) ([]byte, error) {
	for _, t := range tags {
		switch {
		case t.Code == codeDate:
			dst = append(append(dst, codeDate), t.Value...)
			continue
		case t.Code != 0:
			dst = append(dst, t.Code)
		case t.Name == "" || len(t.Name) >= firstCode:
			return nil, wrong(len(dst), "tags", model.ErrTooLarge, "a name of %d bytes", len(t.Name))
		default:
			dst = append(append(dst, byte(len(t.Name))), t.Name...)
		}
		if len(t.Value) > 255 {
			return nil, wrong(len(dst), t.Name, model.ErrTooLarge, "a value of %d bytes", len(t.Value))
		}
		dst = append(append(dst, byte(len(t.Value))), t.Value...)
	}
	return append(dst, 0), nil
}

// PromotionFlags returns the flags of a record that has a move on its main line.
func PromotionFlags(m model.Move) byte {
	switch m.Promotion() {
	case model.NoPieceType:
		return 0
	case model.Queen:
		return FlagPromotion
	}
	return FlagPromotion | FlagUnderpromotion
}

// Append appends a record, whose steps must be legal, and sets what of its entry follows from
// it: flags 0 to 2, codes of counts, material, plies, home pawns. The number of the opening
// line is not known, and 0. Errors are those of steps that no record has.
func (g *Game) Append(dst []byte, e *Entry) ([]byte, error) {
	dst, err := AppendTags(dst, g.Tags)
	if err != nil {
		return nil, err
	}
	dst = append(dst, g.Flags)
	if g.Flags&FlagStart != 0 {
		dst = append(append(dst, g.FEN...), 0)
	}
	const flags = FlagStart | FlagPromotion | FlagUnderpromotion
	e.Flags &^= flags
	if g.Start != nil {
		e.Flags |= FlagStart
	}
	e.Line, e.HomePawns, e.Pawns = 0, 0, [8]byte{}
	g.men.set(g.Start)
	g.levels = g.levels[:0]
	var now level // before the last move
	var counts [StepEnd + 1]int
	for i, s := range g.Steps {
		switch s.Kind {
		case StepMove:
			if i+1 < len(g.Steps) && g.Steps[i+1].Kind != StepMove { // there may be a variation
				now.menBefore = g.men
			}
			if dst, err = g.men.append(dst, s.Move); err != nil {
				return nil, err
			}
			if main := len(g.levels) == 0; main {
				e.play(&g.men, s.Move, g.Start == nil)
				e.Flags |= uint32(PromotionFlags(s.Move))
				counts[StepMove]++
			} else {
				g.men.play(s.Move)
			}
			continue
		case StepNAG:
			dst = append(dst, markNAG, s.NAG)
		case StepText:
			if dst = append(dst, markText); s.Hidden {
				continue
			}
		case StepBegin:
			now.men = g.men
			g.levels = append(g.levels, now)
			g.men = now.menBefore
			dst = append(dst, markBegin)
		case StepEnd:
			last := len(g.levels) - 1
			now, g.levels = g.levels[last], g.levels[:last]
			g.men = now.men
			dst = append(dst, markEnd)
		}
		counts[s.Kind]++
	}
	dst = append(dst, markStop)
	for _, s := range g.Steps {
		if s.Kind == StepText {
			dst = append(append(dst, g.Texts[s.Text]...), 0)
		}
	}
	e.NAGs, e.Comments, e.Variations = CountCode(counts[StepNAG]), CountCode(counts[StepText]), CountCode(counts[StepBegin])
	e.Plies, e.Material = uint16(counts[StepMove]&1023), g.men.material()
	return dst, nil
}

// namesChess960 reports whether the value of the tag Variant is one that programs write for
// Chess960.
func namesChess960(value string) bool {
	value = strings.ToLower(value)
	return strings.Contains(value, "960") || strings.Contains(value, "fischer")
}

// CheckFEN returns an error if Scid cannot read a start position.
func CheckFEN(fen string) error {
	_, err := parseFEN(fen, false)
	return err
}

// parseFEN reads the position of a record, of two to six fields: castling is possible
// where it is not said and kings and rooks stand at home.
func parseFEN(fen string, chess960 bool) (model.Position, error) {
	fields := strings.Fields(fen)
	if len(fields) == 2 {
		p, err := board.ParseModel(fen + " - -")
		if err != nil {
			return p, err
		}
		rights := ""
		for i, at := range [4]struct{ king, rook model.Square }{{model.E1, model.H1}, {model.E1, model.A1}, {model.E8, model.H8}, {model.E8, model.A8}} {
			color := model.Color(i / 2)
			if p.Board[at.king] == model.NewPiece(color, model.King) && p.Board[at.rook] == model.NewPiece(color, model.Rook) {
				rights += "KQkq"[i : i+1]
			}
		}
		if rights == "" {
			rights = "-"
		}
		fields = append(fields, rights)
	}
	if len(fields) == 3 {
		fields = append(fields, "-")
	}
	parse := board.ParseModel
	if chess960 {
		parse = board.ParseModel960
	}
	p, err := parse(strings.Join(fields, " "))
	if err != nil {
		return p, err
	}
	var men, kings [2]int
	for _, piece := range p.Board {
		if piece == model.NoPiece {
			continue
		}
		men[piece.Color()]++
		if piece.Type() == model.King {
			kings[piece.Color()]++
		}
	}
	if kings != [2]int{1, 1} || max(men[0], men[1]) > maxMen {
		return p, wrong(0, "", model.ErrCorrupt, "it needs a king of each colour, and at most %d men", maxMen)
	}
	return p, nil
}
