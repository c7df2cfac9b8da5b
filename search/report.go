package search

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"cbkit/board"
	"cbkit/internal/booster"
	"cbkit/internal/posindex"
	"cbkit/stats"
)

// readCost is how many games can be read in a row in the time it takes to read one by
// its number.
const readCost = 2

// errNotNarrowed ends a search that would read all games.
var errNotNarrowed = errors.New("nothing rules out games")

// Report reports on a position as [stats.Explore] does, with the games for which where is
// true or, if where is nil, all games that are not deleted. It takes a summary from the
// index of positions, or reads the games that the index or search boosters do not rule
// out. The report is nil if neither can be used, or if reading all games is as fast. The
// result is that of the search for the games; it is empty if there was none.
func (s *Searcher) Report(ctx context.Context, p board.Position, where Condition, opt stats.ExploreOptions) (*stats.Report, Result, error) {
	if s.closed.Load() {
		return nil, Result{}, fs.ErrClosed
	}
	if s.files == nil || s.opt.NoBoosters || !booster.IsWorthAsking(s.files, &p) {
		return nil, Result{}, nil
	}
	run := &session{ctx: ctx, of: s, opt: &s.opt, base: s.chess, counts: true, narrow: &p} // the report plays games through
	defer run.closeIndex()
	x, err := run.positionIndex()
	if x != nil && where == nil {
		report, err := s.recalled(ctx, x, p, opt)
		if report != nil || err != nil {
			return report, Result{}, err
		}
	}
	if where == nil {
		where = Not(Deleted())
	}
	var found Result
	if err == nil {
		found, err = s.run(run, And(Reached(p), where))
	} else {
		err = s.oneState(err)
	}
	if errors.Is(err, errNotNarrowed) {
		return nil, Result{}, nil
	}
	if err != nil || len(found.IDs)*readCost > found.Plan.Records || found.Unread.Len() > 0 { // of games that break off a report counts the beginning
		return nil, found, err
	}
	src, err := s.Source(found)
	if err != nil {
		return nil, found, err
	}
	report, err := stats.Explore(ctx, src, p, opt)
	return report, found, err
}

// isNarrowed returns errNotNarrowed if the search is to read few games alone, and no .cbb
// file that holds rules out the others. It is asked where there is no index.
func (s *session) isNarrowed() error {
	if s.narrow == nil || s.base != nil && booster.IsFiltered(s.narrow) && booster.CheckSeal(s.base.stored.Files(), ".cbb") == nil {
		return nil
	}
	return errNotNarrowed
}

// recalled makes a report of what the index of positions has kept of a position, and of what
// has changed since; nil if that does not tell.
func (s *Searcher) recalled(ctx context.Context, x *posindex.Index, p board.Position, opt stats.ExploreOptions) (*stats.Report, error) {
	kept, err := x.Summary(&p)
	if err != nil {
		return nil, nil // the search tells of damage
	}
	db, err := s.Database()
	if err != nil {
		return nil, err
	}
	games, ok := db.(posindex.Games)
	if !ok {
		return nil, fmt.Errorf("%w: records have no numbers", errors.ErrUnsupported)
	}
	was, is, err := x.Since(ctx, games, kept.Key, s.count()/readCost)
	if err != nil {
		return nil, ctx.Err() // the search tells of what cannot be read
	}
	report, ok := stats.Recall(kept.Content, was, is, p, db.Entities(), opt)
	if !ok {
		return nil, nil
	}
	return report, errors.Join(s.oneState(nil), db.Entities().Err())
}
