package cbh2

import (
	"bytes"
	"math"
	"slices"
	"unicode/utf8"

	"cbkit/board"
	"cbkit/internal/wire"
	"cbkit/model"
)

// The content of a frame of annotations: blocks, and an end mark.
//
//	i32 place, -1 for the game | i32 count | count times: u16 type, data
//	i32 0x7fffffff
//
// Data has no length: a type that is not known hides what follows it.
const endPlaces = 0x7fffffff

// The types of annotations that are understood.
const (
	typeText           = 0x02
	typeSymbols        = 0x03
	typeSquares        = 0x04
	typeArrows         = 0x05
	typeTimeSpent      = 0x07
	typeUnknown08      = 0x08
	typeTraining       = 0x09
	typeQuotation      = 0x13
	typePawnStructure  = 0x14
	typePiecePath      = 0x15
	typeWhiteClock     = 0x16
	typeBlackClock     = 0x17
	typeCritical       = 0x18
	typeWebLink        = 0x1c
	typeVideo          = 0x20
	typeEngine         = 0x21
	typeMedals         = 0x22
	typeVariationColor = 0x23
	typeTimeControl    = 0x24
	typeVideoTime      = 0x25
	typeEvaluations    = 0x26
	typeUnknown27      = 0x27
	typeTextBefore     = 0x82
)

// typeFlags are the flags of headers that say which types of annotations a game has.
var typeFlags = map[uint16]uint32{
	typeText: 1 << 2, typeTextBefore: 1 << 2, typeSymbols: 1 << 3, typeSquares: 1 << 4, typeArrows: 1 << 5, typeTimeSpent: 1 << 7, typeUnknown08: 1 << 8,
	typeTraining: 1 << 9, typeQuotation: 1 << 19, typePawnStructure: 1 << 20, typePiecePath: 1 << 21, typeWhiteClock: 1 << 22, typeBlackClock: 1 << 23,
	typeCritical: 1 << 24, typeWebLink: 1 << 28,
}

// AnnotationFlags are the flags of all types that have one and are understood.
const AnnotationFlags = 0x11f803bc

// FlagsOf returns the flags that annotations give.
func FlagsOf(list []Placed) (flags uint32) {
	for i := range list {
		flags |= typeFlags[list[i].Type]
	}
	return flags
}

// A Placed is an annotation with its place in the order of PGN, see [Places].
type Placed struct {
	Place int32
	Type  uint16
	Value model.Value
	// Data are the stored bytes behind the type; they are part of the content.
	Data []byte
}

// A StopError says that the annotations of a game cannot be read to their end: an
// unknown type has no length.
type StopError struct {
	Offset int    // of the type in the content
	Type   uint16 // what stands there
	Rest   []byte // the bytes from the type on that were not read, without the end mark
}

// Error returns one line.
func (e *StopError) Error() string {
	return wrong(e.Offset, "annotations", model.ErrUnsupported, "type %02x has no known length; %d bytes from there on are not read", e.Type, len(e.Rest)).Error()
}

// Unwrap returns [model.ErrUnsupported].
func (e *StopError) Unwrap() error { return model.ErrUnsupported }

// DecodeAnnotations appends the annotations in the content of a frame to dst. With an
// error it has those in front of the damage. Texts that are no UTF-8 are read by
// foreign.
func DecodeAnnotations(dst []Placed, content []byte, foreign func([]byte) string) ([]Placed, error) {
	c := wire.NewCursor(content)
	for last := int32(math.MinInt32); ; {
		at := int(c.Offset())
		place := c.I32LE()
		if c.Err() == nil && place == endPlaces {
			if c.Len() > 0 {
				return dst, wrong(int(c.Offset()), "annotations", model.ErrCorrupt, "%d bytes stand behind the end", c.Len())
			}
			return dst, nil
		}
		count := c.I32LE()
		switch {
		case c.Err() != nil:
			return dst, wrong(at, "annotations", model.ErrTruncated, "there is no end")
		case place < -1 || place <= last:
			return dst, wrong(at, "annotations", model.ErrCorrupt, "place %d behind %d", place, last)
		case count < 0 || int(count) > c.Len()/2:
			return dst, wrong(at+4, "annotations", model.ErrCorrupt, "%d at one place", count)
		}
		last = place
		for range count {
			at := int(c.Offset())
			typ := c.U16LE()
			if c.Err() != nil {
				return dst, wrong(at, "annotations", model.ErrTruncated, "there is no end")
			}
			begin := int(c.Offset())
			value, known := decodeValue(typ, &c, foreign)
			if !known {
				rest := content[at:]
				return dst, &StopError{Offset: at, Type: typ, Rest: rest[:max(len(rest)-4, 0)]}
			}
			if c.Err() != nil {
				return dst, wrong(at, "annotations", model.ErrCorrupt, "type %02x exceeds the record", typ)
			}
			data := content[begin:c.Offset()]
			if value == nil {
				value = model.Opaque{Format: Format, Type: uint8(typ), Data: bytes.Clone(data)}
			}
			dst = append(dst, Placed{Place: place, Type: typ, Value: value, Data: data})
		}
	}
}

// AppendAnnotations appends the content of a frame of annotations, which are in the
// order of their places. What is opaque is written as it was read; other values that
// have no form here are an error.
func AppendAnnotations(dst []byte, list []Placed) ([]byte, error) {
	for i := 0; i < len(list); {
		n := i
		for n < len(list) && list[n].Place == list[i].Place {
			n++
		}
		dst = wire.AppendI32LE(dst, list[i].Place)
		dst = wire.AppendU32LE(dst, uint32(n-i))
		for ; i < n; i++ {
			var ok bool
			if dst, ok = AppendValue(dst, list[i].Value); !ok {
				return nil, wrong(len(dst), "annotations", model.ErrUnsupported, "%s has no form", list[i].Value.Kind())
			}
		}
	}
	return wire.AppendU32LE(dst, endPlaces), nil
}

// decodeValue reads the data of a type. The value is nil where the data say nothing
// that the model has a word for.
func decodeValue(typ uint16, c *wire.Cursor, foreign func([]byte) string) (value model.Value, known bool) {
	text := func(b []byte) string { return decodeText(b, foreign) }
	squareOne := func(n byte) (model.Square, bool) { return square(n - 1), n >= 1 && n <= 64 }
	sound := func(v model.Value, is bool) (model.Value, bool) { // of a known type
		if !is {
			v = nil
		}
		return v, true
	}
	switch typ {
	case typeText, typeTextBefore:
		zero, language := c.U16LE(), c.U16LE()
		return sound(model.Text{Language: languageOf(language), Before: typ == typeTextBefore, Text: text(sized(c))}, zero == 0)
	case typeSymbols:
		return model.Symbols{Move: model.NAG(c.U8()), Position: model.NAG(c.U8()), Prefix: model.NAG(c.U8())}, true
	case typeSquares:
		var v model.Squares
		b := sized(c)
		for ; len(b) >= 2; b = b[2:] {
			at, ok := squareOne(b[1])
			if !ok {
				return nil, true
			}
			v = append(v, model.ColoredSquare{Color: model.MarkColor(b[0]), Square: at})
		}
		return sound(v, len(b) == 0 && v != nil)
	case typeArrows:
		var v model.Arrows
		b := sized(c)
		for ; len(b) >= 3; b = b[3:] {
			from, ok := squareOne(b[1])
			to, okTo := squareOne(b[2])
			if !ok || !okTo {
				return nil, true
			}
			v = append(v, model.ColoredArrow{Color: model.MarkColor(b[0]), From: from, To: to})
		}
		return sound(v, len(b) == 0 && v != nil)
	case typeTimeSpent:
		return model.TimeSpent{Extra: c.U8(), Seconds: c.U8(), Minutes: c.U8(), Hours: c.U8()}, true
	case typeUnknown08:
		c.Skip(4)
		return nil, true
	case typeTraining:
		return decodeTraining(c, text)
	case typeQuotation:
		return decodeQuotation(c, text), true
	case typePawnStructure:
		return model.PawnStructure(c.U8()), true
	case typePiecePath:
		b := sized(c)
		if len(b) != 2 || b[1] < 1 || b[1] > 64 {
			return nil, true
		}
		return model.PiecePath{Mode: b[0], Square: square(b[1] - 1)}, true
	case typeWhiteClock, typeBlackClock:
		return model.Clock{Player: model.Color(typ - typeWhiteClock), Centiseconds: c.U32LE()}, true
	case typeCritical:
		return model.Critical(c.U8()), true
	case typeWebLink:
		one := c.U8()
		return sound(model.WebLink{URL: text(sized(c)), Caption: text(sized(c))}, one == 1)
	case typeVideo:
		c.Skip(4)
		sized(c)
		return nil, true
	case typeEngine:
		return model.Engine{Value: c.I16LE(), Type: c.I16LE(), Depth: c.I16LE()}, true
	case typeMedals:
		return model.Medals(c.U32LE()), true
	case typeVariationColor:
		return model.VariationColor{Red: c.U8(), Green: c.U8(), Blue: c.U8(), Flags: c.U8()}, true
	case typeTimeControl:
		one := c.U8()
		var v model.TimeControl
		for i := range v {
			v[i] = model.TimeStage{Start: c.U32LE(), Increment: c.U32LE(), Moves: c.U16LE(), Kind: c.U8()}
		}
		zero := c.U32LE()
		return sound(v, one == 1 && zero == 0)
	case typeVideoTime:
		return model.VideoTime(c.U32LE()), true
	case typeEvaluations:
		one := c.U8()
		inner := wire.NewCursor(sized(c))
		n := int(inner.U16LE())
		if one != 1 || inner.Err() != nil || inner.Len() != 4*n {
			return nil, true
		}
		v := make(model.Evaluations, n)
		for i := range v {
			v[i] = model.Evaluation{Value: inner.I16LE(), Depth: inner.U8(), Kind: model.EvaluationKind(inner.U8())}
		}
		return v, true
	case typeUnknown27:
		c.Skip(2)
		return nil, true
	}
	return nil, false
}

// AppendValue appends the type and the data of a value, false if it has no form.
func AppendValue(dst []byte, value model.Value) ([]byte, bool) {
	typed := func(typ uint16) { dst = wire.AppendU16LE(dst, typ) }
	switch v := value.(type) {
	case model.Text:
		if v.Before {
			typed(typeTextBefore)
		} else {
			typed(typeText)
		}
		dst = wire.AppendU16LE(dst, 0)
		dst = wire.AppendU16LE(dst, languageNumber(v.Language))
		dst = appendSized(dst, v.Text)
	case model.Symbols:
		if len(v.More) > 0 {
			return dst, false
		}
		typed(typeSymbols)
		dst = append(dst, byte(v.Move), byte(v.Position), byte(v.Prefix))
	case model.Squares:
		typed(typeSquares)
		dst = wire.AppendU32LE(dst, uint32(2*len(v)))
		for _, s := range v {
			dst = append(dst, byte(s.Color), storedSquare(s.Square)+1)
		}
	case model.Arrows:
		typed(typeArrows)
		dst = wire.AppendU32LE(dst, uint32(3*len(v)))
		for _, a := range v {
			dst = append(dst, byte(a.Color), storedSquare(a.From)+1, storedSquare(a.To)+1)
		}
	case model.TimeSpent:
		typed(typeTimeSpent)
		dst = append(dst, v.Extra, v.Seconds, v.Minutes, v.Hours)
	case model.Training:
		typed(typeTraining)
		return appendTraining(dst, v)
	case model.Quotation:
		typed(typeQuotation)
		return appendQuotation(dst, v)
	case model.PawnStructure:
		typed(typePawnStructure)
		dst = append(dst, byte(v))
	case model.PiecePath:
		typed(typePiecePath)
		dst = append(wire.AppendU32LE(dst, 2), v.Mode, storedSquare(v.Square)+1)
	case model.Clock:
		typed(typeWhiteClock + uint16(v.Player))
		dst = wire.AppendU32LE(dst, v.Centiseconds)
	case model.Critical:
		typed(typeCritical)
		dst = append(dst, byte(v))
	case model.WebLink:
		typed(typeWebLink)
		dst = appendSized(appendSized(append(dst, 1), v.URL), v.Caption)
	case model.Engine:
		typed(typeEngine)
		for _, n := range [3]int16{v.Value, v.Type, v.Depth} {
			dst = wire.AppendU16LE(dst, uint16(n))
		}
	case model.Medals:
		typed(typeMedals)
		dst = wire.AppendU32LE(dst, uint32(v))
	case model.VariationColor:
		typed(typeVariationColor)
		dst = append(dst, v.Red, v.Green, v.Blue, v.Flags)
	case model.TimeControl:
		typed(typeTimeControl)
		dst = append(dst, 1)
		for _, s := range v {
			dst = wire.AppendU32LE(wire.AppendU32LE(dst, s.Start), s.Increment)
			dst = append(wire.AppendU16LE(dst, s.Moves), s.Kind)
		}
		dst = wire.AppendU32LE(dst, 0)
	case model.VideoTime:
		typed(typeVideoTime)
		dst = wire.AppendU32LE(dst, uint32(v))
	case model.Evaluations:
		typed(typeEvaluations)
		dst = wire.AppendU32LE(append(dst, 1), uint32(2+4*len(v)))
		dst = wire.AppendU16LE(dst, uint16(len(v)))
		for _, e := range v {
			dst = append(wire.AppendU16LE(dst, uint16(e.Value)), e.Depth, byte(e.Kind))
		}
	case model.Opaque:
		if v.Format != Format {
			return dst, false
		}
		typed(uint16(v.Type))
		dst = append(dst, v.Data...)
	default:
		return dst, false
	}
	return dst, true
}

// sized reads a number of bytes and as many bytes.
func sized(c *wire.Cursor) []byte {
	n := c.I32LE()
	if n < 0 {
		c.Fail("size", model.ErrCorrupt)
		return nil
	}
	return c.Bytes(int(n))
}

// appendSized is the inverse of sized.
func appendSized(dst []byte, s string) []byte {
	return append(wire.AppendU32LE(dst, uint32(len(s))), s...)
}

// decodeText returns a stored text: UTF-8 or, where it is none, as foreign reads it.
func decodeText(b []byte, foreign func([]byte) string) string {
	if foreign == nil || utf8.Valid(b) {
		return string(b)
	}
	return foreign(b)
}

// languages are those of annotations by their numbers, which are not the nations of
// the classic format. Others are kept as guiding texts keep theirs.
var languages = map[uint16]model.Language{
	0: model.English, 1: model.German, 2: model.French, 3: model.Spanish, 4: model.Italian, 5: model.Dutch,
	6: model.Portuguese, 7: model.AnyLanguage, 12: model.Polish, 18: model.Greek,
}

func languageOf(n uint16) model.Language {
	if language, ok := languages[n]; ok {
		return language
	}
	return model.GuideLanguageBase + model.Language(n)
}

func languageNumber(l model.Language) uint16 {
	for n, language := range languages {
		if language == l {
			return n
		}
	}
	if l >= model.GuideLanguageBase {
		return uint16(l - model.GuideLanguageBase)
	}
	return 7
}

// A training question:
//
//	01 01 variant 00 00 00 | i32 seconds | i16 points | four lists: question, reply to
//	a wrong move, first and second hint | u8 solutions
//	variant 1, each: u8 from | u8 to | u8 0 | u8 points | list: reply
//	variant 2, each: u8 points | two lists
//
// A list is u16 entries, and for each u16 language, i32 size, bytes. The languages 7
// and 8 with data in the form of arrows and of squares are marks, which the model has
// no word for: the question is opaque then, as in variant 2.
func decodeTraining(c *wire.Cursor, text func([]byte) string) (model.Value, bool) {
	head := c.Bytes(6)
	if head == nil || !bytes.Equal(head[:2], []byte{1, 1}) || head[2] != 1 && head[2] != 2 {
		return nil, c.Err() != nil // what another variant holds is not known
	}
	words := bytes.Equal(head[3:], []byte{0, 0, 0}) && head[2] == 1
	list := func() (texts []model.TrainingText) {
		for n := c.U16LE(); n > 0 && c.Err() == nil; n-- {
			language, b := c.U16LE(), sized(c)
			if language == 7 && areMarks(b, 3) || language == 8 && areMarks(b, 2) {
				words = false
			}
			texts = append(texts, model.TrainingText{Language: languageOf(language), Text: text(b)})
		}
		return texts
	}
	v := model.Training{Seconds: c.U32LE(), Points: c.U16LE()}
	v.Question, v.WrongReply, v.FirstHint, v.SecondHint = list(), list(), list(), list()
	for n := c.U8(); n > 0 && c.Err() == nil; n-- {
		if head[2] == 2 {
			c.U8()
			list()
			list()
			continue
		}
		from, to := c.U8(), c.U8()
		words = words && from < 64 && to < 64
		v.Solutions = append(v.Solutions, model.Solution{From: square(from % 64), To: square(to % 64), Promotion: c.U8(), Points: c.U8(), Reply: list()})
	}
	if !words {
		return nil, true
	}
	return v, true
}

// areMarks reports whether bytes are a number and as many bytes, in groups of so many: a colour
// and one square or two.
func areMarks(b []byte, size int) bool {
	if len(b) < 4+size || (len(b)-4)%size != 0 || b[0] != byte(len(b)-4) || b[1] != byte((len(b)-4)>>8) || b[2] != 0 || b[3] != 0 {
		return false
	}
	for i, c := range b[4:] {
		if most := [2]byte{9, 64}[min(i%size, 1)]; c < 1 || c > most {
			return false
		}
	}
	return true
}

func appendTraining(dst []byte, v model.Training) ([]byte, bool) {
	if len(v.Solutions) > math.MaxUint8 {
		return dst, false
	}
	list := func(texts []model.TrainingText) {
		dst = wire.AppendU16LE(dst, uint16(len(texts)))
		for _, t := range texts {
			dst = appendSized(wire.AppendU16LE(dst, languageNumber(t.Language)), t.Text)
		}
	}
	dst = append(dst, 1, 1, 1, 0, 0, 0)
	dst = wire.AppendU16LE(wire.AppendU32LE(dst, v.Seconds), v.Points)
	for _, texts := range [][]model.TrainingText{v.Question, v.WrongReply, v.FirstHint, v.SecondHint} {
		list(texts)
	}
	dst = append(dst, byte(len(v.Solutions)))
	for _, s := range v.Solutions {
		dst = append(dst, storedSquare(s.From), storedSquare(s.To), s.Promotion, s.Points)
		list(s.Reply)
	}
	return dst, true
}

// A quotation:
//
//	u8 1 | i16 mode: 1 header, 2 with moves | i16 ? | i32 1 | u8 0
//	six strings: u8 size with the zero behind it, bytes, zero: White last, first,
//	Black last, first, site, event
//	35 bytes: 0 date, 4 type of the event, 6 nation, 10 rounds, 28 and 30 ratings,
//	32 opening, 34 result
//	44 bytes: 8 round, 9 subround
//	two names of ratings: 01 00 01 00 00, i32 size, bytes
//	29 bytes, of which 26 is 1 for the standard start; with 0, 75 more bytes stand in
//	front of the last 2, the first 64 the board file by file
//	i32 moves, 5 bytes each: from, to with what a pawn becomes in the highest two bits
//	(bit 6 of from says that one does), 3 zero bytes | i32 0
//
// Moves are replayed, legal or not. A game that does not begin in the standard
// position is opaque.
func decodeQuotation(c *wire.Cursor, text func([]byte) string) model.Value {
	one, mode, spare := c.U8(), c.U16LE(), c.U16LE()
	c.Skip(5)
	var names [6]string
	for i := range names {
		if b := c.Bytes(int(c.U8())); len(b) > 0 {
			names[i] = text(b[:len(b)-1])
		}
	}
	head, tail := c.Bytes(35), c.Bytes(44)
	for range 2 {
		c.Skip(5)
		sized(c)
	}
	start := c.Bytes(27)
	standard := len(start) == 27 && start[26] == 1
	if !standard {
		c.Skip(75)
	}
	c.Skip(2)
	n := c.I32LE()
	words := c.Bytes(5 * int(max(n, 0)))
	c.Skip(4)
	if c.Err() != nil || n < 0 || one != 1 || mode != 1 && mode != 2 || !standard {
		return nil
	}
	h := wire.NewCursor(head)
	v := model.Quotation{White: joined(names[0], names[1]), Black: joined(names[2], names[3]), Site: names[4], Event: names[5], Spare: spare,
		Date: date(h.U32LE()), EventType: wire.EventType(h.U16LE()), Nation: model.Nation(h.U16LE()), WithMoves: mode == 2, Round: tail[8], Subround: tail[9]}
	h.Skip(2)
	v.Rounds = h.U16LE()
	h.Skip(16)
	v.WhiteElo, v.BlackElo, v.ECO = h.U16LE(), h.U16LE(), model.ECO(h.U16LE())
	result := h.U8()
	if !v.ECO.Valid() {
		v.ECO = 0
	}
	if int(result) >= len(results) {
		return nil
	}
	v.Result = results[result]
	pos := board.Start()
	for ; len(words) >= 5; words = words[5:] {
		from, to := square(words[0]&63), square(words[1]&63)
		m := model.NewMove(from, to)
		switch piece := pos.PieceAt(from); {
		case words[0]>>6&1 == 1:
			m = model.NewPromotion(from, to, promotionOrder[words[1]>>6])
		case piece.Type() == model.King && (to-from == 2 || from-to == 2):
			side := model.KingSide
			if to < from {
				side = model.QueenSide
			}
			m = model.NewCastling(from, model.AllRights()[piece.Color()][side])
		}
		pos.Make(m)
		v.Moves = append(v.Moves, m)
	}
	return v
}

// joined returns a quoted name as the model has it.
func joined(last, first string) string {
	if first == "" {
		return last
	}
	return last + "," + first
}

// results are the results by their numbers.
var results = [...]model.Result{model.BlackWins, model.Draw, model.WhiteWins, model.NoResult,
	model.BlackWinsByForfeit, model.DrawByForfeit, model.WhiteWinsByForfeit, model.BothLose}

func appendQuotation(dst []byte, v model.Quotation) ([]byte, bool) {
	if v.Start != nil {
		return dst, false
	}
	mode := uint16(1)
	if v.WithMoves {
		mode = 2
	}
	dst = wire.AppendU16LE(wire.AppendU16LE(append(dst, 1), mode), v.Spare)
	dst = append(wire.AppendU32LE(dst, 1), 0)
	for _, name := range []string{v.White, v.Black} {
		p := model.ParsePlayer(name)
		dst = appendQuoted(appendQuoted(dst, p.LastName), p.FirstName)
	}
	dst = appendQuoted(appendQuoted(dst, v.Site), v.Event)
	dst = wire.AppendU32LE(dst, storedDate(v.Date))
	dst = wire.AppendU16LE(wire.AppendU16LE(dst, wire.EventNumber(v.EventType)), uint16(v.Nation))
	dst = wire.AppendU16LE(wire.AppendZeros(dst, 2), v.Rounds)
	dst = wire.AppendZeros(dst, 16)
	dst = wire.AppendU16LE(wire.AppendU16LE(wire.AppendU16LE(dst, v.WhiteElo), v.BlackElo), uint16(v.ECO))
	dst = append(dst, byte(slices.Index(results[:], v.Result)))
	dst = wire.AppendZeros(append(wire.AppendZeros(dst, 8), v.Round, v.Subround), 34)
	for range 2 {
		dst = appendSized(append(dst, 1, 0, 1, 0, 0), "FIDE")
	}
	dst = append(wire.AppendZeros(dst, 26), 1, 0, 0)
	dst = wire.AppendU32LE(dst, uint32(len(v.Moves)))
	for _, m := range v.Moves {
		from, to := storedSquare(m.From()), storedSquare(m.KingTarget())
		if becomes := m.Promotion(); becomes != model.NoPieceType {
			from |= 1 << 6
			to |= byte(slices.Index(promotionOrder[:], becomes)) << 6
		}
		dst = append(dst, from, to, 0, 0, 0)
	}
	return wire.AppendU32LE(dst, 0), true
}

// appendQuoted appends a name of a quotation, cut to what its size can say.
func appendQuoted(dst []byte, s string) []byte {
	s = wire.CutRunes(s, 254)
	return append(append(append(dst, byte(len(s)+1)), s...), 0)
}
