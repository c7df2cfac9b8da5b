package cbh

import "sync"

// symbols are the characters in the private use area that ChessBase writes in
// UTF-8 and PGN for the figurines and signs of its fonts, by the byte that
// stands for each in a Windows-1252 annotation (docs/formats/cba.md 6). Bytes without
// a row (04, 90, 96, A9, BA, D7 among them) are what they are in Windows-1252.
var symbols = []struct {
	code byte
	char rune
}{
	{0x82, 0xE013}, // with attack
	{0x83, 0xE012}, // initiative
	{0x84, 0xE017}, // counterplay
	{0x85, 0xE00D}, // with the idea
	{0x86, 0xE023}, // space
	{0x87, 0xE01D}, // zugzwang
	{0x89, 0xE02D}, // meaning unknown
	{0x91, 0xE018}, // file
	{0x92, 0xE019}, // diagonal
	{0x93, 0xE01C}, // time trouble
	{0x94, 0xE01E}, // centre
	{0x95, 0xE02A}, // meaning unknown
	{0x99, 0xE021}, // only move
	{0x9B, 0xE00C}, // meaning unknown
	{0x9E, 0xE005}, // diagram
	{0xA2, 0xE024}, // king
	{0xA3, 0xE025}, // queen
	{0xA4, 0xE028}, // knight
	{0xA5, 0xE027}, // bishop
	{0xA6, 0xE026}, // rook
	{0xA7, 0xE029}, // pawn
	{0xAA, 0xE01B}, // with
	{0xAB, 0xE00E}, // queenside
	{0xAC, 0xE01F}, // endgame
	{0xAD, 0xE001}, // bishop pair
	{0xAE, 0xE002}, // bishops of opposite colours
	{0xAF, 0xE003}, // bishops of the same colour
	{0xB0, 0xE000}, // compensation
	{0xB1, 0xE00A}, // White is better
	{0xB2, 0xE02F}, // White is slightly better
	{0xB3, 0xE02E}, // Black is slightly better
	{0xB5, 0xE01A}, // Black is better
	{0xB9, 0xE020}, // better is
	{0xBB, 0xE00F}, // kingside
	{0xF7, 0xE009}, // unclear
	{0xFE, 0xE008}, // passed pawn
}

// symbolPage is Windows-1252 with the symbols in place of the characters whose
// bytes they use.
var symbolPage = sync.OnceValue(func() *pageTable {
	char := windows1252().char
	for _, s := range symbols {
		char[s.code] = s.char
	}
	return newPageTable("1252 with symbols", func(b byte) rune { return char[b] })
})
