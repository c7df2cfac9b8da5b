package cbh

import (
	"bytes"
	"path/filepath"
	"testing"

	"cbkit/internal/testkit/must"
)

// TestRealEmptyDatabase compares the files of a new database with those of an
// empty one by ChessBase.
func TestRealEmptyDatabase(t *testing.T) {
	// small is older: .cbj and .cbtt have smaller records, their headers end with
	// garbage, as that of .cbm, and .cbtt has no record 0.
	differ := map[string]int{".cbj": 12, ".cbtt": 12, ".cbm": 16}
	compared := 0
	for _, ext := range NewFileExts {
		for _, f := range realFiles(t, ext, 5) {
			if filepath.Dir(f.name) != "small" {
				continue
			}
			got, ok := EmptyFile(ext)
			if !ok {
				t.Fatalf("no empty %s", ext)
			}
			compared++
			switch ext {
			case ".cbj":
				got = bytes.Replace(got, []byte{extVersion, 0, 0, 0, ExtRecordSize}, []byte{8, 0, 0, 0, 78}, 1)
			case ".cbtt":
				got = bytes.Replace(got, []byte{3, 0, 0, 0, TournamentExtraSize}, []byte{2, 0, 0, 0, oldTournamentExtraSize}, 1)
				got = got[:TournamentExtraHeaderSize]
			}
			if n := differ[ext]; n != 0 {
				got, f.data = got[:n], f.data[:n]
			}
			same(t, f.name, 0, got, f.data, nil)
		}
	}
	if compared != 11 {
		t.Errorf("%d files compared", compared)
	}
}

// TestRealLeftovers keeps what a database leaves over for every real one.
func TestRealLeftovers(t *testing.T) {
	databases := map[string][]realFile{}
	for _, f := range realFiles(t, "", 80) {
		databases[filepath.Dir(f.name)] = append(databases[filepath.Dir(f.name)], f)
	}
	for name, files := range databases {
		l := new(DatabaseLeftover)
		for _, f := range files {
			addToLeftover(t, l, f)
		}
		b := l.Append(nil)
		parsed, err := DecodeDatabaseLeftover(b)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		same(t, name, 0, parsed.Append(nil), b, nil)
		kept := len(parsed.Others)
		for _, p := range leftoverParts {
			if _, there := p.bytes(parsed); there && p.ext != "" {
				kept++
			}
		}
		if kept != len(files) {
			t.Errorf("%s: %d of %d files", name, kept, len(files))
		}
	}
}

// addToLeftover adds what is kept of one file.
func addToLeftover(t *testing.T, l *DatabaseLeftover, f realFile) {
	t.Helper()
	ext := filepath.Ext(f.name)
	for _, p := range leftoverParts {
		if p.ext != ext {
			continue
		}
		err := p.set(l, headerOf(t, ext, f.data))
		if err != nil {
			t.Fatalf("%s: %v", f.name, err)
		}
		return
	}
	l.Others = append(l.Others, ext)
}

// headerOf returns what is kept of a file.
func headerOf(t *testing.T, ext string, data []byte) []byte {
	t.Helper()
	switch ext {
	case ".cbh":
		return counted(data[:RecordSize])
	case ".cbj":
		return counted(data[:ExtHeaderSize])
	case ".cbg", ".cba":
		h := must.Get(DecodeBlockHeader(data))(t)
		return data[:h.Size]
	case ".cbp", ".cbt", ".cbc", ".cbs", ".cbe", ".cbl":
		h := must.Get(DecodeEntityHeader(data))(t)
		return counted(data[:h.Size()])
	}
	return data
}

// counted puts some number of records in front of a header.
func counted(header []byte) []byte { return append([]byte{0, 0, 1, 2}, header...) }
