package cbh

import (
	"encoding/binary"
	"fmt"

	"cbkit/model"
)

// Players are the players of a .cbp file. Payload, 58 bytes, little-endian:
//
//	0 last name, 30 bytes | first name, 20 bytes | count i32 | first i32
//
// Order: last name, first name. Source: docs/formats/cbh-entities.md 7.1, 7.2.
var Players = newEntityCodec(
	EntityFile{
		Ext: ".cbp", Name: "player", Size: 58,
		order: []sortKey{textKey(0, 30), textKey(30, 20)},
	},
	layout[model.Player]{
		textField("last name", 0, 30, func(p *model.Player) *string { return &p.LastName }),
		textField("first name", 30, 20, func(p *model.Player) *string { return &p.FirstName }),
	},
)

// PlayerName is the part of a player's payload that has the two names.
func PlayerName(payload []byte) []byte { return payload[:min(50, len(payload))] }

// PlayerParts are the two names in it, without what follows their ends.
func PlayerParts(payload []byte) (last, first []byte) {
	name := PlayerName(payload)
	cut := min(30, len(name))
	return beforeNUL(name[:cut]), beforeNUL(name[cut:])
}

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
var Tournaments = newEntityCodec(
	EntityFile{
		Ext: ".cbt", Name: "tournament", Size: 90, DefaultSigned: true,
		order: []sortKey{
			descendingKey(70, 9, 0xFFF), textKey(0, 40), textKey(40, 30),
			descendingKey(70, 5, 15), descendingKey(70, 0, 31),
		},
	},
	layout[model.Tournament]{
		textField("title", 0, 40, func(t *model.Tournament) *string { return &t.Title }),
		textField("place", 40, 30, func(t *model.Tournament) *string { return &t.Place }),
		dateField("start date", 70, binary.LittleEndian, func(t *model.Tournament) *model.Date { return &t.Start }),
		byteField("system", 74, 31, func(t *model.Tournament) *model.EventSystem { return &t.Type.System }),
		bitField("blitz", 74, 1<<5, func(t *model.Tournament) *bool { return &t.Type.Blitz }),
		bitField("rapid", 74, 1<<6, func(t *model.Tournament) *bool { return &t.Type.Rapid }),
		bitField("correspondence", 74, 1<<7, func(t *model.Tournament) *bool { return &t.Type.Correspondence }),
		bitField("team", 75, 1, func(t *model.Tournament) *bool { return &t.Type.Team }),
		countryField("nation", 76),
		byteField("category", 78, 0xFF, func(t *model.Tournament) *uint8 { return &t.Category }),
		bitField("complete, old mark", 79, 1<<0, func(t *model.Tournament) *bool { return &t.LegacyComplete }),
		bitField("complete", 79, 1<<1, func(t *model.Tournament) *bool { return &t.Complete }),
		bitField("board points", 79, 1<<2, func(t *model.Tournament) *bool { return &t.BoardPoints }),
		bitField("three points", 79, 1<<3, func(t *model.Tournament) *bool { return &t.ThreePoints }),
		byteField("rounds", 80, 0xFF, func(t *model.Tournament) *uint8 { return &t.Rounds }),
	},
)

// Annotators are the annotators of a .cbc file. Payload, 53 bytes,
// little-endian:
//
//	0 name, 45 bytes | count i32 | first i32
//
// Order: name. Source: docs/formats/cbh-entities.md 7.1, 7.2.
var Annotators = newEntityCodec(
	EntityFile{
		Ext: ".cbc", Name: "annotator", Size: 53, DefaultSigned: true,
		order: []sortKey{textKey(0, 45)},
	},
	layout[model.Annotator]{
		textField("name", 0, 45, func(a *model.Annotator) *string { return &a.Name }),
	},
)

// Sources are the sources of a .cbs file. Payload, 59 bytes, little-endian:
//
//	 0 title, 25 bytes | publisher, 16 bytes
//	41 publication date u32 | date u32 | version u8 | quality u8
//	51 count i32 | first i32
//
// Order: title. Source: docs/formats/cbh-entities.md 7.1, 7.2.
var Sources = newEntityCodec(
	EntityFile{
		Ext: ".cbs", Name: "source", Size: 59, DefaultSigned: true,
		order: []sortKey{textKey(0, 25)},
	},
	layout[model.Publication]{
		textField("title", 0, 25, func(p *model.Publication) *string { return &p.Title }),
		textField("publisher", 25, 16, func(p *model.Publication) *string { return &p.Publisher }),
		dateField("publication date", 41, binary.LittleEndian, func(p *model.Publication) *model.Date { return &p.Published }),
		dateField("date", 45, binary.LittleEndian, func(p *model.Publication) *model.Date { return &p.Date }),
		byteField("version", 49, 0xFF, func(p *model.Publication) *uint8 { return &p.Version }),
		byteField("quality", 50, 0xFF, func(p *model.Publication) *model.Quality { return &p.Quality }),
	},
)

// Teams are the teams of a .cbe file. Payload, 63 bytes, little-endian:
//
//	 0 title, 45 bytes | number i32 | season u8, bit 0 | year i32 | nation u8
//	55 count i32 | first i32
//
// A title may fill its field without a NUL: five real ones do.
//
// Order: title, number, seasons before single years, year, nation. Source:
// docs/formats/cbh-entities.md 7.1, 7.2.
var Teams = newEntityCodec(
	EntityFile{
		Ext: ".cbe", Name: "team", Size: 63,
		order: []sortKey{
			textKey(0, 45), numberKey(45), setFirst(byteKey(49, 1)), numberKey(50), byteKey(54, 0xFF),
		},
	},
	layout[model.Team]{
		fullTextField("title", 0, 45, func(t *model.Team) *string { return &t.Title }),
		numberField("number", 45, func(t *model.Team) *int32 { return &t.Number }),
		bitField("season", 49, 1, func(t *model.Team) *bool { return &t.Season }),
		numberField("year", 50, func(t *model.Team) *int32 { return &t.Year }),
		byteField("nation", 54, 0xFF, func(t *model.Team) *model.Nation { return &t.Nation }),
	},
)

const (
	titles    = len(model.GameTitle{}.Titles)
	titleSize = 200 // of a title in one language
)

// GameTitles are the game titles of a .cbl file. Payload, 1608 bytes,
// little-endian:
//
//	0 title × 8, 200 bytes each | count i32 | first i32
//
// Order: the titles. Source: docs/formats/cbh-entities.md 7.1, 7.2.
var GameTitles = newGameTitles()

func newGameTitles() EntityCodec[model.GameTitle] {
	file := EntityFile{Ext: ".cbl", Name: "game title", Size: titles*titleSize + EntityUseSize}
	var fields layout[model.GameTitle]
	for i := range titles {
		name := fmt.Sprintf("title %d", i+1)
		file.order = append(file.order, textKey(i*titleSize, titleSize))
		fields = append(fields, textField(name, i*titleSize, titleSize,
			func(t *model.GameTitle) *string { return &t.Titles[i] }))
	}
	return newEntityCodec(file, fields)
}
