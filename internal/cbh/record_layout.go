package cbh

import (
	"encoding/binary"
	"fmt"

	"cbkit/internal/brief"
	"cbkit/model"
)

// layout is what is known of the bytes of a record of fixed size; reserved
// bytes lie between its fields.
type layout[T any] []field[T]

// field is one field of a record, as bytes and inside a value of type T.
type field[T any] struct {
	Field
	// text finds a string, behind whose NUL may be anything; nil if it is none.
	text func(v *T) *string
	// read sets the field of v from its bytes.
	read func(v *T, b []byte, cp CodePage)
	// write sets the bytes from the field of v and returns what did not fit.
	// Bits that mean nothing stay as they are.
	write func(b []byte, v *T, cp CodePage) model.Loss
	// equal reports whether both values have the same in the field.
	equal func(v, w *T) bool
}

// nothing is lost where a value fits.
var nothing model.Loss

func lost(what string) model.Loss { return model.Loss{Kind: model.LostField, What: what} }

// read sets the fields of v that lie inside of b.
func (l layout[T]) read(v *T, b []byte, cp CodePage) {
	for i := range l {
		f := &l[i]
		if !f.In(b) {
			continue
		}
		if part := f.bytes(b); f.text != nil {
			*f.text(v) = cp.DecodeField(part)
		} else {
			f.read(v, part, cp)
		}
	}
}

// nameAt returns the name of the field that a byte of a record belongs to, "" if
// there is none.
func (l layout[T]) nameAt(offset int) string {
	for i := range l {
		if f := &l[i].Field; offset >= f.At && offset < f.End() {
			return f.Name
		}
	}
	return ""
}

// merge writes the fields of v over b, except those that b says already: their
// bytes stay as they are.
func (l layout[T]) merge(b []byte, v *T, cp CodePage) []model.Loss {
	var old T
	l.read(&old, b, cp)
	var losses []model.Loss
	for i := range l {
		f := &l[i]
		if f.equal(v, &old) {
			continue
		}
		loss := lost("has no place in this version of the file")
		if f.In(b) {
			loss = f.write(f.bytes(b), v, cp)
		}
		if loss != nothing {
			loss.Field = f.Name
			losses = append(losses, loss)
		}
	}
	return losses
}

// newField returns a field whose value in T is found by of.
func newField[T any, V comparable](name string, at, size int, of func(*T) *V,
	read func(b []byte, cp CodePage) V,
	write func(b []byte, v V, cp CodePage) model.Loss,
) field[T] {
	return field[T]{
		Field: Field{Name: name, At: at, Size: size},
		read:  func(v *T, b []byte, cp CodePage) { *of(v) = read(b, cp) },
		write: func(b []byte, v *T, cp CodePage) model.Loss { return write(b, *of(v), cp) },
		equal: func(v, w *T) bool { return *of(v) == *of(w) },
	}
}

// reservedField has bytes that say nothing.
func reservedField[T any](name string, at, size int) field[T] {
	return field[T]{
		Field: Field{Name: name, At: at, Size: size},
		read:  func(*T, []byte, CodePage) {},
		write: func([]byte, *T, CodePage) model.Loss { return nothing },
		equal: func(*T, *T) bool { return true },
	}
}

// textField is a string in a field of fixed size that ends with a NUL.
func textField[T any](name string, at, size int, of func(*T) *string) field[T] {
	return newTextField(name, at, size, size-1, of)
}

// fullTextField is a string that may fill its field without a NUL.
func fullTextField[T any](name string, at, size int, of func(*T) *string) field[T] {
	return newTextField(name, at, size, size, of)
}

func newTextField[T any](name string, at, size, room int, of func(*T) *string) field[T] {
	f := newField(name, at, size, of,
		func(b []byte, cp CodePage) string { return cp.DecodeField(b) },
		func(b []byte, s string, cp CodePage) model.Loss {
			if !cp.putField(b, s, room) {
				return nothing
			}
			what := brief.Sprintf("%q is cut to %q", s, cp.DecodeField(b))
			return model.Loss{Kind: model.LostTextEnd, What: what}
		})
	f.text = of
	return f
}

// dateField is a packed date in 32 bits.
func dateField[T any](name string, at int, order binary.ByteOrder, of func(*T) *model.Date) field[T] {
	return newField(name, at, 4, of,
		func(b []byte, _ CodePage) model.Date { return UnpackDate(order.Uint32(b)) },
		func(b []byte, d model.Date, _ CodePage) model.Loss {
			v, ok := PackDate(d)
			order.PutUint32(b, order.Uint32(b)&^dateBits|v)
			if !ok {
				return lost(fmt.Sprintf("%v becomes %v", d, UnpackDate(v)))
			}
			return nothing
		})
}

// numberField is a signed number in 32 bits, little-endian.
func numberField[T any](name string, at int, of func(*T) *int32) field[T] {
	return newField(name, at, 4, of,
		func(b []byte, _ CodePage) int32 { return int32(binary.LittleEndian.Uint32(b)) },
		func(b []byte, v int32, _ CodePage) model.Loss {
			binary.LittleEndian.PutUint32(b, uint32(v))
			return nothing
		})
}

// byteField is a number in those bits of a byte that are set in mask, from bit
// 0 on.
func byteField[T any, V ~uint8](name string, at int, mask uint8, of func(*T) *V) field[T] {
	return newField(name, at, 1, of,
		func(b []byte, _ CodePage) V { return V(b[0] & mask) },
		func(b []byte, v V, _ CodePage) model.Loss {
			if uint8(v) > mask {
				b[0] &^= mask
				return lost(fmt.Sprintf("%d is more than %d", v, mask))
			}
			b[0] = b[0]&^mask | uint8(v)
			return nothing
		})
}

// countryField is the nation of a tournament; of one that has none, the nation that its
// place says. Where none is stored beside such a place, that stays as it is.
func countryField(name string, at int) field[model.Tournament] {
	f := byteField(name, at, 0xFF, func(t *model.Tournament) *model.Nation { return &t.Nation })
	write, equal := f.write, f.equal
	f.write = func(b []byte, v *model.Tournament, cp CodePage) model.Loss {
		says := model.Tournament{Nation: v.Country()}
		return write(b, &says, cp)
	}
	f.equal = func(v, w *model.Tournament) bool { return equal(v, w) && v.Country() == w.Country() }
	return f
}

// bitField is one bit of a byte.
func bitField[T any](name string, at int, bit uint8, of func(*T) *bool) field[T] {
	return newField(name, at, 1, of,
		func(b []byte, _ CodePage) bool { return b[0]&bit != 0 },
		func(b []byte, on bool, _ CodePage) model.Loss {
			if b[0] &^= bit; on {
				b[0] |= bit
			}
			return nothing
		})
}

// fail returns the error of a decoder: offset counts from the first byte it
// was given. [wire.Locate] adds the file.
func fail(offset int64, field string, err error) error {
	return &model.FormatError{Offset: offset, Record: -1, Field: field, Err: err}
}

// truncated is the error for b that ends too early.
func truncated(b []byte) error { return fail(int64(len(b)), "", model.ErrTruncated) }
