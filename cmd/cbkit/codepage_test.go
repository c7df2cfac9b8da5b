package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// A page that is clear is used and said, in one line, and taken along.
func TestCodePage(t *testing.T) {
	db := corpus.Path(t, "cbh/hedgehog/Hedgehog.cbh")
	dir := gen.Folder(t)
	const said, russian = "read in code page 1251 (Russian)", "Карел Опоченский"
	for _, args := range [][]string{
		{"show", db, "5"}, {"export", "-q", "--games", "5", db, "-"}, {"find", "--format", "pgn", db, "--player", "Opocensky"},
		{"export", "-q", "--games", "5", "--format", "jsonl", db, "-"},
	} {
		r := mustRun(t, args...)
		words := strings.Join(strings.Fields(r.out), " ")
		if strings.Count(r.errOut, said) != 1 || !strings.Contains(words, russian) {
			t.Errorf("cbkit %v: %s%s", args, r.errOut, r.out)
		}
		r = mustRun(t, append(args, "--codepage", "1252")...)
		if strings.Contains(r.errOut, "code page") || strings.Contains(r.out, russian) {
			t.Errorf("cbkit %v --codepage 1252: %s%s", args, r.errOut, r.out)
		}
	}
	if r := mustRun(t, "info", db); !strings.Contains(r.out, "1251 (Russian)") || strings.Contains(r.errOut, "1251") {
		t.Errorf("info: %s%s", r.out, r.errOut)
	}
	mustRun(t, "info", "--json", db).prints(t, `"page":"1251"`)
	lines, again, copied := filepath.Join(dir, "h.jsonl"), filepath.Join(dir, "again.cbh"), filepath.Join(dir, "copy.cbh")
	mustRun(t, "convert", "-q", db, lines)
	mustRun(t, "convert", "-q", lines, again)
	if r := mustRun(t, "convert", "-q", db, copied); strings.Contains(r.errOut, "code page") {
		t.Errorf("a copy: %s", r.errOut)
	}
	annotations, err := os.ReadFile(strings.TrimSuffix(again, ".cbh") + ".cba")
	if err != nil || !strings.Contains(string(annotations), "\xce\xef\xee\xf7\xe5\xed\xf1\xea\xe8\xe9") {
		t.Errorf("by way of JSON Lines the texts are in another page: %v", err)
	}
	if r := mustRun(t, "verify", db); strings.Contains(r.errOut, said) {
		t.Errorf("verify: %s", r.errOut)
	}
}

// PGN is recognised too.
func TestCodePageOfPGN(t *testing.T) {
	dir := gen.Folder(t)
	name := filepath.Join(dir, "r.pgn")
	text := "[White \"\xca\xe0\xf1\xef\xe0\xf0\xee\xe2, \xc3\xe0\xf0\xf0\xe8\"]\n[Black \"\xca\xe0\xf0\xef\xee\xe2, \xc0\xed\xe0\xf2\xee\xeb\xe8\xe9\"]\n" +
		"[Event \"\xcc\xee\xf1\xea\xe2\xe0\"]\n\n1. e4 *\n"
	must.Do(t, os.WriteFile(name, []byte(text), 0o666))
	if r := mustRun(t, "export", "-q", name, "-"); !strings.Contains(r.out, `[White "Каспаров, Гарри"]`) || !strings.Contains(r.errOut, "code page 1251") {
		t.Errorf("%s%s", r.out, r.errOut)
	}
	db := filepath.Join(dir, "r.cbh")
	mustRun(t, "import", "-q", name, db)
	if r := mustRun(t, "show", db, "1"); !strings.Contains(r.out, "Каспаров, Гарри") || r.errOut != "" {
		t.Errorf("%s%s", r.out, r.errOut)
	}
}

// Text in UTF-16 needs no code page, also where it is larger than what a guess
// looks at; one that is damaged ends with an error, after what was read of it.
func TestUTF16(t *testing.T) {
	name := filepath.Join(gen.Folder(t), "w.pgn")
	games := strings.Repeat("[White \"Каспаров, Гарри\"]\n\n1. e4 e5 2. Nf3 *\n\n", 20_000)
	data := []byte{0xFF, 0xFE}
	for _, u := range utf16.Encode([]rune(games)) {
		data = binary.LittleEndian.AppendUint16(data, u)
	}
	save(t, name, string(data))
	if r := mustRun(t, "show", name, "20000"); !strings.Contains(r.out, "Каспаров, Гарри") || r.errOut != "" {
		t.Errorf("%s%s", r.out, r.errOut)
	}
	if r := mustRun(t, "find", "-q", "--count", name, "--player", "Каспаров"); r.out != "20000 found\n" || r.errOut != "" {
		t.Errorf("%+v", r)
	}
	save(t, name, string(data[:len(data)-1]))
	fails(t, exitFailed, "w.pgn: corrupt: the text is UTF-16 and has half a character", "export", "-q", name, "-")
	save(t, name, string(data[:len(data)/2|1]))
	if r := cbkit(t, "", "export", "-q", "--keep-going", name, "-"); r.status != exitFailed || strings.Count(r.out, "1. e4 e5 2. Nf3") < 9_999 {
		t.Errorf("status %d, %d games: %s", r.status, strings.Count(r.out, "1. e4"), r.errOut)
	}
}

// PGN from standard input is recognised as that of a file is, also if it is
// compressed or longer than what a guess looks at.
func TestCodePageOfStandardInput(t *testing.T) {
	russian := "[White \"\xca\xe0\xf1\xef\xe0\xf0\xee\xe2, \xc3\xe0\xf0\xf0\xe8\"]\n[Black \"\xca\xe0\xf0\xef\xee\xe2, \xc0\xed\xe0\xf2\xee\xeb\xe8\xe9\"]\n" +
		"[Event \"\xcc\xee\xf1\xea\xe2\xe0\"]\n\n1. e4 *\n\n"
	here(t)
	long := strings.Repeat(russian, 2<<20/len(russian)) // a guess looks at the first 1<<20 bytes
	for name, text := range map[string]string{"short": russian, "long": long, "UTF-8": "[White \"Каспаров, Гарри\"]\n\n1. e4 *\n"} {
		said := name != "UTF-8"
		for _, args := range [][]string{{"convert", "-q", "-", "out.jsonl", "--force"}, {"import", "-q", "-", "Out.cbh", "--force"}, {"list", "-q", "-", "players"}} {
			r := cbkit(t, text, args...)
			if r.status != exitDone || strings.Contains(r.errOut, "standard input: read in code page 1251 (Russian)") != said {
				t.Errorf("%s: cbkit %v: %+v", name, args, r)
			}
		}
		want := 1
		if name == "long" {
			want = strings.Count(long, "[White")
		}
		if r := mustRun(t, "find", "Out.cbh", "--player", "Каспаров", "--count"); r.out != fmt.Sprintf("%d found\n", want) {
			t.Errorf("%s: %s", name, r.out)
		}
	}
	if r := cbkit(t, russian, "export", "-q", "-", "-", "--codepage", "1252"); r.errOut != "" || strings.Contains(r.out, "Каспаров") {
		t.Errorf("--codepage: %+v", r)
	}
}

// JSON Lines have the code page of the database whatever verb made them, and it is
// taken on the way back.
func TestCodePageOfJSONLines(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a database with annotations with every verb")
	}
	db := corpus.Path(t, "cbh/hedgehog/Hedgehog.cbh")
	t.Chdir(gen.Folder(t))
	for name, args := range map[string][]string{
		"convert": {"convert", db, "out.jsonl"}, "export": {"export", db, "out.jsonl"}, "sort": {"sort", db, "out.jsonl", "--by", "date"},
		"strip": {"strip", db, "out.jsonl", "--clocks"}, "merge": {"merge", db, db, "out.jsonl"}, "dedup": {"dedup", db, "out.jsonl"},
		"merge --dedup": {"merge", db, db, "out.jsonl", "--dedup"}, "eco": {"eco", db, "out.jsonl"},
		"untangle": {"untangle", db, "out.jsonl"}, "tree": {"tree", db, "out.jsonl", "--ends", "names"},
		"find": {"find", db, "--eco", "A", "-o", "out.jsonl"}, "find --limit": {"find", db, "--eco", "A", "-o", "out.jsonl", "--limit", "3"},
		"find --sort": {"find", db, "--eco", "A", "-o", "out.jsonl", "--sort", "date"},
	} {
		mustRun(t, append(args, "-q", "--force")...)
		text, err := os.ReadFile("out.jsonl")
		if err != nil || strings.Count(string(text), `"codePage":"1251"`) != 1 {
			t.Errorf("%s has the page %d times, %v", name, strings.Count(string(text), `"codePage":"1251"`), err)
		}
	}
	mustRun(t, "split", db, "Parts", "-q", "--by", "200", "--format", "jsonl")
	for _, part := range []string{"Hedgehog 1", "Hedgehog 2"} {
		if text, err := os.ReadFile(filepath.Join("Parts", part+".jsonl")); err != nil || strings.Count(string(text), `"codePage":"1251"`) != 1 {
			t.Errorf("part %s has no page, %v", part, err)
		}
	}
	mustRun(t, "sort", db, "out.jsonl", "-q", "--force", "--by", "date")
	mustRun(t, "convert", "-q", "out.jsonl", "Again.cbh")
	annotations, err := os.ReadFile("Again.cba")
	if err != nil || !strings.Contains(string(annotations), "\xce\xef\xee\xf7\xe5\xed\xf1\xea\xe8\xe9") {
		t.Errorf("by way of JSON Lines the texts are in another page: %v", err)
	}
}
