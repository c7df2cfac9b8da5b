package cbh

import (
	"testing"

	"cbkit/model"
)

// goldenEntities are payloads with their values.
var goldenEntities = []struct {
	file  *EntityFile
	hex   string
	check func(t *testing.T, payload []byte)
}{
	{&Players.EntityFile, `
		4de57264656c6c 00000000000000000000000000000000000000000000 00
		4a696d6d79 000000000000000000000000000000
		00000000 00000000`,
		exactly(&Players, model.Player{LastName: "Mårdell", FirstName: "Jimmy"})},
	{&Tournaments.EntityFile, `
		53776564697368204368 000000000000000000000000000000000000000000000000000000000000
		53746f636b686f6c6d 000000000000000000000000000000000000000000
		e1c00f00 64 01 86 00 05 0e 09 00
		00000000 00000000`,
		exactly(&Tournaments, model.Tournament{
			Title: "Swedish Ch", Place: "Stockholm", Start: model.Date{Year: 2016, Month: 7, Day: 1},
			Type:   model.EventType{System: model.Swiss, Blitz: true, Rapid: true, Team: true},
			Nation: 134, Category: 5, Rounds: 9, Complete: true, BoardPoints: true, ThreePoints: true,
		})},
	{&Annotators.EntityFile, `
		4e756e6e2c4a000000000000000000000000000000000000000000000000000000000000000000000000000000
		00000000 00000000`,
		exactly(&Annotators, model.Annotator{Name: "Nunn,J"})},
	{&Sources.EntityFile, `
		4d61696e4261736520323032310000000000000000000000 00
		43686573734261736500000000000000
		9fca0f00 00ca0f00 03 01
		00000000 00000000`,
		exactly(&Sources, model.Publication{
			Title: "MainBase 2021", Publisher: "ChessBase",
			Published: model.Date{Year: 2021, Month: 4, Day: 31}, Date: model.Date{Year: 2021},
			Version: 3, Quality: model.QualityHigh,
		})},
	{&Teams.EntityFile, `
		534b20526f636b6164656e20556d65e5 0000000000000000000000000000000000000000000000000000000000
		02000000 01 e0070000 86
		00000000 00000000`,
		exactly(&Teams, model.Team{Title: "SK Rockaden Umeå", Number: 2, Season: true, Year: 2016, Nation: 134})},
}

func exactly[T comparable](c *EntityCodec[T], v T) func(*testing.T, []byte) {
	return func(t *testing.T, want []byte) {
		got, losses := c.Append(nil, v, CodePage{})
		same(t, c.Name, -1, got, want, nil)
		if back := c.Decode(want, CodePage{}); back != v || len(losses) != 0 {
			t.Errorf("%+v becomes %+v (%v)", v, back, losses)
		}
	}
}

func TestGoldenEntities(t *testing.T) {
	for _, g := range goldenEntities {
		t.Run(g.file.Name, func(t *testing.T) { g.check(t, unhex(g.hex)) })
	}
	t.Run("game title", func(t *testing.T) {
		want := make([]byte, 1608)
		copy(want, "Round one")
		copy(want[200:], "Runde eins")
		copy(want[1400:], "8")
		exactly(&GameTitles, model.GameTitle{Titles: [8]string{0: "Round one", 1: "Runde eins", 7: "8"}})(t, want)
	})
}
