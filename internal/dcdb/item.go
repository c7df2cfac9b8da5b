package dcdb

// The first bytes of a game and of its items. (docs/formats/dcdb.md 4)
const (
	markStandard = 0x00 // the game begins in the standard position
	markFEN      = 0x01 // a length and a FEN follow

	tagOldBegin = 0x80 // the description's begin of a variation, never written
	tagBegin    = 0x84
	tagEnd      = 0x85
	tagComment  = 0x86
	tagNAGs     = 0x87
	tagNull     = 0x88
)

// MaxDepth is how deep variations may be nested. The format has no limit; this
// one guards against damage.
const MaxDepth = 1000
