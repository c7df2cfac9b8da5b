package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"cbkit/board"
	"cbkit/internal/dbfile"
	"cbkit/lines"
	"cbkit/model"
	"cbkit/read"
	"cbkit/search"
	"cbkit/stats"
)

// open opens the games of a question.
func (c *treeCmd) open(env *environment) (*transfer, *input, error) {
	t := newTransfer(env, c.transferFlags, "tree", target{})
	t.where = c.where
	src, err := t.openAll(c.Paths)
	return t, src, err
}

// forkJSON is a position with several moves.
type forkJSON struct {
	Line  string   `json:"line"`
	FEN   string   `json:"fen"`
	Moves []string `json:"moves"`
}

// forks lists positions with several moves.
func (c *treeCmd) forks(env *environment) error {
	t, src, err := c.open(env)
	if err != nil {
		return err
	}
	defer func() { _ = src.close() }() // it was only read
	rep := lines.NewRepertoire()
	if err := c.read(t, src, newPickedPlayers(c.Player, c.Color), nil, func(rec *model.Record) error { rep.Add(rec.Game); return nil }); err != nil {
		return err
	}
	list := []forkJSON{}
	for _, side := range []model.Color{model.White, model.Black} {
		if c.Color != "" && c.Color != strings.ToLower(side.String()) {
			continue
		}
		for fork := range rep.Forks(side) {
			if c.MaxPly == 0 || len(fork.Line) < int(c.MaxPly) {
				list = append(list, asForkJSON(&fork))
			}
		}
	}
	if c.JSON {
		return env.answer(struct {
			Positions int        `json:"positions"`
			Forks     []forkJSON `json:"forks"`
		}{rep.Len(), list})
	}
	s := env.newSheet("", c.csvFlag, htmlFlag{})
	rows := make([][]string, 0, len(list))
	for _, f := range list {
		rows = append(rows, []string{f.Line, strings.Join(f.Moves, " "), f.FEN})
		s.say(fmt.Sprintf("%s: %s", f.Line, strings.Join(f.Moves, " or ")))
	}
	if s.as == asCSV {
		s.table([]column{text("line", 0), text("moves", 0), text("fen", 0)}, rows)
		return s.end()
	}
	s.note(fmt.Sprintf("%s with several moves, of %d", plural(len(list), "position"), rep.Len()))
	return s.end()
}

// asForkJSON says where a fork is, and its moves.
func asForkJSON(fork *lines.Fork) forkJSON {
	line, p, err := wayTo(fork)
	if err != nil {
		return forkJSON{} // no line begins there
	}
	f := forkJSON{Line: cmp.Or(line, "start"), FEN: p.FEN()}
	for _, m := range fork.Moves {
		f.Moves = append(f.Moves, p.SAN(m))
	}
	return f
}

// wayTo returns the line that leads to a fork, behind the position where it begins unless that is
// the start of the game, and the position of the fork.
func wayTo(f *lines.Fork) (line string, p board.Position, err error) {
	if p, err = board.New(&f.Start); err != nil {
		return "", p, err
	}
	line = stats.FormatLine(p, f.Line)
	if p != board.Start() {
		line = strings.TrimSpace(p.FEN() + " " + line)
	}
	for _, m := range f.Line {
		p.Make(m)
	}
	return line, p, nil
}

// noveltyJSON is a new move.
type noveltyJSON struct {
	ID     model.RecordID `json:"id"`
	White  string         `json:"white"`
	Black  string         `json:"black"`
	Date   string         `json:"date,omitempty"`
	Result string         `json:"result"`
	Ply    int            `json:"ply"`
	Move   string         `json:"move"`
	Before int            `json:"before"`
}

// askedGame is a game whose novelty is not known yet.
type askedGame struct {
	cells []string
	*model.Record
}

// novelties lists the first move of each game that a base does not have.
func (c *treeCmd) novelties(env *environment) error {
	t, src, err := c.open(env)
	if err != nil {
		return err
	}
	defer func() { _ = src.close() }() // it was only read
	base, reaching, err := c.openBase(env)
	if err != nil {
		return err
	}
	defer func() { _ = base.close() }() // it was only read
	bar := newSourceProgress(env.stderr, c.Quiet, src, "reading")
	defer bar.done()
	picked, games := newPickedPlayers(c.Player, c.Color), 0
	var waiting []askedGame
	watched := bar.records(picked.games(src.Source), func(rec *model.Record, err error) {
		if err != nil {
			return
		}
		if t.judge(src.name, rec); rec.Game == nil || rec.Deleted {
			return
		}
		games++
		bare := model.Game{Header: model.NewHeader(), Start: rec.Game.Start, Moves: rec.Game.Moves}
		waiting = append(waiting, askedGame{gameCells(rec, src.Entities()), &model.Record{ID: rec.ID, Game: bare.Clone()}})
	})
	list := []noveltyJSON{}
	met, news := false, 0 // the base has a position of the games; how many are listed
	table := newGameTable(env.stdout, text("novelty", 0), number("before"))
	sheet := env.newSheet("", c.csvFlag, htmlFlag{})
	var out []byte
	for n, err := range lines.Novelties(env.ctx, watched, base.Source, lines.NoveltyOptions{MaxPly: int(c.MaxPly), Variations: c.Variations, Reaching: reaching, OnError: t.onError}) {
		if err != nil {
			return err
		}
		for waiting[0].ID != n.ID {
			waiting = waiting[1:]
		}
		g := waiting[0]
		waiting = waiting[1:]
		met, news = met || n.Before > 0, news+1
		move, cells := moveAt(g.Game, n.Node), g.cells
		switch row := append(cells, move, fmt.Sprint(n.Before)); {
		case c.JSON:
			list = append(list, noveltyJSON{n.ID, cells[2], cells[4], cells[1], cells[6], n.Node + 1, move, n.Before})
		case c.CSV:
			sheet.table(table.columns, [][]string{row})
		default:
			if news == 1 {
				out = table.appendTitles(out)
			}
			out = table.appendLine(out, tableLine{cells: row})
		}
		if sheet.err != nil {
			return sheet.err
		}
	}
	bar.done()
	if err := c.checkPicked(t, src, picked); err != nil {
		return err
	}
	switch {
	case c.Quiet:
	case games == 0:
		fmt.Fprintf(env.stderr, "%s: there is no game to compare\n", src.name)
	case !met && news > 0:
		fmt.Fprintf(env.stderr, "%s: no game in it comes to a position of these games\n", c.Novelties)
	}
	switch {
	case c.JSON:
		return env.answer(struct {
			Games     int           `json:"games"`
			Novelties []noveltyJSON `json:"novelties"`
		}{games, list})
	case c.CSV:
		return sheet.end()
	}
	out = fmt.Appendf(table.appendHeld(out), "%s in %s\n", plural(news, "novelty"), plural(games, "game"))
	_, err = env.stdout.Write(out)
	return err
}

// openBase opens the base of novelties, with its index of positions if it has one.
func (c *treeCmd) openBase(env *environment) (base *input, reaching func(board.Position, bool) ([]model.RecordID, error), err error) {
	if set, err := read.FindFiles(c.Novelties); err == nil && !c.Variations && (set.Has(".cbh") || set.Has(".2cbh")) && set.Has(dbfile.IndexExt(set)) {
		s, err := search.Open(c.Novelties, search.Options{CodePage: string(c.Codepage), Jobs: int(c.Jobs), Warn: env.warn, Damage: env.damaged})
		if err != nil {
			return nil, nil, err
		}
		db, err := s.Database()
		if err != nil {
			return nil, nil, errors.Join(err, s.Close())
		}
		return &input{Source: db, closers: []func() error{s.Close}}, s.Reaching, nil
	}
	base, err = newTransfer(env, c.transferFlags, "tree", target{}).openInput(c.Novelties)
	return base, nil, err
}

// moveAt writes a move with its number: "14...Nh5"; it is "" if there is none.
func moveAt(g *model.Game, node int) string {
	if node == model.NoNode {
		return ""
	}
	p, err := board.After(g.Start, &g.Moves, g.Moves.Parent(node))
	if err != nil {
		return ""
	}
	return stats.FormatLine(p, []model.Move{g.Moves.Move(node)})
}
