package cbh

import "cbkit/model"

// Teams are the teams of a .cbe file. Payload, 63 bytes, little-endian:
//
//	 0 title, 45 bytes | number i32 | season u8, bit 0 | year i32 | nation u8
//	55 count i32 | first i32
//
// A title may fill its field without a NUL: five real ones do.
//
// Order: title, number, seasons before single years, year, nation. Source:
// docs/formats/cbh-entities.md 7.1, 7.2.
var Teams = EntityCodec[model.Team]{
	EntityFile: EntityFile{
		Ext: ".cbe", Name: "team", Size: 63,
		order: []sortKey{
			textKey(0, 45), numberKey(45), setFirst(byteKey(49, 1)), numberKey(50), byteKey(54, 0xFF),
		},
	},
	fields: layout[model.Team]{
		fullTextField("title", 0, 45, func(t *model.Team) *string { return &t.Title }),
		numberField("number", 45, func(t *model.Team) *int32 { return &t.Number }),
		bitField("season", 49, 1, func(t *model.Team) *bool { return &t.Season }),
		numberField("year", 50, func(t *model.Team) *int32 { return &t.Year }),
		byteField("nation", 54, 0xFF, func(t *model.Team) *model.Nation { return &t.Nation }),
	},
}
