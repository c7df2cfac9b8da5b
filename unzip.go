package cbkit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cbkit/internal/dbfile"
	"cbkit/internal/packed"
	"cbkit/model"
	"cbkit/write"
)

// IsZip reports whether a name is that of a zip which is there, or of something in one,
// such as "TWIC.zip:twic1500.pgn".
func IsZip(path string) bool { return isZipIn(nil, path) }

func isZipIn(files fs.FS, path string) bool {
	file, _, is := packed.SplitZip(path)
	if !is {
		return false
	}
	if files != nil {
		_, err := fs.Stat(files, file)
		return err == nil
	}
	info, err := os.Stat(file)
	return err == nil && !info.IsDir()
}

// Unzipped is what can be opened in a zip. It must be closed.
type Unzipped struct {
	// Names are names for [Open] and its kin. Texts of games are read inside the zip and
	// are called "TWIC.zip:twic1500.pgn"; if the zip was named, all of them are listed. A
	// database, book, archive or table has the name of its place in Folder.
	Names []string
	// Zip is the name of the zip, "" if it was none, and Folder a temporary folder, "" if
	// nothing was unpacked: what is "NAME" there is "ZIP:NAME" to people.
	Zip, Folder string
}

// Close removes the folder. A second call does nothing.
func (u *Unzipped) Close() error {
	if u.Folder == "" {
		return nil
	}
	return os.RemoveAll(u.Folder)
}

// Unzip finds what can be opened in a zip, or in the one thing of a zip that path names,
// and unpacks what is not text. If a zip has several things and one of them is not text,
// the error is a [model.ErrOption] that names them. If path names no zip, it is the only
// name returned.
//
// It refuses zips with names that lead out of a folder or with encrypted files, and those
// that would unpack to more than a gigabyte and more than a hundred times their size.
func Unzip(ctx context.Context, path string) (*Unzipped, error) {
	file, _, is := packed.SplitZip(path)
	if !is || !IsZip(path) {
		return &Unzipped{Names: []string{path}}, nil
	}
	z, err := packed.OpenZip(file)
	if err != nil {
		return nil, err
	}
	defer z.Close() // it was only read
	units, inside, err := choose(z, path)
	if err != nil {
		return nil, err
	}
	u := &Unzipped{Zip: file}
	if areTexts(units) {
		for _, name := range units {
			u.Names = append(u.Names, file+":"+name)
		}
		return u, nil
	}
	if u.Folder, err = os.MkdirTemp("", "cbkit-zip-"); err != nil {
		return nil, err
	}
	if err := z.Unpack(ctx, isNoText, packed.IntoFolder(u.Folder)); err != nil {
		return nil, errors.Join(err, u.Close())
	}
	u.Names = []string{filepath.Join(u.Folder, filepath.FromSlash(units[0])) + inside}
	return u, nil
}

// choose returns the names of what is to be opened of a zip, or of something in it:
// texts, or one name of anything else and, if that is an archive, which database in it.
func choose(z *packed.ZipFile, path string) (units []string, inside string, err error) {
	file, member, _ := packed.SplitZip(path)
	all := unitsOf(z.Names())
	if member != "" {
		if archive, db, is := SplitArchive(member); is && db != "" {
			member, inside = archive, ":"+db
		}
		is := func(u string) bool {
			as := FormatNamed(member)
			return u == member || !FormatNamed(u).IsFile() && (as == noFormat && dbfile.SameStem(u, member) || as == FormatNamed(u) && dbfile.SetKey(u) == dbfile.SetKey(member))
		}
		if slices.ContainsFunc(all, is) {
			return []string{member}, inside, nil
		}
		return nil, "", fmt.Errorf("%s: %w: there is no %q in the zip to open; it has %s", file, model.ErrOption, member, listed(all))
	}
	switch {
	case len(all) == 0:
		return nil, "", fmt.Errorf("%s: %w: the zip has neither games nor a book; it has %s", file, model.ErrNotDatabase, listed(z.Names()))
	case len(all) > 1 && !areTexts(all):
		return nil, "", &AmbiguousError{file, all}
	}
	return all, "", nil
}

// listed lists the names of files, but not thousands.
func listed(names []string) string {
	const most = 10
	switch more := len(names) - most; {
	case len(names) == 0:
		return "nothing"
	case more > 0:
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}

// unitsOf returns what there is to open among files: each text, and each database once.
func unitsOf(names []string) (units []string) {
	sets := map[string]int{} // where in units
	for _, name := range names {
		as := FormatNamed(name)
		switch {
		case as == noFormat:
			continue
		case as.IsFile():
			units = append(units, name)
			continue
		}
		key := string(as) + dbfile.SetKey(name)
		at, has := sets[key]
		if !has {
			sets[key] = len(units)
			units = append(units, name)
		} else if dbfile.Is(name, endings[as][0]) {
			units[at] = name
		}
	}
	return units
}

func areTexts(names []string) bool { return !slices.ContainsFunc(names, isNoText) }

func isNoText(name string) bool { return !FormatNamed(name).IsText() }

// zipFormat is the format of what is in a zip that is there; one that cannot be read is
// text, so that its error shows.
func zipFormat(files fs.FS, path string) Format {
	if _, member, _ := packed.SplitZip(path); member != "" {
		return FormatOf(member)
	}
	z, err := zipIn(files, path)
	if err != nil {
		return PGN
	}
	defer z.Close() // it was only read
	if units := unitsOf(z.Names()); len(units) > 0 {
		return FormatNamed(units[0])
	}
	return PGN
}

// zipIn opens a zip in a file system, where it is read into memory, or on the disk.
func zipIn(files fs.FS, path string) (*packed.ZipFile, error) {
	file, _, _ := packed.SplitZip(path)
	if files == nil {
		return packed.OpenZip(file)
	}
	data, err := fs.ReadFile(files, file)
	if err != nil {
		return nil, err
	}
	return packed.NewZip(bytes.NewReader(data), int64(len(data)), file)
}

// needsUnzip reports whether a name is one of a zip for which [Unzip] has others.
func needsUnzip(files fs.FS, path string) bool {
	_, member, is := packed.SplitZip(path)
	return is && (member == "" || files != nil || isNoText(member)) && isZipIn(files, path)
}

// openUnzipped opens sources of which some are in zips.
func openUnzipped(paths []string, opt Options) (*Source, error) {
	if opt.FS != nil {
		return openZipIn(paths[0], opt)
	}
	var all []string
	var zips []*Unzipped
	closeAll := func() (err error) {
		for _, u := range zips {
			err = errors.Join(err, u.Close())
		}
		return err
	}
	for _, path := range paths {
		u, err := Unzip(context.Background(), path)
		if err != nil {
			return nil, errors.Join(err, closeAll())
		}
		all, zips = append(all, u.Names...), append(zips, u)
	}
	src, err := OpenAll(all, opt)
	if err != nil {
		return nil, errors.Join(err, closeAll())
	}
	before := src.close
	src.close = func() error {
		var err error
		if before != nil {
			err = before()
		}
		return errors.Join(err, closeAll())
	}
	return src, nil
}

// openZipIn opens what is in a zip in a file system, without the disk.
func openZipIn(path string, opt Options) (*Source, error) {
	z, err := zipIn(opt.FS, path)
	if err != nil {
		return nil, err
	}
	units, inside, err := choose(z, path)
	if err != nil {
		return nil, err
	}
	if areTexts(units) {
		opt.FS = z
		if len(units) == 1 {
			return OpenAll(units, opt)
		}
		return openEach(units, opt)
	}
	memory := write.NewMemory()
	into := func(name string) (io.WriteCloser, error) { return &memoryFile{name: name, files: memory}, nil }
	if err := z.Unpack(context.Background(), isNoText, into); err != nil {
		return nil, err
	}
	opt.FS = memory
	return OpenAll([]string{units[0] + inside}, opt)
}

// memoryFile is written to memory when it is closed.
type memoryFile struct {
	bytes.Buffer
	name  string
	files *write.Memory
}

// Close implements [io.Closer].
func (f *memoryFile) Close() error { return f.files.WriteFile(f.name, f.Bytes()) }
