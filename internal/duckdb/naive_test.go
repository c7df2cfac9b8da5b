package duckdb

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// game is a game with its positions, as the counts in Go want it.
type game struct {
	id    model.RecordID
	head  model.Header
	text  model.ResolvedGame
	uci   []string
	san   []string
	fen   []string // one more than moves
	score float64
	done  bool // it has a result, and so a score
}

// loadGames plays all games through.
func loadGames(t *testing.T, src model.Source) (all []*game) {
	t.Helper()
	for rec := range must.All(t, src.Records(t.Context(), 1, model.WantMoves)) {
		g := &game{id: rec.ID, head: rec.Game.Header, text: rec.Game.Resolve(src.Entities())}
		g.text.Moves = nil
		g.score, g.done = map[string]float64{"1-0": 1, "1/2-1/2": 0.5, "0-1": 0, "0-0": 0}[g.head.Result.String()], g.head.Result.String() != "*"
		p := must.Get(board.New(rec.Game.Start))(t)
		g.fen = append(g.fen, p.FEN())
		for node := range rec.Game.Moves.Line(model.NoNode) {
			m := rec.Game.Moves.Move(node)
			g.uci, g.san = append(g.uci, m.UCI(false)), append(g.san, p.SAN(m))
			p.Make(m)
			g.fen = append(g.fen, p.FEN())
		}
		all = append(all, g)
	}
	return all
}

// material counts the letters of a FEN.
func material(fen string) string {
	pieces, _, _ := strings.Cut(fen, " ")
	side := func(letters string) (text string) {
		for _, c := range letters {
			text += strings.Repeat(string(c), strings.Count(pieces, string(c)))
		}
		return strings.ToUpper(text)
	}
	return side("KQRBNP") + "-" + side("kqrbnp")
}

// pawns is the first field of a FEN without other pieces.
func pawns(fen string) string {
	pieces, _, _ := strings.Cut(fen, " ")
	text, empty := "", 0
	put := func(s string) {
		if empty > 0 {
			text += strconv.Itoa(empty)
		}
		text, empty = text+s, 0
	}
	for _, c := range pieces {
		switch {
		case c >= '1' && c <= '8':
			empty += int(c - '0')
		case c == '/' || c == 'p' || c == 'P':
			put(string(c))
		default:
			empty++
		}
	}
	put("")
	return text
}

// place is what makes two positions the same for Polyglot: all of a FEN but its
// counters, and en passant only where a pawn stands beside the one that moved.
func place(fen string) string {
	f := strings.Fields(fen)
	if f[3] != "-" {
		p, err := board.ParseModel(fen)
		if err != nil {
			panic(err)
		}
		rank, own := 4, model.WhitePawn
		if p.Turn == model.Black {
			rank, own = 3, model.BlackPawn
		}
		beside := false
		for file := range 8 {
			near := file == int(f[3][0]-'a')-1 || file == int(f[3][0]-'a')+1
			beside = beside || near && p.Board[model.NewSquare(file, rank)] == own
		}
		if !beside {
			f[3] = "-"
		}
	}
	return strings.Join(f[:4], " ")
}

// mean is an average.
type mean struct {
	sum float64
	n   int
}

func (m *mean) add(x float64) { m.sum, m.n = m.sum+x, m.n+1 }

// text returns the average times a factor, rounded to so many decimals.
func (m *mean) text(factor float64, decimals int) string {
	if m.n == 0 {
		return "null"
	}
	unit := math.Pow10(decimals)
	return number(math.Round(factor*(m.sum/float64(m.n))*unit) / unit)
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// row is a row of an answer with the numbers that it is sorted by.
type row struct {
	by    []float64
	cells []string
}

// sorted returns the first rows, in the order of their numbers and then of the
// cells from an index on.
func sorted(rows []row, from, limit int) [][]string {
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(slices.Compare(a.by, b.by), slices.Compare(a.cells[from:], b.cells[from:]))
	})
	list := [][]string{}
	for _, r := range rows[:min(limit, len(rows))] {
		list = append(list, r.cells)
	}
	return list
}

// sicilian is the position of the first question.
const sicilian = "rnbqkbnr/pp2pppp/3p4/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -"

// naive answers the ten questions by counting.
var naive = []func([]*game) [][]string{
	movesOfPosition, byRating, longest, repertoire, endings, copies, transpositions, structures, firstMoves, mates,
}

func movesOfPosition(all []*game) [][]string {
	type tally struct{ games, score, elo mean }
	moves := map[string]*tally{}
	for _, g := range all {
		for ply, fen := range g.fen {
			if place(fen) != sicilian {
				continue
			}
			san := "null"
			if ply < len(g.san) {
				san = g.san[ply]
			}
			if moves[san] == nil {
				moves[san] = &tally{}
			}
			m := moves[san]
			m.games.add(1)
			if g.done {
				m.score.add(g.score)
			}
			if g.head.WhiteElo > 0 {
				m.elo.add(float64(g.head.WhiteElo))
			}
		}
	}
	var rows []row
	for san, m := range moves {
		rows = append(rows, row{[]float64{-m.games.sum}, []string{san, number(m.games.sum), m.score.text(100, 1), m.elo.text(1, 0)}})
	}
	return sorted(rows, 0, 5)
}

func byRating(all []*game) [][]string {
	classes := map[float64]*mean{}
	for _, g := range all {
		d := float64(g.head.WhiteElo) - float64(g.head.BlackElo)
		if g.head.WhiteElo == 0 || g.head.BlackElo == 0 || !g.done || d < -400 || d > 399 {
			continue
		}
		class := 100 * math.Floor(d/100)
		if classes[class] == nil {
			classes[class] = &mean{}
		}
		classes[class].add(g.score)
	}
	var rows []row
	for class, m := range classes {
		rows = append(rows, row{[]float64{class}, []string{number(class), strconv.Itoa(m.n), m.text(100, 1)}})
	}
	return sorted(rows, 0, len(rows))
}

func longest(all []*game) [][]string {
	var rows []row
	for _, g := range all {
		rows = append(rows, row{[]float64{-float64(len(g.uci)), float64(g.id)}, []string{
			fmt.Sprint(g.id), g.text.White.String(), g.text.Black.String(), g.head.Result.String(), strconv.Itoa(len(g.uci)), material(g.fen[len(g.uci)]),
		}})
	}
	return sorted(rows, 0, 5)
}

// player is whose repertoire the document asks for.
const player = "Svidler, P"

func repertoire(all []*game) [][]string {
	played := map[[3]string]int{}
	for _, g := range all {
		colour := "black"
		switch player {
		case g.text.White.String():
			colour = "white"
		case g.text.Black.String():
		default:
			continue
		}
		played[[3]string{strconv.Itoa(int(g.head.Date.Year)), colour, g.head.ECO.String()[:3]}]++
	}
	var rows []row
	for key, n := range played {
		rows = append(rows, row{[]float64{-float64(n)}, []string{key[0], key[1], key[2], strconv.Itoa(n)}})
	}
	return sorted(rows, 0, 5)
}

func endings(all []*game) [][]string {
	found := map[string]*mean{}
	games := map[string]int{}
	for _, g := range all {
		m := material(g.fen[len(g.uci)])
		if len(m) > 9 {
			continue
		}
		if games[m]++; found[m] == nil {
			found[m] = &mean{}
		}
		if g.done {
			found[m].add(g.score)
		}
	}
	var rows []row
	for m, n := range games {
		rows = append(rows, row{[]float64{-float64(n)}, []string{m, strconv.Itoa(n), found[m].text(100, 1)}})
	}
	return sorted(rows, 0, 6)
}

func copies(all []*game) [][]string {
	same := map[string][]*game{}
	for _, g := range all {
		if len(g.uci) > 10 {
			moves := strings.Join(g.uci, " ")
			same[moves] = append(same[moves], g)
		}
	}
	var rows []row
	for _, list := range same {
		if n := len(list); n > 1 {
			rows = append(rows, row{[]float64{-float64(n), float64(list[0].id)}, []string{strconv.Itoa(n), fmt.Sprint(list[0].id), fmt.Sprint(list[n-1].id), strconv.Itoa(len(list[0].uci))}})
		}
	}
	return sorted(rows, 0, 5)
}

func transpositions(all []*game) [][]string {
	type reached struct {
		ways  map[string]bool
		games int
		fen   string
	}
	found := map[string]*reached{}
	for _, g := range all {
		if len(g.uci) < 8 {
			continue
		}
		fen := g.fen[8]
		at := place(fen)
		if found[at] == nil {
			found[at] = &reached{ways: map[string]bool{}, fen: fen}
		}
		r := found[at]
		r.games++
		r.ways[strings.Join(g.uci[:8], " ")] = true
		r.fen = min(r.fen, fen)
	}
	var rows []row
	for _, r := range found {
		rows = append(rows, row{[]float64{-float64(len(r.ways)), -float64(r.games)}, []string{strconv.Itoa(len(r.ways)), strconv.Itoa(r.games), r.fen}})
	}
	return sorted(rows, 2, 4)
}

func structures(all []*game) [][]string {
	positions, games := map[string]int{}, map[string]map[model.RecordID]bool{}
	for _, g := range all {
		for ply := 30; ply <= min(60, len(g.uci)); ply++ {
			p := pawns(g.fen[ply])
			if positions[p]++; games[p] == nil {
				games[p] = map[model.RecordID]bool{}
			}
			games[p][g.id] = true
		}
	}
	var rows []row
	for p, n := range positions {
		rows = append(rows, row{[]float64{-float64(len(games[p]))}, []string{p, strconv.Itoa(n), strconv.Itoa(len(games[p]))}})
	}
	return sorted(rows, 0, 4)
}

func firstMoves(all []*game) [][]string {
	plies := map[string][]float64{}
	for _, g := range all {
		if len(g.san) > 0 {
			plies[g.san[0]] = append(plies[g.san[0]], float64(len(g.san)))
		}
	}
	var rows []row
	for san, list := range plies {
		if len(list) < 20 {
			continue
		}
		slices.Sort(list)
		median := (list[len(list)/2] + list[(len(list)-1)/2]) / 2
		rows = append(rows, row{[]float64{median}, []string{san, strconv.Itoa(len(list)), number(median)}})
	}
	return sorted(rows, 0, len(rows))
}

func mates(all []*game) [][]string {
	squares := map[string]int{}
	for _, g := range all {
		for i, san := range g.san {
			if strings.HasSuffix(san, "#") && san[0] != 'O' {
				squares[g.uci[i][2:4]]++
			}
		}
	}
	var rows []row
	for square, n := range squares {
		rows = append(rows, row{[]float64{-float64(n)}, []string{square, strconv.Itoa(n)}})
	}
	return sorted(rows, 0, 5)
}
