package check

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"

	"cbkit/internal/jobs"
)

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
	counts  map[findingKind]int
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
	return reporter{summary: s, report: report, max: limit, counts: map[findingKind]int{}}
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
	if r.counts[kind] == 0 {
		r.kinds = append(r.kinds, kind)
	}
	r.counts[kind] += n
	return r.counts[kind]
}

// fix reports a finding with what makes it true.
func (r *reporter) fix(f Finding, edits iter.Seq[Edit]) {
	if r.report != nil {
		f.Fix = &Fix{edits}
		r.report(f)
	}
}

// finish reports, for each kind of which there were too many, how many more
// there were.
func (r *reporter) finish() {
	if r.report == nil || r.max < 0 {
		return
	}
	for _, kind := range r.kinds {
		if more := r.counts[kind] - r.max; more > 0 {
			r.report(Finding{
				Code: kind.code, Severity: kind.severity, File: kind.file, Record: -1, Offset: -1,
				Message: fmt.Sprintf("and %s like these", quantity(more, "more finding")), More: more,
			})
		}
	}
}

// inOrder does the pieces of work 0 to n-1 in several goroutines and takes the
// results in order in the caller's. Each piece has a worker for itself, of which
// there are as many as goroutines. The first error, or the end of ctx, stops
// everything; results run ahead of take by a bounded number.
func inOrder[W, R any](ctx context.Context, n, workers int, worker func() W, work func(W, int) (R, error), take func(int, R) error) error {
	type piece struct {
		number int
		result R
		err    error
	}
	if workers = min(workers, n); workers == 0 {
		return ctx.Err()
	}
	idle := make(chan W, workers)
	for range workers {
		idle <- worker()
	}
	next := 0
	var failed error
	p := jobs.Pipeline[*piece]{
		Jobs: workers, Create: func() *piece { return new(piece) },
		Fill: func(x *piece) bool {
			x.number = next
			next++
			return x.number < n
		},
		Work: func(x *piece) {
			w := <-idle
			x.result, x.err = work(w, x.number)
			idle <- w
		},
		Take: func(x *piece) bool {
			if failed = x.err; failed == nil {
				failed = take(x.number, x.result)
			}
			return failed == nil
		},
	}
	if err := p.Run(ctx); err != nil {
		return err
	}
	return failed
}

// Outcome is the result for a record that was decoded and encoded again: "exact", "kept",
// "trash", "different" or "unsupported".
type Outcome string

const (
	// The typed value alone gives the stored bytes.
	outcomeExact Outcome = "exact"
	// The stored bytes come back only with what was kept of them.
	outcomeKept Outcome = "kept"
	// The typed value gives all bytes but those that mean nothing.
	outcomeTrash Outcome = "trash"
	// The stored bytes do not come back. No copy would be exact.
	outcomeDifferent Outcome = "different"
	// The record is not understood, or does not decode, and travels
	// as it is.
	outcomeUnsupported Outcome = "unsupported"
)

// Tally counts records by their outcome.
//
// Exact and Trash together are the records that the typed value alone gives back.
type Tally struct {
	Records int64 `json:"records"`
	Bytes   int64 `json:"bytes"`

	Exact       int64 `json:"exact"`
	Kept        int64 `json:"kept"`
	Trash       int64 `json:"trash"`
	Different   int64 `json:"different"`
	Unsupported int64 `json:"unsupported"`

	// Undecoded is how many records are damaged: they do not decode, or not as a
	// whole, or lie outside their file.
	Undecoded int64 `json:"undecoded,omitempty"`

	// Given is how many of the bytes were not encoded from the value but given
	// to the encoder: they follow from other records (offsets, references,
	// tree links) or have no word in the model (stamps, rating types).
	Given int64 `json:"given,omitempty"`
}

// FromValue returns the number of records that were encoded from the typed value alone,
// except for bytes that mean nothing: Exact plus Trash.
func (t *Tally) FromValue() int64 { return t.Exact + t.Trash }

// add counts a record.
func (t *Tally) add(o Outcome, bytes, given int64) {
	t.Records++
	t.Bytes += bytes
	t.Given += given
	switch o {
	case outcomeExact:
		t.Exact++
	case outcomeKept:
		t.Kept++
	case outcomeTrash:
		t.Trash++
	case outcomeDifferent:
		t.Different++
	case outcomeUnsupported:
		t.Unsupported++
	}
}

// merge adds another tally.
func (t *Tally) merge(u *Tally) {
	t.Records += u.Records
	t.Bytes += u.Bytes
	t.Exact += u.Exact
	t.Kept += u.Kept
	t.Trash += u.Trash
	t.Different += u.Different
	t.Unsupported += u.Unsupported
	t.Undecoded += u.Undecoded
	t.Given += u.Given
}

// Part is the tally of one kind of record in a file.
type Part struct {
	Name string `json:"name"`
	Tally
}

// Case is a record that is not exact.
type Case struct {
	Outcome Outcome
	// Part is the kind of record.
	Part string
	// Record is its number, -1 if it has none.
	Record int64
	// Offset is where in the file the first different byte is, or where the
	// record begins that is not understood.
	Offset int64
	// Field is the field with that byte, "" if it is not known.
	Field string
	// Message says why in a few words, "" where that is not known.
	Message string
}

// MarshalJSON implements [json.Marshaler]. A number that is not there is left
// out.
func (c Case) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Outcome Outcome `json:"outcome"`
		Part    string  `json:"part"`
		Record  number  `json:"record,omitzero"`
		Offset  number  `json:"offset,omitzero"`
		Field   string  `json:"field,omitempty"`
		Message string  `json:"message,omitempty"`
	}{c.Outcome, c.Part, number(c.Record), number(c.Offset), c.Field, c.Message})
}

// FileReport is what [Verify] found in one file.
type FileReport struct {
	File string `json:"file"`
	Tally
	// Parts are the kinds of records in the order in which they were met.
	Parts []Part `json:"parts"`
	// Listed are the first cases of each outcome.
	Listed []Case `json:"listed,omitempty"`
	// Unlisted is the number of cases that are not in Listed.
	Unlisted int64 `json:"unlisted,omitempty"`

	max   int             // cases to list of each outcome, < 0: all
	count map[Outcome]int // those listed
}

// newFileReport returns an empty report.
func newFileReport(name string, opt *Options) FileReport {
	return FileReport{File: name, Parts: []Part{}, max: opt.listed()}
}

// add counts a record; c says where it is.
func (r *FileReport) add(c Case, bytes, given int64) {
	r.Tally.add(c.Outcome, bytes, given)
	r.part(c.Part).add(c.Outcome, bytes, given)
	if c.Outcome != outcomeExact {
		r.list(c)
	}
}

// part returns the tally of a kind of record.
func (r *FileReport) part(name string) *Tally {
	for i := range r.Parts {
		if r.Parts[i].Name == name {
			return &r.Parts[i].Tally
		}
	}
	r.Parts = append(r.Parts, Part{Name: name})
	return &r.Parts[len(r.Parts)-1].Tally
}

// list lists a case if there is room.
func (r *FileReport) list(c Case) {
	if r.max >= 0 && r.count[c.Outcome] >= r.max {
		r.Unlisted++
		return
	}
	if r.count == nil {
		r.count = map[Outcome]int{}
	}
	r.count[c.Outcome]++
	r.Listed = append(r.Listed, c)
}

// merge adds the report on later records of the same file.
func (r *FileReport) merge(later *FileReport) {
	r.Tally.merge(&later.Tally)
	for i := range later.Parts {
		r.part(later.Parts[i].Name).merge(&later.Parts[i].Tally)
	}
	for _, c := range later.Listed {
		r.list(c)
	}
	r.Unlisted += later.Unlisted
}
