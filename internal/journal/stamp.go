package journal

import (
	"io/fs"
	"os"
	"time"
)

// Stamp is the state of a main file, by which readers notice commits.
type Stamp struct {
	size    int64
	changed time.Time
	info    fs.FileInfo
}

// NewStamp makes a stamp of what Stat says of a file.
func NewStamp(info fs.FileInfo) Stamp { return Stamp{info.Size(), info.ModTime(), info} }

// Same reports whether a file is the same and has not changed since.
func (s Stamp) Same(info fs.FileInfo) bool {
	hasIdentity := os.SameFile(s.info, s.info) // not all file systems give files one
	return s.size == info.Size() && s.changed.Equal(info.ModTime()) && (!hasIdentity || os.SameFile(s.info, info))
}
