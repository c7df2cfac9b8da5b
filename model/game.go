package model

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"
)

// Game is one game of chess.
//
// [NewGame] makes a game about which nothing is known. Sinks and editors refuse the zero
// value; see [Header].
//
// Fields may be read freely. To change one, prefer the methods, which drop
// the leftovers that no longer fit.
type Game struct {
	Header
	// Start is the position before the first move; nil is the standard one.
	Start *Position
	Moves Tree
	// Signs are what notation says of the moves, by node, where a source that was
	// asked for them knows ([WantSigns]); nil otherwise. They follow from Start and
	// Moves; no comparison looks at them.
	Signs []Sign
	// Annotations are sorted by node; see [Annotation].
	Annotations []Annotation

	// MovesErr says why the stored moves could not be decoded. The record travels
	// whole in Leftovers.Moves, and Start and Moves are empty, unless the source
	// was asked to keep going: then they have what stands before the damage, for
	// formats that cannot carry the record.
	MovesErr error
	// AnnotationsErr says why not all stored annotations could be decoded. Then
	// Annotations has those that could, and the record travels whole in
	// Leftovers.Annotations.
	AnnotationsErr error

	Leftovers GameLeftovers
}

// IsPlayable reports whether any of the game can be played: all of its moves, or those
// before damage, or at least its start position.
func (g *Game) IsPlayable() bool { return g.MovesErr == nil || g.Moves.Len() > 0 || g.Start != nil }

// WithCut returns the game, whose stored moves after the last one could not be read, with
// a text at that move that says why.
func (g *Game) WithCut(why error) *Game {
	var at *FormatError
	if errors.As(why, &at) {
		why = at.Err
	}
	c, last := *g, int32(g.Moves.Len()-1)
	place, _ := slices.BinarySearchFunc(c.Annotations, last+1, func(a Annotation, node int32) int { return cmp.Compare(a.Node, node) })
	c.Annotations = slices.Insert(slices.Clone(c.Annotations), place, Annotation{Node: last, Value: Text{Text: fmt.Sprintf("the stored moves end here: %v", why)}})
	return &c
}

// Header is what is known about a game besides its moves. Entity fields are
// ids into the tables of the game's source. Ids begin with 0, so in the zero
// value the first player of the table plays himself, in the first tournament.
// Therefore headers are made by [NewHeader], which has [NoEntity] everywhere, or
// come from a source; sinks and editors refuse others with [ErrNotMade].
type Header struct {
	White, Black         EntityID
	Tournament           EntityID
	Annotator            EntityID
	Source               EntityID
	WhiteTeam, BlackTeam EntityID
	GameTitle            EntityID

	Date   Date
	Result Result
	// LineEvaluation judges the final position of a line that is not a
	// finished game.
	LineEvaluation NAG
	// Round and Subround are 0 if not known.
	Round, Subround uint16
	// WhiteElo and BlackElo are 0 if not known.
	WhiteElo, BlackElo uint16
	ECO                ECO
	// Tags are the PGN tags that have no field of their own, by name.
	Tags []Tag

	made bool // by NewHeader: its ids were set, or are NoEntity
}

// Tag is a PGN tag.
type Tag struct {
	Name, Value string
}

// NewGame returns a game of which nothing is known: without entities, moves
// and annotations, from the standard starting position.
func NewGame() *Game { return &Game{Header: NewHeader()} }

// NewHeader returns a header in which nothing is known.
func NewHeader() Header {
	return Header{
		White: NoEntity, Black: NoEntity, Tournament: NoEntity, Annotator: NoEntity,
		Source: NoEntity, WhiteTeam: NoEntity, BlackTeam: NoEntity, GameTitle: NoEntity,
		made: true,
	}
}

// Tag returns the value of a tag, "" if the game does not have it.
func (h *Header) Tag(name string) string {
	for _, t := range h.Tags {
		if t.Name == name {
			return t.Value
		}
	}
	return ""
}

// ResolvedHeader is a [Header] with its entities by value, without the tags. It can
// be compared. [Record.Header] returns that of a record.
type ResolvedHeader struct {
	White, Black         Player
	Tournament           Tournament
	Annotator            Annotator
	Source               Publication
	WhiteTeam, BlackTeam Team
	GameTitle            GameTitle

	Date               Date
	Result             Result
	LineEvaluation     NAG
	Round, Subround    uint16
	WhiteElo, BlackElo uint16
	ECO                ECO
}

// resolve looks the entities up in e.
func (h *Header) resolve(e *Entities) ResolvedHeader {
	return ResolvedHeader{
		White: e.Players.Value(h.White), Black: e.Players.Value(h.Black),
		Tournament: e.Tournaments.Value(h.Tournament), Annotator: e.Annotators.Value(h.Annotator),
		Source: e.Sources.Value(h.Source), GameTitle: e.GameTitles.Value(h.GameTitle),
		WhiteTeam: e.Teams.Value(h.WhiteTeam), BlackTeam: e.Teams.Value(h.BlackTeam),

		Date: h.Date, Result: h.Result, LineEvaluation: h.LineEvaluation,
		Round: h.Round, Subround: h.Subround, WhiteElo: h.WhiteElo, BlackElo: h.BlackElo, ECO: h.ECO,
	}
}

// String returns one line such as "Tal, Mikhail - Smyslov, Vasily 1-0, Candidates (8.2),
// Bled 1959.09.25", without what is not known.
func (h ResolvedHeader) String() string {
	var line strings.Builder
	add := func(before, text string) {
		if text != "" {
			if line.Len() > 0 {
				line.WriteString(before)
			}
			line.WriteString(text)
		}
	}
	if none := (Player{}); h.White != none || h.Black != none {
		line.WriteString(cmp.Or(h.White.String(), "?") + " - " + cmp.Or(h.Black.String(), "?"))
	}
	if h.Result != NoResult {
		add(" ", h.Result.String())
	}
	add(", ", h.Tournament.Title)
	switch {
	case h.Subround != 0:
		add(" ", fmt.Sprintf("(%d.%d)", h.Round, h.Subround))
	case h.Round != 0:
		add(" ", fmt.Sprintf("(%d)", h.Round))
	}
	add(", ", h.Tournament.Place)
	if !h.Date.IsZero() {
		before := ", "
		if h.Tournament.Place != "" {
			before = " "
		}
		add(before, strings.TrimSuffix(strings.TrimSuffix(h.Date.String(), ".??"), ".??"))
	}
	return line.String()
}

// GameLeftovers are the leftovers of a game, by part.
type GameLeftovers struct {
	// Header depends on nothing: a format writes the model's fields over it.
	Header *Leftover
	// Derived is what was stored about the moves and the annotations, right
	// or wrong: flags, counts, material. It depends on both.
	Derived *Leftover
	// Moves depends on Start and Moves.
	Moves *Leftover
	// Annotations depends on the list of annotations.
	Annotations *Leftover
}

// Part is a part of a game on which leftovers depend.
type Part uint8

// The parts of a game.
const (
	MovesPart Part = 1 << iota
	AnnotationsPart
)

// Forget drops the leftovers that depend on the given parts. Call it after
// changing fields of a game directly.
func (g *Game) Forget(parts Part) {
	g.Leftovers.Derived = nil
	if parts&MovesPart != 0 {
		g.Leftovers.Moves, g.MovesErr, g.Signs = nil, nil, nil
	}
	if parts&AnnotationsPart != 0 {
		g.Leftovers.Annotations, g.AnnotationsErr = nil, nil
	}
}

// SetMoves replaces the starting position (nil for the standard one) and the
// moves. Annotations keep their node numbers.
func (g *Game) SetMoves(start *Position, moves Tree) {
	g.Start, g.Moves = start, moves
	g.Forget(MovesPart)
}

// SetAnnotations replaces all annotations and sorts them by node, keeping the
// order at each place. Their values become those that [Game.Annotate] adds. The
// list belongs to the game afterwards.
func (g *Game) SetAnnotations(list []Annotation) {
	list = slices.DeleteFunc(list, func(a Annotation) bool { return plain(a.Value) == nil })
	for i := range list {
		list[i].Value = plain(list[i].Value)
	}
	g.Annotations = list
	sort.SliceStable(list, func(i, j int) bool { return list[i].Node < list[j].Node })
	g.Forget(AnnotationsPart)
}

// Annotate adds a value after the other annotations of a place. A pointer to a
// value becomes the value; nil is ignored.
func (g *Game) Annotate(node int, v Value) {
	if v = plain(v); v == nil {
		return
	}
	i := sort.Search(len(g.Annotations), func(i int) bool { return int(g.Annotations[i].Node) > node })
	g.Annotations = slices.Insert(g.Annotations, i, Annotation{Node: int32(node), Value: v})
	g.Forget(AnnotationsPart)
}

// plain returns the value itself of a pointer to one, and nil for a pointer to
// nothing. A value of a type that the model does not have stays: sinks report
// it.
func plain(v Value) Value {
	if known, ok := KnownValue(v); ok {
		return known
	}
	if p := reflect.ValueOf(v); p.Kind() == reflect.Pointer && p.IsNil() {
		return nil
	}
	return v
}

// AnnotationsAt returns the annotations of a place in their order. The slice
// belongs to the game.
func (g *Game) AnnotationsAt(node int) []Annotation {
	list := g.Annotations
	from := sort.Search(len(list), func(i int) bool { return int(list[i].Node) >= node })
	to := from
	for to < len(list) && int(list[to].Node) == node {
		to++
	}
	return list[from:to]
}

// Medals returns the union of all medals among the annotations.
func (g *Game) Medals() Medals {
	var all Medals
	for i := range g.Annotations {
		if m, ok := g.Annotations[i].Value.(Medals); ok {
			all |= m
		}
	}
	return all
}

// StartPosition returns the position before the first move.
func (g *Game) StartPosition() Position {
	if g.Start != nil {
		return *g.Start
	}
	return StartPosition()
}
