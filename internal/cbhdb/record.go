package cbhdb

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/derive"
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

// NotesAt is where the annotations begin in the .cba file, 0 if there are none.
func (h *Header) NotesAt() int64 {
	if h.Type().IsText() {
		return 0
	}
	return cbh.NotesPlace.Of(h.Head, h.Ext)
}

// SetPlaces is the inverse of MovesAt and NotesAt: it changes the bytes of the
// header. The 64-bit place of the moves stays 0 where it is in records of the size of
// version 8 of the .cbj file, or less, which have it so; a checksum that was right stays right, a wrong one stays what
// it is. (docs/formats/cbh.md, Where records lie)
func (h *Header) SetPlaces(moves, notes int64) {
	cbh.GameMoves.Put(h.Head, uint64(moves))
	if !h.Type().IsText() {
		cbh.GameNotes.Put(h.Head, uint64(notes))
	}
	if cbh.ExtMoves.Uint(h.Ext) != 0 || len(h.Ext) > int(cbh.ExtSizes[8]) {
		cbh.ExtMoves.Put(h.Ext, uint64(moves))
	}
	if !cbh.ExtNotes.In(h.Ext) {
		return
	}
	right := cbh.HasRightSum(h.Ext)
	cbh.ExtNotes.Put(h.Ext, uint64(notes))
	if right {
		cbh.PutSum(h.Ext)
	}
}

// Headers is all that is stored about the headers of records: the .cbh file and
// the .cbj file, if there is one that can be used.
type Headers struct {
	*Heads
	// Exts is nil if there is none.
	Exts *Exts
	// Warnings say which headers count other records than there are, whose files
	// are read to their ends, and that a .cbj file is of a kind that is not known
	// and counts as missing. Damage says that the .cbh file is cut, or the .cbj
	// file so damaged that it counts as missing.
	Warnings, Damage []error
}

// Headers returns the files with the headers of records.
func (db *DB) Headers() (*Headers, error) {
	heads, err := db.Heads()
	if err != nil {
		return nil, err
	}
	h := &Headers{Heads: heads}
	if cut := heads.Cut(); cut != nil {
		h.Damage = append(h.Damage, cut)
	} else if heads.Miscount != nil {
		h.Warnings = append(h.Warnings, heads.Miscount)
	}
	if h.Exts, err = db.Exts(); err != nil {
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
	if h.Exts != nil && h.Exts.Miscount != nil {
		h.Warnings = append(h.Warnings, h.Exts.Miscount)
	}
	return h, nil
}

// HasTitles reports whether the records of the .cbj file are long enough to hold
// a game title.
func (h *Headers) HasTitles() bool {
	return h.Exts != nil && h.Exts.Head.RecordSize >= cbh.ExtRecordSize
}

// Reader returns a reader that reads at least so many bytes at once.
func (h *Headers) Reader(ahead int) *HeaderReader { return h.Heads.Headers(h.Exts, ahead) }

// HeaderReader reads stored headers, ahead of their use where they are read in
// order. It is for one goroutine, and does not see what is written meanwhile.
type HeaderReader struct {
	heads  *Heads
	exts   *Exts
	window [2]*dbfile.Window
}

// Headers returns a reader of headers that reads at least so many bytes at
// once. Exts is nil to do without the .cbj file.
func (h *Heads) Headers(exts *Exts, ahead int) *HeaderReader {
	r := &HeaderReader{heads: h, exts: exts}
	r.window[0] = dbfile.NewWindow(h.File, ahead)
	if exts != nil {
		r.window[1] = dbfile.NewWindow(exts.File, ahead)
	}
	return r
}

// Count returns the number of records.
func (r *HeaderReader) Count() model.RecordID { return r.heads.Count }

// From yields the headers of all records from one on. Each is valid until the next one.
func (r *HeaderReader) From(ctx context.Context, id model.RecordID) iter.Seq2[Header, error] {
	return func(yield func(Header, error) bool) {
		for id = max(id, 1); id <= r.heads.Count; id++ {
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
	head, err := r.window[0].At(r.heads.Offset(id), cbh.RecordSize)
	if err != nil || !r.exts.Has(id) {
		return Header{ID: id, Head: head}, err
	}
	ext, err := r.window[1].At(r.exts.Offset(id), int64(r.exts.Head.RecordSize))
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
	v, more := h.View(), cbh.DecodeExtEntities(h.Ext)
	r := derive.References{
		Text: v.Type().IsText(), White: int32(v.White()), Black: int32(v.Black()), Tournament: int32(v.Tournament()),
		Annotator: int32(v.Annotator()), Source: int32(v.Source()),
		WhiteTeam: more.WhiteTeam, BlackTeam: more.BlackTeam, Title: more.GameTitle,
	}
	if r.Text {
		r.WhiteTeam, r.BlackTeam = -1, -1
	}
	return r
}
