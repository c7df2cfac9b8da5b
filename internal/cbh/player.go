package cbh

import "cbkit/model"

// Players are the players of a .cbp file. Payload, 58 bytes, little-endian:
//
//	0 last name, 30 bytes | first name, 20 bytes | count i32 | first i32
//
// Order: last name, first name. Source: docs/formats/cbh-entities.md 7.1, 7.2.
var Players = EntityCodec[model.Player]{
	EntityFile: EntityFile{
		Ext: ".cbp", Name: "player", Size: 58,
		order: []sortKey{textKey(0, 30), textKey(30, 20)},
	},
	fields: layout[model.Player]{
		textField("last name", 0, 30, func(p *model.Player) *string { return &p.LastName }),
		textField("first name", 30, 20, func(p *model.Player) *string { return &p.FirstName }),
	},
}
