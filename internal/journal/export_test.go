package journal

import (
	"bytes"
	"math/rand/v2"
	"slices"
)

// Crafted returns a journal whose checksums are right, in which something is not
// what a commit wrote; names are some that it may have.
func Crafted(r *rand.Rand, content []byte, names []string) ([]byte, error) {
	in, err := newEntryReader("", bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	var list []entry
	for {
		e, err := in.next()
		if err != nil {
			return nil, err
		}
		e.was, e.is = slices.Clone(e.was), slices.Clone(e.is)
		if e.kind == kindEnd {
			break
		}
		list = append(list, e)
	}
	for range 1 + r.IntN(3) {
		i := r.IntN(len(list))
		e, name := &list[i], names[r.IntN(len(names))]
		switch r.IntN(9) {
		case 0:
			e.name = name
		case 1:
			e.other = name
		case 2:
			e.old = name
		case 3:
			e.oldSize += r.Int64N(1<<uint(r.IntN(50))+1) - 100
		case 4:
			e.newSize += r.Int64N(1<<uint(r.IntN(50))+1) - 100
		case 5:
			e.at += r.Int64N(1<<uint(r.IntN(50))+1) - 100
		case 6:
			e.was, e.is = e.was[:r.IntN(len(e.was)+1)], e.is[:r.IntN(len(e.is)+1)]
		case 7:
			list = slices.Delete(list, i, i+1)
		case 8:
			list = slices.Insert(list, i, list[r.IntN(len(list))])
		}
		if len(list) == 0 {
			break
		}
	}
	var out bytes.Buffer
	w := newEntryWriter(&out)
	for _, e := range list {
		if err == nil {
			err = w.put(e)
		}
	}
	if err == nil {
		err = w.end()
	}
	return out.Bytes(), err
}
