package lock

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
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
func sign(path string) error {
	if !canSign() {
		return nil
	}
	if _, ours := readOwner(path); !ours {
		return errNotOurs
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(fmt.Appendf(nil, signatureLayout, os.Getpid()), lockedBytes)
	return cmp.Or(err, f.Close())
}

// owner returns the process that signed a lock file, 0 if nobody did.
func owner(path string) int {
	if !canSign() {
		return 0
	}
	pid, _ := readOwner(path)
	return pid
}

// readOwner reads a lock file. An empty one is ours too: its owner was stopped
// before he signed.
func readOwner(path string) (pid int, ours bool) {
	f, err := os.Open(path)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return 0, false
	case info.Size() == 0:
		return 0, true
	case info.Size() != int64(lockedBytes+signatureSize):
		return 0, false
	}
	text := make([]byte, signatureSize)
	if _, err := f.ReadAt(text, lockedBytes); err != nil {
		return 0, false
	}
	digits, ok := strings.CutPrefix(string(text), signatureBegin)
	if !ok {
		return 0, false
	}
	pid, err = strconv.Atoi(strings.TrimSpace(digits))
	return pid, err == nil
}
