package pgn

import (
	"strings"
	"unicode/utf8"
)

// tag is a tag that has a field in the model, in the order in which a game's
// tags are written. See docs/formats/pgn.md 1.
type tag uint8

const (
	tagEvent tag = iota
	tagSite
	tagDate
	tagRound
	tagWhite
	tagBlack
	tagResult
	tagECO
	tagWhiteElo
	tagBlackElo
	tagAnnotator
	tagSetUp
	tagFEN
	tagVariant
	tagPlyCount
	tagEventDate
	tagEventType
	tagEventRounds
	tagEventCountry
	tagEventCategory
	tagSource
	tagSourceTitle
	tagSourceDate
	tagSourceVersion
	tagSourceVersionDate
	tagSourceQuality
	tagWhiteTeam
	tagBlackTeam
	tagWhiteTeamCountry
	tagBlackTeamCountry
	// tagTermination is written among the tags without a field.
	tagTermination
	numTags
)

var tagNames = [numTags]string{
	tagEvent:             "Event",
	tagSite:              "Site",
	tagDate:              "Date",
	tagRound:             "Round",
	tagWhite:             "White",
	tagBlack:             "Black",
	tagResult:            "Result",
	tagECO:               "ECO",
	tagWhiteElo:          "WhiteElo",
	tagBlackElo:          "BlackElo",
	tagAnnotator:         "Annotator",
	tagSetUp:             "SetUp",
	tagFEN:               "FEN",
	tagVariant:           "Variant",
	tagPlyCount:          "PlyCount",
	tagEventDate:         "EventDate",
	tagEventType:         "EventType",
	tagEventRounds:       "EventRounds",
	tagEventCountry:      "EventCountry",
	tagEventCategory:     "EventCategory",
	tagSource:            "Source",
	tagSourceTitle:       "SourceTitle",
	tagSourceDate:        "SourceDate",
	tagSourceVersion:     "SourceVersion",
	tagSourceVersionDate: "SourceVersionDate",
	tagSourceQuality:     "SourceQuality",
	tagWhiteTeam:         "WhiteTeam",
	tagBlackTeam:         "BlackTeam",
	tagWhiteTeamCountry:  "WhiteTeamCountry",
	tagBlackTeamCountry:  "BlackTeamCountry",
	tagTermination:       "Termination",
}

// namedTag is a tag with a name by which it is known.
type namedTag struct {
	name string
	tag  tag
}

// namedTags are the tags by the lengths of their names, which nearly tell them.
var namedTags = func() (table [20][]namedTag) {
	add := func(name string, t tag) { table[len(name)] = append(table[len(name)], namedTag{name, t}) }
	for t, name := range tagNames {
		add(name, tag(t))
	}
	// Spellings of old programs, without which a game cannot be played.
	add("Setup", tagSetUp)
	add("Fen", tagFEN)
	return table
}()

// tagByName returns the tag of a name, if it has a field.
func tagByName(name string) (t tag, known bool) {
	if len(name) < len(namedTags) {
		for _, n := range namedTags[len(name)] {
			if n.name == name {
				return n.tag, true
			}
		}
	}
	return 0, false
}

// forfeit is the value of Termination for games decided without play.
const forfeit = "forfeit"

// appendMeaning appends the value that would be written for what a tag's
// value says, and reports whether the value says nothing beyond it. It is for
// the tags of which a part can be understood.
func appendMeaning(dst []byte, t tag, v string) (meaning []byte, whole bool) {
	switch t {
	case tagSite:
		if isURL(v) {
			return append(dst, '?'), false
		}
		return append(dst, v...), true
	case tagDate, tagEventDate, tagSourceDate, tagSourceVersionDate:
		d, ok := parseDate(v)
		return appendDate(dst, t, d), ok
	case tagRound:
		round, subround, ok := parseRound(v)
		return appendRound(dst, round, subround), ok
	case tagECO:
		e, ok := parseECO(v)
		return append(dst, e.String()...), ok
	case tagEventType:
		e, ok := parseEventType(v)
		return appendEventType(dst, e), ok
	case tagEventCountry, tagWhiteTeamCountry, tagBlackTeamCountry:
		n, ok := parseNation(v)
		return append(dst, n.String()...), ok
	case tagVariant:
		return dst, isChess960(v)
	case tagWhiteElo, tagBlackElo:
		n, ok := parseNumber(v, eloLimit)
		return appendNumber(dst, n), ok
	case tagEventRounds, tagEventCategory, tagSourceVersion, tagSourceQuality:
		n, ok := parseNumber(v, byteLimit)
		return appendNumber(dst, n), ok
	}
	return append(dst, v...), true
}

// A tag whose name other programs do not take, because it has other characters
// than letters, digits and underscores, or which a game may have only once, is
// written under a name of our own: ownPrefix and the name, of which every other
// byte than a letter or digit is an underscore and two hexadecimal digits.
//
//	[CbTag_White "another one"]     a second [White]
//	[CbTag_a_2Db "x"]               [a-b "x"]
const ownPrefix = "CbTag_"

// isPlainName reports whether a tag can be written under its name.
func isPlainName(name string) bool {
	if name == "" || !isLetter(name[0]) && !isDigit(name[0]) {
		return false
	}
	for i := range len(name) {
		if !isLetter(name[i]) && !isDigit(name[i]) && name[i] != '_' {
			return false
		}
	}
	_, own := parseOwnName(name)
	return !own
}

const hexDigits = "0123456789ABCDEF"

func appendOwnName(dst []byte, name string) []byte {
	dst = append(dst, ownPrefix...)
	for i := range len(name) {
		if b := name[i]; isLetter(b) || isDigit(b) {
			dst = append(dst, b)
		} else {
			dst = append(dst, '_', hexDigits[b>>4], hexDigits[b&15])
		}
	}
	return dst
}

// parseOwnName reads what appendOwnName writes, to the letter.
func parseOwnName(name string) (string, bool) {
	text, ok := strings.CutPrefix(name, ownPrefix)
	if !ok {
		return "", false
	}
	var plain []byte
	for i := 0; i < len(text); i++ {
		b := text[i]
		if b == '_' && i+2 < len(text) {
			high, low := strings.IndexByte(hexDigits, text[i+1]), strings.IndexByte(hexDigits, text[i+2])
			if high < 0 || low < 0 {
				return "", false
			}
			b = byte(high<<4 | low)
			i += 2
		}
		plain = append(plain, b)
	}
	own := string(plain)
	if !utf8.ValidString(own) || string(appendOwnName(nil, own)) != name {
		return "", false
	}
	return own, true
}
