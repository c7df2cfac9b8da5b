package journal

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"slices"

	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/model"
)

// putEntries writes the entries of one file: its sizes, the bytes that are
// written, overwritten or cut off, and witnesses of bytes that stay.
func (e *edit) putEntries(w *entryWriter) error {
	f := e.file
	if err := w.put(entry{kind: kindFile, name: f.name, oldSize: f.old, newSize: f.size}); err != nil {
		return err
	}
	h, err := f.open()
	if err != nil {
		return err
	}
	changed := e.spans
	if f.size < f.old {
		changed = append(changed[:len(changed):len(changed)], span{f.size, f.old})
	}
	was, is := w.bytes[:maxBytes], w.bytes[maxBytes:]
	for _, part := range changed {
		for at := part.at; at < part.end; at += maxBytes {
			n := min(maxBytes, part.end-at)
			b := entry{kind: kindBytes, at: at, change: change{within(was, at, n, f.old), within(is, at, n, f.size)}}
			if err := readFull(h, b.was, at); err != nil {
				return err
			}
			if err := f.readPages(b.is, at); err != nil {
				return err
			}
			if err := w.put(b); err != nil {
				return err
			}
		}
	}
	return putWitnesses(w, h, min(f.old, f.size), changed)
}

// putRest writes the entries of the files of the set that stay as they are, but for
// settings, which are the user's programs' to change. Links cannot be changed, and
// what cannot be read has nothing but its size.
func (s *Set) putRest(w *entryWriter, p *plan) error {
	isChanged := func(name string) bool {
		is := func(f *File) bool { return f.name == name }
		return slices.ContainsFunc(p.edits, func(e edit) bool { return is(e.file) }) || slices.ContainsFunc(p.names, is)
	}
	for _, name := range s.among(p.entries) {
		if isChanged(name) {
			continue
		}
		f, err := s.File(name)
		if err == nil && !f.exists { // it has come since the folder was listed
			err = f.note()
		}
		if err == nil {
			f.size, f.floor = f.old, f.old
			err = w.put(entry{kind: kindFile, name: name, oldSize: f.old, newSize: f.old})
		}
		if err != nil {
			return err
		}
		h, err := f.open()
		switch {
		case errors.Is(err, fs.ErrPermission):
			continue
		case err != nil:
			return err
		}
		if err := putWitnesses(w, h, f.old, nil); err != nil {
			return err
		}
	}
	return nil
}

// proven lists the files of the set that the journal speaks of, whether they change
// or not.
func (p *place) proven() (names []string, err error) {
	entries, err := p.fs.ReadDir(p.dir)
	return p.among(entries), err
}

// among returns those of them among what is in the folder.
func (p *place) among(entries []fs.DirEntry) (names []string) {
	for _, e := range entries {
		if p.belongs(e.Name()) && e.Type().IsRegular() && !dbfile.IsSettings(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names
}

// putWitnesses writes witnesses of what stays of a file, up to low.
func putWitnesses(w *entryWriter, h fsys.File, low int64, changed []span) error {
	for _, part := range witnesses(low, changed) {
		seen := w.bytes[:part.end-part.at]
		if err := readFull(h, seen, part.at); err != nil {
			return err
		}
		if err := w.put(entry{kind: kindWitness, at: part.at, stays: content{int64(len(seen)), crc32.Checksum(seen, castagnoli)}}); err != nil {
			return err
		}
	}
	return nil
}

// within returns as much of a buffer as a file of some size has of n bytes.
func within(buf []byte, at, n, size int64) []byte { return buf[:min(n, max(size-at, 0))] }

// smallFile is the size up to which a file is witnessed as a whole.
const smallFile = 4 * pageSize

// witnesses are parts of the file that stay as they are, up to low: all of a small
// file; of others the rest of the pages of which something changes, and the first and
// the last page.
func witnesses(low int64, changed []span) (list []span) {
	pages := []int64{0, (low - 1) / pageSize}
	if low <= smallFile {
		for page := range pages[1] {
			pages = append(pages, page)
		}
	}
	for _, part := range changed {
		pages = append(pages, part.at/pageSize, (part.end-1)/pageSize)
	}
	add := func(at, end int64) {
		n := len(list)
		switch {
		case at >= end:
		case n > 0 && list[n-1].end == at && end-list[n-1].at <= maxBytes:
			list[n-1].end = end
		default:
			list = append(list, span{at, end})
		}
	}
	slices.Sort(pages)
	for _, page := range slices.Compact(pages) {
		at, end := page*pageSize, min((page+1)*pageSize, low)
		first, _ := slices.BinarySearchFunc(changed, at, func(part span, at int64) int {
			if part.end <= at {
				return -1
			}
			return 1
		})
		for _, part := range changed[first:] {
			if part.at >= end {
				break
			}
			add(at, part.at)
			at = max(at, part.end)
		}
		add(at, end)
	}
	return list
}

// contentOf reads a whole file.
func (p *place) contentOf(name string) (c content, err error) {
	f, err := p.fs.OpenFile(p.path(name), os.O_RDONLY, 0)
	if err != nil {
		return c, err
	}
	sum := crc32.New(castagnoli)
	c.size, err = io.CopyBuffer(sum, struct{ io.Reader }{f}, make([]byte, applyBuffer))
	c.sum = sum.Sum32()
	return c, errors.Join(err, f.Close())
}

// has reports whether there is a file of a name, and whether that has one of the
// contents.
func (p *place) has(name string, want ...content) (there, right bool, err error) {
	info, err := p.lookAt(name)
	if info == nil || err != nil {
		return false, false, err
	}
	if !slices.ContainsFunc(want, func(c content) bool { return c.size == info.Size() }) {
		return true, false, nil
	}
	c, err := p.contentOf(name)
	return true, slices.Contains(want, c), err
}

// foreign is the error about a state that is neither that before a commit nor that
// after it, nor one between them.
func (p *place) foreign(name, why string) error {
	return fmt.Errorf("%s: %w: the journal is about another state of %s: %s; nothing was changed. "+
		"If the files come from a backup, remove %s; cbkit recover --force takes the change back all the same and keeps a copy of the files",
		p.path(name), model.ErrNeedsRecovery, p.main, why, p.journal())
}

// prove returns an error unless everything that will be taken back is what the
// commit of the journal left. With force it is enough that it is there.
func (p *place) prove(u *undo, force bool) error {
	for _, e := range u.names {
		if err := p.proveName(e, force); err != nil {
			return err
		}
	}
	if err := p.proveWhole(u, force); err != nil {
		return err
	}
	if err := p.proveBytes(u, force); err != nil {
		return err
	}
	for _, e := range u.files {
		if !e.isChange() {
			continue
		}
		info, err := p.fs.Stat(p.path(e.name))
		if err == nil {
			err = fsys.RefuseLinked(p.path(e.name), info)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// proveWhole returns an error if a file that was replaced is not in its place, and
// the journal does not know of it, or if a file is there that was not.
func (p *place) proveWhole(u *undo, force bool) error {
	proven, err := p.proven()
	if err != nil {
		return err
	}
	for _, name := range proven {
		if !force && !u.has(name) {
			return p.foreign(name, "it has come since, the journal says nothing of it")
		}
	}
	left, err := p.working()
	for _, name := range left {
		of, _ := p.names.WorksOn(name)
		if err != nil || name != of+undoEnding || u.has(of) {
			continue
		}
		var there bool
		if there, err = p.exists(of); err == nil && !there {
			err = p.foreign(of, "it is not there, but "+name+" is, of which the journal says nothing")
		}
	}
	return err
}

// proveName looks at the files of an entry about names. Each of the steps of the
// commit, and of taking it back, can have been done or not.
func (p *place) proveName(e entry, force bool) error {
	now, nowRight, err := p.has(e.name, e.wasFile)
	if err != nil {
		return err
	}
	if e.kind == kindCreate {
		working, _, err := p.has(e.other)
		if err != nil || !now {
			return err
		}
		if _, nowRight, err = p.has(e.name, e.isFile); err != nil || nowRight && !working || force {
			return err
		}
		return p.foreign(e.name, "it is not the file that was made")
	}
	aside, asideRight, err := p.has(e.old, e.wasFile)
	switch {
	case err != nil:
		return err
	case !aside && !now:
		return p.foreign(e.name, "neither it is there nor "+e.old)
	case e.kind == kindDrop && aside && now:
		return p.foreign(e.name, "is in the way of "+e.old+", which must have that name again; move it elsewhere")
	case force:
		return nil
	case aside && !asideRight:
		return p.foreign(e.old, "it is not the file that was replaced")
	case !aside && !nowRight:
		return p.foreign(e.name, "it is not the file that was to be replaced, and there is no "+e.old)
	case aside && now && !nowRight:
		if _, right, err := p.has(e.name, e.isFile); err != nil || right {
			return err
		}
		return p.foreign(e.name, "it is neither the old file nor the new one")
	}
	return nil
}

// proveBytes looks at the files that were changed in place.
func (p *place) proveBytes(u *undo, force bool) error {
	var f proof
	err := p.eachEntry(func(_ *entryReader, _ int64, e entry) error {
		switch e.kind {
		case kindFile:
			if err := f.end(); err != nil {
				return err
			}
			return f.begin(p, e, force)
		case kindBytes:
			return f.bytes(e)
		case kindWitness:
			return f.witness(e)
		}
		return nil
	})
	return errors.Join(err, f.end())
}

// proof looks at one file.
type proof struct {
	place *place
	e     entry // of kind F
	force bool
	file  fsys.File // nil until it is read
	size  int64     // now
	low   int64     // the smaller one of the two sizes
	at    int64     // behind the last changed bytes
	buf   []byte
}

// begin opens the file, if its size is one of those that the commit went through.
func (f *proof) begin(p *place, e entry, force bool) error {
	info, err := p.lookAt(e.name)
	if err != nil {
		return err
	}
	if info == nil {
		return p.foreign(e.name, "it is not there")
	}
	*f = proof{place: p, e: e, force: force, size: info.Size(), low: min(e.oldSize, e.newSize), buf: f.buf}
	f.at = f.low
	if high := max(e.oldSize, e.newSize); f.size < f.low || f.size > high && !force {
		return p.foreign(e.name, fmt.Sprintf("has %d bytes, and the change was of %d to %d", f.size, e.oldSize, e.newSize))
	}
	return nil
}

// read returns as much of n bytes as the file has.
func (f *proof) read(at, n int64) (_ []byte, err error) {
	if f.file == nil {
		if f.file, err = f.place.fs.OpenFile(f.place.path(f.e.name), os.O_RDONLY, 0); err != nil {
			return nil, err
		}
	}
	f.buf = slices.Grow(f.buf[:0], int(n))[:n]
	part := within(f.buf, at, n, f.size)
	return part, readFull(f.file, part, at)
}

// zeros returns an error unless the file has nothing but zeros from the last
// changed bytes to a place: a commit that makes a file longer may get no further.
func (f *proof) zeros(to int64) error {
	for ; f.at < min(to, f.size); f.at += maxBytes {
		part, err := f.read(f.at, min(maxBytes, to-f.at))
		if err != nil {
			return err
		}
		if !f.force && len(bytes.Trim(part, "\x00")) > 0 {
			return f.foreign(f.at)
		}
	}
	return nil
}

func (f *proof) foreign(at int64) error {
	return f.place.foreign(f.e.name, fmt.Sprintf("its bytes from %#x on are of neither", at))
}

// bytes looks at changed bytes: each is the old one or the new one, as the disk
// got them. Where the file grew or is growing again it can also be zero.
func (f *proof) bytes(e entry) error {
	if err := f.zeros(e.at); err != nil {
		return err
	}
	now, err := f.read(e.at, int64(max(len(e.was), len(e.is))))
	if err != nil {
		return err
	}
	f.at = max(f.at, e.at+int64(max(len(e.was), len(e.is))))
	if f.force || bytes.Equal(now, e.was) || bytes.Equal(now, e.is) {
		return nil
	}
	for i, b := range now {
		if i < len(e.was) && b == e.was[i] || i < len(e.is) && b == e.is[i] || b == 0 && e.at+int64(i) >= f.low {
			continue
		}
		return f.foreign(e.at + int64(i))
	}
	return nil
}

// witness looks at bytes that stay.
func (f *proof) witness(e entry) error {
	now, err := f.read(e.at, e.stays.size)
	if err != nil || f.force || crc32.Checksum(now, castagnoli) == e.stays.sum {
		return err
	}
	return f.foreign(e.at)
}

// end looks at the rest of the file and closes it.
func (f *proof) end() error {
	if f.place == nil {
		return nil
	}
	err := f.zeros(max(f.e.oldSize, f.e.newSize))
	if f.file != nil {
		err = errors.Join(err, f.file.Close())
	}
	f.place, f.file = nil, nil
	return err
}
