package cbhedit

import (
	"fmt"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/wire"
	"cbkit/model"
)

// growMarks gives the .flags file room for all records, in steps of its own.
func (d *DB) growMarks() error {
	if d.headers.Count == d.before {
		return nil
	}
	f, stored, err := d.open(".flags", cbh.ExaminedHeaderSize)
	if f == nil || err != nil {
		return err
	}
	want := cbh.NewExamined(int(d.headers.Count))
	head := want.Append(nil)[:cbh.ExaminedHeaderSize]
	old, err := cbh.DecodeExamined(stored)
	if err != nil {
		return passOver(err) // of no use, and harmless
	}
	if old.Words >= want.Words {
		return nil
	}
	if _, err := f.WriteAt(head, 0); err != nil {
		return err
	}
	return f.Truncate(max(f.Size(), int64(len(head)+len(want.Bits))))
}

// open opens a file, none if it is missing, and returns its first n bytes.
func (d *DB) open(ext string, n int64) (f *dbfile.File, start []byte, err error) {
	if !d.has(ext) {
		return nil, nil, nil
	}
	if f, err = (files{d}).Open(ext); err == nil {
		start, err = f.Start(n)
	}
	return f, start, err
}

// passOver returns nil if an error is about what an optional file holds.
func passOver(err error) error {
	if dbfile.IsDamage(err) {
		return nil
	}
	return err
}

// extras is the .cbtt file under change.
type extras struct {
	f       *dbfile.File // nil if there is none, or one that cannot be used
	head    cbh.TournamentExtraHeader
	records int32 // whole ones
	changed bool
}

// openExtras opens the .cbtt file.
func (d *DB) openExtras() (*extras, error) {
	if d.extras != nil {
		return d.extras, nil
	}
	x := &extras{}
	f, b, err := d.open(".cbtt", cbh.TournamentExtraHeaderSize)
	if err != nil {
		return nil, err
	}
	if f != nil {
		if x.head, err = cbh.DecodeTournamentExtraHeader(b); err == nil {
			x.f = f
			x.records = int32((f.Size() - cbh.TournamentExtraHeaderSize) / int64(x.head.RecordSize))
		} else if !dbfile.IsDamage(err) {
			return nil, err
		}
	}
	d.extras = x
	return x, nil
}

func (x *extras) offset(id int32) int64 {
	return cbh.TournamentExtraHeaderSize + int64(id)*int64(x.head.RecordSize)
}

// Extra returns the .cbtt record of a tournament, nothing if it has none.
func (d *DB) Extra(id int32) ([]byte, error) {
	x, err := d.openExtras()
	if err != nil || x.f == nil || id < 0 || id >= x.records {
		return nil, err
	}
	return x.f.Bytes(nil, x.offset(id), int64(x.head.RecordSize))
}

// PutExtra makes the .cbtt record of a tournament one that says what t says
// besides its own record; what cannot be held is returned. A record that is not
// there is made if it has something to say, and with it the file, and the records
// before it; so is one that is an old record with something else changed. A file of
// version 2 becomes one of version 3, which knows the last day.
func (d *DB) PutExtra(id int32, t model.Tournament, old []byte) (losses []model.Loss, err error) {
	x, err := d.openExtras()
	if err != nil {
		return nil, err
	}
	needed := cbh.HasTournamentExtra(t)
	if !needed && len(old) == 0 && (x.f == nil || id >= x.records) {
		return nil, nil
	}
	defer func() { err = d.fail(err) }()
	if x.f == nil {
		const ext = ".cbtt"
		if d.has(ext) {
			return nil, fmt.Errorf("%s: %w: it is damaged, and so cannot take what is to be said of a tournament", d.Name(ext), model.ErrCorrupt)
		}
		x.head = cbh.NewTournamentExtraHeader()
		if err := d.create(ext, x.head.Append(nil)); err != nil {
			return nil, err
		}
		if x.f, err = (files{d}).Open(ext); err != nil {
			return nil, err
		}
	}
	if needed && x.head.IsKnown() && x.head.RecordSize < cbh.TournamentExtraSize {
		if err := d.widenExtras(x); err != nil {
			return nil, err
		}
	}
	size := int(x.head.RecordSize)
	none, _ := cbh.AppendTournamentExtra(nil, model.Tournament{}, size) // nothing to lose
	for ; x.records < id; x.records++ {
		if _, err := x.f.WriteAt(none, x.offset(x.records)); err != nil {
			return nil, err
		}
	}
	if len(old) != size {
		old = append(slices.Clone(old[:min(len(old), size)]), none[min(len(old), size):]...)
	}
	record, losses := cbh.MergeTournamentExtra(nil, t, old)
	_, err = x.f.WriteAt(record, x.offset(id))
	x.records = max(x.records, id+1)
	x.head.Highest = max(x.head.Highest, id)
	x.changed = true
	return losses, err
}

// widenExtras makes a file of version 2 one of version 3.
func (d *DB) widenExtras(x *extras) error {
	f, err := d.file(".cbtt")
	if err != nil {
		return err
	}
	head := cbh.NewTournamentExtraHeader()
	head.Highest, head.Garbage = x.head.Highest, x.head.Garbage
	none, _ := cbh.AppendTournamentExtra(nil, model.Tournament{}, int(head.RecordSize)) // nothing to lose
	content := head.Append(nil)
	for id := range x.records {
		b, err := x.f.Bytes(nil, x.offset(id), int64(x.head.RecordSize))
		if err != nil {
			return err
		}
		content = append(append(content, b...), none[len(b):]...)
	}
	d.noteOnce("%s became one of version %d", f.Name(), head.Version)
	x.head = head
	return f.Fill(content)
}

// putExtras writes the header of the .cbtt file if it has changed.
func (d *DB) putExtras() error {
	if d.extras == nil || !d.extras.changed {
		return nil
	}
	return d.extras.f.PutAt(d.extras.head.Append(nil), 0)
}

// Media returns the list of media files at a place of the .cbm file, as
// [cbh.ExtRecord.Media] has it; where none is, none.
func (d *DB) Media(place int32, page cbh.CodePage) ([]string, error) {
	f, head, err := d.openMedia()
	if f == nil || err != nil {
		return nil, passOver(err)
	}
	size := int64(head.RecordSize)
	i, ok := cbh.MediaIndex(int64(place), int(size))
	at := cbh.MediaHeaderSize + int64(i)*size
	if !ok || at+size > f.Size() {
		return nil, nil
	}
	b, err := f.Bytes(nil, at, size)
	if err != nil {
		return nil, err
	}
	list, err := cbh.DecodeMediaRecord(b)
	if err == nil && list.Records > 1 {
		if b, err = f.Bytes(nil, at, min(int64(list.Records)*size, f.Size()-at)); err == nil {
			list, err = cbh.DecodeMediaRecord(b)
		}
	}
	names, _ := list.Names(page)
	return names, passOver(err)
}

// openMedia opens the .cbm file, which may be missing.
func (d *DB) openMedia() (*dbfile.File, cbh.MediaHeader, error) {
	f, b, err := d.open(".cbm", cbh.MediaHeaderSize)
	if f == nil || err != nil {
		return nil, cbh.MediaHeader{}, err
	}
	head, err := cbh.DecodeMediaHeader(b)
	return f, head, wire.Locate(err, f.Name(), 0, -1)
}

// AddMedia adds a list of media files and returns its place.
func (d *DB) AddMedia(names []string, page cbh.CodePage) (int32, error) {
	f, head, err := d.openMedia()
	if err != nil {
		return cbh.NoMedia, err
	}
	if f == nil {
		head = cbh.NewMediaHeader()
	}
	list, err := cbh.NewMediaRecord(names, int(head.RecordSize), page)
	if err != nil {
		return cbh.NoMedia, err
	}
	if f == nil {
		if err := d.create(".cbm", head.Append(nil)); err != nil {
			return cbh.NoMedia, d.fail(err)
		}
		if f, head, err = d.openMedia(); err != nil {
			return cbh.NoMedia, d.fail(err)
		}
	}
	whole := (f.Size() - cbh.MediaHeaderSize) / int64(head.RecordSize)
	at := cbh.MediaOffset(int(whole), int(head.RecordSize))
	if at > cbh.MaxMediaPlace {
		return cbh.NoMedia, fmt.Errorf("%s: %w", f.Name(), model.ErrTooLarge)
	}
	head.Records = int32(whole) + list.Records
	_, err = f.WriteAt(list.Append(nil), cbh.MediaHeaderSize+whole*int64(head.RecordSize))
	if err == nil {
		_, err = f.WriteAt(head.Append(nil), 0)
	}
	return int32(at), d.fail(err)
}

// openOffsets opens the .cbgi file, which has the places of all moves. One that
// does not cover all records is of no use and is left alone.
func (d *DB) openOffsets() (*dbfile.File, error) {
	f, b, err := d.open(".cbgi", cbh.OffsetSize)
	if f == nil || err != nil {
		return nil, err
	}
	count, err := cbh.DecodeOffset(b)
	if err != nil || int64(count) != int64(d.before) || cbh.OffsetsCover(count, int(d.before), f.Size()) != int(d.before) {
		return nil, passOver(err)
	}
	return f, nil
}

// putOffset writes where the moves of a record are into the .cbgi file. Texts
// have 0 there, or in files of some programs their place.
func (d *DB) putOffset(h *cbhdb.Header) error {
	f, at := d.offsets, cbh.OffsetSize*int64(h.ID)
	if f == nil {
		return nil
	}
	if h.Type().IsText() {
		b, err := f.Bytes(nil, at, cbh.OffsetSize)
		if err != nil {
			return err
		}
		if old, err := cbh.DecodeOffset(b); err != nil || old == 0 {
			return err
		}
	}
	return f.PutAt(cbh.AppendOffset(nil, uint32(h.MovesAt())), at)
}

// growOffsets adds the records that have come to the .cbgi file.
func (d *DB) growOffsets() error {
	f := d.offsets
	if f == nil || d.headers.Count == d.before {
		return nil
	}
	if size := cbh.OffsetsSize(int(d.headers.Count)); size > f.Size() {
		if err := f.Truncate(size); err != nil {
			return err
		}
	}
	for id := d.before + 1; id <= d.headers.Count; id++ {
		h, err := d.Header(id)
		if err == nil {
			err = d.putOffset(&h)
		}
		if err != nil {
			return err
		}
	}
	return f.PutAt(cbh.AppendOffset(nil, uint32(d.headers.Count)), 0)
}
