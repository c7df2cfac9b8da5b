package codepage

import (
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/encoding/charmap"
)

// page is a code page and how likely it makes texts.
type page struct {
	name      string
	languages []*language
	letters   [256]rune
	class     [256]class
	// weight has, by language and byte, the logarithm of how likely the letter is.
	weight [][256]float64
	prior  []float64 // by language, a logarithm
}

// class is what a byte is in a page.
type class uint8

const (
	isVowel class = 1 << iota
	isConsonant
	isUpper
	isLower
	isForeign // a letter of another script than Latin
	isSign    // a sign that stands in texts of all sorts, such as a dash
	isHigh    // not ASCII
)

const isLetter = isVowel | isConsonant | isForeign

// numPages is how many candidates there are.
const numPages = 12

// pages returns the candidates. Of two that fit as well the first is taken.
var pages = sync.OnceValue(func() [numPages]*page {
	return [numPages]*page{
		newPage("1252", charmap.Windows1252, with(western, &icelandic, &estonian)...),
		newPage("1251", charmap.Windows1251, &russian, &ukrainian, &bulgarian, &serbian),
		newPage("1250", charmap.Windows1250, &polish, &czech, &slovak, &hungarian, &croatian, &romanian, &german),
		newPage("1253", charmap.Windows1253, &greek),
		newPage("1254", charmap.Windows1254, with(western, &turkish)...),
		newPage("1257", charmap.Windows1257, &lithuanian, &latvian, &estonian, &polish, &german),
		newPage("866", charmap.CodePage866, &russian, &bulgarian),
		newPage("koi8-r", charmap.KOI8R, &russian),
		newPage("koi8-u", charmap.KOI8U, &russian, &ukrainian),
		newPage("iso-8859-5", charmap.ISO8859_5, &russian, &ukrainian, &bulgarian, &serbian),
		newPage("852", charmap.CodePage852, &polish, &czech, &slovak, &hungarian, &croatian, &romanian, &german),
		newPage("850", charmap.CodePage850, with(western, &icelandic)...),
	}
})

// with returns a list with more in it.
func with(list []*language, more ...*language) []*language { return slices.Concat(list, more) }

// commonSigns are signs beyond ASCII that texts of all languages have.
const commonSigns = "\u00A0–—‘’‚“”„…«»‹›•°±§©®™€№½×"

// How unlikely it is that a letter is none of the language, that a sign stands
// somewhere, and that a byte is no character: logarithms.
var (
	notALetter  = math.Log(1e-4)
	aCommonSign = math.Log(0.02)
	anOddSign   = math.Log(1e-5)
)

func newPage(name string, table *charmap.Charmap, languages ...*language) *page {
	p := &page{name: name, languages: languages}
	var small [256]rune
	for b := range 256 {
		r := table.DecodeByte(byte(b))
		p.letters[b] = r
		p.class[b] = classOf(r)
		small[b] = r
		if r != 'İ' {
			small[b] = unicode.ToLower(r)
		}
	}
	total := 0.0
	for _, l := range languages {
		total += l.share
	}
	for _, l := range languages {
		p.prior = append(p.prior, math.Log(l.share/total))
		all := 0.0
		for _, f := range l.letters {
			all += f.weight * float64(len([]rune(f.letters)))
		}
		var weight [256]float64
		for b := range weight {
			weight[b] = notALetter
			for _, f := range l.letters {
				if strings.ContainsRune(f.letters, small[b]) {
					weight[b] = math.Log(f.weight / all)
				}
			}
		}
		p.weight = append(p.weight, weight)
	}
	return p
}

func classOf(r rune) (c class) {
	switch {
	case strings.ContainsRune(commonSigns, r):
		c = isSign
	case !unicode.IsLetter(r):
	case !unicode.Is(unicode.Latin, r):
		c = isForeign
	case strings.ContainsRune(vowels, r), strings.ContainsRune(vowels, unicode.ToLower(r)):
		c = isVowel
	default:
		c = isConsonant
	}
	switch {
	case unicode.IsUpper(r):
		c |= isUpper
	case unicode.IsLower(r):
		c |= isLower
	}
	if r > unicode.MaxASCII {
		c |= isHigh
	}
	return c
}

// likelihood returns the logarithm of how likely the page makes a text, and the
// language that makes it most so.
func (p *page) likelihood(text []byte) (sum float64, most string) {
	around := 0.0
	var high []byte // the letters beyond ASCII
	for i, b := range text {
		if b < 0x80 {
			continue
		}
		switch c := p.class[b]; {
		case c&isLetter != 0:
			high = append(high, b)
			around += p.inWord(text, i)
		case c&isSign != 0:
			around += aCommonSign
		default:
			around += anOddSign
		}
	}
	best := math.Inf(-1)
	terms := make([]float64, len(p.languages))
	for l := range p.languages {
		weight := &p.weight[l]
		terms[l] = p.prior[l]
		for _, b := range high {
			terms[l] += weight[b]
		}
		if terms[l] > best {
			best, most = terms[l], p.languages[l].name
		}
	}
	for _, t := range terms {
		sum += math.Exp(t - best)
	}
	return around + best + math.Log(sum), most
}

// inWord returns how well a letter stands where it does: a logarithm.
func (p *page) inWord(text []byte, i int) (sum float64) {
	c, left, right := p.class[text[i]], p.at(text, i-1), p.at(text, i+1)
	sum = p.inCase(text, i)
	if c&isForeign != 0 {
		for _, beside := range [2]class{left, right} {
			if beside&(isVowel|isConsonant) != 0 {
				sum += math.Log(1e-3)
			}
		}
		return sum
	}
	if left&isHigh != 0 && left&isLetter != 0 {
		sum += math.Log(0.1)
	}
	// Letters of the Latin script take turns, vowels and consonants.
	same := func(beside class) bool { return c&beside&(isVowel|isConsonant) != 0 }
	none := func(beside class) bool { return beside&isLetter == 0 }
	switch {
	case c&isVowel != 0 && same(left) && same(right):
		sum -= 3
	case c&isVowel != 0 && (same(left) || same(right)):
		sum--
	case c&isConsonant != 0 && same(left) && same(right):
		sum -= 2.5
	case c&isConsonant != 0 && (same(left) && none(right) || none(left) && same(right)):
		sum -= 0.8
	case c&isConsonant != 0 && (same(left) || same(right)):
		sum -= 0.5
	}
	return sum
}

// inCase returns how well the size of a letter fits to those before it: a
// logarithm.
func (p *page) inCase(text []byte, i int) float64 {
	c, left := p.class[text[i]], p.at(text, i-1)
	switch {
	case c&isUpper != 0 && left&isLower != 0:
		return math.Log(0.01)
	case c&isLower != 0 && left&isUpper != 0 && p.at(text, i-2)&isUpper != 0:
		return math.Log(0.02)
	case c&isUpper != 0 && left&isLetter == 0 && p.at(text, i+1)&isLetter != 0:
		return 0
	case c&isLower != 0 && left&isLetter == 0:
		return math.Log(0.5)
	}
	return 0
}

// at returns the class of a byte, none outside of the text.
func (p *page) at(text []byte, i int) class {
	if i < 0 || i >= len(text) {
		return 0
	}
	return p.class[text[i]]
}
