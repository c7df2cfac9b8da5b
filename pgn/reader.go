package pgn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"strings"
	"sync/atomic"

	"cbkit/internal/packed"
	"cbkit/internal/stale"
	"cbkit/model"
)

// ReaderOptions configures a [Reader]. The zero value suits most texts.
type ReaderOptions struct {
	// File is the name that errors give the text of [NewReader]. [Open] uses
	// the names of the files.
	File string
	// DecodeText decodes a tag value or comment that is not valid UTF-8, as
	// read.TextDecoder does. If it is nil, such text is read as Windows-1252, with the
	// bytes 81 8D 8F 90 9D as the control characters of the same numbers.
	DecodeText func([]byte) string
	// KeepGoing keeps a game that has a move which cannot be read: it ends
	// before that move, the rest becomes a comment, which is reported. If it
	// is false such a game is an error and is left out. Of a variation with such
	// a move the rest becomes a comment in either case.
	//
	// It also goes on after a file that cannot be read to its end, such as a compressed
	// one that was cut: the error then has the id that the next good game gets and does
	// not end the reading.
	KeepGoing bool
	// KeepSite makes a URL in the tag Site the place of the tournament. If it
	// is false it stays a tag, so that not every game of a server gets a
	// tournament of its own.
	KeepSite bool
	// Jobs is how many games are parsed at the same time: one for each
	// processor if it is 0 or less, four for each at the most.
	Jobs int
	// Part and Parts, if not 0, read only the games of one part of each file,
	// counted from 1: those that begin in the first, second, … of so many equal
	// shares of its bytes. The parts together have the games of the whole, each
	// once. It takes files that can be sought in, which compressed ones cannot.
	// Lines and games are counted from the beginning of the part, and errors
	// name its place.
	//
	// What ends an unclosed comment comes after it, so games near the border of a part
	// may be split differently than in a reading of the whole file.
	Part, Parts int
	// Report, if not nil, is called for every part of a game that could not be read, as a
	// [model.CutGame] with the text of its [GameError], and for everything that was left
	// out or read differently from how it is written, as a [model.ReadOtherwise]. Those
	// of record 0 belong to no game.
	Report model.Report
	// Opened, if not nil, is the only file that [Open] is to read, open at its beginning:
	// the first reading takes it and closes it.
	Opened fs.File

	outline bool // where things stand in a game is wanted
}

// Reader reads games from PGN text. It is a [model.Source].
//
// The games that can be read have the ids 1, 2, 3 and so on. A game that
// cannot be read takes no id: its error, a [*GameError], comes with the id
// that the game would have had, which the next good game gets. Errors with id
// 0 concern a whole file and end the reading; with KeepGoing there are none.
//
// The moves of a game are always read, also if they are not wanted, because
// which games can be read, and so the ids, depends on them. Comments are read
// only if annotations are wanted.
//
// The tables grow while games are read: one goroutine may use a reader at a time. It
// parses in several of its own.
type Reader struct {
	opt      ReaderOptions
	inputs   []input
	entities *model.Entities
	offset   int64
	outline  *outline // of the game just read, if they are wanted
	meter    packed.Meter
	size     int64 // of all files, -1 if unknown
}

var _ model.Measured = (*Reader)(nil)

// NewReader returns a reader of the text in r, which may be compressed by
// gzip, bzip2 or zstd. It can be read only once. Nothing is read before
// [Reader.Records].
func NewReader(r io.Reader, opt ReaderOptions) *Reader {
	var used atomic.Bool
	in := input{opt.File, func() (opened, error) {
		if used.Swap(true) {
			return opened{}, errReadOnce
		}
		return opened{ReadCloser: io.NopCloser(r)}, nil
	}}
	reader := &Reader{opt: opt, entities: new(model.Entities), inputs: []input{in}, size: packed.SizeOf(r)}
	reader.meter.Begin(reader.size)
	return reader
}

// Open returns a reader of the games of several files, one file after the
// other, each of which may be compressed by gzip, bzip2 or zstd. It fails if a
// file is not there or is a directory. Each call of [Reader.Records] reads the
// files from the beginning.
func Open(opt ReaderOptions, paths ...string) (*Reader, error) {
	if opt.Parts != 0 && (opt.Part < 1 || opt.Part > opt.Parts) {
		return nil, fmt.Errorf("part %d of %d: parts are counted from 1: %w", opt.Part, opt.Parts, model.ErrOption)
	}
	r := &Reader{opt: opt, entities: new(model.Entities)}
	for _, path := range paths {
		file := packed.NewAgain(path, opt.Opened)
		info, err := file.Stat()
		if err != nil {
			return nil, err
		}
		if info.IsDir() {
			return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New("is a directory, not a PGN file")}
		}
		in := input{path, func() (opened, error) {
			f, err := file.Open()
			if err != nil {
				return opened{}, err
			}
			return opened{ReadCloser: file.Whole(f)}, nil
		}}
		if opt.Parts > 0 {
			in = partInput(file, opt.Part, opt.Parts)
		}
		r.inputs = append(r.inputs, in)
		if size := packed.SizeIn(info); size < 0 || r.size < 0 {
			r.size = -1
		} else {
			r.size += size / int64(max(opt.Parts, 1))
		}
	}
	r.meter.Begin(r.size)
	return r, nil
}

// Entities returns the tables that the games refer to. They grow while games
// are read; use them only in the loop over [Reader.Records] or after it.
func (r *Reader) Entities() *model.Entities { return r.entities }

// SetEntities makes tables those that the games refer to, which another source may have
// filled; it is called before anything is read.
func (r *Reader) SetEntities(e *model.Entities) { r.entities = e }

// Count returns -1: the number of games is not known before reading to the end.
func (r *Reader) Count() int { return -1 }

// Progress implements [model.Measured].
func (r *Reader) Progress() (done, total int64) { return r.meter.Progress() }

// LegalMoves implements [model.Referee]: reading plays all moves.
func (r *Reader) LegalMoves() bool { return true }

// Offset returns where the game just read begins in its text, in bytes from 0; of a
// compressed file, in what it is uncompressed. It is valid until the next step of the
// loop over [Reader.Records]. The offset of a game, unlike its id, is the same in every
// reading, even of one part.
func (r *Reader) Offset() int64 { return r.offset }

// Leftover returns nil.
func (r *Reader) Leftover() *model.Leftover { return nil }

// Records yields the games, each valid until the next step alone; [model.Kept]
// yields copies. See [model.Source] and [Reader] for the ids and the
// errors. Leaving the loop, and ctx, stop all work; only a Read of the
// underlying reader that is under way cannot be stopped.
func (r *Reader) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		yield = stale.After(yield)
		inner, stop := context.WithCancel(ctx)
		defer stop()
		r.meter.Begin(r.size)
		p := startPipeline(inner, r.inputs, &r.opt, want, &r.meter)
		s := stream{reader: r, yield: yield, from: from}
		for b := p.next(); b != nil; b = p.next() {
			if !s.batch(b) {
				return
			}
			p.recycle(b)
		}
		if err := ctx.Err(); err != nil {
			yield(model.Record{}, err)
		}
	}
}

// intern gives the names of a game their ids in tables.
func (n *names) intern(h *model.Header, e *model.Entities) {
	h.White = intern(&e.Players, n.white, clonePlayer)
	h.Black = intern(&e.Players, n.black, clonePlayer)
	h.Tournament = intern(&e.Tournaments, n.tournament, func(t model.Tournament) model.Tournament {
		t.Title, t.Place = strings.Clone(t.Title), strings.Clone(t.Place)
		return t
	})
	h.Annotator = intern(&e.Annotators, n.annotator, func(a model.Annotator) model.Annotator { return model.Annotator{Name: strings.Clone(a.Name)} })
	h.Source = intern(&e.Sources, n.source, func(p model.Publication) model.Publication {
		p.Title, p.Publisher = strings.Clone(p.Title), strings.Clone(p.Publisher)
		return p
	})
	h.WhiteTeam = intern(&e.Teams, n.whiteTeam, cloneTeam)
	h.BlackTeam = intern(&e.Teams, n.blackTeam, cloneTeam)
	h.GameTitle = model.NoEntity
}

// intern returns the id of v, NoEntity for the zero value. What goes into the
// table is a clone, so that it does not hold on to the text of a whole game.
func intern[T comparable](t *model.Table[T], v T, clone func(T) T) model.EntityID {
	var zero T
	if v == zero {
		return model.NoEntity
	}
	if id, ok := t.Find(v); ok {
		return id
	}
	return t.Append(model.Slot[T]{Value: clone(v)})
}

func clonePlayer(p model.Player) model.Player {
	p.LastName, p.FirstName = strings.Clone(p.LastName), strings.Clone(p.FirstName)
	return p
}

func cloneTeam(t model.Team) model.Team {
	t.Title = strings.Clone(t.Title)
	return t
}
