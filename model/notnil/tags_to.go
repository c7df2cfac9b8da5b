package notnil

import (
	"slices"
	"strconv"

	"github.com/notnil/chess"

	"cbkit/board"
	"cbkit/model"
)

// tagWriter fills the tag pairs of a game.
type tagWriter struct {
	game   *chess.Game
	record model.RecordID
	report model.Report
}

// writeHeader adds the seven tags that every game has, those of the other
// fields that are known, and the game's own. What has no tag is reported.
func (w *tagWriter) writeHeader(g *model.Game, e *model.Entities) {
	tournament := e.Tournaments.Value(g.Tournament)
	w.add("Event", orUnknown(tournament.Title))
	w.add("Site", orUnknown(tournament.Place))
	w.add("Date", g.Date.String())
	w.add("Round", orUnknown(roundWord(g.Round, g.Subround)))
	w.add("White", orUnknown(e.Players.Value(g.White).String()))
	w.add("Black", orUnknown(e.Players.Value(g.Black).String()))
	w.add("Result", g.Result.String())
	w.addKnown("ECO", g.ECO.String())
	w.addKnown("WhiteElo", numberWord(g.WhiteElo))
	w.addKnown("BlackElo", numberWord(g.BlackElo))
	w.addKnown("Annotator", e.Annotators.Value(g.Annotator).Name)
	w.addKnown("WhiteTeam", e.Teams.Value(g.WhiteTeam).Title)
	w.addKnown("BlackTeam", e.Teams.Value(g.BlackTeam).Title)
	if g.Start != nil {
		w.add("SetUp", "1")
		w.add("FEN", board.FormatFEN(g.Start))
	}
	if g.Result.IsForfeit() {
		w.add("Termination", "forfeit")
	}
	for i, tag := range g.Tags {
		w.addOwn(tag, g.Tags[:i])
	}
	w.reportRest(g, e)
}

func (w *tagWriter) add(name, value string) { w.game.AddTagPair(name, value) }

// addOwn adds one of the game's own tags, which counts more than that of a
// field: it is there because the field could not take its value.
func (w *tagWriter) addOwn(tag model.Tag, earlier []model.Tag) {
	twice := slices.ContainsFunc(earlier, func(t model.Tag) bool { return t.Name == tag.Name })
	if twice || tag.Name == "FEN" || tag.Name == "SetUp" {
		w.report.Add(model.LostTag, w.record, tag.Name, "there is one already; left out %q", tag.Value)
		return
	}
	w.add(tag.Name, tag.Value)
}

func (w *tagWriter) addKnown(name, value string) {
	if value != "" {
		w.add(name, value)
	}
}

// reportRest reports what has no tag here.
func (w *tagWriter) reportRest(g *model.Game, e *model.Entities) {
	tournament := e.Tournaments.Value(g.Tournament)
	tournament.Title, tournament.Place = "", ""
	white, black := e.Teams.Value(g.WhiteTeam), e.Teams.Value(g.BlackTeam)
	white.Title, black.Title = "", ""
	for _, f := range []struct {
		field string
		lost  bool
	}{
		{"tournament", tournament != model.Tournament{}},
		{"source", e.Sources.Value(g.Source) != model.Publication{}},
		{"game title", e.GameTitles.Value(g.GameTitle) != model.GameTitle{}},
		{"white team", white != model.Team{}},
		{"black team", black != model.Team{}},
		{"line evaluation", g.LineEvaluation != 0},
	} {
		if f.lost {
			w.report.Add(model.LostField, w.record, f.field, "it, or what is known besides its name, has no tag")
		}
	}
}

func orUnknown(value string) string {
	if value == "" {
		return "?"
	}
	return value
}

// numberWord returns a number that is known.
func numberWord(n uint16) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(int(n))
}

// roundWord returns "3", with a subround "3.2".
func roundWord(round, subround uint16) string {
	if subround == 0 {
		return numberWord(round)
	}
	return strconv.Itoa(int(round)) + "." + strconv.Itoa(int(subround))
}
