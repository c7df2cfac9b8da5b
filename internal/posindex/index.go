package posindex

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math/bits"
	"slices"

	"cbkit/board"
	"cbkit/internal/booster"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/derive"
	"cbkit/model"
)

// Ext is the ending of the file beside a .cbh; see [dbfile.IndexExt].
const Ext = dbfile.PositionsExt

// Index is an open index. It may be used from several goroutines.
type Index struct {
	Head
	file    *dbfile.File
	deleted Records                   // as the newest segment was made
	changes map[model.RecordID]change // since
}

// ErrNotFit says that an index is of another state of the database.
var ErrNotFit = errors.New("it was made for another state of the database")

// NotUsed says of an index of some name, which does not fit or is damaged, that it is not
// used, and what to do. Other errors are as they were.
func NotUsed(name string, err error) error {
	switch {
	case errors.Is(err, ErrNotFit):
		return fmt.Errorf("%s is not used: %w; cbkit boosters --positions makes it anew", name, err)
	case err != nil && dbfile.IsDamage(err):
		return fmt.Errorf("%w; it is not used; cbkit boosters --positions makes it anew", err)
	}
	return err
}

// Open opens the index of a database and proves by the sizes and change times of
// files that it fits. The error wraps fs.ErrNotExist if there is none, ErrNotFit if it
// does not fit, and is a *model.FormatError if it is damaged.
func Open(files cbhdb.Files) (*Index, error) {
	x, err := OpenUnproven(files)
	if err != nil {
		return nil, err
	}
	now, err := x.States.Check(FilesOf(files), booster.Bases(), ErrNotFit)
	if err != nil {
		x.Close()
		return nil, err
	}
	x.States = now // with times as the file system keeps them: those that an edit leaves stay so
	return x, nil
}

// OpenUnproven opens the index without asking whether it fits the database.
func OpenUnproven(files cbhdb.Files) (*Index, error) {
	files = FilesOf(files)
	if !files.Has(Ext) {
		return nil, fs.ErrNotExist
	}
	f, err := files.Open(Ext)
	if err != nil {
		return nil, err
	}
	x := &Index{file: f}
	if x.Head, err = parseHead(f); err == nil {
		err = x.read()
	}
	if err != nil {
		f.Close() // it was only read
		return nil, err
	}
	return x, nil
}

// read reads the sets of records and the changes.
func (x *Index) read() error {
	var sets []Records
	for p, err := range parts(x.file, x.end(), x.sets, "set") {
		if err != nil {
			return err
		}
		set, ok := parseRecords(p.content, x.Records)
		if !ok {
			return x.file.Wrong(p.at, -1, "set", model.ErrCorrupt, "a range is cut, or of records that are not there")
		}
		sets = append(sets, set)
	}
	if len(sets) != 1+len(x.segments) {
		return x.file.Wrong(x.end(), -1, "sets", model.ErrCorrupt, "%d sets for %d segments", len(sets), len(x.segments))
	}
	x.deleted, x.changes = sets[0], map[model.RecordID]change{}
	for i := range x.segments {
		x.segments[i].of = sets[1+i]
	}
	for p, err := range parts(x.file, x.file.Size()-x.log, x.log, "change") {
		if err != nil {
			return err
		}
		id, c, ok := parseChange(p.content, x.Records)
		if !ok {
			return x.file.Wrong(p.at, -1, "change", model.ErrCorrupt, "it is cut, or of a record or a key that is not there")
		}
		x.note(id, c)
	}
	x.openSegments()
	return nil
}

// openSegments tells segments where they are, and what of them counts.
func (x *Index) openSegments() {
	at := x.end()
	newer := x.changed(hasKeys)
	for i := len(x.segments) - 1; i >= 0; i-- {
		s := &x.segments[i]
		at -= s.size()
		s.open(x.file, at, x.Records)
		s.later, newer = newer, newer.union(s.of)
	}
}

// Close closes the file.
func (x *Index) Close() { x.file.Close() } // it was only read

// Name returns the name of the file.
func (x *Index) Name() string { return x.file.Name() }

// Deleted returns the records that are marked as deleted.
func (x *Index) Deleted() Records {
	return x.deleted.without(x.changed(0)).union(x.changed(isDeleted))
}

// each yields the entries of the keys that are asked for, with what has changed: by keys, but
// for what is newer.
func (x *Index) each(want asked) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		for i := range x.segments {
			later := x.segments[i].later
			for e, err := range x.segments[i].entries(want) {
				if len(later) > 0 {
					e.ids = slices.DeleteFunc(e.ids, later.Has)
				}
				if !yield(e, err) {
					return
				}
			}
		}
		first := want(0)
		for id, c := range x.changes {
			next := first
			for _, key := range c.keys {
				if key < next {
					continue
				}
				if next = want(key); next == key && !yield(entry{key, []model.RecordID{id}}, nil) {
					return
				}
			}
		}
	}
}

// find returns the records of the keys that are asked for. They ascend.
func (x *Index) find(want asked) (ids []model.RecordID, err error) {
	for e, err := range x.each(want) {
		if err != nil {
			return nil, err
		}
		ids = append(ids, e.ids...)
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// ask returns the records of some keys, and those of others that are not among them. Both
// ascend.
func (x *Index) ask(keys []uint64, others asked) (listed, open []model.RecordID, err error) {
	if listed, err = x.find(among(keys...)); err == nil {
		open, err = x.find(others)
	}
	open = slices.DeleteFunc(open, func(id model.RecordID) bool {
		_, is := slices.BinarySearch(listed, id)
		return is
	})
	return listed, open, err
}

// Reached returns the games of which the index says that their main line reaches a
// position, and those, besides, that may reach it where the index has no positions.
// Both ascend; no other game reaches it.
func (x *Index) Reached(p *board.Position) (listed, open []model.RecordID, err error) {
	want := lateKey(p)
	last := want | (1<<lateMen - 1) // no game of a larger key has as many men
	if bits.OnesCount64(p.Occupied()) <= x.Men {
		last = always
	}
	return x.ask([]uint64{positionKey(p)}, func(key uint64) uint64 {
		switch {
		case key <= always:
			return always
		case key > last:
			return noKind
		case !canFollow(key, want):
			return key + 1
		}
		return key
	})
}

// Listed returns the games that Reached lists, without a look at all others.
func (x *Index) Listed(p *board.Position) ([]model.RecordID, error) {
	return x.find(among(positionKey(p)))
}

// Line is the main line of a game.
type Line struct {
	Start *model.Position // nil for the usual one
	Moves []model.Move
}

// Related yields the games whose main line is one of some lines, or begins with one, or
// begins one with so many plies at least, as their keys say: others too, and some several
// times. They come in any order. It reads on from key to key: many lines cost little more
// than one.
func (x *Index) Related(lines []Line, atLeast int) iter.Seq2[[]model.RecordID, error] {
	return func(yield func([]model.RecordID, error) bool) {
		var keys []uint64
		for _, line := range lines {
			p, err := board.New(line.Start)
			if err != nil {
				yield(nil, err)
				return
			}
			n := len(line.Moves)
			for ply, hash := range derive.BeginningsOf(line.Start, n, func(i int) model.Move { return line.Moves[i] }) {
				if ply >= atLeast || ply == n {
					keys = append(keys, gameKind|hash>>16)
				}
			}
			for _, m := range line.Moves[:min(n, x.Plies)] {
				p.Make(m)
			}
			keys = append(keys, positionKey(&p))
		}
		slices.Sort(keys)
		for e, err := range x.each(among(keys...)) {
			if !yield(e.ids, err) {
				return
			}
		}
	}
}
