package gen

import (
	"cbkit/model"

	"pgregory.net/rapid"
)

// GuidingText draws a text whose entities are those of the given tables.
func GuidingText(c Config, e *model.Entities) *rapid.Generator[*model.GuidingText] {
	return rapid.Custom(func(t *rapid.T) *model.GuidingText {
		g := model.NewGuidingText()
		g.Tournament, g.Annotator = reference(t, &e.Tournaments, "tournament"), reference(t, &e.Annotators, "annotator")
		g.Source, g.GameTitle = reference(t, &e.Sources, "source"), reference(t, &e.GameTitles, "game title")
		g.Round, g.Subround = number[uint16](t, c, 255, "round"), number[uint16](t, c, 255, "subround")
		g.Leftovers.Header = c.leftover(t)
		if reason := drawReason(t, c); reason != nil {
			g.ContentErr = reason
			g.Leftovers.Content = drawRaw(t)
			return g
		}
		g.HTML = rapid.Bool().Draw(t, "HTML")
		g.Titles, g.Contents = drawLocalTexts(t, c, c.nameBytes()), drawLocalTexts(t, c, c.textBytes())
		for range rapid.SampledFrom([]int{0, 0, 1, 3}).Draw(t, "media") {
			g.Media = append(g.Media, c.name(t, "medium"))
		}
		g.Leftovers.Content = c.leftover(t)
		return g
	})
}

func drawLocalTexts(t *rapid.T, c Config, max int) []model.LocalText {
	var list []model.LocalText
	languages := rapid.SliceOfNDistinct(rapid.SampledFrom(guideLanguages), 0, 3, rapid.ID).Draw(t, "languages")
	for _, language := range languages {
		list = append(list, model.LocalText{Language: language, Text: c.String(t, max, "text"), Leftover: c.leftover(t)})
	}
	return list
}

// Database draws a whole database.
func Database(c Config) *rapid.Generator[*model.Database] {
	return rapid.Custom(func(t *rapid.T) *model.Database {
		db := &model.Database{Tables: *Entities(c).Draw(t, "entities"), Extra: c.leftover(t)}
		for range rapid.IntRange(0, c.records()).Draw(t, "records") {
			if !c.NoTexts && chance(t, 5, "text") {
				db.AddText(GuidingText(c, &db.Tables).Draw(t, "text"))
			} else {
				db.AddGame(Game(c, &db.Tables).Draw(t, "game"))
			}
			last := &db.List[len(db.List)-1]
			last.Deleted = !c.NoDeleted && chance(t, 5, "deleted")
			if c.Wild {
				last.ID += model.RecordID(rapid.SampledFrom([]int32{0, 0, 1, 1000}).Draw(t, "gap"))
			}
		}
		return db
	})
}
