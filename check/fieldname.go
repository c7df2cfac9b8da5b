package check

// fieldStart is where a field begins in a record; it ends where the next one
// begins.
type fieldStart struct {
	offset int
	name   string
}

// The fields of the records of the .cbh and .cbj files
// (docs/formats/cbh-entities.md 3, 4, 5).
var (
	gameFields = []fieldStart{
		{0, "type"}, {1, "offset in .cbg"}, {5, "offset in .cba"},
		{9, "white player"}, {12, "black player"}, {15, "tournament"}, {18, "annotator"}, {21, "source"},
		{24, "date"}, {27, "result"}, {28, "line evaluation"}, {29, "round"}, {30, "subround"},
		{31, "white rating"}, {33, "black rating"}, {35, "opening"}, {37, "medals"}, {39, "flags"},
		{43, "magnitude"}, {45, "move count"},
	}
	textFields = []fieldStart{
		{0, "type"}, {1, "offset in .cbg"}, {5, "reserved"}, {7, "tournament"}, {10, "source"}, {13, "annotator"},
		{16, "round"}, {17, "subround"}, {18, "flags"}, {22, "reserved"},
	}
	extFields = []fieldStart{
		{0, "white team"}, {4, "black team"}, {8, "media"}, {12, "offset in .cba"}, {20, "material"},
		{28, "checksum"}, {30, "offset in .cbg"}, {38, "white rating type"}, {54, "black rating type"},
		{70, "unknown, 70"}, {74, "unknown, 74"}, {78, "save counter"}, {80, "creation"}, {88, "endgame"},
		{108, "last change"}, {116, "game title"}, {120, "tail"},
	}
	tournamentFields = []fieldStart{
		{0, "latitude"}, {8, "longitude"}, {16, "pattern"}, {50, "tie-break rules"}, {61, "end date"},
	}
)

// nameIn names the field of a byte.
func nameIn(fields []fieldStart, offset int) (name string) {
	for _, f := range fields {
		if f.offset <= offset {
			name = f.name
		}
	}
	return name
}

func gameFieldAt(offset int) string       { return nameIn(gameFields, offset) }
func textFieldAt(offset int) string       { return nameIn(textFields, offset) }
func extFieldAt(offset int) string        { return nameIn(extFields, offset) }
func tournamentFieldAt(offset int) string { return nameIn(tournamentFields, offset) }
