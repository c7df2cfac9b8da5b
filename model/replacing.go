package model

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// Reasons to refuse a target, for errors.Is. An existing target is an
// [ExistsError], one that another process writes is [ErrLocked].
var (
	// ErrInterrupted: an earlier replacement of the target was interrupted. It
	// wraps [ErrNeedsRecovery].
	ErrInterrupted = fmt.Errorf("%w: writing was interrupted", ErrNeedsRecovery)
	// ErrReadOnly: a file that would be replaced is read-only. It wraps
	// [fs.ErrPermission].
	ErrReadOnly = fmt.Errorf("%w: read-only", fs.ErrPermission)
)

// ExistsError reports a target that exists and may not be replaced. It wraps
// [fs.ErrExist].
type ExistsError struct {
	Path string // the file or folder that exists
	Main string // the main file of the target
	// Orphan reports that the main file does not exist: Path has its name, but
	// is not known to belong to a database or book. A forced replacement moves
	// it aside.
	Orphan bool
}

// Error returns one line that says what to do.
func (e *ExistsError) Error() string {
	without := ""
	if e.Orphan {
		without = ", without " + filepath.Base(e.Main)
	}
	return fmt.Sprintf("%s: %v%s: force its replacement, or choose another name", e.Path, fs.ErrExist, without)
}

// Unwrap returns [fs.ErrExist].
func (e *ExistsError) Unwrap() error { return fs.ErrExist }

// A Replacement lists the old files of a target that no new file of the same name
// replaced.
type Replacement struct {
	// Removed are the names of files that belonged to the old database or book
	// and were removed.
	Removed []string
	// Kept are the names of files and folders that were in the way but did not belong to
	// it. They were moved into Folder or, if Folder is "", left in place.
	Kept   []string
	Folder string
}

// A RecoveryOutcome is the result of a recovery.
type RecoveryOutcome uint8

// The outcomes of a recovery.
const (
	// RecoveryNothing: there was nothing to recover.
	RecoveryNothing RecoveryOutcome = iota
	// RecoveryTakenBack: the new files were incomplete and were removed. Old files, if
	// any, had not been touched.
	RecoveryTakenBack
	// RecoveryCompleted: the new files were complete and are in place.
	RecoveryCompleted
	// RecoveryRestored: the new files were lost, and the old ones were put back.
	RecoveryRestored
	// RecoveryUndone: an interrupted edit was rolled back.
	RecoveryUndone
)

// String describes the outcome in one clause.
func (o RecoveryOutcome) String() string {
	return [...]string{
		RecoveryNothing:   "nothing to recover",
		RecoveryTakenBack: "the unfinished new files were removed; what was there before is as it was",
		RecoveryCompleted: "the replacement was completed; the new files are in place",
		RecoveryRestored:  "the old files were put back",
		RecoveryUndone:    "the interrupted change was taken back; the files are as they were before it",
	}[o]
}

// RecoverOptions configures recoveries.
type RecoverOptions struct {
	// Force rolls an interrupted edit back even if its journal does not fit the files,
	// after copying all of them as they are.
	Force bool
}

// A Recovery reports what a recovery did.
type Recovery struct {
	Outcome RecoveryOutcome
	Replacement
	// Cleared are the names of temporary files, working folders and lock files
	// of processes that no longer run. They were removed.
	Cleared []string
	// Copy is the folder with a copy of the files as they were found, made because a
	// recovery was forced; "" if none was made.
	Copy string
}

// IsNothing reports whether there was nothing to do.
func (r Recovery) IsNothing() bool { return r.Outcome == RecoveryNothing && len(r.Cleared) == 0 }

// String describes the recovery in one line.
func (r Recovery) String() string {
	var parts []string
	if r.Outcome != RecoveryNothing || r.IsNothing() {
		parts = append(parts, r.Outcome.String())
	}
	if len(r.Kept) > 0 {
		parts = append(parts, fmt.Sprintf("%s, which the new ones have no place for, are in %s", strings.Join(r.Kept, " "), r.Folder))
	}
	if r.Copy != "" {
		parts = append(parts, "a copy of them as they were found is in "+r.Copy)
	}
	if len(r.Cleared) > 0 {
		parts = append(parts, "cleared "+strings.Join(r.Cleared, " "))
	}
	return strings.Join(parts, "; ")
}
