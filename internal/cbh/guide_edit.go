package cbh

import (
	"slices"
	"unicode/utf8"
)

// Formatting follows its text when that is edited (docs/formats/cbg.md 8): what is the
// same at the beginning and at the end of both keeps its style and its objects.
// What stands between takes the style of the first character that it replaces;
// where it replaces none, that of the character before.

// guideEdit is the difference of two texts, in characters.
type guideEdit struct {
	was, is      []int // where each character begins, in bytes, and the end
	prefix, tail int   // what both begin and end with
	objects      map[int]int
}

// newGuideEdit compares the text that was stored with the bytes of another.
func newGuideEdit(k guideCoder, was, is []byte) guideEdit {
	before, after := []rune(k.decode(was)), []rune(k.decode(is))
	e := guideEdit{was: characterPlaces(was), is: characterPlaces(is)}
	most := min(len(before), len(after))
	for e.prefix < most && before[e.prefix] == after[e.prefix] {
		e.prefix++
	}
	for e.tail < most-e.prefix && before[len(before)-1-e.tail] == after[len(after)-1-e.tail] {
		e.tail++
	}
	e.matchObjects(before, after)
	return e
}

// characterPlaces returns where the characters of a text begin, and its end: one
// byte each, unless it is UTF-8.
func characterPlaces(b []byte) []int {
	places := make([]int, 0, len(b)+1)
	valid := utf8.Valid(b)
	for at := 0; at < len(b); {
		places = append(places, at)
		size := 1
		if valid {
			_, size = utf8.DecodeRune(b[at:])
		}
		at += size
	}
	return append(places, len(b))
}

// matchObjects pairs the objects between what is the same, if there are as many
// as before.
func (e *guideEdit) matchObjects(before, after []rune) {
	find := func(text []rune) (at []int) {
		for i := e.prefix; i < len(text)-e.tail; i++ {
			if text[i] == objectByte {
				at = append(at, i)
			}
		}
		return at
	}
	from, to := find(before), find(after)
	if len(from) != len(to) {
		return
	}
	e.objects = make(map[int]int, len(from))
	for i := range from {
		e.objects[from[i]] = to[i]
	}
}

// growth is by how many characters the text has become longer.
func (e *guideEdit) growth() int { return len(e.is) - len(e.was) }

// character returns which character of the old text the byte at an offset
// belongs to.
func (e *guideEdit) character(offset int) int {
	i, found := slices.BinarySearch(e.was, offset)
	if !found {
		i--
	}
	return i
}

// boundary returns where a boundary between two runs has gone, in bytes.
func (e *guideEdit) boundary(offset int) int {
	c, end := e.character(offset), len(e.was)-1
	switch {
	case c == 0 && end > 0:
		return 0
	case c >= end-e.tail:
		c += e.growth()
	case c > e.prefix:
		c = len(e.is) - 1 - e.tail
	}
	return e.is[c]
}

// object returns the new position of an object; ok is false if its character is
// gone.
func (e *guideEdit) object(position int) (to int, ok bool) {
	c, end := e.character(position-1), len(e.was)-1
	switch {
	case c < e.prefix:
	case c >= end-e.tail:
		c += e.growth()
	default:
		if c, ok = e.objects[c]; !ok {
			return 0, false
		}
	}
	return e.is[c] + 1, true
}

// follow changes formatting of the old text into that of the new one. It returns
// how many objects and runs are gone because all their text is.
func (f *guideFormatting) follow(e *guideEdit) (objects, runs int) {
	kept := make([]guideObject, 0, len(f.objects))
	for _, o := range f.objects {
		var ok bool
		if o.position, ok = e.object(o.position); ok {
			kept = append(kept, o)
		}
	}
	objects, f.objects = len(f.objects)-len(kept), kept

	stretched := make([]guideRun, 0, len(f.runs))
	from, begin := 0, 0
	for _, r := range f.runs {
		to := from + r.length
		end := e.boundary(to)
		was := r.length
		if r.length = end - begin; r.length > 0 || was == 0 {
			stretched = append(stretched, r)
		} else {
			runs++
		}
		from, begin = to, end
	}
	f.runs = stretched
	return objects, runs
}
