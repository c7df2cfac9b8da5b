package collect_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cbkit/collect"
	"cbkit/internal/testkit/must"
	"cbkit/model"

	"pgregory.net/rapid"
)

// united returns what is left of games that are united with those that are the same, the
// first of which stays, and what was filled.
func united(t *rapid.T, db *model.Database) (rest *model.Database, filled []collect.Filled) {
	list := must.Get(collect.Duplicates(ctx, db, collect.DuplicateOptions{Prefer: "first", Unite: true}))(t)
	src := must.Get(collect.Without(ctx, db, list, db, nil, func(f collect.Filled) { filled = append(filled, f) }))(t)
	rest = must.Get(model.Load(ctx, src))(t)
	return rest, filled
}

// What is left of copies of a game states what each of them stated, whatever their order;
// what is united with them again stays as it is.
func TestUniteHeaders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		original := drawOriginals(r, 1, 60)[0]
		var texts []string
		for _, s := range draw(r, 6, false, []sheet{original}) {
			s.moves, s.result = original.moves, []string{s.result, "*"}[r.IntN(2)]
			more := ""
			for _, tag := range []string{"WhiteElo", "BlackElo", "ECO", "Annotator", "Site", "EventDate", "WhiteFideId"} {
				if r.IntN(3) == 0 {
					more += fmt.Sprintf("[%s %q]\n", tag, map[bool]string{true: fmt.Sprint(2400 + r.IntN(2)), false: fmt.Sprintf("B5%d", r.IntN(2))}[tag != "ECO"])
				}
			}
			texts = append(texts, more+s.String())
		}
		db := pgnOf(t, strings.Join(texts, ""))
		rest, filled := united(t, db)
		if len(rest.List) != 1 {
			t.Fatalf("%d games are left", len(rest.List))
		}
		header := fmt.Sprint(rest.List[0].Header(rest.Entities()))
		for _, f := range filled {
			if f.ID != 1 || f.From < 2 || f.Value == "" || f.Field == "" {
				t.Errorf("%+v", f)
			}
		}
		for _, tag := range []string{"WhiteElo", "BlackElo", "ECO", "Annotator", "Site", "WhiteFideId", "Round"} { // EventDate follows from Date
			if was := strings.Contains(strings.Join(texts, ""), "["+tag+" "); was != says(rest, tag) {
				t.Fatalf("%s is stated: %v\n%s", tag, was, strings.Join(texts, ""))
			}
		}
		mixed := slices.Clone(texts[1:])
		r.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		again, _ := united(t, pgnOf(t, strings.Join(append(texts[:1:1], mixed...), "")))
		if got := fmt.Sprint(again.List[0].Header(again.Entities())); got != header {
			t.Fatalf("in another order %s, and %s", got, header)
		}
		both := must.Get(model.Load(ctx, collect.NewUnion(rest, db)))(t)
		once, filled := united(t, both)
		if got := fmt.Sprint(once.List[0].Header(once.Entities())); len(filled) > 0 || len(once.List) != 1 || got != header {
			t.Fatalf("united again it has %v: %s, and was %s", filled, got, header)
		}
	})
}

// says reports whether the only game of a database states what a tag is for.
func says(db *model.Database, tag string) bool {
	h, e := &db.List[0].Game.Header, db.Entities()
	t := e.Tournaments.Value(h.Tournament)
	return map[string]bool{
		"WhiteElo": h.WhiteElo != 0, "BlackElo": h.BlackElo != 0, "ECO": h.ECO != 0, "Annotator": h.Annotator >= 0, "Site": t.Place != "",
		"WhiteFideId": h.Tag("WhiteFideId") != "", "Round": h.Round != 0,
	}[tag]
}

// A union tells where its records are from, whatever was read before.
func TestUnionOrigin(t *testing.T) {
	u := collect.NewUnion(games("a", "b"), games(), games("c"))
	for range 2 {
		at := ""
		for rec, err := range u.Records(ctx, 1, model.WantHeaders) {
			part, in := u.Origin(rec.ID)
			at += fmt.Sprint(part, in, err, " ")
		}
		if at != "0 1 <nil> 0 2 <nil> 2 1 <nil> " {
			t.Error(at)
		}
	}
}
