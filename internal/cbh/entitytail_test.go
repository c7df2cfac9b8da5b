package cbh

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

func TestClearTails(t *testing.T) {
	testClearTails(t, &Players)
	testClearTails(t, &Tournaments)
	testClearTails(t, &Annotators)
	testClearTails(t, &Sources)
	testClearTails(t, &Teams)
	testClearTails(t, &GameTitles)
}

// testClearTails proves that tails mean nothing and that all else stays: what
// is written of a payload's value has no tails, and cleared bytes lie behind a
// NUL in a field that holds a string.
func testClearTails[T comparable](t *testing.T, c *EntityCodec[T]) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		// Zeros are frequent, so that strings end early.
		b := rapid.Map(rapid.Byte(), func(n byte) byte { return n * (n >> 7) })
		payload := rapid.SliceOfN(b, c.Size, c.Size).Draw(t, "payload")
		cleared := bytes.Clone(payload)
		c.ClearTails(cleared)
		if c.Decode(cleared, CodePage{}) != c.Decode(payload, CodePage{}) {
			t.Fatal("tails have a meaning")
		}
		for i := range payload {
			if payload[i] != cleared[i] && !endsBefore(payload, c.fields, i) {
				t.Fatalf("byte %d is no tail", i)
			}
		}
		fresh, _ := c.Append(nil, c.Decode(payload, CodePage{}), CodePage{})
		c.ClearTails(payload)
		again := bytes.Clone(fresh)
		if c.ClearTails(again); !bytes.Equal(again, fresh) {
			t.Fatal("a written payload has tails")
		}
	})
	c.ClearTails(nil) // too short for any field
}

// endsBefore reports whether the string around byte i ends before it.
func endsBefore[T any](b []byte, fields layout[T], i int) bool {
	for _, f := range fields {
		if f.text != nil && i >= f.At && i < f.End() {
			return bytes.IndexByte(b[f.At:i], 0) >= 0
		}
	}
	return false
}

func TestFieldAt(t *testing.T) {
	for offset, want := range map[int]string{
		0: "title", 69: "place", 70: "start date", 75: "team", 77: "", 80: "rounds", 82: "references", 89: "references",
	} {
		if got := Tournaments.FieldAt(offset); got != want {
			t.Errorf("byte %d: %q, want %q", offset, got, want)
		}
	}
}
