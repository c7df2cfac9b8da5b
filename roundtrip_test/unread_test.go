package roundtrip

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"

	"github.com/google/go-cmp/cmp"
)

// field is a stored value that means nothing, and where it lies in a record.
type field struct {
	name string
	at   int
	raw  []byte
}

// unreadable are, for a format, records with such values: where the first record
// begins, how long one is, and what each has.
var unreadable = []struct {
	format, file  string
	first, length int
	values        [][]field
}{
	{"cbh", "trip.cbh", 46, 46, slices.Concat(
		each(8, 255, 1, func(n int) field { return field{"result", 27, []byte{byte(n)}} }),
		each(1, 127, 9, opening), each(1<<7|100, 1<<7|127, 9, opening), each(501<<7, 0xFFFF-960, 9, opening),
		[][]field{{{"result", 27, []byte{9}}, opening(0xFFFF - 960)}})},
	{"dci", "trip.dci", 11, 61, slices.Concat(
		each(4, 255, 1, func(n int) field { return field{"result", 31, []byte{byte(n)}} }),
		each(13, 255, 9, func(n int) field { return field{"date", 37, []byte{byte(n), 1}} }),
		each(32, 255, 9, func(n int) field { return field{"date", 37, []byte{1, byte(n)}} }),
		[][]field{{{"ECO", 32, []byte("F00")}}, {{"ECO", 32, []byte("A:0")}}, {{"ECO", 32, []byte("A0 ")}},
			{{"result", 31, []byte{9}}, {"date", 37, []byte{13, 0}}, {"ECO", 32, []byte("???")}}})},
}

func opening(n int) field { return field{"ECO", 35, binary.BigEndian.AppendUint16(nil, uint16(n))} }

// each returns records of one field for the numbers from one to another.
func each(from, to, step int, of func(int) field) (records [][]field) {
	for n := from; n <= to; n += step {
		records = append(records, []field{of(n)})
	}
	return records
}

// A result, an opening or a date whose stored value means nothing is none in every
// other format, and a loss there of its game and its field. Its own format keeps it.
func TestUnreadFieldsAreLosses(t *testing.T) {
	for _, u := range unreadable {
		db := &model.Database{}
		for range u.values {
			db.AddGame(model.NewGame())
		}
		dir := gen.Folder(t)
		if u.format == "cbh" {
			throughChessBase(t, dir, db)
		} else {
			throughSimple(write.SimpleV1)(t, dir, db)
		}
		path := filepath.Join(dir, u.file)
		b := must.Get(os.ReadFile(path))(t)
		var want []string
		for i, record := range u.values {
			for _, f := range record {
				copy(b[u.first+i*u.length+f.at:], f.raw)
				want = append(want, fmt.Sprint(i+1, " ", f.name))
			}
		}
		must.Do(t, os.WriteFile(path, b, 0o600))
		src := must.Get(read.Open(path, read.Options{}))(t)
		defer src.Close()
		of := unreadOf(t, src, model.WantAll)
		if headers := unreadOf(t, src, model.WantHeaders); !cmp.Equal(of, headers) {
			t.Errorf("%s: headers alone say otherwise:\n%s", u.format, cmp.Diff(of, headers))
		}
		for _, f := range fieldFormats {
			back, losses := f.trip(t, gen.Folder(t), src)
			var got []string
			for _, l := range losses {
				if l.Kind != model.LostField || l.What == "" {
					t.Errorf("%s to %s: %s loss %v", u.format, f.name, l.Kind, l)
				}
				got = append(got, fmt.Sprint(l.Record, " ", l.Field))
			}
			if strings.HasPrefix(f.name, u.format) {
				if again := unreadOf(t, back, model.WantAll); got != nil || !cmp.Equal(of, again) {
					t.Errorf("%s to %s: %q was lost, and this is otherwise:\n%s", u.format, f.name, got, cmp.Diff(of, again))
				}
				continue
			}
			slices.Sort(got)
			if sorted := slices.Sorted(slices.Values(want)); !slices.Equal(got, sorted) {
				t.Errorf("%s to %s: losses are not those of the fields:\n%s", u.format, f.name, cmp.Diff(sorted, got))
			}
		}
	}
}

// unreadOf returns which fields a source could not read, by record.
func unreadOf(t *testing.T, src model.Source, want model.Want) (all [][]model.Unread) {
	t.Helper()
	for rec := range must.All(t, model.Kept(context.Background(), src, want)) {
		all = append(all, rec.Unread)
	}
	return all
}
