package pgn

import (
	"slices"
	"strings"
	"unicode/utf8"

	"cbkit/model"
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

// The largest values of numeric fields.
const (
	eloLimit  = 65535
	byteLimit = 255
)

// header holds the tags of a game as they are read.
type header struct {
	count  int // of the tags
	values [numTags]string
	seen   [numTags]bool
	// rest holds the tags without a field, and those whose field has a value
	// already; kept, those with a field that cannot take the whole value.
	rest, kept []model.Tag
}

func (h *header) reset() { *h = header{rest: h.rest[:0], kept: h.kept[:0]} }

// has reports whether a tag of that name was read, as far as it looks: more
// tags than that no game has.
func (h *header) has(name string) bool {
	if t, ok := tagByName(name); ok {
		return h.seen[t]
	}
	const far = 100
	return slices.ContainsFunc(h.rest[:min(len(h.rest), far)], func(t model.Tag) bool { return t.Name == name })
}

// add takes a tag that was read. Of several tags with the same name the first
// one counts; the others are kept.
func (h *header) add(name, value string) {
	h.count++
	t, known := tagByName(name)
	switch {
	case !known:
		if own, ok := parseOwnName(name); ok {
			name = own
		}
		h.rest = append(h.rest, model.Tag{Name: name, Value: value})
	case !h.seen[t]:
		h.seen[t], h.values[t] = true, value
	case t != tagPlyCount && t != tagSetUp:
		h.rest = append(h.rest, model.Tag{Name: tagNames[t], Value: value})
	}
}

// keep keeps a tag beside what its field could take of it.
func (h *header) keep(t tag) {
	h.kept = append(h.kept, model.Tag{Name: tagNames[t], Value: h.values[t]})
}

// number returns a numeric tag, which is kept if it is not a number up to
// limit.
func (h *header) number(t tag, limit uint64) uint64 {
	n, ok := parseNumber(h.values[t], limit)
	if !ok {
		h.keep(t)
	}
	return n
}

func (h *header) date(t tag) model.Date {
	d, ok := parseDate(h.values[t])
	if !ok {
		h.keep(t)
	}
	return d
}

func (h *header) nation(t tag) model.Nation {
	n, ok := parseNation(h.values[t])
	if !ok {
		h.keep(t)
	}
	return n
}

func (h *header) name(t tag) string { return parseName(h.values[t]) }

// result joins the tags Result and Termination with the word that ended the
// moves, NoResult if there was none. The tag counts where both say something,
// and conflict says that it is not the same.
func (h *header) result(marker model.Result) (result model.Result, conflict bool) {
	result, ok := parseResult(h.values[tagResult])
	if !ok {
		if !isUnknown(h.values[tagResult]) {
			h.keep(tagResult)
		}
		result = model.NoResult
	}
	if result == model.NoResult {
		result = marker
	}
	conflict = marker != model.NoResult && marker != result
	if h.seen[tagTermination] {
		if h.values[tagTermination] == forfeit && result.Forfeit() != result {
			return result.Forfeit(), conflict
		}
		h.keep(tagTermination)
	}
	return result, conflict
}

// names holds the entities of a game by value.
type names struct {
	white, black         model.Player
	tournament           model.Tournament
	annotator            model.Annotator
	source               model.Publication
	whiteTeam, blackTeam model.Team
}

// fill writes everything but the starting position and the result to the
// game's header and names, and returns what there is no word for.
func (h *header) fill(g *model.Header, n *names, keepSite bool) (l *model.Leftover) {
	g.Date = h.date(tagDate)
	var ok bool
	if g.Round, g.Subround, ok = parseRound(h.values[tagRound]); !ok {
		h.keep(tagRound)
	}
	g.WhiteElo = uint16(h.number(tagWhiteElo, eloLimit))
	g.BlackElo = uint16(h.number(tagBlackElo, eloLimit))
	if g.ECO, ok = parseECO(h.values[tagECO]); !ok {
		h.keep(tagECO)
	}
	n.white, n.black = parsePlayer(h.values[tagWhite]), parsePlayer(h.values[tagBlack])
	n.annotator.Name = h.name(tagAnnotator)
	n.whiteTeam = model.Team{Title: h.name(tagWhiteTeam), Nation: h.nation(tagWhiteTeamCountry)}
	n.blackTeam = model.Team{Title: h.name(tagBlackTeam), Nation: h.nation(tagBlackTeamCountry)}
	n.source = h.publication()
	n.tournament = h.tournament(g.Date, keepSite)
	says := 0
	if h.seen[tagEventDate] && n.tournament.Start == impliedStart(n.tournament, g.Date) {
		says |= saysYear
	}
	if n.tournament.Nation != 0 && n.tournament.Nation == impliedCountry(n.tournament) {
		says |= saysCountry
	}
	l = sayings[says]

	// Tags go by name; those of one name keep their order.
	byName := func(a, b model.Tag) int { return strings.Compare(a.Name, b.Name) }
	g.Tags = slices.Grow(g.Tags[:0], len(h.kept)+len(h.rest))
	g.Tags = append(append(g.Tags, h.kept...), h.rest...)
	if !slices.IsSortedFunc(g.Tags, byName) {
		slices.SortStableFunc(g.Tags, byName)
	}
	return l
}

func (h *header) tournament(played model.Date, keepSite bool) model.Tournament {
	t := model.Tournament{
		Title:    h.name(tagEvent),
		Place:    h.name(tagSite),
		Nation:   h.nation(tagEventCountry),
		Category: uint8(h.number(tagEventCategory, byteLimit)),
		Rounds:   uint8(h.number(tagEventRounds, byteLimit)),
	}
	var ok bool
	if t.Type, ok = parseEventType(h.values[tagEventType]); !ok {
		h.keep(tagEventType)
	}
	if isURL(t.Place) && !keepSite {
		h.keep(tagSite)
		t.Place = ""
	}
	if h.seen[tagEventDate] {
		t.Start = h.date(tagEventDate)
	} else {
		t.Start = impliedStart(t, played)
	}
	return t
}

// What PGN stores with a game that has tags which say no more than their absence would,
// so that they are written again: EventDate with the year of the game, EventCountry
// beside a Site that ends with its code.
const (
	saysYear = 1 << iota
	saysCountry
)

// sayings are the leftovers for all of these. They are never changed.
var sayings = [...]*model.Leftover{
	nil, {Format: format, Data: []byte{1}}, {Format: format, Data: []byte{2}}, {Format: format, Data: []byte{3}},
}

// saidOf returns what a leftover says.
func saidOf(l *model.Leftover) (says int) {
	if data := l.From(format); len(data) > 0 {
		says = int(data[0])
	}
	return says
}

// format is the name of PGN's own leftovers.
const format = "pgn"

// impliedStart returns when a tournament began for which there is no
// EventDate: in the year of the game. Where nothing else is known of the
// tournament there is none.
func impliedStart(t model.Tournament, played model.Date) model.Date {
	t.Start = model.Date{}
	if t == (model.Tournament{}) {
		return model.Date{}
	}
	return model.Date{Year: played.Year}
}

// impliedCountry returns the nation of a tournament for which there is no EventCountry.
func impliedCountry(t model.Tournament) model.Nation {
	t.Nation = 0
	return t.Country()
}

func (h *header) publication() model.Publication {
	p := model.Publication{
		Title:     h.name(tagSourceTitle),
		Publisher: h.name(tagSource),
		Published: h.date(tagSourceDate),
		Date:      h.date(tagSourceVersionDate),
		Version:   uint8(h.number(tagSourceVersion, byteLimit)),
		Quality:   model.Quality(h.number(tagSourceQuality, byteLimit)),
	}
	if !h.seen[tagSourceTitle] {
		p.Title = p.Publisher
	}
	return p
}
