package archive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/jobs"
	"cbkit/model"
)

// File is a file to pack.
type File struct {
	// Name is that in the archive, with slashes between folders.
	Name string
	// Modified is when it was changed last; the archive has it in local time,
	// rounded to a hundredth of a second.
	Modified time.Time
	// Size is how large it is in bytes, for progress; -1 if that is not known.
	Size int64
	// Open opens it. What it returns is read to its end and closed.
	Open func() (io.ReadCloser, error)

	// unchanged returns an error if the file is not what it was when it was
	// listed; it is nil if that is unknown.
	unchanged func() error
}

// WriterOptions configures how an archive is written. With the zero value it is
// written as ChessBase does.
type WriterOptions struct {
	// Stored leaves all blocks unpacked; such archives are valid too.
	Stored bool
	// Password, if not nil, makes an enciphered archive, a .cbz. Its bytes are
	// used as they are. This is obfuscation, not security.
	Password []byte
	// CodePage is that of names, as in read.Options; "" is 1252. What it
	// cannot hold is written as UTF-8.
	CodePage string
	// Jobs is how many processors pack; 0 or less uses all.
	Jobs int
	// Progress, if not nil, is called with how many bytes have been packed so far.
	Progress func(done int64)
}

// Write writes an archive of the files, in their order, and returns its size in
// bytes. On an error what was written is no archive.
//
// Errors wrap model.ErrTooLarge where there are more files, or longer names,
// than archives hold.
func Write(ctx context.Context, to io.WriterAt, files []File, opt WriterOptions) (size int64, err error) {
	w := &writer{files: files, opt: opt, entries: make([]entry, len(files))}
	if len(files) > maxMembers {
		return 0, fmt.Errorf("%w: %d files; archives hold %d", model.ErrTooLarge, len(files), maxMembers)
	}
	if w.page, err = cbh.ParseCodePage(cmp.Or(opt.CodePage, "1252")); err != nil {
		return 0, fmt.Errorf("%w: %w", model.ErrOption, err)
	}
	if opt.Password != nil {
		block, err := newCipher(opt.Password)
		if err != nil {
			return 0, fmt.Errorf("%w: %w", model.ErrOption, err)
		}
		w.out.crypt = block.Encrypt
	}
	names := make([]string, len(files))
	for i := range files {
		names[i] = files[i].Name
		if _, err := encodeName(names[i], w.page); err != nil {
			return 0, err
		}
		w.entries[i] = entry{name: names[i], mark: recordMark, stamp: StampOf(files[i].Modified.Local())}
	}
	if wrong := clashes(names); len(wrong) > 0 {
		return 0, wrong[slices.Min(slices.Collect(maps.Keys(wrong)))]
	}
	tableEnd := w.head().tableEnd()
	whole := (tableEnd + cipherSize - 1) / cipherSize * cipherSize
	w.out.to, w.out.head, w.out.used = to, make([]byte, whole), int(tableEnd)
	w.out.begin, w.out.at = whole, tableEnd
	w.out.buf = make([]byte, 0, writeAhead)
	if err := w.writeStreams(ctx); err != nil {
		return 0, err
	}
	// All files are as they were at one moment, before the first was read.
	for i := range files {
		if check := files[i].unchanged; check != nil {
			if err := check(); err != nil {
				return 0, err
			}
		}
	}
	return w.finish()
}

// writer is an archive that is being written.
type writer struct {
	files   []File
	opt     WriterOptions
	page    cbh.CodePage
	entries []entry
	out     outFile
	err     error // of writing
	done    int64 // bytes of content
}

// head is the header.
func (w *writer) head() header { return header{len(w.files), recordSize, version} }

// chunk is a part of a file on its way into the archive. Its memory is used
// again.
type chunk struct {
	file    int
	content []byte
	err     error
	packed  []byte
	blockWriter
}

// writeStreams packs all files.
func (w *writer) writeStreams(ctx context.Context) error {
	s := &chunks{files: w.files}
	defer closeOpen(&s.from)
	p := jobs.Pipeline[*chunk]{
		Jobs:   workers(w.opt.Jobs),
		Create: func() *chunk { return &chunk{content: make([]byte, BlockSize)} },
		Fill:   s.fill,
		Work: func(c *chunk) {
			if c.packed = nil; c.err == nil && len(c.content) > 0 {
				c.packed = c.pack(c.content, w.opt.Stored)
			}
		},
		Take: func(c *chunk) bool { w.err = w.take(c); return w.err == nil },
	}
	return errors.Join(p.Run(ctx), w.err)
}

// take writes a block.
func (w *writer) take(c *chunk) error {
	if c.err != nil {
		return c.err
	}
	e := &w.entries[c.file]
	if e.offset == 0 {
		e.offset = w.out.at
	}
	e.packed += int64(len(c.packed))
	e.size += int64(len(c.content))
	w.done += int64(len(c.content))
	if w.opt.Progress != nil {
		w.opt.Progress(w.done)
	}
	return w.out.write(c.packed)
}

// finish writes what is left, and header and table, and returns the size. An enciphered
// archive ends with zeros up to a whole cipher block.
func (w *writer) finish() (size int64, err error) {
	table := w.head().append(nil)
	for i := range w.entries {
		if table, err = w.entries[i].append(table, w.page); err != nil {
			return 0, err
		}
	}
	o := &w.out
	if o.crypt != nil {
		padding := (cipherSize - o.at%cipherSize) % cipherSize
		if err := o.write(make([]byte, padding)); err != nil {
			return 0, err
		}
	}
	if err := o.flush(); err != nil {
		return 0, err
	}
	copy(o.head, table)
	return o.at, o.put(o.head[:o.used], 0)
}

// chunks cuts files into blocks.
type chunks struct {
	files []File
	next  int
	from  io.ReadCloser // of the file before next, nil between files
}

// fill reads the next block; false if there is none. An empty file gives one
// without content.
func (s *chunks) fill(c *chunk) bool {
	for {
		first := s.from == nil
		if first {
			if s.next == len(s.files) {
				return false
			}
			s.from, c.err = s.files[s.next].Open()
			s.next++
		}
		c.file, c.content = s.next-1, c.content[:BlockSize]
		n := 0
		if c.err == nil {
			n, c.err = io.ReadFull(s.from, c.content)
		}
		c.content = c.content[:n]
		if errors.Is(c.err, io.EOF) || errors.Is(c.err, io.ErrUnexpectedEOF) {
			c.err = nil
		}
		if n < BlockSize {
			c.err = errors.Join(c.err, closeOpen(&s.from))
		}
		if n > 0 || first || c.err != nil {
			return true
		}
	}
}

// Files lists files and folders of a file system for an archive, in the order in
// which ChessBase packs them. What is in a folder comes with it, and what changes
// while it is being packed is an error. Names are used as they are given.
func Files(from fs.FS, names ...string) ([]File, error) {
	var files []File
	for _, name := range names {
		err := fs.WalkDir(from, name, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := fs.Stat(from, name)
			if err != nil {
				return err
			}
			if !info.Mode().IsRegular() {
				return fmt.Errorf("%s: not a regular file", name)
			}
			files = append(files, File{
				Name: name, Modified: info.ModTime(), Size: info.Size(),
				Open: func() (io.ReadCloser, error) {
					f, err := from.Open(name)
					if err != nil {
						return nil, err
					}
					return &steady{File: f, name: name, before: info}, nil
				},
				unchanged: func() error {
					now, err := fs.Stat(from, name)
					if err == nil && (now.Size() != info.Size() || !now.ModTime().Equal(info.ModTime())) {
						err = changedError(name)
					}
					return err
				},
			})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	// Files whose place is not known come last, by name.
	slices.SortStableFunc(files, func(a, b File) int {
		return cmp.Or(
			cmp.Compare(rank(a.Name), rank(b.Name)),
			cmp.Compare(dbfile.FoldName(a.Name), dbfile.FoldName(b.Name)),
			cmp.Compare(a.Name, b.Name),
		)
	})
	return files, nil
}

// packOrder is the order in which ChessBase packs the files of a database;
// those in folders come behind the first (docs/formats/cbv.md 6.4).
var packOrder = []string{
	".cbh", inFolder, ".ini", ".cbg", ".cba", ".cbp", ".cbt", ".cbs", ".cbc", ".cbj", ".cbe", ".cbm", ".cbtt", ".cbl",
}

// inFolder stands for the files in folders.
const inFolder = "/"

// unknownBooster is the ending of files that ChessBase does not pack either; what
// is in them is not known.
const unknownBooster = ".cbd"

// Packs reports whether a file or folder of a database belongs in its archive:
// all do except search boosters, their seal, locks and journals.
func Packs(name string) bool {
	ending := dbfile.EndingOf(name)
	_, suffix := dbfile.OurOwn(name)
	return !dbfile.IsBooster(ending) && ending != unknownBooster && suffix == ""
}

// rank is the place of a file by its ending.
func rank(name string) int {
	ext := dbfile.EndingOf(name)
	if strings.Contains(name, "/") {
		ext = inFolder
	}
	if i := slices.Index(packOrder, ext); i >= 0 {
		return i
	}
	return len(packOrder)
}
