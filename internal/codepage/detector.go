package codepage

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"

	"cbkit/model"
)

// Default is the page of names and texts where nothing speaks for another:
// Windows-1252.
const Default = "1252"

// Detector collects evidence. The zero value has none. Its size does not grow
// with the texts.
type Detector struct {
	texts, pieces, letters int
	seen                   [256]bool // bytes that were in texts
	tallies                [numPages]tally
}

// tally is what speaks for a page and against it.
type tally struct {
	// score is the logarithm of how likely the page makes the texts, less that
	// of the best page for each.
	score float64
	// fit counts the pieces that read best in the page, or as well as in any;
	// worse, those that read better in the default.
	fit, worse int
	languages  map[string]int // the pieces in each
}

const (
	// pieceSize is how much of a text is looked at in one: it is in one language.
	pieceSize = 256
	// mostOfPiece is how much one piece can speak against a page.
	mostOfPiece = 20
	// enoughLetters are enough to be sure.
	enoughLetters = 50_000
)

// Texts returns how many texts that are neither ASCII nor UTF-8 were added.
func (d *Detector) Texts() int { return d.texts }

// Enough reports whether more texts would not change the guess.
func (d *Detector) Enough() bool { return d.letters >= enoughLetters }

// Add looks at a text as it is stored. Texts in ASCII or UTF-8 are no evidence.
func (d *Detector) Add(text []byte) {
	if d.Enough() || utf8.Valid(text) {
		return
	}
	d.texts++
	for len(text) > 0 {
		n := len(text)
		if n > pieceSize {
			if n = bytes.LastIndexByte(text[:pieceSize], ' ') + 1; n == 0 {
				n = pieceSize
			}
		}
		piece := text[:n]
		text = text[n:]
		high := 0
		for _, b := range piece {
			if d.seen[b] = true; b >= utf8.RuneSelf {
				high++
			}
		}
		if high == 0 {
			continue
		}
		d.letters += high
		d.pieces++
		var likely [numPages]float64
		for i, p := range pages() {
			var language string
			likely[i], language = p.likelihood(piece)
			if d.tallies[i].languages == nil {
				d.tallies[i].languages = map[string]int{}
			}
			d.tallies[i].languages[language]++
		}
		best := slices.Max(likely[:])
		for i := range likely {
			t := &d.tallies[i]
			t.score += max(likely[i]-best, -mostOfPiece)
			if likely[i] > best-0.01 {
				t.fit++
			}
			if likely[i] < likely[0]-1 {
				t.worse++
			}
		}
	}
}

// What makes a guess clear: how many times more likely than the default and than
// the next page it is, as logarithms, which part of the texts may read better in
// the default, and how many there must be.
const (
	clearOfDefault = 6
	clearOfNext    = 3
	mostWorse      = 0.1
	fewestTexts    = 3
)

// Guess returns what the evidence says.
func (d *Detector) Guess() model.PageGuess {
	g := model.PageGuess{Page: Default, Texts: d.texts, Letters: d.letters}
	if d.pieces == 0 {
		return g
	}
	order := make([]int, numPages)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(d.tallies[b].score, d.tallies[a].score) })
	for _, i := range order {
		t := &d.tallies[i]
		g.Candidates = append(g.Candidates, model.PageCandidate{Page: pages()[i].name, Score: t.score, Fit: float64(t.fit) / float64(d.pieces)})
	}
	best := order[0]
	order = slices.DeleteFunc(order, func(i int) bool { // pages in which the texts read the same
		for b, seen := range d.seen {
			if seen && pages()[i].letters[b] != pages()[best].letters[b] {
				return false
			}
		}
		best = min(best, i)
		return true
	})
	t := &d.tallies[best]
	if best != 0 && d.texts >= fewestTexts && t.score > d.tallies[0].score+clearOfDefault &&
		t.score > d.tallies[order[0]].score+clearOfNext && float64(t.worse) <= mostWorse*float64(d.pieces) {
		g.Page, g.Clear, g.Language = pages()[best].name, true, mostOf(t.languages)
	}
	return g
}

// mostOf returns what there is most of, the first by name of several.
func mostOf(counts map[string]int) (most string) {
	for name, n := range counts {
		if m := counts[most]; n > m || n == m && name < most {
			most = name
		}
	}
	return most
}
