package crashfs

import (
	"slices"
	"time"
)

// sector is how many bytes of a write reach the disk together. Real ones are
// larger, and so are real files.
const sector = 64

// mutation is a change of the content of a file: bytes written at a place, or
// a cut or an extension with zeros to a size.
type mutation struct {
	at   int64 // where the bytes go; the size
	data []byte
	cut  bool
}

// change makes a change and remembers it until the next sync.
func (n *inode) change(m mutation, now time.Time) {
	m.data = slices.Clone(m.data)
	n.data = m.apply(own(n.data, &n.lent[0]))
	n.unsynced = append(n.unsynced, m)
	n.changed = now
}

// sync makes the content permanent. That takes as long as what has changed is
// large.
func (n *inode) sync() {
	for _, m := range n.unsynced {
		n.synced = m.apply(own(n.synced, &n.lent[1]))
	}
	n.unsynced = nil
}

// written is the content as it is on the disk once it is written back.
func (n *inode) written() []byte {
	if !n.dropped {
		n.lent[0] = true
		return n.data
	}
	data := slices.Clone(n.synced)
	for _, m := range n.unsynced {
		data = m.apply(data)
	}
	return data
}

// own returns content that may be changed: a copy if it is lent.
func own(data []byte, lent *bool) []byte {
	if *lent {
		*lent = false
		return slices.Clone(data)
	}
	return data
}

// lend returns a twin with the same content, of which neither sees what becomes of the
// other's.
func (n *inode) lend() *inode {
	n.lent = [2]bool{true, true}
	twin := *n
	twin.unsynced = slices.Clone(n.unsynced)
	return &twin
}

// apply returns the content after a change.
func (m *mutation) apply(data []byte) []byte {
	if m.cut {
		return resize(data, m.at)
	}
	if end := m.at + int64(len(m.data)); end > int64(len(data)) {
		data = resize(data, end)
	}
	copy(data[m.at:], m.data)
	return data
}

// resize cuts content or extends it with zeros.
func resize(data []byte, size int64) []byte {
	have := int64(len(data))
	if size > have {
		data = slices.Grow(data, int(size-have))
		clear(data[have:size])
	}
	return data[:size]
}

// scatter returns content of which each change since the last sync may be lost
// in whole or in part.
func (n *inode) scatter(choose func(n int) int) []byte {
	data := slices.Clone(n.synced)
	for _, m := range n.unsynced {
		switch choose(4) {
		case 0: // lost
		case 1:
			data = m.apply(data)
		case 2:
			empty := mutation{at: max(m.at+int64(len(m.data)), int64(len(data))), cut: true}
			if !m.cut {
				data = empty.apply(data)
			}
		case 3:
			data = m.applySome(data, choose)
		}
	}
	return data
}

// applySome makes a change with some of its sectors only.
func (m *mutation) applySome(data []byte, choose func(n int) int) []byte {
	if m.cut {
		return m.apply(data)
	}
	for from := 0; from < len(m.data); from += sector {
		if choose(2) == 1 {
			part := mutation{at: m.at + int64(from), data: m.data[from:min(from+sector, len(m.data))]}
			data = part.apply(data)
		}
	}
	return data
}
