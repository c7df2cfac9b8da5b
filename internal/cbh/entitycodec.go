package cbh

import (
	"fmt"

	"cbkit/model"
)

// EntityFile is what the program needs to know of a kind of entity file to keep
// its tree, whatever the entities are.
type EntityFile struct {
	// Ext is the extension of the file, such as ".cbp".
	Ext string
	// Name is what one entity is called, such as "player".
	Name string
	// Size is the size of a payload, which is a record without its links.
	Size int
	// DefaultSigned is the order of new files; see Compare.
	DefaultSigned bool

	order []sortKey
}

// EntityFiles are the six kinds of entity files.
var EntityFiles = []*EntityFile{
	&Players.EntityFile, &Tournaments.EntityFile, &Annotators.EntityFile,
	&Sources.EntityFile, &Teams.EntityFile, &GameTitles.EntityFile,
}

// Compare compares two payloads of Size bytes by the order of the tree. Two
// orders exist: signed says whether bytes above 7F come before all others.
// Which one an existing file follows can only be seen from its tree.
func (f *EntityFile) Compare(a, b []byte, signed bool) int {
	if len(a) < f.Size || len(b) < f.Size {
		return 0
	}
	for _, key := range f.order {
		if c := key(a, b, signed); c != 0 {
			return c
		}
	}
	return 0
}

// RecordSize is the size of a record with its links.
func (f *EntityFile) RecordSize() int { return EntityLinksSize + f.Size }

// Optional reports whether databases may lack the file.
func (f *EntityFile) Optional() bool {
	return f == &Teams.EntityFile || f == &GameTitles.EntityFile
}

// Check returns an error if a file with the header h has records of another
// kind.
func (f *EntityFile) Check(h *EntityHeader) error {
	if int(h.PayloadSize) != f.Size {
		return fail(12, "payload size",
			fmt.Errorf("%d, not the %d of a %s: %w", h.PayloadSize, f.Size, f.Name, model.ErrUnsupported))
	}
	return nil
}

// EntityCodec turns the payloads of one kind of entity file into values of the
// model and back. The tree links and the EntityUse at the end of a payload are
// not part of the value.
type EntityCodec[T comparable] struct {
	EntityFile
	fields layout[T]
}

// Decode returns the value of a payload. Fields missing from a payload that is
// too short are empty.
func (c *EntityCodec[T]) Decode(payload []byte, cp CodePage) T {
	var v T
	c.fields.read(&v, payload, cp)
	return v
}

// Append appends the payload of v, with nothing in its EntityUse. It returns
// what of v could not be held.
func (c *EntityCodec[T]) Append(dst []byte, v T, cp CodePage) ([]byte, []model.Loss) {
	return c.Merge(dst, v, nil, cp)
}

// Merge appends the payload of v as a change of raw, an older payload of the
// same entity: fields whose value did not change, all that lies between the
// fields, and the EntityUse keep their bytes. If raw does not have Size bytes
// it does not count.
func (c *EntityCodec[T]) Merge(dst []byte, v T, raw []byte, cp CodePage) ([]byte, []model.Loss) {
	if len(raw) != c.Size {
		raw = make([]byte, c.Size)
	}
	dst = append(dst, raw...)
	losses := c.fields.merge(dst[len(dst)-c.Size:], &v, cp)
	return dst, losses
}
