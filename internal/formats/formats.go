// Package formats is the registry of formats that package cbkit opens and saves only in
// programs that import them, so that other programs do without their dependencies.
package formats

import (
	"io"
	"io/fs"

	"cbkit/model"
)

// Format opens and writes files of one kind.
type Format struct {
	// Open opens files as one source, on the disk if files is nil.
	Open func(files fs.FS, paths []string) (model.Source, error)
	// NewWriter returns a sink that writes a file to w.
	NewWriter func(w io.Writer, report model.Report, acceptLosses bool) (model.Sink, error)
}

var known = map[string]Format{}

// Register makes a format known under its name. It is called while a program
// begins.
func Register(name string, f Format) { known[name] = f }

// Find returns the format of a name, and whether the program has it.
func Find(name string) (Format, bool) {
	f, ok := known[name]
	return f, ok
}
