package eco

import (
	"context"
	"iter"

	"cbkit/model"
)

// Options configures [Source].
type Options struct {
	// Keep leaves existing codes unchanged and fills in missing ones.
	Keep bool
	// Names gives each classified game the PGN tag Opening.
	Names bool
	// Found, if not nil, is called for each game that was classified.
	Found func(*model.Record, Opening)
}

// Source returns a source whose games are classified by their positions. A code
// with a sub-code stays where the code itself is right. Games that cannot be
// classified, and texts, stay as they are.
func Source(src model.Source, opt Options) model.Source { return &classified{src, opt} }

type classified struct {
	model.Source
	opt Options
}

var (
	_ model.Preflighter = (*classified)(nil)
	_ model.Referee     = (*classified)(nil)
)

// Records implements [model.Source].
func (s *classified) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		for rec, err := range s.Source.Records(ctx, from, want|model.WantMoves) {
			if rec.Game != nil && rec.Game.MovesErr == nil {
				s.classify(&rec)
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// classify changes the record's game, which is the source's, in a copy.
func (s *classified) classify(rec *model.Record) {
	o, _, ok := Classify(rec.Game)
	if !ok {
		return
	}
	g := *rec.Game
	if g.ECO.Index() != o.Code.Index() && !(s.opt.Keep && g.ECO.Valid()) {
		g.ECO = o.Code
		g.Forget(0)
	}
	if s.opt.Names {
		g.Tags = withTag(g.Tags, openingTag, o.Name)
	}
	rec.Game = &g
	if s.opt.Found != nil {
		s.opt.Found(rec, o)
	}
}

// openingTag is the tag of an opening's name. (PGN standard 9.3.1)
const openingTag = "Opening"

// withTag returns the tags with a value for one of them.
func withTag(tags []model.Tag, name, value string) []model.Tag {
	with := make([]model.Tag, 0, len(tags)+1)
	for _, t := range tags {
		if t.Name != name {
			with = append(with, t)
		}
	}
	return append(with, model.Tag{Name: name, Value: value})
}

// Preflight implements [model.Preflighter].
func (s *classified) Preflight(ctx context.Context) error {
	if f, ok := s.Source.(model.Preflighter); ok {
		return f.Preflight(ctx)
	}
	return nil
}

// Progress implements [model.Measured] as the source does.
func (s *classified) Progress() (done, total int64) { return model.ProgressOf(s.Source) }

// LegalMoves implements [model.Referee].
func (s *classified) LegalMoves() bool {
	r, ok := s.Source.(model.Referee)
	return ok && r.LegalMoves()
}
