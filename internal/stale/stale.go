// Package stale shows the mistake of keeping a record that a source has yielded: in
// programs built with -race, records are overwritten before the next step.
package stale

import (
	"math"

	"cbkit/model"
)

// After returns what a source yields its records to: yield itself or, with the race
// detector, a function that Overwrites each record when the loop goes on.
func After(yield func(model.Record, error) bool) func(model.Record, error) bool {
	if !Overwrites {
		return yield
	}
	return func(rec model.Record, err error) bool {
		more := yield(rec, err)
		if more {
			overwrite(&rec)
		}
		return more
	}
}

// Note is what texts of overwritten records say.
const Note = "this record was kept beyond its step: model.Record.Clone keeps one"

// overwrite makes of a record what is not taken for one: names that are not there,
// null moves, texts that say why. Values that records share are not touched.
func overwrite(rec *model.Record) {
	if g := rec.Game; g != nil {
		tags := g.Tags
		for i := range tags {
			tags[i] = model.Tag{Name: "Stale", Value: Note}
		}
		nodes := g.Moves.Nodes()
		for i := range nodes {
			nodes[i].Move = model.NullMove
		}
		for i := range g.Annotations {
			g.Annotations[i] = model.Annotation{Node: g.Annotations[i].Node, Value: model.Text{Text: Note}}
		}
		g.Header = model.NewHeader()
		g.Tags, g.Round = tags, math.MaxUint16
	}
	if t := rec.Text; t != nil {
		for i := range t.Titles {
			t.Titles[i] = model.LocalText{Text: Note}
		}
		for i := range t.Contents {
			t.Contents[i] = model.LocalText{Text: Note}
		}
		t.Tournament, t.Annotator, t.Source, t.GameTitle = model.NoEntity, model.NoEntity, model.NoEntity, model.NoEntity
	}
}
