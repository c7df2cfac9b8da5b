package cbhdb

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
	_ "cbkit/internal/testkit/seeds"
	"cbkit/model"

	"pgregory.net/rapid"
)

// memory is the files of a database in memory, and what was read of them.
type memory struct {
	files  map[string]*counted
	opened []string
}

// counted counts the bytes that are read of a file.
type counted struct {
	*fsys.Memory
	read *int
}

func (c counted) ReadAt(b []byte, offset int64) (int, error) {
	*c.read += len(b)
	return c.Memory.ReadAt(b, offset)
}

func (m *memory) Has(ext string) bool    { return m.files[ext] != nil }
func (m *memory) Name(ext string) string { return "games" + ext }

func (m *memory) Changed(string) (time.Time, error) { return time.Time{}, nil }

func (m *memory) Open(ext string) (*dbfile.File, error) {
	m.opened = append(m.opened, ext)
	return dbfile.New(m.files[ext], m.Name(ext)), nil
}

// read is how many bytes were read of all files.
func (m *memory) read() (n int) {
	for _, f := range m.files {
		n += *f.read
	}
	return n
}

func (m *memory) put(ext string, b []byte) { m.files[ext] = &counted{fsys.NewMemory(b), new(int)} }

// empty returns a database without records.
func empty() *memory {
	m := &memory{files: map[string]*counted{}}
	for _, ext := range cbh.NewFileExts {
		b, _ := cbh.EmptyFile(ext)
		m.put(ext, b)
	}
	return m
}

// real returns a database of the corpus.
func real(t testing.TB, name string) *memory {
	t.Helper()
	m := &memory{files: map[string]*counted{}}
	list := must.Get(filepath.Glob(filepath.Join(corpus.Path(t, "cbh/"+name), "*")))(t)
	for _, path := range list {
		b := must.Get(os.ReadFile(path))(t)
		m.put(strings.ToLower(filepath.Ext(path)), b)
	}
	return m
}

// No file is opened before something of it is asked for, and then only its
// header is read, however many records it has.
func TestNothingIsReadBeforeItIsAskedFor(t *testing.T) {
	m := real(t, "twic1134")
	db := New(m)
	if len(m.opened) > 0 {
		t.Errorf("opened %v", m.opened)
	}
	for _, step := range []struct {
		ext string
		do  func() error
	}{
		{".cbh", func() error { _, err := db.HeaderFile(); return err }},
		{".cbj", func() error { _, err := db.ExtensionFile(); return err }},
		{".cbg", func() error { _, err := db.MoveFile(); return err }},
		{".cba", func() error { _, err := db.AnnotationFile(); return err }},
		{".cbp", func() error { _, err := db.Entities(&cbh.Players.EntityFile); return err }},
		{".cbe", func() error { _, err := db.Entities(&cbh.Teams.EntityFile); return err }},
	} {
		m.opened = nil
		for range 2 {
			must.Do(t, step.do())
		}
		if !slices.Equal(m.opened, []string{step.ext}) {
			t.Errorf("%s: opened %v", step.ext, m.opened)
		}
	}
	if n := m.read(); n > 1024 {
		t.Errorf("%d bytes were read", n)
	}
}

// All records of real databases lie inside their files, and the headers of
// their parts agree with what package cbh decodes.
func TestRecordsOfRealDatabases(t *testing.T) {
	for _, name := range []string{"hedgehog", "mate2", "small", "twic1134", "cbh_test", "cbh_cbj_test"} {
		db := New(real(t, name))
		headers, extensions := must.Get(db.HeaderFile())(t), must.Get(db.ExtensionFile())(t)
		moves, annotations := must.Get(db.MoveFile())(t), must.Get(db.AnnotationFile())(t)
		r, games, notes := headers.Headers(extensions, 1<<12), moves.Reader(1<<12), annotations.Reader(1<<12)
		between := moves.Between()
		for id := model.RecordID(1); id <= headers.Count; id++ {
			h := must.Get(r.At(id))(t)
			if at := decodedMovesAt(t, &h); h.MovesAt() != at {
				t.Errorf("%s: record %d: moves at %d, decoded %d", name, id, h.MovesAt(), at)
			}
			x, fault, err := games.Locate(h.MovesAt(), id)
			if fault != nil || err != nil {
				t.Fatalf("%s: record %d: %v, %v", name, id, fault.Err(), err)
			}
			if b := must.Get(games.Bytes(x))(t); int64(len(b)) != x.Size {
				t.Errorf("%s: record %d: %d bytes, want %d", name, id, len(b), x.Size)
			}
			if order, _ := between.Pass(x); order != Ascending {
				t.Errorf("%s: record %d lies in order %d", name, id, order)
			}
			if at := h.AnnotationsAt(); at != 0 {
				if _, fault, err := notes.Locate(at, id); fault != nil || err != nil {
					t.Fatalf("%s: annotations of %d: %v, %v", name, id, fault.Err(), err)
				}
			}
		}
		if end := max(between.End, moves.DeclaredEnd()); end > moves.Size() || headers.Count > 0 && between.Start < 0 {
			t.Errorf("%s: records end at %d of %d", name, end, moves.Size())
		}
	}
}

// decodedMovesAt is the place of the moves by way of the decoders.
func decodedMovesAt(t *testing.T, h *Header) int64 {
	low := uint32(0)
	if h.Type().IsText() {
		low = must.Get(cbh.DecodeTextRecord(h.Head))(t).Offset
	} else {
		low = must.Get(cbh.DecodeGameRecord(h.Head))(t).MovesOffset
	}
	return cbh.Place(low, cbh.DecodeExtRecord(h.Ext).MovesOffset)
}

// Places are those that both records say, for records of every version.
func TestPlaces(t *testing.T) {
	sizes := []int{0, 8, 20, 30, 38, 74, cbh.ExtRecordSize}
	rapid.Check(t, func(t *rapid.T) {
		low, high := rapid.Uint32().Draw(t, "low"), rapid.Uint64Range(0, 3).Draw(t, "high")
		full := high<<32 | uint64(low)
		if rapid.Bool().Draw(t, "disagree") {
			full ^= 1
		}
		game := cbh.GameRecord{Type: cbh.TypeInUse, MovesOffset: low, AnnotationsOffset: low}
		ext := cbh.ExtRecord{MovesOffset: full, AnnotationsOffset: full}
		size := rapid.SampledFrom(sizes).Draw(t, "size")
		h := Header{ID: 1, Head: game.Append(nil), Ext: ext.Append(nil, size)}
		decoded := cbh.DecodeExtRecord(h.Ext)
		if want := cbh.Place(low, decoded.MovesOffset); h.MovesAt() != want {
			t.Errorf("moves at %d, want %d", h.MovesAt(), want)
		}
		if want := cbh.Place(low, decoded.AnnotationsOffset); h.AnnotationsAt() != want {
			t.Errorf("annotations at %d, want %d", h.AnnotationsAt(), want)
		}
	})
}

// A part that does not lie inside its file is a fault with a code and a place,
// and costs no memory.
func TestFaults(t *testing.T) {
	m := empty()
	head := cbh.NewBlockHeader(34, 0)
	m.put(".cbg", append(head.Append(nil), 0, 0, 0, 8, 1, 2, 3, 4))
	r := must.Get(New(m).MoveFile())(t).Reader(16)
	for _, c := range []struct {
		at    int64
		size  [3]byte
		code  Code
		error string
	}{
		{at: 26, size: [3]byte{0, 0, 8}},
		{at: 25, code: OffsetOutside, error: "games.cbg: record 7 at 0x19 (offset): corrupt: 25 lies in the file's header"},
		{at: 31, code: OffsetOutside, error: "games.cbg: record 7 at 0x1f (offset): corrupt: 31 lies past the end of the file, which has 34 bytes"},
		{at: 26, size: [3]byte{0, 0, 3}, code: RecordSize, error: "games.cbg: record 7 at 0x1a (size): corrupt: 3 bytes cannot hold a record"},
		{at: 26, size: [3]byte{0, 0, 9}, code: RecordSize, error: "games.cbg: record 7 at 0x1a (size): corrupt: 9 bytes from 26 on exceed the file, which ends after 34"},
	} {
		if c.size != [3]byte{} {
			must.Get(r.WriteAt(c.size[:], 27))(t)
			r = r.Blocks.Reader(16)
		}
		x, fault, err := r.Locate(c.at, 7)
		if err != nil {
			t.Fatal(err)
		}
		if fault == nil {
			if c.code != "" || x != (Extent{26, 8}) || x.End() != 34 {
				t.Errorf("at %d: %v, want %s", c.at, x, c.code)
			}
			continue
		}
		if fault.Code != c.code || fault.Err().Error() != c.error || !errors.Is(fault.Err(), model.ErrCorrupt) || x.Size != 0 {
			t.Errorf("at %d: %s %q\nwant %s %q", c.at, fault.Code, fault.Err(), c.code, c.error)
		}
	}
}

// What lies between records is counted where they ascend.
func TestBetween(t *testing.T) {
	b := must.Get(New(empty()).MoveFile())(t).Between()
	for _, c := range []struct {
		x     Extent
		order Order
		hole  Extent
	}{
		{Extent{26, 10}, Ascending, Extent{26, 0}},
		{Extent{40, 10}, Ascending, Extent{36, 4}},
		{Extent{45, 20}, Overlap, Extent{}},
		{Extent{30, 5}, Descending, Extent{}},
		{Extent{70, 1}, Ascending, Extent{65, 5}},
	} {
		if order, hole := b.Pass(c.x); order != c.order || hole != c.hole {
			t.Errorf("%v: %d %v, want %d %v", c.x, order, hole, c.order, c.hole)
		}
	}
	if b.Holes != 9 || b.Start != 70 || b.End != 71 {
		t.Errorf("%+v", b)
	}
}

// What is missing or damaged is an error that names the file.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		ext  string
		b    []byte // nil: no such file
		open func(*DB) error
		want string
	}{
		{".cbh", nil, func(db *DB) error { _, err := db.HeaderFile(); return err }, "games.cbh: the file is missing"},
		{".cbh", make([]byte, 45), func(db *DB) error { _, err := db.HeaderFile(); return err }, "45 bytes are no ChessBase header"},
		{".cbh", make([]byte, 46), func(db *DB) error { _, err := db.HeaderFile(); return err }, "games.cbh: at 0x0 (signature)"},
		{".cbj", make([]byte, 32), func(db *DB) error { _, err := db.ExtensionFile(); return err }, "games.cbj: at 0x4 (record size)"},
		{".cbg", nil, func(db *DB) error { _, err := db.MoveFile(); return err }, "games.cbg: the file is missing"},
		{".cba", make([]byte, 26), func(db *DB) error { _, err := db.AnnotationFile(); return err }, "games.cba: at 0x0 (header size)"},
		{".cbp", nil, func(db *DB) error { _, err := db.Entities(&cbh.Players.EntityFile); return err }, "games.cbp: the file is missing"},
		{".cbp", make([]byte, 28), func(db *DB) error { _, err := db.Entities(&cbh.Players.EntityFile); return err }, "games.cbp: at 0x8 (signature)"},
	} {
		m := empty()
		if delete(m.files, c.ext); c.b != nil {
			m.put(c.ext, c.b)
		}
		if err := c.open(New(m)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s of %d bytes: %v, want %q", c.ext, len(c.b), err, c.want)
		}
	}
	m := empty()
	delete(m.files, ".cbj")
	delete(m.files, ".cbe")
	db := New(m)
	if x, err := db.ExtensionFile(); x != nil || err != nil || x.Has(1) {
		t.Errorf("a missing .cbj file: %v, %v", x, err)
	}
	if e, err := db.Entities(&cbh.Teams.EntityFile); e != nil || err != nil {
		t.Errorf("a missing .cbe file: %v, %v", e, err)
	}
	if f, err := db.File(".flags"); f != nil || err != nil {
		t.Errorf("a missing .flags file: %v, %v", f, err)
	}
}

// failing opens no file.
type failing struct{ memory }

func (f *failing) Open(string) (*dbfile.File, error) { return nil, fs.ErrPermission }

func TestFilesThatCannotBeOpened(t *testing.T) {
	db := New(&failing{*empty()})
	for _, open := range []func() error{
		func() error { _, err := db.HeaderFile(); return err },
		func() error { _, err := db.ExtensionFile(); return err },
		func() error { _, err := db.Entities(&cbh.Teams.EntityFile); return err },
	} {
		if err := open(); !errors.Is(err, fs.ErrPermission) {
			t.Error(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

// The extension of the header of an entity file may be long, but not longer
// than the file.
func TestEntityHeaders(t *testing.T) {
	kind := &cbh.Annotators.EntityFile
	h := cbh.NewEntityHeader(kind)
	h.Extension = bytes.Repeat([]byte{7}, 1000)
	m := empty()
	m.put(kind.Ext, append(h.Append(nil), make([]byte, kind.RecordSize())...))
	e := must.Get(New(m).Entities(kind))(t)
	if len(e.Head.Extension) != 1000 || e.Offset(1) != e.End() || e.Count != 1 || !errors.Is(e.Miscount, model.ErrCorrupt) {
		t.Errorf("%d bytes of extension, ends at %d, %d records, %v", len(e.Head.Extension), e.End(), e.Count, e.Miscount)
	}
	m.put(kind.Ext, h.Append(nil)[:900])
	if _, err := New(m).Entities(kind); !errors.Is(err, model.ErrTruncated) {
		t.Errorf("a header that is cut: %v", err)
	}
}

// Records, headers and links are written where they are read.
func TestWriting(t *testing.T) {
	m := empty()
	db := New(m)
	headers, extensions := must.Get(db.HeaderFile())(t), must.Get(db.ExtensionFile())(t)
	kind := &cbh.Annotators.EntityFile
	e := must.Get(db.Entities(kind))(t)
	game, ext := cbh.NewGameRecord(-1), cbh.NewExtRecord()
	for _, err := range []error{
		headers.Put(1, game.Append(nil)), extensions.Put(1, ext.Append(nil, int(extensions.Head.RecordSize))),
		e.Put(EntityRecord{0, cbh.EntityLinks{Left: -1, Right: -1}, make([]byte, kind.Size)}),
		e.PutLinks(0, cbh.EntityLinks{Left: -1, Right: -1, Balance: 1}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	headers.Head.SetRecords(1)
	extensions.Head.Records, e.Head.Capacity = 1, 1
	for _, put := range []func() error{headers.PutHead, extensions.PutHead, e.PutHead, must.Get(db.MoveFile())(t).PutHead} {
		must.Do(t, put())
	}
	again := New(m)
	headers, extensions, e = must.Get(again.HeaderFile())(t), must.Get(again.ExtensionFile())(t), must.Get(again.Entities(kind))(t)
	if headers.Count != 1 || headers.Miscount != nil || extensions.Stored != 1 || extensions.Miscount != nil || e.Count != 1 || e.Miscount != nil {
		t.Errorf("%d, %d, %d records; %v, %v, %v", headers.Count, extensions.Stored, e.Count, headers.Miscount, extensions.Miscount, e.Miscount)
	}
	h := must.Get(headers.Headers(extensions, 64).At(1))(t)
	if !bytes.Equal(h.Head, game.Append(nil)) || len(h.Ext) != cbh.ExtRecordSize {
		t.Errorf("header %x %x", h.Head, h.Ext)
	}
	for r, err := range e.Reader(64).All() {
		if err != nil || r.ID != 0 || r.Links.Balance != 1 || len(r.Payload) != kind.Size {
			t.Errorf("%+v, %v", r, err)
		}
	}
}

// A name is put into the tree of a real file with a few reads and writes, and
// the tree stays what it must be.
func TestTree(t *testing.T) {
	m := real(t, "twic1134")
	kind := &cbh.Players.EntityFile
	db := New(m)
	e := must.Get(db.Entities(kind))(t)
	before, count := m.read(), e.Count
	payload, _ := cbh.Players.Append(nil, model.Player{LastName: "Morphy", FirstName: "Paul"}, cbh.CodePage{})
	r := e.Reader(kind.RecordSize())
	tree := r.Tree(r.At)
	id, err := tree.Add(func(id int32) int {
		return kind.Compare(payload, must.Get(r.At(id))(t).Payload, kind.DefaultSigned)
	})
	if err != nil {
		t.Fatal(err)
	}
	must.Do(t, e.Put(EntityRecord{id, cbh.EntityLinks{}, payload}))
	must.Do(t, e.PutTree(tree))
	must.Do(t, e.PutHead())
	if n := m.read() - before; n > 60*kind.RecordSize() {
		t.Errorf("%d bytes were read", n)
	}
	e = must.Get(New(m).Entities(kind))(t)
	if e.Count != count+1 || e.Miscount != nil {
		t.Errorf("%d records, %v", e.Count, e.Miscount)
	}
	order := func(a, b int32) int {
		x := slices.Clone(must.Get(e.Reader(0).At(a))(t).Payload)
		return kind.Compare(x, must.Get(e.Reader(0).At(b))(t).Payload, kind.DefaultSigned)
	}
	if found := e.Tree(e.Reader(1 << 12).At).Verify(order); len(found) > 0 {
		t.Errorf("%v", found)
	}
}

// A database that is only read cannot be written.
func TestReadOnly(t *testing.T) {
	m := empty()
	file := dbfile.New(struct{ fsys.ReadFile }{m.files[".cbh"]}, "games.cbh")
	if _, err := file.WriteAt([]byte{1}, 0); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("WriteAt: %v", err)
	}
	if err := file.Truncate(0); !errors.Is(err, errors.ErrUnsupported) || fmt.Sprint(err) == "" {
		t.Errorf("Truncate: %v", err)
	}
}
