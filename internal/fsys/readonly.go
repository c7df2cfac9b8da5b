package fsys

// IsReadOnly reports whether a file or folder that is there cannot be written to: by its
// permissions, which bind everyone here, or because the system says so.
func IsReadOnly(files FS, name string) bool {
	info, err := files.Stat(name)
	if err != nil {
		return false
	}
	return info.Mode().Perm()&0o222 == 0 || IsMachine(files) && !mayWrite(name)
}
