package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
)

// Want says which parts of the records a reader of a [Source] needs. Headers always come.
// With 0 they may lack tags that are stored in other files: in .2cbh the ids of players
// are stored with the names, four kilobytes each.
type Want uint8

// The parts of a record. A source may give more than is wanted.
const (
	WantHeaders     Want = 1 << 4
	WantMoves       Want = 1 << 0
	WantAnnotations Want = 1 << 1
	// WantRaw asks for the leftovers, as a copy in the same format needs them.
	WantRaw Want = 1 << 2
	WantAll      = WantHeaders | WantMoves | WantAnnotations | WantRaw
	// WantSigns asks for [Game].Signs along with the moves. Only some sources have them;
	// others leave Signs nil.
	WantSigns Want = 1 << 3
)

// OnlyHeaders reports whether nothing but headers is wanted.
func (w Want) OnlyHeaders() bool { return w&^WantHeaders == 0 }

// Source is a database, or a file of games, that can be read from beginning
// to end.
type Source interface {
	// Entities returns the tables that records refer to. Tables may grow
	// while records are read; an id in a record that was yielded is there.
	Entities() *Entities

	// Records yields the records with ids from the given one on (1 is the
	// first) in id order.
	//
	// A record is valid until the next step alone: its memory is used again.
	// [Record.Clone] keeps it, and [Kept] yields records that can be kept. An
	// error with a record id concerns that record alone, which has neither
	// game nor text then, and the reader may go on. An error with id 0 ends
	// the sequence.
	Records(ctx context.Context, from RecordID, want Want) iter.Seq2[Record, error]

	// Count returns the number of records, or -1 if it is not known before
	// reading them.
	Count() int

	// Leftover returns what the format stored about the database as a whole.
	Leftover() *Leftover
}

// Numbered is a [Source] that can read any of its records, in any order.
type Numbered interface {
	Source
	// RecordsOf yields the records with the given ids, in the order given, as Records
	// does; no id may repeat. An id that does not exist is an error that wraps
	// [ErrNoRecord].
	RecordsOf(ctx context.Context, ids iter.Seq[RecordID], want Want) iter.Seq2[Record, error]
}

// Preflighter is a [Source] that can check, before anything is written, whether
// all of its records lie inside their files.
type Preflighter interface {
	// Preflight returns the first violation, and how many others there are.
	Preflight(ctx context.Context) error
}

// Referee is a [Source] that has validated the moves of its games, so that
// consumers need not do it again.
type Referee interface {
	// LegalMoves reports whether all moves of all games are legal. Null moves in
	// check and castling without the right count as legal.
	LegalMoves() bool
}

// Measured is a [Source] that knows how far it has been read, even where the
// number of records is unknown. The sources of read, pgn, jsonl and parquet are
// Measured, and those that other packages make of them.
type Measured interface {
	// Progress returns how many bytes the latest Records has read and how many there are,
	// roughly as on the disk. The total is -1 if it is not known, as for a pipe. It may
	// be called at any time, also from another goroutine.
	Progress() (done, total int64)
}

// ProgressOf returns the progress of a source that is [Measured], else 0 and
// -1.
func ProgressOf(src Source) (done, total int64) {
	if m, ok := src.(Measured); ok {
		return m.Progress()
	}
	return 0, -1
}

// Readable yields the records of a source that can be read, from the first on. An
// error of a single record goes to onError, as that of [CopyOptions]: if it returns nil
// the record is passed over, else the error that it returns ends the sequence; without
// onError the first error does. An error comes last, also that of ctx.
func Readable(ctx context.Context, src Source, want Want, onError func(RecordID, error) error) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for rec, err := range src.Records(ctx, 1, want) {
			if err != nil && rec.ID != 0 && onError != nil {
				if err = onError(rec.ID, err); err == nil {
					continue
				}
			}
			if err != nil {
				yield(Record{}, err)
				return
			}
			if !yield(rec, nil) {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(Record{}, err)
		}
	}
}

// Kept yields the records of a source from the first on, each a copy that is the
// caller's: it can be kept, changed and passed to another goroutine. The sequence
// ends with the first error, which comes last, also that of ctx; [Readable] passes
// over single records.
func Kept(ctx context.Context, src Source, want Want) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for rec, err := range Readable(ctx, src, want, nil) {
			if !yield(rec.Clone(), err) {
				return
			}
		}
	}
}

// Games yields the games of a source that are not deleted, each a copy that is the
// caller's, as [Kept] does:
//
//	for rec, err := range model.Games(ctx, src, model.WantMoves) {
func Games(ctx context.Context, src Source, want Want) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for rec, err := range Readable(ctx, src, want, nil) {
			if err == nil && (rec.Game == nil || rec.Deleted) {
				continue
			}
			if !yield(rec.Clone(), err) {
				return
			}
		}
	}
}

// Paged is a [Source] whose names and texts were stored in a code page. A sink
// that writes the same format uses that page.
type Paged interface {
	// CodePage returns the name of the page, such as "1251", or "" if it is not
	// known.
	CodePage() string
}

// Sink takes the records of a source and makes a database, or a file, of
// them. It is used once: Begin, then Put for every record, then Commit; or
// Abort at any time before. Every call out of this order is an error and
// changes nothing. [Copy] keeps the order.
//
// A sink loses nothing in silence. If its format cannot hold something, and the sink has
// no [Report] and was not told to accept losses, Commit fails with a [*LossError].
type Sink interface {
	// Begin is called once, before the first record. After an error only Abort
	// may follow.
	Begin(src Source) error
	// Put takes the next record, which has either a game or a text. The record
	// is not used after Put returns. A record with the id of an earlier one or
	// a smaller one is an error; where ids are not kept, records are numbered
	// anew.
	//
	// A [*RecordError] concerns that record alone, which is not written; others
	// may follow. Such errors are illegal moves (unless the source is a
	// [Referee]), annotations at places that the game does not have, and, unless
	// Record.Damage tells of damage, ids that are not in the source's tables.
	Put(rec Record) error
	// Commit completes the target. Nothing is visible before it succeeds, unless a sink
	// says otherwise; after an error only Abort may follow.
	Commit() error
	// Abort removes what was written so far. It may be called before Begin,
	// and more than once; after a Commit that succeeded it does nothing.
	Abort() error
}

// Counter is a [Sink] that counts the records it writes.
type Counter interface {
	// Written returns how many records are in the target, or will be after Commit.
	// Records that were left out do not count.
	Written() int
}

// Wanter is a [Sink] that has no use for some parts of the records.
type Wanter interface {
	// Wants returns the parts that it looks at.
	Wants() Want
}

// CopyOptions configures [Copy]. The zero value copies everything and stops at
// the first error.
type CopyOptions struct {
	// Want is what to read. 0 stands for what the sink asks for if it is a
	// [Wanter], else for [WantAll]; [WantHeaders] reads headers alone.
	Want Want
	// From and To limit the copy to the records from one id to another; 0 stands for the
	// first and the last. A source that can start at any record reads no others.
	From, To RecordID
	// Keep, if not nil, selects the records to copy.
	Keep func(Record) bool
	// OnError is called with errors that concern a single record, of the source and
	// of the sink. If it returns nil the record is skipped, otherwise the copy ends
	// with the error it returns. If OnError is nil the first error ends the copy.
	OnError func(RecordID, error) error
	// Progress, if not nil, is called with the id of each record after it was put.
	Progress func(RecordID)
	// SkipPreflight skips the check of a [Preflighter]. Records outside their files
	// are then errors of single records, for OnError.
	SkipPreflight bool
}

// Copy reads all records of src, puts them into dst and commits. On an error,
// or when ctx is done, it aborts dst and returns the error. It runs in the caller's
// goroutine; where a callback or the source panics, dst is aborted too.
func Copy(ctx context.Context, dst Sink, src Source, opt CopyOptions) error {
	returns := false
	defer func() {
		if !returns {
			_ = dst.Abort() // the panic goes on
		}
	}()
	err := copyRecords(ctx, dst, src, opt)
	if err == nil {
		err = dst.Commit()
	}
	if err != nil {
		if left := dst.Abort(); left != nil {
			err = fmt.Errorf("%w; and %w", err, left)
		}
	}
	returns = true
	return err
}

// wants returns what a sink looks at.
func wants(dst Sink) Want {
	if w, ok := dst.(Wanter); ok {
		return w.Wants()
	}
	return WantAll
}

func copyRecords(ctx context.Context, dst Sink, src Source, opt CopyOptions) error {
	if p, ok := src.(Preflighter); ok && !opt.SkipPreflight {
		if err := p.Preflight(ctx); err != nil {
			return err
		}
	}
	if err := dst.Begin(src); err != nil {
		return err
	}
	for rec, err := range src.Records(ctx, max(opt.From, 1), cmp.Or(opt.Want, wants(dst))) {
		if opt.To != 0 && rec.ID > opt.To {
			break
		}
		if err != nil {
			if rec.ID == 0 || opt.OnError == nil {
				return err
			}
			if err = opt.OnError(rec.ID, err); err != nil {
				return err
			}
			continue
		}
		if opt.Keep == nil || opt.Keep(rec) {
			if err := opt.put(dst, rec); err != nil {
				return err
			}
		}
		if opt.Progress != nil {
			opt.Progress(rec.ID)
		}
	}
	return ctx.Err()
}

// put puts a record, and asks OnError if the sink refuses that one alone.
func (opt *CopyOptions) put(dst Sink, rec Record) error {
	err := dst.Put(rec)
	if err == nil || opt.OnError == nil {
		return err
	}
	var refused *RecordError
	if errors.As(err, &refused) {
		return opt.OnError(rec.ID, err)
	}
	return err
}
