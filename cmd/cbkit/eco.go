package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cbkit/eco"
	"cbkit/model"
	"cbkit/stats"
)

// ecoCmd is "cbkit eco".
type ecoCmd struct {
	Source string `arg:"" zip:"reads" help:"Database, PGN or JSON Lines file; - is standard input."`
	Target string `arg:"" help:"What to make."`
	Keep   bool   `help:"Leave codes alone that are there; fill in those that are missing."`
	Limit  count  `help:"How many openings to print; 0 prints all." default:"40" placeholder:"N"`
	makeFlags
}

// Run implements the verb.
func (c *ecoCmd) Run(env *environment) error {
	found := map[string]*openingFound{}
	count := func(rec *model.Record, o eco.Opening) {
		if rec.Deleted {
			return
		}
		key := o.Code.String() + o.Name
		if found[key] == nil {
			found[key] = &openingFound{ECO: o.Code.String(), Name: o.Name}
		}
		found[key].Score.Add(rec.Game.Result, model.White, rec.Game.WhiteElo, rec.Game.BlackElo)
	}
	err := c.make(env, "eco", c.Target, []string{c.Source}, func(t *transfer, src *input) error {
		src.Source = eco.Source(src.Source, eco.Options{Keep: c.Keep, Names: t.to.IsText(), Found: count})
		return nil
	})
	if err != nil {
		return err
	}
	list := slices.SortedFunc(maps.Values(found), func(a, b *openingFound) int {
		return cmp.Or(cmp.Compare(b.Score.Games(), a.Score.Games()), strings.Compare(a.ECO, b.ECO), strings.Compare(a.Name, b.Name))
	})
	if list == nil {
		list = []*openingFound{} // in JSON
	}
	if env.setResult(struct {
		Openings []*openingFound `json:"openings"`
	}{list}, false) {
		return nil
	}
	shown := limited(list, c.Limit)
	w := env.text
	if c.Target == "-" {
		if c.Quiet {
			return nil
		}
		w = env.stderr
	}
	rows := make([][]string, 0, len(shown))
	for _, o := range shown {
		rows = append(rows, []string{
			o.ECO, o.Name, strconv.Itoa(o.Score.Games()), percent(&o.Score),
			strconv.Itoa(o.Score.Wins), strconv.Itoa(o.Score.Draws), strconv.Itoa(o.Score.Losses),
		})
	}
	if err := printColumns(w, []column{
		text("ECO", 0), text("Opening", 70), number("Games"), number("%"), number("+"), number("="), number("-"),
	}, rows); err != nil {
		return err
	}
	if more := len(list) - len(shown); more > 0 {
		fmt.Fprintf(w, "and %d more; --limit 0 prints all\n", more)
	}
	return nil
}

// openingFound is an opening with the score of its games.
type openingFound struct {
	ECO   string      `json:"eco"`
	Name  string      `json:"name"`
	Score stats.Tally `json:"white"`
}
