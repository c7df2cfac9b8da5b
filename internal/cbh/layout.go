package cbh

import "cbkit/model"

// layout is what is known of the bytes of a record of fixed size; reserved
// bytes lie between its fields.
type layout[T any] []field[T]

// field is one field of a record, as bytes and inside a value of type T.
type field[T any] struct {
	name     string
	at, size int
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

// in reports whether the field lies inside of b.
func (f *field[T]) in(b []byte) bool { return f.at+f.size <= len(b) }

// bytes returns the field's part of b.
func (f *field[T]) bytes(b []byte) []byte { return b[f.at : f.at+f.size] }

// read sets the fields of v that lie inside of b.
func (l layout[T]) read(v *T, b []byte, cp CodePage) {
	for i := range l {
		if f := &l[i]; f.in(b) {
			f.read(v, f.bytes(b), cp)
		}
	}
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
		if f.in(b) {
			loss = f.write(f.bytes(b), v, cp)
		}
		if loss != nothing {
			loss.Field = f.name
			losses = append(losses, loss)
		}
	}
	return losses
}
