package pgn

import (
	"slices"
	"strings"

	"cbkit/model"
)

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
// game's header and names.
func (h *header) fill(g *model.Header, n *names, keepSite bool) {
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

	// Tags go by name; those of one name keep their order.
	byName := func(a, b model.Tag) int { return strings.Compare(a.Name, b.Name) }
	g.Tags = slices.Grow(g.Tags[:0], len(h.kept)+len(h.rest))
	g.Tags = append(append(g.Tags, h.kept...), h.rest...)
	if !slices.IsSortedFunc(g.Tags, byName) {
		slices.SortStableFunc(g.Tags, byName)
	}
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
