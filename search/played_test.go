package search_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cbkit/board"
	"cbkit/eco"
	"cbkit/model"
	"cbkit/search"

	"pgregory.net/rapid"
)

// drawTold puts clocks and verdicts into comments of a game, and a result that may fit.
func drawTold(t *rapid.T, g *model.Game) {
	if rapid.IntRange(0, 2).Draw(t, "told") > 0 {
		return
	}
	g.Annotations = slices.DeleteFunc(g.Annotations, func(a model.Annotation) bool {
		switch a.Value.Kind() {
		case model.KindText, model.KindEngine, model.KindClock, model.KindTimeSpent, model.KindEvaluations:
			return true
		}
		return false
	})
	for node := range g.Moves.MainLen() {
		if text := rapid.SampledFrom([]string{"", "", "[%clk 0:00:07]", "[%clk 0:01:30.5] a", "[%eval 0.5]", "[%eval -2.25,18]", "[%eval #-2]", "x [%eval 7][%emt 0:00:03]", "+0.31/14 0.53s", "-M5/20 1.2s", "book"}).Draw(t, "comment"); text != "" {
			g.Annotations = append(g.Annotations, model.Annotation{Node: int32(node), Value: model.Text{Text: text}})
		}
	}
	slices.SortStableFunc(g.Annotations, func(a, b model.Annotation) int { return int(a.Node - b.Node) })
}

var (
	clockText   = regexp.MustCompile(`\[%clk (\d+):(\d+):(\d+)`)
	evalText    = regexp.MustCompile(`\[%eval (#?)(-?[\d.]+)`)
	verdictText = regexp.MustCompile(`^([+-])(M?)([\d.]+)/\d+ [\d.]+s$`)
	disambigued = regexp.MustCompile(`^([NBRQK])[a-h]?[1-8]?(x?[a-h][1-8][+#]?)$`)
)

// saidOf reads the comments of drawTold: the pawns for White at most 10, and seconds.
func saidOf(g *model.Game, node int) (eval, clock float64, evaluated, timed bool) {
	white := (g.StartPosition().Turn == model.White) == (node%2 == 0)
	for _, a := range g.Annotations {
		if int(a.Node) != node {
			continue
		}
		switch v := a.Value.(type) {
		case model.Engine:
			if !evaluated && v.Type < 2 {
				eval, evaluated = float64(v.Value)/100, true
				if v.Type == 1 && v.Value != 0 {
					eval *= 1e9
				} else if v.Type == 1 {
					eval = map[bool]float64{true: 10, false: -10}[white]
				}
			}
		case model.Text:
			if m := clockText.FindStringSubmatch(v.Text); m != nil && !timed {
				seconds, _ := strconv.Atoi(m[3])
				minutes, _ := strconv.Atoi(m[2])
				clock, timed = float64(60*minutes+seconds), true
				if strings.Contains(v.Text, ".5]") {
					clock += 0.5
				}
			}
			if m := evalText.FindStringSubmatch(v.Text); m != nil && !evaluated {
				eval, _ = strconv.ParseFloat(m[2], 64)
				if evaluated = true; m[1] != "" {
					eval *= 1e9
				}
			}
			if m := verdictText.FindStringSubmatch(v.Text); m != nil && !evaluated {
				eval, _ = strconv.ParseFloat(m[3], 64)
				if m[2] != "" {
					eval = 1e9
				}
				if evaluated = true; (m[1] == "-") == white {
					eval = -eval
				}
			}
		}
	}
	return max(-10, min(10, eval)), clock, evaluated, timed
}

// drawPlayed draws a question about who won, how fast a game was, moves, the end, and what
// comments say.
func drawPlayed(t *rapid.T, db *model.Database) question {
	of := func(query string, naive func(g *model.Game) bool) question {
		c, err := search.Parse(query)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return ofGame(c, naive)
	}
	pattern := rapid.SampledFrom([]string{"c*", "*r*", "*"}).Draw(t, "name")
	is := func(id model.EntityID) bool {
		p, ok := db.Tables.Players.Get(id)
		return ok && (like(pattern, p.LastName) || p.FirstName != "" && like(pattern, p.LastName+", "+p.FirstName))
	}
	word := func(g *model.Game) string { return strings.TrimSuffix(strings.Fields(g.Result.String() + " ")[0], "f") }
	switch rapid.IntRange(0, 9).Draw(t, "played") {
	case 0:
		return of("winner:"+pattern, func(g *model.Game) bool { return word(g) == "1-0" && is(g.White) || word(g) == "0-1" && is(g.Black) })
	case 1:
		return of("loser:"+pattern, func(g *model.Game) bool { return word(g) == "0-1" && is(g.White) || word(g) == "1-0" && is(g.Black) })
	case 2:
		least := rapid.IntRange(0, 3000).Draw(t, "least")
		// By itself, so that another player who is asked for is not joined to it.
		return of(fmt.Sprintf("not (not (player:%s (opponent-elo:%d.. or not kind:game)))", pattern, least), func(g *model.Game) bool {
			return is(g.White) && g.BlackElo > 0 && int(g.BlackElo) >= least || is(g.Black) && g.WhiteElo > 0 && int(g.WhiteElo) >= least
		})
	case 3:
		n := rapid.IntRange(-500, 3000).Draw(t, "points")
		rated := func(g *model.Game) bool { return g.WhiteElo > 0 && g.BlackElo > 0 }
		if n < 0 {
			return of(fmt.Sprintf("elo-difference:%d..", n), func(g *model.Game) bool { return rated(g) && int(g.WhiteElo)-int(g.BlackElo) >= n })
		}
		return of(fmt.Sprintf("upset:%d", n), func(g *model.Game) bool {
			return rated(g) && (word(g) == "1-0" && int(g.BlackElo)-int(g.WhiteElo) >= n || word(g) == "0-1" && int(g.WhiteElo)-int(g.BlackElo) >= n)
		})
	case 4:
		speed := rapid.SampledFrom([]string{"classical", "rapid", "blitz", "bullet", "correspondence"}).Draw(t, "speed")
		return of("time-control:"+speed, func(g *model.Game) bool {
			v, _ := db.Tables.Tournaments.Get(g.Tournament)
			return speed == map[model.EventType]string{
				{System: model.Swiss}: "classical", {Blitz: true}: "blitz", {Rapid: true}: "rapid", {Correspondence: true, System: model.Match}: "correspondence",
			}[v.Type]
		})
	case 5:
		return of(`eco:"defense kings"`, func(g *model.Game) bool {
			o, ok := eco.Named(g.ECO)
			return ok && g.ECO.Valid() && strings.Contains(o.Name, "Defense") && strings.Contains(o.Name, "King's")
		})
	case 6:
		move := rapid.SampledFrom([]string{"N??", "Nf3", "*x*", "*+", "?4", "K*", "e?", "b*", "B*", "O-O*", "*=?", "*#"}).Draw(t, "move")
		last, variations := rapid.SampledFrom([]int{1, 6, 500}).Draw(t, "last"), rapid.Bool().Draw(t, "variations")
		exp := regexp.MustCompile("^" + strings.NewReplacer("*", ".*", "?", ".", "+", `\+`).Replace(move) + "$")
		return of(fmt.Sprintf("move:%s@..%d%s", move, last, map[bool]string{true: ",variations"}[variations]), func(g *model.Game) bool {
			for node, p := range board.Walk(g.Start, &g.Moves) {
				ply := 1
				for n := g.Moves.Parent(node); n != model.NoNode; n = g.Moves.Parent(n) {
					ply++
				}
				if ply > last || node >= g.Moves.MainLen() && !variations {
					continue
				}
				san := p.SAN(g.Moves.Move(node))
				if !strings.ContainsAny(move, "+#") {
					san = strings.TrimRight(san, "+#")
				}
				if exp.MatchString(san) || exp.MatchString(disambigued.ReplaceAllString(san, "$1$2")) {
					return true
				}
			}
			return false
		})
	case 7:
		what := rapid.SampledFrom([]string{"mate", "check", "stalemate", "dead", "repetition", "fivefold", "fifty", "seventy-five", "wrong"}).Draw(t, "final")
		query := "final:" + what
		if what == "wrong" {
			query = "wrong-result:yes"
		}
		return of(query, func(g *model.Game) bool { return finally(g, what) })
	case 8:
		n := rapid.SampledFrom([]int{7, 10, 90, 91}).Draw(t, "seconds")
		return of(fmt.Sprintf("clock:%s/%d", pattern, n), func(g *model.Game) bool {
			for _, a := range g.Annotations {
				if c, ok := a.Value.(model.Clock); ok && c.Centiseconds <= uint32(100*n) && is([]model.EntityID{g.White, g.Black}[c.Player]) && g.Moves.Len() > 0 {
					return true
				}
			}
			for node := range g.Moves.MainLen() {
				mover := []model.EntityID{g.White, g.Black}[(int(g.StartPosition().Turn)+node)%2]
				if _, clock, _, timed := saidOf(g, node); timed && is(mover) && clock <= float64(n) {
					return true
				}
			}
			return false
		})
	}
	n := rapid.SampledFrom([]int{1, 200, 900, 1999, 2000, 2001}).Draw(t, "points")
	return of(fmt.Sprintf("blunder:%s/%d", pattern, n), func(g *model.Game) bool {
		for _, a := range g.Annotations {
			if a.Node == -1 && a.Value.Kind() == model.KindEngine || a.Value.Kind() == model.KindEvaluations {
				t.Skip("what is said of the start, and profiles, are for a test of their own")
			}
		}
		before, known := 0.0, false
		for node := range g.Moves.MainLen() {
			color := (int(g.StartPosition().Turn) + node) % 2
			eval, _, evaluated, _ := saidOf(g, node)
			if !evaluated {
				continue
			}
			worse := before - eval
			if color == 1 {
				worse = -worse
			}
			if known && 100*worse >= float64(n)-0.001 && is([]model.EntityID{g.White, g.Black}[color]) {
				return true
			}
			before, known = eval, true
		}
		return false
	})
}

// finally says what the last position is, by lists of moves and FENs.
func finally(g *model.Game, what string) bool {
	list := line(g)
	if len(list) == 0 {
		return false
	}
	fen := func(p *model.Position) string {
		b, err := board.New(p)
		if err != nil {
			return err.Error()
		}
		f := strings.Fields(b.FEN())
		if !b.EnPassantLegal() {
			f[3] = "-"
		}
		return strings.Join(f[:4], " ")
	}
	last := &list[len(list)-1]
	p, err := board.New(last)
	if err != nil {
		return false
	}
	moves, times, quiet := len(p.AppendLegal(nil)), 0, 0
	for i := range list {
		if fen(&list[i]) == fen(last) {
			times++
		}
	}
	men := func(p *model.Position) (n int, pawns string) {
		for s, piece := range p.Board {
			if piece != model.NoPiece {
				n++
			}
			if piece.Type() == model.Pawn {
				pawns += fmt.Sprint(s, piece.Color(), " ")
			}
		}
		return n, pawns
	}
	for i := len(list) - 1; i > 0; i-- {
		n, pawns := men(&list[i])
		m, before := men(&list[i-1])
		if n != m || pawns != before {
			break
		}
		quiet++
	}
	letters, colors := "", map[int]bool{}
	for s, piece := range last.Board {
		if piece != model.NoPiece && piece.Type() != model.King {
			letters += string(piece.Type().Letter())
			colors[(s/8+s%8)%2] = true
		}
	}
	dead := letters == "" || letters == "N" || strings.Trim(letters, "B") == "" && len(colors) == 1
	switch what {
	case "mate":
		return moves == 0 && p.InCheck()
	case "check":
		return moves > 0 && p.InCheck()
	case "stalemate":
		return moves == 0 && !p.InCheck()
	case "repetition":
		return times >= 3
	case "fivefold":
		return times >= 5
	case "fifty":
		return quiet >= 100
	case "seventy-five":
		return quiet >= 150
	case "dead":
		return dead
	}
	word := strings.TrimSuffix(g.Result.String(), "f")
	switch {
	case moves == 0 && p.InCheck():
		return word != []string{"0-1", "1-0"}[last.Turn]
	case moves == 0:
		return word != "1/2-1/2"
	}
	return dead && (word == "1-0" || word == "0-1")
}
