package fsys

import (
	"math"

	"golang.org/x/sys/windows"
)

func free(dir string) (int64, bool) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, false
	}
	var n uint64
	if err := windows.GetDiskFreeSpaceEx(name, &n, nil, nil); err != nil {
		return 0, false
	}
	return int64(min(n, math.MaxInt64)), true
}
