package avl

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
)

// entityFile is an entity file of a real database, read as
// docs/formats/cbh-entities.md 7 says.
type entityFile struct {
	*Tree
	ext      string // "cbp" and so on
	payloads [][]byte
}

// entityExtensions names the entity files in the order of docs/formats/cbh-entities.md 7.1.
var entityExtensions = []string{"cbp", "cbt", "cbc", "cbs", "cbe", "cbl"}

// corpusDatabase finds the entity files of a real database.
func corpusDatabase(t *testing.T, name string) []entityFile {
	t.Helper()
	root := filepath.Dir(corpus.Path(t, "cbh"))
	var files []entityFile
	for _, ext := range entityExtensions {
		paths := must.Get(filepath.Glob(filepath.Join(root, "cbh", name, "*."+ext)))(t)
		for _, path := range paths {
			data := must.Get(os.ReadFile(path))(t)
			file, err := parseEntityFile(data)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			file.ext = ext
			files = append(files, file)
		}
	}
	if len(files) == 0 {
		t.Fatalf("no entity files of %s in %s", name, root)
	}
	return files
}

func parseEntityFile(data []byte) (entityFile, error) {
	const headerLen, linkLen = 28, 9
	if len(data) < headerLen {
		return entityFile{}, fmt.Errorf("%d bytes", len(data))
	}
	field := func(at int) int32 { return int32(binary.LittleEndian.Uint32(data[at:])) }
	f := entityFile{Tree: &Tree{Root: field(4), Free: field(16), Live: field(20)}}
	n, size, start := int(field(0)), linkLen+int(field(12)), headerLen+int(field(24))
	if len(data) != start+n*size {
		return entityFile{}, fmt.Errorf("%d bytes, want %d records of %d after %d", len(data), n, size, start)
	}
	for at := start; at < len(data); at += size {
		f.Nodes = append(f.Nodes, Node{Left: field(at), Right: field(at + 4), Balance: int8(data[at+8])})
		f.payloads = append(f.payloads, data[at+linkLen:at+size])
	}
	return f, nil
}

// signedness is how the bytes of a string compare: 0x80 and above come after
// the others, or before them (docs/formats/cbh-entities.md 7.2).
type signedness byte

const (
	unsigned signedness = 0x00
	signed   signedness = 0x80
)

func (s signedness) String() string {
	if s == signed {
		return "signed"
	}
	return "unsigned"
}

// text compares the zero-terminated strings in a[at:at+size] and b[at:at+size].
func (s signedness) text(a, b []byte, at, size int) int {
	a, _, _ = bytes.Cut(a[at:at+size], []byte{0})
	b, _, _ = bytes.Cut(b[at:at+size], []byte{0})
	for i := range min(len(a), len(b)) {
		if c := cmp.Compare(a[i]^byte(s), b[i]^byte(s)); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// compare orders two payloads as docs/formats/cbh-entities.md 7.1 and 7.2 say.
func (s signedness) compare(ext string, a, b []byte) int {
	number := func(p []byte, at int) int32 { return int32(binary.LittleEndian.Uint32(p[at:])) }
	switch ext {
	case "cbp":
		return cmp.Or(s.text(a, b, 0, 30), s.text(a, b, 30, 20))
	case "cbt":
		da, db := number(a, 70), number(b, 70)
		return cmp.Or(cmp.Compare(db>>9, da>>9), s.text(a, b, 0, 40), s.text(a, b, 40, 30), cmp.Compare(db, da))
	case "cbc":
		return s.text(a, b, 0, 45)
	case "cbs":
		return s.text(a, b, 0, 25)
	case "cbe":
		return cmp.Or(s.text(a, b, 0, 45), cmp.Compare(number(a, 45), number(b, 45)), cmp.Compare(b[49]&1, a[49]&1),
			cmp.Compare(number(a, 50), number(b, 50)), cmp.Compare(a[54], b[54]))
	}
	for title := range 8 {
		if c := s.text(a, b, 200*title, 200); c != 0 {
			return c
		}
	}
	return 0
}

// order is the key order of a file with one reading of its bytes.
func (f entityFile) order(s signedness) Order {
	return func(a, b int32) int { return s.compare(f.ext, f.payloads[a], f.payloads[b]) }
}

// disorders counts the neighbours in the wrong order.
func (f entityFile) disorders(s signedness) int {
	n := 0
	for _, finding := range f.Verify(f.order(s)) {
		if finding.Kind == Disorder {
			n++
		}
	}
	return n
}

// readings lists the ways of comparing bytes under which the file is in order.
func (f entityFile) readings() []signedness {
	var ok []signedness
	for _, s := range []signedness{unsigned, signed} {
		if f.disorders(s) == 0 {
			ok = append(ok, s)
		}
	}
	return ok
}

func (f entityFile) deleted() int {
	return len(f.Nodes) - int(f.countLive())
}

// The trees ChessBase wrote, node for node, by inserting the records in id
// order (docs/formats/cbh-entities.md 8, docs/formats/real-databases.md 2).
func TestCorpusTreesAreReproduced(t *testing.T) {
	for _, name := range []string{"small", "cbh_test", "cbh_cbj_test", "hedgehog", "world-ch", "twic1134"} {
		t.Run(name, func(t *testing.T) {
			for _, f := range corpusDatabase(t, name) {
				t.Run(f.ext, func(t *testing.T) { f.testReproduced(t) })
			}
		})
	}
}

func (f entityFile) testReproduced(t *testing.T) {
	readings := f.readings()
	if len(readings) == 0 {
		t.Fatal("in order neither with signed nor with unsigned bytes")
	}
	for _, s := range readings {
		for _, finding := range f.Verify(f.order(s)) {
			t.Errorf("%v", finding)
		}
		if f.deleted() > 0 {
			t.Logf("%d records, %d of them deleted: not compared", len(f.Nodes), f.deleted())
			continue
		}
		fresh, order := New(), f.order(s)
		for id := range f.LiveIDs() {
			if got, err := fresh.Add(func(other int32) int { return order(id, other) }); err != nil || got != id {
				t.Fatalf("Add gives %d, %v; want %d", got, err, id)
			}
		}
		f.mustEqual(t, fresh)
		t.Logf("%d records, height %d, %v bytes: equal", len(f.Nodes), f.Height(), s)
	}
}

// mustEqual compares the header fields and every node with those of the file.
func (f entityFile) mustEqual(t *testing.T, got *Tree) {
	t.Helper()
	if got.Root != f.Root || got.Free != f.Free || got.Live != f.Live {
		t.Errorf("root %d, first deleted %d, %d live; the file has %d, %d, %d",
			got.Root, got.Free, got.Live, f.Root, f.Free, f.Live)
	}
	for id, want := range f.Nodes {
		if got.Nodes[id] != want {
			t.Errorf("record %d: %v, the file has %v", id, got.Nodes[id], want)
		}
	}
}

// Mate2 is of the oldest generation. Its live counts are wrong, as the page
// says (docs/formats/cbh-entities.md 7); otherwise its trees hold.
func TestCorpusOldTrees(t *testing.T) {
	wantLive := map[string]Finding{
		"cbt": {WrongLive, None, fieldLive, 6, 7},
		"cbc": {WrongLive, None, fieldLive, 0, 1},
		"cbs": {WrongLive, None, fieldLive, 0, 1},
	}
	for _, f := range corpusDatabase(t, "mate2") {
		t.Run(f.ext, func(t *testing.T) {
			for _, finding := range f.Verify(f.order(unsigned)) {
				if finding != wantLive[f.ext] {
					t.Errorf("%v", finding)
				}
				delete(wantLive, f.ext)
			}
			stored := f.Clone()
			must.Do(t, f.Rebuild(f.LiveIDs(), f.order(unsigned)))
			mustBeSound(t, f.Tree, f.order(unsigned))
			t.Logf("%d records; Rebuild changes %d of them", len(f.Nodes), len(changedNodes(stored, f.Tree)))
		})
	}
	if len(wantLive) > 0 {
		t.Errorf("not found: %v", wantLive)
	}
}

// Every record of a real file is found by its key, and its last name as a
// prefix leads to it.
func TestCorpusLookUp(t *testing.T) {
	for _, f := range corpusDatabase(t, "twic1134") {
		order := f.order(f.readings()[0])
		for id := range f.LiveIDs() {
			if got, ok := f.Find(func(other int32) int { return order(id, other) }); !ok || got != id {
				t.Fatalf("%s: record %d found as %d, %v", f.ext, id, got, ok)
			}
		}
		if f.ext != "cbp" {
			continue
		}
		n := 0
		prefix := "Ca"
		for id := range f.From(func(id int32) int { return strings.Compare(prefix, f.lastName(id)) }) {
			if !strings.HasPrefix(f.lastName(id), prefix) {
				break
			}
			n++
		}
		want := 0
		for id := range f.LiveIDs() {
			if strings.HasPrefix(f.lastName(id), prefix) {
				want++
			}
		}
		if n != want || n == 0 {
			t.Errorf("%d players begin with %s, want %d", n, prefix, want)
		}
	}
}

func (f entityFile) lastName(id int32) string {
	name, _, _ := bytes.Cut(f.payloads[id][:30], []byte{0})
	return string(name)
}
