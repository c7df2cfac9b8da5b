package gen

import (
	"fmt"

	"cbkit/model"

	"pgregory.net/rapid"
)

// Game draws a game whose entities are those of the given tables.
func Game(c Config, e *model.Entities) *rapid.Generator[*model.Game] {
	return rapid.Custom(func(t *rapid.T) *model.Game {
		g := &model.Game{Header: drawHeader(t, c, e)}
		g.Leftovers.Header = c.leftover(t)
		if reason := drawReason(t, c); reason != nil {
			g.MovesErr = reason
			g.Leftovers.Moves = drawRaw(t)
		} else {
			g.Start, g.Moves = drawMoves(t, c)
			g.Leftovers.Moves = c.leftover(t)
		}
		if g.Start != nil && g.Start.Chess960 && !c.Wild {
			g.ECO = 0 // formats store the number of the start there
		}
		if reason := drawReason(t, c); reason != nil {
			g.AnnotationsErr = reason
			g.Leftovers.Annotations = drawRaw(t)
		} else {
			g.Annotations = drawAnnotations(t, c, g.Moves.Len())
			g.Leftovers.Annotations = c.leftover(t)
		}
		g.Leftovers.Derived = c.leftover(t)
		return g
	})
}

func drawReason(t *rapid.T, c Config) error {
	if !c.Undecodable || !chance(t, 8, "undecodable") {
		return nil
	}
	kind := rapid.SampledFrom([]error{model.ErrCorrupt, model.ErrUnsupported, model.ErrTruncated}).Draw(t, "reason")
	return fmt.Errorf("move %d: %w", rapid.IntRange(0, 99).Draw(t, "move"), kind)
}

func drawRaw(t *rapid.T) *model.Leftover {
	return &model.Leftover{Format: "cbh", Data: rapid.SliceOfN(rapid.Byte(), 1, 30).Draw(t, "raw")}
}

func drawHeader(t *rapid.T, c Config, e *model.Entities) model.Header {
	h := model.NewHeader()
	h.White = reference(t, &e.Players, "white")
	h.Black = reference(t, &e.Players, "black")
	h.Tournament = reference(t, &e.Tournaments, "tournament")
	h.Annotator = reference(t, &e.Annotators, "annotator")
	h.Source = reference(t, &e.Sources, "source")
	h.WhiteTeam = reference(t, &e.Teams, "white team")
	h.BlackTeam = reference(t, &e.Teams, "black team")
	h.GameTitle = reference(t, &e.GameTitles, "game title")
	h.Date = Date(c).Draw(t, "date")
	h.Result = Result(c).Draw(t, "result")
	h.ECO = ECO(c).Draw(t, "ECO")
	h.Round = number[uint16](t, c, 255, "round")
	h.Subround = number[uint16](t, c, 255, "subround")
	h.WhiteElo = rapid.Uint16().Draw(t, "white Elo")
	h.BlackElo = rapid.Uint16().Draw(t, "black Elo")
	if c.Wild || h.Result == model.NoResult {
		h.LineEvaluation = model.NAG(rapid.Byte().Draw(t, "line evaluation"))
	}
	if !c.NoTags {
		h.Tags = drawTags(t, c)
	}
	return h
}

// tagNames are tags without a field of their own.
var tagNames = []string{"Opening", "WhiteTitle", "WhiteFideId", "Board", "TimeControl", "UTCDate", "x", "A_b"}

func drawTags(t *rapid.T, c Config) []model.Tag {
	var tags []model.Tag
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(tagNames), 0, 3, rapid.ID).Draw(t, "tags") {
		tags = append(tags, model.Tag{Name: name, Value: c.text(t, "value")})
	}
	if c.Wild && chance(t, 3, "wild tag") {
		tags = append(tags, model.Tag{Name: c.name(t, "name"), Value: c.text(t, "value")})
	}
	return tags
}

// drawAnnotations draws annotations for the game as a whole and for its
// moves, often several at one place.
func drawAnnotations(t *rapid.T, c Config, nodes int) []model.Annotation {
	var g model.Game
	var list []model.Annotation
	place := model.NoNode
	for range rapid.SampledFrom([]int{0, 0, 1, 2, 3, 6, 10}).Draw(t, "annotations") {
		if rapid.Bool().Draw(t, "elsewhere") {
			place = rapid.IntRange(model.NoNode, nodes-1).Draw(t, "place")
		}
		if v, ok := drawValueAt(t, c, place, list); ok {
			list = append(list, model.Annotation{Node: int32(place), Value: v, Leftover: c.leftover(t)})
		}
	}
	g.SetAnnotations(list)
	return g.Annotations
}

// drawValueAt draws a value that may stand at the place beside those that are
// there: of each kind one, of texts one in each language before and behind
// the move. Formats keep to that; wild configurations do not.
func drawValueAt(t *rapid.T, c Config, place int, list []model.Annotation) (model.Value, bool) {
	if len(c.kinds()) == 0 {
		return nil, false
	}
	v := Value(c).Draw(t, "value")
	if c.Wild {
		return v, true
	}
	if text, ok := v.(model.Text); ok && place == model.NoNode {
		text.Before = false
		v = text
	}
	if gameKinds[v.Kind()] != (place == model.NoNode) && !anywhere[v.Kind()] {
		return nil, false
	}
	for _, a := range list {
		if int(a.Node) == place && sameSlot(a.Value, v) {
			return nil, false
		}
	}
	return v, true
}

// gameKinds belong to the game as a whole, all others to a move; those of
// anywhere to either.
var (
	gameKinds = map[model.Kind]bool{model.KindClock: true, model.KindTimeControl: true, model.KindEvaluations: true}
	anywhere  = map[model.Kind]bool{model.KindText: true, model.KindSquares: true, model.KindArrows: true,
		model.KindMedals: true, model.KindQuotation: true, model.KindWebLink: true, model.KindOpaque: true}
)

func sameSlot(a, b model.Value) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	switch a := a.(type) {
	case model.Text:
		b := b.(model.Text)
		return a.Before == b.Before && a.Language == b.Language
	case model.Clock:
		return a.Player == b.(model.Clock).Player
	case model.Opaque:
		return a.Type == b.(model.Opaque).Type
	}
	return true
}
