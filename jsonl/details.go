package jsonl

import (
	"strconv"

	"cbkit/internal/jsontext"
	"cbkit/model"
)

// appendGameDetails appends "cbh": what a full round trip needs beyond the
// neutral keys.
func (e *encoder) appendGameDetails(o *jsontext.Object, g *model.Game, r *resolved) {
	o.Object("cbh", func(o *jsontext.Object) {
		appendExactStart(o, g.Start)
		appendExactPlayer(o, "white", r.white)
		appendExactPlayer(o, "black", r.black)
		appendTournament(o, &r.tournament)
		appendPublication(o, &r.source)
		appendTeam(o, "whiteTeam", &r.whiteTeam)
		appendTeam(o, "blackTeam", &r.blackTeam)
		appendGameTitles(o, &r.gameTitle)
		o.Int("lineEvaluation", int64(g.LineEvaluation))
		appendStrayAnnotations(o, g)
		o.Object("undecodable", func(o *jsontext.Object) {
			appendReason(o, "moves", g.MovesErr)
			appendReason(o, "annotations", g.AnnotationsErr)
		})
		o.Object("leftover", func(o *jsontext.Object) {
			e.appendDatabaseLeftover(o)
			appendLeftover(o, "header", g.Leftovers.Header)
			appendLeftover(o, "derived", g.Leftovers.Derived)
			appendLeftover(o, "moves", g.Leftovers.Moves)
			appendLeftover(o, "annotations", g.Leftovers.Annotations)
			appendEntityLeftovers(o, r)
		})
		e.appendSums(o, g)
	})
}

// appendTextDetails does the same for a guiding text.
func (e *encoder) appendTextDetails(o *jsontext.Object, t *model.GuidingText, r *resolved) {
	o.Object("cbh", func(o *jsontext.Object) {
		appendTournament(o, &r.tournament)
		appendPublication(o, &r.source)
		appendGameTitles(o, &r.gameTitle)
		o.Object("undecodable", func(o *jsontext.Object) {
			appendReason(o, "content", t.ContentErr)
		})
		o.Object("leftover", func(o *jsontext.Object) {
			e.appendDatabaseLeftover(o)
			appendLeftover(o, "header", t.Leftovers.Header)
			appendLeftover(o, "content", t.Leftovers.Content)
			appendEntityLeftovers(o, r)
		})
	})
}

// appendExactPlayer appends the parts of a name that cannot be told from the
// name as a whole.
func appendExactPlayer(o *jsontext.Object, key string, p model.Player) {
	if model.ParsePlayer(p.String()) != p {
		o.Object(key, func(o *jsontext.Object) {
			o.Text("last", p.LastName)
			o.Text("first", p.FirstName)
		})
	}
}

// appendTournament appends what "event" and "site" do not say.
func appendTournament(o *jsontext.Object, t *model.Tournament) {
	o.Object("tournament", func(o *jsontext.Object) {
		appendDate(o, "start", t.Start)
		appendDate(o, "end", t.End)
		if t.Type != (model.EventType{}) {
			o.Key("type")
			o.Dst = model.AppendEventTypeJSON(o.Dst, t.Type)
		}
		o.Text("nation", t.Nation.String())
		o.Int("category", int64(t.Category))
		o.Int("rounds", int64(t.Rounds))
		o.True("complete", t.Complete)
		o.True("legacyComplete", t.LegacyComplete)
		o.True("boardPoints", t.BoardPoints)
		o.True("threePoints", t.ThreePoints)
		o.Float("latitude", t.Latitude)
		o.Float("longitude", t.Longitude)
		appendTieBreaks(o, t.TieBreaks)
	})
}

// appendTieBreaks appends the rules up to the last that is not 0.
func appendTieBreaks(o *jsontext.Object, rules [10]uint8) {
	n := len(rules)
	for n > 0 && rules[n-1] == 0 {
		n--
	}
	list := o.List("tieBreaks")
	for _, rule := range rules[:n] {
		list.Next()
		o.Dst = strconv.AppendUint(o.Dst, uint64(rule), 10)
	}
	list.End()
}

// appendPublication appends what "source" does not say.
func appendPublication(o *jsontext.Object, p *model.Publication) {
	o.Object("source", func(o *jsontext.Object) {
		o.Text("publisher", p.Publisher)
		appendDate(o, "published", p.Published)
		appendDate(o, "date", p.Date)
		o.Int("version", int64(p.Version))
		o.Text("quality", p.Quality.String())
	})
}

// appendTeam appends what "whiteTeam" or "blackTeam" does not say.
func appendTeam(o *jsontext.Object, key string, t *model.Team) {
	o.Object(key, func(o *jsontext.Object) {
		o.Int("number", int64(t.Number))
		o.True("season", t.Season)
		o.Int("year", int64(t.Year))
		o.Text("nation", t.Nation.String())
	})
}

// appendGameTitles appends the titles in all languages, unless there is only
// the first.
func appendGameTitles(o *jsontext.Object, t *model.GameTitle) {
	n := len(t.Titles)
	for n > 0 && t.Titles[n-1] == "" {
		n--
	}
	if n > 1 {
		appendStrings(o, "gameTitles", t.Titles[:n])
	}
}
