package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cbkit/internal/fsys"
	"cbkit/model"
)

// messageFlags are the flags of all verbs that say how much is reported of records
// and files that are not as they should be.
type messageFlags struct {
	All    bool   `help:"Tell everything on standard error, not only the first 20 messages of a kind."`
	Report string `help:"Write all messages to this file too, as JSON Lines." placeholder:"FILE.jsonl"`
}

// messageKind sorts messages. What is not a warning means exit status 1.
type messageKind string

const (
	messageWarning messageKind = "warning" // an oddity that costs nothing
	messageDamaged messageKind = "damaged" // content that does not decode, references to nothing, files that are cut
	messageCut     messageKind = "cut"     // a game that was read in part
	messageSkipped messageKind = "skipped" // a record that could not be read
	messageLoss    messageKind = "loss"    // in reports only
)

// shownMessages is how many messages of a kind are shown.
const shownMessages = 20

// messages reports records and files that are not as they should be: the one
// place that decides what is said, how much of it, and what it means for the
// exit status.
type messages struct {
	to     io.Writer
	zips   *unzipped
	all    bool
	report *os.File // nil for none
	err    error    // of writing the report
	kinds  []messageKind
	counts map[messageKind]int
	// losses are those that the summary of the verb lists, and left is what the verb
	// has left out and lists by itself.
	losses, left lossBook
	outcome      *outcome // nil if it is not printed
	// records is how many records could not be read or decoded, in whole or in
	// part.
	records int
	// file is the first of those that have them.
	file string
}

// begin takes the flags of a run.
func (m *messages) begin(flags messageFlags) error {
	m.all = flags.All
	if flags.Report == "" {
		return nil
	}
	mode := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if info, err := os.Stat(flags.Report); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		mode = os.O_WRONLY | fsys.NonBlocking // a pipe, whose other end may be closed, or a device
	}
	f, err := os.OpenFile(flags.Report, mode, 0o666)
	if errors.Is(err, os.ErrExist) {
		return usageError{fmt.Errorf("--report: %s: exists already; choose another name", flags.Report)}
	}
	if err != nil {
		return usageError{fmt.Errorf("--report: %w", plainError(err))}
	}
	m.report = f
	return nil
}

// say reports one thing.
func (m *messages) say(kind messageKind, err error) {
	line := reported{Kind: kind, Message: err.Error()}
	if f, is := errors.AsType[*model.FormatError](err); is {
		line.File, line.Record, line.Offset, line.Field = f.File, max(f.Record, 0), max(f.Offset, 0), f.Field
	}
	m.append(line)
	if m.file == "" && kind != messageWarning {
		m.file = line.File
	}
	if m.counts == nil {
		m.counts = map[messageKind]int{}
	}
	if m.counts[kind]++; m.counts[kind] == 1 {
		m.kinds = append(m.kinds, kind)
	}
	if m.all || m.counts[kind] <= shownMessages {
		if m.outcome != nil {
			m.outcome.Findings = append(m.outcome.Findings, line)
		}
		fmt.Fprintf(m.to, "cbkit: %s: %s\n", kind, oneLine(err.Error()))
	}
}

// reported is a message in a report.
type reported struct {
	Kind    messageKind    `json:"kind"`
	Loss    model.LossKind `json:"loss,omitempty"`
	File    string         `json:"file,omitempty"`
	Record  int64          `json:"record,omitempty"`
	Offset  int64          `json:"offset,omitempty"`
	Field   string         `json:"field,omitempty"`
	Message string         `json:"message"`
}

// lost counts a loss for the summary, and writes it to the report.
func (m *messages) lost(l model.Loss) {
	m.losses.add(l)
	m.appendLoss(l)
}

// leave counts what a verb leaves out of what it makes.
func (m *messages) leave(l model.Loss) {
	m.left.add(l)
	m.appendLoss(l)
}

func (m *messages) appendLoss(l model.Loss) {
	m.append(reported{Kind: messageLoss, Loss: l.Kind, Record: int64(l.Record), Field: l.Field, Message: l.What})
}

func (m *messages) append(line reported) {
	if m.report == nil {
		return
	}
	if err := jsonEncoder(m.report, m.zips).Encode(line); err != nil && m.err == nil {
		m.err = err
	}
}

// finish says how many messages were not shown, and completes the report.
func (m *messages) finish() error {
	for _, kind := range m.kinds {
		if more := m.counts[kind] - shownMessages; more > 0 && !m.all {
			fmt.Fprintf(m.to, "cbkit: %s: %d more; --all shows them, --report FILE.jsonl writes them\n", kind, more)
		}
	}
	if m.report == nil {
		return nil
	}
	if err := m.report.Close(); m.err == nil {
		m.err = err
	}
	return plainError(m.err)
}

// failed reports whether there was more than warnings.
func (m *messages) failed() bool {
	return slices.ContainsFunc(m.kinds, func(kind messageKind) bool { return kind != messageWarning })
}

// warn reports an oddity that costs nothing.
func (env *environment) warn(err error) { env.messages.say(messageWarning, err) }

// damaged reports damage to a file.
func (env *environment) damaged(err error) { env.messages.say(messageDamaged, err) }

// unread reports a record that cannot be read, or not as a whole.
func (env *environment) unread(kind messageKind, err error) {
	env.messages.records++
	env.messages.say(kind, err)
}

// judge reports what of a record could not be read or decoded: the one rule of
// all verbs that read records. Source names where the record is from.
func (env *environment) judge(source string, rec *model.Record) {
	faults := rec.Faults()
	if len(faults) == 0 {
		return
	}
	env.messages.records++
	for _, err := range faults {
		if _, is := errors.AsType[*model.FormatError](err); !is {
			err = fmt.Errorf("%s: record %s: %w", source, env.label(rec.ID), err)
		}
		env.damaged(err)
	}
}

// oneLine makes one line of a message, and a short one.
func oneLine(s string) string {
	const limit = 1000 // characters
	s = strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "; ")
	if len(s) > limit {
		n := 0
		for at := range s {
			if n++; n > limit {
				return s[:at] + "…"
			}
		}
	}
	return s
}

// lossBook collects losses for a summary by kind and field.
type lossBook struct {
	entries map[lossKey]*lossEntry
	// plain says that the target is PGN for people, of which one line says
	// what it leaves out.
	plain bool
}

type lossKey struct {
	kind  model.LossKind
	field string
}

type lossEntry struct {
	count int
	first model.Loss
}

// add takes a loss.
func (b *lossBook) add(l model.Loss) {
	if b.entries == nil {
		b.entries = map[lossKey]*lossEntry{}
	}
	k := lossKey{l.Kind, l.Field}
	if e := b.entries[k]; e != nil {
		e.count++
		return
	}
	b.entries[k] = &lossEntry{count: 1, first: l}
}

// printLosses prints the summary of the losses.
func (m *messages) printLosses() { m.losses.print(m.to, m.all) }

// print writes the summary, one line for each kind and field, most frequent first; tags
// are one line.
func (b *lossBook) print(w io.Writer, all bool) {
	if b.plain && !all { // one line, of what leaves the book
		out, changed := b.cut(func(k lossKey) bool { return isLeftOut[k.kind] }), b.cut(func(k lossKey) bool { return k.kind == model.Changed })
		if parts := joinKnown([]string{optional("left out: ", out), optional("in another form: ", changed)}, "; "); parts != "" {
			deleted := ""
			if strings.Contains(out, "deleted game") {
				deleted = "--deleted writes deleted games, "
			}
			fmt.Fprintf(w, "PGN for people: %s; %s--lossless keeps annotations as they are, --all lists all\n", parts, deleted)
		}
	}
	type row struct {
		count  int
		kind   model.LossKind
		things []string
		first  model.Loss
	}
	var rows []*row
	var tags *row
	for _, k := range slices.SortedFunc(maps.Keys(b.entries), func(x, y lossKey) int { return cmp.Or(cmp.Compare(x.field, y.field), cmp.Compare(x.kind, y.kind)) }) {
		e := b.entries[k]
		thing := lostThing(e.count, k)
		if k.kind == model.LostTag {
			thing = k.field // which
		}
		if k.kind == model.LostTag && tags != nil {
			tags.count, tags.things = tags.count+e.count, append(tags.things, oneLine(thing))
			continue
		}
		r := &row{e.count, k.kind, []string{oneLine(thing)}, e.first}
		if rows = append(rows, r); k.kind == model.LostTag {
			tags = r
		}
	}
	slices.SortStableFunc(rows, func(x, y *row) int { return cmp.Compare(y.count, x.count) })
	if len(rows) > 0 {
		fmt.Fprintln(w, "losses:")
	}
	for i, r := range rows {
		if i == shownMessages && !all {
			fmt.Fprintf(w, "  and %s; --all shows them\n", plural(len(rows)-i, "more kind"))
			return
		}
		first := r.first.What
		if r.first.Record != 0 {
			first = fmt.Sprintf("record %d: %s", r.first.Record, first)
		}
		fmt.Fprintf(w, "  %7d  %s: %s (first: %s)\n", r.count, inNumber(r.count, lossWords[r.kind]), strings.Join(r.things, ", "), oneLine(first))
	}
}

// isLeftOut has the kinds of what PGN for people is without.
var isLeftOut = map[model.LossKind]bool{
	model.LostTag: true, model.LostField: true, model.LostAnnotation: true, model.LostRecord: true,
}

// cut takes some entries out of the book and says how many there are of what,
// most frequent first.
func (b *lossBook) cut(isMeant func(lossKey) bool) string {
	counts := map[string]int{} // by the word for one
	keys := map[string]lossKey{}
	for k, e := range b.entries {
		if isMeant(k) {
			word := lostThing(1, k)
			counts[word] += e.count
			keys[word] = k
			delete(b.entries, k)
		}
	}
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%d %s", counts[name], lostThing(counts[name], keys[name]))
	}
	return oneLine(strings.Join(names, ", "))
}

// outcome is what --json prints of a verb that makes or changes something, as the
// last line of standard output: one shape for all of them, whatever happened.
type outcome struct {
	Verb    string `json:"verb"`
	Status  int    `json:"status"`
	Meaning string `json:"meaning"`
	Error   string `json:"error,omitempty"`
	// InPlace says that the work failed when everything was in place.
	InPlace  bool         `json:"inPlace,omitempty"`
	DryRun   bool         `json:"dryRun,omitempty"`
	Written  []madeTarget `json:"written"`
	Skipped  int          `json:"skipped"`
	Cut      int          `json:"cut"`
	Damaged  int          `json:"damaged"`
	Warnings int          `json:"warnings"`
	Losses   []lossJSON   `json:"losses"`
	Findings []reported   `json:"findings"`
	// Result is what the verb itself counts, in a form of its own.
	Result any `json:"result,omitempty"`
}

// madeTarget is a database, book, archive or file that was made or changed.
type madeTarget struct {
	Path   string `json:"path"`
	Format format `json:"format,omitempty"`
	// Records are games and texts; both numbers are missing where there is no
	// such thing to count.
	Records *int  `json:"records,omitempty"`
	Games   *int  `json:"games,omitempty"`
	Files   int   `json:"files"`
	Bytes   int64 `json:"bytes"`
}

// lossJSON is what was lost of a kind in a field.
type lossJSON struct {
	Kind  string `json:"kind"`
	Field string `json:"field"`
	Count int    `json:"count"`
	First string `json:"first"`
}

// meanings say what the exit statuses mean.
var meanings = map[int]string{
	exitDone:   "done",
	exitFailed: "something failed, was skipped, cut, damaged or different, or the work was interrupted",
	exitUsage:  "bad use",
}

// outcomePrinter is a verb that can print its outcome as JSON.
type outcomePrinter interface{ printsOutcome() bool }

// printsOutcome implements [outcomePrinter].
func (f writeFlags) printsOutcome() bool { return f.JSON }

// setResult sets what the outcome has of the verb itself, and reports whether an outcome
// is printed, in the place of words.
func (env *environment) setResult(result any, dryRun bool) (isPrinted bool) {
	if env.messages.outcome == nil {
		return false
	}
	env.messages.outcome.Result, env.messages.outcome.DryRun = result, dryRun
	return true
}

// made notes what was written, and that nothing is being made any more. Its size is that
// of its files as they are now.
func (env *environment) made(m madeTarget) {
	env.making = ""
	if env.messages.outcome == nil {
		return
	}
	if m.Files == 0 {
		names := []string{m.Path}
		if info, err := os.Stat(m.Path); err == nil && info.IsDir() { // all that are in it
			names = nil
			_ = filepath.WalkDir(m.Path, func(name string, entry fs.DirEntry, err error) error {
				if err == nil && entry.Type().IsRegular() {
					names = append(names, name)
				}
				return nil // what cannot be looked at is not counted
			})
		} else if m.Format != "" {
			names = filesOf(m.Path, m.Format)
		}
		for _, info := range statAll(names) {
			m.Files++
			m.Bytes += info.Size()
		}
	}
	env.messages.outcome.Written = append(env.messages.outcome.Written, m)
}

// finish ends a verb that has made something: it says so in the outcome, with the result of
// the verb itself, or in words.
func (env *environment) finish(made madeTarget, result any, quiet bool, words string) {
	env.made(made)
	if !env.setResult(result, false) && !quiet {
		fmt.Fprintf(env.stderr, "%s: %s\n", made.Path, words)
		env.messages.printLosses()
	}
}

// printOutcome prints the outcome, if it is asked for.
func (env *environment) printOutcome(status int, err error) error {
	m := &env.messages
	o := m.outcome
	if o == nil {
		return nil
	}
	o.Status, o.Meaning = status, meanings[status]
	o.InPlace = errors.Is(err, model.ErrUncertain) || errors.Is(err, model.ErrCommitted)
	if err != nil && !errors.Is(err, errReported) {
		o.Error = env.failure(err)
	}
	o.Skipped, o.Cut, o.Damaged, o.Warnings = m.counts[messageSkipped], m.counts[messageCut], m.counts[messageDamaged], m.counts[messageWarning]
	for _, book := range []*lossBook{&m.left, &m.losses} {
		for k, e := range book.entries {
			if i := slices.IndexFunc(o.Losses, func(l lossJSON) bool { return l.Kind == string(k.kind) && l.Field == k.field }); i >= 0 {
				o.Losses[i].Count += e.count
				continue
			}
			o.Losses = append(o.Losses, lossJSON{string(k.kind), k.field, e.count, e.first.String()})
		}
	}
	slices.SortFunc(o.Losses, func(a, b lossJSON) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Field, b.Field))
	})
	return env.answer(o)
}
