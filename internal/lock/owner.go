package lock

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"strings"

	"cbkit/internal/fsys"
)

// A lock file is the locked byte, then the signature of its owner. All
// signatures have one length, so that one covers another.
const (
	lockedBytes     = 1
	signatureLayout = "cbkit process %-10d\n"
	signatureBegin  = "cbkit process "
	signatureSize   = len(signatureBegin) + 10 + 1
)

// canSign reports whether a lock file can be opened a second time: where locks
// belong to the process, closing the second handle would give the lock back.
func canSign() bool { return runtime.GOOS != "aix" && runtime.GOOS != "solaris" }

// errNotOurs is the error of signing a file that has other content.
var errNotOurs = errors.New("not a lock file")

// sign writes this process's id into a lock file that was locked. A file with
// other content is left alone.
func sign(path string, named fs.FileInfo) error {
	if !canSign() {
		return nil
	}
	if named.Size() > 0 {
		switch _, ours, err := readOwner(path); {
		case err != nil:
			return err
		case !ours:
			return errNotOurs
		}
	}
	if err := fsys.RefuseLinked(path, named); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(fmt.Appendf(nil, signatureLayout, os.Getpid()), lockedBytes)
	return cmp.Or(err, f.Close())
}

// owner returns the process that signed a lock file, 0 if none did.
func owner(path string) int {
	if !canSign() {
		return 0
	}
	pid, _, _ := readOwner(path)
	return pid
}

// readOwner reads a lock file. One that is empty, cut, or zero from some place on is
// ours too: its owner was stopped before he had signed, or before the disk had it.
func readOwner(path string) (pid int, ours bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, false, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(io.NewSectionReader(f, lockedBytes, 1<<62), int64(signatureSize)+1))
	if err != nil || len(text) > signatureSize {
		return 0, false, err
	}
	signed := strings.TrimRight(string(text), "\x00")
	if len(signed) <= len(signatureBegin) {
		return 0, strings.HasPrefix(signatureBegin, signed), nil
	}
	digits, ok := strings.CutPrefix(signed, signatureBegin)
	if len(signed) < signatureSize {
		return 0, ok && strings.Trim(digits, "0123456789 ") == "", nil
	}
	pid, failed := strconv.Atoi(strings.TrimSpace(digits))
	return pid, ok && failed == nil, nil
}
