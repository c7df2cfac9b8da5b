package pgn

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cbkit/board"
	"cbkit/model"
)

// writeTags writes the tags of the game, those with a field first.
func (enc *encoder) writeTags() {
	enc.sortTags()
	g, e := enc.g, enc.e
	tournament := e.Tournaments.Value(g.Tournament)
	enc.name(tagEvent, tournament.Title, "?")
	enc.name(tagSite, tournament.Place, "?")
	enc.date(tagDate, g.Date)
	enc.field(tagRound, appendRound(enc.value[:0], g.Round, g.Subround))
	enc.player(tagWhite, g.White)
	enc.player(tagBlack, g.Black)
	enc.result()
	if enc.roster {
		enc.kept[tagVariant] = -1
		enc.start()
		return
	}
	enc.eco()
	enc.number(tagWhiteElo, uint64(g.WhiteElo))
	enc.number(tagBlackElo, uint64(g.BlackElo))
	enc.name(tagAnnotator, e.Annotators.Value(g.Annotator).Name, "")
	enc.start()
	enc.pair(tagPlyCount, strconv.AppendInt(enc.value[:0], int64(g.Moves.MainLen()), 10))
	enc.tournament(tournament, saidOf(g.Leftovers.Header))
	enc.publication(e.Sources.Value(g.Source))
	enc.teams()
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
	byName := func(a, b model.Tag) int { return strings.Compare(a.Name, b.Name) }
	if !slices.IsSortedFunc(enc.tags, byName) {
		slices.SortStableFunc(enc.tags, byName)
	}
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
		enc.oddValue(name, value)
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

// oddValue writes the value of a tag that may have other characters.
func (enc *encoder) oddValue(name string, value []byte) {
	w := &enc.out
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

// name writes a name, or what stands for none.
func (enc *encoder) name(t tag, s, none string) {
	if s == "" {
		enc.field(t, append(enc.value[:0], none...))
		return
	}
	if s == "?" || t == tagSite && isURL(s) {
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
	if !isPlainPlayer(p) && parsePlayer(string(value)) != p {
		enc.lost(model.Changed, tagNames[t], "%q, %q reads back as another name", p.LastName, p.FirstName)
	}
	enc.field(t, value)
}

func (enc *encoder) result() {
	r := enc.g.Result
	if r > model.BothLose {
		enc.lost(model.LostField, tagNames[tagResult], "%d is no result", r)
	}
	enc.field(tagResult, append(enc.value[:0], r.String()...))
}

func (enc *encoder) eco() {
	e := enc.g.ECO
	if e != 0 && !e.Valid() {
		enc.lost(model.LostField, tagNames[tagECO], "%d is no code", e)
	}
	enc.value = enc.value[:0]
	if e.Valid() {
		enc.value, _ = e.AppendText(enc.value)
	}
	enc.field(tagECO, enc.value)
}

// start writes the starting position if it is not the standard one.
func (enc *encoder) start() {
	if enc.g.Start == nil || *enc.g.Start == model.StartPosition() {
		enc.field(tagVariant, enc.value[:0])
		return
	}
	start := *enc.g.Start
	parse, variant := board.ParseFEN, ""
	if start.Chess960 {
		parse, variant = board.ParseFEN960, "Chess960"
	}
	fen := board.FormatFEN(&start)
	if back, err := parse(fen); err != nil || back != start {
		enc.lost(model.Changed, tagNames[tagFEN], "the starting position reads back otherwise from %q", fen)
	}
	enc.pair(tagSetUp, append(enc.value[:0], '1'))
	enc.pair(tagFEN, append(enc.value[:0], fen...))
	enc.field(tagVariant, append(enc.value[:0], variant...))
}

// tournament writes what only tournaments have. The year of the game is said as
// their date, and the country that the place says as their country, if the game was
// read so.
func (enc *encoder) tournament(t model.Tournament, says int) {
	if t.Start != impliedStart(t, enc.g.Date) || enc.kept[tagEventDate] >= 0 || says&saysYear != 0 {
		enc.date(tagEventDate, t.Start)
	}
	enc.field(tagEventType, appendEventType(enc.value[:0], t.Type))
	enc.number(tagEventRounds, uint64(t.Rounds))
	if t.Nation != impliedCountry(t) || enc.kept[tagEventCountry] >= 0 || says&saysCountry != 0 {
		enc.field(tagEventCountry, append(enc.value[:0], t.Nation.String()...))
	}
	enc.number(tagEventCategory, uint64(t.Category))
}

func (enc *encoder) publication(p model.Publication) {
	enc.name(tagSource, p.Publisher, "")
	switch {
	case p.Title == p.Publisher: // which is what a source without SourceTitle has
	case p.Title == "":
		enc.wrote[tagSourceTitle] = true
		enc.pair(tagSourceTitle, enc.value[:0])
	default:
		enc.name(tagSourceTitle, p.Title, "")
	}
	enc.date(tagSourceDate, p.Published)
	enc.number(tagSourceVersion, uint64(p.Version))
	enc.date(tagSourceVersionDate, p.Date)
	enc.number(tagSourceQuality, uint64(p.Quality))
}

func (enc *encoder) teams() {
	white, black := enc.e.Teams.Value(enc.g.WhiteTeam), enc.e.Teams.Value(enc.g.BlackTeam)
	enc.name(tagWhiteTeam, white.Title, "")
	enc.name(tagBlackTeam, black.Title, "")
	enc.field(tagWhiteTeamCountry, append(enc.value[:0], white.Nation.String()...))
	enc.field(tagBlackTeamCountry, append(enc.value[:0], black.Nation.String()...))
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
	if g.LineEvaluation != 0 {
		enc.lost(model.LostField, "line evaluation", "$%d", g.LineEvaluation)
	}
	if of := [...]model.EntityID{g.Tournament, g.GameTitle, g.WhiteTeam, g.BlackTeam}; of != enc.judged || !enc.isJudged {
		enc.judged, enc.isJudged = of, true
		enc.lossesOf(g, e)
	}
}

// lossesOf reports the fields of a game's entities that have no tag, once for
// each entity.
func (enc *encoder) lossesOf(g *model.Game, e *model.Entities) {
	if t := e.GameTitles.Value(g.GameTitle); t != (model.GameTitle{}) {
		enc.lostOf(g.GameTitle, "game title", "%q", t)
	}
	if key := (lostEntity{"tournament", g.Tournament}); !enc.reported[key] {
		if lost := lostOfTournament(e.Tournaments.Value(g.Tournament)); lost != "" {
			enc.lostOf(g.Tournament, key.field, "%s", lost)
		}
	}
	for _, id := range [...]model.EntityID{g.WhiteTeam, g.BlackTeam} {
		t := e.Teams.Value(id)
		if lost := lostOfTeam(t); lost != "" {
			enc.lostOf(id, "team", "%s of %q", lost, t.Title)
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
