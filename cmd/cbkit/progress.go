package main

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress shows how far a long work has come. It is silent where standard
// error is not a terminal.
type progress struct {
	bar *progressbar.ProgressBar
	n   int64
}

// newProgress starts a bar; total is -1 if it is not known.
func newProgress(w io.Writer, quiet bool, total int, what string) *progress {
	if quiet || !isTerminal(w) {
		return &progress{}
	}
	return &progress{bar: progressbar.NewOptions64(int64(total),
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionSetItsString("games"),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish())}
}

// barStep is how many records go by between two looks at the bar.
const barStep = 256

// step counts one record.
func (p *progress) step() {
	p.n++
	if p.bar != nil && p.n%barStep == 0 {
		_ = p.bar.Set64(p.n) // a bar that cannot be drawn is no reason to stop
	}
}

// set shows how many of all records are done.
func (p *progress) set(done, total int) {
	if p.bar != nil {
		p.bar.ChangeMax(total)
		_ = p.bar.Set(done) // a bar that cannot be drawn is no reason to stop
	}
}

// done removes the bar.
func (p *progress) done() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}

// isTerminal reports whether w is a character device.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
