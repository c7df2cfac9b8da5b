package model

import (
	"bytes"
	"reflect"
	"slices"
	"sync"
)

// Annotation is a value attached to a place in a game.
//
// The annotations of a game are sorted by place; at one place their order is
// part of the game. They belong to the position after the move of their node,
// save where a value says otherwise.
type Annotation struct {
	// Node is the index of a move in the game's tree, or [NoNode] for the
	// game as a whole.
	Node  int32
	Value Value
	// Leftover is what the format of origin stored and Value cannot say.
	Leftover *Leftover
}

// Value is the content of an annotation: [Text], [Symbols], [Squares], [Arrows]
// and the other types of this package that implement it, or [Opaque]. Other
// implementations are not supported, and values are not pointers; see
// [KnownValue].
type Value interface {
	// Kind names the type of the value.
	Kind() Kind
	// Equal reports whether other has the same type and content.
	Equal(other Value) bool
}

// Kind names a type of annotation as it appears in JSON Lines.
type Kind string

// The kinds of annotations.
const (
	KindText           Kind = "text"
	KindSymbols        Kind = "symbols"
	KindSquares        Kind = "squares"
	KindArrows         Kind = "arrows"
	KindTimeSpent      Kind = "time-spent"
	KindTraining       Kind = "training"
	KindQuotation      Kind = "quotation"
	KindPawnStructure  Kind = "pawn-structure"
	KindPiecePath      Kind = "piece-path"
	KindClock          Kind = "clock"
	KindCritical       Kind = "critical"
	KindWebLink        Kind = "web-link"
	KindEngine         Kind = "engine"
	KindMedals         Kind = "medals"
	KindVariationColor Kind = "variation-color"
	KindTimeControl    Kind = "time-control"
	KindVideoTime      Kind = "video-time"
	KindEvaluations    Kind = "evaluations"
	KindOpaque         Kind = "opaque"
)

// Kinds returns the kinds of annotations.
func Kinds() []Kind {
	return []Kind{
		KindText, KindSymbols, KindSquares, KindArrows, KindTimeSpent,
		KindTraining, KindQuotation, KindPawnStructure, KindPiecePath, KindClock,
		KindCritical, KindWebLink, KindEngine, KindMedals, KindVariationColor,
		KindTimeControl, KindVideoTime, KindEvaluations, KindOpaque,
	}
}

// Text is a comment.
type Text struct {
	Language Language
	// Before says that the text stands in front of the move, not behind it.
	Before bool
	Text   string
}

// Symbols are the signs at a move. Each of the three slots holds one NAG, 0
// for none: the quality of the move (!, ?), the judgement of the position
// after it (=, +-), and the prefix (with the idea, better is). Formats
// without slots list Prefix, Move, Position, then More.
type Symbols struct {
	Move, Position, Prefix NAG
	// More holds NAGs beyond the three slots, in their order.
	More []NAG
}

// MarkColor is the colour of a marked square or an arrow.
type MarkColor uint8

// The colours in use. Other numbers occur and are kept.
const (
	Green  MarkColor = 2
	Yellow MarkColor = 3
	Red    MarkColor = 4
	Blue   MarkColor = 7
)

// ColoredSquare is a marked square.
type ColoredSquare struct {
	Color  MarkColor
	Square Square
}

// Squares are the marked squares of a position, in drawing order.
type Squares []ColoredSquare

// ColoredArrow is an arrow between two squares.
type ColoredArrow struct {
	Color    MarkColor
	From, To Square
}

// Arrows are the arrows drawn in a position, in drawing order.
type Arrows []ColoredArrow

// Opaque is an annotation of an unknown kind, or one whose content contradicts
// its kind. Its bytes are kept where the target has the same format.
type Opaque struct {
	// Format names the format that the type number and the data belong to,
	// such as "cbh".
	Format string
	Type   uint8
	Data   []byte
}

func (Text) Kind() Kind { return KindText }

func (Symbols) Kind() Kind { return KindSymbols }

func (Squares) Kind() Kind { return KindSquares }

func (Arrows) Kind() Kind { return KindArrows }

func (Opaque) Kind() Kind { return KindOpaque }

func (t Text) Equal(other Value) bool { return other == Value(t) }

func (s Symbols) Equal(other Value) bool {
	o, ok := other.(Symbols)
	return ok && s.Move == o.Move && s.Position == o.Position && s.Prefix == o.Prefix &&
		slices.Equal(s.More, o.More)
}

func (s Squares) Equal(other Value) bool {
	o, ok := other.(Squares)
	return ok && slices.Equal(s, o)
}

func (a Arrows) Equal(other Value) bool {
	o, ok := other.(Arrows)
	return ok && slices.Equal(a, o)
}

func (o Opaque) Equal(other Value) bool {
	p, ok := other.(Opaque)
	return ok && o.Format == p.Format && o.Type == p.Type && bytes.Equal(o.Data, p.Data)
}

// NAGs returns the symbols as a list: prefix, move, position, then the rest.
func (s Symbols) NAGs() []NAG { return s.AppendNAGs(nil) }

// AppendNAGs appends what NAGs returns.
func (s Symbols) AppendNAGs(dst []NAG) []NAG {
	for _, n := range [...]NAG{s.Prefix, s.Move, s.Position} {
		if n != 0 {
			dst = append(dst, n)
		}
	}
	return append(dst, s.More...)
}

// Add puts a NAG into the slot it belongs to: 1-9 and 22 judge the move,
// 140-145 are prefixes, everything else judges the position. A NAG whose slot
// is taken goes to More. (docs/formats/cba.md 6, type 03)
func (s *Symbols) Add(n NAG) {
	slot := &s.Position
	switch {
	case n >= 1 && n <= 9 || n == 22:
		slot = &s.Move
	case n >= 140 && n <= 145:
		slot = &s.Prefix
	}
	switch {
	case n == 0:
	case *slot == 0:
		*slot = n
	default:
		s.More = append(s.More, n)
	}
}

// Value returns the symbols as a [Value]. It allocates nothing for the usual ones: at
// most one judgement of the move and one of the position.
func (s Symbols) Value() Value {
	if len(s.More) == 0 && s.Prefix == 0 && int(s.Move) < judgements {
		return symbolValues()[int(s.Move)<<8|int(s.Position)]
	}
	return s
}

// judgements is the number of signs that judge a move, 0 for none included, all
// but the last, zugzwang.
const judgements = 10

var symbolValues = sync.OnceValue(func() *[judgements << 8]Value {
	var values [judgements << 8]Value
	for i := range values {
		values[i] = Symbols{Move: NAG(i >> 8), Position: NAG(i)}
	}
	return &values
})

// KnownValue returns v as one of the value types of this package. A pointer to
// such a type, which has the methods of a [Value] too, becomes what it points
// to. For nil, a nil pointer and any other type it returns nil and false: no
// format can hold those.
func KnownValue(v Value) (known Value, ok bool) {
	if isKnown(v) {
		return v, true
	}
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return nil, false
	}
	if v, ok = p.Elem().Interface().(Value); ok && isKnown(v) {
		return v, true
	}
	return nil, false
}

// isKnown reports whether a value is of one of the types of this package.
func isKnown(v Value) bool {
	switch v.(type) {
	case Text, Symbols, Squares, Arrows, TimeSpent, Training, Quotation,
		PawnStructure, PiecePath, Clock, Critical, WebLink, Engine, Medals,
		VariationColor, TimeControl, VideoTime, Evaluations, Opaque:
		return true
	}
	return false
}

// WithKnownValues returns the game as a [Sink] can write it: with annotations
// of the types of this package only (see [KnownValue]). Others are left out and
// reported as losses of record id. If there are none it returns the game
// itself, which never changes.
//
// [Game.Annotate] and [Game.SetAnnotations] ensure most of this; a list that
// was set directly may need it.
func (g *Game) WithKnownValues(id RecordID, report Report) *Game {
	if allKnown(g.Annotations) {
		return g
	}
	c := *g
	c.Annotations = nil
	for _, a := range g.Annotations {
		v, ok := KnownValue(a.Value)
		if !ok {
			report.Add(LostAnnotation, id, "annotation", "a value of type %T is none of the model's", a.Value)
			continue
		}
		a.Value = v
		c.Annotations = append(c.Annotations, a)
	}
	return &c
}

func allKnown(list []Annotation) bool {
	for i := range list {
		if !isKnown(list[i].Value) {
			return false
		}
	}
	return true
}
