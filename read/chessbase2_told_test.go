package read_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// What the model has no word for is told where a copy loses it: titles in other languages,
// the country in which a place lies today, and the ids of players.
func TestChessBase2Told(t *testing.T) {
	db := &model.Database{}
	g := model.NewGame()
	g.White, g.Black = db.Tables.Players.Intern(model.Player{LastName: "Ada"}), db.Tables.Players.Intern(model.Player{LastName: "Ben"})
	nation, _ := model.ParseNation("URS")
	g.Tournament = db.Tables.Tournaments.Intern(model.Tournament{Title: "Championship", Place: "Tbilisi", Nation: nation})
	g.GameTitle = db.Tables.GameTitles.Intern(model.GameTitle{Titles: [8]string{"The title", "Der Titel"}})
	db.AddGame(g)
	files := must.Get(gen.ChessBase2(t.Context(), db))(t)
	copied := func() string {
		src := must.Get(read.OpenFS(files, "Games.2cbh", read.Options{}))(t)
		defer src.Close()
		var told []string
		sink := must.Get(write.Create(t.Context(), filepath.Join(gen.Folder(t), "Copy.cbh"), write.Options{Report: func(l model.Loss) { told = append(told, l.Field+": "+l.What) }}))(t)
		must.Do(t, model.Copy(t.Context(), sink, src, model.CopyOptions{}))
		return strings.Join(told, "\n")
	}
	if told := copied(); told != "" {
		t.Errorf("told of nothing: %s", told)
	}
	names := files["Games.2lid"].Data
	title := bytes.Index(names, []byte("Der Titel"))
	names[bytes.Index(names, []byte("Ada"))+len("Ada")+4+8] = 77  // her id in ChessBase's base
	names[bytes.Index(names, []byte("Ben"))+len("Ben")+4+16] = 99 // his, of FIDE
	names[title-8] = 140                                          // a language that ChessBase does not offer for titles
	names[bytes.Index(names, []byte("Championship"))+len("Championship")+20] = 55
	if told := copied(); !strings.Contains(told, "languages than titles have: 1") || !strings.Contains(told, "nation: the place lies in ") ||
		!strings.Contains(told, "WhiteChessBaseId") || !strings.Contains(told, "BlackFideId") || strings.Contains(told, "BlackChessBaseId") {
		t.Errorf("told: %s", told)
	}
	for want, tags := range map[model.Want]string{0: "[]", model.WantHeaders: "[{WhiteChessBaseId 77} {BlackFideId 99}]", model.WantMoves: "[{WhiteChessBaseId 77} {BlackFideId 99}]"} {
		src := must.Get(read.OpenFS(files, "Games.2cbh", read.Options{}))(t)
		defer src.Close()
		rec, err := src.Record(t.Context(), 1, want)
		if got := fmt.Sprint(rec.Game.Tags); err != nil || got != tags {
			t.Errorf("tags of %b: %s, %v; want %s", want, got, err, tags)
		}
	}
}
