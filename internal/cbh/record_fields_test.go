package cbh

import (
	"bytes"
	"encoding/binary"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cbkit/internal/testkit/must"
)

// tabled are the records whose fields are in tables, with their decoders, which
// are written by hand to be fast.
var tabled = map[string]struct {
	fields  Fields
	decode  func([]byte) any
	encode  func(any) []byte
	chapter string // of docs/formats/cbh-entities.md
}{
	"game": {GameFields, func(b []byte) any { r, _ := DecodeGameRecord(b); return r },
		func(v any) []byte { r := v.(GameRecord); return r.Append(nil) }, "## 3."},
	"text": {TextFields, func(b []byte) any { r, _ := DecodeTextRecord(b); return r },
		func(v any) []byte { r := v.(TextRecord); return r.Append(nil) }, "## 4."},
	"ext": {ExtFields, func(b []byte) any { return DecodeExtRecord(b) },
		func(v any) []byte { r := v.(ExtRecord); return r.Append(nil, ExtRecordSize) }, "Record, big-endian:"},
}

// The tables cover their records without a gap.
func TestFieldsCoverRecords(t *testing.T) {
	for name, r := range tabled {
		end := 0
		for _, f := range r.fields {
			if f.At != end || f.Size < 1 || f.Name == "" {
				t.Errorf("%s: %s begins at %d, the field before ends at %d", name, f.Name, f.At, end)
			}
			if (f.Class == ClassReference) != (f.Entity != nil) {
				t.Errorf("%s: %s: class %d, entity %v", name, f.Name, f.Class, f.Entity)
			}
			end = f.End()
		}
		if want := map[string]int{".cbh": RecordSize, ".cbj": ExtRecordSize}[r.fields[0].File]; end != want {
			t.Errorf("%s: the fields end at %d, records at %d", name, end, want)
		}
	}
}

// Decoders and encoders read and write exactly what the tables say: of random
// bytes, each field of a value has the bytes of its row, in the same order.
func TestFieldsAreThoseOfDecoders(t *testing.T) {
	for name, r := range tabled {
		rapid.Check(t, func(t *rapid.T) {
			size := r.fields[len(r.fields)-1].End()
			b := rapid.SliceOfN(rapid.Byte(), size, size).Draw(t, "record")
			v := r.decode(b)
			values := fieldValues(reflect.ValueOf(v))
			if len(values) != len(r.fields) {
				t.Fatalf("%s: %d values, %d fields", name, len(values), len(r.fields))
			}
			for i, f := range r.fields {
				stored := must.Get(binary.Append(nil, binary.BigEndian, values[i].Interface()))(t)
				// An id of three bytes is a number of four.
				if got := stored[max(len(stored)-f.Size, 0):]; !bytes.Equal(got, b[f.At:f.End()]) {
					t.Fatalf("%s: %s is % x, stored is % x", name, f.Name, got, b[f.At:f.End()])
				}
				if f.Size > 8 {
					continue
				}
				again := bytes.Clone(b)
				if f.Put(again, f.Uint(b)); !bytes.Equal(again, b) {
					t.Fatalf("%s: %s is not what was put", name, f.Name)
				}
			}
			if again := r.encode(v); !bytes.Equal(again, b) {
				t.Fatalf("% x becomes % x", b, again)
			}
		})
	}
}

// fieldValues returns the fields of a record in order, pairs one by one, and
// without what lies behind them.
func fieldValues(v reflect.Value) (list []reflect.Value) {
	for i := range v.NumField() {
		switch f := v.Field(i); {
		case v.Type().Field(i).Name == "Tail":
		case f.Kind() == reflect.Array && f.Len() == 2:
			list = append(list, f.Index(0), f.Index(1))
		default:
			list = append(list, f)
		}
	}
	return list
}

// The pages about the format give each field its place and size.
func TestFieldsAreThoseOfDocs(t *testing.T) {
	page := must.Get(os.ReadFile("../../docs/formats/cbh-entities.md"))(t)
	for name, r := range tabled {
		_, chapter, found := strings.Cut(string(page), "\n"+r.chapter)
		if !found {
			t.Fatalf("%s: %q is missing", name, r.chapter)
		}
		var rows [][2]int
		for line := range strings.Lines(chapter) {
			cells := strings.Split(line, "|")
			if len(cells) < 4 {
				if len(rows) > 0 {
					break
				}
				continue
			}
			at, err := strconv.Atoi(strings.TrimSpace(cells[1]))
			size, err2 := strconv.Atoi(strings.TrimSpace(cells[2]))
			if err == nil && err2 == nil {
				rows = append(rows, [2]int{at, size})
			}
		}
		if len(rows) != len(r.fields) {
			t.Errorf("%s: %d rows, %d fields", name, len(rows), len(r.fields))
			continue
		}
		for i, f := range r.fields {
			if rows[i] != [2]int{f.At, f.Size} {
				t.Errorf("%s: %s is at %d with %d bytes; the page says %v", name, f.Name, f.At, f.Size, rows[i])
			}
		}
	}
}
