package cbhdb

import "cbkit/internal/cbh"

// Agreement says whether a record fits another one, or the place where it stands.
type Agreement uint8

// What can be said of it.
const (
	Unsaid  Agreement = iota // nothing
	Agrees                   // it does
	Clashes                  // it does not
)

// RowFile is a .cbh or .cbj file for [OutOfStep]: so many records, numbered from 1.
type RowFile struct {
	Count int
	// At returns a record, which is valid until the next call; it can be nil.
	At func(slot int) ([]byte, error)
}

// Two records that belong together are looked for this far apart, and among this many
// that clash.
const (
	stepReach = 4
	mostOdd   = 1 << 6
)

// OutOfStep reports whether records of a .cbh and of a .cbj file stand at each other's
// numbers, as where one is missing in one of them, is there twice, or two are
// exchanged: a header has the places of a .cbj record at another number, and what
// stands beside each of the two does not.
func OutOfStep(headers, extensions RowFile) (bool, error) {
	agree := func(i, j int) (Agreement, error) {
		if min(i, j) < 1 || i > headers.Count || j > extensions.Count {
			return Unsaid, nil
		}
		head, err := headers.At(i)
		if err != nil {
			return Unsaid, err
		}
		ext, err := extensions.At(j)
		return HeadersAgree(head, ext), err
	}
	// Apart reports whether a header and a record belong together, and to none beside.
	apart := func(i, j int) (bool, error) {
		if said, err := agree(i, j); said != Agrees {
			return false, err
		}
		if said, err := agree(i, i); said == Agrees {
			return false, err
		}
		said, err := agree(j, j)
		return said != Agrees, err
	}
	var odd []int
	for i := 1; i <= min(headers.Count, extensions.Count) && len(odd) < mostOdd; i++ {
		if said, err := agree(i, i); err != nil {
			return false, err
		} else if said != Clashes {
			continue
		}
		others := odd
		for d := -stepReach; d <= stepReach; d++ {
			others = append(others, i+d)
		}
		for _, j := range others {
			for _, two := range [...][2]int{{i, j}, {j, i}} {
				if is, err := apart(two[0], two[1]); is || err != nil {
					return is, err
				}
			}
		}
		odd = append(odd, i)
	}
	return false, nil
}

// HeadersAgree reports whether records of the .cbh and .cbj files have the same
// places. Those of the moves decide where the .cbj record has one.
func HeadersAgree(head, ext []byte) Agreement {
	if head == nil || ext == nil {
		return Unsaid
	}
	place := cbh.MovesPlace
	if place.Full.Uint(ext) == 0 {
		if place = cbh.AnnotationsPlace; cbh.RecordType(head[0]).IsText() || !place.Full.In(ext) {
			return Unsaid
		}
	}
	switch low, full := place.Low.Uint(head), place.Full.Uint(ext); {
	case low == 0 && full == 0:
		return Unsaid
	case uint32(full) == uint32(low):
		return Agrees
	}
	return Clashes
}
