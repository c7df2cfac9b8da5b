package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"cbkit/internal/fsys"
	"cbkit/model"
)

// messageFlags are the flags of all verbs that say how much is told of records
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

// messages tells of records and files that are not as they should be: the one
// place that decides what is said, how much of it, and what it means for the
// exit status.
type messages struct {
	to     io.Writer
	all    bool
	report *os.File // nil for none
	err    error    // of writing the report
	kinds  []messageKind
	counts map[messageKind]int
	// losses are those of all the work, and kept the messages that are shown, if
	// they are to be kept.
	losses lossBook
	keep   bool
	kept   []reported
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
		mode = os.O_WRONLY | fsys.NonBlocking // a pipe, which nobody may read, or a device
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

// say tells one thing.
func (m *messages) say(kind messageKind, err error) {
	line := reportOf(kind, err)
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
		if m.keep {
			m.kept = append(m.kept, line)
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

// reportOf returns a message as reports have it.
func reportOf(kind messageKind, err error) reported {
	line := reported{Kind: kind, Message: err.Error()}
	var f *model.FormatError
	if errors.As(err, &f) {
		line.File, line.Record, line.Offset, line.Field = f.File, max(f.Record, 0), max(f.Offset, 0), f.Field
	}
	return line
}

// lost counts a loss, and writes it to the report.
func (m *messages) lost(l model.Loss) {
	if m.keep {
		m.losses.add(l)
	}
	m.append(reported{Kind: messageLoss, Loss: l.Kind, Record: int64(l.Record), Field: l.Field, Message: l.What})
}

func (m *messages) append(line reported) {
	if m.report == nil {
		return
	}
	if err := jsonEncoder(m.report).Encode(line); err != nil && m.err == nil {
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

// failed reports whether something was told that is more than a warning.
func (m *messages) failed() bool {
	for _, kind := range m.kinds {
		if kind != messageWarning {
			return true
		}
	}
	return false
}

// warn tells of an oddity that costs nothing.
func (env *environment) warn(err error) { env.messages.say(messageWarning, err) }

// damaged tells of damage to a file.
func (env *environment) damaged(err error) { env.messages.say(messageDamaged, err) }

// unread tells of a record that cannot be read, or not as a whole.
func (env *environment) unread(kind messageKind, err error) {
	env.messages.records++
	env.messages.say(kind, err)
}

// judge tells what of a record could not be read or decoded: the one rule of
// all verbs that read records. Source names where the record is from.
func (env *environment) judge(source string, rec *model.Record) {
	faults := rec.Faults()
	if len(faults) == 0 {
		return
	}
	env.messages.records++
	for _, err := range faults {
		var f *model.FormatError
		if !errors.As(err, &f) {
			err = fmt.Errorf("%s: record %d: %w", source, rec.ID, err)
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
