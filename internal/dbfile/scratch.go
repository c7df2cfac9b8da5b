package dbfile

import "strings"

// IsScratch reports whether a name is that of a file for sorting and the like, which
// package tempfile makes: cbkit-PURPOSE-PROCESS-NUMBER.tmp.
func IsScratch(name string) bool {
	stem, ending, _ := strings.Cut(name, ".")
	parts := strings.Split(stem, "-")
	if ending != "tmp" || len(parts) != 4 || parts[0] != "cbkit" {
		return false
	}
	for i, letters := range [...]string{"abcdefghijklmnopqrstuvwxyz", "0123456789", "0123456789"} {
		if parts[i+1] == "" || strings.Trim(parts[i+1], letters) != "" {
			return false
		}
	}
	return true
}
