package cbh

import (
	"encoding/binary"
	"fmt"

	"cbkit/internal/brief"
	"cbkit/model"
)

// newField returns a field whose value in T is found by of.
func newField[T any, V comparable](name string, at, size int, of func(*T) *V,
	read func(b []byte, cp CodePage) V,
	write func(b []byte, v V, cp CodePage) model.Loss,
) field[T] {
	return field[T]{
		name: name, at: at, size: size,
		read:  func(v *T, b []byte, cp CodePage) { *of(v) = read(b, cp) },
		write: func(b []byte, v *T, cp CodePage) model.Loss { return write(b, *of(v), cp) },
		equal: func(v, w *T) bool { return *of(v) == *of(w) },
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
	return newField(name, at, size, of,
		func(b []byte, cp CodePage) string { return cp.DecodeField(b) },
		func(b []byte, s string, cp CodePage) model.Loss {
			if !cp.putField(b, s, room) {
				return nothing
			}
			what := brief.Sprintf("%q is cut to %q", s, cp.DecodeField(b))
			return model.Loss{Kind: model.LostTextEnd, What: what}
		})
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
