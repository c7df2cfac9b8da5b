package model

import (
	"errors"
	"io/fs"
	"slices"
)

// RecordID is the number of a game or guiding text, from 1.
type RecordID int32

// Record is a game or a guiding text with its place in the database. Exactly
// one of Game and Text is not nil.
type Record struct {
	ID RecordID
	// Deleted marks a record that is kept, with everything it holds, until its
	// database is compacted.
	Deleted bool
	Game    *Game
	Text    *GuidingText
	// Damage says what is wrong with the stored record besides what MovesErr,
	// AnnotationsErr and ContentErr report: references to entities that do not
	// exist, moves after an impossible one.
	Damage []error
	// Unread are the fields of the header whose stored values mean nothing; in Game they
	// are unset. A sink of another format loses them ([ReportUnread]).
	Unread []Unread
}

// Change is what an edit did to a record of a text that is being edited.
type Change uint8

const (
	Unchanged     Change = iota // its bytes stay
	ChangedHeader               // names, tags, the result and the like; the mark as deleted
	ChangedGame                 // its moves or annotations too
	Removed                     // it is to be removed
)

// Unread is a field that a source could not read.
type Unread struct {
	// Field names it, What has the stored value: "result", "9 is no result".
	Field, What string
}

// Header returns what is known of a game besides its moves, or of a text, with its
// names looked up in the tables of its source:
//
//	fmt.Println(rec.ID, rec.Header(src.Entities()))
func (r Record) Header(e *Entities) ResolvedHeader {
	switch {
	case r.Game != nil:
		return r.Game.Header.resolve(e)
	case r.Text != nil:
		t := r.Text
		return ResolvedHeader{
			Tournament: e.Tournaments.Value(t.Tournament), Annotator: e.Annotators.Value(t.Annotator), Source: e.Sources.Value(t.Source),
			GameTitle: e.GameTitles.Value(t.GameTitle), Round: t.Round, Subround: t.Subround,
		}
	}
	return ResolvedHeader{}
}

// Faults returns everything of a record that could not be read or decoded, each
// with its place. References into an optional file that is missing are no
// faults, nor is a text of an unknown version.
func (r *Record) Faults() []error {
	var all []error
	for _, err := range r.Damage {
		if !errors.Is(err, fs.ErrNotExist) {
			all = append(all, err)
		}
	}
	var content []error
	if g := r.Game; g != nil {
		content = []error{g.MovesErr, g.AnnotationsErr}
	} else if t := r.Text; t != nil {
		content = []error{t.ContentErr}
	}
	for i, err := range content {
		if err != nil && !(r.Text != nil && i == 0 && errors.Is(err, ErrUnsupported)) {
			all = append(all, err)
		}
	}
	return all
}

// Clone returns a copy that shares nothing with r that later steps of a
// source may change.
func (r Record) Clone() Record {
	if r.Game != nil {
		r.Game = r.Game.Clone()
	}
	if r.Text != nil {
		r.Text = r.Text.Clone()
	}
	r.Damage, r.Unread = slices.Clone(r.Damage), slices.Clone(r.Unread)
	return r
}

// Clone returns a deep copy of the game. The values of annotations are shared:
// they are never changed in place.
func (g *Game) Clone() *Game {
	c := *g
	c.Tags = slices.Clone(g.Tags)
	if g.Start != nil {
		start := *g.Start
		c.Start = &start
	}
	c.Moves, c.Signs = g.Moves.Clone(), slices.Clone(g.Signs)
	c.Annotations = slices.Clone(g.Annotations)
	for i := range c.Annotations {
		c.Annotations[i].Leftover = c.Annotations[i].Leftover.Clone()
	}
	l := &c.Leftovers
	l.Header, l.Derived = l.Header.Clone(), l.Derived.Clone()
	l.Moves, l.Annotations = l.Moves.Clone(), l.Annotations.Clone()
	return &c
}

// Clone returns a deep copy of the text.
func (t *GuidingText) Clone() *GuidingText {
	c := *t
	c.Titles = cloneTexts(t.Titles)
	c.Contents = cloneTexts(t.Contents)
	c.Media = slices.Clone(t.Media)
	c.Leftovers.Header = t.Leftovers.Header.Clone()
	c.Leftovers.Content = t.Leftovers.Content.Clone()
	return &c
}

func cloneTexts(list []LocalText) []LocalText {
	list = slices.Clone(list)
	for i := range list {
		list[i].Leftover = list[i].Leftover.Clone()
	}
	return list
}
