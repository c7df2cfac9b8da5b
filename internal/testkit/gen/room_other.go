//go:build !linux

package gen

// room returns 0: elsewhere no folder is known to be in memory.
func room(string) uint64 { return 0 }
