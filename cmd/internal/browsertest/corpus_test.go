package browsertest

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// opened are the real databases that the page opens: all but one that lacks the
// file of its moves.
var opened = []string{
	"cbh/cbh_cbj_test/cbh_cbj_test.cbh", "cbh/cbh_test/cbh_test.cbh", "cbh/hedgehog/Hedgehog.cbh", "cbh/mate2/Mate2.cbh", "cbh/small/small.cbh",
	"cbh/twic1134/twic1134.cbh", "cbv/small.cbv", "dc-sample/ber83.dci", "dc-sample/edge.dci", "pgn/eco.pgn", "pgn/lichess-big.pgn", "ctg/simple/simple.ctg",
}

// calls makes a function of the page that asks its carrier.
const calls = `window.callOf ??= (async () => (await import("./carrier.js")).carrier)(), window.ask = async (name, args) => (await window.callOf).call(name, args),
window.sum = async (name, args) => { const d = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(await ask(name, args).catch((e) => "refused: " + e.message)))); return [...new Uint8Array(d, 0, 12)].map((x) => x.toString(16).padStart(2, "0")).join(""); }, 0`

// game is what the tests read of a game.
type game struct {
	ID    int
	Text  bool
	Start string
	Texts []local
	Nodes []node
	Notes []note
}

type local struct {
	Before bool
	Text   string
}

type node struct {
	P, X                           int
	SAN, FEN, Prefix, Worth, Signs string
	From, To                       string
	Texts                          []local
	Notes                          []note
	Diagram                        bool
}

type note struct {
	Kind    string
	Squares []struct{ Square, Color string }
	Arrows  []struct{ From, To, Color string }
}

// Both carriers open all real databases, and what they answer is the same: lists,
// every annotated game, reports, books. Of each database games are compared in the
// page: each move, comment, sign, position, arrow and coloured square.
func TestCorpus(t *testing.T) {
	t.Parallel()
	dir := corpus(t)
	here, there := start(t), start(t)
	address, static := served(t, dir, opened...), site(t)
	var files []string
	for _, name := range opened {
		list := []string{filepath.Join(dir, name)}
		if ext := filepath.Ext(name); ext == ".cbh" || ext == ".dci" || ext == ".ctg" {
			var err error
			if list, err = filepath.Glob(strings.TrimSuffix(list[0], ext) + ".*"); err != nil {
				t.Fatal(err)
			}
			list = slices.DeleteFunc(list, func(s string) bool { return ext == ".dci" && strings.HasSuffix(s, ".pgn") })
		}
		files = append(files, list...)
	}
	here.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(address))
	there.do(chromedp.Navigate(static), chromedp.SetUploadFiles("#files", files, chromedp.ByQuery))
	for _, b := range []*browser{here, there} {
		b.until(`document.querySelector("#count")?.textContent`)
		b.value(calls)
	}
	type source struct {
		Name    string
		Records int
		Notes   []string
	}
	var open, other struct {
		Sources       []source
		Books, Failed []string
	}
	here.read(`ask("open", {})`, &open)
	there.read(`ask("open", {})`, &other)
	if len(open.Sources) != len(opened)-1 || len(other.Sources) != len(open.Sources) || len(open.Books) != 1 || len(other.Books) != 1 || len(open.Failed)+len(other.Failed) > 0 {
		t.Fatalf("%+v\n%+v", open, other)
	}
	compared, shown := 0, 0
	for db, s := range open.Sources {
		at := slices.IndexFunc(other.Sources, func(o source) bool { return o.Name == s.Name })
		if at < 0 || other.Sources[at].Records != s.Records {
			t.Errorf("%s: %v", s.Name, other.Sources)
			continue
		}
		same := func(name, args string) {
			t.Helper()
			call := fmt.Sprintf(`sum(%q, { db: %%d, %s })`, name, args)
			if a, b := here.value(fmt.Sprintf(call, db)), there.value(fmt.Sprintf(call, at)); a != b {
				t.Errorf("%s: %s { %s } differ", s.Name, name, args)
			}
		}
		same("list", `n: 100`)
		same("list", `sort: "-date,white", n: 100`)
		same("list", `where: "year:1980..2015 and result:1-0", n: 100`)
		same("entities", `kind: "players", n: 100`)
		same("report", `fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"`)
		if s.Records > 0 {
			same("pgn", fmt.Sprintf("id: %d", s.Records))
		}
		var ids []int
		here.read(fmt.Sprintf(`ask("list", { db: %d, where: "has:annotations", n: 500 }).then(async (a) => {
			const ids = a.rows.map((r) => r.id);
			for (let from = 500; from < a.total; from += 500) ids.push(...(await ask("list", { db: %d, where: "has:annotations", from, n: 500 })).rows.map((r) => r.id));
			return ids; })`, db, db), &ids)
		for _, id := range []int{1, s.Records / 2, s.Records} { // of each some that have nothing
			if id >= 1 && id <= s.Records && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		sums := func(b *browser, db int) (list []string) {
			b.read(fmt.Sprintf(`(async () => { const list = []; for (const id of %s) list.push(await sum("game", { db: %d, id })); return list; })()`, strings.ReplaceAll(fmt.Sprint(ids), " ", ","), db), &list)
			return list
		}
		one, two := sums(here, db), sums(there, at)
		for i, id := range ids {
			if one[i] != two[i] {
				t.Errorf("%s: game %d differs", s.Name, id)
			}
		}
		compared += len(ids)
		for i := 0; i < len(ids); i += max(1, len(ids)/4) {
			here.compare(db, ids[i])
			shown++
		}
	}
	t.Logf("%d games compared as JSON, %d in the page", compared, shown)
	mates := slices.IndexFunc(open.Sources, func(s source) bool { return s.Name == "Mate2" })
	here.value(fmt.Sprintf(`void (location.hash = "#db=%d&id=1")`, mates))
	here.until(fmt.Sprintf(`document.querySelector("#source").value === "%d"`, mates))
	var wrong []string
	here.read(`(async () => {
		const wrong = [], until = async (f) => {
			for (const end = Date.now() + 60000; !f(); await new Promise((r) => setTimeout(r, 5))) if (Date.now() > end) throw new Error("never " + f);
		};
		const $ = (s) => document.querySelector(s), kind = $("#kind");
		for (let i = 0, n = 1; i < n; i++) {
			kind.value = "tournaments";
			kind.dispatchEvent(new Event("change"));
			await until(() => $(".grid").getAttribute("aria-label") === "tournaments");
			const row = document.querySelectorAll(".rows .row")[i], [name, games] = [...row.children].map((c) => c.textContent);
			n = document.querySelectorAll(".rows .row").length;
			row.click();
			await until(() => $(".grid").getAttribute("aria-label") === "Games" && !$("#card").hidden);
			if ($("#count").textContent.split(" ")[0] !== games || $("#card h2").textContent !== name) wrong.push(name + " " + games + ": " + $("#count").textContent);
		}
		return wrong; })()`, &wrong)
	if len(wrong) > 0 { // Mate2 has two of one name
		t.Errorf("tournaments lead to other games than theirs: %q", wrong)
	}
	here.finish(originOf(address))
	there.finish(static)
}

// compare compares what the page shows of a game with what it was given.
func (b *browser) compare(db, id int) {
	b.Helper()
	var g game
	b.read(fmt.Sprintf(`ask("game", { db: %d, id: %d })`, db, id), &g)
	b.value(fmt.Sprintf(`void (document.querySelector("#about").replaceChildren(), location.hash = "#db=%d&id=%d")`, db, id))
	b.until(fmt.Sprintf(`document.querySelector("#about dd")?.textContent === "%d" && document.querySelector("#source").value === "%d"`, id, db))
	at := fmt.Sprintf("database %d, game %d", db, id)
	if g.Text {
		if b.value(`document.querySelectorAll("#notation .guide").length`) == 0.0 {
			b.Errorf("%s: an empty text", at)
		}
		return
	}
	hidden := map[int]bool{}
	for n, v := range g.Nodes {
		if slices.ContainsFunc(v.Notes, func(a note) bool { return a.Kind == "training" }) {
			hidden[n] = true
		}
	}
	if len(hidden) > 0 {
		for n := range hidden {
			if b.value(fmt.Sprintf(`document.querySelector("#notation a[data-n='%d']")`, n)) != nil {
				b.Errorf("%s: the answer %d is shown", at, n)
			}
		}
		for range len(hidden) { // each answer may hide another question behind it
			b.value(`document.querySelector("#notation .training button")?.click()`)
		}
	}
	var shown []struct {
		N        int
		Text     string
		Comments []string
		Diagrams int
		Board    string
		Marks    [][3]any
		Arrows   [][5]any
	}
	b.read(`(() => {
		const letters = { king: "k", queen: "q", rook: "r", bishop: "b", knight: "n", pawn: "p" };
		const list = [{ n: -1, comments: [], diagrams: 0 }];
		for (const e of document.querySelectorAll("#notation a.move, #notation .comment, #notation .diagram")) {
			if (e.matches(".diagram")) list.at(-1).diagrams++;
			else if (e.matches(".comment")) list.at(-1).comments.push(e.firstChild.data);
			else list.push({ n: Number(e.dataset.n), text: e.textContent, comments: [], diagrams: 0 });
		}
		for (const item of list) {
			if (item.n >= 0) document.querySelector("#notation a[data-n='" + item.n + "']").click();
			else document.querySelector("[data-go=start]").click();
			item.board = [...document.querySelectorAll("#board tbody td")].map((c) => { const [color, kind] = c.textContent.split(" "); return color === "empty" ? "." : color === "White" ? letters[kind].toUpperCase() : letters[kind]; }).join("");
			item.marks = [...document.querySelectorAll("#board rect.last, #board rect.mark")].map((r) => [+r.getAttribute("x"), +r.getAttribute("y"), r.getAttribute("class")]);
			item.arrows = [...document.querySelectorAll("#board .arrows g")].map((a) => { const l = a.querySelector("line"), [x, y] = a.querySelector("polygon").getAttribute("points").split(" ")[0].split(",").map(Number);
				return [+l.getAttribute("x1"), +l.getAttribute("y1"), x, y, a.getAttribute("class")]; });
		}
		return list; })()`, &shown)
	order := []int{-1}
	var walk func(n int)
	walk = func(n int) {
		for main := true; n < len(g.Nodes); n++ {
			order = append(order, n)
			if main = g.Nodes[n].P == n-1; main {
				for o := g.Nodes[n].X; o != 0; o = g.Nodes[o].X {
					walk(o)
				}
			}
			if n+1 >= len(g.Nodes) || g.Nodes[n+1].P != n {
				return
			}
		}
	}
	if len(g.Nodes) > 0 {
		walk(0)
	}
	if len(shown) != len(order) || len(order) != len(g.Nodes)+1 {
		b.Fatalf("%s: %d of %d moves are shown, %d are in its lines", at, len(shown)-1, len(g.Nodes), len(order)-1)
	}
	var pending []string
	for i, n := range order {
		item, v := shown[i], node{FEN: g.Start, Texts: g.Texts, Notes: g.Notes}
		if n >= 0 {
			v = g.Nodes[n]
		}
		where := fmt.Sprintf("%s, move %d (%s)", at, n, v.SAN)
		if item.N != n {
			b.Fatalf("%s: %d stands there", where, item.N)
		}
		if n >= 0 && (!strings.HasPrefix(item.Text, strings.TrimSpace(v.Prefix)) || !strings.HasSuffix(item.Text, strings.TrimSpace(v.SAN+v.Worth+" "+v.Signs))) {
			b.Errorf("%s: shown as %q, not with %q %q %q", where, item.Text, v.Prefix, v.Worth, v.Signs)
		}
		pending = pending[:0]
		for _, x := range v.Texts {
			if n < 0 || !x.Before {
				pending = append(pending, x.Text)
			}
		}
		if i+1 < len(order) {
			for _, x := range g.Nodes[order[i+1]].Texts {
				if x.Before {
					pending = append(pending, x.Text)
				}
			}
		}
		if !slices.EqualFunc(item.Comments, pending, func(got, want string) bool { return got == want || len(want) > 15000 }) {
			b.Errorf("%s: comments %q, not %q", where, item.Comments, pending)
		}
		if (item.Diagrams > 0) != v.Diagram {
			b.Errorf("%s: %d diagrams", where, item.Diagrams)
		}
		if want := boardOf(v.FEN); item.Board != want {
			b.Errorf("%s: board %s, not %s", where, item.Board, want)
		}
		var marks, arrows, wantMarks, wantArrows []string
		for _, m := range item.Marks {
			marks = append(marks, squareAt(m[0].(float64)+50, m[1].(float64)+50)+" "+m[2].(string))
		}
		for _, a := range item.Arrows {
			arrows = append(arrows, squareAt(a[0].(float64), a[1].(float64))+squareAt(a[2].(float64), a[3].(float64))+" "+a[4].(string))
		}
		for _, square := range []string{v.From, v.To} {
			if square != "" {
				wantMarks = append(wantMarks, square+" last")
			}
		}
		for _, a := range v.Notes {
			for _, s := range a.Squares {
				wantMarks = append(wantMarks, s.Square+" mark "+colorOf(s.Color))
			}
			for _, s := range a.Arrows {
				wantArrows = append(wantArrows, s.From+s.To+" "+colorOf(s.Color))
			}
		}
		if !slices.Equal(marks, wantMarks) || !slices.Equal(arrows, wantArrows) {
			b.Errorf("%s: squares %v, not %v; arrows %v, not %v", where, marks, wantMarks, arrows, wantArrows)
		}
	}
}

// colorOf is the class of a colour.
func colorOf(name string) string {
	if slices.Contains([]string{"green", "yellow", "red", "blue"}, name) {
		return name
	}
	return "other"
}

// squareAt is the square of a place on the board that is not turned.
func squareAt(x, y float64) string {
	return string("abcdefgh"[int(math.Floor(x/100))]) + string("87654321"[int(math.Floor(y/100))])
}

// boardOf is the board of a FEN, 64 letters.
func boardOf(fen string) string {
	board, _, _ := strings.Cut(fen, " ")
	var b strings.Builder
	for _, c := range board {
		switch {
		case c >= '1' && c <= '8':
			b.WriteString(strings.Repeat(".", int(c-'0')))
		case c != '/':
			b.WriteRune(c)
		}
	}
	return b.String()
}
