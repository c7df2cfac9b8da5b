package notnil

import (
	"strconv"
	"strings"

	"github.com/notnil/chess"

	"cbkit/model"
)

// tagReader makes a header of tag pairs.
type tagReader struct {
	header     model.Header
	entities   *model.Entities
	tournament model.Tournament
	forfeit    bool
}

// readHeader makes a header of the tag pairs and the outcome. A tag that has no
// field, or whose field cannot take its value, is kept as a tag.
func readHeader(g *chess.Game, e *model.Entities) model.Header {
	r := tagReader{header: model.NewHeader(), entities: e}
	r.header.Result, _ = model.ParseResult(string(g.Outcome()))
	for _, tag := range g.TagPairs() {
		unknown := tag.Value == "?" || tag.Value == ""
		if unknown && r.isField(tag.Key) {
			continue
		}
		if !r.takeEntity(tag.Key, tag.Value) && !r.takeValue(tag.Key, tag.Value) {
			r.header.Tags = append(r.header.Tags, model.Tag{Name: tag.Key, Value: tag.Value})
		}
	}
	if r.tournament != (model.Tournament{}) {
		r.header.Tournament = e.Tournaments.Intern(r.tournament)
	}
	if r.forfeit {
		r.header.Result = r.header.Result.Forfeit()
	}
	return r.header
}

// isField reports whether a tag has a field.
func (r *tagReader) isField(name string) bool {
	switch name {
	case "Event", "Site", "Date", "Round", "White", "Black", "Result", "ECO", "WhiteElo", "BlackElo",
		"Annotator", "WhiteTeam", "BlackTeam":
		return true
	}
	return false
}

// takeEntity puts a name into its field; it returns false for other tags.
func (r *tagReader) takeEntity(name, value string) bool {
	h, e := &r.header, r.entities
	switch name {
	case "Event":
		r.tournament.Title = value
	case "Site":
		if strings.HasPrefix(value, "http") {
			return false // an address is no place (docs/formats/pgn.md 1)
		}
		r.tournament.Place = value
	case "White":
		h.White = e.Players.Intern(model.ParsePlayer(value))
	case "Black":
		h.Black = e.Players.Intern(model.ParsePlayer(value))
	case "Annotator":
		h.Annotator = e.Annotators.Intern(model.Annotator{Name: value})
	case "WhiteTeam":
		h.WhiteTeam = e.Teams.Intern(model.Team{Title: value})
	case "BlackTeam":
		h.BlackTeam = e.Teams.Intern(model.Team{Title: value})
	default:
		return false
	}
	return true
}

// takeValue puts a value into its field; it returns false for other tags and
// for values that the field cannot take.
func (r *tagReader) takeValue(name, value string) (ok bool) {
	h := &r.header
	switch name {
	case "Date":
		h.Date, ok = model.ParseDate(value)
	case "Round":
		h.Round, h.Subround, ok = parseRound(value)
	case "Result":
		var result model.Result
		if result, ok = model.ParseResult(value); result != model.NoResult {
			h.Result = result
		}
	case "ECO":
		h.ECO, ok = model.ParseECO(value)
	case "WhiteElo":
		h.WhiteElo, ok = parseNumber(value)
	case "BlackElo":
		h.BlackElo, ok = parseNumber(value)
	case "Termination":
		r.forfeit = value == "forfeit"
		ok = r.forfeit
	case "SetUp", "FEN":
		ok = true // the first position says it
	}
	return ok
}

// parseNumber reads a number that is not 0, which would mean not known.
func parseNumber(s string) (uint16, bool) {
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil || n == 0 {
		return 0, false
	}
	return uint16(n), true
}

func parseRound(s string) (round, subround uint16, ok bool) {
	first, second, two := strings.Cut(s, ".")
	n, err := strconv.ParseUint(first, 10, 16)
	if !two || err != nil {
		return uint16(n), 0, err == nil && n != 0
	}
	subround, ok = parseNumber(second)
	if !ok {
		return 0, 0, false
	}
	return uint16(n), subround, true
}
