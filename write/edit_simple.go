package write

import (
	"context"
	"errors"
	"fmt"
	"io"

	"cbkit/internal/dcdb"
	"cbkit/internal/journal"
	"cbkit/internal/wire"
	"cbkit/model"
)

// SimpleEditor changes a Simple Chess Database in place, in layout v0 or v1, in
// transactions as [Editor] does.
//
// Names are added where a game needs them. Names that no game needs any more
// stay until [Compact] with Purge, and records of games that were replaced
// until Compact. What the format cannot hold is reported to EditOptions.Report.
type SimpleEditor struct {
	simpleDB
	gamesEditor
}

var (
	_ model.Sink    = (*SimpleEditor)(nil)
	_ model.Counter = (*SimpleEditor)(nil)
)

// EditSimple opens the Simple Chess Database at path, which names any of its
// files, for change. If a change was interrupted there, it is taken back first.
//
// Errors wrap model.ErrLocked if another process is writing the database, fs.ErrNotExist
// if there is none, and [model.ErrUnsupported] if it has the layout of a draft, which can
// only be read.
func EditSimple(ctx context.Context, path string, opt EditOptions) (*SimpleEditor, error) {
	set, _, err := openToEdit(ctx, path, ".dci", &opt)
	if err != nil {
		return nil, err
	}
	ed := new(SimpleEditor)
	ed.of = ed
	ed.opt.Chess960, ed.opt.Report = opt.Chess960, ed.init(set, &opt, ed.begin, ed.finish)
	ed.encoder.Lost = ed.lost
	if err = ed.open(); err == nil {
		err = ed.begin()
	}
	if err != nil {
		return nil, errors.Join(err, set.Close())
	}
	return ed, nil
}

// open finds the files and looks at their magic bytes.
func (ed *SimpleEditor) open() error {
	names, err := ed.set.Files()
	if err != nil {
		return err
	}
	for _, f := range ed.files() {
		name := names.Name(f.ext)
		if *f.file, err = ed.set.File(name); err != nil {
			return err
		}
		if !(*f.file).Exists() {
			if f.kind == dcdb.Events {
				continue
			}
			return fmt.Errorf("%s: the file is missing; the database cannot be changed without it", name)
		}
		head := make([]byte, dcdb.MagicSize)
		n, err := (*f.file).ReadAt(head, 0)
		if err == nil || errors.Is(err, io.EOF) {
			_, err = dcdb.CheckMagic(head[:n], f.kind)
		}
		if err != nil {
			return wire.Locate(err, name, 0, -1)
		}
	}
	return nil
}

// begin starts a transaction with what is in the files.
func (ed *SimpleEditor) begin() error {
	ed.transaction.begin()
	ed.own = model.Entities{}
	ed.copying = false
	ed.beginNames()
	head := make([]byte, dcdb.ProbeSize)
	n, err := ed.index.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if ed.layout, err = dcdb.Detect(head[:n], ed.index.Size(), ed.games.Size()); err != nil {
		return wire.Locate(err, ed.index.Name(), 0, -1)
	}
	if ed.layout != dcdb.V0 && ed.layout != dcdb.V1 {
		return fmt.Errorf("%s: %w: the layout %v is only read; convert the database to another name", ed.index.Name(), model.ErrUnsupported, ed.layout)
	}
	entries := (ed.index.Size() - int64(ed.layout.HeaderSize())) / int64(ed.layout.EntrySize())
	if entries > maxSimple {
		return fmt.Errorf("%s: %w: %d entries", ed.index.Name(), model.ErrTooLarge, entries)
	}
	ed.count = model.RecordID(entries)
	return nil
}

// maxSimple is how many records can be numbered.
const maxSimple = 1<<31 - 1

// Begin implements [model.Sink]: the games that come refer to the entities of src.
// It may be called more than once in a transaction.
func (ed *SimpleEditor) Begin(src model.Source) error {
	if err := ed.beginSource(src); err != nil {
		return err
	}
	if err := ed.tailIsWhole(); err != nil {
		return err
	}
	ed.from(src.Entities())
	return ed.lifecycle.Begun(ed.prepare())
}

// tailIsWhole returns an error if the last game is cut: what came behind it would
// become its end.
func (ed *SimpleEditor) tailIsWhole() error {
	if ed.count == 0 {
		return nil
	}
	e, err := ed.entryOf(ed.count)
	if err == nil {
		_, _, err = ed.extentOf(ed.count, &e)
	}
	if errors.Is(err, model.ErrTruncated) {
		return fmt.Errorf("%w; write the database anew with convert --keep-going before it grows", err)
	}
	return nil
}

// prepare makes ready for games that come: their names and promotions are written
// as those that are there.
func (ed *simpleDB) prepare() error {
	if err := ed.sniff(); err != nil {
		return err
	}
	for _, names := range ed.nameFiles() {
		if err := names.load(); err != nil {
			return err
		}
	}
	return nil
}

// Put implements [model.Sink]: it adds a game at the end.
func (ed *SimpleEditor) Put(rec model.Record) error {
	if err := ed.take(&rec); err != nil {
		return err
	}
	if !ed.takes(rec) {
		return nil
	}
	ed.copying = false
	err := ed.add(rec)
	if err == nil {
		ed.result.Appended++
	}
	return err
}

// withoutEvent takes the event from the entry where the database has no file of
// events, and reports that: a new one would give events to games that have none now.
func (ed *simpleDB) withoutEvent() bool {
	if ed.names.events.file.Exists() {
		return false
	}
	if name, _ := ed.events.at(ed.entry.Event); name != "" {
		ed.lost(model.LostField, "event", "%q: the database has no file of events (.dce)", name)
	}
	ed.entry.Event = 0
	return true
}

// putBody appends a game's record and notes its place in the entry.
func (ed *simpleDB) putBody(body []byte) error {
	ed.head = append(dcdb.AppendLength(ed.head[:0], uint32(len(body))), body...)
	at, err := ed.games.Append(ed.head)
	ed.entry.Offset = uint64(at)
	return err
}

// Replace replaces a game by another one. The deletion mark stays. The entities
// of rec are ids in from.
func (ed *SimpleEditor) Replace(id model.RecordID, rec model.Record, from *model.Entities) error {
	old, err := ed.entryOf(id)
	if err == nil {
		err = replaces(id, &rec, "a Simple Chess Database")
	}
	if err != nil {
		return err
	}
	if err := ed.tailIsWhole(); err != nil {
		return err
	}
	rec.ID, rec.Deleted = id, old.Status == dcdb.StatusDeleted
	if err := ed.prepare(); err != nil {
		return err
	}
	ed.from(ed.tablesOf(from))
	ed.copying = false
	if !ed.takes(rec) {
		return fmt.Errorf("record %d: %w: the format has no such game", id, model.ErrUnsupported)
	}
	body, err := ed.encode(rec)
	if err != nil {
		return err
	}
	ed.withoutEvent()
	if was, err := ed.bodyOf(id, &old); err == nil && string(was) == string(body) {
		ed.entry.Offset = old.Offset // the record stays where it is
	} else if err := ed.putBody(body); err != nil {
		return err
	}
	if err := ed.putEntry(id); err != nil {
		return err
	}
	ed.result.Replaced++
	return nil
}

// simpleNames is a file of names that grows.
type simpleNames struct {
	file  *journal.File
	table *nameTable
	size  int // of the records in the file
	known bool
}

// load reads the names, unless they are known.
func (n *simpleNames) load() error {
	if n.known {
		return nil
	}
	n.known, n.size = true, 0
	n.table.places = map[dcdb.Name]uint32{}
	if !n.file.Exists() {
		return nil
	}
	records := make([]byte, n.file.Size()-dcdb.MagicSize)
	if _, err := n.file.ReadAt(records, dcdb.MagicSize); err != nil {
		return err
	}
	n.size = len(records)
	for len(records)%dcdb.NameSize != 0 { // readers take a short last name with blanks behind it
		records = append(records, ' ')
	}
	n.table.fill(records)
	return nil
}

// finish writes the names that came.
func (n *simpleNames) finish() (added int, err error) {
	if !n.known || len(n.table.records) == n.size || !n.file.Exists() {
		return 0, nil
	}
	added = len(n.table.records)/dcdb.NameSize - (n.size+dcdb.NameSize-1)/dcdb.NameSize
	if added == 0 {
		return 0, nil
	}
	_, err = n.file.WriteAt(n.table.records[n.size:], dcdb.MagicSize+int64(n.size))
	return added, err
}

// entryPlace is where an index entry begins.
func (ed *simpleDB) entryPlace(id model.RecordID) int64 {
	return int64(ed.layout.HeaderSize()) + int64(id-1)*int64(ed.layout.EntrySize())
}

// putEntry writes the index entry.
func (ed *simpleDB) putEntry(id model.RecordID) error {
	ed.head = ed.layout.AppendEntry(ed.head[:0], &ed.entry)
	_, err := ed.index.WriteAt(ed.head, ed.entryPlace(id))
	return err
}

// entryOf reads an index entry.
func (ed *simpleDB) entryOf(id model.RecordID) (dcdb.Entry, error) {
	if id < 1 || id > ed.count {
		return dcdb.Entry{}, fmt.Errorf("%s: record %d: %w; there are %d", ed.index.Name(), id, model.ErrNoRecord, ed.count)
	}
	raw := make([]byte, ed.layout.EntrySize())
	if _, err := ed.index.ReadAt(raw, ed.entryPlace(id)); err != nil {
		return dcdb.Entry{}, err
	}
	return ed.layout.DecodeEntry(raw), nil
}

// extentOf returns where the record of a game lies, without its length.
func (ed *simpleDB) extentOf(id model.RecordID, e *dcdb.Entry) (at, size int64, err error) {
	wrong := func(kind error, format string, args ...any) error {
		return &model.FormatError{File: ed.games.Name(), Offset: int64(e.Offset), Record: int64(id), Field: "game",
			Err: fmt.Errorf("%w: "+format, append([]any{kind}, args...)...)}
	}
	end := ed.games.Size()
	if e.Offset < dcdb.MagicSize || e.Offset >= uint64(end) {
		return 0, 0, wrong(model.ErrCorrupt, "its place is not inside the file, which has %d bytes", end)
	}
	at = int64(e.Offset)
	head := make([]byte, min(dcdb.MaxLengthSize, end-at))
	if _, err := ed.games.ReadAt(head, at); err != nil {
		return 0, 0, err
	}
	n, digits := dcdb.DecodeLength(head)
	if digits == 0 {
		return 0, 0, wrong(model.ErrCorrupt, "%02x begins no length", head[0])
	}
	if at += int64(digits); int64(n) > end-at {
		return 0, 0, wrong(model.ErrTruncated, "%d bytes are announced, the file has %d", n, end-at)
	}
	return at, int64(n), nil
}

// bodyOf reads the record of a game, without its length.
func (ed *simpleDB) bodyOf(id model.RecordID, e *dcdb.Entry) ([]byte, error) {
	at, size, err := ed.extentOf(id, e)
	if err != nil || size == 0 {
		return nil, err
	}
	body := make([]byte, size)
	_, err = ed.games.ReadAt(body, at)
	return body, err
}

// sniff finds out how the database numbers promotions, as readers do: the first
// games say, else the layout.
func (ed *simpleDB) sniff() error {
	if ed.sniffed {
		return nil
	}
	ed.sniffed = true
	ed.encoder.Promotions = ed.layout.Promotions()
	for id := model.RecordID(1); id <= min(ed.count, dcdb.PromotionSample); id++ {
		e, err := ed.entryOf(id)
		if err != nil {
			return err
		}
		body, err := ed.bodyOf(id, &e)
		if err != nil {
			if errors.As(err, new(*model.FormatError)) {
				continue // damaged ones are passed over
			}
			return err
		}
		switch dcdb.SeenPromotions(body) {
		case dcdb.FromTwo:
			ed.encoder.Promotions = dcdb.FromTwo
			return nil
		case dcdb.FromOne:
			ed.encoder.Promotions = dcdb.FromOne
		}
	}
	return nil
}
