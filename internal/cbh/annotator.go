package cbh

import "cbkit/model"

// Annotators are the annotators of a .cbc file. Payload, 53 bytes,
// little-endian:
//
//	0 name, 45 bytes | count i32 | first i32
//
// Order: name. Source: docs/formats/cbh-entities.md 7.1, 7.2.
var Annotators = EntityCodec[model.Annotator]{
	EntityFile: EntityFile{
		Ext: ".cbc", Name: "annotator", Size: 53, DefaultSigned: true,
		order: []sortKey{textKey(0, 45)},
	},
	fields: layout[model.Annotator]{
		textField("name", 0, 45, func(a *model.Annotator) *string { return &a.Name }),
	},
}
