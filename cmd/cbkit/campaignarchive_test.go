package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/archive"
)

// archiveVerbs are the verbs that read a database in an archive.
func archiveVerbs() [][]campaignVerb {
	return append(readingVerbs(),
		[]campaignVerb{into(damagedArchive, "unpack -q", "unpacked", nil), into(damagedArchive, "unpack -q --keep-going", "unpacked", nil)},
		// Nothing is changed in an archive.
		[]campaignVerb{{misuse: true, after: refused, args: func(c *campaignCase) []string {
			return []string{"edit", "-q", "--delete", "1", c.copy()}
		}}, {misuse: true, after: refused, args: func(c *campaignCase) []string {
			return []string{"check", "-q", "--repair", c.copy()}
		}}})
}

// refused checks that a verb has changed nothing.
func refused(c *campaignCase, r result) {
	b, err := os.ReadFile(filepath.Join(c.dir, "out", c.subject.main))
	if r.status == exitDone || err != nil || !bytes.Equal(b, c.files[c.subject.main]) {
		c.errorf("exit status %d, and the archive was changed: %v %s", r.status, err, r.errOut)
	}
}

// archiveSubject is an archive with a database.
func archiveSubject(t *testing.T, name, path string) *subject {
	t.Helper()
	b, err := os.ReadFile(path)
	mustDo(err)
	file := filepath.Base(path)
	s := &subject{name: name, files: map[string][]byte{file: b}, verbs: archiveVerbs(), all: allRecords, isChessBase: true, unpacked: 4 * len(b)}
	s.unpack = func(files map[string][]byte) (map[string][]byte, []visibleDamage) {
		return unpackedMembers(files[file], file)
	}
	inner, damage := s.unpack(s.files)
	if len(damage) > 0 {
		t.Fatal(damage)
	}
	s.inner = inner
	s.records = (&cbhFiles{"new", inner}).own()
	s.damage = func(files map[string][]byte) []visibleDamage {
		if files["new.cbh"] == nil && len(files) > 0 {
			return nil // by another name
		}
		return (&cbhFiles{"new", files}).damage()
	}
	return newSubject(t, s, path)
}

// memberDamage says whose work a file is for.
var memberDamage = map[string]damageKind{
	".cbh": damagedHeader, ".cbg": damagedMoves, ".cba": damagedAnnotations,
	".cbp": damagedReference, ".cbt": damagedReference, ".cbc": damagedReference, ".cbs": damagedReference,
}

// unpackedMembers returns the files in an archive, and the damage that is in the
// way of that.
func unpackedMembers(b []byte, name string) (map[string][]byte, []visibleDamage) {
	a, err := archive.NewReader(bytes.NewReader(b), int64(len(b)), name, archive.Options{Password: []byte(campaignPassword)})
	if err != nil {
		return nil, []visibleDamage{{damagedFile | damagedArchive, 0, "", fmt.Sprintf("an archive that cannot be opened: %v", err)}}
	}
	defer a.Close()
	files := map[string][]byte{}
	var list []visibleDamage
	for _, m := range a.Members() {
		content, err := fs.ReadFile(a.FS(), m.Name)
		if err != nil {
			ext := strings.ToLower(filepath.Ext(m.Name))
			list = append(list, visibleDamage{memberDamage[ext] | damagedArchive, 0, ext, err.Error()})
		}
		files[strings.ToLower(m.Name)] = content
	}
	return files, list
}

// tableSubject is a table of games. Nothing in it says that its bytes are those
// that were written, but at its ends.
func tableSubject(t *testing.T, name, path string) *subject {
	t.Helper()
	b, err := os.ReadFile(path)
	mustDo(err)
	file := filepath.Base(path)
	s := &subject{name: name, files: map[string][]byte{file: b}, verbs: textVerbs(), unpacked: 64 * len(b)}
	s.damage = func(files map[string][]byte) []visibleDamage {
		const magic = "PAR1"
		if is := files[file]; !bytes.HasPrefix(is, []byte(magic)) || !bytes.HasSuffix(is, []byte(magic)) {
			return []visibleDamage{{damagedText, 0, "", "no table"}}
		}
		return nil
	}
	return newSubject(t, s, path)
}
