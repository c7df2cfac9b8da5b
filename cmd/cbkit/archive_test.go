package main

import (
	"bytes"
	lib "cbkit"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cbkit/archive"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// packedHere makes a folder with Games.cbh and Games.cbv of the sample.
func packedHere(t *testing.T) {
	t.Helper()
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	must.Do(t, os.Mkdir("Games.html", 0o777))
	save(t, filepath.Join("Games.html", "page.html"), "<p>a page</p>")
	mustRun(t, "pack", "-q", "Games.cbh", "Games.cbv")
}

// archiveOf makes an archive of files, which stand as name and content.
func archiveOf(t *testing.T, name string, contents ...string) {
	t.Helper()
	var files []archive.File
	for c := range slices.Chunk(contents, 2) {
		files = append(files, archive.File{Name: c[0], Modified: time.Now(), Open: func() (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(c[1])), nil
		}})
	}
	must.Do(t, archive.Create(context.Background(), name, files, archive.CreateOptions{}))
}

// says fails the test unless a run ended with a status and one line that says
// something.
func says(t *testing.T, r result, status int, want string) {
	t.Helper()
	if r.status != status || strings.Count(r.errOut, "\n") != 1 || !strings.Contains(r.errOut, want) {
		t.Errorf("status %d, not %d with one line about %q:\n%s", r.status, status, want, r.errOut)
	}
}

// What is packed comes out again, with its times, in every form.
func TestPackAndUnpack(t *testing.T) {
	packedHere(t)
	save(t, "password.txt", "geheim\r\nnot this\n")
	mustRun(t, "pack", "-q", "Games", "Games.cbz", "--password-file", "password.txt")
	mustRun(t, "pack", "-q", "Games.cbg", "Stored.cbv", "--stored")
	changed := must.Get(os.Stat("Games.cbp"))(t)
	for _, name := range []string{"Games.cbv", "Games.cbz", "Stored.cbv"} {
		t.Setenv("CBKIT_PASSWORD", "geheim")
		mustRun(t, "verify", name).prints(t, "Games.html/page.html")
		if r := mustRun(t, "check", name); !strings.Contains(r.out, "blocks in 13 files: 0 errors, 0 notes\n") ||
			!strings.Contains(r.out, name+":Games.cbh: 4 records") {
			t.Errorf("check: %s", r.out)
		}
		mustRun(t, "unpack", "-q", name, "out")
		for _, file := range []string{"Games.cbh", "Games.cbg", "Games.cbtt", "Games.html/page.html"} {
			got := must.Get(os.ReadFile(filepath.Join("out", file)))(t)
			if want, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %s has other bytes, error %v", name, file, err)
			}
		}
		info, err := os.Stat("out/Games.cbp")
		if err != nil || info.ModTime().Sub(changed.ModTime()).Abs() > 5*time.Millisecond {
			t.Errorf("changed at %v, unpacked it is %v", changed.ModTime(), info.ModTime())
		}
		// Nothing is replaced without being asked to.
		says(t, cbkit(t, "", "unpack", name, "out"), exitFailed, "out/Games.cbh: exists already; unpack to another folder or use --force")
		mustRun(t, "unpack", "-q", "--force", name, "out")
		must.Do(t, os.RemoveAll("out"))
	}
}

// A folder of media that is a link is packed as it is seen; a link that leads
// nowhere is reported.
func TestPackLinks(t *testing.T) {
	packedHere(t)
	if err := os.Symlink("Games.html", "Games.bmp"); err != nil {
		t.Skip(err)
	}
	mustRun(t, "pack", "-q", "Games.cbh", "linked.cbv")
	mustRun(t, "info", "linked.cbv").prints(t, "Games.bmp/page.html")
	must.Do(t, os.Symlink("nowhere", "Games.avi"))
	says(t, cbkit(t, "", "pack", "-q", "Games.cbh", "dead.cbv"), exitFailed, "Games.avi: is a link that leads nowhere")
	mustRun(t, "verify", "dead.cbv")
}

// A database by another name.
func TestUnpackByName(t *testing.T) {
	packedHere(t)
	mustRun(t, "unpack", "-q", "Games.cbv", "new/Mine.cbh")
	if a, b := mustRun(t, "export", "new/Mine.cbh", "-").out, mustRun(t, "export", "Games.cbh", "-").out; a != b {
		t.Errorf("%s\nis not\n%s", a, b)
	}
	if !exists("new/Mine.html/page.html") || exists("new/Games.html") {
		t.Error("the folder of media did not get the name")
	}
	r := mustRun(t, "unpack", "Games.cbv:Games", "other")
	if !strings.Contains(r.errOut, "other: 13 files") {
		t.Errorf("%+v", r)
	}
	says(t, cbkit(t, "", "unpack", "Games.cbv:None.cbh", "x"), exitFailed, "holds no database None.cbh; it holds Games.cbh")
	says(t, cbkit(t, "", "unpack", "Games.cbh", "x"), exitUsage, "archives end in .cbv or .cbz")
}

// Every verb that reads takes an archive for the database in it, and leaves
// nothing behind.
func TestReadingArchives(t *testing.T) {
	packedHere(t)
	mustRun(t, "convert", "-q", "games.pgn", "packed.cbv")
	was := folder(t)
	for _, line := range []string{
		"export %s -", "export %s - --format jsonl", "export %s --games 2-3 -", "show %s 1 --ply -1", "show %s 2 --json",
		"find %s --player Mor* --format ids", "find %s --piece Nd5", "find %s eco:A00..E99 --format jsonl",
	} {
		want := mustRun(t, strings.Fields(strings.ReplaceAll(line, "%s", "Games.cbh"))...)
		for _, name := range []string{"Games.cbv", "Games.cbv:Games.cbh", "games.cbv:GAMES"} {
			if name == "games.cbv:GAMES" && !exists("games.cbv") {
				name = "Games.cbv:GAMES"
			}
			got := mustRun(t, strings.Fields(strings.ReplaceAll(line, "%s", name))...)
			if got.out != want.out {
				t.Errorf("cbkit %s of %s:\n%s\nis not\n%s", line, name, got.out, want.out)
			}
		}
	}
	mustRun(t, "info", "Games.cbv:Games.cbh").prints(t, "games          4")
	mustRun(t, "verify", "Games.cbv:Games.cbh").prints(t, "Games.cbg")
	mustRun(t, "check", "Games.cbv:Games.cbh", "--files", "cbh,cbp").prints(t, "4 records in 2 files")
	unchanged(t, "reading archives", was)

	mustRun(t, "convert", "-q", "Games.cbv", "copy.cbh")
	if !exists("copy.html/page.html") {
		t.Error("the copy has no folder of media")
	}
	if a, b := mustRun(t, "export", "copy.cbh", "-", "--format", "jsonl").out, mustRun(t, "export", "Games.cbh", "-", "--format", "jsonl").out; a != b {
		t.Errorf("the copy is\n%s\nnot\n%s", a, b)
	}
	mustRun(t, "book", "build", "-q", "Games.cbv", "Book.ctg")
	mustRun(t, "convert", "-q", "packed.cbv", "again.pgn")
}

// Converting to an archive packs: a ChessBase database as it is, all else as a
// database by the name of the archive.
func TestConvertToArchive(t *testing.T) {
	packedHere(t)
	mustRun(t, "convert", "-q", "Games.cbh", "same.cbv")
	same := must.Get(os.ReadFile("same.cbv"))(t)
	if packed, err := os.ReadFile("Games.cbv"); err != nil || !bytes.Equal(same, packed) {
		t.Errorf("convert does not pack as pack does; error %v", err)
	}
	t.Setenv("TMPDIR", gen.Folder(t))
	t.Setenv("CBKIT_PASSWORD", "x")
	r := mustRun(t, "convert", "games.pgn", "Mine.cbz")
	if !strings.Contains(r.errOut, "Mine.cbz: 4 records") {
		t.Errorf("%s", r.errOut)
	}
	if a, b := mustRun(t, "export", "Mine.cbz:Mine.cbh", "-").out, mustRun(t, "export", "Games.cbh", "-").out; a != b {
		t.Errorf("%s\nis not\n%s", a, b)
	}
	mustRun(t, "convert", "-q", "Mine.cbz", "Purged.cbv", "--purge")
	mustRun(t, "convert", "-q", "Games.cbh", "Fresh.cbv", "--fresh")
	mustRun(t, "check", "Fresh.cbv:Fresh.cbh")
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("%v is left, error %v", left, err)
	}
	for line, want := range map[string]string{
		"convert Games.cbh Games.cbv":                    "Games.cbv: exists already; choose another name or use --force",
		"convert Games.cbv Games.cbv --force":            "is the source too",
		"convert Games.cbh b.cbv --boosters":             "archives hold none",
		"pack Games.cbv b.cbv":                           "is an archive already",
		"pack games.pgn b.cbv":                           "convert makes an archive of any games",
		"pack Games.cbh b.zip":                           "there are .cbv",
		"pack Games.cbh b":                               "there are .cbv",
		"boosters Games.cbv":                             "archives hold no search boosters",
		"pack None.cbh b.cbv":                            "None.cbh",
		"pack Games.cbh b.cbv --password-file games.pgn": "a .cbv has no password",
	} {
		r := cbkit(t, "", strings.Fields(line)...)
		if r.status == exitDone || strings.Count(r.errOut, "\n") != 1 || !strings.Contains(r.errOut, want) {
			t.Errorf("cbkit %s: %+v", line, r)
		}
	}
	save(t, "Games.cbkit-journal", "")
	says(t, cbkit(t, "", "pack", "Games.cbh", "b.cbv"), exitFailed, "an edit of it was interrupted; run cbkit recover Games.cbh")
	if exists("b.cbv") {
		t.Error("an archive was made")
	}
}

func TestArchiveInfo(t *testing.T) {
	packedHere(t)
	r := mustRun(t, "info", "Games.cbv")
	for _, want := range []string{"format         ChessBase archive\n", "files          13\n", "database       Games.cbh\n", "Games.html/page.html", "1 stored", "LZ"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("info does not say %q:\n%s", want, r.out)
		}
	}
	mustRun(t, "info", "--json", "Games.cbv").prints(t, `"name":"Games.html/page.html"`, `"databases":[`)
}

// A database in an archive is not taken for one beside it whose name begins alike.
func TestUnpackOneOfNamesAlike(t *testing.T) {
	packedHere(t)
	var files []string
	for _, stem := range []string{"Games", "Games.2024", "MyGames"} {
		for _, ext := range []string{".cbh", ".cbg", ".cba", ".cbp", ".cbt", ".cbc", ".cbs", ".cbj"} {
			b := must.Get(os.ReadFile("Games" + ext))(t)
			files = append(files, stem+ext, string(b))
		}
	}
	archiveOf(t, "alike.cbv", append(files, "Games.html/1.bmp", "1", "Games.2024.html/1.bmp", "2")...)
	for _, stem := range []string{"Games", "Games.2024", "MyGames"} {
		for i, name := range []string{stem, stem + ".cbh", strings.ToUpper(stem) + ".CBH"} {
			out := fmt.Sprint("out ", stem, i)
			mustRun(t, "unpack", "-q", "alike.cbv:"+name, out)
			list, err := os.ReadDir(out)
			if err != nil || len(list) < 8 {
				t.Errorf("%s: %d files, %v", name, len(list), err)
			}
			for _, e := range list {
				if got := strings.TrimSuffix(e.Name(), filepath.Ext(e.Name())); got != stem {
					t.Errorf("%s: %s is unpacked", name, e.Name())
				}
			}
		}
	}
	if r := cbkit(t, "", "unpack", "-q", "alike.cbv:Games.2023", "none"); r.status == exitDone {
		t.Error("a database that is not there is taken for another one")
	}
}

// An archive with several databases asks which.
func TestSeveralDatabases(t *testing.T) {
	packedHere(t)
	content := func(name string) string {
		b := must.Get(os.ReadFile(name))(t)
		return string(b)
	}
	var files []string
	for _, ext := range []string{".cbh", ".cbg", ".cba", ".cbp", ".cbt", ".cbc", ".cbs", ".cbj"} {
		files = append(files, "One"+ext, content("Games"+ext), "In/Two"+ext, content("Games"+ext))
	}
	files = append(files, "readme.txt", "read me")
	archiveOf(t, "both.cbv", files...)
	archiveOf(t, "none.cbv", "readme.txt", "read me")
	for _, verb := range []string{"export both.cbv -", "show both.cbv 1", "find both.cbv --player x", "unpack both.cbv Mine.cbh"} {
		says(t, cbkit(t, "", strings.Fields(verb)...), exitUsage, "both.cbv: holds 2 databases; name one of them: both.cbv:One.cbh, In/Two.cbh")
	}
	says(t, cbkit(t, "", "export", "none.cbv", "-"), exitFailed, "holds no ChessBase database; cbkit info lists what it holds")
	want := mustRun(t, "export", "Games.cbh", "-").out
	for _, name := range []string{"both.cbv:One.cbh", "both.cbv:In/Two.cbh", "both.cbv:In/Two"} {
		if got := mustRun(t, "export", name, "-").out; got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
	if r := mustRun(t, "check", "both.cbv"); strings.Count(r.out, " 4 records in ") != 2 {
		t.Errorf("check: %s", r.out)
	}
	mustRun(t, "unpack", "-q", "both.cbv", "all")
	mustRun(t, "unpack", "-q", "both.cbv:In/Two.cbh", "two")
	mustRun(t, "unpack", "-q", "both.cbv:In/Two.cbh", "Three.cbh")
	for name, there := range map[string]bool{
		"all/One.cbh": true, "all/In/Two.cbg": true, "all/readme.txt": true,
		"two/Two.cbh": true, "two/One.cbh": false, "two/readme.txt": false, "Three.cbg": true,
	} {
		if exists(name) != there {
			t.Errorf("%s is there: %v", name, !there)
		}
	}
}

// What a killed process leaves is named, and recover clears it.
func TestInterruptedUnpacking(t *testing.T) {
	packedHere(t)
	must.Do(t, os.MkdirAll("out/Games.cbh.cbkit-writing", 0o777))
	says(t, cbkit(t, "", "unpack", "-q", "Games.cbv", "out"), exitFailed, filepath.Join("out", "Games.cbh")+": writing it was interrupted; run cbkit recover "+filepath.Join("out", "Games.cbh"))
	mustRun(t, "recover", "out/Games.cbh")
	mustRun(t, "unpack", "-q", "Games.cbv", "out")
	mustRun(t, "recover", "Games.cbv")
}

// Damage is told in one line that names archive, member and block; nothing is
// written, or, with --keep-going, what is sound.
func TestDamagedArchive(t *testing.T) {
	packedHere(t)
	data := must.Get(os.ReadFile("Games.cbv"))(t)
	data[len(data)-2] ^= 0xFF // in the last file, Games.cbl
	save(t, "bad.cbv", string(data))
	says(t, cbkit(t, "", "unpack", "-q", "bad.cbv", "out"), exitFailed, "bad.cbv:Games.cbl: at 0x")
	r := cbkit(t, "", "unpack", "-q", "bad.cbv", "out")
	for _, want := range []string{"(block 1): corrupt: the checksum is", "nothing was unpacked", "--keep-going takes what is sound"} {
		says(t, r, exitFailed, want)
	}
	if exists("out") {
		t.Error("something was unpacked")
	}
	says(t, cbkit(t, "", "unpack", "-q", "--keep-going", "bad.cbv", "out"), exitFailed, "cbkit: skipped: bad.cbv:Games.cbl: at 0x")
	if !exists("out/Games.cbh") || exists("out/Games.cbl") {
		t.Error("not what is sound was unpacked")
	}
	if r := cbkit(t, "", "check", "bad.cbv"); r.status != exitFailed || !strings.Contains(r.out, "[archive-block]") ||
		!strings.Contains(r.errOut, "Games.cbh was not checked") {
		t.Errorf("check: %+v", r)
	}
	fails(t, exitFailed, "bad.cbv:Games.cbl", "verify", "bad.cbv")
	// A name that leads out of the folder.
	evil := bytes.Replace(data, []byte("Games.cbl"), []byte(`..\mes.cb`), 1)
	save(t, "evil.cbv", string(evil))
	says(t, cbkit(t, "", "unpack", "-q", "evil.cbv", "evil"), exitFailed, `"../mes.cb" leads out of the folder of the archive`)
	says(t, cbkit(t, "", "info", "evil.cbv"), exitFailed, "leads out of the folder")
	if r := cbkit(t, "", "info", "--keep-going", "evil.cbv"); r.status != exitFailed || !strings.Contains(r.out, "leads out") {
		t.Errorf("info: %+v", r)
	}
	if r := cbkit(t, "", "check", "evil.cbv"); r.status != exitFailed || !strings.Contains(r.out, "[archive-member]") {
		t.Errorf("check: %+v", r)
	}
	save(t, "cut.cbv", string(data[:len(data)-600]))
	says(t, cbkit(t, "", "export", "cut.cbv", "-"), exitFailed, "truncated")
	if r := cbkit(t, "", "unpack", "-q", "--keep-going", "cut.cbv", "cut"); r.status != exitFailed || !exists("cut/Games.cbh") {
		t.Errorf("a cut archive: %+v", r)
	}
}

// With --keep-going the database in an archive is read without the files that were
// cut off, each of which is told.
func TestCutArchiveKeepsGoing(t *testing.T) {
	packedHere(t)
	data := must.Get(os.ReadFile("Games.cbv"))(t)
	save(t, "cut.cbv", string(data[:len(data)-2])) // in Games.cbl
	for _, to := range []string{"out.cbh", "out.pgn", "out.dci", "out.jsonl"} {
		says(t, cbkit(t, "", "convert", "-q", "cut.cbv", to), exitFailed, "cut.cbv:Games.cbl: record")
		if exists(to) {
			t.Errorf("%s was made", to)
		}
		says(t, cbkit(t, "", "convert", "-q", "--keep-going", "cut.cbv", to), exitFailed, "cbkit: damaged: cut.cbv:Games.cbl: record")
		mustRun(t, "convert", "-q", "Games.cbv", "sound"+filepath.Ext(to))
		if got, want := cbkit(t, "", "export", "-q", to, "-"), cbkit(t, "", "export", "-q", "sound"+filepath.Ext(to), "-"); got != want || want.out == "" {
			t.Errorf("%s: %+v, want %+v", to, got, want)
		}
	}
	says(t, cbkit(t, "", "find", "-q", "--count", "cut.cbv", "year:1800.."), exitFailed, "Games.cbl")
	if r := cbkit(t, "", "find", "-q", "--count", "--keep-going", "cut.cbv", "year:1800.."); r.status != exitFailed || !strings.HasSuffix(r.out, " found\n") {
		t.Errorf("find: %+v", r)
	}
}

func TestPasswordErrors(t *testing.T) {
	packedHere(t)
	save(t, "password.txt", "geheim")
	save(t, "wrong.txt", "geheim!")
	save(t, "empty.txt", "\ngeheim")
	mustRun(t, "pack", "-q", "Games.cbh", "Games.cbz", "--password-file", "password.txt")
	was := folder(t)
	for line, c := range map[string]struct {
		status int
		want   string
	}{
		"unpack Games.cbz x":                               {exitFailed, "Games.cbz: is enciphered: give its password with --password-file, or in CBKIT_PASSWORD"},
		"pack Games.cbh x.cbz":                             {exitFailed, "give its password with --password-file"},
		"unpack Games.cbz x --password-file wrong.txt":     {exitFailed, "Games.cbz: wrong password, or not an archive"},
		"export Games.cbz - --password-file wrong.txt":     {exitFailed, "wrong password"},
		"check Games.cbz --password-file wrong.txt":        {exitFailed, "wrong password"},
		"find Games.cbz eco:A00 --password-file wrong.txt": {exitFailed, "wrong password"},
		"show Games.cbz 1 --password-file wrong.txt":       {exitFailed, "wrong password"},
		"verify Games.cbz --password-file empty.txt":       {exitUsage, "empty.txt: the first line, which is the password, is empty"},
		"info Games.cbz --password-file none.txt":          {exitFailed, "none.txt: no such file"},
		"pack Games.cbh x.cbz --password-file empty.txt":   {exitUsage, "is empty"},
		"convert games.pgn x.cbz --password-file none.txt": {exitFailed, "none.txt"},
	} {
		says(t, cbkit(t, "", strings.Fields(line)...), c.status, c.want)
	}
	unchanged(t, "errors of passwords", was)
	mustRun(t, "find", "Games.cbz", "--player", "Mor*", "--password-file", "password.txt")
	t.Setenv("CBKIT_PASSWORD", "geheim")
	mustRun(t, "show", "Games.cbz", "1")
	mustRun(t, "export", "Games.cbv", "-") // needs none, and does not mind
}

// An export of a packed database is that of the database, and leaves no file
// anywhere.
func TestExportPackedCorpus(t *testing.T) {
	source := corpus.Path(t, "cbh/hedgehog/Hedgehog.cbh")
	t.Chdir(gen.Folder(t))
	t.Setenv("TMPDIR", gen.Folder(t))
	mustRun(t, "pack", "-q", source, "h.cbv")
	was := folder(t)
	for _, format := range []string{"pgn", "jsonl"} {
		want := cbkit(t, "", "export", "-q", source, "--format", format, "-")
		got := cbkit(t, "", "export", "-q", "h.cbv", "--format", format, "-")
		if got.out != want.out || got.status != want.status || len(got.out) < 1000 {
			t.Errorf("%s: %d bytes, of the database %d", format, len(got.out), len(want.out))
		}
	}
	unchanged(t, "export", was)
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("%v is left, error %v", left, err)
	}
}

// ChessBase's own archive, through the program and back.
func TestChessBaseArchive(t *testing.T) {
	sources := []string{corpus.Path(t, "cbv/small.cbv"), corpus.Path(t, "cbv/small.cbz")}
	t.Chdir(gen.Folder(t))
	t.Setenv("CBKIT_PASSWORD", "password")
	for _, source := range sources {
		name := filepath.Base(source)
		mustRun(t, "verify", source)
		mustRun(t, "check", source)
		mustRun(t, "unpack", "-q", source, "out")
		mustRun(t, "pack", "-q", "out/small.cbh", name)
		got := must.Get(archive.Open(name, archive.Options{Password: []byte("password")}))(t)
		want := must.Get(archive.Open(source, archive.Options{Password: []byte("password")}))(t)
		if !slices.Equal(got.Members(), want.Members()) {
			t.Errorf("%s: packed again it has\n%v\nnot\n%v", name, got.Members(), want.Members())
		}
		if err := got.Close(); err != nil {
			t.Error(err)
		}
		if err := want.Close(); err != nil {
			t.Error(err)
		}
		must.Do(t, os.RemoveAll("out"))
	}
}

func TestSplitArchive(t *testing.T) {
	for name, want := range map[string][2]string{
		"Mega.cbv": {"Mega.cbv", ""}, "a/Mega.CBZ": {"a/Mega.CBZ", ""}, "Mega.cbv:Mega.cbh": {"Mega.cbv", "Mega.cbh"},
		`C:\x\Mega.cbv:a/b`: {`C:\x\Mega.cbv`, "a/b"}, "a.cbv:b.cbv": {"a.cbv:b.cbv", ""},
		"Mega.cbh": {}, "cbv": {}, ".cbv/x": {}, "": {},
	} {
		file, inside, is := lib.SplitArchive(name)
		if is != (want[0] != "") || is && (file != want[0] || inside != want[1]) {
			t.Errorf("%s: %q, %q, %v", name, file, inside, is)
		}
	}
}

// The settings of a database stay where it is replaced from an archive, however often, and that
// is said; where there are none they come along.
func TestUnpackKeepsSettings(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	save(t, "Games.ini", "[Packed]\n")
	mustRun(t, "pack", "-q", "Games.cbh", "Games.cbv")
	mustRun(t, "unpack", "-q", "Games.cbv", "out")
	if got := content(t, "out/Games.ini"); got != "[Packed]\n" {
		t.Errorf("at first: %q", got)
	}
	save(t, "out/Games.ini", "[Mine]\n")
	for _, args := range [][]string{{"Games.cbv", "out"}, {"Games.cbv", "out"}, {"Games.cbv:Games.cbh", "out"}, {"Games.cbv", "out/Games.cbh"}} {
		r := mustRun(t, append([]string{"unpack", "--force"}, args...)...)
		if got := content(t, "out/Games.ini"); got != "[Mine]\n" || exists("out/Games.cbh.cbkit-kept") {
			t.Errorf("unpack --force %v: %q, %s", args, got, r.errOut)
		}
		entries, err := os.ReadDir("out")
		if err != nil || !strings.Contains(r.errOut, "Games.ini") || !strings.Contains(r.errOut, fmt.Sprintf(": %d files, ", len(entries)-1)) {
			t.Errorf("unpack --force %v: %d files, %v, said %s", args, len(entries), err, r.errOut)
		}
		mustRun(t, "check", "out/Games.cbh")
	}
	must.Do(t, os.Remove("out/Games.ini"))
	mustRun(t, "unpack", "-q", "--force", "Games.cbv", "out")
	if got := content(t, "out/Games.ini"); got != "[Packed]\n" {
		t.Errorf("where there are none: %q", got)
	}
}

// An archive of which no game could be read is named, not the database on the way to it.
func TestArchiveOfNothing(t *testing.T) {
	t.Chdir(gen.Folder(t))
	save(t, "bad.pgn", "[White \"A\"]\n\n1. e4 e5 2. Nf3 Ke6 3. Nc3 *\n")
	fails(t, exitFailed, "cbkit: out.cbv: not written, since nothing", "convert", "bad.pgn", "out.cbv")
	if left := names(t); len(left) != 1 {
		t.Errorf("left are %v", left)
	}
}
