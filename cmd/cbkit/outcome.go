package main

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"cbkit/model"
)

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

// accountable is a verb that can give account of what it made as JSON.
type accountable interface{ accounts() bool }

// accounts reports whether the account is asked for.
func (f writeFlags) accounts() bool { return f.JSON }

// beginAccount notes that a verb is to give account, if it is.
func (env *environment) beginAccount(verb string, command any) {
	if v, ok := command.(accountable); ok && v.accounts() {
		env.outcome = &outcome{Verb: verb, Written: []madeTarget{}, Losses: []lossJSON{}, Findings: []reported{}}
		env.messages.keep = true
	}
}

// account takes what a verb counts, and reports whether that is all it is to tell.
func (env *environment) account(result any, dryRun bool) bool {
	if env.outcome == nil {
		return false
	}
	env.outcome.Result, env.outcome.DryRun = result, dryRun
	return true
}

// made notes what was written. Its size is that of its files as they are now.
func (env *environment) made(m madeTarget) {
	if env.outcome == nil {
		return
	}
	if m.Files == 0 {
		for _, info := range statAll(namesOfTarget(m.Path, m.Format)) {
			m.Files++
			m.Bytes += info.Size()
		}
	}
	env.outcome.Written = append(env.outcome.Written, m)
}

// namesOfTarget returns the names of the files of what was made: of a folder all
// that are in it.
func namesOfTarget(path string, as format) []string {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		if as == "" {
			return []string{path}
		}
		return filesOf(path, as)
	}
	var names []string
	_ = filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			names = append(names, name)
		}
		return nil // what cannot be looked at is not counted
	})
	return names
}

// giveAccount prints the outcome, if it is asked for.
func (env *environment) giveAccount(status int, err error) error {
	o := env.outcome
	if o == nil {
		return nil
	}
	o.Status, o.Meaning = status, meanings[status]
	o.InPlace = errors.Is(err, model.ErrUncertain) || errors.Is(err, model.ErrCommitted)
	if err != nil && !errors.Is(err, errReported) {
		o.Error = env.failure(err)
	}
	m := &env.messages
	o.Skipped, o.Cut, o.Damaged, o.Warnings = m.counts[messageSkipped], m.counts[messageCut], m.counts[messageDamaged], m.counts[messageWarning]
	o.Findings = append(o.Findings, m.kept...)
	for k, e := range m.losses.entries {
		o.Losses = append(o.Losses, lossJSON{string(k.kind), k.field, e.count, e.first.String()})
	}
	slices.SortFunc(o.Losses, func(a, b lossJSON) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Field, b.Field))
	})
	return env.answer(o)
}
