package packed_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"cbkit/internal/packed"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// zipped makes a zip of names and contents, one after the other.
func zipped(t must.TB, files ...string) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i < len(files); i += 2 {
		f := must.Get(w.Create(files[i]))(t)
		must.Get(io.WriteString(f, files[i+1]))(t)
	}
	must.Do(t, w.Close())
	return out.Bytes()
}

// readZip returns what all files of a zip hold, a line for each.
func readZip(data []byte) (string, error) {
	z, err := packed.NewZip(bytes.NewReader(data), int64(len(data)), "x.zip")
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for _, name := range z.Names() {
		f, err := z.Open(name)
		if err != nil {
			return "", err
		}
		b, err := io.ReadAll(f)
		if err != nil {
			return "", err
		}
		text.WriteString(name + "=" + string(b) + "\n")
	}
	return text.String(), z.Close()
}

func TestZip(t *testing.T) {
	data := zipped(t, "a.pgn", "1. e4 *", `sub\b.pgn`, "*", "__MACOSX/._a.pgn", "\x00", "sub/._b.pgn", "\x00", "folder/", "")
	if got, err := readZip(data); err != nil || got != "a.pgn=1. e4 *\nsub/b.pgn=*\n" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := readZip(zipped(t)); err != nil || got != "" {
		t.Errorf("an empty zip: %q, %v", got, err)
	}
	for _, name := range []string{"../a.pgn", "/a.pgn", "sub/../../a.pgn", `..\a.pgn`, `\a.pgn`, "a\x00.pgn", ""} {
		if _, err := readZip(zipped(t, "ok.pgn", "*", name, "*")); !errors.Is(err, model.ErrCorrupt) || !strings.Contains(err.Error(), "leads out of the folder") {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, again := range []string{"sub/a.pgn", `sub\a.pgn`} { // of which a name would mean the first
		if _, err := readZip(zipped(t, "sub/a.pgn", "1. e4 *", again, "1. d4 *")); !errors.Is(err, model.ErrCorrupt) || !strings.Contains(err.Error(), "two files of this name") {
			t.Errorf("%q twice: %v", again, err)
		}
	}
	if _, _, err := packed.NewReader(bytes.NewReader(data), ""); !errors.Is(err, model.ErrNotDatabase) || !strings.Contains(err.Error(), "is a zip") {
		t.Errorf("as a stream: %v", err)
	}
}

// What is wrong with a zip is told in one line with the name of the file.
func TestZipDamage(t *testing.T) {
	text := strings.Repeat("[Event \"x\"]\n", 100)
	whole := zipped(t, "a.pgn", text)
	entry := bytes.Index(whole, []byte("PK\x01\x02")) // the file in the directory
	change := func(at int, b ...byte) []byte {
		data := bytes.Clone(whole)
		copy(data[at:], b)
		return data
	}
	for name, c := range map[string]struct {
		data []byte
		want error
		says string
	}{
		"cut":              {whole[:len(whole)-30], model.ErrCorrupt, "x.zip: "},
		"empty":            {nil, model.ErrCorrupt, "x.zip: "},
		"encrypted":        {change(entry+8, 1), model.ErrUnsupported, "x.zip:a.pgn: is encrypted"},
		"another method":   {change(entry+10, 14), model.ErrUnsupported, "x.zip:a.pgn: is compressed in a way (method 14)"},
		"another checksum": {change(entry+16, 1, 2, 3, 4), model.ErrCorrupt, "x.zip:a.pgn: "},
		"larger":           {change(entry+24, 1, 0), model.ErrCorrupt, "x.zip:a.pgn: "},
		"smaller":          {change(entry+24, 0, 0xFF), model.ErrTruncated, "x.zip:a.pgn: "},
		"longer":           {change(entry+20, 0, 0xFF), model.ErrCorrupt, "overlap"},
		"other data":       {change(35, 0x07), model.ErrCorrupt, "x.zip:a.pgn: "},
	} {
		_, err := readZip(c.data)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %v and %q", name, err, c.want, c.says)
		}
	}
}

// A bomb is refused before anything of it is unpacked, whether it says what it is or not.
func TestZipBomb(t *testing.T) {
	if _, err := readZip(bomb(t, 5<<30)); !errors.Is(err, model.ErrTooLarge) || !strings.Contains(err.Error(), "a hundred times") {
		t.Errorf("a bomb: %v", err)
	}
	z := must.Get(packed.NewZip(bytes.NewReader(bomb(t, 10)), int64(len(bomb(t, 10))), "x.zip"))(t)
	var got counted
	err := z.Unpack(context.Background(), func(string) bool { return true }, func(string) (io.WriteCloser, error) { return &got, nil })
	if !errors.Is(err, model.ErrCorrupt) || got > 10 {
		t.Errorf("a bomb that says it is small: %d bytes, %v", got, err)
	}
}

// counted counts what is written.
type counted int64

func (c *counted) Write(p []byte) (int, error) { *c += counted(len(p)); return len(p), nil }
func (c *counted) Close() error                { return nil }

// bomb is a zip of a megabyte of zeros that says it is of some other size.
func bomb(t *testing.T, says uint64) []byte {
	t.Helper()
	var out, deflated bytes.Buffer
	f, _ := flate.NewWriter(&deflated, 9)
	must.Get(f.Write(make([]byte, 1<<20)))(t)
	must.Do(t, f.Close())
	w := zip.NewWriter(&out)
	raw, err := w.CreateRaw(&zip.FileHeader{
		Name: "a.pgn", Method: zip.Deflate, CRC32: crc32.ChecksumIEEE(make([]byte, 1<<20)),
		CompressedSize64: uint64(deflated.Len()), UncompressedSize64: says,
	})
	if err == nil {
		_, err = raw.Write(deflated.Bytes())
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestSplitZip(t *testing.T) {
	for name, want := range map[string][2]string{
		"a.zip": {"a.zip", ""}, "x/a.ZIP:b/c.pgn": {"x/a.ZIP", "b/c.pgn"}, "a.zip:b.zip:c": {"a.zip", "b.zip:c"},
		"a.zip/b.pgn": {}, "a.zipped": {}, "": {}, "a.pgn": {}, "a.zip:": {"a.zip", ""},
	} {
		file, member, is := packed.SplitZip(name)
		if file != want[0] || member != want[1] || is != (want[0] != "") {
			t.Errorf("%q: %q, %q, %v", name, file, member, is)
		}
	}
}

// Whatever a zip holds, its names stay in a folder and what comes of it is bounded.
func FuzzZip(f *testing.F) {
	whole := zipped(f, "a.pgn", "1. e4 *", "sub/b.cbh", "x")
	f.Add(whole)
	f.Add(whole[:len(whole)-5])
	f.Add(zipped(f, "../a.pgn", "*"))
	f.Add(zipped(f))
	entry := bytes.Clone(whole)
	binary.LittleEndian.PutUint32(entry[bytes.Index(entry, []byte("PK\x01\x02"))+24:], 1<<31)
	f.Add(entry)
	f.Fuzz(func(t *testing.T, data []byte) {
		z, err := packed.NewZip(bytes.NewReader(data), int64(len(data)), "x.zip")
		if err != nil {
			return
		}
		all := int64(0)
		for _, name := range z.Names() {
			if !isInside(name) {
				t.Errorf("%q leads out of the folder", name)
			}
			file, err := z.Open(name)
			if err != nil {
				continue
			}
			n, _ := io.Copy(io.Discard, file)
			all += n
			if err := file.Close(); err != nil {
				t.Error(err)
			}
		}
		if all > max(1<<30, 100*int64(len(data))) {
			t.Errorf("%d bytes came of %d", all, len(data))
		}
	})
}

// isInside walks a name and reports whether it stays in the folder where it begins.
func isInside(name string) bool {
	depth := 0
	for part := range strings.SplitSeq(name, "/") {
		switch part {
		case "..":
			if depth--; depth < 0 {
				return false
			}
		case "", ".":
		default:
			depth++
		}
	}
	return true
}

// Files of a zip are opened by their names, each as fast as one of few: the directory is
// read once, and again when the zip is another one.
func TestZipOfMany(t *testing.T) {
	path := filepath.Join(t.TempDir(), "many.zip")
	perFile := func(n int) uint64 {
		t.Helper()
		var files []string
		for i := range n {
			files = append(files, fmt.Sprintf("g%05d.pgn", i), fmt.Sprintf("%d of %d", i, n))
		}
		must.Do(t, os.WriteFile(path, zipped(t, files...), 0o600))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for i := 0; i < len(files); i += 2 {
			name := path + ":" + files[i]
			info, err := packed.StatFile(name)
			if err != nil || info.Size() != int64(len(files[i+1])) {
				t.Fatal(info, err)
			}
			f := must.Get(packed.OpenFile(name))(t)
			text, err := io.ReadAll(f)
			if err := errors.Join(err, f.Close()); err != nil || string(text) != files[i+1] {
				t.Fatalf("%s: %s, %v", name, text, err)
			}
		}
		runtime.ReadMemStats(&after)
		return (after.TotalAlloc - before.TotalAlloc) / uint64(n)
	}
	if few, many := perFile(100), perFile(1000); many > 2*few {
		t.Errorf("%d bytes for a file of 1000, %d for one of 100", many, few)
	}
	// Two of one zip are open beside each other, and each reads on when the other is closed.
	one := must.Get(packed.OpenFile(path + ":g00001.pgn"))(t)
	two := must.Get(packed.OpenFile(path + ":g00002.pgn"))(t)
	_ = one.Close()
	if text, err := io.ReadAll(two); err != nil || string(text) != "2 of 1000" {
		t.Errorf("%s %v", text, err)
	}
	_ = two.Close()
	must.Do(t, os.Remove(path))
	if _, err := packed.OpenFile(path + ":g00001.pgn"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
