package browsertest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"cbkit/model"
)

// eachForm opens a PGN file in the three forms of the page, one after the other.
func (b *browser) eachForm(pgn, hash string, do func(form string)) {
	b.Helper()
	dir := b.TempDir()
	file := filepath.Join(dir, "g.pgn")
	if err := os.WriteFile(file, []byte(pgn), 0o600); err != nil {
		b.Fatal(err)
	}
	run(b.T, dir, "export", "-q", "g.pgn", "page.html")
	for form, address := range map[string]string{"served": served(b.T, dir, "g.pgn"), "page": "file://" + filepath.ToSlash(filepath.Join(dir, "page.html")), "site": site(b.T) + "/"} {
		b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate("about:blank"), chromedp.Navigate(address+hash))
		if form == "site" {
			b.until(`document.querySelector("#files")`)
			b.do(chromedp.SetUploadFiles("#files", []string{file}, chromedp.ByQuery))
		}
		b.until(moves + " > 1")
		do(form)
	}
	if len(b.wrong) > 0 {
		b.Error(b.wrong)
	}
}

// Check, material and figurines are said to the eye; signs that PGN has numbers for are
// signs, or words, and no numbers.
func TestSigns(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.eachForm("[White \"A\"]\n[Black \"B\"]\n\n1. e4 $245 e5 $246 2. Nf3 $239 $9 f6 $14 3. Nxe5 $1 $244 fxe5 4. Qh5+ $252 *\n", "#id=1", func(form string) {
		got := b.text("#notation")
		for want := range strings.SplitSeq("e4 ⊥|e5 bishop pair|Nf3 worst move ⇔|f6 ⩲|Nxe5! ✕|Qh5+ passed pawn", "|") {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q lacks %q", form, got, want)
			}
		}
		if strings.Contains(got, "$") {
			t.Errorf("%s: %q", form, got)
		}
		if got := b.value(`document.querySelector("#notation [role=img]").getAttribute("aria-label")`); got != "e4, endgame" {
			t.Errorf("%s: said is %v", form, got)
		}
		b.keys(kb.End)
		b.until(`document.querySelector("#notation [aria-current]")?.textContent.startsWith("4.Qh5+")`)
		x, y := b.square("e8")
		if got := b.value(fmt.Sprintf(`((r) => r && r.left < %[1]v && r.right > %[1]v && r.top < %[2]v && r.bottom > %[2]v && getComputedStyle(document.querySelector(".check")).opacity > 0.3)(document.querySelector(".check")?.getBoundingClientRect())`, x, y)); got != true {
			t.Errorf("%s: the king in check is not marked: %v", form, got)
		}
		if got := b.text("#top .material") + "|" + b.text("#bottom .material"); got != "+2|" {
			t.Errorf("%s: more material: %s", form, got)
		}
		b.click("#figurines")
		b.until(`/♘xe5/.test(document.querySelector("#notation").textContent) && /♕h5\+/.test(document.querySelector("#notation").textContent)`)
		b.click("#figurines")
	})
}

// The language of comments that was chosen holds for other games, also behind one that has
// no other language, and when the page is loaded again.
func TestLanguageStays(t *testing.T) {
	t.Parallel()
	b := start(t)
	var games []*model.Game
	for i, languages := range [][]model.Language{{model.English, model.German}, {model.English, model.French}, {}, {model.English, model.German}} {
		g := &model.Game{Header: model.NewHeader()}
		g.Moves.Append(model.NewMove(model.E2, model.E4))
		g.Moves.Append(model.NewMove(model.E7, model.E5))
		for _, l := range languages {
			g.Annotations = append(g.Annotations, model.Annotation{Node: 0, Value: model.Text{Language: l, Text: fmt.Sprintf("%v%d", l, i+1)}})
		}
		games = append(games, g)
	}
	for _, address := range asked(t, games...) {
		shown := func(want string) {
			t.Helper()
			b.until(fmt.Sprintf(`[...document.querySelectorAll("#notation .comment")].map((e) => e.textContent).join() === %q`, want))
		}
		b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate("about:blank"), chromedp.Navigate(address+"#id=1"))
		b.until(moves + " === 2")
		shown("en1,de1")
		b.value(`void (document.querySelector("#language").value = "de", document.querySelector("#language").dispatchEvent(new Event("change", { bubbles: true })))`)
		shown("de1")
		b.keys("n")
		shown("en2,fr2") // there is none in German
		b.keys("n")
		shown("")
		b.keys("n")
		shown("de4")
		b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(address+"#id=1"))
		b.until(moves + " === 2")
		shown("de1")
		if got := b.value(`document.querySelector("#language").value`); got != "de" {
			t.Errorf("the language is %v", got)
		}
	}
	if len(b.wrong) > 0 {
		t.Error(b.wrong)
	}
}

// Every column sorts the same way in an exported page as in the server's.
func TestOneOrder(t *testing.T) {
	t.Parallel()
	b := start(t)
	var pgn strings.Builder
	names := []string{"van Dyk, A", "Äbel", "Abel", "Van Aa", "?", "Zukertort", "Čech, I", "Cech, J", "Öst"}
	dates := []string{"2001.??.??", "2001.02.03", "????.??.??", "1999.12.31", "2001.02.??", "2010.01.01", "1851.06.21", "2001.02.03", "1999.??.??"}
	for i, r := range []string{"1/2-1/2", "0-1", "*", "1-0", "0-1", "1-0", "1/2-1/2", "*", "0-0"} {
		fmt.Fprintf(&pgn, "[White \"%s\"]\n[Black \"%c\"]\n[Date \"%s\"]\n[Event \"%s\"]\n[ECO \"B%02d\"]\n[WhiteElo \"%d\"]\n[Result \"%s\"]\n%s\n1. e4 c6 %s\n\n",
			names[i], 'a'+i*5%4, dates[i], names[8-i], i*5%7, 2000+i*7%4*100, r, []string{"", "[Termination \"forfeit\"]\n"}[i/4%2], r)
	}
	want := map[string]string{} // by column and way
	b.eachForm(pgn.String(), "", func(form string) {
		for _, column := range []string{"White", "Elo", "Black", "Result", "ECO", "Date", "Event"} {
			ways := []string{"ascending", "descending"}
			if column == "Elo" { // the best players first
				ways = []string{"descending", "ascending"}
			}
			for _, way := range ways {
				b.value(fmt.Sprintf(`void [...document.querySelectorAll(".head button")].find((e) => e.textContent === %q).click()`, column))
				b.until(fmt.Sprintf(`[...document.querySelectorAll(".head > div")].find((e) => e.textContent === %q).getAttribute("aria-sort") === %q`, column, way))
				rows := fmt.Sprint(b.value(`[...document.querySelectorAll(".rows .row")].map((r) => [...r.children].map((c) => c.textContent).join(" ")).join("\n")`))
				if key := column + ", " + way; want[key] == "" {
					want[key] = rows
				} else if rows != want[key] {
					t.Errorf("%s by %s: \n%s\nnot\n%s", form, key, rows, want[key])
				}
			}
		}
	})
	if first, _, _ := strings.Cut(want["Result, ascending"], "\n"); !strings.HasPrefix(first, "Van Aa ") || !strings.Contains(first, "1–0") {
		t.Errorf("by result:\n%s", want["Result, ascending"])
	}
}

// Before files were chosen the static site shows nothing that leads nowhere.
func TestBeforeFiles(t *testing.T) {
	t.Parallel()
	b := start(t)
	static := site(t)
	for _, width := range []int64{360, 1280} {
		b.do(chromedp.EmulateViewport(width, 740), chromedp.Navigate(static))
		b.until(`document.querySelector("#files")`)
		if got := b.value(`[...document.querySelectorAll("button, select, input:not([type=file])")].filter((e) => e.offsetWidth).map((e) => e.id).join() + (document.querySelector("#help").getBoundingClientRect().right > innerWidth - 20)`); got != "theme,helptrue" {
			t.Errorf("%d wide: %v", width, got)
		}
	}
	b.finish(static)
}
