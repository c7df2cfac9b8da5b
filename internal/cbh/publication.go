package cbh

import (
	"encoding/binary"

	"cbkit/model"
)

// Sources are the sources of a .cbs file. Payload, 59 bytes, little-endian:
//
//	 0 title, 25 bytes | publisher, 16 bytes
//	41 publication date u32 | date u32 | version u8 | quality u8
//	51 count i32 | first i32
//
// Order: title. Source: docs/formats/cbh-entities.md 7.1, 7.2.
var Sources = EntityCodec[model.Publication]{
	EntityFile: EntityFile{
		Ext: ".cbs", Name: "source", Size: 59, DefaultSigned: true,
		order: []sortKey{textKey(0, 25)},
	},
	fields: layout[model.Publication]{
		textField("title", 0, 25, func(p *model.Publication) *string { return &p.Title }),
		textField("publisher", 25, 16, func(p *model.Publication) *string { return &p.Publisher }),
		dateField("publication date", 41, binary.LittleEndian, func(p *model.Publication) *model.Date { return &p.Published }),
		dateField("date", 45, binary.LittleEndian, func(p *model.Publication) *model.Date { return &p.Date }),
		byteField("version", 49, 0xFF, func(p *model.Publication) *uint8 { return &p.Version }),
		byteField("quality", 50, 0xFF, func(p *model.Publication) *model.Quality { return &p.Quality }),
	},
}
