package check_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"cbkit/archive"
	"cbkit/check"
	"cbkit/internal/fsys"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
)

// archiveBytes returns an archive of names and contents, with a date or without.
func archiveBytes(dated bool, contents ...string) []byte {
	var files []archive.File
	for c := range slices.Chunk(contents, 2) {
		f := archive.File{Name: c[0], Open: func() (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(c[1])), nil
		}}
		if dated {
			f.Modified = time.Date(2016, 8, 1, 0, 0, 0, 0, time.Local)
		} else {
			f.Modified = time.Date(-5, 8, 1, 0, 0, 0, 0, time.Local)
		}
		files = append(files, f)
	}
	m := fsys.NewMemory(nil)
	if _, err := archive.Write(context.Background(), m, files, archive.WriterOptions{}); err != nil {
		log.Fatal(err)
	}
	return m.Bytes()
}

// openBytes opens an archive however damaged.
func openBytes(data []byte) *archive.Archive {
	a, err := archive.NewReader(bytes.NewReader(data), int64(len(data)), "x.cbv", archive.Options{KeepGoing: true})
	if err != nil {
		log.Fatal(err)
	}
	return a
}

// Each kind of oddity and damage has its finding, and a sound archive none.
func TestArchiveFindings(t *testing.T) {
	long := strings.Repeat("abcdefg", 20_000)
	for _, c := range []struct {
		name string
		data []byte
		want []string
	}{
		{"sound", archiveBytes(true, "a.cbh", "head", "a.cbg", long), nil},
		{"no date", archiveBytes(false, "a.cbh", "head"), []string{"note x.cbv: record 1 (date): 00000000 00000000 is no date and time [archive-stamp]"}},
		{"a bad block", with(archiveBytes(true, "a.cbh", "head", "a.cbg", long), -2, 0x55),
			[]string{"error x.cbv:a.cbg: block 3 at 0x"}},
		{"bytes behind", append(archiveBytes(true, "a.cbh", "head"), 1), []string{"note x.cbv: the padding is not zero [archive-table]"}},
		{"a bad name", with(archiveBytes(true, "a.cbh", "head"), 8, 7), []string{"error x.cbv: record 1 (name): "}},
		{"an old version", with(archiveBytes(true, "a.cbh", "head"), 6, 2), []string{"note x.cbv: header at 0x0: stored "}},
	} {
		var got []string
		made := check.Archive(t.Context(), openBytes(c.data), check.Options{})
		for f, err := range made.Findings() {
			if err != nil {
				break // Summary has it
			}
			got = append(got, fmt.Sprintf("%v %v [%s]", f.Severity, f, f.Code))
		}
		summary := must.Get(made.Summary())(t)
		if len(got) != len(c.want) || summary.Errors+summary.Notes != len(got) {
			t.Errorf("%s: %q, %+v", c.name, got, summary)
			continue
		}
		for i := range got {
			if !strings.HasPrefix(got[i], c.want[i]) {
				t.Errorf("%s: %q does not begin like %q", c.name, got[i], c.want[i])
			}
		}
		report := must.Get(verifyArchive(t.Context(), openBytes(c.data), check.Options{}))(t)
		examineAs(t, openBytes(c.data), check.Options{}, check.Archive, verifyArchive)
		failed := report.Failed() || report.Different() > 0
		if odd := len(c.want) > 0 && !strings.Contains(c.want[0], "(date)"); failed != odd {
			t.Errorf("%s: verify failed: %v; %+v", c.name, failed, report)
		}
	}
}

// with changes a byte, counted from the end if the place is negative.
func with(data []byte, at int, value byte) []byte {
	if at < 0 {
		at += len(data)
	}
	data[at] = value
	return data
}

// A database in an archive is checked and verified as on the disk.
func TestDatabaseInArchive(t *testing.T) {
	dir := corpus.Path(t, "cbh/twic1134")
	entries := must.Get(os.ReadDir(dir))(t)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	files := must.Get(archive.Files(os.DirFS(dir), names...))(t)
	m := fsys.NewMemory(nil)
	must.Get(archive.Write(t.Context(), m, files, archive.WriterOptions{}))(t)
	packed := openBytes(m.Bytes()).FS()

	list := func(name string, opt check.Options) (all []check.Finding) {
		made := check.Database(t.Context(), name, opt)
		for f, err := range made.Findings() {
			if err != nil {
				break // Summary has it
			}
			all = append(all, f)
		}
		summary, err := made.Summary()
		if err != nil || summary.Records == 0 {
			t.Fatal(summary, err)
		}
		return all
	}
	onDisk := filepath.Join(dir, "twic1134.cbh")
	if got, want := list("twic1134.cbh", check.Options{FS: packed}), list(onDisk, check.Options{}); !slices.Equal(got, want) {
		t.Errorf("%d findings in the archive, %d on the disk", len(got), len(want))
	}
	report := func(name string, opt check.Options) string {
		r := must.Get(check.Verify(t.Context(), name, opt))(t)
		return fmt.Sprintf("%+v", r.Files)
	}
	if got, want := report("twic1134.cbh", check.Options{FS: packed}), report(onDisk, check.Options{}); got != want {
		t.Errorf("%s\nis not\n%s", got, want)
	}
	if _, err := check.Database(t.Context(), "none.cbh", check.Options{FS: fstest.MapFS{}}).Summary(); err == nil {
		t.Error("a database that is not there was checked")
	}
}

// Archive says what is wrong with an archive.
func ExampleArchive() {
	a := openBytes(append(archiveBytes(true, "Games.cbh", "head"), 1))
	made := check.Archive(context.Background(), a, check.Options{})
	for f, err := range made.Findings() {
		if err != nil {
			break // Summary has it
		}
		fmt.Println(f.Severity, f)
	}
	summary, err := made.Summary()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(summary.Records, "block,", summary.Errors, "errors")

	// The same pass packs everything again.
	report, err := check.Archive(context.Background(), a, check.Options{Verify: true}).Report()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Different(), "different")
	// Output:
	// note x.cbv: the padding is not zero
	// 1 block, 0 errors
	// 1 different
}

// verifyArchive packs everything again.
func verifyArchive(ctx context.Context, a *archive.Archive, opt check.Options) (check.Report, error) {
	opt.Verify = true
	return check.Archive(ctx, a, opt).Report()
}
