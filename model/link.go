package model

import "strings"

// A database without tags keeps a link to a game as a [WebLink] in front of the first
// move, whose caption says which tag it is. Writers of such databases make it of the tag,
// the writer of PGN makes the tag of it again.

// linkTags are the names of tags that link to their game, in small letters.
var linkTags = map[string]bool{"site": true, "link": true, "url": true, "gameurl": true, "gamelink": true, "chapterurl": true}

const (
	linkCaption = "PGN tag "
	longestLink = 255 // bytes of an address
)

// Link returns the link in which a database without tags keeps the tag: ok is true for
// Site, Link, URL, GameURL, GameLink and ChapterURL, in any letters, whose value is an
// address of the web in printable ASCII of at most 255 bytes.
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

// Tag returns the tag that the link was made of; ok is false for all other links.
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

// LinksAsNotes returns the game with its tags that are links as annotations in front of
// the first move, and without them as tags; the game itself, which never changes, if
// there are none or its annotations cannot be read.
func (g *Game) LinksAsNotes() *Game {
	if g.MovesErr != nil || g.AnnotationsErr != nil {
		return g
	}
	for i, t := range g.Tags {
		if _, ok := t.Link(); ok {
			return g.linksAsNotes(i)
		}
	}
	return g
}

func (g *Game) linksAsNotes(first int) *Game {
	c := *g
	c.Tags = append([]Tag(nil), g.Tags[:first]...)
	c.Annotations = append(make([]Annotation, 0, len(g.Annotations)+1), g.Annotations...)
	for _, t := range g.Tags[first:] {
		if w, ok := t.Link(); ok {
			c.Annotate(NoNode, w)
		} else {
			c.Tags = append(c.Tags, t)
		}
	}
	return &c
}

// LinksAsTags is the inverse of [Game.LinksAsNotes].
func (g *Game) LinksAsTags() *Game {
	for _, a := range g.Annotations {
		if a.Node != NoNode {
			break
		}
		if w, ok := a.Value.(WebLink); ok {
			if _, ok := w.Tag(); ok {
				return g.linksAsTags()
			}
		}
	}
	return g
}

func (g *Game) linksAsTags() *Game {
	c := *g
	c.Tags = append([]Tag(nil), g.Tags...)
	c.Annotations = make([]Annotation, 0, len(g.Annotations))
	for _, a := range g.Annotations {
		w, _ := a.Value.(WebLink)
		if t, ok := w.Tag(); ok && a.Node == NoNode {
			c.Tags = append(c.Tags, t)
		} else {
			c.Annotations = append(c.Annotations, a)
		}
	}
	c.Tags = sortedTags(c.Tags)
	c.Forget(AnnotationsPart)
	return &c
}
