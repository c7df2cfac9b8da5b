package parquet

import (
	pq "github.com/parquet-go/parquet-go"

	"cbkit/model"
)

// vector collects the values of one leaf of a table for the rows of a batch.
// Its memory is used again.
type vector struct {
	values []pq.Value
	depth  int // the definition level of a value that is there
	text   []byte
}

// reset forgets all values.
func (v *vector) reset() { v.values, v.text = v.values[:0], v.text[:0] }

// put adds a value that is there.
func (v *vector) put(value pq.Value) {
	value.SetDefinitionLevel(v.depth)
	v.values = append(v.values, value)
}

// null adds a value that is not there.
func (v *vector) null() { v.values = append(v.values, pq.Value{}) }

func (v *vector) int32(n int32)     { v.put(pq.Int32Value(n)) }
func (v *vector) int64(n int64)     { v.put(pq.Int64Value(n)) }
func (v *vector) float64(f float64) { v.put(pq.DoubleValue(f)) }
func (v *vector) bool(b bool)       { v.put(pq.BooleanValue(b)) }

// bytes adds a value that stays as it is until the batch is written.
func (v *vector) bytes(b []byte) { v.put(pq.ByteArrayValue(b)) }

// positive adds a number, nothing for 0.
func (v *vector) positive(n int32) {
	if n == 0 {
		v.null()
		return
	}
	v.int32(n)
}

// maybe adds a number that may not be known.
func (v *vector) maybe(n maybe) {
	if n == unknown {
		v.null()
		return
	}
	v.int32(int32(n))
}

// string adds a text, nothing for "".
func (v *vector) string(s string) {
	if s == "" {
		v.null()
		return
	}
	v.end(append(v.text, s...))
}

// end adds what was appended to v.text, and gives back the memory.
func (v *vector) end(text []byte) {
	from := len(v.text)
	v.text = text
	v.bytes(text[from:len(text):len(text)])
}

// copy adds a text that may change before the batch is written.
func (v *vector) copy(b []byte) { v.end(append(v.text, b...)) }

// player adds a name as [model.Player.String] has it, nothing for none.
func (v *vector) player(p model.Player) {
	switch {
	case p == (model.Player{}):
		v.null()
	case p.FirstName == "":
		v.string(p.LastName)
	default:
		v.end(append(append(append(v.text, p.LastName...), ", "...), p.FirstName...))
	}
}

// uci adds a move.
func (v *vector) uci(m model.Move, start *model.Position) {
	if m.Promotion() == model.NoPieceType {
		v.bytes(uciSquares(m, start))
		return
	}
	v.end(appendUCI(v.text, m, start))
}

// repeat makes the value that was added last element number i of a list or map.
func (v *vector) repeat(i int) { v.values[len(v.values)-1].SetRepetitionLevel(min(i, 1)) }

// elementText adds element number i, which is copied.
func (v *vector) elementText(i int, s string) {
	from := len(v.text)
	v.text = append(v.text, s...)
	v.bytes(v.text[from:len(v.text):len(v.text)])
	v.repeat(i)
}

// maybe is a number that may not be known.
type maybe int32

const unknown maybe = -1 << 31
