package check

import "testing"

// A record that does not come back is different, and its place is that of the
// first wrong byte.
func TestJudge(t *testing.T) {
	names := func(offset int) string { return []string{"a", "b", "c", "d"}[min(offset, 3)] }
	tail := func(b []byte) { clear(b[3:]) }
	for _, c := range []struct {
		name                string
		stored, value, kept []byte
		want                Case
	}{
		{"exact", []byte{1, 2, 3, 4}, []byte{1, 2, 3, 4}, nil, Case{outcomeExact, "p", 7, 100, "", ""}},
		{"trash", []byte{1, 2, 3, 4}, []byte{1, 2, 3, 0}, nil, Case{outcomeTrash, "p", 7, 103, "d", ""}},
		{"kept", []byte{1, 2, 3, 4}, []byte{1, 9, 3, 4}, []byte{1, 2, 3, 4}, Case{outcomeKept, "p", 7, 101, "b", ""}},
		{"different", []byte{1, 2, 3, 4}, []byte{1, 9, 3, 4}, []byte{1, 2, 9, 4}, Case{outcomeDifferent, "p", 7, 102, "c", ""}},
		{"shorter", []byte{1, 2, 3, 4}, []byte{1, 2, 3}, []byte{1, 2, 3}, Case{outcomeDifferent, "p", 7, 103, "d", ""}},
		{"not encoded", []byte{1, 2, 3, 4}, nil, nil, Case{outcomeDifferent, "p", 7, 100, "a", ""}},
	} {
		one := trial{
			part: "p", record: 7, offset: 100, stored: c.stored, value: c.value, kept: c.kept,
			clear: func(b []byte) {
				if len(b) == 4 {
					tail(b)
				}
			},
			field: names,
		}
		if got := one.judge(); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestReportDifferent(t *testing.T) {
	r := Report{Files: []FileReport{{Tally: Tally{Different: 2}}, {Tally: Tally{Different: 3}}}}
	if n := r.Different(); n != 5 {
		t.Errorf("%d", n)
	}
}

func TestTallyMerge(t *testing.T) {
	all := Tally{Records: 1, Bytes: 2, Exact: 3, Kept: 4, Trash: 5, Different: 6, Unsupported: 7, Undecoded: 9, Given: 8}
	var sum Tally
	sum.merge(&all)
	if sum != all {
		t.Errorf("%+v", sum)
	}
	sum = Tally{}
	for _, o := range []Outcome{outcomeExact, outcomeKept, outcomeTrash, outcomeDifferent, outcomeUnsupported} {
		sum.add(o, 10, 3)
	}
	if want := (Tally{5, 50, 1, 1, 1, 1, 1, 0, 15}); sum != want || sum.FromValue() != 2 {
		t.Errorf("%+v, want %+v", sum, want)
	}
}
