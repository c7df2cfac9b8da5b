package ctg

import (
	"cbkit/internal/wire"
	"cbkit/model"
)

// Leftover is what a book stores about itself as a whole and the model has no
// word for, so that a rewritten book can be the same to the byte.
type Leftover struct {
	// Header is the header page.
	Header []byte
	// CTB and CTO are the files of the directory, for the numbers of the pages.
	CTB, CTO []byte
	// Ini is the .ini file beside the book, empty if there is none.
	Ini []byte
}

// Pack returns the leftover in the model's form:
//
//	four times: u32 size | bytes
func (l *Leftover) Pack() *model.Leftover {
	var data []byte
	for _, part := range [][]byte{l.Header, l.CTB, l.CTO, l.Ini} {
		data = wire.AppendU32BE(data, uint32(len(part)))
		data = append(data, part...)
	}
	return &model.Leftover{Format: Format, Data: data}
}

// UnpackLeftover returns nil if l is none of this format, or damaged.
func UnpackLeftover(l *model.Leftover) *Leftover {
	if l.From(Format) == nil {
		return nil
	}
	c := wire.NewCursor(l.From(Format))
	var out Leftover
	for _, part := range []*[]byte{&out.Header, &out.CTB, &out.CTO, &out.Ini} {
		*part = c.Bytes(int(c.U32BE()))
	}
	if c.Err() != nil || c.Len() != 0 {
		return nil
	}
	return &out
}
