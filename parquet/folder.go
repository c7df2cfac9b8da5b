package parquet

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"cbkit/internal/fsys"
	"cbkit/internal/lock"
)

// Create returns a writer of tables into a folder, each into a folder of its
// own in there, which are made where they are missing:
//
//	OUT/games/Mega.1-of-4.0001.parquet
//	OUT/games/Mega.1-of-4.0002.parquet
//	OUT/positions/Mega.1-of-4.0001.parquet
//	OUT/_manifest.Mega.1-of-4.jsonl
//
// A name tells the database, the part and the number of the file. The manifest has a
// [ManifestEntry] for each file. Files have temporary names until all are complete. Then
// the files of an earlier run of the same part are removed and the new ones get their
// names, the manifest last; files of other parts and databases stay as they are. So files
// of two runs of a part are never there together. A run that is stopped in between leaves
// an incomplete part, whose files [Open] refuses until the part is written again. Only
// one writer of a part works at a time: for a second one errors wrap [model.ErrLocked],
// or it waits until ctx is done.
//
// It fails if there are files of the same database in another number of parts, since the
// tables would have rows twice, and without Force if there are files of a run that wrote
// all in one part, even if they appeared meanwhile.
func Create(ctx context.Context, path string, opt Options) (*Writer, error) {
	return createIn(ctx, fsys.OS{}, path, opt)
}

func createIn(ctx context.Context, files fsys.FS, path string, opt Options) (*Writer, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	f := &folder{files: files, path: path, opt: &opt, name: fileName(opt.Database), open: map[Table]*newFile{}}
	w, err := newWriter(f, opt)
	if err != nil {
		return nil, err
	}
	for _, t := range w.tables {
		t.maxGroups = fileGroups
	}
	err = f.mkdir(f.path)
	if err == nil {
		err = f.acquire(ctx)
	}
	if err == nil {
		_, err = f.settle()
	}
	for _, t := range []Table{Games, Positions} {
		if err == nil {
			_, err = f.replaceable(t) // whether its files may be written, or go
		}
		if err == nil && slices.Contains(opt.Tables, t) {
			err = f.mkdir(f.dir(t))
		}
	}
	if err != nil {
		return w, errors.Join(err, f.release())
	}
	return w, nil
}

// fileName makes a name for files of that of a database.
func fileName(database string) string {
	name := strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, strings.TrimLeft(database, "."))
	if name == "" {
		return "games"
	}
	return name
}

// folder is the target of files in a folder.
type folder struct {
	files fsys.FS
	path  string
	opt   *Options
	name  string
	lock  *lock.Lock
	made  []string // folders that were not there
	done  []*newFile
	open  map[Table]*newFile
}

// newFile is a file that has not its name yet.
type newFile struct {
	fsys.File
	buf        *bufio.Writer
	dir        string
	temp, name string
}

// dir returns the folder of a table.
func (f *folder) dir(t Table) string { return filepath.Join(f.path, string(t)) }

// acquire takes the lock of the part, which is of no table.
func (f *folder) acquire(ctx context.Context) (err error) {
	f.lock, err = lock.Acquire(ctx, f.files, filepath.Join(f.path, f.part()+".parquet"), lock.Writer, f.opt.Wait)
	return err
}

// release gives the lock back, and removes the folders that were made and are
// empty.
func (f *folder) release() error {
	var err error
	if f.lock != nil {
		err = f.lock.Release()
		f.lock = nil
	}
	for i := len(f.made) - 1; i >= 0; i-- {
		// One with files of another part stays.
		_ = f.files.Remove(f.made[i])
	}
	f.made = nil
	return err
}

// replaceable lists the files of earlier runs of this part, which may be replaced; those of
// a table that is not made go with Force alone.
func (f *folder) replaceable(t Table) (names []string, err error) {
	entries, err := f.files.ReadDir(f.dir(t))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		m := fileOfPart.FindStringSubmatch(e.Name())
		switch {
		case m == nil || m[1] != f.name:
		case m[3] != strconv.Itoa(f.opt.Parts):
			return nil, fmt.Errorf("%s: is of a run in %s parts, and the same rows would be there twice; remove its files, or choose another folder",
				filepath.Join(f.dir(t), e.Name()), m[3])
		case m[2] == strconv.Itoa(f.opt.Part):
			names = append(names, e.Name())
		}
	}
	if err == nil && len(names) > 0 && (f.opt.Parts == 1 || !slices.Contains(f.opt.Tables, t)) && !f.opt.Force {
		err = fmt.Errorf("%s: %w", filepath.Join(f.dir(t), names[0]), fs.ErrExist)
	}
	return names, err
}

// mkdir makes a folder if it is not there.
func (f *folder) mkdir(dir string) error {
	made, err := fsys.MkdirAll(f.files, dir)
	f.made = append(f.made, made...)
	return err
}

// create implements target.
func (f *folder) create(t Table, number int) (io.Writer, error) {
	n := &newFile{dir: f.dir(t), name: fmt.Sprintf("%s.%04d.parquet", f.part(), number)}
	for i := 0; ; i++ {
		n.temp = fmt.Sprintf(".%s.%d-%d.cbkit-writing", n.name, os.Getpid(), i)
		file, err := f.files.OpenFile(filepath.Join(n.dir, n.temp), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		n.File = file
		break
	}
	n.buf = bufio.NewWriterSize(n.File, 1<<20)
	f.open[t] = n
	return n.buf, nil
}

// finish implements target.
func (f *folder) finish(t Table) error {
	n := f.open[t]
	if err := n.buf.Flush(); err != nil {
		return err
	}
	if err := n.Sync(); err != nil {
		return err
	}
	f.done = append(f.done, n)
	delete(f.open, t)
	n.buf = nil
	return n.Close()
}

// commit implements target.
func (f *folder) commit() error {
	var old []string
	for _, t := range []Table{Games, Positions} { // rows of one that is not made now would be of another run
		names, err := f.replaceable(t)
		if err != nil {
			return err
		}
		for _, name := range names {
			old = append(old, filepath.Join(f.dir(t), name))
		}
	}
	if err := f.syncTables(); err != nil {
		return err
	}
	for _, n := range f.done {
		name := filepath.Join(n.dir, n.name)
		if slices.Contains(old, name) {
			continue
		}
		// What is in its place does not go: where upper and lower case are the same,
		// that of a database with almost this name.
		switch _, err := f.files.Lstat(name); {
		case err == nil:
			return fmt.Errorf("%s: %w and is of another database; choose another folder", name, fs.ErrExist)
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	manifest, mark, err := f.writeManifest()
	if err != nil {
		return err
	}
	placed, err := f.place(manifest, mark, old)
	if placed {
		f.done, f.made = nil, nil
		return errors.Join(err, f.release())
	}
	gone, left := f.settle()
	if gone && len(old) > 0 {
		err = fmt.Errorf("%w; the tables that were to be replaced are gone, write them again", err)
	}
	return errors.Join(err, left)
}

// abort implements target. Without the lock, what is there is of another run.
func (f *folder) abort() (failed error) {
	for _, n := range f.open {
		failed = errors.Join(failed, n.Close())
	}
	if f.lock != nil {
		_, err := f.settle()
		failed = errors.Join(failed, err)
	}
	f.open, f.done = nil, nil
	return errors.Join(failed, f.release())
}
