package archive_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"cbkit/archive"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// An archive of ChessBase's, and the database that is in it.
func TestChessBaseArchive(t *testing.T) {
	for _, c := range []struct{ name, password string }{{"small.cbv", ""}, {"small.cbz", "password"}} {
		t.Run(c.name, func(t *testing.T) {
			var password []byte
			if c.password != "" {
				password = []byte(c.password)
			}
			a := must.Get(archive.Open(corpusFile(t, "cbv/"+c.name), archive.Options{Password: password}))(t)
			defer a.Close()
			contents := unpack(t, a)
			for _, f := range contents {
				want := corpus.Read(t, "cbh/small/"+f.name)
				if !bytes.Equal(f.data, want) {
					t.Errorf("%s: %d bytes are not the %d of the database", f.name, len(f.data), len(want))
				}
			}
			if len(contents) != 12 {
				t.Errorf("%d files", len(contents))
			}
			verify(t, a)
			if a.Enciphered() != (password != nil) {
				t.Errorf("enciphered: %v", a.Enciphered())
			}

			files := database(t, "small")
			for i := range files {
				m := &a.Members()[i]
				if files[i].Name != m.Name {
					t.Fatalf("file %d is %s, in the archive %s", i, files[i].Name, m.Name)
				}
				when, ok := m.Stamp.In(time.Local)
				if !ok {
					t.Fatalf("%s: no date: %v", m.Name, m.Stamp)
				}
				files[i].Modified = when
			}
			got := packFiles(t, archive.WriterOptions{Password: password}, files)
			want := corpus.Read(t, "cbv/"+c.name)
			if password != nil {
				// The slack behind names can only be cleared in plain.
				got, want = decipher(t, got, c.password), decipher(t, want, c.password)
			}
			if !bytes.Equal(got, withoutSlack(want)) {
				t.Error("packed again, the archive has other bytes")
			}
		})
	}
}

// Databases that ChessBase wrote come back from archives in all their forms, and
// every block is packed as ChessBase packs it.
func TestCorpusDatabases(t *testing.T) {
	sizes := map[string]int{"twic1134": 805_379}
	for _, name := range []string{"cbh_cbj_test", "cbh_test", "hedgehog", "mate2", "small", "twic1134", "world-ch"} {
		files := database(t, name)
		want := contentsOf(t, files)
		for i, password := range []string{"", "a", "2016", "password", "sixteen letters!"} {
			if testing.Short() && name == "twic1134" && i > 0 {
				break // it is large
			}
			if testing.Short() && i%3 > 0 {
				continue
			}
			for _, stored := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%q/%v", name, password, stored), func(t *testing.T) {
					opt := archive.WriterOptions{Stored: stored}
					if password != "" {
						opt.Password = []byte(password)
					}
					data := packFiles(t, opt, files)
					if n := sizes[name]; n != 0 && password == "" && !stored && len(data) != n {
						t.Errorf("%d bytes; ChessBase's archive has %d", len(data), n)
					}
					a := open(t, data, archive.Options{Password: opt.Password})
					if !same(unpack(t, a), want) {
						t.Error("other files came back")
					}
					verify(t, a)
				})
			}
		}
	}
}

// Create and Files go through the disk; the archive of a folder is the same.
func TestCreate(t *testing.T) {
	files := database(t, "mate2")
	dir := gen.Folder(t)
	path := filepath.Join(dir, "Mate2.cbv")
	create := func(force bool) error {
		return archive.Create(t.Context(), path, files, archive.CreateOptions{Force: force})
	}
	must.Do(t, create(false))
	got := must.Get(os.ReadFile(path))(t)
	if want := packFiles(t, archive.WriterOptions{}, files); !bytes.Equal(got, want) {
		t.Error("Create writes other bytes than Write")
	}
	if err := create(false); err == nil {
		t.Error("an archive was replaced")
	}
	if err := create(true); err != nil {
		t.Error(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v is left, error %v", entries, err)
	}
}
