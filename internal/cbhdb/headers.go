package cbhdb

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/derive"
	"cbkit/internal/wire"
	"cbkit/model"
)

// Header is the stored header of a game or guiding text.
type Header struct {
	ID model.RecordID
	// Head is the record of the .cbh file, Ext that of the .cbj file, nil if
	// there is none.
	Head, Ext []byte
}

// Type returns the type of the record.
func (h *Header) Type() cbh.RecordType { return cbh.RecordType(h.Head[0]) }

// Record returns the record that has a field.
func (h *Header) Record(f *cbh.Field) []byte {
	if f.File == cbh.ExtMoves.File {
		return h.Ext
	}
	return h.Head
}

// NotInUse returns an error about a record of a .cbh file that is not marked as
// one, nil about others.
func NotInUse(file string, id model.RecordID, t cbh.RecordType) error {
	if t&cbh.TypeInUse != 0 {
		return nil
	}
	return &model.FormatError{File: file, Offset: int64(id) * cbh.RecordSize, Record: int64(id), Field: "type",
		Err: fmt.Errorf("%w: %02x: the record is not marked as in use", model.ErrCorrupt, uint8(t))}
}

// MovesAt is where the moves, or the content of a text, begin in the .cbg file.
func (h *Header) MovesAt() int64 { return cbh.MovesPlace.Of(h.Head, h.Ext) }

// AnnotationsAt is where the annotations begin in the .cba file, 0 if there are none.
func (h *Header) AnnotationsAt() int64 {
	if h.Type().IsText() {
		return 0
	}
	return cbh.AnnotationsPlace.Of(h.Head, h.Ext)
}

// SetMovesAt is the inverse of MovesAt: it changes the bytes of the header. A 64-bit
// place that is 0, as some programs have it, stays 0 as long as 32 bits hold the place.
// The error wraps model.ErrTooLarge if none of the fields there are does.
// (docs/formats/cbh.md, Where records lie)
func (h *Header) SetMovesAt(at int64) error {
	cbh.GameMoves.Put(h.Head, uint64(at))
	switch {
	case !cbh.ExtMoves.In(h.Ext):
		return inLowBits(at)
	case at > math.MaxUint32 || cbh.ExtMoves.Uint(h.Ext) != 0:
		cbh.ExtMoves.Put(h.Ext, uint64(at))
	}
	return nil
}

// SetAnnotationsAt is the inverse of AnnotationsAt; that of a text does nothing. A checksum that was
// right stays right, a wrong one stays what it is.
func (h *Header) SetAnnotationsAt(at int64) error {
	if h.Type().IsText() {
		return nil
	}
	cbh.GameAnnotations.Put(h.Head, uint64(at))
	switch {
	case !cbh.ExtAnnotations.In(h.Ext):
		return inLowBits(at)
	case cbh.ExtAnnotations.Uint(h.Ext) == uint64(at):
		return nil
	}
	right := cbh.HasRightSum(h.Ext)
	cbh.ExtAnnotations.Put(h.Ext, uint64(at))
	if right {
		cbh.PutSum(h.Ext)
	}
	return nil
}

// inLowBits refuses a place that only 64 bits hold.
func inLowBits(at int64) error {
	if at > math.MaxUint32 {
		return fmt.Errorf("%w: the .cbj file of this database has no room for places beyond 4 GiB", model.ErrTooLarge)
	}
	return nil
}

// Headers is all that is stored about the headers of records: the .cbh file and
// the .cbj file, if there is one that can be used.
type Headers struct {
	*HeaderFile
	// Extensions is nil if there is none.
	Extensions *ExtensionFile
	// Warnings say which headers count other records than there are, whose files
	// are read to their ends, and that a .cbj file is of a kind that is not known
	// and counts as missing. Damage says that the .cbh file is cut, or the .cbj
	// file so damaged that it counts as missing.
	Warnings, Damage []error
}

// Headers returns the files with the headers of records.
func (db *DB) Headers() (*Headers, error) {
	headers, err := db.HeaderFile()
	if err != nil {
		return nil, err
	}
	h := &Headers{HeaderFile: headers}
	if cut := headers.Cut(); cut != nil {
		h.Damage = append(h.Damage, cut)
	} else if headers.Miscount != nil {
		h.Warnings = append(h.Warnings, headers.Miscount)
	}
	if h.Extensions, err = db.ExtensionFile(); err != nil {
		warning, failure := dbfile.PassOver(err)
		switch {
		case failure != nil:
			return nil, failure
		case errors.Is(warning, model.ErrUnsupported):
			h.Warnings = append(h.Warnings, warning)
		default:
			h.Damage = append(h.Damage, warning)
		}
		return h, nil
	}
	if h.Extensions != nil && h.Extensions.Miscount != nil {
		h.Warnings = append(h.Warnings, h.Extensions.Miscount)
	}
	return h, nil
}

// HasTitles reports whether the records of the .cbj file are long enough to hold
// a game title.
func (h *Headers) HasTitles() bool {
	return h.Extensions != nil && h.Extensions.Head.RecordSize >= cbh.ExtRecordSize
}

// Reader returns a reader that reads at least so many bytes at once.
func (h *Headers) Reader(ahead int) *HeaderReader { return h.HeaderFile.Headers(h.Extensions, ahead) }

// HeaderReader reads stored headers, ahead of their use where they are read in
// order. It is for one goroutine, and does not see what is written meanwhile.
type HeaderReader struct {
	headers    *HeaderFile
	extensions *ExtensionFile
	window     [2]*dbfile.Window
}

// Headers returns a reader of headers that reads at least so many bytes at
// once. Extensions is nil to do without the .cbj file.
func (h *HeaderFile) Headers(extensions *ExtensionFile, ahead int) *HeaderReader {
	r := &HeaderReader{headers: h, extensions: extensions}
	r.window[0] = dbfile.NewWindow(h.File, ahead)
	if extensions != nil {
		r.window[1] = dbfile.NewWindow(extensions.File, ahead)
	}
	return r
}

// Count returns the number of records.
func (r *HeaderReader) Count() model.RecordID { return r.headers.Count }

// From yields the headers of all records from one on. Each is valid until the next one.
func (r *HeaderReader) From(ctx context.Context, id model.RecordID) iter.Seq2[Header, error] {
	return func(yield func(Header, error) bool) {
		for id = max(id, 1); id <= r.headers.Count; id++ {
			h, err := r.At(id)
			if err == nil && id%contextStep == 0 {
				err = ctx.Err()
			}
			if !yield(h, err) || err != nil {
				return
			}
		}
	}
}

// At returns the header of a record, 1 to Count. It is valid until the next
// call.
func (r *HeaderReader) At(id model.RecordID) (Header, error) {
	head, err := r.window[0].At(r.headers.Offset(id), cbh.RecordSize)
	if err != nil || !r.extensions.Has(id) {
		return Header{ID: id, Head: head}, err
	}
	ext, err := r.window[1].At(r.extensions.Offset(id), int64(r.extensions.Head.RecordSize))
	return Header{id, head, ext}, err
}

// View returns the .cbh record to look at.
func (h *Header) View() cbh.HeaderView { return cbh.HeaderView{Head: (*[cbh.RecordSize]byte)(h.Head)} }

// Reference is an entity that a record refers to.
type Reference struct {
	Kind int // in cbh.EntityFiles
	ID   int32
}

// The kinds of entities in the order of cbh.EntityFiles.
const (
	Players = iota
	Tournaments
	Annotators
	Sources
	Teams
	Titles
)

// KindOf returns the place of a kind in cbh.EntityFiles.
func KindOf(file *cbh.EntityFile) int { return slices.Index(cbh.EntityFiles, file) }

// AppendReferences appends the entities that the record refers to; one on both sides
// comes twice.
func (h *Header) AppendReferences(dst []Reference) []Reference {
	r := h.References()
	for _, ref := range [...]Reference{
		{Players, r.White}, {Players, r.Black}, {Tournaments, r.Tournament}, {Annotators, r.Annotator},
		{Sources, r.Source}, {Teams, r.WhiteTeam}, {Teams, r.BlackTeam}, {Titles, r.Title},
	} {
		if ref.ID >= 0 {
			dst = append(dst, ref)
		}
	}
	return dst
}

// References returns the entities that the record refers to, by what they are to it.
func (h *Header) References() derive.References {
	v := h.View()
	r := derive.References{
		Text: v.Type().IsText(), White: int32(v.White()), Black: int32(v.Black()), Tournament: int32(v.Tournament()),
		Annotator: int32(v.Annotator()), Source: int32(v.Source()),
		WhiteTeam: cbh.ExtID(h.Ext, &cbh.ExtWhiteTeam), BlackTeam: cbh.ExtID(h.Ext, &cbh.ExtBlackTeam),
		Title: cbh.ExtID(h.Ext, &cbh.ExtGameTitle),
	}
	if r.Text {
		r.WhiteTeam, r.BlackTeam = -1, -1
	}
	return r
}

// HeaderFile is the .cbh file.
type HeaderFile struct {
	*dbfile.File
	Head cbh.FileHeader
	// Count is the number of whole records that the file has.
	Count model.RecordID
	// Miscount is not nil if the header announces others: it wraps
	// model.ErrTruncated if records are missing, model.ErrCorrupt if there are
	// more.
	Miscount error
}

// HeaderFile returns the .cbh file. The error wraps model.ErrNotDatabase if it is
// something else, and model.ErrCorrupt if it has more records than ids.
func (db *DB) HeaderFile() (*HeaderFile, error) { return db.headers.get(db.openHeaderFile) }

func (db *DB) openHeaderFile() (*HeaderFile, error) {
	f, err := db.mandatory(".cbh")
	if err != nil {
		return nil, err
	}
	if f.Size() < cbh.RecordSize {
		return nil, f.Wrong(0, -1, "", model.ErrNotDatabase, "%d bytes are no ChessBase header, which has %d", f.Size(), cbh.RecordSize)
	}
	b, err := f.Start(cbh.RecordSize)
	if err != nil {
		return nil, err
	}
	h := &HeaderFile{File: f}
	if h.Head, err = cbh.DecodeFileHeader(b); err != nil {
		return nil, wire.Locate(err, f.Name(), 0, -1)
	}
	stored, wrong := h.Head.Stored(f.Size())
	if stored > cbh.MaxRecords {
		return nil, f.Wrong(0, -1, "", model.ErrCorrupt, "%d records are more than the format can number", stored)
	}
	h.Count, h.Miscount = model.RecordID(stored), wire.Locate(wrong, f.Name(), 0, -1)
	return h, nil
}

// Cut returns Miscount if records are missing at the end of the file.
func (h *HeaderFile) Cut() error {
	if errors.Is(h.Miscount, model.ErrTruncated) {
		return h.Miscount
	}
	return nil
}

// Offset is where a record begins.
func (h *HeaderFile) Offset(id model.RecordID) int64 { return int64(id) * cbh.RecordSize }

// Put writes a record: one that is there, or the next one. The header, which
// counts them, is written by PutHead.
func (h *HeaderFile) Put(id model.RecordID, record []byte) error {
	if err := h.PutAt(record, h.Offset(id)); err != nil {
		return err
	}
	h.Count = max(h.Count, id)
	return nil
}

// PutHead writes the header as h.Head has it.
func (h *HeaderFile) PutHead() error { return h.PutAt(h.Head.Append(nil), 0) }

// ExtensionFile is the .cbj file.
type ExtensionFile struct {
	*dbfile.File
	Head cbh.ExtHeader
	// Stored is the number of whole records that the file has; those that count
	// are no more than the .cbh file has.
	Stored int64
	// Miscount is not nil if the header counts others; see HeaderFile.
	Miscount error
}

// ExtensionFile returns the .cbj file, nil if there is none.
func (db *DB) ExtensionFile() (*ExtensionFile, error) { return db.extensions.get(db.openExtensionFile) }

func (db *DB) openExtensionFile() (*ExtensionFile, error) {
	f, err := db.File(".cbj")
	if f == nil {
		return nil, err
	}
	b, err := f.Start(cbh.ExtHeaderSize)
	if err != nil {
		return nil, err
	}
	x := &ExtensionFile{File: f}
	if x.Head, err = cbh.DecodeExtHeader(b); err != nil {
		return nil, wire.Locate(err, f.Name(), 0, -1)
	}
	stored, wrong := x.Head.Stored(f.Size())
	x.Stored, x.Miscount = stored, wire.Locate(wrong, f.Name(), 0, -1)
	return x, nil
}

// Has reports whether the file has a record of a game or text; of no file, it
// has not.
func (x *ExtensionFile) Has(id model.RecordID) bool { return x != nil && int64(id) <= x.Stored }

// Offset is where the record of a game or text begins.
func (x *ExtensionFile) Offset(id model.RecordID) int64 {
	return cbh.ExtHeaderSize + int64(id-1)*int64(x.Head.RecordSize)
}

// Put writes a record: one that is there, or the next one. The header, which
// counts them, is written by PutHead.
func (x *ExtensionFile) Put(id model.RecordID, record []byte) error {
	if err := x.PutAt(record, x.Offset(id)); err != nil {
		return err
	}
	x.Stored = max(x.Stored, int64(id))
	return nil
}

// PutHead writes the header as x.Head has it.
func (x *ExtensionFile) PutHead() error { return x.PutAt(x.Head.Append(nil), 0) }
