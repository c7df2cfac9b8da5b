package main

import (
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/write"
)

// markup is what names and comments may hold and no page may run.
const markup = `</script><script>alert("x")</script><img src=x onerror=alert(1)>`

// A page has its games, its licence and its policy, asks for nothing, and takes no
// markup of names and comments for its own.
func TestPage(t *testing.T) {
	t.Chdir(gen.Folder(t))
	db := &model.Database{}
	g := model.NewGame()
	g.White = db.Tables.Players.Intern(model.Player{LastName: markup})
	g.Moves.Append(model.NewMove(model.E2, model.E4))
	g.Annotate(0, model.Text{Text: markup + "\uE005"})
	g.Annotate(0, model.Arrows{{Color: model.Green, From: model.E2, To: model.E4}})
	db.AddGame(g)
	create(t, "Games.cbh", db, write.Options{AcceptLosses: true})
	mustRun(t, "export", "Games.cbh", "games.html")
	data := must.Get(os.ReadFile("games.html"))(t)
	page := string(data)
	if strings.Contains(page, `alert("x")`) || strings.Contains(page, "<img") || strings.Contains(page, "<!--data-->") {
		t.Error("markup of the games is markup of the page")
	}
	for _, want := range []string{"Bitstream Vera", "Arev", "default-src 'none'; script-src 'sha256-", `"san":"e4"`, "1. e4"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
	for _, foreign := range []string{` src="`, "import ", "export ", "unsafe-inline"} {
		if strings.Contains(page[strings.Index(page, "<script>"):], "\n"+foreign) || foreign == ` src="` && strings.Contains(page, foreign) || foreign == "unsafe-inline" && strings.Contains(page, foreign) {
			t.Errorf("it has %q", foreign)
		}
	}
	fails(t, exitFailed, "exists already", "export", "Games.cbh", "games.html")
	mustRun(t, "export", "Games.cbh", "games.html", "--force")
	mustRun(t, "export", "Games.cbh", "pictures", "--diagrams")
	pictures, _ := filepath.Glob("pictures/*")
	if len(pictures) != 1 || filepath.ToSlash(pictures[0]) != "pictures/1-1.svg" {
		t.Fatal(pictures)
	}
	drawn := must.Get(os.ReadFile(pictures[0]))(t)
	if r := mustRun(t, "show", "Games.cbh", "1", "--svg", "--ply", "1"); r.out != string(drawn) || !strings.Contains(r.out, "<polygon") {
		t.Errorf("%s", r.out)
	}
	seen := map[string]bool{}
	for _, args := range []string{"--ply 1", "--ply 0", "--ply 0 --flip"} {
		r := mustRun(t, strings.Fields("show Games.cbh 1 --png "+args)...)
		if _, err := png.Decode(strings.NewReader(r.out)); err != nil || seen[r.out] {
			t.Errorf("%s: %v, or as before", args, err)
		}
		seen[r.out] = true
	}
	for dec := xml.NewDecoder(strings.NewReader(string(drawn))); ; {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if r := cbkit(t, "", "export", "Games.cbh", "pictures", "--diagrams"); r.status != exitFailed {
		t.Errorf("%+v", r)
	}
	for _, args := range []string{"export Games.cbh x.html --lossless", "export Games.cbh - --diagrams", "show Games.cbh 1 --svg --ply 9", "show Games.cbh 1 --svg --png"} {
		if r := cbkit(t, "", strings.Fields(args)...); r.status != exitUsage {
			t.Errorf("%s: %+v", args, r)
		}
	}
}

// More games than a page bears are refused with what to do, and nothing is made.
func TestPageTooLarge(t *testing.T) {
	t.Chdir(gen.Folder(t))
	must.Do(t, os.WriteFile("many.pgn", []byte(strings.Repeat("[White \"A\"]\n\n1. e4 *\n\n", 5001)), 0o600))
	r := cbkit(t, "", "export", "many.pgn", "many.html")
	if _, err := os.Stat("many.html"); r.status != exitFailed || !strings.Contains(r.errOut, "5000 games and 20 MB; choose some with --games") || err == nil {
		t.Errorf("%+v %v", r, err)
	}
	mustRun(t, "export", "many.pgn", "some.html", "--games", "1-20")
}
