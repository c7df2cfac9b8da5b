package parquet

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"cbkit/internal/fsys"
	"cbkit/model"
)

// The files of a part change places in four steps, each on the disk before the next
// begins:
//
//	1  the new files, under the names they have while they are written
//	2  OUT/Mega.1-of-4.cbkit-placing, which names them and the old files
//	3  the old files go
//	4  the new ones get their names, and a manifest; the file of step 2 goes
//
// So no files of two runs are ever there together. Before step 2 all is as it was;
// from there on [Recover], or the next writer of the part, does the rest.

// placingEnding is that of the file of step 2.
const placingEnding = ".cbkit-placing"

// placing is what such a file says: names of files, each with its folder.
type placing struct {
	old   []string // that go
	fresh []string // as they are called while they are written
}

// Patterns of names: of a file that is complete, one that is being written, one that
// says that files are being placed, and one that is to say so. All have the database,
// the number of the part and that of parts in groups.
var (
	fileOfPart    = regexp.MustCompile(`^(.+)\.([0-9]+)-of-([0-9]+)\.[0-9]+\.parquet$`)
	writingOfPart = regexp.MustCompile(`^\.(.+)\.([0-9]+)-of-([0-9]+)\.[0-9]+\.parquet\.[0-9]+-[0-9]+\.cbkit-writing$`)
	sayingOfPart  = regexp.MustCompile(`^\.(.+)\.([0-9]+)-of-([0-9]+)\.[0-9]+\.cbkit-writing$`)
	placingOfPart = regexp.MustCompile(`^(.+)\.([0-9]+)-of-([0-9]+)\.cbkit-placing$`)
)

// unfinished are the names of files that are not complete, by their folders.
var unfinished = map[string]*regexp.Regexp{".": sayingOfPart, string(Games): writingOfPart, string(Positions): writingOfPart}

// finalName returns what a file is called when it is complete.
func finalName(writing string) string {
	dir, name := filepath.Split(writing)
	end := strings.LastIndex(name, ".parquet.")
	return dir + name[1:end] + ".parquet"
}

// part names the part in names of files.
func (f *folder) part() string { return fmt.Sprintf("%s.%d-of-%d", f.name, f.opt.Part, f.opt.Parts) }

// isOfPart reports whether a name is of the part, by one of the patterns.
func (f *folder) isOfPart(pattern *regexp.Regexp, name string) bool {
	m := pattern.FindStringSubmatch(name)
	return m != nil && m[1] == f.name && m[2] == strconv.Itoa(f.opt.Part) && m[3] == strconv.Itoa(f.opt.Parts)
}

// placingName is the name of the file of step 2.
func (f *folder) placingName() string { return filepath.Join(f.path, f.part()+placingEnding) }

// announce takes step 2, of which place tells the disk.
func (f *folder) announce(p *placing) error {
	var b []byte
	for _, name := range p.old {
		b = fmt.Appendf(b, "old %s\n", filepath.ToSlash(name))
	}
	for _, name := range p.fresh {
		b = fmt.Appendf(b, "new %s\n", filepath.ToSlash(name))
	}
	return f.writeBeside(f.part()+placingEnding, append(b, "end\n"...))
}

// announced reads the file of step 2; nil if there is none.
func (f *folder) announced() (*placing, error) {
	info, err := f.files.Stat(f.placingName())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: %w", f.placingName(), fsys.ErrNotRegular)
	}
	if err != nil {
		return nil, err
	}
	file, err := f.files.OpenFile(f.placingName(), os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	p, whole := &placing{}, false
	for lines := bufio.NewScanner(file); lines.Scan() && !whole; {
		kind, path, _ := strings.Cut(lines.Text(), " ")
		table, name, _ := strings.Cut(path, "/")
		isTable := slices.Contains([]Table{Games, Positions}, Table(table))
		path = filepath.Join(table, name)
		switch {
		case kind == "end":
			whole = true
		case kind == "old" && isTable && f.isOfPart(fileOfPart, name):
			p.old = append(p.old, path)
		case kind == "new" && isTable && f.isOfPart(writingOfPart, name):
			p.fresh = append(p.fresh, path)
		default:
			return nil, fmt.Errorf("%s: %w: %q is no name of a file of this part", f.placingName(), model.ErrCorrupt, path)
		}
	}
	if !whole {
		return nil, fmt.Errorf("%s: %w", f.placingName(), model.ErrTruncated)
	}
	return p, nil
}

// place takes steps 3 and 4, or what is left of them.
func (f *folder) place(p *placing) error {
	// Who was killed may not have brought the announcement to the disk.
	if err := f.files.SyncDir(f.path); err != nil {
		return err
	}
	begun, rest := false, []string{}
	for _, name := range p.fresh {
		_, err := f.files.Stat(filepath.Join(f.path, name))
		switch {
		case err == nil:
			rest = append(rest, name)
			continue
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
		if _, err := f.files.Stat(filepath.Join(f.path, finalName(name))); err != nil {
			return err
		}
		begun = true // it has its name, so that all old files are gone
	}
	if !begun {
		for _, name := range p.old {
			if err := f.files.Remove(filepath.Join(f.path, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		if err := f.syncTables(); err != nil {
			return err
		}
	}
	for _, name := range rest {
		if err := f.files.Rename(filepath.Join(f.path, name), filepath.Join(f.path, finalName(name))); err != nil {
			return err
		}
	}
	if err := f.syncTables(); err != nil {
		return err
	}
	names := make([]string, len(p.fresh))
	for i, name := range p.fresh {
		names[i] = finalName(name)
	}
	if err := f.writeManifest(names); err != nil {
		return err
	}
	if err := f.files.SyncDir(f.path); err != nil {
		return err
	}
	if err := f.files.Remove(f.placingName()); err != nil {
		return err
	}
	if err := f.files.SyncDir(f.path); err != nil {
		return fmt.Errorf("%s: %w: %w", f.path, model.ErrUncertain, err)
	}
	return nil
}

// syncTables puts names in the folders of tables on the disk.
func (f *folder) syncTables() error {
	for _, t := range []Table{Games, Positions} {
		if err := f.files.SyncDir(f.dir(t)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// settle does what a run of the part that was stopped left to do, and removes its
// unfinished files. The part must be locked.
func (f *folder) settle() (r model.Recovery, err error) {
	p, err := f.announced()
	if err == nil { // of an announcement that is gone the disk may not know: it would be about files to come
		err = f.files.SyncDir(f.path)
	}
	if err == nil {
		err = f.clear(".", &r) // first, for the manifest to be written there
	}
	if err == nil && p != nil {
		r.Outcome, r.Cleared = model.RecoveryCompleted, append(r.Cleared, f.part()+placingEnding)
		err = f.place(p)
	}
	for _, t := range []Table{Games, Positions} {
		if err == nil {
			err = f.clear(string(t), &r)
		}
	}
	if r.Outcome == model.RecoveryNothing && len(r.Cleared) > 0 {
		r.Outcome = model.RecoveryTakenBack
	}
	return r, err
}

// clear removes the unfinished files of the part in a folder.
func (f *folder) clear(dir string, r *model.Recovery) error {
	entries, err := f.files.ReadDir(filepath.Join(f.path, dir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if !f.isOfPart(unfinished[dir], e.Name()) {
			continue
		}
		name := filepath.Join(dir, e.Name())
		if err := f.files.Remove(filepath.Join(f.path, name)); err != nil {
			return err
		}
		r.Cleared = append(r.Cleared, name)
	}
	return nil
}

// Recover completes what a writer into a folder was stopped in ([Create]): files
// that it was about to put in place get there, and those it had not completed are
// removed. A part that another process writes is refused with model.ErrLocked after
// so long a wait.
func Recover(ctx context.Context, path string, wait time.Duration) (model.Recovery, error) {
	return recoverIn(ctx, fsys.OS{}, path, wait)
}

func recoverIn(ctx context.Context, files fsys.FS, path string, wait time.Duration) (all model.Recovery, err error) {
	var untidy error
	var parts [][3]string
	for _, dir := range []string{".", string(Games), string(Positions)} {
		entries, err := files.ReadDir(filepath.Join(path, dir))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return all, err
		}
		for _, e := range entries {
			for _, pattern := range []*regexp.Regexp{unfinished[dir], placingOfPart} {
				if m := pattern.FindStringSubmatch(e.Name()); m != nil && !slices.Contains(parts, [3]string(m[1:])) {
					parts = append(parts, [3]string(m[1:]))
				}
			}
		}
	}
	for _, part := range parts {
		opt := Options{Wait: wait}
		opt.Part, _ = strconv.Atoi(part[1])
		opt.Parts, _ = strconv.Atoi(part[2])
		f := &folder{files: files, path: path, opt: &opt, name: part[0]}
		if err := f.acquire(ctx); err != nil {
			return all, err
		}
		r, err := f.settle()
		if err = errors.Join(err, f.release()); !model.IsDone(err) {
			return all, err
		}
		untidy = cmp.Or(untidy, err)
		all.Cleared = append(all.Cleared, r.Cleared...)
		if r.Outcome == model.RecoveryCompleted || all.Outcome == model.RecoveryNothing {
			all.Outcome = r.Outcome
		}
	}
	slices.Sort(all.Cleared)
	return all, untidy
}

// checkPlaced returns an error if files of the database that a file in a folder is of
// are being put in place, or a run was stopped in that: rows may be missing.
func checkPlaced(files fsys.ReadFS, path string) error {
	m := fileOfPart.FindStringSubmatch(filepath.Base(path))
	if m == nil {
		return nil
	}
	out := filepath.Join(filepath.Dir(path), "..")
	entries, _ := files.ReadDir(out) // who may not look there reads what is there
	for _, e := range entries {
		if p := placingOfPart.FindStringSubmatch(e.Name()); p != nil && p[1] == m[1] {
			return fmt.Errorf("%s: %w: files of part %s of %s are being put in place; if no program is at work there any more, run cbkit recover %s",
				path, model.ErrNeedsRecovery, p[2], p[3], out)
		}
	}
	return nil
}
