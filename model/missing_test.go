package model_test

import (
	"fmt"
	"testing"

	"cbkit/model"

	"github.com/google/go-cmp/cmp"
)

func ExampleReportUnread() {
	var tables model.Entities
	g := &model.Game{Header: model.NewHeader()}
	g.White = tables.Players.Intern(model.Player{LastName: "Morphy"})
	g.Black = 65535
	rec := model.Record{ID: 17, Game: g, Unread: []model.Unread{{Field: "result", What: "9 is none of the results"}}}
	model.ReportUnread(rec, &tables, "", func(l model.Loss) { fmt.Println(l) })
	// Output:
	// record 17: result: 9 is none of the results
	// record 17: black: there is no player 65535
}

// Every reference is looked at; none, and one to a deleted entity, is sound.
func TestReportUnread(t *testing.T) {
	var tables model.Entities
	tables.Players.Intern(model.Player{LastName: "a"})
	tables.Players.Delete(0)
	for _, c := range []struct {
		id   model.EntityID
		want []string
	}{
		{model.NoEntity, nil},
		{1, []string{
			"white: there is no player 1", "black: there is no player 1", "tournament: there is no tournament 1",
			"annotator: there is no annotator 1", "source: there is no source 1", "white team: there is no team 1",
			"black team: there is no team 1", "game title: there is no game title 1",
			"tournament: there is no tournament 1", "annotator: there is no annotator 1",
			"source: there is no source 1", "game title: there is no game title 1",
		}},
		{-2, []string{
			"white: there is no player -2", "black: there is no player -2", "tournament: there is no tournament -2",
			"annotator: there is no annotator -2", "source: there is no source -2", "white team: there is no team -2",
			"black team: there is no team -2", "game title: there is no game title -2",
			"tournament: there is no tournament -2", "annotator: there is no annotator -2",
			"source: there is no source -2", "game title: there is no game title -2",
		}},
	} {
		g, text := &model.Game{Header: model.NewHeader()}, model.NewGuidingText()
		g.White, g.Black, g.Tournament, g.Annotator = c.id, c.id, c.id, c.id
		g.Source, g.WhiteTeam, g.BlackTeam, g.GameTitle = c.id, c.id, c.id, c.id
		text.Tournament, text.Annotator, text.Source, text.GameTitle = c.id, c.id, c.id, c.id
		var got []string
		report := func(l model.Loss) {
			if l.Kind != model.LostField || l.Record != 9 {
				t.Errorf("%+v", l)
			}
			got = append(got, l.Field+": "+l.What)
		}
		model.ReportUnread(model.Record{ID: 9, Game: g}, &tables, "", report)
		model.ReportUnread(model.Record{ID: 9, Text: text}, &tables, "", report)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%d: %s", c.id, diff)
		}
		model.ReportUnread(model.Record{ID: 9, Game: g}, &tables, "", nil)
	}
	g := &model.Game{Header: model.NewHeader()}
	g.White = 0
	model.ReportUnread(model.Record{ID: 1, Game: g}, &tables, "", func(l model.Loss) { t.Errorf("a deleted entity: %v", l) })
}
