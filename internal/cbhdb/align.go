package cbhdb

// Agreement says whether records of two files can belong together.
type Agreement uint8

// What two records can say of each other.
const (
	Unsaid  Agreement = iota // nothing
	Agrees                   // they belong together
	Clashes                  // they do not
)

// Alignment says which records of two files belong together, where the number of
// a record no longer does: one is missing in one of the files, or is there twice,
// or two are exchanged.
type Alignment struct {
	Slips []Slip
	// Swapped are two records of the first file that belong to each other's partner;
	// none if both are 0.
	Swapped [2]int
}

// Slip is a place from which on the files are out of step.
type Slip struct {
	// At is the first record of the first file that shows it. From is where it can
	// begin: the records between say nothing, or agree either way.
	From, At int
	// Other is the record of the other file beside At.
	Other int
	// Extra is how many records the first file has there for which the other one has
	// none; if it is negative, so many more does the other one have.
	Extra int
}

const (
	// slipReach is how many records in a row can be missing or too many.
	slipReach = 4
	// slipProof is how many records must agree behind a slip, or all up to the end
	// where both files end together; slipFar is how far they are looked for.
	slipProof = 4
	slipFar   = 1 << 10
)

// Align aligns two files of n and m records, numbered from 0. Agree says of one of
// each whether they belong together. Records that clash for another reason than a
// slip stay where they are.
func Align(n, m int, agree func(i, j int) (Agreement, error)) (a Alignment, err error) {
	al := aligner{n: n, m: m, agree: agree}
	var odd []int // that clash alone
	for i, by := 0, 0; i < n && i+by < m; i++ {
		if al.at(i, i+by) != Clashes {
			continue
		}
		extra := al.slip(i, by)
		if extra == 0 {
			if odd = append(odd, i); len(odd) > slipFar {
				break // there is no order in it
			}
			continue
		}
		s := Slip{From: i, At: i, Other: i + by, Extra: extra}
		for s.From > 0 && al.at(s.From-1+max(extra, 0), s.From-1+by+max(-extra, 0)) != Clashes {
			s.From--
		}
		a.Slips = append(a.Slips, s)
		by -= extra
		i += max(extra-1, 0)
	}
	if len(a.Slips) == 0 && len(odd) == 2 && al.at(odd[0], odd[1]) == Agrees && al.at(odd[1], odd[0]) == Agrees {
		a.Swapped = [2]int(odd)
	}
	return a, al.err
}

// aligner is one run of [Align].
type aligner struct {
	n, m  int
	agree func(i, j int) (Agreement, error)
	err   error // the first one; nothing clashes any more then
}

func (al *aligner) at(i, j int) Agreement {
	if al.err != nil || i < 0 || j < 0 || i >= al.n || j >= al.m {
		return Unsaid
	}
	v, err := al.agree(i, j)
	if al.err = err; err != nil {
		return Unsaid
	}
	return v
}

// slip returns how many records the first file has more at a record that clashes, 0
// if that explains nothing.
func (al *aligner) slip(i, by int) (extra int) {
	for k := 1; k <= slipReach; k++ {
		if al.runs(i, i+by+k) {
			return -k
		}
		if al.runs(i+k, i+by) {
			return k
		}
	}
	return 0
}

// runs reports whether both files go on together from two records on.
func (al *aligner) runs(i, j int) bool {
	for known, far := 0, 0; ; i, j, far = i+1, j+1, far+1 {
		if i >= al.n || j >= al.m || far == slipFar {
			return known > 0 && (al.n-i == al.m-j || far == slipFar)
		}
		switch al.at(i, j) {
		case Clashes:
			return false
		case Agrees:
			if known++; known == slipProof {
				return true
			}
		}
	}
}
