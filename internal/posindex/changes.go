package posindex

import (
	"encoding/binary"
	"hash/crc32"

	"cbkit/internal/wire"
	"cbkit/model"
)

// MostChanged is how many bytes of changes an index has at most. They are read whenever
// it is opened; a game takes some 300, with structures 600. Tests set it.
var MostChanged int64 = 4 << 20

// Where a change has what. (docs/formats/positions.md 7)
const (
	changeIDAt   = 4
	changeKeysAt = 12 // behind the number of keys
	changedSize  = 1 + 6
)

// AppendChange appends what a record has now: the keys of a game, which is nil if it
// cannot be read; of a text none.
func (h *Head) AppendChange(dst []byte, id model.RecordID, g *model.Game, text bool) []byte {
	var own []posting
	if !text {
		own = h.appendPostings(nil, g)
	}
	from := len(dst)
	dst = wire.AppendZeros(dst, changeIDAt)
	dst = wire.AppendU32LE(dst, uint32(id))
	dst = wire.AppendU32LE(dst, uint32(len(own)))
	for _, p := range own {
		dst = append(dst, p.layer, 0, 0, 0, 0, 0, 0)
		putKey(dst[len(dst)-6:], p.key)
	}
	binary.LittleEndian.PutUint32(dst[from:], crc32.Checksum(dst[from+changeIDAt:], castagnoli))
	return dst
}

// Follow returns the header of the index once so many bytes of changes are behind its end.
// It reports false if that are too many: then [Index.Renew] is what to do.
func (x *Index) Follow(changes int) (h Head, ok bool) {
	h = x.Head
	h.log += int64(changes)
	h.edited = true
	return h, h.log <= MostChanged
}

// readChanges reads the changes. The last one of a record counts.
func (x *Index) readChanges() error {
	at := x.file.Size() - x.log
	b, err := x.file.Bytes(nil, at, x.log)
	if err != nil {
		return err
	}
	x.changed = map[model.RecordID][]posting{}
	for len(b) > 0 {
		wrong := func(field, what string) error {
			return x.file.Wrong(at, -1, field, model.ErrCorrupt, "%s", what)
		}
		if len(b) < changeKeysAt {
			return wrong("change", "it is cut")
		}
		id, n := binary.LittleEndian.Uint32(b[changeIDAt:]), binary.LittleEndian.Uint32(b[changeIDAt+4:])
		if uint64(n)*changedSize > uint64(len(b)-changeKeysAt) || id < 1 || id > uint32(x.Records) {
			return wrong("change", "it is cut, or of a record that is not there")
		}
		end := changeKeysAt + int(n)*changedSize
		if binary.LittleEndian.Uint32(b) != crc32.Checksum(b[changeIDAt:end], castagnoli) {
			return wrong("sum", "the change has another sum")
		}
		own := make([]posting, 0, n)
		for k := changeKeysAt; k < end; k += changedSize {
			own = append(own, posting{b[k], keyAt(b[k+1:])})
		}
		x.changed[model.RecordID(id)] = own
		b, at = b[end:], at+int64(end)
	}
	return nil
}
