package collect

import (
	"context"
	"iter"
	"regexp"
	"slices"
	"strings"

	"cbkit/internal/marks"
	"cbkit/model"
)

// Parts is a set of things that [Strip] removes from games.
type Parts uint16

// The parts.
const (
	Comments   Parts = 1 << iota // texts
	Variations                   // all lines but the main one, with what is said of them
	Symbols                      // !, ?, +- and the like
	Graphics                     // squares, arrows, pawn structures, paths
	Training                     // questions
	Clocks                       // clocks, time spent, time controls
	Engines                      // evaluations
	Media                        // sounds, pictures, films, links
	Medals
	Quotations
	Other // colours of variations, critical positions, whatever is not known
	numParts

	// Annotations are all parts but the variations.
	Annotations = numParts - 1 - Variations
)

// partOf says which part each kind of annotation belongs to; [Other] those that
// are not named.
var partOf = map[model.Kind]Parts{
	model.KindText: Comments, model.KindSymbols: Symbols, model.KindSquares: Graphics, model.KindArrows: Graphics,
	model.KindPawnStructure: Graphics, model.KindPiecePath: Graphics, model.KindTraining: Training,
	model.KindTimeSpent: Clocks, model.KindClock: Clocks, model.KindTimeControl: Clocks,
	model.KindEngine: Engines, model.KindEvaluations: Engines, model.KindWebLink: Media, model.KindVideoTime: Media,
	model.KindMedals: Medals, model.KindQuotation: Quotations,
}

// media are the types of annotations that the model does not know and that hold
// sounds, pictures and films. (docs/formats/cba.md 7)
var media = []uint8{0x10, 0x11, 0x1A, 0x20}

func partOfValue(v model.Value) Parts {
	if o, ok := v.(model.Opaque); ok && slices.Contains(media, o.Type) {
		return Media
	}
	if part, ok := partOf[v.Kind()]; ok {
		return part
	}
	return Other
}

// StripGame removes parts from a game and reports whether it had any of them. Clocks,
// times and verdicts are also removed if they are commands in a text, as servers write
// them ("[%clk 0:03:00]"), and verdicts also in the form of engine matches and of
// Lichess's analysis: "+0.31/14 0.53s", "Mistake. Nf3 was best."; other words stay.
func StripGame(g *model.Game, parts Parts) bool {
	lines := parts&Variations != 0 && g.Moves.HasVariations()
	if lines {
		var line model.Tree
		main := g.Moves.MainLen()
		for _, n := range g.Moves.Nodes()[:main] {
			line.Append(n.Move)
		}
		list := slices.DeleteFunc(slices.Clone(g.Annotations), func(a model.Annotation) bool { return int(a.Node) >= main })
		g.SetMoves(g.Start, line)
		g.SetAnnotations(list)
	}
	list := make([]model.Annotation, 0, len(g.Annotations))
	changed := false
	for _, a := range g.Annotations {
		if parts&partOfValue(a.Value) != 0 {
			changed = true
			continue
		}
		if t, ok := a.Value.(model.Text); ok {
			if left := stripText(t.Text, parts); left != t.Text {
				changed = true
				if t.Text = left; left == "" {
					continue
				}
				a.Value, a.Leftover = t, nil
			}
		}
		list = append(list, a)
	}
	if changed {
		g.SetAnnotations(list)
	}
	return lines || changed
}

// ofServer is what the analysis of Lichess says of a move.
var ofServer = regexp.MustCompile(`^(\([^()]* → [^()]*\) )?(Inaccuracy|Mistake|Blunder|Checkmate is now unavoidable|Lost forced checkmate sequence)\. [^ ]+ was best\. ?`)

// stripText returns a text without what says parts.
func stripText(text string, parts Parts) string {
	verdict, spent := marks.Remark(text, model.White)
	switch score, rest, _ := strings.Cut(text, " "); {
	case parts&Engines != 0 && (verdict.Kind != "" || text == "book"):
		return ""
	case parts&Clocks != 0 && spent.Kind != "":
		_, words, said := strings.Cut(rest, ",")
		if text = score; said {
			text += "," + words
		}
	}
	left := stripCommands(text, parts)
	if parts&Engines != 0 && len(left) > 0 && strings.IndexByte("(IMBCL", left[0]) >= 0 {
		left = left[len(ofServer.FindString(left)):]
	}
	return left
}

// stripCommands returns a text without the commands that say parts.
func stripCommands(text string, parts Parts) string {
	var kept strings.Builder
	rest, cut := text, false
	for c, ok := marks.Next(rest); ok; c, ok = marks.Next(rest) {
		kept.WriteString(c.Before)
		rest = c.After
		if said, ok := c.Said(); !ok || parts&partOf[said.Kind] == 0 {
			kept.WriteString(c.Text)
			continue
		}
		if cut = true; kept.Len() == 0 || strings.HasSuffix(kept.String(), " ") {
			rest = strings.TrimLeft(rest, " ")
		}
	}
	if !cut {
		return text
	}
	kept.WriteString(rest)
	return strings.TrimRight(kept.String(), " ")
}

// Strip returns a source whose games lack the given parts. OnStrip, if not nil, is called
// for each record that had any, before it is yielded.
func Strip(src model.Source, parts Parts, onStrip func(*model.Record)) model.Source {
	return &stripped{src, parts, onStrip}
}

// keepFaults keeps what was wrong with a game whose moves or annotations are
// others now.
func keepFaults(rec *model.Record, was *model.Game) {
	g := rec.Game
	if g == nil || was == nil {
		return
	}
	damage := slices.Clip(rec.Damage)
	if was.MovesErr != nil && g.MovesErr == nil {
		damage = append(damage, was.MovesErr)
	}
	if was.AnnotationsErr != nil && g.AnnotationsErr == nil {
		damage = append(damage, was.AnnotationsErr)
	}
	rec.Damage = damage
}

type stripped struct {
	model.Source
	parts   Parts
	onStrip func(*model.Record)
}

// Progress implements [model.Measured] as the source does.
func (s *stripped) Progress() (done, total int64) { return model.ProgressOf(s.Source) }

// Records implements [model.Source].
func (s *stripped) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		for rec, err := range s.Source.Records(ctx, from, want) {
			if was := rec.Game; was != nil {
				g := *was
				some := StripGame(&g, s.parts)
				rec.Game = &g
				keepFaults(&rec, was)
				if some && s.onStrip != nil {
					s.onStrip(&rec)
				}
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}
