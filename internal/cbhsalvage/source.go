package cbhsalvage

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/model"
)

// Source is what can still be read of a database. It is a [model.Source] that
// can be read once.
type Source struct {
	files  cbhdb.Files
	page   cbh.CodePage
	report func(Fate)

	headers     *stream // .cbh; nil if it is missing
	extensions  *stream // .cbj; nil if it is missing or cannot be used
	extSize     int64
	extCount    model.RecordID
	extSaid     int64   // how many records its header announces
	moves       *stream // .cbg
	annotations *stream // .cba
	media       *cbh.MediaFile
	tables      model.Entities
	doubtful    map[entity]bool // their records are perhaps others'
	outOfStep   []string        // what is not certain of the records of files
	unread      []string        // endings

	count     model.RecordID // ids that there are or were
	inHeaders model.RecordID // records that the .cbh file has
	inHead    model.RecordID // that its header announces
	shuffled  bool           // not all headers stand beside their own records of the .cbj file
	byPlace   map[uint32]int // these, by where their moves begin; made where they are asked for
	at        []int64        // where moves begin, by id; 0: not known
	reliable  []bool
	row       []model.RecordID // those that are
	claims    map[int64]int    // how many ids that are not reliable give a place

	orphans map[model.RecordID]int64 // annotations by the game they name; nil before they are needed
	owners  map[int64]model.RecordID // games by the annotations they point to; made with orphans
	found   []block                  // records that fit no id
	known   bool                     // their numbers, so far, are those behind the last id

	// begin is where the next record of the .cbg file can begin: behind the one that
	// was decoded last or, if that is broken, inside of it.
	begin int64
	fate  Fate // of the record that was yielded last
	work  workspace
	// decoded is how many bytes were taken to be decoded so far.
	decoded int64
	// unsearched is how many bytes were not looked at for that reason.
	unsearched int64
}

// stream is a file that is read from the beginning to the end, mostly.
type stream struct {
	*dbfile.File
	window *dbfile.Window
}

// New opens a database of which at least one file is there. Report is called with the
// fate of every record that is lost; that of others is [Source.Fate]. Errors are
// those of the machine.
func New(ctx context.Context, files cbhdb.Files, page cbh.CodePage, report func(Fate)) (*Source, error) {
	s := &Source{files: files, page: page, report: report, known: true, claims: map[int64]int{}, doubtful: map[entity]bool{}}
	for _, f := range []struct {
		ext string
		to  **stream
	}{{".cbh", &s.headers}, {".cbj", &s.extensions}, {".cbg", &s.moves}, {".cba", &s.annotations}} {
		var err error
		if *f.to, err = s.open(f.ext); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	placeRecords := func() error { return s.placeRecords(ctx) }
	for _, step := range []func() error{s.openExtensions, s.countRecords, s.readEntities, s.readMedia, placeRecords} {
		if err := step(); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// open opens a file, nil if it is missing.
func (s *Source) open(ext string) (*stream, error) {
	if !s.files.Has(ext) {
		return nil, nil
	}
	f, err := s.files.Open(ext)
	if dbfile.IsDamage(err) || errors.Is(err, fs.ErrNotExist) {
		return nil, nil // a folder or a device in its place
	}
	if err != nil {
		return nil, err
	}
	return &stream{f, dbfile.NewWindow(f, dbfile.FarAhead)}, nil
}

// Close closes the files.
func (s *Source) Close() error {
	var errs []error
	for _, f := range []*stream{s.headers, s.extensions, s.moves, s.annotations} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}

// Entities implements [model.Source].
func (s *Source) Entities() *model.Entities { return &s.tables }

// Count implements [model.Source].
func (s *Source) Count() int { return -1 }

// Unread lists the endings of files that are there and of which nothing can be
// read, and which no [Fate] mentions.
func (s *Source) Unread() []string { return s.unread }

// Unsearched is how many bytes of the .cbg file were not searched for records,
// because that would have taken out of proportion long. It is known when all
// records have been read.
func (s *Source) Unsearched() int64 { return s.unsearched }

// IDs is the number of ids that the database had, as far as is known.
func (s *Source) IDs() int { return int(s.count) }

// Leftover implements [model.Source]: settings and marks, which go along.
func (s *Source) Leftover() *model.Leftover {
	l := cbh.DatabaseLeftover{Records: int32(s.count)}
	for _, f := range []struct {
		ext string
		to  *[]byte
	}{{".flags", &l.Examined}, {".ini", &l.Settings}} {
		b, err := s.content(f.ext)
		if err != nil || b == nil {
			continue
		}
		if _, err := cbh.DecodeExamined(b); err == nil || f.ext == ".ini" {
			*f.to = b
		} else {
			l.Others = append(l.Others, f.ext)
		}
	}
	return &model.Leftover{Format: cbh.Format, Data: l.Append(nil)}
}

// content reads a small file as a whole, nothing if it is missing.
func (s *Source) content(ext string) ([]byte, error) {
	f, err := s.open(ext)
	if f == nil || err != nil {
		return nil, err
	}
	defer f.Close() // it was only read
	return f.All()
}

// Fate returns what became of the record that was yielded last.
func (s *Source) Fate() Fate { return s.fate }

// openExtensions finds out how long the records of the .cbj file are: as its header
// says, or, if that is damaged, as fits as many records as the .cbh file has.
func (s *Source) openExtensions() error {
	if s.extensions == nil {
		return nil
	}
	b, err := s.extensions.Start(cbh.ExtHeaderSize)
	if err != nil {
		return err
	}
	bytes := s.extensions.Size() - cbh.ExtHeaderSize
	h, err := cbh.DecodeExtHeader(b)
	sizes := slices.Sorted(maps.Values(cbh.ExtSizes))
	for _, size32 := range slices.Backward(sizes) { // of the newest version first
		size := int64(size32)
		fits := s.headers != nil && bytes/size == s.headers.Size()/cbh.RecordSize-1 && bytes%size == 0
		if err == nil && int64(h.RecordSize) == size || err != nil && fits {
			if err == nil {
				s.extSaid = int64(h.Records)
			}
			s.extSize, s.extCount = size, model.RecordID(min(bytes/size, cbh.MaxRecords))
			return nil
		}
	}
	err = s.extensions.Close()
	s.extensions = nil
	return err
}

// countRecords finds out how many ids there were: as many as one of the files has
// records, or as the header of the .cbh file says twice; and whether the records of
// both files are in step.
func (s *Source) countRecords() error {
	s.count = s.extCount
	if s.headers == nil || s.headers.Size() < cbh.RecordSize {
		return nil
	}
	s.inHeaders = model.RecordID(min(s.headers.Size()/cbh.RecordSize-1, cbh.MaxRecords))
	b, err := s.headers.Start(cbh.RecordSize)
	if err != nil {
		return err
	}
	const nextAt, againAt = 6, 40
	next, again := int64(binary.BigEndian.Uint32(b[nextAt:])), int64(binary.BigEndian.Uint32(b[againAt:]))
	headers, extensions := cbhdb.RowFile{Count: int(s.inHeaders), At: s.headAt}, cbhdb.RowFile{Count: int(s.extCount), At: s.extAt}
	if s.shuffled, err = cbhdb.OutOfStep(headers, extensions); err != nil {
		return err
	}
	if s.shuffled {
		s.outOfStep = append(s.outOfStep, "headers of the .cbh file do not stand beside their own records of the .cbj file")
	}
	s.count = max(s.extCount, s.inHeaders)
	s.inHead = model.RecordID(min(max(next-1, 0), cbh.MaxRecords))
	if next == again && next > 0 && s.moves != nil && next-1 <= min(cbh.MaxRecords, int64(s.count)+s.moves.Size()/leastMoves) {
		s.count = max(s.count, model.RecordID(next-1))
	}
	return nil
}

// OutOfStep says of which files it is not certain that their records stand at their
// numbers.
func (s *Source) OutOfStep() []string { return s.outOfStep }

// header returns the headers of an id as far as they are there.
func (s *Source) header(id model.RecordID) (h cbhdb.Header, err error) {
	h.ID = id
	if h.Head, err = s.headAt(int(id)); err != nil {
		return h, err
	}
	if h.Ext, err = s.extAt(int(id)); !s.shuffled || err != nil || cbhdb.HeadersAgree(h.Head, h.Ext) == cbhdb.Agrees {
		return h, err
	}
	// It is another's. One record may have the same places.
	if s.byPlace == nil {
		if err := s.findPlaces(); err != nil {
			return h, err
		}
	}
	if h.Ext = nil; h.Head != nil {
		h.Ext, err = s.extAt(s.byPlace[uint32(cbh.MovesPlace.Low.Uint(h.Head))])
	}
	return h, err
}

// findPlaces lists the records of the .cbj file by where their moves begin; of those with
// the same place none.
func (s *Source) findPlaces() error {
	s.byPlace = map[uint32]int{}
	for slot := range int(s.extCount) {
		ext, err := s.extAt(slot + 1)
		if err != nil {
			return err
		}
		at := uint32(cbh.MovesPlace.Full.Uint(ext))
		if _, twice := s.byPlace[at]; twice || at == 0 {
			s.byPlace[at] = 0
		} else {
			s.byPlace[at] = slot + 1
		}
	}
	return nil
}

// headAt returns the record at a place of the .cbh file, nil if there is none.
func (s *Source) headAt(slot int) ([]byte, error) {
	if slot < 1 || slot > int(s.inHeaders) {
		return nil, nil
	}
	return s.headers.row(int64(slot)*cbh.RecordSize, cbh.RecordSize)
}

// extAt is headAt for the .cbj file.
func (s *Source) extAt(slot int) ([]byte, error) {
	if s.extensions == nil || slot < 1 || slot > int(s.extCount) {
		return nil, nil
	}
	return s.extensions.row(cbh.ExtHeaderSize+int64(slot-1)*s.extSize, s.extSize)
}

// row returns a record at an offset, nil if it is all zeros.
func (f *stream) row(at, size int64) ([]byte, error) {
	b, err := f.window.At(at, size)
	if len(bytes.TrimLeft(b, "\x00")) == 0 {
		b = nil
	}
	return b, err
}

// Records implements [model.Source]: what is left of each id, and then what was
// found besides. There is no second time, and from and want are not looked at.
func (s *Source) Records(ctx context.Context, _ model.RecordID, _ model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		if err := s.all(ctx, yield); err != nil && !errors.Is(err, errStopped) {
			yield(model.Record{}, err)
		}
	}
}

// errStopped says that the reader wants no more.
var errStopped = errors.New("stopped")

// all yields all records. The ids between two reliable ones are looked at
// together.
func (s *Source) all(ctx context.Context, yield func(model.Record, error) bool) error {
	begin := beginOf(s.moves)
	var pending []model.RecordID
	for id := model.RecordID(1); id <= s.count; id++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !s.reliable[id] {
			pending = append(pending, id)
			continue
		}
		if err := s.segment(ctx, pending, begin, s.at[id], yield); err != nil {
			return err
		}
		pending = pending[:0]
		b, err := s.blockAt(s.at[id])
		if err != nil {
			return err
		}
		limit := s.end() // or where the next reliable record begins
		for next := id + 1; next <= s.count; next++ {
			if s.reliable[next] {
				limit = s.at[next]
				break
			}
		}
		if err := s.record(id, b, limit, yield); err != nil {
			return err
		}
		begin = s.begin
	}
	if err := s.segment(ctx, pending, begin, s.end(), yield); err != nil {
		return err
	}
	for i, b := range s.found {
		if err := s.foundRecord(s.count+model.RecordID(i)+1, b, yield); err != nil {
			return err
		}
	}
	return nil
}

// State says what became of a record.
type State string

// What can become of a record.
const (
	// Kept: all of it came out.
	Kept State = "kept"
	// Cut: a part of it came out.
	Cut State = "cut"
	// Lost: nothing of it came out.
	Lost State = "lost"
	// Found: it came out, and belongs to no id.
	Found State = "found"
)

// Moves says how much of the moves of a game came out.
type Moves string

// How much it can be.
const (
	AllMoves  Moves = ""     // as far as it is known
	SomeMoves Moves = "some" // those before the place where they break off
	NoMoves   Moves = "none"
)

// Fate is what became of one record.
type Fate struct {
	// ID is its number in the damaged database; of one that was found, a number
	// behind all others.
	ID model.RecordID
	// New is its number in the new database, 0 if it has none.
	New   model.RecordID
	State State
	Moves Moves
	// Why says what is missing and the reason, nothing of a record that was kept
	// as it is.
	Why []string
}

// miss notes that something is missing.
func (f *Fate) miss(format string, args ...any) {
	if f.State == Kept {
		f.State = Cut
	}
	f.note(format, args...)
}

// note notes something that costs nothing.
func (f *Fate) note(format string, args ...any) { f.Why = append(f.Why, fmt.Sprintf(format, args...)) }
