package parquet

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"os"
	"slices"

	pq "github.com/parquet-go/parquet-go"

	"cbkit/internal/extsort"
	"cbkit/internal/fsys"
)

// groupByKey is how many rows a row group has where rows are in the order of their keys:
// engines read a group to find a key.
const groupByKey = 128 << 10

// sortMemory is what sorting takes by default, in bytes.
const sortMemory = 64 << 20

// keySorter brings rows into the order of their keys, and rows of one key into that in
// which they came. A row is sorted as
//
//	key, 8 bytes | number of the row, 8 bytes, both big-endian
//	for each leaf: uvarint, 0 for NULL or size of the value + 1 | value
type keySorter struct {
	sorter *extsort.Sorter
	key    int // which leaf it is
	rows   uint64
	record []byte
}

func newKeySorter(leaves []leaf, opt *Options) *keySorter {
	k := &keySorter{sorter: extsort.New(extsort.Options{
		Memory: cmp.Or(max(opt.Memory, 0), sortMemory), FS: fsys.OS{}, Dir: cmp.Or(opt.TempDir, os.TempDir()),
	})}
	k.key = slices.IndexFunc(leaves, func(l leaf) bool { return l.path[0] == keyColumn })
	return k
}

// add adds the rows of a sheet.
func (k *keySorter) add(s *sheet) error {
	for row, key := range s.vectors[k.key].values {
		b := binary.BigEndian.AppendUint64(k.record[:0], key.Uint64())
		b = binary.BigEndian.AppendUint64(b, k.rows)
		k.rows++
		for i := range s.vectors {
			value := &s.vectors[i].values[row]
			if value.IsNull() {
				b = append(b, 0)
				continue
			}
			at := len(b)
			b = value.AppendBytes(append(b, 0))
			if size := len(b) - at; size < 0x80 {
				b[at] = byte(size)
			} else { // a text that long is rare
				b = value.AppendBytes(binary.AppendUvarint(b[:at], uint64(size)))
			}
		}
		if k.record = b; len(b) > extsort.MaxRecord {
			return fmt.Errorf("parquet: a row of %d bytes", len(b))
		}
		if err := k.sorter.Add(b); err != nil {
			return fmt.Errorf("sorting: %w", err)
		}
	}
	return nil
}

// writeByKey writes all rows.
func (t *table) writeByKey(jobs int) error {
	s := newSheet(t)
	for record, err := range t.byKey.sorter.Sorted() {
		if err != nil {
			return fmt.Errorf("sorting: %w", err)
		}
		record = record[16:]
		for i := range s.vectors {
			size, n := binary.Uvarint(record)
			record = record[n:]
			if size == 0 {
				s.vectors[i].null()
				continue
			}
			value := record[:size-1]
			record = record[size-1:]
			if kind := t.leaves[i].kind; kind == pq.ByteArray {
				s.vectors[i].copy(value)
			} else {
				s.vectors[i].put(kind.Value(value))
			}
		}
		if t.rowsOf(&s) == sheetRows {
			if err := t.write(&s, jobs); err != nil {
				return err
			}
			s.reset()
		}
	}
	return t.write(&s, jobs)
}

// sheetRows is how many sorted rows are written at a time; it divides groupByKey.
const sheetRows = 8 << 10
