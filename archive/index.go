package archive

import (
	"cmp"
	"io"
	"sort"
	"sync"
)

// index finds the block that holds a byte of a member. It is made while it is
// needed, from the frames of the blocks, and keeps a bounded number of marks:
// when there are too many, every other one goes.
//
// It takes all blocks but the last to be full, as ChessBase makes them. Where
// unpacking shows another size, it starts anew and unpacks whatever it passes.
type index struct {
	mu       sync.Mutex
	marks    []place // of the blocks 0, every, 2·every …
	every    int
	measured bool // sizes come from unpacking
}

// maxMarks bounds the memory of an index to half a megabyte.
const maxMarks = 1 << 15

// place is where a block begins.
type place struct {
	number  int   // of the block, from 0 on
	packed  int64 // in the stream
	content int64 // in the file
}

// extent is a block with its sizes.
type extent struct {
	place
	frame
	size int // of the content
}

// find returns the block that holds the byte of a member at an offset, which is
// inside the file.
func (a *Archive) find(member int, offset int64) (extent, error) {
	x := &a.indexes[member]
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.marks == nil {
		x.marks, x.every = []place{{}}, 1
	}
	i := sort.Search(len(x.marks), func(i int) bool { return x.marks[i].content > offset }) - 1
	at := x.marks[i]
	for {
		e, err := a.measure(member, at)
		if err != nil || offset < at.content+int64(e.size) {
			return e, err
		}
		at = place{at.number + 1, at.packed + frameSize + int64(e.length), at.content + int64(e.size)}
		x.mark(at)
	}
}

// mark keeps a place if it is the next one to be kept.
func (x *index) mark(at place) {
	if at.number != len(x.marks)*x.every {
		return
	}
	if len(x.marks) == maxMarks {
		for i := range maxMarks / 2 {
			x.marks[i] = x.marks[2*i]
		}
		x.marks = x.marks[:maxMarks/2]
		x.every *= 2
	}
	x.marks = append(x.marks, at)
}

// measure returns the block at a place.
func (a *Archive) measure(member int, at place) (extent, error) {
	m := &a.members[member]
	if at.packed == m.Packed {
		return extent{}, a.wrongBlock(member, at.number, m.Offset+at.packed,
			corrupt("the blocks hold %d bytes, the file has %d", at.content, m.Size))
	}
	f, mode, err := a.frameAt(m, at.packed)
	e := extent{place: at, frame: f}
	switch {
	case err != nil:
	case a.indexes[member].measured:
		var content []byte
		content, err = a.content(member, e)
		e.size = len(content)
	case mode == Stored:
		e.size = f.length - 1
	case mode == Huffman:
		e.size, err = a.huffmanSizeAt(m, at.packed, f)
	case at.packed+frameSize+int64(f.length) == m.Packed:
		e.size = int(max(0, min(BlockSize, m.Size-at.content)))
	default:
		e.size = BlockSize
	}
	if err == nil && e.size == 0 {
		err = errNoContent
	}
	if err != nil {
		return e, a.wrongBlock(member, at.number+1, m.Offset+at.packed, err)
	}
	return e, nil
}

// blockAt returns the content of the block that holds the byte of a member at an
// offset, and where it begins in the file. The content must not be changed.
func (a *Archive) blockAt(member int, offset int64) (content []byte, begin int64, err error) {
	for {
		e, err := a.find(member, offset)
		if err != nil {
			return nil, 0, err
		}
		m := &a.members[member]
		if content, err = a.content(member, e); err != nil {
			return nil, 0, a.wrongBlock(member, e.number+1, m.Offset+e.packed, err)
		}
		if len(content) != e.size {
			// All that was taken to be so is dropped.
			x := &a.indexes[member]
			x.mu.Lock()
			if !x.measured {
				x.measured, x.marks = true, nil
			}
			x.mu.Unlock()
			continue
		}
		// What goes on behind the end of the file is damage.
		switch end := e.content + int64(e.size); {
		case end > m.Size:
			err = corrupt("the blocks hold more than the %d bytes of the file", m.Size)
		case end == m.Size && e.packed+frameSize+int64(e.length) != m.Packed:
			err = corrupt("blocks follow behind the %d bytes of the file", m.Size)
		default:
			return content, e.content, nil
		}
		return content, e.content, a.wrongBlock(member, e.number+1, m.Offset+e.packed, err)
	}
}

// judgeEmpty returns what is wrong with an empty file: its blocks, if it has any,
// must have no content.
func (a *Archive) judgeEmpty(member int) error {
	m := &a.members[member]
	for at := (place{}); at.packed < m.Packed; at.number++ {
		f, _, err := a.frameAt(m, at.packed)
		var content []byte
		if err == nil {
			content, err = a.content(member, extent{place: at, frame: f})
		}
		if err == nil && len(content) > 0 {
			err = corrupt("the blocks hold more than the 0 bytes of the file")
		}
		if err != nil {
			return a.wrongBlock(member, at.number+1, m.Offset+at.packed, err)
		}
		at.packed += frameSize + int64(f.length)
	}
	return nil
}

// content returns what a block unpacks to, from the cache if it is there.
func (a *Archive) content(member int, e extent) ([]byte, error) {
	key := a.members[member].Offset + e.packed
	if content := a.cache.get(key); content != nil {
		return content, nil
	}
	u := unpackers.Get().(*unpacker)
	defer unpackers.Put(u)
	payload := u.payload[:e.length]
	if err := a.read(payload, key+frameSize); err != nil {
		return nil, err
	}
	content, err := u.unpack(e.checksum, payload)
	if err != nil {
		return nil, err
	}
	content = append(make([]byte, 0, len(content)), content...)
	a.cache.put(key, content)
	return content, nil
}

// unpacker is what unpacking a block takes.
type unpacker struct {
	blockReader
	payload [maxPayload]byte
}

var unpackers = sync.Pool{New: func() any { return new(unpacker) }}

// cache holds the contents of the blocks used last.
type cache struct {
	mu    sync.Mutex
	slots [cachedBlocks]cached
	clock uint64
}

// cachedBlocks is how many blocks are kept unpacked: a database has a dozen
// files that are read at once.
const cachedBlocks = 64

type cached struct {
	key     int64 // where the block begins in the archive
	used    uint64
	content []byte
}

// get returns the content of a block, nil if it is not there.
func (c *cache) get(key int64) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.slots {
		if s := &c.slots[i]; s.key == key && s.content != nil {
			c.clock++
			s.used = c.clock
			return s.content
		}
	}
	return nil
}

// put keeps a content in place of the one not used for longest.
func (c *cache) put(key int64, content []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	oldest := 0
	for i := range c.slots {
		if c.slots[i].key == key && c.slots[i].content != nil {
			oldest = i
			break
		}
		if c.slots[i].used < c.slots[oldest].used {
			oldest = i
		}
	}
	c.clock++
	c.slots[oldest] = cached{key, c.clock, content}
}

// readAt reads from the content of a member.
func (a *Archive) readAt(member int, b []byte, offset int64) (n int, err error) {
	size := a.members[member].Size
	if size == 0 {
		return 0, cmp.Or(a.judgeEmpty(member), io.EOF)
	}
	for n < len(b) && offset < size {
		content, begin, err := a.blockAt(member, offset)
		if err != nil {
			return n, err
		}
		k := copy(b[n:], content[offset-begin:])
		n += k
		offset += int64(k)
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}
