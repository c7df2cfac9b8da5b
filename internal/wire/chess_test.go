package wire_test

import (
	"bytes"
	"testing"

	"cbkit/internal/wire"
	"cbkit/model"
)

// 32 pieces have room, wherever they stand; one more has not, written or read.
func TestBoard(t *testing.T) {
	kinds := []model.PieceType{model.King, model.Queen, model.Rook, model.Bishop, model.Knight, model.Pawn}
	for first := range 33 {
		var squares, again [64]model.Piece
		for i := range 32 {
			squares[first+i] = model.NewPiece(model.Color(i%2), kinds[i%len(kinds)])
		}
		b, ok := wire.AppendBoard([]byte("x"), &squares)
		if !ok || len(b) != 1+wire.BoardSize {
			t.Fatalf("from square %d: %d bytes, %v", first, len(b), ok)
		}
		if err := wire.ParseBoard(b[1:], &again); err != nil || again != squares {
			t.Errorf("from square %d: %v, %v", first, again, err)
		}
		squares[(first+40)%64] = model.NewPiece(model.White, model.Pawn)
		if b, ok := wire.AppendBoard([]byte("x"), &squares); ok || string(b) != "x" {
			t.Errorf("33 pieces: %q, %v", b, ok)
		}
	}
	for _, bad := range [][]byte{
		bytes.Repeat([]byte{0x8c, 0x63, 0x18, 0xc6, 0x31}, 5)[:wire.BoardSize], // white kings everywhere
		append([]byte{0x80}, make([]byte, wire.BoardSize-1)...),                // a piece of number 0
		append([]byte{0xb8}, make([]byte, wire.BoardSize-1)...),                // of number 7
		nil,
	} {
		var squares [64]model.Piece
		if err := wire.ParseBoard(bad, &squares); err == nil {
			t.Errorf("%x is read", bad)
		}
	}
}

// Every number of nine bits is the type of an event, and comes back.
func TestEventType(t *testing.T) {
	for v := range uint16(1 << 9) {
		if got := wire.EventNumber(wire.EventType(v)); got != v {
			t.Errorf("%#x comes back as %#x", v, got)
		}
	}
	if got := wire.EventType(1<<5 | 1<<8 | 3); got != (model.EventType{System: 3, Blitz: true, Team: true}) {
		t.Errorf("%+v", got)
	}
}
