//go:build !unix

package fsys

// nonBlocking is nothing where files have no such flag.
const nonBlocking = 0
