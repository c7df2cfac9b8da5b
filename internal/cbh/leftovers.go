package cbh

import (
	"fmt"
	"slices"
	"strings"

	"cbkit/internal/wire"
	"cbkit/model"
)

// What the headers of a record say about the places of its parts is not worth
// keeping: the places change with every copy. In a leftover the 64-bit place
// of the moves is only there (1) or not (0), as version 8 of the .cbj file has
// it in some games (docs/formats/cbh-entities.md 5); all other places are 0, and a
// checksum that was right is right for that.

// AppendGameLeftover appends what is kept of the headers of a game,
// model.GameLeftovers.Header: the .cbh record and, behind it, the .cbj record
// in size bytes; size 0 is none.
func AppendGameLeftover(dst []byte, r GameRecord, ext ExtRecord, size int) []byte {
	r.MovesOffset, r.AnnotationsOffset = 0, 0
	return appendExtLeftover(r.Append(dst), ext, size)
}

// AppendTextLeftover is the same for guiding texts,
// model.TextLeftovers.Header.
func AppendTextLeftover(dst []byte, r TextRecord, ext ExtRecord, size int) []byte {
	r.Offset = 0
	return appendExtLeftover(r.Append(dst), ext, size)
}

func appendExtLeftover(dst []byte, ext ExtRecord, size int) []byte {
	if size == 0 {
		return dst
	}
	ext.MovesOffset = min(ext.MovesOffset, 1)
	ext.SetAnnotationsOffset(0)
	return ext.Append(dst, size)
}

// SetAnnotationsOffset sets the place of the annotations. A checksum that was
// right stays right, a wrong one stays what it is.
func (r *ExtRecord) SetAnnotationsOffset(place uint64) {
	r.keepChecksum(func() { r.AnnotationsOffset = place })
}

// SetMedia sets the place of a list of media files in the same way.
func (r *ExtRecord) SetMedia(place int32) {
	r.keepChecksum(func() { r.Media = place })
}

// SetMaterialWords sets both material words in the same way.
func (r *ExtRecord) SetMaterialWords(words [2]uint32) {
	r.keepChecksum(func() { r.Material = words })
}

// keepChecksum makes a change under the checksum.
func (r *ExtRecord) keepChecksum(change func()) {
	right := r.Checksum == r.Sum()
	change()
	if right {
		r.Checksum = r.Sum()
	}
}

// DatabaseLeftover is what a .cbh database stores besides its records and
// entities: the headers of its files, and the small files as a whole. What is
// nil has no file. It travels in the data of a model.Leftover.
type DatabaseLeftover struct {
	Games       *FileHeader  // .cbh
	Ext         *ExtHeader   // .cbj
	Moves       *BlockHeader // .cbg
	Annotations *BlockHeader // .cba
	// Entities are the headers of the files in the order of EntityFiles.
	Entities [6]*EntityHeader

	// Records, ExtRecords and Slots are the numbers of records that the .cbh,
	// .cbj and entity files have, which the headers may not say. Records of
	// the .cbj file behind the last one of the .cbh file do not count.
	Records, ExtRecords int32
	Slots               [6]int32

	// Whole files.
	TournamentExtras []byte // .cbtt
	Media            []byte // .cbm
	Examined         []byte // .flags
	Settings         []byte // .ini

	// Others are the extensions of the other files of the database, such as
	// ".cit": its boosters, and files of the kinds above that are damaged.
	Others []string
}

// Append appends the leftover as bytes: for each file that is there
//
//	length of the extension u8 | extension | length u32 BE | what is kept of it
//
// in the order of leftoverParts. Of .cbh, .cbj and entity files the number of
// records is kept in front of the header, u32 BE.
func (l *DatabaseLeftover) Append(dst []byte) []byte {
	for _, p := range leftoverParts {
		if b, there := p.bytes(l); there {
			dst = append(dst, uint8(len(p.ext)))
			dst = append(dst, p.ext...)
			dst = wire.AppendU32BE(dst, uint32(len(b)))
			dst = append(dst, b...)
		}
	}
	return dst
}

// DecodeDatabaseLeftover is the inverse of Append; it accepts nothing that
// Append would not write. The leftover uses parts of b.
func DecodeDatabaseLeftover(b []byte) (*DatabaseLeftover, error) {
	l := new(DatabaseLeftover)
	rest := leftoverParts
	c := wire.NewCursor(b)
	for c.Len() > 0 {
		ext := string(c.Bytes(int(c.U8())))
		content := c.Sub(int(c.U32BE()))
		if c.Err() != nil {
			return nil, c.Err()
		}
		i := slices.IndexFunc(rest, func(p leftoverPart) bool { return p.ext == ext })
		if i < 0 {
			return nil, fail(content.Offset(), "file", fmt.Errorf("%q is unknown or out of order: %w", ext, model.ErrCorrupt))
		}
		if err := rest[i].set(l, content.Rest()); err != nil {
			return nil, err
		}
		rest = rest[i+1:]
	}
	return l, nil
}

// leftoverPart is one file in a DatabaseLeftover.
type leftoverPart struct {
	ext string
	// bytes returns what is kept of the file, false if there is no file.
	bytes func(*DatabaseLeftover) (b []byte, there bool)
	set   func(l *DatabaseLeftover, b []byte) error
}

// leftoverParts are all files in the order of Append. The last one stands for
// the list of others.
var leftoverParts = func() []leftoverPart {
	list := []leftoverPart{
		countedPart(headerPart(".cbh", func(l *DatabaseLeftover) **FileHeader { return &l.Games }, DecodeFileHeader),
			func(l *DatabaseLeftover) *int32 { return &l.Records }),
		countedPart(headerPart(".cbj", func(l *DatabaseLeftover) **ExtHeader { return &l.Ext }, DecodeExtHeader),
			func(l *DatabaseLeftover) *int32 { return &l.ExtRecords }),
		headerPart(".cbg", func(l *DatabaseLeftover) **BlockHeader { return &l.Moves }, DecodeBlockHeader),
		headerPart(".cba", func(l *DatabaseLeftover) **BlockHeader { return &l.Annotations }, DecodeBlockHeader),
	}
	for i, f := range EntityFiles {
		list = append(list, countedPart(headerPart(f.Ext,
			func(l *DatabaseLeftover) **EntityHeader { return &l.Entities[i] }, DecodeEntityHeader),
			func(l *DatabaseLeftover) *int32 { return &l.Slots[i] }))
	}
	return append(list,
		wholePart(".cbtt", func(l *DatabaseLeftover) *[]byte { return &l.TournamentExtras }),
		wholePart(".cbm", func(l *DatabaseLeftover) *[]byte { return &l.Media }),
		wholePart(".flags", func(l *DatabaseLeftover) *[]byte { return &l.Examined }),
		wholePart(".ini", func(l *DatabaseLeftover) *[]byte { return &l.Settings }),
		othersPart())
}()

// header is a pointer to a type of header.
type header[H any] interface {
	*H
	Append(dst []byte) []byte
}

// headerPart is a file of which the header is kept.
func headerPart[H any, P header[H]](ext string, of func(*DatabaseLeftover) *P, decode func([]byte) (H, error)) leftoverPart {
	return leftoverPart{
		ext: ext,
		bytes: func(l *DatabaseLeftover) ([]byte, bool) {
			if h := *of(l); h != nil {
				return h.Append(nil), true
			}
			return nil, false
		},
		set: func(l *DatabaseLeftover, b []byte) error {
			h, err := decode(b)
			if err != nil {
				return wire.Locate(err, ext, 0, -1)
			}
			p := P(&h)
			if size := len(p.Append(nil)); size != len(b) {
				err := fail(int64(size), "header", fmt.Errorf("%d bytes too many: %w", len(b)-size, model.ErrCorrupt))
				return wire.Locate(err, ext, 0, -1)
			}
			*of(l) = p
			return nil
		},
	}
}

// countedPart puts the number of records in front of what is kept of a file.
func countedPart(p leftoverPart, of func(*DatabaseLeftover) *int32) leftoverPart {
	return leftoverPart{
		ext: p.ext,
		bytes: func(l *DatabaseLeftover) ([]byte, bool) {
			header, there := p.bytes(l)
			return append(wire.AppendI32BE(nil, *of(l)), header...), there
		},
		set: func(l *DatabaseLeftover, b []byte) error {
			c := wire.NewCursor(b)
			*of(l) = c.I32BE()
			header := c.Rest()
			if c.Err() != nil {
				return wire.Locate(c.Err(), p.ext, 0, -1)
			}
			return p.set(l, header)
		},
	}
}

// wholePart is a file that is kept as a whole.
func wholePart(ext string, of func(*DatabaseLeftover) *[]byte) leftoverPart {
	return leftoverPart{
		ext:   ext,
		bytes: func(l *DatabaseLeftover) ([]byte, bool) { return *of(l), *of(l) != nil },
		set: func(l *DatabaseLeftover, b []byte) error {
			*of(l) = b
			return nil
		},
	}
}

// othersPart is the list of further extensions, each with a NUL behind it.
func othersPart() leftoverPart {
	return leftoverPart{
		bytes: func(l *DatabaseLeftover) (b []byte, there bool) {
			for _, ext := range l.Others {
				b = append(append(b, ext...), 0)
			}
			return b, len(b) > 0
		},
		set: func(l *DatabaseLeftover, b []byte) error {
			list, ended := strings.CutSuffix(string(b), "\x00")
			if !ended {
				return fail(int64(len(b)), "other files", model.ErrTruncated)
			}
			l.Others = strings.Split(list, "\x00")
			return nil
		},
	}
}

// ProvenFlags are the bits of GameRecord.Flags whose rule was seen to hold in
// real databases: starting position, variations, texts, symbols, squares,
// arrows, time spent, training, quotations, pawn structure, piece path and
// critical positions. (docs/formats/check.md)
const ProvenFlags = 0x3F | 1<<7 | 1<<9 | 1<<19 | 1<<20 | 1<<21 | 1<<24

// DerivedSize is the size of a Derived in bytes.
const DerivedSize = 17

// Derived is what the records of a game in the .cbh and .cbj files say about
// its moves and annotations. It travels in model.GameLeftovers.Derived, big-
// endian:
//
//	0 flags u32 | magnitude u16 | medals u16 | move count u8 | material u32 × 2
type Derived struct {
	Flags     uint32
	Magnitude uint16
	Medals    uint16
	MoveCount uint8
	Material  [2]uint32
}

// DerivedOf collects the values from both records.
func DerivedOf(r *GameRecord, ext *ExtRecord) Derived {
	return Derived{r.Flags, r.Magnitude, r.Medals, r.MoveCount, ext.Material}
}

// Put stores the values in both records.
func (d *Derived) Put(r *GameRecord, ext *ExtRecord) {
	r.Flags, r.Magnitude, r.Medals, r.MoveCount = d.Flags, d.Magnitude, d.Medals, d.MoveCount
	ext.SetMaterialWords(d.Material)
}

// Append appends the 17 bytes.
func (d *Derived) Append(dst []byte) []byte {
	dst = wire.AppendU32BE(dst, d.Flags)
	dst = wire.AppendU16BE(dst, d.Magnitude)
	dst = wire.AppendU16BE(dst, d.Medals)
	dst = append(dst, d.MoveCount)
	dst = wire.AppendU32BE(dst, d.Material[0])
	return wire.AppendU32BE(dst, d.Material[1])
}

// DecodeDerived is the inverse of Append; ok is false if b has another length.
func DecodeDerived(b []byte) (d Derived, ok bool) {
	if len(b) != DerivedSize {
		return d, false
	}
	c := wire.NewCursor(b)
	d = Derived{Flags: c.U32BE(), Magnitude: c.U16BE(), Medals: c.U16BE(), MoveCount: c.U8()}
	d.Material = [2]uint32{c.U32BE(), c.U32BE()}
	return d, c.Err() == nil
}
