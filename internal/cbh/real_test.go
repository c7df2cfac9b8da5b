package cbh

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
)

// realFile is a file of a database that ChessBase wrote.
type realFile struct {
	name string // of the folder and the file
	data []byte
}

// realFiles reads all files of the corpus with the given extension. There are
// at least min.
func realFiles(t *testing.T, ext string, min int) []realFile {
	t.Helper()
	root := filepath.Dir(corpus.Path(t, "cbh"))
	paths := must.Get(filepath.Glob(filepath.Join(root, "cbh", "*", "*"+ext)))(t)
	var files []realFile
	for _, path := range paths {
		data := must.Get(os.ReadFile(path))(t)
		name := must.Get(filepath.Rel(filepath.Join(root, "cbh"), path))(t)
		files = append(files, realFile{name, data})
	}
	if len(files) < min {
		t.Fatalf("%d files %s, not %d", len(files), ext, min)
	}
	return files
}

// records cuts b, which must be a multiple of size long, into records.
func records(t *testing.T, name string, b []byte, size int) [][]byte {
	t.Helper()
	if len(b)%size != 0 {
		t.Fatalf("%s: %d bytes in records of %d", name, len(b), size)
	}
	return slices.Collect(slices.Chunk(b, size))
}

// same fails unless a codec gave back the bytes it was given.
func same(t *testing.T, name string, record int, got, want []byte, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: record %d: %v", name, record, err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("%s: record %d:\ngot  % x\nwant % x", name, record, got, want)
	}
}

func TestRealGames(t *testing.T) {
	games, texts := 0, 0
	for _, f := range realFiles(t, ".cbh", 7) {
		list := records(t, f.name, f.data, RecordSize)
		h, err := DecodeFileHeader(f.data)
		same(t, f.name, 0, h.Append(nil), list[0], err)
		again := h
		if again.SetRecords(uint32(len(list) - 1)); again != h {
			t.Errorf("%s: header %+v for %d records", f.name, h, len(list)-1)
		}
		for id, b := range list[1:] {
			if RecordType(b[0]).IsText() {
				r, err := DecodeTextRecord(b)
				same(t, f.name, id+1, r.Append(nil), b, err)
				texts++
				continue
			}
			r, err := DecodeGameRecord(b)
			same(t, f.name, id+1, r.Append(nil), b, err)
			checkPackedValues(t, f.name, id+1, &r)
			games++
		}
	}
	t.Logf(".cbh: %d games and %d texts", games, texts)
	if games != 7361 || texts != 40 {
		t.Errorf("%d games, %d texts", games, texts)
	}
}

// checkPackedValues takes the packed values of a game apart and packs them.
func checkPackedValues(t *testing.T, name string, id int, r *GameRecord) {
	t.Helper()
	if date, ok := PackDate(UnpackDate(r.Date)); date != r.Date || !ok {
		t.Errorf("%s: game %d: date %06x becomes %06x", name, id, r.Date, date)
	}
	if result, ok := UnpackResult(r.Result); !ok || PackResult(result) != r.Result {
		t.Errorf("%s: game %d: result %d becomes %v", name, id, r.Result, result)
	}
	if word := PackOpening(UnpackOpening(r.Opening)); word != r.Opening {
		t.Errorf("%s: game %d: opening %04x becomes %04x", name, id, r.Opening, word)
	}
}

func TestRealExtRecords(t *testing.T) {
	count := 0
	for _, f := range realFiles(t, ".cbj", 5) {
		h, err := DecodeExtHeader(f.data)
		same(t, f.name, 0, h.Append(nil), f.data[:ExtHeaderSize], err)
		list := records(t, f.name, f.data[ExtHeaderSize:], int(h.RecordSize))
		if len(list) != int(h.Records) {
			t.Errorf("%s: %d records, not %d", f.name, len(list), h.Records)
		}
		for i, b := range list {
			r := DecodeExtRecord(b)
			same(t, f.name, i+1, r.Append(nil, len(b)), b, nil)
			checkExtRecord(t, f.name, i+1, &r, len(b))
			count++
		}
	}
	t.Logf(".cbj: %d records", count)
	if count != 7390 {
		t.Errorf("%d records", count)
	}
}

// checkExtRecord tests what holds in all real records.
func checkExtRecord(t *testing.T, name string, id int, r *ExtRecord, size int) {
	t.Helper()
	if r.Sum() != r.Checksum {
		t.Errorf("%s: record %d: sum %04x, stored %04x", name, id, r.Sum(), r.Checksum)
	}
	material := r.Material
	if r.SetMaterial(uint16(material[1]), uint16(material[0])); r.Material != material {
		t.Errorf("%s: record %d: material %x becomes %x", name, id, material, r.Material)
	}
	if size < ExtRecordSize {
		return
	}
	if at, ok := CreationTime(r.Created); !ok || CreationStamp(at) != r.Created || at.Year() < 2008 || at.Year() > 2024 {
		t.Errorf("%s: record %d: created %d: %v", name, id, r.Created, at)
	}
	if at, ok := ChangeTime(r.Changed); ok != (r.Changed != 0) || ok && (ChangeStamp(at) != r.Changed || at.Year() < 2008) {
		t.Errorf("%s: record %d: changed %d: %v", name, id, r.Changed, at)
	}
}

// TestRealCreationDate compares a stamp with the date that the import log of
// the same database has.
func TestRealCreationDate(t *testing.T) {
	for _, f := range realFiles(t, ".cbj", 5) {
		if filepath.Dir(f.name) != "twic1134" {
			continue
		}
		r := DecodeExtRecord(f.data[ExtHeaderSize:][:ExtRecordSize])
		if at, ok := CreationTime(r.Created); !ok || at.Format("2006-01-02") != "2016-08-01" {
			t.Errorf("%s: created %v", f.name, at)
		}
	}
}

func TestRealBlockHeaders(t *testing.T) {
	for _, ext := range []string{".cbg", ".cba"} {
		files := realFiles(t, ext, 6)
		for _, f := range files {
			h, err := DecodeBlockHeader(f.data)
			same(t, f.name, 0, h.Append(nil), f.data[:h.Size], err)
			again := h
			if again.SetSizes(uint64(len(f.data)), uint64(h.Unused)); again != h {
				t.Errorf("%s: header %+v for %d bytes", f.name, h, len(f.data))
			}
		}
		t.Logf("%s: %d headers", ext, len(files))
	}
}
