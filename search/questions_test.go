package search_test

import (
	"slices"
	"strings"

	"cbkit/board"
	"cbkit/internal/namepattern"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/search"

	"pgregory.net/rapid"
)

// question is a condition and the same as a plain function.
type question struct {
	condition search.Condition
	naive     func(rec model.Record) bool
}

// drawQuestion draws a condition, down to some depth.
func drawQuestion(t *rapid.T, db *model.Database, depth int) question {
	kind := rapid.IntRange(0, 9).Draw(t, "kind")
	if depth == 0 || kind < 4 {
		switch rapid.IntRange(0, 7).Draw(t, "about") {
		case 6, 7:
			return drawPlayed(t, db)
		case 0, 1:
			return drawPlayer(t, db)
		case 2:
			return drawOther(t, db)
		case 3:
			return drawHeader(t, db)
		}
		return drawPosition(t, db)
	}
	one, other := drawQuestion(t, db, depth-1), drawQuestion(t, db, depth-1)
	switch {
	case kind < 7:
		return question{search.And(one.condition, other.condition), func(r model.Record) bool { return one.naive(r) && other.naive(r) }}
	case kind < 9:
		return question{search.Or(one.condition, other.condition), func(r model.Record) bool { return one.naive(r) || other.naive(r) }}
	}
	return question{search.Not(one.condition), func(r model.Record) bool { return !one.naive(r) }}
}

// ofGame is a question about games only.
func ofGame(c search.Condition, naive func(g *model.Game) bool) question {
	return question{c, func(r model.Record) bool { return r.Game != nil && naive(r.Game) }}
}

// like matches a pattern the slow way.
func like(pattern, s string) bool {
	p, r := []rune(strings.ToLower(pattern)), []rune(strings.ToLower(s))
	switch {
	case len(p) == 0:
		return len(r) == 0
	case p[0] == '*':
		return like(string(p[1:]), s) || len(r) > 0 && like(pattern, string(r[1:]))
	}
	return len(r) > 0 && (p[0] == '?' || p[0] == r[0]) && like(string(p[1:]), string(r[1:]))
}

// drawPattern draws a pattern that is likely to fit something.
func drawPattern(t *rapid.T) string {
	p := rapid.SampledFrom(names).Draw(t, "name")
	switch rapid.IntRange(0, 5).Draw(t, "pattern") {
	case 0:
		p = strings.ToUpper(p)
	case 1:
		p = p[:rapid.IntRange(0, len(p)).Draw(t, "letters")] + "*"
		p = strings.ToValidUTF8(p, "?")
	case 2:
		p = "*" + p + "*"
	case 3:
		p += ", M*"
	case 4:
		p = "?" + strings.ToValidUTF8(p[1:], "")
	}
	return p
}

// drawHeader draws a question about headers.
func drawHeader(t *rapid.T, db *model.Database) question {
	switch rapid.IntRange(0, 10).Draw(t, "header") {
	case 0:
		p, side := drawPattern(t), drawSide(t)
		return ofGame(search.Team(side, p), func(g *model.Game) bool {
			is := func(id model.EntityID) bool {
				team, ok := db.Tables.Teams.Get(id)
				return ok && like(p, team.Title)
			}
			return sides(side, is(g.WhiteTeam), is(g.BlackTeam))
		})
	case 1:
		from, to := rapid.Uint16Range(0, 2100).Draw(t, "from"), rapid.Uint16Range(0, 2100).Draw(t, "to")
		if from > to && to != 0 {
			from, to = to, from
		}
		return ofGame(search.Dates(model.Date{Year: from}, model.Date{Year: to}), func(g *model.Game) bool {
			return g.Date.Year >= from && (to == 0 || g.Date.Year <= to)
		})
	case 2:
		from, to := rapid.IntRange(0, 499).Draw(t, "from"), rapid.IntRange(0, 499).Draw(t, "to")
		return ofGame(search.ECOs(model.NewECO(from, 0), model.NewECO(to, 0)), func(g *model.Game) bool {
			return g.ECO.Valid() && g.ECO.Index() >= from && g.ECO.Index() <= to
		})
	case 3:
		result := model.Result(rapid.IntRange(0, 7).Draw(t, "result"))
		word := result.String()
		if result.IsForfeit() {
			word += "f"
		}
		return ofGame(search.Called("result", word), func(g *model.Game) bool { return g.Result == result })
	case 4:
		least, most, side := rapid.IntRange(0, 3000).Draw(t, "least"), rapid.SampledFrom([]int{0, 3000, 60000}).Draw(t, "most"), drawSide(t)
		in := func(elo uint16) bool { return elo > 0 && int(elo) >= least && (most == 0 || int(elo) <= most) }
		return ofGame(search.Ratings(side, least, most), func(g *model.Game) bool { return sides(side, in(g.WhiteElo), in(g.BlackElo)) })
	case 5:
		least, most := rapid.IntRange(0, 5).Draw(t, "least"), rapid.SampledFrom([]int{0, 5, 10, 20}).Draw(t, "most")
		return ofGame(search.Moves(least, most), func(g *model.Game) bool {
			p := g.StartPosition()
			n := (g.Moves.MainLen() + 1) / 2
			if p.Turn == model.Black && g.Moves.MainLen() > 0 {
				n = g.Moves.MainLen()/2 + 1
			}
			return n >= least && (most == 0 || n <= most)
		})
	case 6:
		m := model.Medals(rapid.Uint16Range(1, 7).Draw(t, "medals"))
		var list []search.Condition
		for bit, name := range model.MedalNames() {
			if m>>bit&1 != 0 {
				list = append(list, search.Called("medal", name))
			}
		}
		return ofGame(search.And(list...), func(g *model.Game) bool { return g.Medals()&m == m })
	case 7:
		return drawAnnotated(t)
	case 8:
		first, last := rapid.IntRange(0, 4).Draw(t, "first"), rapid.SampledFrom([]int{0, 5, 200}).Draw(t, "last")
		if rapid.Bool().Draw(t, "game of a round") {
			first++
			last++
			return ofGame(search.Called("round", first, ".", last), func(g *model.Game) bool { return int(g.Round) == first && int(g.Subround) == last })
		}
		return ofGame(search.Rounds(first, last), func(g *model.Game) bool {
			return g.Round != 0 && int(g.Round) >= first && (last == 0 || int(g.Round) <= last)
		})
	case 9:
		word := rapid.SampledFrom([]string{"a", "E", "é", "0", "aa"}).Draw(t, "word")
		return ofGame(search.Called("comment", word), func(g *model.Game) bool {
			return slices.ContainsFunc(g.Annotations, func(a model.Annotation) bool {
				text, ok := a.Value.(model.Text)
				return ok && strings.Contains(namepattern.Fold(text.Text), namepattern.Fold(word))
			})
		})
	}
	return rapid.SampledFrom([]question{
		{search.Games(), func(r model.Record) bool { return r.Game != nil }},
		{search.Called("kind", "text"), func(r model.Record) bool { return r.Text != nil }},
		{search.Deleted(), func(r model.Record) bool { return r.Deleted }},
		{search.IDs(3, 9), func(r model.Record) bool { return r.ID >= 3 && r.ID <= 9 }},
		{search.And(), func(model.Record) bool { return true }},
		{search.Or(), func(model.Record) bool { return false }},
	}).Draw(t, "plain")
}

func drawSide(t *rapid.T) search.Side {
	return rapid.SampledFrom([]search.Side{search.AnySide, search.WhiteSide, search.BlackSide, search.BothSides}).Draw(t, "side")
}

func sides(side search.Side, white, black bool) bool {
	return map[search.Side]bool{
		search.AnySide: white || black, search.WhiteSide: white, search.BlackSide: black, search.BothSides: white && black,
	}[side]
}

func drawPlayer(t *rapid.T, db *model.Database) question {
	typed := false
	is := func(p string) func(model.EntityID) bool {
		return func(id model.EntityID) bool {
			player, ok := db.Tables.Players.Get(id)
			if ok && typed && !strings.ContainsAny(p, "*?") {
				return namepattern.ParsePerson(p).Matches(player)
			}
			return ok && (like(p, player.LastName) || player.FirstName != "" && like(p, player.LastName+", "+player.FirstName))
		}
	}
	one, other := drawPattern(t), drawPattern(t)
	if !strings.Contains(one+other, "/") && one != "" && other != "" && rapid.IntRange(0, 4).Draw(t, "opponents") == 4 {
		typed = true
		return ofGame(search.Called("opponents", one+"/"+other), func(g *model.Game) bool {
			return is(one)(g.White) && is(other)(g.Black) || is(other)(g.White) && is(one)(g.Black)
		})
	}
	side := drawSide(t)
	if typed = one != "" && rapid.Bool().Draw(t, "typed"); typed {
		c, err := search.Term(map[search.Side]string{
			search.AnySide: "player", search.WhiteSide: "white-player", search.BlackSide: "black-player", search.BothSides: "both-player",
		}[side], one)
		if err != nil {
			t.Fatal(err)
		}
		return ofGame(c, func(g *model.Game) bool { return sides(side, is(one)(g.White), is(one)(g.Black)) })
	}
	return ofGame(search.Player(side, one), func(g *model.Game) bool { return sides(side, is(one)(g.White), is(one)(g.Black)) })
}

// drawOther draws a question about what games and texts both refer to.
func drawOther(t *rapid.T, db *model.Database) question {
	p := drawPattern(t)
	of := func(r model.Record, game func(*model.Game) model.EntityID, text func(*model.GuidingText) model.EntityID) model.EntityID {
		if r.Game != nil {
			return game(r.Game)
		}
		return text(r.Text)
	}
	switch rapid.IntRange(0, 4).Draw(t, "other") {
	case 4:
		return question{search.Titled("place", p), func(r model.Record) bool {
			v, ok := db.Tables.Tournaments.Get(of(r, func(g *model.Game) model.EntityID { return g.Tournament }, func(t *model.GuidingText) model.EntityID { return t.Tournament }))
			return ok && like(p, v.Place)
		}}
	case 0:
		return question{search.Titled("tournament", p), func(r model.Record) bool {
			v, ok := db.Tables.Tournaments.Get(of(r, func(g *model.Game) model.EntityID { return g.Tournament }, func(t *model.GuidingText) model.EntityID { return t.Tournament }))
			return ok && like(p, v.Title)
		}}
	case 1:
		return question{search.Titled("annotator", p), func(r model.Record) bool {
			v, ok := db.Tables.Annotators.Get(of(r, func(g *model.Game) model.EntityID { return g.Annotator }, func(t *model.GuidingText) model.EntityID { return t.Annotator }))
			return ok && like(p, v.Name)
		}}
	case 2:
		return question{search.Titled("source", p), func(r model.Record) bool {
			v, ok := db.Tables.Sources.Get(of(r, func(g *model.Game) model.EntityID { return g.Source }, func(t *model.GuidingText) model.EntityID { return t.Source }))
			return ok && like(p, v.Title)
		}}
	}
	return question{search.Titled("title", p), func(r model.Record) bool {
		v, ok := db.Tables.GameTitles.Get(of(r, func(g *model.Game) model.EntityID { return g.GameTitle }, func(t *model.GuidingText) model.EntityID { return t.GameTitle }))
		return ok && slices.ContainsFunc(v.Titles[:], func(s string) bool { return like(p, s) })
	}}
}

func drawAnnotated(t *rapid.T) question {
	type mark struct {
		name  string
		naive func(g *model.Game) bool
	}
	with := func(kind model.Kind) mark {
		return mark{string(kind), func(g *model.Game) bool {
			return slices.ContainsFunc(g.Annotations, func(a model.Annotation) bool { return a.Value.Kind() == kind })
		}}
	}
	m := rapid.SampledFrom([]mark{
		with(model.KindText), with(model.KindSymbols), with(model.KindSquares), with(model.KindArrows),
		with(model.KindTraining), with(model.KindPawnStructure), with(model.KindCritical),
		{"variations", func(g *model.Game) bool { return g.Moves.HasVariations() }},
		{"setup", func(g *model.Game) bool { return g.Start != nil }},
		{"chess960", func(g *model.Game) bool { return g.Start != nil && g.Start.Chess960 }},
	}).Draw(t, "mark")
	c := must.Get(search.Annotated(m.name))(t)
	return ofGame(c, m.naive)
}

// line returns the positions of a game's main line.
func line(g *model.Game) []model.Position {
	p, err := board.New(g.Start)
	if err != nil {
		return nil
	}
	list := []model.Position{p.Model()}
	for node := range g.Moves.Line(model.NoNode) {
		p.Make(g.Moves.Move(node))
		list = append(list, p.Model())
	}
	return list
}

// allLines returns the positions of every line of a game from its start to its end, the
// main line first; of the main line alone unless variations are wanted.
func allLines(g *model.Game, variations bool) [][]model.Position {
	if !variations {
		return [][]model.Position{line(g)}
	}
	var list [][]model.Position
	for node := model.NoNode; node < g.Moves.Len(); node++ {
		if g.Moves.Main(node) != model.NoNode {
			continue
		}
		at, err := board.After(g.Start, &g.Moves, node)
		if err != nil {
			return nil
		}
		positions := []model.Position{at.Model()}
		for n := node; n != model.NoNode; {
			n = g.Moves.Parent(n)
			before, _ := board.After(g.Start, &g.Moves, n)
			positions = append(positions, before.Model())
		}
		slices.Reverse(positions)
		list = append(list, positions)
	}
	return list
}

// drawPosition draws a question about positions, most often about one that
// occurs somewhere.
func drawPosition(t *rapid.T, db *model.Database) question {
	p := model.StartPosition()
	if len(db.List) > 0 {
		if g := rapid.SampledFrom(db.List).Draw(t, "record").Game; g != nil {
			p = rapid.SampledFrom(slices.Concat(allLines(g, true)...)).Draw(t, "position")
		}
	}
	first, last := rapid.SampledFrom([]int{0, 0, 0, 1, 5}).Draw(t, "first ply"), rapid.SampledFrom([]int{0, 0, 0, 5, 12}).Draw(t, "last ply")
	variations := rapid.Bool().Draw(t, "variations")
	during := func(c search.Condition) search.Condition {
		c, err := search.During(first, last, c)
		if err == nil && variations {
			c, err = search.InVariations(c)
		}
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	inRow := func(g *model.Game, plies int, holds func(*model.Position) bool) bool {
		return slices.ContainsFunc(allLines(g, variations), func(list []model.Position) bool {
			if last != 0 {
				list = list[:min(len(list), last+1)]
			}
			return inRow(list[min(len(list), first):], plies, holds)
		})
	}
	at := must.Get(board.New(&p))(t)
	anywhere := func(c search.Condition, err error, holds func(q *model.Position) bool) question {
		if err != nil {
			t.Fatal(err)
		}
		return ofGame(during(c), func(g *model.Game) bool { return inRow(g, 1, holds) })
	}
	switch rapid.IntRange(0, 6).Draw(t, "about") {
	case 6: // one piece that must stand somewhere, and one that must not
		value := ""
		var holds [2]func(q *model.Position) bool
		for i := range holds {
			piece := model.NewPiece(model.Color(rapid.IntRange(0, 1).Draw(t, "color")), model.PieceType(rapid.IntRange(1, 6).Draw(t, "piece")))
			place := rapid.SampledFrom([]string{"d4", "c", "e", "7", "2", "", "e5", "h"}).Draw(t, "place")
			holds[i] = func(q *model.Position) bool {
				for s, p := range q.Board {
					if p == piece && strings.Contains(model.Square(s).String(), place) {
						return i == 0
					}
				}
				return i == 1
			}
			value += []string{"", ",!"}[i] + string(piece.Letter()) + place
		}
		c, err := search.Term("pattern", value)
		return anywhere(c, err, func(q *model.Position) bool { return holds[0](q) && holds[1](q) })
	case 0:
		return anywhere(search.Reached(at), nil, func(q *model.Position) bool { return q.Board == p.Board && q.Turn == p.Turn })
	case 1:
		return anywhere(search.Pawns(at), nil, func(q *model.Position) bool {
			for s := range q.Board {
				if (q.Board[s].Type() == model.Pawn || p.Board[s].Type() == model.Pawn) && q.Board[s] != p.Board[s] {
					return false
				}
			}
			return true
		})
	case 2:
		piece := model.NewPiece(model.Color(rapid.IntRange(0, 1).Draw(t, "color")), model.PieceType(rapid.IntRange(1, 6).Draw(t, "piece")))
		s := model.Square(rapid.IntRange(0, 63).Draw(t, "square"))
		return anywhere(search.PieceOn(piece, s), nil, func(q *model.Position) bool { return q.Board[s] == piece })
	case 3:
		least := rapid.IntRange(-12, 9).Draw(t, "least")
		most, plies := least+rapid.IntRange(0, 3).Draw(t, "more"), rapid.IntRange(1, 4).Draw(t, "plies")
		return ofGame(during(search.Balance(least, most, plies)), func(g *model.Game) bool {
			return inRow(g, plies, func(q *model.Position) bool {
				sum := 0
				for _, piece := range q.Board {
					value := []int{0, 1, 3, 3, 5, 9, 0}[piece.Type()]
					if piece.Color() == model.Black {
						value = -value
					}
					sum += value
				}
				return sum >= least && sum <= most
			})
		})
	}
	text := drawMaterial(t, &p)
	m, err := search.ParseMaterial(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	if rapid.Bool().Draw(t, "end") {
		return ofGame(search.MaterialAtEnd(m), func(g *model.Game) bool {
			list := line(g)
			return len(list) > 0 && hasMaterial(&list[len(list)-1], text)
		})
	}
	plies := rapid.IntRange(1, 4).Draw(t, "plies")
	return ofGame(during(search.Material(m, plies)), func(g *model.Game) bool {
		return inRow(g, plies, func(q *model.Position) bool { return hasMaterial(q, text) })
	})
}

// inRow looks for a run of positions.
func inRow(list []model.Position, plies int, holds func(*model.Position) bool) bool {
	for i := 0; i+plies <= len(list); i++ {
		run := list[i : i+plies]
		if !slices.ContainsFunc(run, func(q model.Position) bool { return !holds(&q) }) {
			return true
		}
	}
	return false
}

// drawMaterial writes the material of a position, or of one much like it.
func drawMaterial(t *rapid.T, p *model.Position) string {
	var sides [2]string
	for c := range sides {
		for _, kind := range "KQRBNP" {
			piece := model.PieceOf(byte(kind))
			n := 0
			for _, q := range p.Board {
				if q == model.NewPiece(model.Color(c), piece.Type()) {
					n++
				}
			}
			n = max(0, n+rapid.SampledFrom([]int{0, 0, 0, 0, 0, -1, 1}).Draw(t, "other number"))
			sides[c] += strings.Repeat(string(kind), n)
			if n > 0 && kind != 'K' && rapid.IntRange(0, 2).Draw(t, "more") == 2 {
				sides[c] += "+"
			}
		}
		if rapid.IntRange(0, 2).Draw(t, "others") == 2 {
			sides[c] += "*"
		}
	}
	return sides[0] + rapid.SampledFrom([]string{"-", "v"}).Draw(t, "against") + sides[1]
}

// hasMaterial reads the text afresh for every position.
func hasMaterial(p *model.Position, text string) bool {
	for c, side := range strings.Split(strings.ReplaceAll(text, "v", "-"), "-") {
		for _, kind := range "QRBNP" {
			n := 0
			for _, q := range p.Board {
				if q == model.NewPiece(model.Color(c), model.PieceOf(byte(kind)).Type()) {
					n++
				}
			}
			want := strings.Count(side, string(kind))
			more := strings.Contains(side, string(kind)+"+") || want == 0 && strings.Contains(side, "*")
			if n < want || n > want && !more {
				return false
			}
		}
	}
	return true
}
