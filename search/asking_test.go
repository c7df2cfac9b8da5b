package search_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/namepattern"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/search"
)

// The newer terms find what they should in a real database, with what others
// wrote into it, and so does judging its records one by one.
func TestNewTermsOnRealGames(t *testing.T) {
	s := open(t, corpus.Path(t, "cbh/twic1134/twic1134.cbh"), search.Options{})
	db := must.Get(s.Database())(t)
	for query, want := range map[string]int{
		`player:"Peter Svidler"`: 10, `player:Svidler,P`: 10, `player:svidler`: 10, `player:"Svidler, P"`: 10, `player:"Svidler, X"`: 0,
	} {
		if got := ask(t, s, query); len(got.IDs) != want {
			t.Errorf("%s: %d, want %d", query, len(got.IDs), want)
		}
	}
	for _, query := range []string{
		`round:1`, `round:1..3`, `round:1.2`, `place:"*Wijk*"`, `nation:ESP`, `player:Müller`, `player:muller`,
		`fen:rnbqkbnr/pp2pppp/3p4/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R`, `material:KRP-KR@60..`, `material:KRP-KR@..100`, `piece:Nd5@10..20`,
	} {
		found := ask(t, s, query).IDs
		c := must.Get(search.Parse(query))(t)
		selection := must.Get(search.Select(db, c))(t)
		var ids []model.RecordID
		for rec := range must.All(t, selection.Records(t.Context(), 1, model.WantHeaders)) {
			ids = append(ids, rec.ID)
		}
		if !slices.Equal(ids, found) {
			t.Errorf("%s: %d found, %d one by one", query, len(found), len(ids))
		}
	}
}

// Words of comments are found in the pages of other languages.
func TestCommentsOfRealGames(t *testing.T) {
	s := open(t, corpus.Path(t, "cbh/hedgehog/Hedgehog.cbh"), search.Options{CodePage: "1251"})
	db := must.Get(s.Database())(t)
	words := map[string][]model.RecordID{}
	for rec, err := range db.Records(t.Context(), 1, model.WantAll) {
		if err != nil || rec.Game == nil {
			continue
		}
		for _, a := range rec.Game.Annotations {
			text, _ := a.Value.(model.Text)
			for _, word := range strings.Fields(text.Text) {
				if len(word) > 16 && len(words) < 3 && strings.ToLower(word) != word {
					words[word] = nil
				}
			}
		}
		var texts []string
		for _, a := range rec.Game.Annotations {
			if text, is := a.Value.(model.Text); is {
				texts = append(texts, namepattern.Fold(text.Text))
			}
		}
		for word := range words {
			folded := namepattern.Fold(word)
			if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, folded) }) {
				words[word] = append(words[word], rec.ID)
			}
		}
	}
	if len(words) < 3 {
		t.Fatalf("only %d words", len(words))
	}
	for word, first := range words {
		found := ask(t, s, `comment:"`+strings.ToUpper(word)+`"`).IDs
		if len(found) == 0 || found[0] > first[0] || len(found) < len(first) {
			t.Errorf("%s: %v, want at least %v", word, found, first)
		}
	}
}

// A name that nobody has is told, with those that come near it.
func TestUnknownNames(t *testing.T) {
	path := filepath.Join(gen.Folder(t), "db.cbh")
	writeExample(path)
	for _, opt := range []search.Options{{}, {NoBoosters: true}} {
		s := open(t, path, opt)
		got := ask(t, s, "player:Carlson result:1-0 or player:Carawana or tournament:x").Unknown
		want := "[{player Carawana [Caruana]} {player Carlson [Carlsen]} {tournament x []}]"
		if fmt.Sprint(got) != want {
			t.Errorf("%v, want %s", got, want)
		}
		if got := ask(t, s, "player:Carlsen result:1-0").Unknown; len(got) > 0 {
			t.Errorf("unknown: %v", got)
		}
	}
}

// A player who may be the same under another spelling is told with every answer, each
// once, and not where the condition names both.
func TestAlsoSpelt(t *testing.T) {
	db := &model.Database{}
	for _, black := range []string{"Kortschnoj, V", "Korschnoy, V", "Korschnoy, V"} {
		g := model.NewGame()
		g.White = db.Tables.Players.Intern(model.Player{LastName: "Korchnoi", FirstName: "Viktor"})
		g.Black = db.Tables.Players.Intern(model.ParsePlayer(black))
		db.AddGame(g)
	}
	for query, want := range map[string]string{
		"player:Korchnoi": "[{Korschnoy, V 2}]", "player:Korchnoi white-player:Kortschnoj": "[{Korschnoy, V 2}]",
		"player:Korchnoi or player:Korschnoy": "[]", `player:"#0"`: "[]", "year:..2000": "[]",
	} {
		c := must.Get(search.Parse(query))(t)
		selection := must.Get(search.Select(db, c))(t)
		for range must.All(t, selection.Records(t.Context(), 1, model.WantHeaders)) {
		}
		if got := fmt.Sprint(selection.Also()); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

// References to entities that are not there belong to nobody, and cost nothing.
func TestReferencesToNobody(t *testing.T) {
	db := &model.Database{}
	g := model.NewGame()
	g.White, g.Tournament = 1<<30, 1<<30
	db.AddGame(g)
	for _, c := range []search.Condition{search.Called("player", "x"), search.Called("player", "*"), search.Called("nation", "*")} {
		selection := must.Get(search.Select(db, c))(t)
		for rec, err := range selection.Records(t.Context(), 1, model.WantHeaders) {
			t.Errorf("%v: record %d, %v", c, rec.ID, err)
		}
	}
}

func TestBadTerms(t *testing.T) {
	for _, query := range []string{"round:x", "round:0.1", "round:1.x", "comment:!", "fen:xyz", "fen:8/8/8/8/8/8/8/8@x", "piece:Nd5@", "piece:Nd5@variation", "piece:Nd5@..5,", "end:KR-K@variations", "end:KR-K@1..2"} {
		if c, err := search.Parse(query); err == nil {
			t.Errorf("%s is read as %v", query, c)
		}
	}
	end := must.Get(search.Term("end", "KR-K"))(t)
	if _, err := search.During(1, 2, end); err == nil {
		t.Error("the end of a game has a time")
	}
	if _, err := search.InVariations(search.And(end, search.Games())); err == nil {
		t.Error("the end of a game is in variations")
	}
}

// Records of any source are judged one by one.
func ExampleSelect() {
	db := &model.Database{}
	for _, name := range []string{"Müller, Karsten", "Kasparov, Garry"} {
		g := model.NewGame()
		g.White = db.Tables.Players.Intern(model.ParsePlayer(name))
		db.AddGame(g)
	}
	player, err := search.Term("player", "Karsten Muller")
	if err != nil {
		panic(err)
	}
	selection, err := search.Select(db, player)
	if err != nil {
		panic(err)
	}
	for rec, err := range selection.Records(context.Background(), 1, model.WantHeaders) {
		fmt.Println(rec.ID, db.Tables.Players.Value(rec.Game.White), err)
	}
	// Output:
	// 1 Müller, Karsten <nil>
}
