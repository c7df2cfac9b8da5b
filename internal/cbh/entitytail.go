package cbh

import "bytes"

// stringFields are where the strings of the payloads are, by extension: offset
// and size.
var stringFields = map[string][][2]int{
	".cbp": {{0, 30}, {30, 20}},
	".cbt": {{0, 40}, {40, 30}},
	".cbc": {{0, 45}},
	".cbs": {{0, 25}, {25, 16}},
	".cbe": {{0, 45}},
	".cbl": {{0, 200}, {200, 200}, {400, 200}, {600, 200}, {800, 200}, {1000, 200}, {1200, 200}, {1400, 200}},
}

// ClearTails overwrites with zeros what stands behind the NUL of each string of
// a payload: memory of the program that wrote it (docs/formats/cbh-entities.md 6.7).
func (f *EntityFile) ClearTails(payload []byte) {
	for _, at := range stringFields[f.Ext] {
		if at[0]+at[1] > len(payload) {
			continue
		}
		field := payload[at[0] : at[0]+at[1]]
		if end := bytes.IndexByte(field, 0); end >= 0 {
			clear(field[end:])
		}
	}
}

// FieldAt returns the name of the field that a byte of a payload belongs to, ""
// if there is none.
func (c *EntityCodec[T]) FieldAt(offset int) string {
	if offset >= c.Size-useSize {
		return "references"
	}
	for i := range c.fields {
		if f := &c.fields[i]; offset >= f.at && offset < f.at+f.size {
			return f.name
		}
	}
	return ""
}
