package viewer

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"cbkit/board"
	"cbkit/eco"
	"cbkit/internal/namepattern"
	"cbkit/model"
	"cbkit/search"
	"cbkit/stats"
)

// passOver goes on behind records that cannot be read; the list and the game tell
// of them.
func (c *call) passOver(_ model.RecordID, err error) error {
	if errors.Is(err, model.ErrChanged) {
		return err
	}
	return c.ctx.Err()
}

// ReportInfo is a report with the name of the opening.
type ReportInfo struct {
	ECO     string `json:"eco,omitempty"`
	Opening string `json:"opening,omitempty"`
	Slow    bool   `json:"slow,omitempty"` // there is no report, it takes long
	*stats.Report
}

// Of a database with more records, or an index that takes longer, a quick report says that
// it is slow.
const (
	fewRecords = 20000
	quickTime  = time.Second
)

func (c *call) report(s *source) (any, error) {
	on, err := board.Parse(c.args["fen"])
	if err != nil {
		return nil, err
	}
	opt := stats.ExploreOptions{Players: 3, Recent: 8, Options: stats.Options{OnError: c.passOver}}
	info, many := ReportInfo{}, c.args["quick"] != "" && s.records.Count() > fewRecords
	ctx := c.ctx
	if many {
		short, cancel := context.WithTimeout(ctx, quickTime)
		defer cancel()
		ctx = short
	}
	if s.search != nil {
		err = s.search(c.progress, func(searcher *search.Searcher) (err error) {
			info.Report, _, err = searcher.Report(ctx, on, nil, opt)
			return err
		})
	}
	if many && c.ctx.Err() == nil && (ctx.Err() != nil || err == nil && info.Report == nil) {
		info.Slow, info.Report, err = true, nil, nil
	} else if err == nil && info.Report == nil {
		info.Report, err = stats.Explore(ctx, s.watched(c.progress), on, opt)
	}
	if err != nil {
		return nil, err
	}
	if o, ok := eco.At(&on); ok {
		info.ECO, info.Opening = o.Code.String(), o.Name
	}
	return info, nil
}

// Entities is a window of a list of entities.
type Entities struct {
	Total int           `json:"total"`
	From  int           `json:"from"`
	Rows  []stats.Entry `json:"rows"`
}

func (c *call) entities(s *source) (any, error) {
	kind, err := stats.ParseKind(c.args["kind"])
	if err != nil {
		return nil, err
	}
	from, n := c.number("from", 1<<30), c.number("n", mostRows)
	if c.wrong != nil {
		return nil, c.wrong
	}
	s.listing.Lock()
	defer s.listing.Unlock()
	listing := s.entries[kind]
	if listing == nil {
		if listing, err = stats.List(c.ctx, s.watched(c.progress), kind, stats.Options{OnError: c.passOver}); err != nil {
			return nil, err
		}
		if c.ctx.Err() != nil {
			return nil, c.ctx.Err()
		}
		s.entries = map[stats.Kind]*stats.Listing{kind: listing} // one at a time is kept
	}
	if err := listing.Sort(cmp.Or(c.args["sort"], "games")); err != nil {
		return nil, err
	}
	answer := Entities{From: from, Rows: []stats.Entry{}}
	folded := namepattern.Fold(c.args["find"])
	for e := range listing.All() {
		if folded != "" && !strings.Contains(namepattern.Fold(e.Name), folded) {
			continue
		}
		if answer.Total >= from && len(answer.Rows) < n {
			answer.Rows = append(answer.Rows, e)
		}
		answer.Total++
	}
	return answer, nil
}

func (c *call) scores(s *source) (any, error) {
	name, src := c.args["player"], s.watched(c.progress)
	return stats.Scores(c.ctx, src, stats.ScoreOptions{
		Player:  func(_ model.EntityID, p model.Player) bool { return p.String() == name },
		Again:   src.Source,
		Options: stats.Options{OnError: c.passOver},
	})
}
