package archive

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/model"
)

// Options configures how an archive is read. The zero value is good for most
// archives.
type Options struct {
	// Password opens an enciphered archive; its bytes are used as they are. It
	// is not looked at where the archive is not enciphered.
	Password []byte
	// CodePage is that of names which are not UTF-8, as in read.Options; ""
	// is 1252.
	CodePage string
	// Jobs is how many processors [Archive.Blocks] uses; 0 or less uses all.
	Jobs int
	// KeepGoing opens archives with members that cannot be read, because their
	// names are dangerous or their streams lie outside the file. These members have
	// an Err; the others can be read.
	KeepGoing bool
}

// Archive is an open archive. It may be used from several goroutines at once;
// Close must be the last call.
type Archive struct {
	name    string
	src     io.ReaderAt
	size    int64
	closer  io.Closer
	opt     Options
	page    cbh.CodePage
	head    header
	members []Member
	indexes []index // of the members
	cache   cache
	tree    func() *tree
	closed  atomic.Bool
}

// Member is a file in an archive.
type Member struct {
	// Name has slashes: "Base.cbh", "Base.html/picture.jpg". It is a path below
	// a folder on every system; where Err is not nil it may be anything.
	Name string
	// Size is that of the file, Packed that of its stream, Offset where the
	// stream begins in the archive, all in bytes and as the table has them.
	Size, Packed, Offset int64
	// Stamp is when the file was changed last.
	Stamp Stamp
	// Err says why the member cannot be read, with [Options.KeepGoing].
	Err error

	mark byte
}

// Open opens an archive: its header and table are read and judged, its blocks
// only when they are asked for.
//
// Errors wrap model.ErrNotDatabase if the file is none, [ErrEnciphered] if it needs a
// password, [ErrPassword] if it was given another, [model.ErrTruncated] if it is cut, and
// [model.ErrCorrupt] if its table contradicts itself or a name leads out of the folder to
// unpack to.
func Open(path string, opt Options) (*Archive, error) {
	name := filepath.Base(path)
	f, err := dbfile.Open(fsys.OS{}, path, name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	a, err := NewReader(f, f.Size(), name, opt)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	a.closer = f
	return a, nil
}

// NewReader opens an archive of so many bytes. Errors call it by the name.
func NewReader(r io.ReaderAt, size int64, name string, opt Options) (*Archive, error) {
	a := &Archive{name: name, src: r, size: size, opt: opt}
	a.tree = sync.OnceValue(a.makeTree)
	var err error
	if a.page, err = cbh.ParseCodePage(cmp.Or(opt.CodePage, "1252")); err != nil {
		return nil, fmt.Errorf("%w: %w", model.ErrOption, err)
	}
	if err := a.readHeader(); err != nil {
		return nil, err
	}
	faults, err := a.readTable()
	if err == nil && len(faults) > 0 && !opt.KeepGoing {
		err = faults[0]
		if more := len(faults) - 1; more > 0 {
			err = fmt.Errorf("%w (+%d more)", err, more)
		}
	}
	if err != nil {
		return nil, err
	}
	a.indexes = make([]index, len(a.members))
	return a, nil
}

// Close closes the file that [Open] opened. A second call does nothing.
func (a *Archive) Close() error {
	a.closed.Store(true)
	return closeOpen(&a.closer)
}

// closeOpen closes a file if there is one, and forgets it.
func closeOpen[F interface {
	comparable
	io.Closer
}](f *F) error {
	var none F
	open := *f
	if *f = none; open == none {
		return nil
	}
	return open.Close()
}

// Name returns the name of the archive for messages.
func (a *Archive) Name() string { return a.name }

// Members lists the files in the order of the table; after Close there are none.
// The list must not be changed.
func (a *Archive) Members() []Member {
	if a.closed.Load() {
		return nil
	}
	return a.members
}

// Enciphered reports whether the archive is a .cbz that needed its password.
func (a *Archive) Enciphered() bool { _, is := a.src.(*decipher); return is }

// readHeader reads the header, through the cipher if it must be.
func (a *Archive) readHeader() error {
	if a.size < headerSize {
		return a.wrong(0, "", fmt.Errorf("%w: %d bytes are no archive", model.ErrNotDatabase, a.size))
	}
	var b [headerSize]byte
	if err := a.read(b[:], 0); err != nil {
		return a.wrong(0, "", err)
	}
	head, err := parseHeader(b[:])
	if errors.Is(err, errNoHeader) {
		head, err = a.decipher(b[:])
	}
	if err != nil {
		return a.wrong(-1, "", err)
	}
	a.head = head
	return nil
}

// decipher tries the password on a file that does not begin like an archive.
func (a *Archive) decipher(b []byte) (header, error) {
	if a.opt.Password == nil {
		if a.size%cipherSize == 0 {
			return header{}, fmt.Errorf("%w, if it is an archive", ErrEnciphered)
		}
		return header{}, errNoHeader
	}
	block, err := newCipher(a.opt.Password)
	if err != nil {
		return header{}, fmt.Errorf("%w: %w", model.ErrOption, err)
	}
	eachBlock(block.Decrypt, b)
	head, err := parseHeader(b)
	if errors.Is(err, errNoHeader) {
		return head, ErrPassword
	}
	a.src = &decipher{a.src, block}
	if err == nil && a.size%cipherSize != 0 {
		err = fmt.Errorf("%w: %d bytes are not a whole number of cipher blocks of %d", model.ErrTruncated, a.size, cipherSize)
	}
	return head, err
}

// read fills b from the archive.
func (a *Archive) read(b []byte, offset int64) error {
	n, err := a.src.ReadAt(b, offset)
	switch {
	case n == len(b):
		return nil
	case err == nil || errors.Is(err, io.EOF):
		return model.ErrTruncated // it has become shorter
	}
	return err
}

// readTable reads the table and judges every member by itself and all of them
// together. The faults are those of the members.
func (a *Archive) readTable() (faults []error, err error) {
	if a.head.tableEnd() > a.size {
		return nil, a.wrong(headerSize, "", fmt.Errorf("%w: the table of %d files ends at %d, the archive at %d",
			model.ErrTruncated, a.head.members, a.head.tableEnd(), a.size))
	}
	if rest := a.size - a.head.tableEnd(); a.head.members == 0 && rest >= cipherSize {
		return nil, a.wrong(0, "number of files", fmt.Errorf("%w: is 0, but %d bytes follow the table", model.ErrCorrupt, rest))
	}
	table := make([]byte, a.head.tableEnd()-headerSize)
	if err := a.read(table, headerSize); err != nil {
		return nil, a.wrong(headerSize, "", err)
	}
	a.members = make([]Member, a.head.members)
	for i := range a.members {
		record := table[i*a.head.recordSize:][:a.head.recordSize]
		e, err := parseEntry(record, a.page)
		a.members[i] = Member{Name: e.name, Size: e.size, Packed: e.packed, Offset: e.offset, Stamp: e.stamp, mark: e.mark}
		if err == nil {
			err = a.judgeExtent(&e)
		}
		a.members[i].Err = a.wrongEntry(i, err)
	}
	// No two may be in one place, also where case makes no difference.
	names := make([]string, len(a.members))
	for i := range a.members {
		if a.members[i].Err == nil {
			names[i] = a.members[i].Name
		}
	}
	for i, err := range clashes(names) {
		a.members[i].Err = a.wrongEntry(i, &fieldError{"name", 0, corrupt("%v", err)})
	}
	// No stream may share bytes with the one before it.
	var order []int
	for i := range a.members {
		if m := &a.members[i]; m.Err == nil && m.Packed > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(a.members[i].Offset, a.members[j].Offset) })
	end, last := int64(0), -1
	for _, i := range order {
		m := &a.members[i]
		if m.Offset < end {
			m.Err = a.wrongEntry(i, &fieldError{"offset", atOffset,
				corrupt("the stream at %d begins inside that of file %d, which ends at %d", m.Offset, last+1, end)})
			continue
		}
		end, last = m.Offset+m.Packed, i
	}
	for i := range a.members {
		if a.members[i].Err != nil {
			faults = append(faults, a.members[i].Err)
		}
	}
	return faults, nil
}

// judgeExtent refuses a stream outside the file, and a size that no blocks of
// its packed size can hold.
func (a *Archive) judgeExtent(e *entry) error {
	switch {
	case e.packed == 0 && e.size == 0:
		return nil // an empty file is nowhere
	case e.offset < a.head.tableEnd():
		return &fieldError{"offset", atOffset, corrupt("the stream begins in the table, which ends at %d", a.head.tableEnd())}
	case e.offset > a.size || e.packed > a.size-e.offset:
		return &fieldError{"packed size", atPacked, fmt.Errorf("%w: %d bytes from %d on reach beyond the archive, which has %d", model.ErrTruncated, e.packed, e.offset, a.size)}
	case e.size > largest(e.packed):
		return &fieldError{"size", atSize, corrupt("%d bytes do not come of %d packed ones", e.size, e.packed)}
	}
	return nil
}

// largest is how much a stream can hold: full blocks in as few bytes as there
// can be, and one that is not full.
func largest(packed int64) int64 {
	full, rest := packed/smallestLZ, packed%smallestLZ
	if rest >= smallestAny {
		full++
	}
	return min(full, int64(1)<<62/BlockSize) * BlockSize
}

// clashes returns what is wrong with names that cannot be in one folder
// together, by their numbers. Empty names do not count.
func clashes(names []string) map[int]error {
	wrong := map[int]error{}
	files, folders := map[string]int{}, map[string]int{}
	for i, name := range names {
		if name == "" {
			continue
		}
		key := dbfile.FoldName(name)
		if first, there := files[key]; there {
			wrong[i] = fmt.Errorf("%q is the name of file %d too", name, first+1)
			continue
		}
		files[key] = i
		for end, c := range key {
			if c == '/' && end > 0 {
				if _, there := folders[key[:end]]; !there {
					folders[key[:end]] = i
				}
			}
		}
	}
	for key, i := range files {
		if inside, there := folders[key]; there {
			wrong[i] = fmt.Errorf("%q is the folder of file %d too", names[i], inside+1)
		}
	}
	return wrong
}

// wrong returns an error about the archive as a whole; the offset is -1 if it
// concerns no place.
func (a *Archive) wrong(offset int64, field string, err error) error {
	return &model.FormatError{File: a.name, Offset: offset, Record: -1, Field: field, Err: err}
}

// wrongEntry returns an error about a record of the table, which names the member
// unless its name is what is wrong; nil stays nil.
func (a *Archive) wrongEntry(i int, err error) error {
	var f *fieldError
	if !errors.As(err, &f) {
		return err
	}
	file := a.name
	if f.field != "name" {
		file += ":" + a.members[i].Name
	}
	return &model.FormatError{
		File: file, Offset: headerSize + int64(i)*int64(a.head.recordSize) + int64(f.at), Record: int64(i) + 1,
		Field: f.field, Err: f.err,
	}
}

// wrongBlock returns an error about a block of a member, counted from 1, at an
// offset in the archive; 0 is the member as a whole.
func (a *Archive) wrongBlock(member, number int, offset int64, err error) error {
	field := ""
	if number > 0 {
		field = fmt.Sprintf("block %d", number)
	}
	return &model.FormatError{File: a.name + ":" + a.members[member].Name, Offset: offset, Record: -1, Field: field, Err: err}
}

// corrupt returns an error about content that contradicts the format.
func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %s", model.ErrCorrupt, fmt.Sprintf(format, args...))
}
