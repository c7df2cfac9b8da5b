package check

import (
	"bytes"
	"context"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/wire"
	"cbkit/model"
)

// mendHeaders makes the headers true that say how a file is to be read.
func (m *mender) mendHeaders(context.Context) error {
	for _, h := range []struct {
		ext  string
		size int64                             // of the header
		mend func(b []byte, size int64) []byte // proposes another header; nil: none
		good func(b []byte) error              // decodes it
	}{
		{".cbh", cbh.RecordSize, mendSignature, decodes(cbh.DecodeFileHeader)},
		{".cbj", cbh.ExtHeaderSize, mendVersionedHeader(cbh.ExtSizes, cbh.ExtHeaderSize, 0), isKnownExt},
		{".cbg", cbh.BlockHeaderSize, mendBlockHeader, decodes(cbh.DecodeBlockHeader)},
		{".cba", cbh.BlockHeaderSize, mendBlockHeader, decodes(cbh.DecodeBlockHeader)},
		{".cbtt", cbh.TournamentExtraHeaderSize, mendVersionedHeader(extraSizes, cbh.TournamentExtraHeaderSize, 1),
			decodes(cbh.DecodeTournamentExtraHeader)},
		{".cbm", cbh.MediaHeaderSize, mendMediaHeader, decodes(cbh.DecodeMediaHeader)},
		{".flags", cbh.ExaminedHeaderSize, mendExaminedHeader, decodes(cbh.DecodeExamined)},
	} {
		if err := m.mendHeader(h.ext, h.size, h.good, h.mend); err != nil {
			return err
		}
	}
	for _, kind := range cbh.EntityFiles {
		look := func([]byte) error { return model.ErrCorrupt } // mending finds out whether it is
		if err := m.mendHeader(kind.Ext, 128, look, entityMender(kind)); err != nil {
			return err
		}
	}
	return nil
}

// mendCounts makes true how many records the .cbh and .cbj files count. A counter of the
// .cbh file that is too large is wrong only if the .cbj file ends with the same record;
// else records are missing. Records that the .cbj file lacks say nothing: they are made,
// as a program does that adds a game.
func (m *mender) mendCounts(context.Context) error {
	if m.headers == nil || !m.inStep {
		return nil
	}
	h, n := m.headers.Head, uint32(m.count)
	isWitnessed := m.headers.Size()%cbh.RecordSize == 0 &&
		m.extensions != nil && m.extensions.Stored == int64(n) && m.extTail() == 0
	if tooMany := int64(h.Next) > int64(n)+1; !tooMany || isWitnessed {
		h.SetRecords(n)
		if h.NextAgain != 0 {
			h.NextAgain = h.Next
		}
	}
	if h != m.headers.Head {
		m.fix(codeRecordCount, inHeader(".cbh", 6, "next id"), []Edit{m.put(".cbh", 0, h.Append(nil))},
			"%d, repeated as %d; now %d", m.headers.Head.Next, m.headers.Head.NextAgain, h.Next)
		return nil
	}
	if m.extensions == nil || !m.whole {
		return nil
	}
	x, count := m.extensions, int64(m.count)
	head := x.Head
	missing := x.Stored > 0 && x.Stored < count && int64(head.Records) == x.Stored && m.extTail() == 0
	if x.Stored != count && !missing || int64(head.Records) == count {
		return nil
	}
	head.Records = int32(count)
	var failed error
	edits := func(yield func(Edit) bool) {
		headers := m.headers.Headers(nil, dbfile.FarAhead)
		for id := model.RecordID(x.Stored) + 1; id <= m.count; id++ {
			h, err := headers.At(id)
			if err != nil {
				failed = err
				return
			}
			record := cbh.DefaultExtRecord()
			record.MovesOffset = uint64(h.MovesAt())
			record.SetAnnotationsOffset(uint64(h.AnnotationsAt()))
			if !yield(m.put(".cbj", x.Offset(id), record.Append(nil, int(head.RecordSize)))) {
				return
			}
		}
		yield(m.put(".cbj", 0, head.Append(nil)))
	}
	m.fixAll(codeExtCount, inHeader(".cbj", 8, "records"), edits,
		"%d, with %d made that say nothing; now %d", x.Head.Records, max(count-x.Stored, 0), count)
	return failed
}

// decodes makes a decoder one that only says whether it can.
func decodes[T any](decode func([]byte) (T, error)) func([]byte) error {
	return func(b []byte) error { _, err := decode(b); return err }
}

// isKnownExt is for the .cbj file: records of another size than those of the
// version are none that can be read.
func isKnownExt(b []byte) error {
	h, err := cbh.DecodeExtHeader(b)
	if err == nil && !h.IsKnown() {
		err = model.ErrUnsupported
	}
	return err
}

// mendHeader replaces the header of a file by the one that the size of the file
// proves.
func (m *mender) mendHeader(ext string, n int64, good func([]byte) error, mend func([]byte, int64) []byte) error {
	f := m.files[ext]
	if f == nil {
		return nil
	}
	b, err := f.Start(n)
	if err != nil {
		return err
	}
	if _, is := cbh.EmptyFile(ext); !is || good(b) == nil {
		return nil
	}
	mended := mend(slices.Clone(b), f.Size())
	if mended == nil || bytes.Equal(mended, b) {
		return nil
	}
	at := 0
	for mended[at] == b[at] {
		at++
	}
	m.fix(codeBadHeader, inHeader(ext, int64(at), ""), []Edit{m.put(ext, 0, mended)},
		"made what its kind and the size of the file make it: % x, not % x", mended[at:min(at+4, len(b))], b[at:min(at+4, len(b))])
	return nil
}

// mendSignature is for the .cbh file: its counters must fit its size then.
func mendSignature(b []byte, size int64) []byte {
	if len(b) < cbh.RecordSize {
		return nil
	}
	for _, used := range []uint16{cbh.UsedNew, cbh.UsedOld} {
		b[0] = 0
		wire.AppendU16BE(wire.AppendU16BE(b[:1], used), cbh.RecordSize)
		h, err := cbh.DecodeFileHeader(b)
		if err != nil {
			continue
		}
		if _, wrong := h.Stored(size); wrong != nil || used == cbh.UsedNew != (h.NextAgain == h.Next) {
			continue
		}
		return b
	}
	return nil
}

// mendVersionedHeader is for the .cbj and .cbtt files: the record size is that of the
// version, if the number in the header, and some more, of records fits the size of the
// file then.
func mendVersionedHeader(sizes map[int32]int32, header, more int64) func(b []byte, size int64) []byte {
	return func(b []byte, size int64) []byte {
		c := wire.NewCursor(b)
		version, _, records := c.I32LE(), c.I32LE(), c.I32LE()
		recordSize := sizes[version]
		if c.Err() != nil || recordSize == 0 || size != header+(int64(records)+more)*int64(recordSize) {
			return nil
		}
		wire.AppendI32LE(b[:4], recordSize)
		return b
	}
}

// mendBlockHeader is for .cbg and .cba files: a header whose other fields give
// the file its size has the length that has these fields.
func mendBlockHeader(b []byte, size int64) []byte {
	for _, length := range []uint16{cbh.BlockHeaderSize, cbh.OldBlockHeaderSize} {
		if len(b) < int(length) {
			continue
		}
		wire.AppendU16BE(b[:0], length)
		if h, err := cbh.DecodeBlockHeader(b); err == nil && h.Declares(size) {
			return b
		}
	}
	return nil
}

// mendMediaHeader is for the .cbm file.
func mendMediaHeader(b []byte, size int64) []byte {
	c := wire.NewCursor(b)
	c.Skip(8)
	records := c.I32LE()
	if c.Err() != nil || size != cbh.MediaHeaderSize+int64(records)*cbh.MediaRecordSize {
		return nil
	}
	wire.AppendI32LE(b[:4], cbh.MediaRecordSize)
	return b
}

// mendExaminedHeader is for the .flags file, whose other fields must be right.
func mendExaminedHeader(b []byte, size int64) []byte {
	right := cbh.NewExamined(0)
	right.Words = uint32(max(size-cbh.ExaminedHeaderSize, 0) / 4)
	want := right.Append(nil)[:cbh.ExaminedHeaderSize]
	wrong := 0
	for at := 0; at+4 <= min(len(b), len(want)); at += 4 {
		if !bytes.Equal(b[at:at+4], want[at:at+4]) {
			wrong++
		}
	}
	if wrong > 1 || len(b) < len(want) {
		return nil
	}
	return append(want, b[len(want):]...)
}

// entityMender is for entity files: what is the same in all files of the kind,
// and the length of the header, with which the number of records must fit the size of the file.
func entityMender(kind *cbh.EntityFile) func(b []byte, size int64) []byte {
	return func(b []byte, size int64) []byte {
		if len(b) < cbh.EntityHeaderSize {
			return nil
		}
		blank := cbh.NewEntityHeader(kind)
		constant := blank.Append(nil)
		copy(b[8:16], constant[8:16])
		mended, _ := kind.MendHeader(b, size)
		h, err := cbh.DecodeEntityHeader(mended)
		if err != nil || size != int64(h.Size())+int64(h.Capacity)*int64(kind.RecordSize()) {
			return nil
		}
		return mended
	}
}

// extTail is how many bytes follow the last whole record of the .cbj file.
func (m *mender) extTail() int64 {
	return (m.extensions.Size() - cbh.ExtHeaderSize) % int64(m.extensions.Head.RecordSize)
}
