package fsys

import (
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

func linksOf(name string, info fs.FileInfo) (int, error) {
	if info.Sys() == nil {
		return 1, nil // it is not the machine's
	}
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	var of windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &of); err != nil {
		return 1, nil // the file system does not say
	}
	return int(of.NumberOfLinks), nil
}
