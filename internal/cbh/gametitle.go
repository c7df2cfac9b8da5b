package cbh

import (
	"fmt"

	"cbkit/model"
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
	c := EntityCodec[model.GameTitle]{
		EntityFile: EntityFile{Ext: ".cbl", Name: "game title", Size: titles*titleSize + useSize},
	}
	for i := range titles {
		name := fmt.Sprintf("title %d", i+1)
		c.order = append(c.order, textKey(i*titleSize, titleSize))
		c.fields = append(c.fields, textField(name, i*titleSize, titleSize,
			func(t *model.GameTitle) *string { return &t.Titles[i] }))
	}
	return c
}
