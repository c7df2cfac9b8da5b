package crashfs

import (
	"maps"
	"path/filepath"
	"slices"
)

// Restart returns what is on the disk after a crash now. keep says how many
// of the pending changes of names are there, given their number, and which
// files have their unsynced content; nil keeps nothing that was not synced.
func (f *FS) Restart(keep func(pending int) int, content func(name string) bool) *FS {
	n := 0
	if keep != nil {
		n = keep(len(f.pending))
	}
	return f.RestartUnordered(func(change int) bool { return change < n }, content)
}

// RestartUnordered is Restart on a file system without a journal: each of the
// pending changes of names, by its number from 0, is on the disk or is not,
// whatever became of the others. One that needs another that is lost is lost
// too.
func (f *FS) RestartUnordered(keep func(change int) bool, content func(name string) bool) *FS {
	return f.restart(keep, func(name string, node *inode) []byte {
		if content != nil && content(name) {
			return node.written()
		}
		node.lent[1] = true
		return node.synced
	})
}

// RestartScattered is Restart on the worst disk there is: of all that was not
// synced, anything may be lost, whatever became of the rest. choose decides: it
// returns a number from 0 to n-1. Ordered says that changes of names still
// reach the disk in their order.
//
// A write may be lost, be there in some of its sectors, or have made the file
// longer without its content, which is zero then.
func (f *FS) RestartScattered(choose func(n int) int, ordered bool) *FS {
	keep := func(int) bool { return choose(2) == 1 }
	if ordered {
		n := choose(len(f.pending) + 1)
		keep = func(change int) bool { return change < n }
	}
	return f.restart(keep, func(_ string, node *inode) []byte { return node.scatter(choose) })
}

// restart makes the disk of the changes of names that are kept and of what
// content says is in each file.
func (f *FS) restart(keep func(change int) bool, content func(name string, node *inode) []byte) *FS {
	named := f.disk.clone(func(node *inode) *inode { return node })
	for i, c := range f.pending {
		if keep(i) {
			c.reach(named)
		}
	}
	disk := tree{".": f.now["."]}
	for dirs := []string{"."}; len(dirs) > 0; dirs = dirs[1:] {
		for name, node := range named[disk[dirs[0]]] {
			name = filepath.Join(dirs[0], name)
			if disk[name] = node; node.isDir {
				dirs = append(dirs, name)
			}
		}
	}
	after := New()
	after.clock, after.strict, after.apart, after.blind, after.Skip = f.clock, f.strict, f.apart, f.blind, f.Skip
	after.stale = map[string]bool{}
	maps.Copy(after.stale, f.stale)
	maps.Copy(after.stale, f.locked)
	clear(after.now)
	again := map[*inode]*inode{} // a file with two names is one file
	for _, name := range slices.Sorted(maps.Keys(disk)) {
		old := disk[name]
		if node := again[old]; node != nil {
			after.now[name] = node
			continue
		}
		node := &inode{isDir: old.isDir, mode: old.mode, changed: old.changed}
		again[old] = node
		if !old.isDir {
			node.data = content(name, old)
			node.synced, node.lent = node.data, [2]bool{true, true}
		}
		after.now[name] = node
	}
	for name, node := range after.now {
		if name != "." {
			after.disk.put(after.now[filepath.Dir(name)], filepath.Base(name), node)
		}
	}
	return after
}

// Kill returns what a process leaves that is killed now: all that it did, and none of its locks.
func (f *FS) Kill() *FS {
	c := f.Clone()
	c.stale = map[string]bool{}
	maps.Copy(c.stale, f.stale)
	maps.Copy(c.stale, f.locked)
	clear(c.locked)
	return c
}

// Clone returns an independent copy with all that happened so far.
func (f *FS) Clone() *FS {
	c := &FS{Skip: f.Skip, locked: maps.Clone(f.locked), stale: maps.Clone(f.stale), clock: f.clock, strict: f.strict, apart: f.apart, blind: f.blind, now: make(tree, len(f.now))}
	nodes := make(map[*inode]*inode, len(f.now))
	copied := func(node *inode) *inode {
		if node != nil && nodes[node] == nil {
			nodes[node] = node.lend()
		}
		return nodes[node]
	}
	for name, node := range f.now {
		c.now[name] = copied(node)
	}
	c.disk = f.disk.clone(copied)
	for _, change := range f.pending {
		change.made, change.node = copied(change.made), copied(change.node)
		change.dir, change.toDir = copied(change.dir), copied(change.toDir)
		c.pending = append(c.pending, change)
	}
	return c
}
