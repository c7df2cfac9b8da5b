package cbh

import (
	"bytes"

	"cbkit/model"
)

// HasDetails reports whether entities of one key can differ: in the other kinds the key
// is all that they say.
func (f *EntityFile) HasDetails() bool { return f.Ext == Tournaments.Ext || f.Ext == Sources.Ext }

// Unite compares an entity that a database has with another one of the same key. It
// returns what the entity says from then on, and the names of the fields in which the
// other one says something that it does not. A tournament says what it said before. Of a
// source the fields become empty in which both say something, and not the same, since
// nobody knows who is right; and one that says nothing has the others say nothing, since
// they would say it of its games too. (docs/formats/cbh-entities.md 7.2)
func (c *EntityCodec[T]) Unite(has, brings T, cp CodePage) (says T, lost []string) {
	var none T
	_, empties := any(has).(model.Publication)
	if empties && brings == none {
		return none, nil
	}
	says = has
	fields := c.fields
	if extras, ok := any(tournamentExtras).(layout[T]); ok {
		fields = append(fields[:len(fields):len(fields)], extras...)
	}
	for i := range fields {
		f := &fields[i]
		if f.equal(&brings, &none) || f.storedAlike(&has, &brings, cp) {
			continue
		}
		lost = append(lost, f.Name)
		if empties {
			f.read(&says, make([]byte, f.Size), cp)
		}
	}
	return says, lost
}

// storedAlike reports whether the field has the same bytes for both.
func (f *field[T]) storedAlike(v, w *T, cp CodePage) bool {
	if f.equal(v, w) {
		return true
	}
	a, b := make([]byte, f.Size), make([]byte, f.Size)
	f.write(a, v, cp)
	f.write(b, w, cp)
	return bytes.Equal(a, b)
}
