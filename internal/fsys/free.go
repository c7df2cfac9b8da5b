package fsys

// Free returns how many bytes the user can still write to the file system of a
// folder, and whether the system tells.
func Free(dir string) (n int64, known bool) {
	if IsMachine(OS{}) {
		return free(dir)
	}
	return 0, false
}
