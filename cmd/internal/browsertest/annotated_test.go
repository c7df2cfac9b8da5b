package browsertest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"cbkit/board"
	"cbkit/cmd/internal/viewer"
	"cbkit/cmd/internal/viewpage"
	"cbkit/model"
)

// What no real database has is shown, too: comments in several languages, of which
// one can be chosen; a question whose answer is hidden until somebody wants it, with
// its hints; a link that cannot be followed where it is no address of the web; a
// guiding text with its media, whose markup is text. What can be copied is copied.
func TestAnnotated(t *testing.T) {
	t.Parallel()
	e4, e5, nf3 := model.NewMove(model.E2, model.E4), model.NewMove(model.E7, model.E5), model.NewMove(model.G1, model.F3)
	g := &model.Game{Header: model.NewHeader()}
	for _, m := range []model.Move{e4, e5, nf3} {
		g.Moves.Append(m)
	}
	texts := func(english, german string) []model.TrainingText {
		return []model.TrainingText{{Language: model.English, Text: english}, {Language: model.German, Text: german}}
	}
	g.Annotations = []model.Annotation{
		{Node: 0, Value: model.Text{Language: model.English, Text: "Best by test"}},
		{Node: 0, Value: model.Text{Language: model.German, Text: "Bester Zug"}},
		{Node: 1, Value: model.WebLink{URL: "javascript:window.hacked=1", Caption: "click"}},
		{Node: 1, Value: model.WebLink{URL: "https://example.org/", Caption: "web"}},
		{Node: 2, Value: model.Training{Question: texts("What now?", "Was nun?"), FirstHint: texts("A knight", "Ein Springer"),
			Solutions: []model.Solution{{From: model.G1, To: model.F3, Reply: texts("Yes", "Ja")}}}},
	}
	db := &model.Database{}
	g.White, g.Black = db.Tables.Players.Intern(model.ParsePlayer("Карпов, Анатолий")), db.Tables.Players.Intern(model.ParsePlayer("丁立人"))
	db.AddGame(g)
	text := model.NewGuidingText()
	text.HTML, text.Media = true, []string{"film.wmv", "<b>.jpg"}
	text.SetContents([]model.LocalText{{Language: model.English, Text: "Read <i>this</i>"}}, []model.LocalText{{Language: model.English, Text: "<p>One &amp; two<script>window.hacked=2</script></p>"}})
	db.AddText(text)
	v := new(viewer.Viewer)
	v.AddSource("Annotated", db)
	address := serve(t, v, func(string) {})
	b := start(t)
	b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate(address+"#id=1"))
	b.until(moves + " === 2")
	shown := func(wants string, not ...string) {
		t.Helper()
		got := b.text("#notation")
		for want := range strings.SplitSeq(wants, "|") {
			if !strings.Contains(got, want) {
				t.Errorf("%q lacks %q", got, want)
			}
		}
		for _, n := range not {
			if strings.Contains(got, n) {
				t.Errorf("%q has %q", got, n)
			}
		}
	}
	shown("Best by test|Bester Zug|What now?|Was nun?|A knight|Show the answer|click (javascript:", "Nf3", "Yes")
	b.value(`void (document.querySelector("#language").value = "de", document.querySelector("#language").dispatchEvent(new Event("change")))`)
	shown("Bester Zug|Was nun?|Ein Springer", "Best by test", "What now?", "Nf3")
	if got := b.value(`[...document.querySelectorAll("#notation a.web")].map((a) => a.href + a.rel).join()`); got != "https://example.org/noopener noreferrer" {
		t.Errorf("links: %v", got)
	}
	b.value(`void document.querySelector("[data-go=end]").click()`)
	b.until(`location.hash === "#id=1&move=1"`)
	b.click(".training button")
	shown("Nf3|Bester Zug", "Was nun?")
	b.until(`document.querySelector("#say").textContent.includes("Ja")`)

	b.value(`void (navigator.clipboard.writeText = async (x) => { window.copied = x; })`)
	copied := func(what, want string) {
		t.Helper()
		b.click("[data-copy=" + what + "]")
		b.until(fmt.Sprintf(`window.copied?.includes(%q)`, want))
	}
	copied("pgn", `[White "Карпов, Анатолий"]`)
	copied("fen", "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2")
	copied("link", address+"#id=1&move=2")
	b.value(`void (Object.defineProperty(navigator, "clipboard", { value: undefined }), document.querySelector("[data-copy=fen]").click())`)
	b.until(`document.querySelector("#problem").textContent.startsWith("Browsers copy only")`)

	b.value(`void (location.hash = "#id=2")`)
	b.until(`document.body.classList.contains("article")`)
	shown("One & two|Pictures, sounds and films: film.wmv, <b>.jpg", "window.hacked")
	if got := b.value(`[...document.querySelectorAll(".copy button")].filter((e) => e.offsetWidth).map((e) => e.textContent).join()`); got != "Copy link,Print" {
		t.Errorf("of a text can be copied: %v", got)
	}
	b.value(`(document.querySelector("#kind").value = "players", document.querySelector("#kind").dispatchEvent(new Event("change")))`)
	b.until(`document.querySelectorAll(".rows .wide").length === 2`)
	b.value(`void [...document.querySelectorAll(".rows .row")].find((r) => r.textContent.startsWith("丁立人")).click()`)
	b.until(`document.querySelector("#card table") && document.querySelector("#card h2").textContent === "丁立人" && document.querySelector("#count").textContent === "1 game"`)
	if got := b.value(`typeof window.hacked`); got != "undefined" {
		t.Error("something ran")
	}
	b.finish(originOf(address))
}

// A training question is answered on the board: a wrong move stays where it was and gets its
// reply, a right one its reply, points and time, by the server and in an exported page, which
// shows no answer by what may be picked up.
func TestTraining(t *testing.T) {
	t.Parallel()
	b := start(t)
	g := &model.Game{Header: model.NewHeader()}
	for _, m := range []model.Move{model.NewMove(model.E2, model.E4), model.NewMove(model.E7, model.E5), model.NewMove(model.G1, model.F3), model.NewMove(model.B8, model.C6)} {
		g.Moves.Append(m)
	}
	say := func(text string) []model.TrainingText {
		return []model.TrainingText{{Language: model.English, Text: text}}
	}
	g.Annotations = []model.Annotation{{Node: 2, Value: model.Training{Question: say("What now?"), WrongReply: say("Think of a knight."), Points: 7, Seconds: 90,
		Solutions: []model.Solution{{From: model.G1, To: model.F3, Points: 5, Reply: say("Well played")}, {From: model.D2, To: model.D4, Points: 2, Reply: say("Playable")}}}}}
	for _, address := range asked(t, g) {
		for _, a := range []struct{ from, to, reply string }{{"g1", "f3", "Well played · 5 points (5 in this game) · in 0:0"}, {"d2", "d4", "Playable · 2 points"}} {
			b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate("about:blank"), chromedp.Navigate(address+"#id=1&move=1"))
			b.until(moves + ` === 2 && document.querySelector(".training").textContent.includes("7 points, time 1:30")`)
			b.press("g1")
			if b.do(chromedp.Sleep(200e6)); strings.HasPrefix(address, "file:") && b.value(`document.querySelectorAll(".hints circle").length`) != 0.0 {
				t.Error("the page shows the answer")
			}
			b.press("g1")
			b.drag("f1", "c4")
			b.until(`document.querySelector(".reply")?.textContent === "Think of a knight." && document.querySelector("#told").textContent === "Think of a knight."`)
			if got := b.value(moves); got != 2.0 {
				t.Errorf("%v moves after a wrong answer", got)
			}
			b.drag(a.from, a.to)
			b.until(fmt.Sprintf(`document.querySelector("#told").textContent.startsWith(%q) && !document.querySelector(".training") && document.querySelector(".said").textContent.startsWith(%[1]q)`, a.reply))
			b.at("Nf3")
		}
	}
	if len(b.wrong) > 0 {
		t.Error(b.wrong)
	}
}

// An answer with another piece than the one a pawn becomes is none; in a page by itself
// an answer is typed, too.
func TestTrainingPromotion(t *testing.T) {
	t.Parallel()
	b := start(t)
	position, err := board.ParseModel("8/P6k/8/8/8/8/7K/8 w - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	g := &model.Game{Header: model.NewHeader(), Start: &position}
	g.Moves.Append(model.NewPromotion(model.A7, model.A8, model.Knight))
	g.Annotations = []model.Annotation{{Node: 0, Value: model.Training{Points: 3, Solutions: []model.Solution{{From: model.A7, To: model.A8, Points: 3}}}}}
	for _, address := range asked(t, g) {
		b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate("about:blank"), chromedp.Navigate(address+"#id=1"))
		b.until(`document.querySelector(".training")`)
		for _, typed := range []struct{ text, right string }{{"a8=Q", ""}, {"a7a8q", ""}, {"a7a8n", "Right. · 3 points"}} {
			b.value(`void (document.querySelector("#typed").value = "` + typed.text + `", document.querySelector("#enter").requestSubmit())`)
			if typed.right == "" {
				b.until(`/^(a8=Q|a7a8q) is not the answer/.test(document.querySelector(".reply")?.textContent)`)
			} else {
				b.until(fmt.Sprintf(`document.querySelector(".said")?.textContent.startsWith(%q)`, typed.right))
			}
		}
	}
}

// asked returns the addresses of games of the model: served, and in a page by itself.
func asked(t *testing.T, games ...*model.Game) []string {
	t.Helper()
	db := &model.Database{}
	for _, g := range games {
		db.AddGame(g)
	}
	v := new(viewer.Viewer)
	v.AddSource("Training", db)
	book := viewpage.NewBook("Training")
	for rec, err := range db.Records(t.Context(), 1, model.WantAll) {
		if err == nil {
			err = book.Add(viewer.NewGame(&rec, db.Entities(), ""), "", "")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	page, err := book.Page()
	file := filepath.Join(t.TempDir(), "page.html")
	if err = errors.Join(err, os.WriteFile(file, page, 0o600)); err != nil {
		t.Fatal(err)
	}
	return []string{serve(t, v, func(string) {}), "file://" + file}
}
