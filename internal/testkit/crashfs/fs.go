package crashfs

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"cbkit/internal/fsys"
)

// ErrInjected is the error of calls that were made to fail.
var ErrInjected = errors.New("injected failure")

// FS is a file system in memory. It is safe for concurrent use, one call after
// the other.
type FS struct {
	mu   sync.Mutex
	now  tree
	disk folders // names as of the last sync
	// pending are the changes of names since the last sync, in order.
	pending []naming
	calls   int
	keep    bool // what is open cannot be removed
	plan    func(call int) Fate
	clock   time.Time
	strict  bool
	apart   bool // a sync of a folder is of that alone
	blind   bool // to upper and lower case
	locked  map[string]bool
	stale   map[string]bool // locked when the machine stopped
	// Before, if not nil, is called before each call, and may make calls of its own.
	Before func(op, name string)
	// Decide, if not nil, says what becomes of a call, and Cause why it fails.
	Decide func(op, name string) Fate
	Cause  error
	// Skip, if not nil, says which calls do nothing and succeed, as if they were not made: for
	// tests that their absence is noticed. Disks that come of this one have it too.
	Skip func(op, name string) bool
	// within has the sorted names in each folder that was listed since names changed.
	within map[string][]string
}

// tree holds files and folders by their cleaned names.
type tree map[string]*inode

type inode struct {
	isDir        bool
	mode         fs.FileMode // of a file; of a link, whose data is where it leads, and a pipe with that type
	data, synced []byte
	lent         [2]bool    // data and synced are other inodes' too: changed in a copy
	unsynced     []mutation // what made data of synced
	changed      time.Time
	dropped      bool // data has what is neither synced nor unsynced
	open         int  // how often it is open
	holder       int  // the process that has it locked
}

// folders holds what is in each folder, so that what changed in a folder stays in it whatever
// becomes of its own name.
type folders map[*inode]map[string]*inode

// put puts something into a folder.
func (l folders) put(dir *inode, name string, node *inode) {
	if l[dir] == nil {
		l[dir] = map[string]*inode{}
	}
	l[dir][name] = node
}

// clone returns a copy, in which who says which inodes stand for which.
func (l folders) clone(who func(*inode) *inode) folders {
	twin := make(folders, len(l))
	for dir, in := range l {
		names := make(map[string]*inode, len(in))
		for name, node := range in {
			names[name] = who(node)
		}
		twin[who(dir)] = names
	}
	return twin
}

// add puts a file or folder into its folder, if that is there.
func (t tree) add(name string, node *inode) {
	if t[filepath.Dir(name)] != nil {
		t[name] = node
	}
}

// rename moves a file or folder with all that is in it, if it is there and so
// is the folder where it goes.
func (t tree) rename(from, to string) {
	if t[from] == nil || t[filepath.Dir(to)] == nil {
		return
	}
	for name := range maps.Clone(t) {
		if rest, in := strings.CutPrefix(name, from); in && (rest == "" || rest[0] == filepath.Separator) {
			t[to+rest] = t[name]
			delete(t, name)
		}
	}
}

// remove deletes a file or an empty folder.
func (t tree) remove(name string) {
	if t.isEmpty(name) {
		delete(t, name)
	}
}

// isEmpty reports whether nothing is in a folder.
func (t tree) isEmpty(name string) bool {
	for other := range t {
		if other != name && filepath.Dir(other) == name {
			return false
		}
	}
	return true
}

// Fate is what becomes of a call.
type Fate int

// The fates. A call that is Cut does its work, or of a write the first half,
// and fails.
const (
	Succeed Fate = iota
	Fail
	Cut
	// Drop is Fail, of a sync of a file that the system takes what was not written yet
	// for written then: no later sync brings it to the disk.
	Drop
)

// New returns a file system with one empty folder, ".".
func New() *FS {
	return &FS{now: tree{".": {isDir: true}}, disk: folders{}, clock: time.Unix(1e9, 0)}
}

// StrictNames makes changes of names permanent by SyncDir alone, as POSIX has
// it: syncing a file says nothing about its name.
func (f *FS) StrictNames() { f.strict = true }

// FoldersApart makes names strict, and a sync of a folder one of what was made, renamed or
// removed in it alone; a move from one folder to another is certain with the sync of both.
func (f *FS) FoldersApart() { f.strict, f.apart = true, true }

// IgnoreCase makes names that differ in upper and lower case alone the same, as on
// Windows and macOS. A name is spelt as it was made.
func (f *FS) IgnoreCase() { f.blind = true }

// Advance moves the clock of change times, which stands still otherwise, as
// the clock of a machine does between two of its ticks.
func (f *FS) Advance(d time.Duration) { f.clock = f.clock.Add(d) }

// KeepOpen makes files that are open impossible to remove, as on Windows.
func (f *FS) KeepOpen() { f.keep = true }

// Calls returns how many calls were made so far.
func (f *FS) Calls() int { return f.calls }

// Plan sets the fate of the coming calls, by their numbers from 0; nil lets
// all succeed. It counts calls anew.
func (f *FS) Plan(plan func(call int) Fate) { f.plan, f.calls = plan, 0 }

// FailAt lets one call fail.
func (f *FS) FailAt(n int) { f.Plan(only(n, Fail)) }

// CutAt lets one call do its work, or half of it, and fail.
func (f *FS) CutAt(n int) { f.Plan(only(n, Cut)) }

func only(n int, fate Fate) func(int) Fate {
	return func(call int) Fate {
		if call == n {
			return fate
		}
		return Succeed
	}
}

// CrashAt stops the machine at one call, which is Cut or, by lost, has no
// effect. All later calls fail.
func (f *FS) CrashAt(n int, lost bool) {
	f.Plan(func(call int) Fate {
		switch {
		case call < n:
			return Succeed
		case call == n && !lost:
			return Cut
		}
		return Fail
	})
}

// begin counts a call and says whether it has an effect and what it returns.
func (f *FS) begin(op, name string) (works bool, err error) {
	if do := f.Before; do != nil {
		f.mu.Unlock()
		do(op, name)
		f.mu.Lock()
	}
	if f.Skip != nil && f.Skip(op, name) {
		return false, nil
	}
	fate := Succeed
	if f.plan != nil {
		fate = f.plan(f.calls)
	}
	if f.Decide != nil {
		fate = f.Decide(op, name)
	}
	f.calls++
	if fate != Succeed {
		err = &fs.PathError{Op: op, Path: name, Err: cmp.Or(f.Cause, ErrInjected)}
	}
	if node := f.now[f.at(name, true)]; fate == Drop && op == "sync" && node != nil {
		node.unsynced, node.dropped = nil, true
	}
	return fate == Succeed || fate == Cut, err
}

// naming is a change of names: a file or folder made, renamed or removed.
type naming struct {
	made     *inode // nil if nothing was made
	name, to string // to is "" unless it was renamed
	blind    bool
	// What it is and in which folders, whatever they are called.
	node, dir, toDir *inode
	// left and came say of a move between folders that one of them was synced since: it is
	// certain with both.
	left, came bool
}

// reach makes a change on the disk, unless what it is about is not there.
func (c naming) reach(disk folders) {
	base, dir, there := filepath.Base(c.name), c.dir, disk[c.dir][filepath.Base(c.name)] == c.node
	switch {
	case c.made != nil:
	case !there || c.to == "" && len(disk[c.node]) > 0:
		return
	default:
		delete(disk[c.dir], base)
		if c.to == "" {
			return
		}
		base, dir = filepath.Base(c.to), c.toDir
	}
	if c.blind && disk[dir][base] == nil {
		for other := range disk[dir] { // its removal was lost
			if strings.EqualFold(other, base) {
				delete(disk[dir], other)
			}
		}
	}
	disk.put(dir, base, c.node)
}

func (c naming) apply(t tree) {
	switch {
	case c.made != nil:
		t.add(c.name, c.made)
	case c.to != "":
		t.rename(c.name, c.to)
	default:
		t.remove(c.name)
	}
}

// spelt returns a name as it is there, in whatever case; itself if it is not.
func (t tree) spelt(name string) string {
	if t[name] == nil {
		for other := range t {
			if strings.EqualFold(other, name) {
				return other
			}
		}
	}
	return name
}

// maxLinks is how many links are followed, one to the next.
const maxLinks = 8

// at returns the cleaned name of what a name leads to: through links that are its
// folders, and through one that it is itself if that is to be followed.
func (f *FS) at(name string, follow bool) string {
	name = filepath.Clean(name)
	for range maxLinks {
		if dir := filepath.Dir(name); dir != name {
			name = filepath.Join(f.at(dir, true), filepath.Base(name))
		}
		if f.blind {
			name = f.now.spelt(name)
		}
		node := f.now[name]
		if !follow || node == nil || node.mode.Type() != fs.ModeSymlink {
			break
		}
		name = filepath.Join(filepath.Dir(name), string(node.data))
	}
	return name
}

// change applies a change of names now, and on the disk with the next sync.
func (f *FS) change(c naming) {
	c.blind = f.blind
	c.node, c.dir = cmp.Or(c.made, f.now[c.name]), f.now[filepath.Dir(c.name)]
	if c.to != "" {
		c.toDir = f.now[filepath.Dir(c.to)]
	}
	c.apply(f.now)
	f.within = nil
	f.pending = append(f.pending, c)
}

// flush brings changes of names to the disk: all, or those of one folder. A folder that has
// gone had nothing in it.
func (f *FS) flush(dir *inode) {
	for _, c := range slices.Clone(f.pending) {
		if dir != nil && c.dir == dir && c.made == nil && c.to == "" && c.node.isDir {
			f.flush(c.node)
		}
	}
	rest, there := f.pending[:0], slices.Collect(maps.Values(f.now))
	for _, c := range f.pending {
		c.left, c.came = c.left || c.dir == dir, c.came || c.toDir == dir || c.to == ""
		if dir == nil || c.left && c.came || c.left && !slices.Contains(there, c.dir) {
			c.reach(f.disk)
		} else {
			rest = append(rest, c)
		}
	}
	clear(f.pending[len(rest):])
	f.pending = rest
}

// Pending returns how many changes of names are not certain to be on the disk.
func (f *FS) Pending() int { return len(f.pending) }

// put puts something in place, on the disk at once, without counting a call.
func (f *FS) put(name string, node *inode) {
	f.flush(nil)
	name = f.at(name, false)
	f.now[name] = node
	f.disk.put(f.now[filepath.Dir(name)], filepath.Base(name), node)
	f.within = nil
}

// WriteFile puts a file in place, synced, without counting a call.
func (f *FS) WriteFile(name string, data []byte) {
	f.put(name, &inode{mode: 0o666, data: slices.Clone(data), synced: slices.Clone(data), changed: f.clock})
}

// Link gives a file a second name, on the disk at once, without counting a call.
func (f *FS) Link(name, second string) { f.put(second, f.now[f.at(name, false)]) }

// Symlink makes a link that leads to a name, which is relative to the link's folder,
// likewise.
func (f *FS) Symlink(to, name string) {
	f.put(name, &inode{mode: fs.ModeSymlink | 0o777, data: []byte(to), synced: []byte(to), changed: f.clock})
}

// Pipe makes a named pipe, likewise.
func (f *FS) Pipe(name string) { f.put(name, &inode{mode: fs.ModeNamedPipe | 0o666, changed: f.clock}) }

// Hold lets another process lock a file. A restart of the machine ends it.
func (f *FS) Hold(name string, pid int) { f.now[f.at(name, true)].holder = pid }

// Lock locks what is no file here, until what it returns is called. Left says that it was
// locked when the machine stopped.
func (f *FS) Lock(name string) (free func(), left bool) {
	if f.locked == nil {
		f.locked = map[string]bool{}
	}
	name = filepath.Clean(name)
	if f.Skip != nil && f.Skip("lock", name) {
		return func() {}, false
	}
	f.locked[name], left = true, f.stale[name]
	delete(f.stale, name)
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.Decide == nil || f.Decide("unlock", name) == Succeed { // no machine that has stopped does
			delete(f.locked, name)
		}
	}, left
}

// Stale reports whether the file of a lock is there whose owner was stopped.
func (f *FS) Stale(name string) bool { return f.stale[filepath.Clean(name)] }

// Locked reports whether anything is locked whose name ends so.
func (f *FS) Locked(suffix string) bool {
	for name := range f.locked {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return false
}

// Holder returns the process that has locked a file, 0 if none has.
func (f *FS) Holder(name string) (pid int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.locked[filepath.Clean(name)] {
		return os.Getpid()
	}
	if node := f.now[f.at(name, true)]; node != nil {
		return node.holder
	}
	return 0
}

// links returns how many names a file has.
func (t tree) links(of *inode) (n int) {
	for _, node := range t {
		if node == of {
			n++
		}
	}
	return n
}

// Files returns the contents of all files by name, without counting a call. A link
// has "-> " and where it leads, a pipe "a pipe".
func (f *FS) Files() map[string][]byte {
	files := f.contents()
	for name, content := range files {
		files[name] = slices.Clone(content)
	}
	return files
}

// Is reports whether these are the files, as Files returns them.
func (f *FS) Is(files map[string][]byte) bool { return Same(f.contents(), files) }

// contents is Files without copies of what is in them.
func (f *FS) contents() map[string][]byte {
	files := make(map[string][]byte, len(f.now))
	for name, node := range f.now {
		switch {
		case node.isDir:
		case node.mode.Type() == fs.ModeSymlink:
			files[name] = append([]byte("-> "), node.data...)
		case node.mode.Type() == fs.ModeNamedPipe:
			files[name] = []byte("a pipe")
		default:
			files[name] = node.data
		}
	}
	return files
}

// Names returns the names of all files and folders but ".", sorted, without
// counting a call.
func (f *FS) Names() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(f.now)), func(n string) bool { return n == "." })
}

// OpenFile implements fsys.FS.
func (f *FS) OpenFile(name string, flag int, perm fs.FileMode) (fsys.File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	works, err := f.begin("open", name)
	if !works {
		return nil, err
	}
	name = f.at(name, flag&os.O_EXCL == 0)
	node := f.now[name]
	switch {
	case node == nil && flag&os.O_CREATE == 0:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	case node == nil:
		if !f.isDir(filepath.Dir(name)) {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
		node = &inode{mode: perm.Perm(), changed: f.clock}
		f.change(naming{made: node, name: name})
	case flag&os.O_EXCL != 0:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrExist}
	case node.mode.Type() != 0:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fsys.ErrNotRegular}
	case flag&os.O_TRUNC != 0:
		node.change(mutation{cut: true}, f.clock)
	}
	if err != nil {
		return nil, err
	}
	node.open++
	return &file{fs: f, name: name, node: node}, nil
}

// Mkdir implements fsys.FS.
func (f *FS) Mkdir(name string, _ fs.FileMode) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	works, err := f.begin("mkdir", name)
	if !works {
		return err
	}
	name = f.at(name, false)
	if f.now[name] != nil {
		return &fs.PathError{Op: "mkdir", Path: name, Err: fs.ErrExist}
	}
	if !f.isDir(filepath.Dir(name)) {
		return &fs.PathError{Op: "mkdir", Path: name, Err: fs.ErrNotExist}
	}
	node := &inode{isDir: true}
	f.change(naming{made: node, name: name})
	return err
}

// Rename implements fsys.FS. It refuses to replace anything.
func (f *FS) Rename(from, to string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	works, err := f.begin("rename", from)
	if !works {
		return err
	}
	from, to = f.at(from, false), f.at(to, false)
	if f.now[from] == nil || !f.isDir(filepath.Dir(to)) {
		return &fs.PathError{Op: "rename", Path: from, Err: fs.ErrNotExist}
	}
	if f.now[to] != nil {
		return &fs.PathError{Op: "rename", Path: to, Err: fs.ErrExist}
	}
	f.change(naming{name: from, to: to})
	return err
}

// Replace implements fsys.Disk.
func (f *FS) Replace(from, to string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	works, err := f.begin("replace", from)
	if !works {
		return err
	}
	from, to = f.at(from, false), f.at(to, false)
	if f.now[from] == nil || !f.isDir(filepath.Dir(to)) {
		return &fs.PathError{Op: "rename", Path: from, Err: fs.ErrNotExist}
	}
	f.change(naming{name: from, to: to})
	return err
}

// Remove implements fsys.FS.
func (f *FS) Remove(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	works, err := f.begin("remove", name)
	if !works {
		return err
	}
	name = f.at(name, false)
	if f.now[name] == nil {
		return &fs.PathError{Op: "remove", Path: name, Err: fs.ErrNotExist}
	}
	if !f.now.isEmpty(name) {
		return &fs.PathError{Op: "remove", Path: name, Err: errors.New("folder not empty")}
	}
	if f.keep && f.now[name].open > 0 {
		return &fs.PathError{Op: "remove", Path: name, Err: errors.New("file is open")}
	}
	f.change(naming{name: name})
	return err
}

// ReadDir implements fsys.FS.
func (f *FS) ReadDir(name string) ([]fs.DirEntry, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.begin("readdir", name); err != nil {
		return nil, err
	}
	name = f.at(name, true)
	if !f.isDir(name) {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	names, known := f.within[name]
	if !known {
		for other := range f.now {
			if other != name && filepath.Dir(other) == name {
				names = append(names, other)
			}
		}
		slices.Sort(names)
		if f.within == nil {
			f.within = map[string][]string{}
		}
		f.within[name] = names
	}
	list := make([]fs.DirEntry, 0, len(names))
	for _, other := range names {
		list = append(list, fs.FileInfoToDirEntry(f.newInfo(other, f.now[other])))
	}
	return list, nil
}

// Stat implements fsys.FS.
func (f *FS) Stat(name string) (fs.FileInfo, error) { return f.describe("stat", name, true) }

// Lstat implements fsys.FS.
func (f *FS) Lstat(name string) (fs.FileInfo, error) { return f.describe("lstat", name, false) }

func (f *FS) describe(op, name string, follow bool) (fs.FileInfo, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.begin(op, name); err != nil {
		return nil, err
	}
	node := f.now[f.at(name, follow)]
	if node == nil {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return f.newInfo(name, node), nil
}

// Chtimes implements fsys.FS.
func (f *FS) Chtimes(name string, changed time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	works, err := f.begin("chtimes", name)
	if !works {
		return err
	}
	node := f.now[f.at(name, true)]
	if node == nil {
		return &fs.PathError{Op: "chtimes", Path: name, Err: fs.ErrNotExist}
	}
	node.changed = changed
	return err
}

// Chmod implements fsys.FS. The change is on the disk at once.
func (f *FS) Chmod(name string, mode fs.FileMode) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	works, err := f.begin("chmod", name)
	if !works {
		return err
	}
	node := f.now[f.at(name, true)]
	if node == nil {
		return &fs.PathError{Op: "chmod", Path: name, Err: fs.ErrNotExist}
	}
	node.mode = mode.Perm()
	return err
}

// SyncDir implements fsys.FS.
func (f *FS) SyncDir(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	works, err := f.begin("syncdir", name)
	if !works {
		return err
	}
	if !f.isDir(f.at(name, true)) {
		return &fs.PathError{Op: "syncdir", Path: name, Err: fs.ErrNotExist}
	}
	if f.apart {
		f.flush(f.now[f.at(name, true)])
	} else {
		f.flush(nil)
	}
	return err
}

func (f *FS) isDir(name string) bool { return f.now[name] != nil && f.now[name].isDir }

// info describes an inode as it was; its names are counted, since that takes long,
// when it is asked for.
type info struct {
	name    string
	isDir   bool
	mode    fs.FileMode
	size    int64
	changed time.Time
	node    *inode
	fs      *FS
}

func (f *FS) newInfo(name string, node *inode) info {
	return info{filepath.Base(name), node.isDir, node.mode, int64(len(node.data)), node.changed, node, f}
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) IsDir() bool        { return i.isDir }
func (i info) ModTime() time.Time { return i.changed }
func (i info) Sys() any           { return i.node }
func (i info) Links() int {
	i.fs.mu.Lock()
	defer i.fs.mu.Unlock()
	return i.fs.now.links(i.node)
}
func (i info) Mode() fs.FileMode {
	if i.isDir {
		return fs.ModeDir | 0o777
	}
	return i.mode
}
