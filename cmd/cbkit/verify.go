package main

import (
	"fmt"
	"io"
	"strings"

	"cbkit/check"
)

// verifyError says which files were not looked at, and returns an error if that
// or a difference makes the verification fail.
func verifyError(w io.Writer, report *check.Report) error {
	for _, name := range report.Missing {
		fmt.Fprintf(w, "cbkit: %s: the file is missing; --files with the others leaves it out\n", name)
	}
	for _, f := range report.Unreadable {
		fmt.Fprintf(w, "cbkit: %s: cannot be read: %s; --files with the others leaves it out\n", f.File, f.Message)
	}
	for i := range report.Files {
		if f := &report.Files[i]; f.Undecoded > 0 {
			fmt.Fprintf(w, "cbkit: %s: %s\n", f.File, plural(f.Undecoded, "record| outside of the file, or not to be decoded"))
		}
	}
	if report.Failed() || report.Different()+report.Undecoded() > 0 {
		return errReported
	}
	return nil
}

// verifyTable formats a report for people.
func verifyTable(report *check.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-16s %10s %12s %10s %8s %8s %9s %11s\n",
		"file", "records", "bytes", "exact", "kept", "trash", "different", "unsupported")
	for i := range report.Files {
		f := &report.Files[i]
		verifyRow(&b, f.File, &f.Tally)
		for j := range f.Parts {
			if len(f.Parts) > 1 {
				verifyRow(&b, "  "+f.Parts[j].Name, &f.Parts[j].Tally)
			}
		}
		for _, l := range f.Listed {
			verifyCase(&b, &l)
		}
		if f.Unlisted > 0 {
			fmt.Fprintf(&b, "    and %d more (--max -1 lists all)\n", f.Unlisted)
		}
	}
	return b.String()
}

func verifyRow(b *strings.Builder, name string, t *check.Tally) {
	fmt.Fprintf(b, "%-16s %10d %12d %10d %8d %8d %9d %11d\n",
		name, t.Records, t.Bytes, t.Exact, t.Kept, t.Trash, t.Different, t.Unsupported)
}

// verifyCase writes one line, such as
// "kept: text 3 at 0x4b3 (text): stored as UTF-8 though the code page holds it".
func verifyCase(b *strings.Builder, c *check.Case) {
	fmt.Fprintf(b, "    %s: %s", c.Outcome, c.Part)
	if c.Record >= 0 {
		fmt.Fprintf(b, " %d", c.Record)
	}
	fmt.Fprintf(b, " at 0x%x", c.Offset)
	if c.Field != "" {
		fmt.Fprintf(b, " (%s)", c.Field)
	}
	if c.Message != "" {
		fmt.Fprintf(b, ": %s", c.Message)
	}
	b.WriteByte('\n')
}
