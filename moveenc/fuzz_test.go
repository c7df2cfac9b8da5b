package moveenc_test

import (
	"bytes"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/moveenc"
)

// addSeeds adds every vector in every mode as a seed, split into the first
// byte and what follows the head.
func addSeeds(f *testing.F, add func(first byte, body []byte)) {
	seeds := [][]byte{unhex(vector7)}
	for _, v := range vectors {
		var g moveenc.Game
		must.Do(f, moveenc.Decode(unhex(v.hex), &g))
		for _, mode := range regularModes {
			rec := must.Get(moveenc.Append(nil, g.SetUp(), &g.Moves, &moveenc.Form{Mode: mode}))(f)
			seeds = append(seeds, rec)
		}
	}
	for _, rec := range seeds {
		add(rec[0], rec[moveenc.HeadSize:])
	}
}

// record puts a head with the right size before the body of a record.
func record(first byte, body []byte) []byte {
	size := moveenc.HeadSize + len(body)
	return append([]byte{first, byte(size >> 16), byte(size >> 8), byte(size)}, body...)
}

// Any bytes decode or give an error, and leave nothing behind with one.
func FuzzDecode(f *testing.F) {
	addSeeds(f, func(first byte, body []byte) { f.Add(record(first, body)) })
	f.Fuzz(func(t *testing.T, rec []byte) {
		var g moveenc.Game
		if err := moveenc.Decode(rec, &g); err != nil {
			if g.HasStart || g.Moves.Len() > 0 || !g.Form.IsZero() {
				t.Fatalf("%v, and yet %+v, %d moves, form %+v", err, g.SetUp(), g.Moves.Len(), g.Form)
			}
			return
		}
		for n, p := range board.Walk(g.SetUp(), &g.Moves) {
			m := g.Moves.Move(n)
			if !m.IsNull() && (p.PieceAt(m.From()) == model.NoPiece || p.PieceAt(m.From()).Color() != p.Turn()) {
				t.Fatalf("move %d: %v in %s", n+1, m, p.FEN())
			}
		}
	})
}

// Whatever decodes gives back its bytes, with the form that was found, and
// decodes to the same game without it.
func FuzzReencode(f *testing.F) {
	addSeeds(f, func(first byte, body []byte) { f.Add(first, body) })
	f.Fuzz(func(t *testing.T, first byte, body []byte) {
		if len(body) <= moveenc.MaxSize-moveenc.HeadSize {
			checkReencode(t, record(first, body))
		}
	})
}

// The same for records made from codes instead of bytes, so that the fuzzer
// finds moves more easily.
func FuzzCodes(f *testing.F) {
	var setUps [][]byte
	for _, v := range vectors {
		if rec := unhex(v.hex); rec[0] != 0 {
			setUps = append(setUps, rec[moveenc.HeadSize:moveenc.HeadSize+28])
		}
	}
	setUps = append(setUps, unhex(vector7)[moveenc.HeadSize:moveenc.HeadSize+36])
	f.Add(uint8(0), uint8(0), []byte{0xEC, 0x80, 0xFE, 0x80, 0xFF, 0xEC, 0x78, 0xFF, 0x01})
	f.Add(uint8(2), uint8(1), []byte{0xEB, 0x3F, 0x1F, 0x00, 0x11, 0x2A, 0xFF})
	f.Add(uint8(4), uint8(4), []byte{0x11, 0x23, 0x1C, 0xAF, 0xEB, 0x00, 0x00, 0x98, 0xFF})
	f.Add(uint8(10), uint8(5), []byte{0x78, 0xEC, 0xEB, 0x0C, 0x30, 0xFF})
	f.Fuzz(func(t *testing.T, mode, start uint8, codes []byte) {
		if mode >= 12 || len(codes) > 1<<20 {
			return
		}
		first, body := mode, []byte(nil)
		if i := int(start) % (len(setUps) + 1); i < len(setUps) {
			first, body = first|0x40, append(body, setUps[i]...)
		}
		checkReencode(t, record(first, append(body, moveenc.Encipher(moveenc.Mode(mode), codes)...)))
	})
}

func checkReencode(t *testing.T, rec []byte) {
	var g, again moveenc.Game
	if moveenc.Decode(rec, &g) != nil {
		return
	}
	form, err := moveenc.DecodeForm(moveenc.AppendForm(nil, &g.Form))
	if err != nil {
		t.Fatalf("form %+v: %v", g.Form, err)
	}
	got, err := moveenc.Append(nil, g.SetUp(), &g.Moves, &form)
	if err != nil || !bytes.Equal(got, rec) {
		t.Fatalf("%+v: %v\n got %x\nwant %x", form, err, got, rec)
	}
	// The rooks of a Chess960 game may be known from its form alone.
	plain := moveenc.Form{Start: form.Start}
	got = must.Get(moveenc.Append(nil, g.SetUp(), &g.Moves, &plain))(t)
	if err := moveenc.Decode(got, &again); err != nil || !again.Moves.Equal(&g.Moves) {
		t.Fatalf("plain %x: %v", got, err)
	}
}
