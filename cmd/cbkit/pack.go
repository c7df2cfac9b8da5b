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
	p := packing{env: env, out: to.path, stored: c.Stored, codepage: c.Codepage, jobs: c.Jobs, write: c.writeFlags}
	if err := p.begin(c.passwordFlag); err != nil {
		return err
	}
	return p.run(c.DB)
}

// packing makes an archive of a database.
type packing struct {
	env      *environment
	out      string
	stored   bool
	codepage codePage
	jobs     count
	write    writeFlags
	password []byte // nil for a .cbv
	records  *int   // in the database, nil if they were not counted
}

// begin refuses an archive that is there, and learns the password.
func (p *packing) begin(flag passwordFlag) (err error) {
	if _, err := os.Lstat(p.out); err == nil && !p.write.Force {
		return existsError(p.out)
	}
	if !dbfile.Is(p.out, formatArchive.Endings()[1]) {
		return nil
	}
	if p.password, err = flag.given(); err != nil || p.password != nil {
		return err
	}
	if p.password, err = p.env.askPassword(p.out); err != nil {
		return err
	}
	again, err := p.env.askPassword(p.out + " again")
	if err == nil && !bytes.Equal(p.password, again) {
		err = errors.New("the two passwords differ")
	}
	return err
}

// run packs a database that is on the disk.
func (p *packing) run(db string) error {
	p.env.making = p.out
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
		p.env.damaged(fmt.Errorf("%s: is a link that leads nowhere; what was there is not packed", filepath.Join(set.Dir, name)))
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !archive.Packs(name) })
	files, err := archive.Files(os.DirFS(set.Dir), names...)
	if err != nil {
		return plainError(err)
	}
	size := int64(0)
	for i := range files {
		size += files[i].Size
		if p.env.now != nil && files[i].Modified.After(p.env.now()) {
			files[i].Modified = p.env.now() // as all that is made with a clock
		}
	}
	opt := archive.CreateOptions{Force: p.write.Force, Wait: p.write.duration(), WriterOptions: archive.WriterOptions{
		Stored: p.stored, Password: p.password, CodePage: string(p.codepage), Jobs: int(p.jobs),
	}}
	bar := newByteProgress(p.env.stderr, p.write.Quiet, size, "pack")
	opt.Progress = bar.at
	err = archive.Create(p.env.ctx, p.out, files, opt)
	bar.done()
	if err = p.env.done(err); err != nil {
		return targetError(p.out, err)
	}
	p.env.making = ""
	p.env.made(madeTarget{Path: p.out, Format: formatArchive, Records: p.records})
	result := struct {
		Files int   `json:"files"`
		Bytes int64 `json:"bytes"` // before packing
	}{len(files), size}
	if !p.env.setResult(result, false) && !p.write.Quiet {
		fmt.Fprintf(p.env.stderr, "%s: %s, %s\n", p.out, plural(len(files), "file"), plural(size, "byte"))
		p.env.reportIndexLeft(db, "what is unpacked")
	}
	return nil
}

// toArchive converts into an archive. A ChessBase database is packed as it is;
// anything else, or a part of one, becomes a database in a temporary folder first.
func (c *convertCmd) toArchive(env *environment, to target) error {
	if c.Boosters {
		return usageError{errors.New("--boosters: archives hold none; they are made where the archive is unpacked")}
	}
	p := packing{env: env, out: to.path, codepage: c.Codepage, jobs: c.Jobs, write: c.writeFlags}
	if err := p.begin(c.passwordFlag); err != nil {
		return err
	}
	if c.Source != "-" && formatOf(c.Source) == formatChessBase && !c.Purge && !c.Fresh && !c.KeepGoing {
		return p.run(c.Source)
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
	p.write.Quiet = true // the conversion has said what was made
	return p.run(db.path)
}
