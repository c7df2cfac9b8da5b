//go:build !unix

package fsys

// mayWrite does not know better.
func mayWrite(string) bool { return true }
