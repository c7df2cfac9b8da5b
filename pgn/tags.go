package pgn

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cbkit/board"
	"cbkit/internal/headerfields"
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

// tagNames are the names of the tags, in the order of these.
var tagNames [numTags]string = [...]string{
	"Event", "Site", "Date", "Round", "White", "Black", "Result",
	"ECO", "WhiteElo", "BlackElo", "Annotator", "SetUp", "FEN", "Variant", "PlyCount",
	"EventDate", "EventType", "EventRounds", "EventCountry", "EventCategory",
	"Source", "SourceTitle", "SourceDate", "SourceVersion", "SourceVersionDate", "SourceQuality",
	"WhiteTeam", "BlackTeam", "WhiteTeamCountry", "BlackTeamCountry", "Termination",
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
		if headerfields.IsAddress(v) {
			return append(dst, '?'), false
		}
		return append(dst, v...), true
	case tagDate, tagEventDate, tagSourceDate, tagSourceVersionDate:
		d, ok := parseDate(v)
		return appendDate(dst, t, d), ok
	case tagRound:
		round, subround, ok := headerfields.ParseRound(v)
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
		n, ok := headerfields.ParseRating(v)
		return appendNumber(dst, uint64(n)), ok
	case tagEventRounds, tagEventCategory, tagSourceVersion, tagSourceQuality:
		n, ok := parseByte(v)
		return appendNumber(dst, uint64(n)), ok
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

// byteLimit is the largest value of most numeric fields.
const byteLimit = 255

// header holds the tags of a game as they are read.
type header struct {
	count  int // of the tags
	values [numTags]string
	seen   [numTags]bool
	// rest holds the tags without a field, and those whose field has a value
	// already; kept, those with a field that cannot take the whole value.
	rest, kept []model.Tag
	// looseFEN says that FEN was written in other letters.
	looseFEN bool
}

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
		h.seen[t], h.values[t], h.looseFEN = true, value, h.looseFEN || t == tagFEN && name != tagNames[t]
	case t == tagFEN && h.looseFEN && name == tagNames[t]: // which counts
		h.rest = append(h.rest, model.Tag{Name: name, Value: h.values[t]})
		h.values[t], h.looseFEN = value, false
	case t != tagPlyCount && t != tagSetUp:
		h.rest = append(h.rest, model.Tag{Name: tagNames[t], Value: value})
	}
}

// keep keeps a tag beside what its field could take of it.
func (h *header) keep(t tag) {
	h.kept = append(h.kept, model.Tag{Name: tagNames[t], Value: h.values[t]})
}

// fieldOf returns what the field of a tag takes of its value, which is kept if that is not all.
func fieldOf[T any](h *header, t tag, parse func(string) (T, bool)) T {
	v, whole := parse(h.values[t])
	if !whole {
		h.keep(t)
	}
	return v
}

// parseByte reads a number up to byteLimit.
func parseByte(v string) (uint8, bool) {
	n, ok := headerfields.ParseNumber(v, byteLimit)
	return uint8(n), ok
}

// name returns a name, for which only "?" means none.
func (h *header) name(t tag) string {
	if v := h.values[t]; v != "?" {
		return v
	}
	return ""
}

// result joins the tags Result and Termination with the word that ended the
// moves, NoResult if there was none. The tag counts where both say something,
// and conflict says that it is not the same.
func (h *header) result(marker model.Result) (result model.Result, conflict bool) {
	result, ok := parseResult(h.values[tagResult])
	if v := h.values[tagResult]; !ok || result == model.NoResult && strings.Trim(v, " .") != "*" { // the points of a bye are none
		if !headerfields.IsUnknown(v) {
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
	g.Date = fieldOf(h, tagDate, parseDate)
	var ok bool
	if g.Round, g.Subround, ok = headerfields.ParseRound(h.values[tagRound]); !ok {
		h.keep(tagRound)
	}
	g.WhiteElo = fieldOf(h, tagWhiteElo, headerfields.ParseRating)
	g.BlackElo = fieldOf(h, tagBlackElo, headerfields.ParseRating)
	g.ECO = fieldOf(h, tagECO, parseECO)
	n.white, n.black = parsePlayer(h.values[tagWhite]), parsePlayer(h.values[tagBlack])
	n.annotator.Name = h.name(tagAnnotator)
	n.whiteTeam = model.Team{Title: h.name(tagWhiteTeam), Nation: fieldOf(h, tagWhiteTeamCountry, parseNation)}
	n.blackTeam = model.Team{Title: h.name(tagBlackTeam), Nation: fieldOf(h, tagBlackTeamCountry, parseNation)}
	n.source = model.Publication{
		Title:     h.name(tagSourceTitle),
		Publisher: h.name(tagSource),
		Published: fieldOf(h, tagSourceDate, parseDate),
		Date:      fieldOf(h, tagSourceVersionDate, parseDate),
		Version:   fieldOf(h, tagSourceVersion, parseByte),
		Quality:   model.Quality(fieldOf(h, tagSourceQuality, parseByte)),
	}
	if !h.seen[tagSourceTitle] {
		n.source.Title = n.source.Publisher
	}
	n.tournament = model.Tournament{
		Title:    h.name(tagEvent),
		Place:    h.name(tagSite),
		Type:     fieldOf(h, tagEventType, parseEventType),
		Nation:   fieldOf(h, tagEventCountry, parseNation),
		Category: fieldOf(h, tagEventCategory, parseByte),
		Rounds:   fieldOf(h, tagEventRounds, parseByte),
	}
	if headerfields.IsAddress(n.tournament.Place) && !keepSite {
		h.keep(tagSite)
		n.tournament.Place = ""
	}
	says := 0
	if n.tournament.Start = impliedStart(n.tournament, g.Date); h.seen[tagEventDate] {
		implied := n.tournament.Start
		if n.tournament.Start = fieldOf(h, tagEventDate, parseDate); n.tournament.Start == implied {
			says |= saysYear
		}
	}
	if n.tournament.Nation != 0 && n.tournament.Nation == impliedCountry(n.tournament) {
		says |= saysCountry
	}
	l = sayings[says]

	g.Tags = slices.Grow(g.Tags[:0], len(h.kept)+len(h.rest))
	g.Tags = append(append(g.Tags, h.kept...), h.rest...)
	sortByName(g.Tags)
	return l
}

// sortByName sorts tags by name; those of one name keep their order.
func sortByName(tags []model.Tag) {
	byName := func(a, b model.Tag) int { return strings.Compare(a.Name, b.Name) }
	if !slices.IsSortedFunc(tags, byName) {
		slices.SortStableFunc(tags, byName)
	}
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

// writeTags writes the tags of the game, those with a field first.
func (enc *encoder) writeTags() {
	enc.sortTags()
	g, e := enc.g, enc.e
	event := e.Tournaments.Value(g.Tournament)
	enc.name(tagEvent, event.Title, "?")
	enc.name(tagSite, event.Place, "?")
	enc.date(tagDate, g.Date)
	enc.field(tagRound, appendRound(enc.value[:0], g.Round, g.Subround))
	enc.player(tagWhite, g.White)
	enc.player(tagBlack, g.Black)
	if g.Result > model.BothLose {
		enc.lost(model.LostField, tagNames[tagResult], "%d is no result", g.Result)
	}
	enc.field(tagResult, append(enc.value[:0], g.Result.String()...))
	if enc.roster {
		enc.kept[tagVariant] = -1
		enc.start()
		return
	}

	enc.value = enc.value[:0]
	if g.ECO.Valid() {
		enc.value, _ = g.ECO.AppendText(enc.value)
	} else if g.ECO != 0 {
		enc.lost(model.LostField, tagNames[tagECO], "%d is no code", g.ECO)
	}
	enc.field(tagECO, enc.value)
	enc.number(tagWhiteElo, uint64(g.WhiteElo))
	enc.number(tagBlackElo, uint64(g.BlackElo))
	enc.name(tagAnnotator, e.Annotators.Value(g.Annotator).Name, "")
	enc.start()
	enc.pair(tagPlyCount, strconv.AppendInt(enc.value[:0], int64(g.Moves.MainLen()), 10))

	// The year of the game is said as the date of its tournament, and the country that
	// the place says as its country, if the game was read so.
	says := 0
	if data := g.Leftovers.Header.From(format); len(data) > 0 {
		says = int(data[0])
	}
	if event.Start != impliedStart(event, g.Date) || enc.kept[tagEventDate] >= 0 || says&saysYear != 0 {
		enc.date(tagEventDate, event.Start)
	}
	enc.field(tagEventType, appendEventType(enc.value[:0], event.Type))
	enc.number(tagEventRounds, uint64(event.Rounds))
	if event.Nation != impliedCountry(event) || enc.kept[tagEventCountry] >= 0 || says&saysCountry != 0 {
		enc.field(tagEventCountry, append(enc.value[:0], event.Nation.String()...))
	}
	enc.number(tagEventCategory, uint64(event.Category))

	source := e.Sources.Value(g.Source)
	enc.name(tagSource, source.Publisher, "")
	switch {
	case source.Title == source.Publisher: // which is what a source without SourceTitle has
	case source.Title == "":
		enc.wrote[tagSourceTitle] = true
		enc.pair(tagSourceTitle, enc.value[:0])
	default:
		enc.name(tagSourceTitle, source.Title, "")
	}
	// The first of 1900 stands for no date; without a title programs write none either, but it is one.
	if isDefault := source.Published == (model.Date{Year: 1900, Month: 1, Day: 1}); enc.plain && (source.Title == "" || isDefault) {
		if !isDefault && source.Published != (model.Date{}) {
			enc.lostOf(g.Source, tagNames[tagSourceDate], "%v, of a source without a title", source.Published)
		}
		source.Published = model.Date{} // ChessBase's word for none
	}
	enc.date(tagSourceDate, source.Published)
	enc.number(tagSourceVersion, uint64(source.Version))
	enc.date(tagSourceVersionDate, source.Date)
	enc.number(tagSourceQuality, uint64(source.Quality))

	white, black := e.Teams.Value(g.WhiteTeam), e.Teams.Value(g.BlackTeam)
	enc.name(tagWhiteTeam, white.Title, "")
	enc.name(tagBlackTeam, black.Title, "")
	enc.field(tagWhiteTeamCountry, append(enc.value[:0], white.Nation.String()...))
	enc.field(tagBlackTeamCountry, append(enc.value[:0], black.Nation.String()...))
	enc.rest()
	enc.losses()
}

// sortTags prepares the tags without a field, by name, and finds those that
// are kept beside a field.
func (enc *encoder) sortTags() {
	for t := range enc.kept {
		enc.kept[t] = -1
	}
	enc.wrote = [numTags]bool{}
	enc.tags, enc.forfeit = enc.tags[:0], -1
	if enc.g.Result.IsForfeit() {
		enc.tags = append(enc.tags, model.Tag{Name: tagNames[tagTermination], Value: forfeit})
	}
	enc.tags = append(enc.tags, enc.g.Tags...)
	sortByName(enc.tags)
	if enc.g.Result.IsForfeit() {
		enc.forfeit = slices.IndexFunc(enc.tags, func(t model.Tag) bool { return t.Name == tagNames[tagTermination] })
	}
	enc.used = slices.Grow(enc.used[:0], len(enc.tags))[:len(enc.tags)]
	clear(enc.used)
	for i := range enc.tags {
		if t, known := tagByName(enc.tags[i].Name); known && enc.kept[t] < 0 {
			enc.kept[t] = i
		}
	}
}

// field writes the tag of a field; the value must use enc.value. Where a tag
// of the same name is kept that means the same and says more, it is written
// instead. An empty value is left out.
func (enc *encoder) field(t tag, value []byte) {
	enc.value = value
	if i := enc.kept[t]; i >= 0 && t != tagTermination {
		var whole bool
		enc.meant, whole = appendMeaning(enc.meant[:0], t, enc.tags[i].Value)
		if !whole && string(enc.meant) == string(value) {
			enc.used[i], enc.wrote[t] = true, true
			enc.pair(t, append(value[:0], enc.tags[i].Value...))
			return
		}
	}
	if len(value) > 0 {
		enc.wrote[t] = true
		enc.pair(t, value)
	}
}

// pair writes a tag that has a field.
func (enc *encoder) pair(t tag, value []byte) {
	enc.value = value[:0]
	w := &enc.out
	w.dst = append(w.dst, tagHeads[t]...)
	enc.endPair(tagNames[t], value)
}

// named writes a tag.
func (enc *encoder) named(name string, value []byte) {
	enc.value = value[:0]
	w := &enc.out
	w.dst = append(append(append(w.dst, '['), name...), ` "`...)
	enc.endPair(name, value)
}

// endPair writes the value of a tag and ends the line.
func (enc *encoder) endPair(name string, value []byte) {
	if enc.take != nil {
		enc.take(name, value)
		return
	}
	w := &enc.out
	if isPlainValue(value) {
		w.dst = append(w.dst, value...)
	} else {
		clean := true
		for _, b := range value {
			switch {
			case b == '"' || b == '\\':
				w.dst = append(w.dst, '\\')
			case isControl(b):
				b, clean = ' ', false
			}
			w.dst = append(w.dst, b)
		}
		if !clean {
			enc.lost(model.Changed, name, "control characters became blanks in %q", value)
		}
		if !utf8.Valid(value) {
			enc.lost(model.Changed, name, "%q is not UTF-8 and reads back otherwise", value)
		}
	}
	w.dst = append(w.dst, "\"]\n"...)
	w.start = len(w.dst)
}

// tagHeads are the beginnings of lines with tags, up to their values.
var tagHeads = func() (heads [numTags]string) {
	for t, name := range tagNames {
		heads[t] = "[" + name + ` "`
	}
	return heads
}()

// isPlainValue reports whether the value of a tag consists of printable ASCII
// characters that stand for themselves.
func isPlainValue(value []byte) bool {
	for _, b := range value {
		if b < ' ' || b > '~' || b == '"' || b == '\\' {
			return false
		}
	}
	return true
}

// name writes a name, or what stands for none.
func (enc *encoder) name(t tag, s, none string) {
	if s == "" {
		enc.field(t, append(enc.value[:0], none...))
		return
	}
	if s == "?" || t == tagSite && headerfields.IsAddress(s) {
		enc.lost(model.Changed, tagNames[t], "%q reads back as none", s)
	}
	enc.field(t, append(enc.value[:0], s...))
}

func (enc *encoder) number(t tag, n uint64) { enc.field(t, appendNumber(enc.value[:0], n)) }

func (enc *encoder) date(t tag, d model.Date) {
	value := appendDate(enc.value[:0], t, d)
	if d.Year > 9999 || d.Month > 12 || d.Day > 31 {
		if back, _ := parseDate(string(value)); back != d {
			enc.lost(model.Changed, tagNames[t], "%d.%d.%d is no date; it reads back as %v", d.Year, d.Month, d.Day, back)
		}
	}
	enc.field(t, value)
}

func (enc *encoder) player(t tag, id model.EntityID) {
	p := enc.e.Players.Value(id)
	value := appendPlayer(enc.value[:0], p)
	isPlain := strings.IndexByte(p.LastName, ',') < 0 && p.LastName != "?" && !hasOuterBlank(p.LastName) && !hasOuterBlank(p.FirstName)
	if !isPlain && parsePlayer(string(value)) != p {
		enc.lost(model.Changed, tagNames[t], "%q, %q reads back as another name", p.LastName, p.FirstName)
	}
	enc.field(t, value)
}

// start writes the starting position if it is not the standard one.
func (enc *encoder) start() {
	if enc.g.Start == nil || *enc.g.Start == model.StartPosition() {
		enc.field(tagVariant, enc.value[:0])
		return
	}
	start := *enc.g.Start
	parse, variant := board.ParseModel, ""
	if start.Chess960 {
		parse, variant = board.ParseModel960, "Chess960"
	}
	fen := board.FormatFEN(&start)
	if back, err := parse(fen); err != nil || back != start {
		enc.lost(model.Changed, tagNames[tagFEN], "the starting position reads back otherwise from %q", fen)
	}
	enc.pair(tagSetUp, append(enc.value[:0], '1'))
	enc.pair(tagFEN, append(enc.value[:0], fen...))
	enc.field(tagVariant, append(enc.value[:0], variant...))
}

// rest writes the tags that have no field.
func (enc *encoder) rest() {
	last := "" // the name of the tag before
	for i, t := range enc.tags {
		repeated := i > 0 && t.Name == last
		last = t.Name
		switch {
		case enc.used[i]:
		case !utf8.ValidString(t.Name):
			enc.lost(model.LostTag, t.Name, "%q is no name of a tag; its value was %q", t.Name, t.Value)
		case t.Name == tagNames[tagTermination] && t.Value == forfeit && i == enc.forfeit:
			enc.named(t.Name, append(enc.value[:0], t.Value...))
		case repeated || !isPlainName(t.Name) || enc.misread(t):
			if enc.plain {
				enc.lost(model.LostTag, t.Name, "PGN for people has no place for %q", t.Value)
				break
			}
			enc.named(string(appendOwnName(nil, t.Name)), append(enc.value[:0], t.Value...))
		default:
			enc.named(t.Name, append(enc.value[:0], t.Value...))
		}
	}
}

// misread reports whether a tag, written as one without a field, would be read
// as the field of its name, or repeat it.
func (enc *encoder) misread(tag model.Tag) bool {
	t, known := tagByName(tag.Name)
	switch {
	case !known:
		return false
	case t == tagTermination:
		r := enc.g.Result
		return enc.forfeit >= 0 || tag.Value == forfeit && r.Forfeit() != r
	case t == tagVariant:
		return enc.wrote[t] || isChess960(tag.Value) && enc.g.StartPosition() != model.StartPosition()
	}
	return true
}

// losses reports the fields of the game and of its entities that have no tag.
func (enc *encoder) losses() {
	if enc.report == nil {
		return
	}
	g, e := enc.g, enc.e
	for l := range headerfields.LostIn(headerfields.PGN, &g.Header, e) {
		if l.ID == nil {
			enc.lost(model.LostField, l.Field, l.Format, l.Value)
		} else {
			enc.lostOf(*l.ID, l.Field, l.Format, l.Value)
		}
	}
	if of := [...]model.EntityID{g.Tournament, g.WhiteTeam, g.BlackTeam}; of != enc.judged || !enc.isJudged {
		enc.judged, enc.isJudged = of, true
		if key := (lostEntity{"tournament", g.Tournament}); !enc.reported[key] {
			if lost := lostOfTournament(e.Tournaments.Value(g.Tournament)); lost != "" {
				enc.lostOf(g.Tournament, key.field, "%s", lost)
			}
		}
		for _, id := range of[1:] {
			t := e.Teams.Value(id)
			if lost := lostOfTeam(t); lost != "" {
				enc.lostOf(id, "team", "%s of %q", lost, t.Title)
			}
		}
	}
}

// lostOfTeam lists what there is no tag for.
func lostOfTeam(t model.Team) string {
	var lost []string
	if t.Number != 0 {
		lost = append(lost, fmt.Sprintf("number %d", t.Number))
	}
	switch {
	case t.Season && t.Year != 0:
		lost = append(lost, fmt.Sprintf("season %d/%d", t.Year, t.Year+1))
	case t.Season:
		lost = append(lost, "season")
	case t.Year != 0:
		lost = append(lost, fmt.Sprintf("year %d", t.Year))
	}
	return strings.Join(lost, ", ")
}

// lostOfTournament lists what there is no tag for.
func lostOfTournament(t model.Tournament) string {
	var lost []string
	if !t.End.IsZero() {
		lost = append(lost, "end "+t.End.String())
	}
	for _, mark := range [...]struct {
		is   bool
		what string
	}{
		{t.Complete, "complete"}, {t.LegacyComplete, "complete (old mark)"},
		{t.BoardPoints, "board points"}, {t.ThreePoints, "three points for a win"},
	} {
		if mark.is {
			lost = append(lost, mark.what)
		}
	}
	if t.Latitude != 0 || t.Longitude != 0 {
		lost = append(lost, fmt.Sprintf("at %g, %g", t.Latitude, t.Longitude))
	}
	if t.TieBreaks != [10]uint8{} {
		lost = append(lost, fmt.Sprintf("tie-breaks %v", t.TieBreaks))
	}
	return strings.Join(lost, ", ")
}

// AppendTags appends the tags of a game as a [Writer] writes them: names as in the file,
// values without escapes. It leaves out empty tags, and those derived from start and
// moves (SetUp, FEN, Variant, PlyCount). Report is called for what tags cannot express;
// it may be nil.
func AppendTags(dst []model.Tag, rec *model.Record, e *model.Entities, report model.Report) []model.Tag {
	var enc encoder
	enc.init(false, report)
	enc.record = rec.ID
	enc.take = func(name string, value []byte) {
		t, known := tagByName(name)
		nothing := "?" // what says nothing in one of the seven tags
		switch t {
		case tagDate:
			nothing = "????.??.??"
		case tagResult:
			nothing = "*"
		}
		if !known || t != tagPlyCount && !(t <= tagResult && string(value) == nothing) {
			dst = append(dst, model.Tag{Name: name, Value: string(value)})
		}
	}
	enc.g, enc.e = &model.Game{Header: rec.Game.Header}, e
	enc.writeTags()
	return dst
}

// ParseTags reads tags as a [Reader] does and returns the header that they make; those
// that have no field are its tags. New names are appended to e.
func ParseTags(tags []model.Tag, e *model.Entities) model.Header {
	var head header
	for _, t := range tags {
		head.add(t.Name, t.Value)
	}
	_, _ = head.start() // what its tags say beside the start is kept
	g, n := model.NewHeader(), names{}
	g.Result, _ = head.result(model.NoResult)
	head.fill(&g, &n, false)
	n.intern(&g, e)
	return g
}
