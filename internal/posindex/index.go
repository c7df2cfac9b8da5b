package posindex

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math/bits"
	"slices"

	"cbkit/board"
	"cbkit/internal/booster"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/derive"
	"cbkit/internal/wire"
	"cbkit/model"
)

// Ext is the ending of the file.
const Ext = dbfile.PositionsExt

// What an index holds where nothing else is asked for.
const (
	DefaultPlies = 40
	DefaultMen   = 12
	// MostPlies is as many as can be asked for.
	MostPlies = 10000
)

// Head is what the header of an index says. (docs/formats/positions.md 2)
type Head struct {
	Plies int // positions are listed after so many plies at most,
	Men   int // and those with so many men at most
	// Structures says that pawn structures and material are listed too.
	Structures bool
	Records    model.RecordID     // of the database
	States     booster.SealStates // of the files that it follows from

	layers    [layerCount]layerHead
	summaries int64 // size of the summaries
	edited    bool  // summaries hold no more
	log       int64 // size of the changes, which come last
}

const title = "cbkit positions\n"

const version = 2

// Where a header has what.
const (
	headSumAt    = len(title)
	headStatesAt = headSumAt + 4 + 6*4
	stateSize    = 16
	layerSize    = 4 * 8
	headLogAt    = headStatesAt + 3*stateSize + layerCount*layerSize
	headKeptAt   = headLogAt + 8
	headEditedAt = headKeptAt + 8
)

// append appends the header, which is a block.
func (h *Head) append(dst []byte) []byte {
	from := len(dst)
	dst = append(dst, title...)
	dst = append(dst, 0, 0, 0, 0)
	for _, n := range []int{version, h.Plies, h.Men, int(h.Records), layerCount, int(flag(h.Structures))} {
		dst = wire.AppendU32LE(dst, uint32(n))
	}
	for _, ext := range booster.Bases() {
		state := h.States.Of(ext)
		dst = wire.AppendU64LE(dst, uint64(state.Size))
		dst = wire.AppendU64LE(dst, uint64(state.Changed))
	}
	for _, l := range h.layers {
		for _, n := range []uint64{uint64(l.at), l.leaves, l.keys, l.postings} {
			dst = wire.AppendU64LE(dst, n)
		}
	}
	dst = wire.AppendU64LE(dst, uint64(h.log))
	dst = wire.AppendU64LE(dst, uint64(h.summaries))
	dst = append(dst, flag(h.edited))
	dst = wire.AppendZeros(dst, from+blockSize-len(dst))
	binary.LittleEndian.PutUint32(dst[from+headSumAt:], crc32.Checksum(dst[from+headSumAt+4:], castagnoli))
	return dst
}

// flag is 1 for true.
func flag(is bool) byte {
	if is {
		return 1
	}
	return 0
}

// parseHead reads what append writes, of a file of some size.
func parseHead(f *dbfile.File) (h Head, err error) {
	b, err := f.Start(blockSize)
	if err != nil {
		return h, err
	}
	if !bytes.HasPrefix(b, []byte(title)) {
		return h, f.Wrong(0, -1, "title", model.ErrCorrupt, "the file does not begin like an index of positions")
	}
	if len(b) < blockSize {
		return h, f.Wrong(int64(len(b)), -1, "header", model.ErrTruncated, "the file ends in its header")
	}
	le := binary.LittleEndian
	if le.Uint32(b[headSumAt:]) != crc32.Checksum(b[headSumAt+4:], castagnoli) {
		return h, f.Wrong(int64(headSumAt), -1, "sum", model.ErrCorrupt, "the header has another sum")
	}
	number := func(n int) uint32 { return le.Uint32(b[headSumAt+4+4*n:]) }
	if number(0) != version || number(4) != layerCount {
		return h, f.Wrong(int64(headSumAt+4), -1, "version", model.ErrUnsupported, "version %d with %d layers", number(0), number(4))
	}
	if number(1) > MostPlies || number(2) > mostMen || number(3) > 1<<24 || number(5) > 1 {
		return h, f.Wrong(int64(headSumAt+8), -1, "header", model.ErrCorrupt, "%d plies, %d men, %d records", number(1), number(2), number(3))
	}
	h.Plies, h.Men, h.Records, h.Structures = int(number(1)), int(number(2)), model.RecordID(number(3)), number(5) == 1
	for i := range h.States {
		h.States[i] = booster.NoState
	}
	at := headStatesAt
	for _, ext := range booster.Bases() {
		*h.States.Of(ext) = booster.State{Size: int64(le.Uint64(b[at:])), Changed: int64(le.Uint64(b[at+8:]))}
		at += stateSize
	}
	return h, h.parseLayers(f, b, at)
}

// parseLayers reads where the layers are, which fill the file one behind the other.
func (h *Head) parseLayers(f *dbfile.File, b []byte, at int) error {
	end := int64(blockSize)
	for i := range h.layers {
		n := func(k int) uint64 { return binary.LittleEndian.Uint64(b[at+8*k:]) }
		l := layerHead{int64(n(0)), n(1), n(2), n(3)}
		if l.at != end || l.leaves > uint64(f.Size())/blockSize || l.keys > l.postings || (l.leaves == 0) != (l.keys == 0) {
			return f.Wrong(int64(at), -1, "layer", model.ErrCorrupt, "layer %d with %d blocks at %#x, where %#x is free", i, l.leaves, l.at, end)
		}
		end += int64(l.blocks()) * blockSize
		h.layers[i] = l
		at += layerSize
	}
	h.log, h.summaries = int64(binary.LittleEndian.Uint64(b[headLogAt:])), int64(binary.LittleEndian.Uint64(b[headKeptAt:]))
	h.edited = b[headEditedAt] != 0
	if h.log < 0 || h.log > MostChanged || h.summaries < 0 || h.summaries > mostSummaries || end+h.summaries+h.log != f.Size() {
		return f.Wrong(end, -1, "layers", model.ErrTruncated, "the layers end here, the file at %#x; summaries have %d bytes, changes %d", f.Size(), h.summaries, h.log)
	}
	return nil
}

// Index is an open index. It may be used from several goroutines.
type Index struct {
	Head
	file    *dbfile.File
	changed map[model.RecordID][]posting // what records have that the layers do not know
	sorted  []changedPosting             // the same by keys, for who asks for many
}

// changedPosting is a posting of a record that has changed.
type changedPosting struct {
	posting
	id model.RecordID
}

// ErrNotFit says that an index is of another state of the database.
var ErrNotFit = errors.New("it was made for another state of the database")

// Open opens the index of a database and proves by the sizes and change times of
// files that it fits. The error wraps fs.ErrNotExist if there is none, ErrNotFit if it
// does not fit, and is a *model.FormatError if it is damaged.
func Open(files cbhdb.Files) (*Index, error) {
	x, err := OpenUnproven(files)
	if err != nil {
		return nil, err
	}
	if err := x.fits(files); err != nil {
		x.Close()
		return nil, err
	}
	return x, nil
}

// OpenUnproven opens the index without asking whether it fits the database.
func OpenUnproven(files cbhdb.Files) (*Index, error) {
	if !files.Has(Ext) {
		return nil, fs.ErrNotExist
	}
	f, err := files.Open(Ext)
	if err != nil {
		return nil, err
	}
	h, err := parseHead(f)
	if err != nil {
		f.Close() // it was only read
		return nil, err
	}
	x := &Index{Head: h, file: f}
	if err := x.readChanges(); err != nil {
		f.Close() // it was only read
		return nil, err
	}
	return x, nil
}

// fits compares the states of files.
func (x *Index) fits(files cbhdb.Files) error {
	now, err := booster.StatesOf(files, booster.Bases())
	if err != nil {
		return err
	}
	for _, ext := range booster.Bases() {
		was, is := x.States.Of(ext), now.Of(ext)
		switch {
		case was.Size != is.Size:
			return fmt.Errorf("%w: %s has changed since", ErrNotFit, files.Name(ext))
		case was.Size >= 0 && !was.SameTime(*is):
			return fmt.Errorf("%w: %s has another time of change", ErrNotFit, files.Name(ext))
		}
	}
	return nil
}

// Close closes the file.
func (x *Index) Close() { x.file.Close() } // it was only read

// Name returns the name of the file.
func (x *Index) Name() string { return x.file.Name() }

// layer returns one of the layers.
func (x *Index) layer(n int) *layer { return &layer{x.layers[n], x.file, x.Records} }

// Reached returns the games of which the index says that their main line reaches a
// position, and those, besides, that may reach it where the index has no positions.
// Both ascend; no other game reaches it.
func (x *Index) Reached(p *board.Position) (listed, open []model.RecordID, err error) {
	if listed, err = x.find(positionLayer, positionKey(p)); err != nil {
		return nil, nil, err
	}
	want := lateKey(p)
	last := want | (1<<lateMen - 1) // no game of a larger key has as many men
	if bits.OnesCount64(p.Occupied()) <= x.Men {
		last = always
	}
	for e, err := range x.layer(lateLayer).from(always) {
		if err != nil {
			return nil, nil, err
		}
		if e.key > last {
			break
		}
		if canFollow(e.key, want) {
			open = append(open, e.ids...)
		}
	}
	open = x.unchanged(open)
	for id, own := range x.changed {
		if slices.ContainsFunc(own, func(p posting) bool { return p.layer == lateLayer && p.key <= last && canFollow(p.key, want) }) {
			open = append(open, id)
		}
	}
	slices.Sort(open)
	return listed, without(open, listed), nil
}

// without returns the ids of a list that are not in another one. Both ascend.
func without(list, other []model.RecordID) []model.RecordID {
	return slices.DeleteFunc(list, func(id model.RecordID) bool {
		_, there := slices.BinarySearch(other, id)
		return there
	})
}

// Related returns the games whose main line is a line, or begins with it, or begins it
// with so many plies at least, as their keys say: others too, and some twice. They come in
// any order.
func (x *Index) Related(start *model.Position, moves []model.Move, atLeast int) (ids []model.RecordID, err error) {
	p, err := board.New(start)
	if err != nil {
		return nil, err
	}
	x.sortChanged()
	for ply, hash := range derive.BeginningsOf(start, len(moves), func(i int) model.Move { return moves[i] }) {
		if ply < atLeast && ply < len(moves) {
			continue
		}
		list, err := x.find(gameLayer, hash>>16)
		if err != nil {
			return nil, err
		}
		ids = append(ids, list...)
	}
	for _, m := range moves[:min(len(moves), x.Plies)] {
		p.Make(m)
	}
	list, err := x.find(positionLayer, positionKey(&p))
	return append(ids, list...), err
}

// find returns the records that have a key in a layer, with what has changed.
func (x *Index) find(layer uint8, key uint64) ([]model.RecordID, error) {
	ids, err := x.layer(int(layer)).find(nil, key)
	if err != nil || len(x.changed) == 0 {
		return ids, err
	}
	ids = x.unchanged(ids)
	want := posting{layer, key}
	if x.sorted != nil {
		at, _ := slices.BinarySearchFunc(x.sorted, want, func(c changedPosting, want posting) int { return c.compare(want) })
		for ; at < len(x.sorted) && x.sorted[at].posting == want; at++ {
			ids = append(ids, x.sorted[at].id)
		}
	} else {
		for id, own := range x.changed {
			if slices.Contains(own, want) {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// sortChanged sorts what has changed by its keys.
func (x *Index) sortChanged() {
	if x.sorted != nil {
		return
	}
	x.sorted = []changedPosting{}
	for id, own := range x.changed {
		for _, p := range own {
			x.sorted = append(x.sorted, changedPosting{p, id})
		}
	}
	slices.SortFunc(x.sorted, func(a, b changedPosting) int { return a.compare(b.posting) })
}

// unchanged returns the records of which the layers know what they have.
func (x *Index) unchanged(ids []model.RecordID) []model.RecordID {
	return slices.DeleteFunc(ids, func(id model.RecordID) bool { _, is := x.changed[id]; return is })
}
