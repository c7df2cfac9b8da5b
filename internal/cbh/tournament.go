package cbh

import (
	"encoding/binary"

	"cbkit/model"
)

// Tournaments are the tournaments of a .cbt file. Payload, 90 bytes,
// little-endian:
//
//	 0 title, 40 bytes | place, 30 bytes | start date u32
//	74 type u8: bits 0-4 system, 5 blitz, 6 rapid, 7 correspondence
//	75 team u8, bit 0 | nation u8 | 0 | category u8
//	79 flags u8: bit 0 complete (old), 1 complete, 2 board points, 3 three points
//	80 rounds u8 | 0 | count i32 | first i32
//
// Order: year (later first), title, place, month and day (later first). Source:
// docs/formats/cbh-entities.md 7.1, 7.2. More about a tournament is in the .cbtt file:
// [TournamentExtras].
var Tournaments = EntityCodec[model.Tournament]{
	EntityFile: EntityFile{
		Ext: ".cbt", Name: "tournament", Size: 90, DefaultSigned: true,
		order: []sortKey{
			descendingKey(70, 9, 0xFFF), textKey(0, 40), textKey(40, 30),
			descendingKey(70, 5, 15), descendingKey(70, 0, 31),
		},
	},
	fields: layout[model.Tournament]{
		textField("title", 0, 40, func(t *model.Tournament) *string { return &t.Title }),
		textField("place", 40, 30, func(t *model.Tournament) *string { return &t.Place }),
		dateField("start date", 70, binary.LittleEndian, func(t *model.Tournament) *model.Date { return &t.Start }),
		byteField("system", 74, 31, func(t *model.Tournament) *model.EventSystem { return &t.Type.System }),
		bitField("blitz", 74, 1<<5, func(t *model.Tournament) *bool { return &t.Type.Blitz }),
		bitField("rapid", 74, 1<<6, func(t *model.Tournament) *bool { return &t.Type.Rapid }),
		bitField("correspondence", 74, 1<<7, func(t *model.Tournament) *bool { return &t.Type.Correspondence }),
		bitField("team", 75, 1, func(t *model.Tournament) *bool { return &t.Type.Team }),
		byteField("nation", 76, 0xFF, func(t *model.Tournament) *model.Nation { return &t.Nation }),
		byteField("category", 78, 0xFF, func(t *model.Tournament) *uint8 { return &t.Category }),
		bitField("complete, old mark", 79, 1<<0, func(t *model.Tournament) *bool { return &t.LegacyComplete }),
		bitField("complete", 79, 1<<1, func(t *model.Tournament) *bool { return &t.Complete }),
		bitField("board points", 79, 1<<2, func(t *model.Tournament) *bool { return &t.BoardPoints }),
		bitField("three points", 79, 1<<3, func(t *model.Tournament) *bool { return &t.ThreePoints }),
		byteField("rounds", 80, 0xFF, func(t *model.Tournament) *uint8 { return &t.Rounds }),
	},
}
