//go:build !unix

package fsys

// NonBlocking is nothing where files have no such flag.
const NonBlocking = 0
