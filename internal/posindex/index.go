package posindex

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"iter"
	"maps"
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

// Ext is the ending of the file beside a .cbh; see [dbfile.IndexExt].
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

	segments   []segment      // the first one of all records that there were; then newer and newer ones
	deleted    int64          // size of the list of deleted records
	summaries  int64          // size of the summaries
	summarized model.RecordID // how many records there were when summaries were made; 0: they hold no more
	log        int64          // size of the changes, which come last
}

// segment is the layers of some records.
type segment [layerCount]layerHead

// mostSegments is how many there are at most.
const mostSegments = 8

const title = "cbkit positions\n"

const version = 3

// Where a header has what.
const (
	headSumAt        = len(title)
	headStatesAt     = headSumAt + 4 + 6*4
	stateSize        = 16
	layerSize        = 4 * 8
	headLogAt        = headStatesAt + 3*stateSize
	headKeptAt       = headLogAt + 8
	headSummarizedAt = headKeptAt + 8
	headDeletedAt    = headSummarizedAt + 8
	headLayersAt     = headDeletedAt + 8
)

// Block returns the header as it is stored, a block, with another number of records and
// other states of the files.
func (h Head) Block(records model.RecordID, states booster.SealStates) []byte {
	h.Records, h.States = records, states
	var dst []byte
	dst = append(dst, title...)
	dst = append(dst, 0, 0, 0, 0)
	structures := 0
	if h.Structures {
		structures = 1
	}
	for _, n := range []int{version, h.Plies, h.Men, int(h.Records), len(h.segments), structures} {
		dst = wire.AppendU32LE(dst, uint32(n))
	}
	for _, ext := range booster.Bases() {
		state := h.States.Of(ext)
		dst = wire.AppendU64LE(dst, uint64(state.Size))
		dst = wire.AppendU64LE(dst, uint64(state.Changed))
	}
	dst = wire.AppendU64LE(dst, uint64(h.log))
	dst = wire.AppendU64LE(dst, uint64(h.summaries))
	dst = wire.AppendU64LE(dst, uint64(h.summarized))
	dst = wire.AppendU64LE(dst, uint64(h.deleted))
	for _, s := range h.segments {
		for _, l := range s {
			for _, n := range []uint64{uint64(l.at), l.leaves, l.keys, l.postings} {
				dst = wire.AppendU64LE(dst, n)
			}
		}
	}
	dst = wire.AppendZeros(dst, blockSize-len(dst))
	binary.LittleEndian.PutUint32(dst[headSumAt:], crc32.Checksum(dst[headSumAt+4:], castagnoli))
	return dst
}

// mostDeleted is how many bytes the list of deleted records takes at most.
const mostDeleted = 2 * binary.MaxVarintLen32 << 23

// end returns where the segments end.
func (h *Head) end() int64 {
	end := int64(blockSize)
	for _, s := range h.segments {
		for _, l := range s {
			end += int64(l.blocks()) * blockSize
		}
	}
	return end
}

// parseHead reads what Block gives, of a file of some size.
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
	if number(0) != version {
		return h, f.Wrong(int64(headSumAt+4), -1, "version", model.ErrUnsupported, "version %d", number(0))
	}
	if number(1) > MostPlies || number(2) > mostMen || number(3) > 1<<24 || number(4) < 1 || number(4) > mostSegments || number(5) > 1 {
		return h, f.Wrong(int64(headSumAt+8), -1, "header", model.ErrCorrupt,
			"%d plies, %d men, %d records, %d segments", number(1), number(2), number(3), number(4))
	}
	h.Plies, h.Men, h.Records, h.Structures = int(number(1)), int(number(2)), model.RecordID(number(3)), number(5) == 1
	h.States = booster.NoStates()
	at := headStatesAt
	for _, ext := range booster.Bases() {
		*h.States.Of(ext) = booster.State{Size: int64(le.Uint64(b[at:])), Changed: int64(le.Uint64(b[at+8:]))}
		at += stateSize
	}
	h.segments = make([]segment, number(4))
	return h, h.parseSegments(f, b)
}

// parseSegments reads where the layers are, which fill the file one behind the other.
func (h *Head) parseSegments(f *dbfile.File, b []byte) error {
	at := headLayersAt
	end := int64(blockSize)
	for i := range h.segments {
		for k := range layerCount {
			n := func(k int) uint64 { return binary.LittleEndian.Uint64(b[at+8*k:]) }
			l := layerHead{int64(n(0)), n(1), n(2), n(3)}
			if l.at != end || l.leaves > uint64(f.Size())/blockSize || l.keys > l.postings || (l.leaves == 0) != (l.keys == 0) {
				return f.Wrong(int64(at), -1, "layer", model.ErrCorrupt, "layer %d of segment %d with %d blocks at %#x, where %#x is free", k, i, l.leaves, l.at, end)
			}
			end += int64(l.blocks()) * blockSize
			h.segments[i][k] = l
			at += layerSize
		}
	}
	h.log, h.summaries = int64(binary.LittleEndian.Uint64(b[headLogAt:])), int64(binary.LittleEndian.Uint64(b[headKeptAt:]))
	summarized := binary.LittleEndian.Uint64(b[headSummarizedAt:])
	h.summarized, h.deleted = model.RecordID(min(summarized, 1<<24)), int64(binary.LittleEndian.Uint64(b[headDeletedAt:]))
	if h.log < 0 || h.log > MostChanged || h.summaries < 0 || h.summaries > mostSummaries || h.deleted < 0 || h.deleted > mostDeleted ||
		end+h.deleted+h.summaries+h.log != f.Size() || summarized > uint64(h.Records) {
		return f.Wrong(end, -1, "layers", model.ErrTruncated, "the layers end here, the file at %#x; deleted records have %d bytes, summaries %d, changes %d",
			f.Size(), h.deleted, h.summaries, h.log)
	}
	return nil
}

// Index is an open index. It may be used from several goroutines.
type Index struct {
	Head
	file    *dbfile.File
	names   []idRanges                   // by segment: the records that it is of, but for the first one
	later   []idRanges                   // by segment: those of which something newer says what they have
	changed map[model.RecordID][]posting // what records have that the layers do not know
	marked  map[model.RecordID]bool      // whether records are marked as deleted that the list does not know
	was     map[model.RecordID][]byte    // what records were when summaries were made
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
	if err := x.fits(files); err != nil {
		x.Close()
		return nil, err
	}
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

// read reads of which records the segments are, and the changes.
func (x *Index) read() error {
	if err := x.readChanges(); err != nil {
		return err
	}
	x.names, x.later = make([]idRanges, len(x.segments)), make([]idRanges, len(x.segments))
	newer := rangesOf(slices.Sorted(maps.Keys(x.changed)))
	for i := len(x.segments) - 1; i >= 0; i-- {
		x.later[i] = newer
		l := x.layer(i, recordLayer)
		for e, err := range l.from(0) {
			if err != nil {
				return err
			}
			if e.key != 0 || i == 0 {
				return l.file.Wrong(l.at, -1, "records", model.ErrCorrupt, "segment %d has records under key %#x", i, e.key)
			}
			x.names[i] = x.names[i].with(e.ids)
		}
		newer = newer.union(x.names[i])
	}
	return nil
}

// fits compares the states of files.
func (x *Index) fits(files cbhdb.Files) error {
	files = FilesOf(files)
	now, err := booster.StatesOf(files, booster.Bases())
	if err != nil {
		return err
	}
	for _, ext := range booster.Bases() {
		if x.States.Of(ext).Size != now.Of(ext).Size {
			return fmt.Errorf("%w: %s has changed since", ErrNotFit, files.Name(ext))
		}
	}
	if ext := x.States.OtherTime(&now, booster.Bases()); ext != "" {
		return fmt.Errorf("%w: %s has another time of change", ErrNotFit, files.Name(ext))
	}
	x.States = now // with times as the file system keeps them: those that an edit leaves stay so
	return nil
}

// Close closes the file.
func (x *Index) Close() { x.file.Close() } // it was only read

// Name returns the name of the file.
func (x *Index) Name() string { return x.file.Name() }

// layer returns one of the layers of a segment.
func (x *Index) layer(segment, n int) *layer {
	return &layer{x.segments[segment][n], x.file, x.Records}
}

// Reached returns the games of which the index says that their main line reaches a
// position, and those, besides, that may reach it where the index has no positions.
// Both ascend; no other game reaches it.
func (x *Index) Reached(p *board.Position) (listed, open []model.RecordID, err error) {
	if listed, err = x.Listed(p); err != nil {
		return nil, nil, err
	}
	want := lateKey(p)
	last := want | (1<<lateMen - 1) // no game of a larger key has as many men
	if bits.OnesCount64(p.Occupied()) <= x.Men {
		last = always
	}
	for i := range x.segments {
		var own []model.RecordID
		for e, err := range x.layer(i, lateLayer).from(always) {
			if err != nil {
				return nil, nil, err
			}
			if e.key > last {
				break
			}
			if canFollow(e.key, want) {
				own = append(own, e.ids...)
			}
		}
		open = append(open, x.current(i, own)...)
	}
	for id, own := range x.changed {
		if slices.ContainsFunc(own, func(p posting) bool { return p.layer == lateLayer && p.key <= last && canFollow(p.key, want) }) {
			open = append(open, id)
		}
	}
	slices.Sort(open)
	return listed, without(open, listed), nil
}

// Listed returns the games that Reached lists, without a look at all others.
func (x *Index) Listed(p *board.Position) ([]model.RecordID, error) {
	return x.find(positionLayer, positionKey(p))
}

// without returns the ids of a list that are not in another one. Both ascend.
func without(list, other []model.RecordID) []model.RecordID {
	return slices.DeleteFunc(list, func(id model.RecordID) bool {
		_, there := slices.BinarySearch(other, id)
		return there
	})
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
		keys, err := x.keysOf(lines, atLeast)
		if err != nil {
			yield(nil, err)
			return
		}
		x.lookUp(&keys)(yield)
	}
}

// lookUp yields the records under keys of layers, which ascend and are all different, with
// what has changed. A record may come several times.
func (x *Index) lookUp(keys *[layerCount][]uint64) iter.Seq2[[]model.RecordID, error] {
	return func(yield func([]model.RecordID, error) bool) {
		for i := range x.segments {
			for n, list := range keys {
				c := newCursor(x.layer(i, n))
				for _, key := range list {
					ids, err := c.find(key)
					if ids = x.current(i, ids); (err != nil || len(ids) > 0) && !yield(ids, err) || err != nil {
						return
					}
				}
			}
		}
		for id, own := range x.changed {
			isOne := func(p posting) bool { _, is := slices.BinarySearch(keys[p.layer], p.key); return is }
			if slices.ContainsFunc(own, isOne) && !yield([]model.RecordID{id}, nil) {
				return
			}
		}
	}
}

// keysOf returns the keys, by layers, of games related to some lines.
func (x *Index) keysOf(lines []Line, atLeast int) (keys [layerCount][]uint64, err error) {
	for _, line := range lines {
		p, err := board.New(line.Start)
		if err != nil {
			return keys, err
		}
		n := len(line.Moves)
		for ply, hash := range derive.BeginningsOf(line.Start, n, func(i int) model.Move { return line.Moves[i] }) {
			if ply >= atLeast || ply == n {
				keys[gameLayer] = append(keys[gameLayer], hash>>16)
			}
		}
		for _, m := range line.Moves[:min(n, x.Plies)] {
			p.Make(m)
		}
		keys[positionLayer] = append(keys[positionLayer], positionKey(&p))
	}
	for n := range keys {
		slices.Sort(keys[n])
		keys[n] = slices.Compact(keys[n])
	}
	return keys, nil
}

// find returns the records that have a key in a layer, with what has changed.
func (x *Index) find(layer uint8, key uint64) ([]model.RecordID, error) {
	var ids []model.RecordID
	for i := range x.segments {
		own, err := x.layer(i, int(layer)).find(nil, key)
		if err != nil {
			return nil, err
		}
		ids = append(ids, x.current(i, own)...)
	}
	for id, own := range x.changed {
		if slices.Contains(own, posting{layer, key}) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// current returns the records of a list of which nothing newer than a segment says what
// they have.
func (x *Index) current(segment int, ids []model.RecordID) []model.RecordID {
	if len(x.later[segment]) == 0 {
		return ids
	}
	return slices.DeleteFunc(ids, x.later[segment].has)
}
