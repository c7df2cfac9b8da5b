package cbh

import (
	"fmt"
	"slices"
	"strings"

	"cbkit/internal/wire"
	"cbkit/model"
)

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

// ParseDatabaseLeftover is the inverse of Append; it accepts nothing that
// Append would not write. The leftover uses parts of b.
func ParseDatabaseLeftover(b []byte) (*DatabaseLeftover, error) {
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
