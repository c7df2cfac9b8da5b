package model_test

import (
	"slices"
	"testing"

	"cbkit/model"

	"pgregory.net/rapid"
)

// What becomes a link comes back as the same tag, and what does not stays a tag; links of
// others stay links.
func TestLinksThereAndBack(t *testing.T) {
	notes, tags := new(model.Game), new(model.Game) // used again for each game
	rapid.Check(t, func(t *rapid.T) {
		g := model.NewGame()
		names := []string{"Link", "LINK", "Site", "GameUrl", "ECOUrl", "Opening", "url"}
		values := []string{"https://x.org/1", "http://", "https://ü.org", "https://x.org/a b", "ftp://x.org", "https://" + string(make([]byte, 3)), "x"}
		for range rapid.IntRange(0, 5).Draw(t, "tags") {
			g.Tags = append(g.Tags, model.Tag{Name: rapid.SampledFrom(names).Draw(t, "name"), Value: rapid.SampledFrom(values).Draw(t, "value")})
		}
		slices.SortStableFunc(g.Tags, func(a, b model.Tag) int { return len(a.Name) - len(b.Name) })
		for range rapid.IntRange(0, 3).Draw(t, "notes") {
			g.Annotate(rapid.IntRange(-1, 1).Draw(t, "node"), model.WebLink{URL: "https://x.org/2", Caption: rapid.SampledFrom([]string{"Link", "PGN tag ", "PGN tag Event", ""}).Draw(t, "caption")})
		}
		before := slices.Clone(g.Tags)
		there := g.LinksAsNotes(notes)
		if !slices.Equal(g.Tags, before) {
			t.Fatal("the game has changed")
		}
		if again := there.LinksAsNotes(nil); again != there {
			t.Fatal("a second time something changes")
		}
		for _, tag := range there.Tags {
			if _, ok := tag.Link(); ok {
				t.Fatalf("%v stays", tag)
			}
		}
		back := there.LinksAsTags(tags)
		byBoth := func(a, b model.Tag) int { return slices.Compare([]string{a.Name, a.Value}, []string{b.Name, b.Value}) }
		slices.SortFunc(back.Tags, byBoth)
		slices.SortFunc(before, byBoth)
		if !slices.Equal(back.Tags, before) || !slices.EqualFunc(back.Annotations, g.Annotations, func(a, b model.Annotation) bool { return a == b }) {
			t.Fatalf("%v became %v, %v", before, back.Tags, back.Annotations)
		}
	})
}
