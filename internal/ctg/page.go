package ctg

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"iter"

	"cbkit/internal/wire"
	"cbkit/model"
)

const (
	// PageSize is the size in bytes of every page, the header page included.
	PageSize = 4096
	// PageHeaderSize is what a page begins with: u16 number of entries, u16
	// number of used bytes, these four included.
	PageHeaderSize = 4
)

// Page is a data page: the header, the entries back to back, and garbage. That
// of a file which ends inside it has fewer than PageSize bytes.
type Page []byte

// Count returns the number of entries the page says it has.
func (p Page) Count() int { return int(binary.BigEndian.Uint16(p)) }

// Used returns the number of bytes the page says are used.
func (p Page) Used() int { return int(binary.BigEndian.Uint16(p[2:])) }

// body returns the bytes of the entries.
func (p Page) body() ([]byte, error) {
	if len(p) < PageHeaderSize {
		return nil, p.cut()
	}
	used := p.Used()
	if used < PageHeaderSize || used > PageSize {
		return nil, entryError("the page says that %d of its bytes are used", used)
	}
	return p[PageHeaderSize:min(used, len(p))], nil
}

// cut says that the file ends inside the page.
func (p Page) cut() error {
	return fmt.Errorf("%w: the file has %d of the %d bytes of the page", model.ErrTruncated, len(p), PageSize)
}

// entryError is what is wrong with an entry that does not decode: nothing but
// the end of the file where that cuts the entries.
func (p Page) entryError(err error) error {
	if err != nil && p.Used() > len(p) {
		return p.cut()
	}
	return err
}

// Entries yields the entries with their places in the page. An error ends the
// sequence: where one entry is wrong, the next cannot be found.
func (p Page) Entries() iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		rest, err := p.body()
		if err != nil {
			yield(nil, err)
			return
		}
		for range p.Count() {
			var e Entry
			if e, rest, err = CutEntry(rest); err != nil {
				yield(nil, p.entryError(err))
				return
			}
			if !yield(e, nil) {
				return
			}
		}
		if len(rest) != 0 {
			yield(nil, entryError("%d used bytes of the page belong to no entry", len(rest)))
		}
	}
}

// soundBytes returns how many bytes of the page can be read: up to the first
// entry that is wrong.
func (p Page) soundBytes() int64 {
	n := int64(PageHeaderSize)
	for e, err := range p.Entries() {
		if err != nil {
			break
		}
		n += int64(len(e))
	}
	return n
}

// Find returns the entry with the given key.
func (p Page) Find(key *Key) (e Entry, found bool, err error) {
	rest, err := p.body()
	if err != nil {
		return nil, false, err
	}
	want := key.Bytes()
	for range p.Count() {
		if e, rest, err = CutEntry(rest); err != nil {
			return nil, false, p.entryError(err)
		}
		if e[0] == want[0] && bytes.Equal(e.KeyBytes(), want) {
			return e, true, nil
		}
	}
	return nil, false, nil
}

// AppendPage appends a page with the given entries, back to back in body.
func AppendPage(dst []byte, count int, body []byte) []byte {
	dst = wire.AppendU16BE(dst, uint16(count))
	dst = wire.AppendU16BE(dst, uint16(PageHeaderSize+len(body)))
	dst = append(dst, body...)
	return append(dst, emptyPage[:PageSize-PageHeaderSize-len(body)]...)
}

var emptyPage [PageSize]byte
