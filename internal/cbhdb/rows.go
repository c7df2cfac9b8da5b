package cbhdb

import (
	"bytes"
	"fmt"
	"slices"

	"cbkit/internal/cbh"
)

// Row says how the records of a file stand to the numbers of games and texts. In a
// sound file each stands at its number; the zero value is that.
type Row struct {
	// Gaps are the numbers whose record is missing, with all behind it one place
	// further to the front; Repeated are the places of records that stand there a
	// second time, with all behind one place further back. Both ascend.
	Gaps, Repeated []int
	// Swapped are two numbers whose records stand in each other's place.
	Swapped [2]int
}

// IsStraight reports whether each record stands at its number.
func (r *Row) IsStraight() bool {
	return len(r.Gaps) == 0 && len(r.Repeated) == 0 && r.Swapped == [2]int{}
}

// Slot returns where the record with a number stands, 0 if it is missing.
func (r *Row) Slot(number int) int {
	switch number {
	case r.Swapped[0]:
		return r.Swapped[1]
	case r.Swapped[1]:
		return r.Swapped[0]
	}
	before, isGap := slices.BinarySearch(r.Gaps, number)
	if isGap {
		return 0
	}
	slot := number - before
	for _, at := range r.Repeated {
		if at <= slot {
			slot++
		}
	}
	return slot
}

// Number returns the number of the record that stands at a place; of one that is
// there a second time, that of the first one.
func (r *Row) Number(slot int) int {
	if slot == r.Swapped[0] || slot == r.Swapped[1] {
		return r.Slot(slot)
	}
	before, isRepeated := slices.BinarySearch(r.Repeated, slot)
	number := slot - before
	if isRepeated {
		number--
	}
	for _, gap := range r.Gaps {
		if gap <= number {
			number++
		}
	}
	return number
}

// Rows say how the records of the .cbh and .cbj files stand to their numbers.
type Rows struct{ Headers, Extensions Row }

// AreStraight reports whether all records stand at their numbers.
func (r *Rows) AreStraight() bool { return r.Headers.IsStraight() && r.Extensions.IsStraight() }

// Words say what is out of step.
func (r *Rows) Words() (list []string) {
	for _, f := range []struct {
		ext string
		row *Row
	}{{".cbh", &r.Headers}, {".cbj", &r.Extensions}} {
		for _, n := range f.row.Gaps {
			list = append(list, fmt.Sprintf("the %s file lacks record %d: those behind it stand one place too far to the front", f.ext, n))
		}
		for _, at := range f.row.Repeated {
			list = append(list, fmt.Sprintf("the %s file has record %d twice: those behind it stand one place too far to the back", f.ext, f.row.Number(at)))
		}
		if s := f.row.Swapped; s != [2]int{} {
			list = append(list, fmt.Sprintf("records %d and %d of the %s file stand in each other's place", s[0], s[1], f.ext))
		}
	}
	return list
}

// RowFile is a .cbh or .cbj file for [FindRows]: so many records, numbered from 1.
type RowFile struct {
	Count int
	// At returns a record, which is valid until the next call; it can be nil.
	At func(slot int) ([]byte, error)
}

// FindRows finds out how the records of a .cbh file and of a .cbj file stand to
// their numbers, by the places that both have of moves and annotations. Declared is
// how many records the header of the .cbh file announces.
func FindRows(headers, extensions RowFile, declared int) (r Rows, err error) {
	a, err := Align(headers.Count, extensions.Count, func(i, j int) (Agreement, error) {
		head, err := headers.At(i + 1)
		if err != nil {
			return Unsaid, err
		}
		ext, err := extensions.At(j + 1)
		return headersAgree(head, ext), err
	})
	if err != nil {
		return r, err
	}
	for _, s := range a.Slips {
		if s.Extra > 0 {
			err = r.slip(&r.Headers, &r.Extensions, headers, s.From, s.At, s.Extra)
		} else {
			err = r.slip(&r.Extensions, &r.Headers, extensions, s.Other-(s.At-s.From), s.Other, -s.Extra)
		}
		if err != nil {
			return Rows{}, err
		}
	}
	if a.Swapped != [2]int{} {
		return r, r.swap(headers, a.Swapped)
	}
	// The last record leaves nothing out of step.
	switch {
	case headers.Count > declared && len(r.Headers.Repeated) == 0 && (extensions.Count == 0 || extensions.Count == declared):
		err = r.repeatedHeaders(headers, declared)
	case extensions.Count == headers.Count+1 && r.AreStraight():
		var again bool
		if again, err = extensions.repeats(extensions.Count, 1); again {
			r.Extensions.Repeated = []int{extensions.Count}
		}
	}
	return r, err
}

// slip takes a slip over: one file has records for which the other one has none.
// They are there twice, or the other file has lost its own.
func (r *Rows) slip(long, short *Row, file RowFile, from, at, extra int) error {
	for i := at; i >= max(from, extra); i-- {
		again, err := file.repeats(i+extra, extra)
		if err != nil {
			return err
		}
		if again {
			for k := range extra {
				long.Repeated = append(long.Repeated, i+1+k)
			}
			return nil
		}
	}
	for k := range extra {
		short.Gaps = append(short.Gaps, long.Number(at+1+k))
	}
	return nil
}

// repeats reports whether so many records, up to the one at a place, are those
// before them again.
func (f RowFile) repeats(slot, records int) (bool, error) {
	for i := range records {
		if slot-i-records < 1 || slot-i > f.Count {
			return false, nil
		}
		b, err := f.At(slot - i)
		if err != nil {
			return false, err
		}
		one := bytes.Clone(b)
		if b, err = f.At(slot - i - records); err != nil || one == nil || !bytes.Equal(one, b) {
			return false, err
		}
	}
	return true, nil
}

// repeatedHeaders looks for headers that are there twice where no other file shows
// them: there must be as many as there are too many.
func (r *Rows) repeatedHeaders(headers RowFile, declared int) error {
	var found []int
	for slot := 2; slot <= headers.Count && len(found) <= headers.Count-declared; slot++ {
		head, err := headers.At(slot)
		if err != nil {
			return err
		}
		if cbh.GameMoves.Uint(head) == 0 {
			continue
		}
		again, err := headers.repeats(slot, 1)
		if err != nil {
			return err
		}
		if again {
			found = append(found, slot)
		}
	}
	if len(found) == headers.Count-declared {
		r.Headers.Repeated = found
	}
	return nil
}

// swap takes over two records that are exchanged: in the .cbh file if the places
// of their moves do not ascend there.
func (r *Rows) swap(headers RowFile, two [2]int) error {
	var at [2]uint64
	for i, n := range two {
		head, err := headers.At(n + 1)
		if err != nil {
			return err
		}
		at[i] = cbh.GameMoves.Uint(head)
	}
	row := &r.Extensions
	if at[0] > at[1] {
		row = &r.Headers
	}
	row.Swapped = [2]int{two[0] + 1, two[1] + 1}
	return nil
}

// headersAgree reports whether records of the .cbh and .cbj files have the same
// places. Those of the moves decide where the .cbj record has one.
func headersAgree(head, ext []byte) Agreement {
	if head == nil || ext == nil {
		return Unsaid
	}
	if full := cbh.ExtMoves.Uint(ext); full != 0 {
		return agreeIf(uint32(full) == uint32(cbh.GameMoves.Uint(head)))
	}
	if cbh.RecordType(head[0]).IsText() || !cbh.ExtAnnotations.In(ext) {
		return Unsaid
	}
	low, full := cbh.GameAnnotations.Uint(head), cbh.ExtAnnotations.Uint(ext)
	if low == 0 && full == 0 {
		return Unsaid
	}
	return agreeIf(uint32(full) == uint32(low))
}

func agreeIf(same bool) Agreement {
	if same {
		return Agrees
	}
	return Clashes
}
