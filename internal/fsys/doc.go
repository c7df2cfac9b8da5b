// Package fsys is the one small interface through which writers, and readers of what is
// being written, reach files: [FS] and [File], with [OS] for the files of the machine.
// Package crashfs has one in memory, in which tests can make any call fail, fall short or
// be the moment of a crash.
package fsys
