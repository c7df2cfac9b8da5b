package model

import (
	"slices"
	"strings"
)

// A database without tags keeps a link to a game as a [WebLink] in front of the first
// move, whose caption says which tag it is. Writers of such databases make it of the tag,
// the writer of PGN makes the tag of it again.

// linkTags are the names of tags that link to their game, in small letters.
var linkTags = map[string]bool{"site": true, "link": true, "url": true, "gameurl": true, "gamelink": true, "chapterurl": true}

const (
	linkCaption = "PGN tag "
	longestLink = 255 // bytes of an address
)

// Link returns the link that stands for the tag in a database without tags. ok is true
// for Site, Link, URL, GameURL, GameLink and ChapterURL, in any case, if the value is a
// web address in printable ASCII of at most 255 bytes.
func (t Tag) Link() (w WebLink, ok bool) {
	if !strings.HasPrefix(t.Value, "https://") && !strings.HasPrefix(t.Value, "http://") || len(t.Value) > longestLink || !linkTags[strings.ToLower(t.Name)] {
		return WebLink{}, false
	}
	for i := range len(t.Value) {
		if c := t.Value[i]; c <= ' ' || c > '~' {
			return WebLink{}, false
		}
	}
	return WebLink{URL: t.Value, Caption: linkCaption + t.Name}, true
}

// Tag returns the tag from which the link was made; ok is false for other links.
func (w WebLink) Tag() (t Tag, ok bool) {
	name, ok := strings.CutPrefix(w.Caption, linkCaption)
	if !ok {
		return Tag{}, false
	}
	t = Tag{Name: name, Value: w.URL}
	if _, ok = t.Link(); !ok {
		return Tag{}, false
	}
	return t, true
}

// LinksAsNotes returns a copy of the game in which tags that are links have become
// annotations in front of the first move. If there are none, or its annotations cannot be
// read, it returns the game itself, which never changes. The copy is made in scratch,
// whose slices are used again, or in a new game if scratch is nil.
func (g *Game) LinksAsNotes(scratch *Game) *Game {
	isLink := func(t Tag) bool { _, ok := t.Link(); return ok }
	if g.MovesErr != nil || g.AnnotationsErr != nil || !slices.ContainsFunc(g.Tags, isLink) {
		return g
	}
	c := g.copyInto(scratch)
	for _, t := range g.Tags {
		if w, ok := t.Link(); ok {
			c.Annotations = append(c.Annotations, Annotation{Node: NoNode, Value: w})
		} else {
			c.Tags = append(c.Tags, t)
		}
	}
	links := len(c.Annotations)
	c.Annotations = append(c.Annotations, g.Annotations...)
	// Links come behind what is said of the whole game already.
	if front := g.AnnotationsAt(NoNode); len(front) > 0 {
		copy(c.Annotations[len(front):], c.Annotations[:links])
		copy(c.Annotations, front)
	}
	c.Forget(AnnotationsPart)
	return c
}

// LinksAsTags is the inverse of [Game.LinksAsNotes].
func (g *Game) LinksAsTags(scratch *Game) *Game {
	isTag := func(a Annotation) bool {
		w, _ := a.Value.(WebLink)
		_, ok := w.Tag()
		return ok
	}
	front := g.AnnotationsAt(NoNode)
	if !slices.ContainsFunc(front, isTag) {
		return g
	}
	c := g.copyInto(scratch)
	c.Tags = append(c.Tags, g.Tags...)
	for _, a := range front {
		w, _ := a.Value.(WebLink)
		if t, ok := w.Tag(); ok {
			c.Tags = append(c.Tags, t)
		} else {
			c.Annotations = append(c.Annotations, a)
		}
	}
	c.Annotations = append(c.Annotations, g.Annotations[len(front):]...)
	c.Tags = sortedTags(c.Tags)
	c.Forget(AnnotationsPart)
	return c
}

// copyInto makes scratch, or a new game if it is nil, the game without tags and
// annotations, for which it keeps its own slices.
func (g *Game) copyInto(scratch *Game) *Game {
	if scratch == nil {
		scratch = new(Game)
	}
	tags, annotations := scratch.Tags[:0], scratch.Annotations[:0]
	*scratch = *g
	scratch.Tags, scratch.Annotations = tags, annotations
	return scratch
}
