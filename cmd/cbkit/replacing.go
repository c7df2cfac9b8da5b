package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"cbkit/write"
)

// waitFlag is the flag of every verb that writes.
type waitFlag struct {
	Wait wait `help:"Wait so long if another program is writing the target, such as 10s; else it is refused." placeholder:"TIME"`
}

// duration returns how long to wait.
func (f waitFlag) duration() time.Duration { return time.Duration(f.Wait) }

// wait is a length of time.
type wait time.Duration

// UnmarshalText reads a length of time in Go's form.
func (w *wait) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	if err != nil || d < 0 {
		return errors.New("the time must be like 10s or 2m")
	}
	*w = wait(d)
	return nil
}

// tellReplaced returns what tells of files that a replacement took away or moved.
// That is told also with --quiet: they are the user's.
func (env *environment) tellReplaced(target string) func(write.Replacement) {
	return func(r write.Replacement) {
		if len(r.Removed) > 0 {
			fmt.Fprintf(env.stderr, "cbkit: %s: with the old one went %s\n", target, strings.Join(r.Removed, " "))
		}
		if len(r.Kept) > 0 {
			fmt.Fprintf(env.stderr, "cbkit: %s: %s: in the way but not of a database that was replaced; moved to %s\n",
				target, strings.Join(r.Kept, " "), r.Folder)
		}
	}
}

// inTheWay refuses a target because of what is there.
func inTheWay(target string, err error) error {
	var exists *write.ExistsError
	if !errors.As(err, &exists) {
		return existsError(target)
	}
	switch name := filepath.Base(exists.Path); {
	case exists.Orphan:
		return fmt.Errorf("%s: exists already, and there is no %s to say whose it is; choose another name, or use --force, which moves it aside",
			exists.Path, filepath.Base(target))
	case strings.TrimSuffix(name, filepath.Ext(name)) != strings.TrimSuffix(filepath.Base(target), filepath.Ext(target)):
		return fmt.Errorf("%s: exists already, and differs from %s in upper and lower case alone; choose another name, or use --force to have both",
			exists.Path, filepath.Base(target))
	}
	return existsError(exists.Path)
}

// existsError refuses a target.
func existsError(path string) error {
	return thereError{fmt.Errorf("%s: exists already; choose another name or use --force", path)}
}

// thereError is the error of a target that exists.
type thereError struct{ error }

// nothingRead refuses to make a target of an input of which every game was
// skipped: it would replace what is there by nothing.
func nothingRead(target string) error {
	return fmt.Errorf("%s: not written, since nothing of the input could be read", target)
}
