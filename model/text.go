package model

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// GuidingText is a text that stands among the games of a database: a report,
// an introduction, a table of contents. [NewGuidingText] makes one; others are
// refused by sinks and editors, as [Header] says of games.
type GuidingText struct {
	Tournament, Annotator, Source, GameTitle EntityID
	Round, Subround                          uint16
	// HTML says that the contents are HTML pages, not plain text.
	HTML     bool
	Titles   []LocalText
	Contents []LocalText
	// Media are the names of pictures, sounds and films that the text uses.
	Media []string

	// ContentErr says why the stored text could not be decoded. Then Titles
	// and Contents are empty and the record is in Leftovers.Content.
	ContentErr error

	Leftovers TextLeftovers

	made bool // by NewGuidingText, as in [Header]
}

// LocalText is a text in one language.
type LocalText struct {
	Language Language
	Text     string
	// Leftover depends on Text: raw bytes, formatting.
	Leftover *Leftover
}

// TextLeftovers are the leftovers of a guiding text, by part.
type TextLeftovers struct {
	Header *Leftover
	// Content depends on Titles and Contents.
	Content *Leftover
}

// NewGuidingText returns an empty text that refers to nothing.
func NewGuidingText() *GuidingText {
	return &GuidingText{Tournament: NoEntity, Annotator: NoEntity, Source: NoEntity, GameTitle: NoEntity, made: true}
}

// SetContents replaces titles and contents and drops what depended on them.
func (t *GuidingText) SetContents(titles, contents []LocalText) {
	t.Titles, t.Contents = titles, contents
	t.Leftovers.Content, t.ContentErr = nil, nil
}

// Language says which language a text is in. Numbers below 256 are those of
// [Nation], as annotations use them; AnyLanguage is a text for every reader.
// Numbers from GuideLanguageBase are languages of guiding texts that have no
// nation: base plus the stored number.
type Language uint16

// The languages with names of their own.
const (
	AnyLanguage Language = 0
	English     Language = 42
	Spanish     Language = 43
	French      Language = 49
	German      Language = 53
	Greek       Language = 55
	Italian     Language = 70
	Dutch       Language = 103
	Polish      Language = 116
	Portuguese  Language = 117

	GuideLanguageBase Language = 256
)

var languageTags = map[Language]string{
	AnyLanguage: "", English: "en", Spanish: "es", French: "fr", German: "de",
	Greek: "el", Italian: "it", Dutch: "nl", Polish: "pl", Portuguese: "pt",
}

// String returns the two-letter code of ISO 639-1, "" for AnyLanguage, and
// "#43"-like numbers for languages without a name here.
func (l Language) String() string {
	if tag, ok := languageTags[l]; ok {
		return tag
	}
	return "#" + strconv.Itoa(int(l))
}

// ParseLanguage reads what [Language.String] returns.
func ParseLanguage(s string) (Language, bool) {
	for l, tag := range languageTags {
		if tag == s {
			return l, true
		}
	}
	if s == "" || s[0] != '#' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[1:], 10, 16)
	return Language(n), err == nil
}

// Small enumerations have words; numbers without a word print as "#9" and
// read back from that, so that nothing a format stores is lost.

var (
	systemWords     = []string{"", "single-game", "match", "round-robin", "swiss", "team", "knockout", "simultaneous", "scheveningen"}
	qualityWords    = []string{"", "high", "medium", "low"}
	colorWords      = []string{"", "", "green", "yellow", "red", "", "", "blue"}
	criticalWords   = []string{"", "opening", "middlegame", "endgame"}
	evaluationWords = []string{"centipawns", "mate"}
)

// wordOf returns the word of n, "" for 0 where 0 has none.
func wordOf[T ~uint8](words []string, n T) string {
	if int(n) < len(words) && (words[n] != "" || n == 0) {
		return words[n]
	}
	return "#" + strconv.Itoa(int(n))
}

// parseWord reads what wordOf returns.
func parseWord[T ~uint8](words []string, s string) (T, bool) {
	if number, found := strings.CutPrefix(s, "#"); found {
		n, err := strconv.ParseUint(number, 10, 8)
		return T(n), err == nil
	}
	i := slices.Index(words, s)
	return T(max(i, 0)), i >= 0
}

// String returns a word such as "round-robin", "" for NoSystem, and "#9" for
// numbers without a word.
func (s EventSystem) String() string { return wordOf(systemWords, s) }

// MarshalText returns what String does.
func (s EventSystem) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// ParseEventSystem reads what [EventSystem.String] returns.
func ParseEventSystem(s string) (EventSystem, bool) { return parseWord[EventSystem](systemWords, s) }

// String returns "high", "medium" or "low", "" for 0, and "#4" for
// numbers without a word.
func (q Quality) String() string { return wordOf(qualityWords, q) }

// ParseQuality reads what [Quality.String] returns.
func ParseQuality(s string) (Quality, bool) { return parseWord[Quality](qualityWords, s) }

// String returns "green", "yellow", "red" or "blue", "" for 0, and "#8" for
// numbers without a word.
func (c MarkColor) String() string { return wordOf(colorWords, c) }

// ParseMarkColor reads what [MarkColor.String] returns.
func ParseMarkColor(s string) (MarkColor, bool) { return parseWord[MarkColor](colorWords, s) }

// String returns "opening", "middlegame" or "endgame", "" for 0,
// and "#4" for numbers without a word.
func (c Critical) String() string { return wordOf(criticalWords, c) }

// ParseCritical reads what [Critical.String] returns.
func ParseCritical(s string) (Critical, bool) { return parseWord[Critical](criticalWords, s) }

// String returns "centipawns", "mate" or "none", and "#2" for numbers without
// a word.
func (k EvaluationKind) String() string {
	if k == NoEvaluation {
		return "none"
	}
	return wordOf(evaluationWords, k)
}

// ParseEvaluationKind reads what [EvaluationKind.String] returns.
func ParseEvaluationKind(s string) (EvaluationKind, bool) {
	if s == "none" {
		return NoEvaluation, true
	}
	return parseWord[EvaluationKind](evaluationWords, s)
}

// Names returns the names of the medals that are set, lowest bit first; bits
// without a name are "#16" to "#31".
func (m Medals) Names() []string {
	var names []string
	for rest := uint32(m); rest != 0; rest &= rest - 1 {
		names = append(names, wordOf(medalNames[:], uint8(bits.TrailingZeros32(rest))))
	}
	return names
}

// MedalNames returns the names of the bits of [Medals], lowest first.
func MedalNames() []string { return slices.Clone(medalNames[:]) }

// ParseMedal reads one of the names that [Medals.Names] returns.
func ParseMedal(name string) (Medals, bool) {
	bit, ok := parseWord[uint8](medalNames[:], name)
	return 1 << bit, ok && bit < 32
}
