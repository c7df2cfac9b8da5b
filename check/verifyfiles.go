package check

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/model"
)

// errBehind is why bytes at the end of a file are not understood.
var errBehind = errors.New("lies behind the last record")

// tail counts the bytes behind the last record of a file.
func (r *FileReport) tail(offset, bytes int64) {
	if bytes > 0 {
		r.unsupported("tail", -1, offset, bytes, errBehind)
	}
}

// header counts a file header: stored must come from value, apart from the
// bytes from trash on, which mean nothing.
func (r *FileReport) header(stored, value, kept []byte, trash int) {
	r.try(trial{
		part: "header", record: -1, stored: stored, value: value, kept: kept,
		clear: func(b []byte) { clear(b[min(trash, len(b)):]) },
		trash: reasonHeaderTail, why: meaningless,
	})
}

// verifyHeaders takes the headers of the files that are read record by record.
func (v *verifier) verifyHeaders() error {
	for _, ext := range recordExts {
		r := v.files[ext]
		if r == nil {
			continue
		}
		b, err := v.d.files[ext].Start(cbh.RecordSize)
		if err != nil {
			return err
		}
		if err := v.d.headErrs[ext]; err != nil {
			v.badHeader(ext, err)
			continue
		}
		switch size := v.d.files[ext].Size(); ext {
		case ".cbh":
			known := v.d.headers.Head
			known.Reserved10, known.Reserved24, known.Reserved44 = 0, [16]byte{}, 0
			r.header(b, known.Append(nil), v.d.headers.Head.Append(nil), cbh.RecordSize)
			end := v.d.headers.Offset(v.d.count + 1)
			r.tail(end, size-end)
		case ".cbj":
			known := v.d.extensions.Head
			known.Garbage = [20]byte{}
			r.header(b[:cbh.ExtHeaderSize], known.Append(nil), v.d.extensions.Head.Append(nil), 12)
			end := v.d.extensions.Offset(v.d.extCount + 1)
			r.tail(end, size-end)
		case ".cbg":
			r.header(b[:v.d.moves.Head.Size], v.d.moves.Head.Append(nil), nil, cbh.RecordSize)
		case ".cba":
			r.header(b[:v.d.annotations.Head.Size], v.d.annotations.Head.Append(nil), nil, cbh.RecordSize)
		}
	}
	return nil
}

// verifyEntities takes the entity files.
func (v *verifier) verifyEntities() error {
	for i := range entityKinds {
		kind := &entityKinds[i]
		r := v.files[kind.Ext]
		if r == nil {
			continue
		}
		e, err := v.d.stored.Entities(kind.EntityFile)
		if err == nil {
			err = e.Mended
		}
		if dbfile.IsDamage(err) {
			v.badHeader(kind.Ext, err)
			continue
		}
		if err != nil {
			return err
		}
		b, err := e.All()
		if err != nil {
			return err
		}
		known := e.Head
		known.Extension = make([]byte, len(known.Extension))
		r.header(b[:e.Offset(0)], known.Append(nil), e.Head.Append(nil), cbh.EntityHeaderSize)
		for id := range e.Count {
			at, size := e.Offset(id), e.RecordSize()
			stored := b[at : at+size]
			links, err := cbh.DecodeEntityLinks(stored)
			if err != nil {
				r.undecoded(kind.Name, int64(id), at, size, err)
				continue
			}
			part := kind.Name
			if links.IsDeleted() {
				part += ", deleted"
			}
			value, kept := kind.encode(links, stored[cbh.EntityLinksSize:], v.d.page)
			r.try(trial{
				part: part, record: int64(id), offset: at, stored: stored, value: value, kept: kept,
				given: entityGiven,
				clear: func(b []byte) { kind.ClearTails(b[cbh.EntityLinksSize:]) },
				field: func(offset int) string { return kind.fieldAt(offset - cbh.EntityLinksSize) },
				trash: reasonNUL, why: func(offset int) string { return byteReason(stored[offset:], value[offset:]) },
			})
		}
		r.tail(e.End(), int64(len(b))-e.End())
	}
	return nil
}

// entityGiven is how many bytes of an entity are given to the encoder: its links
// and its references.
const entityGiven = cbh.EntityLinksSize + 8

// byteReason says why bytes of an entity are not those of its value, at the
// first that differs.
func byteReason(stored, value []byte) string {
	_, n := utf8.DecodeRune(stored)
	switch {
	case n > 1 && value[0] >= utf8.RuneSelf:
		return reasonUTF8
	case stored[0] >= utf8.RuneSelf && value[0] == 0:
		return reasonCut
	}
	return reasonMeaning
}

// verifySmallFiles takes the files that are read as a whole.
func (v *verifier) verifySmallFiles() error {
	for _, f := range []struct {
		ext  string
		take func(r *FileReport, b []byte) error
	}{{".cbtt", v.verifyExtras}, {".cbm", v.verifyMedia}, {".flags", verifyExamined}} {
		r := v.files[f.ext]
		if r == nil {
			continue
		}
		b, err := v.d.files[f.ext].All()
		if err != nil {
			return err
		}
		if err := f.take(r, b); err != nil {
			v.badHeader(f.ext, err)
		}
	}
	return nil
}

// verifyExtras takes the .cbtt file.
func (v *verifier) verifyExtras(r *FileReport, b []byte) error {
	h, err := cbh.DecodeTournamentExtraHeader(b)
	if err != nil {
		return err
	}
	known := h
	known.Garbage = [20]byte{}
	r.header(b[:cbh.TournamentExtraHeaderSize], known.Append(nil), h.Append(nil), 12)
	at, size := cbh.TournamentExtraHeaderSize, int(h.RecordSize)
	for id := 0; id <= int(h.Highest) && size <= len(b)-at; id++ {
		stored := b[at : at+size]
		if extraSizes[h.Version] != h.RecordSize {
			r.unsupported("tournament", int64(id), int64(at), int64(size), fmt.Errorf("version %d is not known", h.Version))
		} else {
			var t model.Tournament
			cbh.DecodeTournamentExtra(&t, stored)
			value, _ := cbh.AppendTournamentExtra(nil, t, size) // what was read fits
			kept, _ := cbh.MergeTournamentExtra(nil, t, stored)
			r.try(trial{
				part: "tournament", record: int64(id), offset: int64(at), stored: stored, value: value, kept: kept,
				field: cbh.TournamentExtraFieldAt, why: meaningless,
			})
		}
		at += size
	}
	r.tail(int64(at), int64(len(b)-at))
	return nil
}

// verifyMedia takes the .cbm file.
func (v *verifier) verifyMedia(r *FileReport, b []byte) error {
	h, err := cbh.DecodeMediaHeader(b)
	if err != nil {
		return err
	}
	known := cbh.NewMediaHeader()
	known.Version, known.RecordSize, known.Records = h.Version, h.RecordSize, h.Records
	r.header(b[:cbh.MediaHeaderSize], known.Append(nil), h.Append(nil), 16)
	media, err := cbh.DecodeMediaFile(b)
	if err != nil {
		return err
	}
	at, size := cbh.MediaHeaderSize, int(h.RecordSize)
	for i := 0; i < min(int(h.Records), media.Len()); {
		list, stored, next, err := media.List(i)
		if err != nil {
			return err
		}
		t := trial{part: "list", record: int64(i), offset: int64(at), stored: stored, kept: list.Append(nil), why: because(reasonList)}
		if len(bytes.Trim(stored, "\x00")) == 0 {
			t.why = because(reasonZeros)
		}
		names, _ := list.Names(v.d.page)
		if again, err := cbh.NewMediaRecord(names, size, v.d.page); err == nil {
			t.value = again.Append(nil)
		}
		r.try(t)
		i, at = next, at+len(stored)
	}
	r.tail(int64(at), int64(len(b)-at))
	return nil
}

// verifyExamined takes the .flags file, which is one record.
func verifyExamined(r *FileReport, b []byte) error {
	e, err := cbh.DecodeExamined(b)
	if err == nil {
		r.try(trial{part: "marks", record: -1, stored: b, value: e.Append(nil), given: int64(len(b))})
	}
	return err
}
