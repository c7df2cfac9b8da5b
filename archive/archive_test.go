package archive_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"pgregory.net/rapid"

	"cbkit/archive"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// genContent draws contents of all kinds: noise, runs, repetitions of what was
// there before, few byte values, up to several blocks.
func genContent(t *rapid.T, label string) []byte {
	var b []byte
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, label), 1))
	for range rapid.IntRange(0, 6).Draw(t, label+" parts") {
		n := rapid.OneOf(rapid.IntRange(0, 300), rapid.IntRange(0, 70_000), rapid.SampledFrom([]int{61_439, 61_440, 61_441})).Draw(t, label+" size")
		part := make([]byte, n)
		values := rapid.SampledFrom([]uint32{1, 2, 16, 256}).Draw(t, label+" values")
		for i := range part {
			part[i] = byte(r.Uint32N(values))
		}
		if len(b) > 100 && rapid.Bool().Draw(t, label+" again") {
			for at := 0; at+4 < n; at += 4 + int(r.Uint32N(400)) {
				from := r.IntN(len(b))
				copy(part[at:], b[from:min(len(b), from+int(r.Uint32N(300)))])
			}
		}
		b = append(b, part...)
	}
	return b
}

// What is packed comes out again, and is packed to the same bytes.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var opt archive.WriterOptions
		opt.Stored = rapid.Bool().Draw(t, "stored")
		opt.Jobs = rapid.IntRange(0, 4).Draw(t, "jobs")
		if rapid.Bool().Draw(t, "enciphered") {
			opt.Password = rapid.SliceOfN(rapid.Byte(), 1, 20).Draw(t, "password")
		}
		contents := make([]content, rapid.IntRange(0, 4).Draw(t, "files"))
		files := make([]archive.File, len(contents))
		for i := range contents {
			contents[i] = content{fmt.Sprintf("%d/Ä.cbg", i), genContent(t, "content")}
			files[i] = contents[i].file()
		}
		var out buffer
		must.Get(archive.Write(context.Background(), &out, files, opt))(t)
		a := must.Get(archive.NewReader(bytes.NewReader(out.data), int64(len(out.data)), "x.cbv", archive.Options{Password: opt.Password}))(t)
		got := make([]content, len(contents))
		for b, err := range a.Verify(context.Background()) {
			if err != nil || b.Outcome == archive.Different || b.Outcome == archive.LeftStored && !opt.Stored {
				t.Fatalf("%v of member %d: %v, error %v", b.Number, b.Member, b.Outcome, err)
			}
			got[b.Member].name = a.Members()[b.Member].Name
			got[b.Member].data = append(got[b.Member].data, b.Data...)
		}
		if !same(got, contents) {
			t.Fatal("something else came out")
		}
		verdicts, err := a.VerifyTable()
		for _, v := range verdicts {
			if v.Outcome != archive.Exact {
				t.Fatalf("%+v", v)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	})
}

// The file system reads anywhere what the whole file has there.
func TestRandomAccess(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := genContent(t, "content")
		var out buffer
		must.Get(archive.Write(context.Background(), &out, []archive.File{content{"a", data}.file()}, archive.WriterOptions{}))(t)
		a := must.Get(archive.NewReader(bytes.NewReader(out.data), int64(len(out.data)), "x.cbv", archive.Options{}))(t)
		f := must.Get(a.Open(0))(t)
		for range 20 {
			at := rapid.Int64Range(0, int64(len(data))+10).Draw(t, "at")
			b := make([]byte, rapid.IntRange(0, 200_000).Draw(t, "n"))
			n, err := f.(io.ReaderAt).ReadAt(b, at)
			want, wrong := bytes.NewReader(data).ReadAt(b[:len(b):len(b)], at)
			if len(b) == 0 {
				want, wrong = 0, err // readers differ here
			}
			if n != want || err != wrong {
				t.Fatalf("%d bytes at %d: %d, error %v; want %d, %v", len(b), at, n, err, want, wrong)
			}
			if at < int64(len(data)) && !bytes.Equal(b[:n], data[at:][:n]) {
				t.Fatalf("other bytes at %d", at)
			}
		}
	})
}

// folders is an archive with folders in folders.
func folders(t testing.TB) ([]content, []byte) {
	contents := []content{
		{"Base.cbh", bytes.Repeat([]byte("header"), 30_000)}, {"Base.html/a.jpg", []byte("a")},
		{"Base.html/deep/er/b.jpg", []byte("b")}, {"Base.bmp/c.bmp", []byte("c")}, {"Base.cbg", nil},
	}
	return contents, pack(t, archive.WriterOptions{}, contents...)
}

func TestFileSystem(t *testing.T) {
	contents, data := folders(t)
	files := open(t, data, archive.Options{}).FS()
	if err := fstest.TestFS(files, "Base.cbh", "Base.html/a.jpg", "Base.html/deep/er/b.jpg", "Base.bmp/c.bmp", "Base.cbg"); err != nil {
		t.Error(err)
	}
	for _, c := range contents {
		got, err := fs.ReadFile(files, c.name)
		if err != nil || !bytes.Equal(got, c.data) {
			t.Errorf("%s: %d bytes, error %v", c.name, len(got), err)
		}
		info, err := fs.Stat(files, c.name)
		if err != nil || info.Size() != int64(len(c.data)) || !info.ModTime().Equal(moment) || info.Mode() != 0o444 {
			t.Errorf("%s: %v, error %v", c.name, info, err)
		}
	}
	f := must.Get(files.Open("Base.cbh"))(t)
	if _, err := f.(io.Seeker).Seek(-6, io.SeekEnd); err != nil {
		t.Error(err)
	}
	if rest, err := io.ReadAll(f); err != nil || string(rest) != "header" {
		t.Errorf("%q, error %v", rest, err)
	}
	if _, err := f.(io.Seeker).Seek(-1, io.SeekStart); err == nil {
		t.Error("a place before the file")
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if _, err := f.Read(make([]byte, 1)); !errors.Is(err, fs.ErrClosed) || f.Close() == nil {
		t.Errorf("reading a closed file: %v", err)
	}
}

// Several goroutines read one archive at once.
func TestConcurrentReading(t *testing.T) {
	data := make([]byte, 1<<20)
	for i := range data {
		data[i] = byte(i >> 3 * i >> 5)
	}
	for _, opt := range []archive.WriterOptions{{}, {Password: []byte("secret")}} {
		a := open(t, pack(t, opt, content{"a", data}), archive.Options{Password: opt.Password})
		f := must.Get(a.Open(0))(t)
		var running sync.WaitGroup
		for seed := range uint64(8) {
			running.Go(func() {
				r := rand.New(rand.NewPCG(seed, 1))
				b := make([]byte, 100_000)
				for range 50 {
					at := r.IntN(len(data) - len(b))
					if _, err := f.(io.ReaderAt).ReadAt(b, int64(at)); err != nil || !bytes.Equal(b, data[at:][:len(b)]) {
						t.Errorf("at %d: error %v", at, err)
						return
					}
				}
			})
		}
		running.Wait()
	}
}

// Blocks need not be full, though ChessBase's are: they are read in order and
// anywhere, and are said to be other than it would write them.
func TestShortBlocks(t *testing.T) {
	var stream []byte
	var want strings.Builder
	for i := range 40 {
		part := strings.Repeat(string(rune('a'+i%26)), 18)
		switch i % 3 {
		case 0:
			stream = append(stream, rawBlock(0, part)...)
		case 1:
			stream = append(stream, rawBlock(1, "\x00\x80\x0f"+part[:1])...)
		case 2:
			part = "aba"
			stream = append(stream, rawBlock(2, huffmanABA)...)
		}
		want.WriteString(part)
	}
	r := newRaw()
	r.members[2].stream, r.members[2].size = stream, int64(want.Len())
	data := r.bytes()
	found, err := readAll(data, archive.Options{})
	if err != nil || found["Base.cbg"] != want.String() {
		t.Errorf("%d bytes, error %v", len(found["Base.cbg"]), err)
	}
	a := open(t, data, archive.Options{})
	f := must.Get(a.Open(2))(t)
	for at := want.Len() - 1; at >= 0; at -= 7 {
		b := make([]byte, min(50, want.Len()-at))
		if _, err := f.(io.ReaderAt).ReadAt(b, int64(at)); err != nil || string(b) != want.String()[at:][:len(b)] {
			t.Fatalf("at %d: %q, error %v", at, b, err)
		}
	}
	different := 0
	for b, err := range a.Verify(context.Background()) {
		if err != nil {
			t.Error(err)
		}
		if b.Member == 2 && b.Outcome == archive.Different {
			different++
		}
	}
	if different != 39 { // the last one is as it would be
		t.Errorf("%d blocks are different", different)
	}
}

// Archives from before 2014 have shorter records.
func TestOldRecords(t *testing.T) {
	r := newRaw()
	want := must.Get(readAll(r.bytes(), archive.Options{}))(t)
	r = newRaw()
	r.words[2] = 149
	got, err := readAll(r.bytes(), archive.Options{})
	if err != nil || len(got) != 5 {
		t.Fatalf("%d files, error %v", len(got), err)
	}
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s: %q", name, got[name])
		}
	}
	r = newRaw()
	r.words[2] = 149
	if wrong := differences(t, open(t, r.bytes(), archive.Options{})); len(wrong) != 6 {
		t.Errorf("%v", wrong)
	}
}

func TestModes(t *testing.T) {
	a := open(t, newRaw().bytes(), archive.Options{})
	for i, want := range []archive.Modes{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 1, 1, 0}, {0, 0, 0, 1}, {}} {
		if got, err := a.Modes(i); err != nil || got != want {
			t.Errorf("member %d: %v, error %v", i, got, err)
		}
	}
	r := newRaw()
	r.members[3].stream = rawBlock(9, "x")
	if _, err := open(t, r.bytes(), archive.Options{}).Modes(3); !errors.Is(err, model.ErrCorrupt) {
		t.Errorf("mode 9: %v", err)
	}
	r = newRaw()
	r.members[3].name = ".."
	if _, err := open(t, r.bytes(), archive.Options{KeepGoing: true}).Modes(3); !errors.Is(err, model.ErrCorrupt) {
		t.Errorf("a member with an error: %v", err)
	}
}

// Verification says what is other than ChessBase writes it.
func TestVerifyDifferences(t *testing.T) {
	for _, c := range []struct {
		name string
		harm func(r *raw)
		want string
	}{
		{"bytes behind", func(r *raw) { r.tail = make([]byte, 8) }, "x.cbv: at 0x4c3: 8 bytes follow the last stream"},
		{"bytes that are not zero", func(r *raw) { r.tail = []byte{1} }, "the padding is not zero"},
		{"a gap", func(r *raw) {
			r.members[4].stream = rawBlock(0, "x")
			r.members[4].offset, r.members[4].packed, r.members[4].size = at64(1220), at64(5), 0
			r.members[3].stream = append(r.members[3].stream, 0)
			r.members[3].packed = at64(137)
			r.tail = nil
		}, "record 5"},
		{"another version", func(r *raw) { r.words[3] = 2 }, "(header): stored 08 00 05 00 ad 00 02 00, written 08 00 05 00 ad 00 03 00"},
	} {
		r := newRaw()
		c.harm(r)
		wrong := differences(t, open(t, r.bytes(), archive.Options{KeepGoing: true}))
		if len(wrong) == 0 || !strings.Contains(wrong[0].Error(), c.want) {
			t.Errorf("%s: %v", c.name, wrong)
		}
	}
	// Seven zeros behind are what is left of an enciphered archive.
	r := newRaw()
	r.tail = make([]byte, 7)
	if wrong := differences(t, open(t, r.bytes(), archive.Options{})); wrong != nil {
		t.Errorf("%v", wrong)
	}
}

func TestPasswords(t *testing.T) {
	data := pack(t, archive.WriterOptions{Password: []byte("secret")}, content{"a", []byte("content")})
	read := func(password []byte) error {
		_, err := archive.NewReader(bytes.NewReader(data), int64(len(data)), "x.cbz", archive.Options{Password: password})
		return err
	}
	if err := read([]byte("secret")); err != nil {
		t.Error(err)
	}
	if err := read(nil); !errors.Is(err, archive.ErrEnciphered) {
		t.Errorf("no password: %v", err)
	}
	if err := read([]byte("Secret2")); !errors.Is(err, archive.ErrPassword) || !strings.Contains(err.Error(), "wrong password") {
		t.Errorf("another password: %v", err)
	}
	if err := read([]byte{}); !errors.Is(err, model.ErrOption) {
		t.Errorf("an empty password: %v", err)
	}
	data = data[:len(data)-3]
	if err := read([]byte("secret")); !errors.Is(err, model.ErrTruncated) {
		t.Errorf("a cut archive: %v", err)
	}
	var out buffer
	_, err := archive.Write(context.Background(), &out, nil, archive.WriterOptions{Password: []byte{}})
	if !errors.Is(err, model.ErrOption) {
		t.Errorf("writing with an empty password: %v", err)
	}
}

// What archives cannot hold is refused before anything is written.
func TestRefusedFiles(t *testing.T) {
	many := make([]archive.File, 65_536)
	for i := range many {
		many[i].Name = fmt.Sprint(i)
	}
	named := func(names ...string) []archive.File {
		files := make([]archive.File, len(names))
		for i, name := range names {
			files[i] = content{name, nil}.file()
		}
		return files
	}
	for _, c := range []struct {
		files []archive.File
		opt   archive.WriterOptions
		want  string
	}{
		{many, archive.WriterOptions{}, "65536 files; archives hold 65535"},
		{named("../x"), archive.WriterOptions{}, "leads out of the folder"},
		{named("a?"), archive.WriterOptions{}, "no file name has"},
		{named(strings.Repeat("x", 128)), archive.WriterOptions{}, "has 128 bytes; archives hold names of 127"},
		{named("a", "A"), archive.WriterOptions{}, `"A" is the name of file 1 too`},
		{named("a/b", "a"), archive.WriterOptions{}, `"a" is the folder of file 1 too`},
		{named("a"), archive.WriterOptions{CodePage: "9999"}, "unknown code page"},
	} {
		var out buffer
		_, err := archive.Write(context.Background(), &out, c.files, c.opt)
		if err == nil || !strings.Contains(err.Error(), c.want) || len(out.data) > 0 {
			t.Errorf("%v does not say %q; %d bytes written", err, c.want, len(out.data))
		}
	}
	data := pack(t, archive.WriterOptions{}, content{"a", nil})
	if _, err := archive.NewReader(bytes.NewReader(data), int64(len(data)), "x", archive.Options{CodePage: "9999"}); !errors.Is(err, model.ErrOption) {
		t.Errorf("unknown code page: %v", err)
	}
}

// Names in other code pages, and those that none holds, come back.
func TestNames(t *testing.T) {
	for _, c := range []struct{ page, name string }{
		{"", "Größe.cbh"}, {"1251", "Шахматы.cbh"}, {"", "Шахматы.cbh"}, {"", "棋.cbh"}, {"", strings.Repeat("x", 127)},
	} {
		data := pack(t, archive.WriterOptions{CodePage: c.page}, content{c.name, nil})
		if got := open(t, data, archive.Options{CodePage: c.page}).Members()[0].Name; got != c.name {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

func TestOrder(t *testing.T) {
	from := fstest.MapFS{}
	want := []string{
		"x.cbh", "x.bmp/A.bmp", "x.bmp/b.bmp", "x.html/a/b.html", "x.html/z.html",
		"x.ini", "x.cbg", "x.cba", "x.cbp", "x.cbt", "x.cbs", "x.cbc", "x.cbj", "x.cbe", "x.cbm", "x.cbtt", "x.cbl",
		"x.ckn", "x.cko", "x.flags",
	}
	var names []string
	for _, name := range want {
		from[name] = &fstest.MapFile{ModTime: moment}
		if top, _, _ := strings.Cut(name, "/"); !slices.Contains(names, top) {
			names = append(names, top)
		}
	}
	slices.Sort(names)
	files := must.Get(archive.Files(from, names...))(t)
	var got []string
	for _, f := range files {
		got = append(got, f.Name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for _, name := range []string{"x.cbb", "X.CBGI", "x.cit", "x.cib2", "x.cbd", "x.cbkit", "x.cbh.cbkit-journal", "x.cbh.cbkit-lock"} {
		if archive.Packs(name) {
			t.Errorf("%s is packed", name)
		}
	}
	for _, name := range []string{"x.cbh", "x.html", "x.ckn", "x.pgi", "x.unknown"} {
		if !archive.Packs(name) {
			t.Errorf("%s is not packed", name)
		}
	}
}

// A file that changes while it is packed is no archive.
func TestChangedFiles(t *testing.T) {
	dir := gen.Folder(t)
	path := filepath.Join(dir, "a.cbg")
	list := func() []archive.File {
		must.Do(t, os.WriteFile(path, make([]byte, 100_000), 0o666))
		return must.Get(archive.Files(os.DirFS(dir), "a.cbg"))(t)
	}
	for name, change := range map[string]func() error{
		"longer":  func() error { return os.WriteFile(path, make([]byte, 100_001), 0o666) },
		"shorter": func() error { return os.Truncate(path, 61_440) },
		"touched": func() error { return os.Chtimes(path, time.Time{}, moment) },
	} {
		files := list()
		must.Do(t, change())
		var out buffer
		if _, err := archive.Write(t.Context(), &out, files, archive.WriterOptions{}); !errors.Is(err, model.ErrChanged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A file that changes when it has been packed is as bad: the others may be
	// of another moment.
	must.Do(t, os.WriteFile(filepath.Join(dir, "b.cbg"), make([]byte, 5<<20), 0o666))
	list()
	both := must.Get(archive.Files(os.DirFS(dir), "a.cbg", "b.cbg"))(t)
	var out buffer
	touch := sync.OnceFunc(func() {
		if err := os.Chtimes(path, time.Time{}, moment); err != nil {
			t.Error(err)
		}
	})
	progress := func(done int64) {
		if done > 1<<20 {
			touch()
		}
	}
	if _, err := archive.Write(t.Context(), &out, both, archive.WriterOptions{Progress: progress}); !errors.Is(err, model.ErrChanged) {
		t.Errorf("changed when it was packed: %v", err)
	}
	must.Do(t, os.Remove(filepath.Join(dir, "b.cbg")))
	files := list()
	must.Do(t, os.Remove(path))
	target := filepath.Join(dir, "a.cbv")
	if err := archive.Create(t.Context(), target, files, archive.CreateOptions{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("gone: %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("%v is left, error %v", entries, err)
	}
	if _, err := archive.Files(os.DirFS(dir), "a.cbg"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("listing what is not there: %v", err)
	}
}

// Cancelling ends reading and writing with the error of the context.
func TestCancelling(t *testing.T) {
	data := make([]byte, 3<<20)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out buffer
	_, err := archive.Write(ctx, &out, []archive.File{content{"a", data}.file()}, archive.WriterOptions{Progress: func(int64) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("writing: %v", err)
	}
	ctx, cancel2 := context.WithCancel(t.Context())
	defer cancel2()
	var last error
	for b, err := range open(t, pack(t, archive.WriterOptions{}, content{"a", data}), archive.Options{}).Blocks(ctx) {
		cancel2()
		if last = err; err != nil && b.Member != -1 {
			t.Errorf("member %d", b.Member)
		}
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("reading: %v", last)
	}
}

// failing fails the n-th write.
type failing struct {
	buffer
	left int
}

var errDisk = errors.New("the disk is full")

// WriteAt implements io.WriterAt.
func (f *failing) WriteAt(p []byte, at int64) (int, error) {
	if f.left--; f.left < 0 {
		return 0, errDisk
	}
	return f.buffer.WriteAt(p, at)
}

// No error of writing is lost, whichever call it is of.
func TestWriteErrors(t *testing.T) {
	c := content{"a", nil}
	r := rand.New(rand.NewPCG(1, 1))
	for range 600_000 {
		c.data = append(c.data, byte(r.Uint32()))
	}
	for _, opt := range []archive.WriterOptions{{}, {Password: []byte("x")}} {
		for n := 0; ; n++ {
			out := failing{left: n}
			_, err := archive.Write(t.Context(), &out, []archive.File{c.file()}, opt)
			if err == nil {
				if n < 3 {
					t.Errorf("%d writes", n)
				}
				break
			}
			if !errors.Is(err, errDisk) {
				t.Fatal(err)
			}
		}
	}
}

func TestStamps(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	for _, c := range []struct {
		t    time.Time
		want archive.Stamp
	}{
		{time.Date(2016, 8, 1, 19, 17, 27, 710_000_000, berlin), archive.Stamp{Date: 20160801, Time: 19172771}},
		{time.Date(2016, 8, 1, 19, 17, 27, 714_999_999, berlin), archive.Stamp{Date: 20160801, Time: 19172771}},
		{time.Date(2016, 8, 1, 19, 17, 27, 715_000_000, berlin), archive.Stamp{Date: 20160801, Time: 19172772}},
		{time.Date(2016, 12, 31, 23, 59, 59, 999_000_000, berlin), archive.Stamp{Date: 20170101}},
		{time.Date(1, 1, 1, 0, 0, 0, 0, berlin), archive.Stamp{Date: 10101}},
		{time.Date(9999, 12, 31, 23, 59, 59, 0, berlin), archive.Stamp{Date: 99991231, Time: 23595900}},
		{time.Date(10_000, 1, 1, 0, 0, 0, 0, berlin), archive.Stamp{}},
		{time.Date(0, 1, 1, 0, 0, 0, 0, berlin), archive.Stamp{}},
	} {
		got := archive.StampOf(c.t)
		if got != c.want {
			t.Errorf("%v: %v", c.t, got)
		}
		back, ok := got.In(berlin)
		if ok != (c.want.Date != 0) || ok && archive.StampOf(back) != got {
			t.Errorf("%v: back %v, %v", c.t, back, ok)
		}
	}
	for _, s := range []archive.Stamp{
		{}, {20160230, 0}, {20161301, 0}, {20160001, 0}, {20160100, 0}, {4294967295, 0},
		{20160101, 24000000}, {20160101, 126000}, {20160101, 600000}, {20160101, 6000}, {20160101, 4294967295},
	} {
		if when, ok := s.In(berlin); ok {
			t.Errorf("%v is %v, %v", s, when, ok)
		}
	}
	// Files have the time of the zone they are packed in.
	data := pack(t, archive.WriterOptions{}, content{"a", nil})
	if got := open(t, data, archive.Options{}).Members()[0].Stamp; got != (archive.Stamp{Date: 20160801, Time: 15181600}) {
		t.Errorf("%v", got)
	}
}

func TestOpenErrors(t *testing.T) {
	dir := gen.Folder(t)
	if _, err := archive.Open(filepath.Join(dir, "x.cbv"), archive.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := archive.Open(dir, archive.Options{}); !errors.Is(err, model.ErrNotDatabase) {
		t.Errorf("a folder: %v", err)
	}
}
