package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"cbkit/model"
)

// Limits of the files that are read. Engines stay far below them.
const (
	maxFooter     = 256 << 20
	maxPageHeader = 16 << 20
	maxPage       = 256 << 20 // bytes, uncompressed
	maxPageValues = 16 << 20
)

const magic = "PAR1"

// guardFooter asks whether the footer of a file, which tells all about it, is
// there.
//
//	"PAR1" | pages | footer | u32 size of the footer | "PAR1"
func guardFooter(r io.ReaderAt, size int64) error {
	var head [4]byte
	var tail [8]byte
	if size < int64(len(head)+len(tail)) {
		return fmt.Errorf("%w: %d bytes are no Parquet file", model.ErrNotDatabase, size)
	}
	if _, err := r.ReadAt(head[:], 0); err != nil {
		return err
	}
	if string(head[:]) != magic {
		return fmt.Errorf("%w: it does not begin with %s, as Parquet files do", model.ErrNotDatabase, magic)
	}
	if _, err := r.ReadAt(tail[:], size-8); err != nil {
		return err
	}
	if string(tail[4:]) != magic {
		return fmt.Errorf("%w: it does not end with %s, as complete Parquet files do", model.ErrTruncated, magic)
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	if n > size-12 || n > maxFooter {
		return fmt.Errorf("%w: the footer cannot have %d bytes", model.ErrCorrupt, n)
	}
	footer := make([]byte, n)
	if _, err := r.ReadAt(footer, size-8-n); err != nil {
		return err
	}
	if _, err := compactSize(footer); err != nil {
		return fmt.Errorf("footer: %w", err)
	}
	return nil
}

// chunkGuard asks whether the pages of a column chunk are as large as they say.
type chunkGuard struct {
	r     io.ReaderAt
	at    int64
	end   int64
	codec format.CompressionCodec
	buf   []byte
}

// guardChunk walks over the pages of a chunk of a file with so many bytes.
func guardChunk(r io.ReaderAt, size int64, m *format.ColumnMetaData) error {
	from := m.DataPageOffset
	if d := m.DictionaryPageOffset; d > 0 && d < from {
		from = d
	}
	if from < 4 || m.TotalCompressedSize < 0 || from > size || m.TotalCompressedSize > size-from {
		return fmt.Errorf("%w: it lies at %d with %d bytes, and the file has %d", model.ErrCorrupt, from, m.TotalCompressedSize, size)
	}
	g := chunkGuard{r: r, at: from, end: from + m.TotalCompressedSize, codec: m.Codec}
	for g.at < g.end {
		if err := g.page(); err != nil {
			return err
		}
	}
	return nil
}

// page looks at a page and goes to the next one.
func (g *chunkGuard) page() error {
	h, err := g.header()
	if err != nil {
		return err
	}
	n := int64(h.CompressedPageSize)
	switch {
	case n < 0 || n > g.end-g.at:
		return fmt.Errorf("%w: a page of %d bytes exceeds its column", model.ErrCorrupt, n)
	case h.UncompressedPageSize < 0 || h.UncompressedPageSize > maxPage:
		return fmt.Errorf("%w: a page has %d bytes", model.ErrTooLarge, h.UncompressedPageSize)
	}
	for _, values := range [...]int32{
		h.DataPageHeader.V.NumValues, h.DataPageHeaderV2.V.NumValues, h.DictionaryPageHeader.V.NumValues,
	} {
		if values < 0 || values > maxPageValues {
			return fmt.Errorf("%w: a page has %d values", model.ErrTooLarge, values)
		}
	}
	if g.codec != format.Uncompressed {
		if err := g.unpacked(h, n); err != nil {
			return err
		}
	}
	g.at += n
	return nil
}

// header reads the header of the page at g.at and goes behind it.
func (g *chunkGuard) header() (*format.PageHeader, error) {
	for window := int64(1 << 10); ; window *= 8 {
		n := min(window, g.end-g.at)
		b, err := g.read(g.at, n)
		if err != nil {
			return nil, err
		}
		size, err := compactSize(b)
		if errors.Is(err, errShort) && n < g.end-g.at && window < maxPageHeader {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("page header: %w", err)
		}
		h := new(format.PageHeader)
		if err := thrift.Unmarshal(new(thrift.CompactProtocol), b[:size], h); err != nil {
			return nil, fmt.Errorf("page header: %w: %w", model.ErrCorrupt, err)
		}
		g.at += int64(size)
		return h, nil
	}
}

// read reads bytes into the memory of the guard.
func (g *chunkGuard) read(at, n int64) ([]byte, error) {
	if int64(cap(g.buf)) < n {
		g.buf = make([]byte, n)
	}
	g.buf = g.buf[:n]
	_, err := g.r.ReadAt(g.buf, at)
	return g.buf, err
}

// unpacked asks whether a compressed page becomes much more than it says.
func (g *chunkGuard) unpacked(h *format.PageHeader, n int64) error {
	b, err := g.read(g.at, n)
	if err != nil {
		return err
	}
	if v2 := h.DataPageHeaderV2; v2.Valid { // levels come first, and are not compressed
		levels := int64(v2.V.RepetitionLevelsByteLength) + int64(v2.V.DefinitionLevelsByteLength)
		if levels < 0 || levels > n {
			return fmt.Errorf("%w: levels of %d bytes in a page of %d", model.ErrCorrupt, levels, n)
		}
		b = b[levels:]
		if v2.V.IsCompressed.Valid && !v2.V.IsCompressed.V {
			return nil
		}
	}
	size, err := unpackedSize(g.codec, b, int64(h.UncompressedPageSize))
	if err == nil && size > int64(h.UncompressedPageSize) {
		err = fmt.Errorf("%w: a page becomes %d bytes and announces %d", model.ErrCorrupt, size, h.UncompressedPageSize)
	}
	return err
}

// unpackedSize returns the size of what compressed bytes become, or anything
// above the limit if that is more.
func unpackedSize(codec format.CompressionCodec, b []byte, limit int64) (int64, error) {
	switch codec {
	case format.Snappy:
		if len(b) == 0 {
			return 0, nil
		}
		n, err := snappy.DecodedLen(b)
		if err != nil {
			return 0, fmt.Errorf("%w: %w", model.ErrCorrupt, err)
		}
		return int64(n), nil
	case format.Zstd:
		return zstdSize(b, limit)
	case format.Gzip:
		if len(b) == 0 {
			return 0, nil
		}
		z, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			return 0, fmt.Errorf("%w: %w", model.ErrCorrupt, err)
		}
		return discard(z, limit)
	}
	// The library reads zeros out of many pages of LZ4.
	return 0, fmt.Errorf("%w: pages are compressed by %v; write the file with zstd, snappy or gzip", model.ErrUnsupported, codec)
}

// zstdSize returns what Zstandard frames become. A frame that tells the size of
// its content is believed, because decoders hold it to that; where one does not
// all are decompressed to see how much comes out.
func zstdSize(b []byte, limit int64) (total int64, err error) {
	for rest := b; len(rest) > 0; {
		var h zstd.Header
		if err := h.Decode(rest); err != nil {
			return 0, fmt.Errorf("%w: %w", model.ErrCorrupt, err)
		}
		if h.Skippable || !h.HasFCS {
			z, err := zstd.NewReader(bytes.NewReader(b), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPage))
			if err != nil {
				return 0, err
			}
			defer z.Close()
			return discard(z, limit)
		}
		if h.FrameContentSize > maxPage {
			return maxPage + 1, nil
		}
		total += int64(h.FrameContentSize)
		if rest, err = afterFrame(rest, &h); err != nil {
			return 0, err
		}
	}
	return total, nil
}

// afterFrame returns what follows a Zstandard frame: its header, its blocks,
// the last of which says so, and a checksum if it has one.
//
//	block   u24 little-endian: bit 0 last, bits 1-2 kind, the rest its size
func afterFrame(b []byte, h *zstd.Header) ([]byte, error) {
	const repeatedByte = 1
	b = b[min(h.HeaderSize, len(b)):]
	for last := false; !last; {
		if len(b) < 3 {
			return nil, errShort
		}
		head := int(b[0]) | int(b[1])<<8 | int(b[2])<<16
		size := head >> 3
		if head>>1&3 == repeatedByte {
			size = 1
		}
		last, b = head&1 != 0, b[3:]
		if size > len(b) {
			return nil, errShort
		}
		b = b[size:]
	}
	if h.HasCheckSum {
		b = b[min(4, len(b)):]
	}
	return b, nil
}

// discard counts what comes out of r, up to more than the limit.
func discard(r io.Reader, limit int64) (int64, error) {
	n, err := io.Copy(io.Discard, io.LimitReader(r, limit+1))
	if err != nil {
		return 0, fmt.Errorf("%w: %w", model.ErrCorrupt, err)
	}
	return n, nil
}
