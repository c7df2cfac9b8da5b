package cbh

import (
	"encoding/binary"
)

// ExtEntities are the entities that a record of a .cbj file refers to, -1 for
// none: what [ExtRecord] says of them, without the rest of the record.
type ExtEntities struct {
	WhiteTeam, BlackTeam, GameTitle int32
}

// DecodeExtEntities reads a record from all of b, whose length is the record
// size of the file.
func DecodeExtEntities(b []byte) ExtEntities {
	at := func(offset int) int32 {
		if len(b) < offset+4 {
			return -1
		}
		return max(int32(binary.BigEndian.Uint32(b[offset:])), -1)
	}
	return ExtEntities{WhiteTeam: at(0), BlackTeam: at(4), GameTitle: at(ExtRecordSize - 4)}
}
