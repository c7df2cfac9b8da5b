package write

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"cbkit/internal/atomicset"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/internal/jobs"
	"cbkit/internal/journal"
	"cbkit/internal/lifecycle"
	"cbkit/model"
	"cbkit/read"
)

// Folder is shared by new databases that one run makes in one folder, such as the parts
// of a large one: the folder is then listed once, not once for each. The zero value is
// ready to use. Each name is for one database.
type Folder struct{ listing atomicset.Listing }

// making is a set of files in the making.
type making struct {
	opt       Options // with the files and the report that are used
	set       *atomicset.Set
	staged    *journal.Set
	lifecycle lifecycle.Sink
	last      model.RecordID // that was put
}

// init takes the place of the set of files of a kind with a main file; path is what names it.
func (m *making) init(ctx context.Context, path, main string, kind atomicset.Options, opt Options) (err error) {
	m.lifecycle.Package, m.opt = "write", opt
	m.opt.files = within(opt.In, opt.files, path)
	m.opt.Report = m.lifecycle.Report(opt.Report, opt.AcceptLosses)
	kind.Force, kind.Wait, kind.Context, kind.OnReplace, kind.Locked = opt.Force, opt.Wait, ctx, opt.OnReplace, opt.locked
	if opt.Folder != nil {
		kind.Listing = &opt.Folder.listing
	}
	if m.set, err = atomicset.New(m.opt.files, main, kind); err != nil {
		return err
	}
	if m.staged, err = journal.Stage(m.opt.files, m.set.Path(m.set.Name()), m.set.Create); err != nil {
		return cmp.Or(err, m.set.Abort())
	}
	return nil
}

// begin begins to put a record.
func (m *making) begin(rec *model.Record) error {
	if err := m.lifecycle.Put(rec); err != nil {
		return err
	}
	if rec.ID <= m.last {
		return fmt.Errorf("write: record %d after record %d: records must come in ascending order", rec.ID, m.last)
	}
	m.last = rec.ID
	return nil
}

// finish puts the files in place when what is left to write of them is written.
func (m *making) finish(write func() error) error {
	return jobs.InTurn(m.lifecycle.Commit, write, m.staged.Complete, m.lifecycle.Lost, m.set.Commit)
}

// Abort implements [model.Sink].
func (m *making) Abort() error {
	m.lifecycle.Abort()
	return m.set.Abort()
}

// target is a ChessBase database in the making, beside the place it will have.
type target struct {
	making
	context context.Context
	path    string // of the .cbh file
	base    string // name of the files without an ending
	boosted BoosterResult
	folders []string // of media of the source, that go along
}

// newTarget takes the place that path names.
func newTarget(ctx context.Context, path string, opt Options) (*target, error) {
	main := mainFile(path)
	t := &target{context: ctx, path: main, base: dbfile.StemOf(filepath.Base(main))}
	return t, t.init(ctx, path, main, chessBaseSet, opt)
}

// commit puts the database in place when all steps are done.
func (t *target) commit(steps ...func() error) error {
	for _, step := range append(steps, t.lifecycle.Lost, t.makeBoosters) {
		if err := t.context.Err(); err != nil {
			return err
		}
		if err := step(); err != nil {
			return err
		}
	}
	return t.set.Commit()
}

// makeBoosters makes the search boosters of what was written, if they are asked for. What
// cannot be computed is missing in their result, and the database does without.
func (t *target) makeBoosters() error {
	if t.opt.Boosters == nil {
		return nil
	}
	files, err := t.written()
	if err != nil {
		return err
	}
	out := &boosterFiles{fs: t.opt.files, set: t.staged, staged: true, files: files, dir: filepath.Dir(t.path)}
	b := &boosterBuild{opt: *t.opt.Boosters, files: files, db: cbhdb.New(cbhdb.FilesOf(files)), out: out}
	defer b.close()
	if t.boosted, err = b.run(t.context); b.isIdle() && err == b.failure {
		return nil
	}
	return err
}

// written returns the files of the set, which are complete.
func (t *target) written() (*read.FileSet, error) {
	disk, _ := t.opt.files.(fs.FS) // of tests
	return read.FindFilesFS(disk, t.set.Path(filepath.Base(t.path)))
}

// Boosters returns what was made of the search boosters that were asked for.
func (t *target) Boosters() BoosterResult { return t.boosted }

// createBlocks creates a file that grows record by record, with room for its header.
func (t *target) createBlocks(ext string, headSize int) (*journal.File, error) {
	f, err := t.staged.File(t.base + ext)
	if err != nil {
		return nil, err
	}
	return f, f.Fill(make([]byte, headSize))
}

// writeFile writes a whole file of the set.
func (t *target) writeFile(ext string, content []byte) error {
	file, err := t.set.Create(t.base + ext)
	if err != nil {
		return err
	}
	if _, err := file.Write(content); err != nil {
		return fmt.Errorf("%s%s: %w", t.base, ext, err)
	}
	return file.Close()
}

// copyFile copies one file into the set.
func (t *target) copyFile(open func() (fsys.ReadFile, error), to string) error {
	in, err := open()
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := t.set.Create(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, io.NewSectionReader(in, 0, in.Size())); err != nil {
		return fmt.Errorf("%s: %w", to, err)
	}
	return out.Close()
}

// copyMember copies the file of a set that has an ending.
func (t *target) copyMember(from *read.FileSet, ext string) error {
	return t.copyFile(func() (fsys.ReadFile, error) { return from.Open(ext) }, t.base+ext)
}

// leftBehind reports a file of the source that does not go along.
func (t *target) leftBehind(ext, format string, args ...any) {
	t.opt.Report.Add(model.LostFile, 0, ext, format, args...)
}
