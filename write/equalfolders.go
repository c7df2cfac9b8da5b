package write

import (
	"bytes"
	"io"
	"io/fs"
)

// equalFolders reports whether two folders hold the same: folders and regular
// files of the same names and contents. Anything else in them makes them differ,
// and so does what cannot be read.
func equalFolders(a, b fs.FS) bool {
	listA, okA := listFolder(a)
	listB, okB := listFolder(b)
	if !okA || !okB || len(listA) != len(listB) {
		return false
	}
	for name, size := range listA {
		if other, there := listB[name]; !there || other != size {
			return false
		}
	}
	for name, size := range listA {
		if size >= 0 && !equalFiles(a, b, name) {
			return false
		}
	}
	return true
}

// listFolder returns the sizes of all files, -1 of folders.
func listFolder(files fs.FS) (sizes map[string]int64, ok bool) {
	sizes = map[string]int64{}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			sizes[name] = -1
			return nil
		case !d.Type().IsRegular():
			return fs.ErrInvalid
		}
		info, err := d.Info()
		if err == nil {
			sizes[name] = info.Size()
		}
		return err
	})
	return sizes, err == nil
}

// equalFiles reports whether a file has the same content in both.
func equalFiles(a, b fs.FS, name string) bool {
	fileA, err := a.Open(name)
	if err != nil {
		return false
	}
	defer fileA.Close()
	fileB, err := b.Open(name)
	if err != nil {
		return false
	}
	defer fileB.Close()
	var bufA, bufB [1 << 16]byte
	for {
		n, errA := io.ReadFull(fileA, bufA[:])
		m, errB := io.ReadFull(fileB, bufB[:])
		if !bytes.Equal(bufA[:n], bufB[:m]) {
			return false
		}
		if errA != nil || errB != nil {
			return isEnd(errA) && isEnd(errB)
		}
	}
}

// isEnd reports whether an error of io.ReadFull says that a file has ended.
func isEnd(err error) bool { return err == io.EOF || err == io.ErrUnexpectedEOF }
