package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"cbkit/archive"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/internal/journal"
	"cbkit/model"
	"cbkit/read"
)

// packCmd is "cbkit pack".
type packCmd struct {
	DB       string   `arg:"" zip:"reads" name:"db" help:"ChessBase database."`
	Out      string   `arg:"" name:"out" help:"Archive to make: OUT.cbv, or OUT.cbz with a password."`
	Stored   bool     `help:"Pack nothing, for speed: the archive is as valid."`
	Codepage codePage `help:"Code page of the names of files." default:"1252" placeholder:"PAGE"`
	Jobs     count    `help:"How many processors to use; 0 uses all." placeholder:"N"`
	writeFlags
	passwordFlag

	password []byte // nil for a .cbv
	records  *int   // in the database, nil if they were not counted
}

// Run implements the verb.
func (c *packCmd) Run(env *environment) error {
	to, err := parseTarget(c.Out, formatArchive)
	if err == nil {
		switch formatOf(c.DB) {
		case formatArchive:
			err = usageError{fmt.Errorf("%s: is an archive already", c.DB)}
		case formatSimple, formatScid, formatBook, formatPolyglot, formatPGN, formatJSONL, formatEPD:
			err = usageError{fmt.Errorf("%s: archives hold ChessBase databases; convert makes an archive of any games", c.DB)}
		}
	}
	if err == nil {
		err = env.refuseSources(to, c.DB)
	}
	if err != nil {
		return err
	}
	if c.PasswordFile != "" && dbfile.Is(to.path, formatArchive.Endings()[0]) {
		return usageError{fmt.Errorf("%s: a .cbv has no password; name it .cbz", to.path)}
	}
	if err := c.begin(env); err != nil {
		return err
	}
	return c.pack(env, c.DB)
}

// begin refuses an archive that is there, and learns the password.
func (c *packCmd) begin(env *environment) (err error) {
	if _, err := os.Lstat(c.Out); err == nil && !c.Force {
		return existsError(c.Out)
	}
	if !dbfile.Is(c.Out, formatArchive.Endings()[1]) {
		return nil
	}
	if c.password, err = c.given(); err != nil || c.password != nil {
		return err
	}
	if c.password, err = env.askPassword(c.Out); err != nil {
		return err
	}
	again, err := env.askPassword(c.Out + " again")
	if err == nil && !bytes.Equal(c.password, again) {
		err = errors.New("the two passwords differ")
	}
	return err
}

// pack packs a database that is on the disk.
func (c *packCmd) pack(env *environment, db string) error {
	env.making = c.Out
	set, err := read.FindFiles(db)
	if err != nil {
		return targetError(db, err)
	}
	if !set.Has(mainEnding) {
		return targetError(db, fmt.Errorf("%s: %w: archives hold ChessBase databases, and there is no %s",
			db, model.ErrNotDatabase, set.Name(mainEnding)))
	}
	set, watch, err := set.Watch(mainEnding)
	if err != nil { // the archive sees to it that none of them changes
		return advisedError{err} // it says what to do
	}
	if left, err := journal.Interrupted(fsys.OS{}, set.Path(mainEnding)); left != "" || err != nil {
		if err := watch.Check(); err != nil { // an edit has begun since
			return targetError(db, err)
		}
		// Else it would be read as it was before the edit.
		return targetError(db, fmt.Errorf("%s: %w: an edit of it was interrupted, and nothing can be written here; copy all its files to "+
			"another folder, and run cbkit recover there", set.Path(mainEnding), model.ErrNeedsRecovery))
	}
	var names []string
	for _, ext := range set.Endings() {
		names = append(names, set.Name(ext))
	}
	names = append(names, set.Folders()...)
	for _, name := range set.DeadLinks() {
		env.damaged(fmt.Errorf("%s: is a link that leads nowhere; what was there is not packed", filepath.Join(set.Dir, name)))
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !archive.Packs(name) })
	files, err := archive.Files(os.DirFS(set.Dir), names...)
	if err != nil {
		return plainError(err)
	}
	size := int64(0)
	for i := range files {
		size += files[i].Size
		if env.now != nil && files[i].Modified.After(env.now()) {
			files[i].Modified = env.now() // as all that is made with a clock
		}
	}
	opt := archive.CreateOptions{Force: c.Force, Wait: c.duration(), WriterOptions: archive.WriterOptions{
		Stored: c.Stored, Password: c.password, CodePage: string(c.Codepage), Jobs: int(c.Jobs),
	}}
	bar := newByteProgress(env.stderr, c.Quiet, size, "pack")
	opt.Progress = bar.at
	err = archive.Create(env.ctx, c.Out, files, opt)
	bar.done()
	if err = env.done(err); err != nil {
		return targetError(c.Out, err)
	}
	env.made(madeTarget{Path: c.Out, Format: formatArchive, Records: c.records})
	result := struct {
		Files int   `json:"files"`
		Bytes int64 `json:"bytes"` // before packing
	}{len(files), size}
	if !env.setResult(result, false) && !c.Quiet {
		fmt.Fprintf(env.stderr, "%s: %s, %s\n", c.Out, plural(len(files), "file"), plural(size, "byte"))
		env.reportIndexLeft(db, "what is unpacked")
	}
	return nil
}

// toArchive converts into an archive. A ChessBase database is packed as it is;
// anything else, or a part of one, becomes a database in a temporary folder first.
func (c *convertCmd) toArchive(env *environment, to target) error {
	if c.Boosters {
		return usageError{errors.New("--boosters: archives hold none; they are made where the archive is unpacked")}
	}
	p := packCmd{Out: to.path, Codepage: c.Codepage, Jobs: c.Jobs, writeFlags: c.writeFlags, passwordFlag: c.passwordFlag}
	if err := p.begin(env); err != nil {
		return err
	}
	if c.Source != "-" && formatOf(c.Source) == formatChessBase && !c.Purge && !c.Fresh && !c.KeepGoing {
		return p.pack(env, c.Source)
	}
	dir, err := os.MkdirTemp(tempFolder(to.path), ".cbkit-pack-")
	if err != nil {
		return plainError(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Base(to.path)
	db := target{filepath.Join(dir, dbfile.StemOf(name)+mainEnding), formatChessBase}
	t := newTransfer(env, c.transferFlags, "convert", target{to.path, formatChessBase})
	t.finalName = to.path
	src, err := t.openInput(c.Source)
	if err != nil {
		return err
	}
	if err := t.run(src, db, outputOptions{purge: c.Purge, fresh: c.Fresh, target: c.targetFlags}); err != nil {
		return err
	}
	p.records = &t.written
	p.Quiet = true // the conversion has said what was made
	return p.pack(env, db.path)
}
