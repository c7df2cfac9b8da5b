package check

import "fmt"

// DefaultMax is how many findings of one code are reported of each file unless
// [Options] say otherwise.
const DefaultMax = 100

// reporter counts findings in a summary and hands them on: of each file, only
// the first ones of each code.
type reporter struct {
	summary Summary
	report  func(Finding) // may be nil
	max     int           // < 0: all
	kinds   []findingKind // in the order in which they were met
	index   map[findingKind]int
	counts  []int
}

// findingKind is what findings that are counted together have in common.
type findingKind struct {
	file, code string
	severity   Severity
}

func newReporter(s Summary, opt *Options, report func(Finding)) reporter {
	s.Codes = map[string]int{}
	limit := opt.Max
	if limit == 0 {
		limit = DefaultMax
	}
	return reporter{summary: s, report: report, max: limit, index: map[findingKind]int{}}
}

// see counts a finding, and reports it unless there were enough like it.
func (r *reporter) see(f Finding) {
	if n := r.count(findingKind{f.File, f.Code, f.Severity}, 1); r.report != nil && (r.max < 0 || n <= r.max) {
		r.report(f)
	}
}

// count counts n more findings of a kind and returns how many there are then.
func (r *reporter) count(kind findingKind, n int) int {
	if kind.severity == Error {
		r.summary.Errors += n
	} else {
		r.summary.Notes += n
	}
	r.summary.Codes[kind.code] += n
	i, known := r.index[kind]
	if !known {
		i = len(r.kinds)
		r.index[kind] = i
		r.kinds, r.counts = append(r.kinds, kind), append(r.counts, 0)
	}
	r.counts[i] += n
	return r.counts[i]
}

// finish reports, for each kind of which there were too many, how many more
// there were.
func (r *reporter) finish() {
	if r.report == nil || r.max < 0 {
		return
	}
	for i, kind := range r.kinds {
		if more := r.counts[i] - r.max; more > 0 {
			r.report(Finding{
				Code: kind.code, Severity: kind.severity, File: kind.file, Record: -1, Offset: -1,
				Message: fmt.Sprintf("and %s like these", quantity(more, "more finding")), More: more,
			})
		}
	}
}
