package search

import "cbkit/model"

// flag is what the flags of a game can say about its content.
type flag struct {
	name string
	mask uint32 // bits of the flag word; docs/formats/cbh-entities.md 6.5
	kind model.Kind
}

// flags are the names that [Annotated] takes.
var flags = []flag{
	{name: "setup", mask: 1 << 0},
	{name: "variations", mask: 1 << 1},
	{name: "text", mask: 1 << 2, kind: model.KindText},
	{name: "symbols", mask: 1 << 3, kind: model.KindSymbols},
	{name: "squares", mask: 1 << 4, kind: model.KindSquares},
	{name: "arrows", mask: 1 << 5, kind: model.KindArrows},
	{name: "time-spent", mask: 1 << 7, kind: model.KindTimeSpent},
	{name: "training", mask: 1 << 9, kind: model.KindTraining},
	{name: "sound", mask: 1 << 16},
	{name: "picture", mask: 1 << 17},
	{name: "video", mask: 1<<18 | 1<<26, kind: model.KindVideoTime},
	{name: "quotation", mask: 1 << 19, kind: model.KindQuotation},
	{name: "pawn-structure", mask: 1 << 20, kind: model.KindPawnStructure},
	{name: "piece-path", mask: 1 << 21, kind: model.KindPiecePath},
	{name: "clock", mask: 1<<22 | 1<<23, kind: model.KindClock},
	{name: "critical", mask: 1 << 24, kind: model.KindCritical},
	{name: "correspondence", mask: 1 << 25},
	{name: "chess960", mask: 1 << 27},
	{name: "web-link", mask: 1 << 28, kind: model.KindWebLink},
}

// flagNamed finds a flag.
func flagNamed(name string) (flag, bool) {
	for _, f := range flags {
		if f.name == name {
			return f, true
		}
	}
	return flag{}, false
}

// flagsOf returns the flags that annotations set.
func flagsOf(list []model.Annotation) uint32 {
	var all uint32
	for i := range list {
		kind := list[i].Value.Kind()
		for _, f := range flags {
			if f.kind != "" && f.kind == kind {
				all |= f.mask
			}
		}
	}
	return all
}
