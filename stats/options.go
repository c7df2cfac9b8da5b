package stats

import (
	"context"
	"iter"

	"cbkit/model"
)

// Options configures the functions of this package.
type Options struct {
	// OnError is called for records that cannot be read. If it returns nil the
	// record is skipped, otherwise the work ends with the error it returns. If
	// OnError is nil the first error ends the work.
	OnError func(model.RecordID, error) error
	// TempDir is the folder of temporary files, "" that of the system. Only
	// [Explore] needs them.
	TempDir string
	// MergeTournaments makes [List] count tournaments with the same title, place and
	// first day as one, whatever else is known of each, as when they come from several
	// files.
	MergeTournaments bool
}

// records yields the records of a source that can be read and are not deleted.
func (o Options) records(ctx context.Context, src model.Source, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		for rec, err := range model.Readable(ctx, src, want, o.OnError) {
			if !rec.Deleted && !yield(rec, err) {
				return
			}
		}
	}
}
