package main

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cbkit/internal/cbh2"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// The sample of a .2cbh keeps the reasons for refusals apart, and has no name, no move and
// no text.
func TestInfoSample(t *testing.T) {
	dir := t.TempDir()
	files := map[string][]byte{}
	for _, ext := range []string{".2cbh", ".2cbg", ".2cba", ".2lid", ".2lgd", ".2lcd"} {
		files[ext] = corpus.Read(t, "2cbh/many"+ext)
	}
	header := func(id int) []byte { return files[".2cbh"][id*cbh2.RecordSize:] }
	// put gives a record another frame.
	put := func(id int, ext string, tag uint16, content []byte) (frame []byte) {
		at, field := len(files[ext]), 8
		if ext == ".2cba" {
			field = 16
		}
		files[ext] = cbh2.AppendFrame(files[ext], tag, content, 0)
		binary.LittleEndian.PutUint64(header(id)[field:], uint64(at))
		return files[ext][at:]
	}
	words := func(list ...uint16) (b []byte) {
		for _, w := range list {
			b = binary.LittleEndian.AppendUint16(b, w)
		}
		return b
	}
	const begin, more, end = 0xfffc, 0xfffd, 0xffff
	barred := cbh2.Moves{}
	barred.Tree.AddStored(model.NoNode, model.NewMove(model.A1, model.A5))
	illegal, tag, err := cbh2.AppendMoves(nil, &barred)
	if err != nil {
		t.Fatal(err)
	}
	put(1, ".2cbg", tag, illegal)
	put(2, ".2cbg", tag, illegal)
	put(3, ".2cbg", tag, words(begin, 0xc5ff, end))
	put(4, ".2cbg", tag, words(begin, 1, end))
	put(5, ".2cbg", tag, words(begin))
	put(6, ".2cbg", tag, words(begin, more, end))
	put(7, ".2cbg", tag, words(begin, end, end))
	put(8, ".2cbg", tag, words(end))
	put(9, ".2cbg", 7, words(begin, end))
	put(10, ".2cbg", tag, words(begin, end))[0]++
	put(11, ".2cbg", tag, words(begin, end))[16]++
	frame := put(12, ".2cbg", tag, words(begin, end))
	frame[cbh2.FrameSize]++
	header(13)[0x0e] = 9
	header(14)[0x58] = 9
	binary.LittleEndian.PutUint16(header(15)[0x80:], 5)
	header(16)[0x1a] = 7
	secret := "Secret Zukertort"
	put(17, ".2cba", cbh2.TagAnnotations, append([]byte{0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 0x66, 0, byte(len(secret)), 0, 0, 0}, secret+"\xff\xff\xff\x7f"...))
	put(18, ".2cba", cbh2.TagAnnotations, []byte{0, 0, 0, 0})
	header(19)[2] = 7
	for ext, b := range files {
		must.Do(t, os.WriteFile(filepath.Join(dir, "Anand"+ext), b, 0o666))
	}
	r := cbkit(t, "", "info", "--sample", filepath.Join(dir, "Anand.2cbh"))
	if r.status != exitDone || r.errOut != "" {
		t.Fatalf("status %d: %s", r.status, r.errOut)
	}
	for _, want := range []string{
		"2 × .2cbg 2cbh-moves moves: .*is not legal", "1 × .2cbg 2cbh-moves moves: .* is no move", "1 × .2cbg 2cbh-moves moves: .*of another piece",
		"1 × .2cbg 2cbh-moves moves: .*do not end", "1 × .2cbg 2cbh-moves moves: .*an alternative is announced", "1 × .2cbg 2cbh-moves moves: .*behind the end",
		"1 × .2cbg 2cbh-moves moves: .*no section of moves", "1 × .2cbg 2cbh-moves tag: .*not that of a game", "1 × .2cbg 2cbh-frame magic: ", "1 × .2cbg 2cbh-frame checksum: ",
		"1 × .2cbg 2cbh-frame size: ", "1 × .2cbh 2cbh-frame offset: .*not inside", "1 × .2cbh 2cbh-field result: .*no result", "1 × .2cbh 2cbh-field eco: .*no opening",
		"1 × .2cbh 2cbh-reference ", "1 × .2cba 2cbh-annotation-type ", "1 × .2cba 2cbh-annotations .*there is no end", "1 × .2cbh 2cbh-kind ", "records: \\d+ games"} {
		if !regexp.MustCompile("(?m)^" + want).MatchString(r.out) {
			t.Errorf("no line %q", want)
		}
	}
	var known struct {
		Records  []struct{ SANMoves string }
		Entities map[string]struct{ Last, First, Title, Place, Publisher string }
	}
	must.Do(t, json.Unmarshal(corpus.Read(t, "2cbh/many.expected.json"), &known))
	secrets := map[string]bool{"Secret": true, "Zukertort": true, "Anand": true, "a1a5": true}
	for _, e := range known.Entities {
		for _, word := range strings.Fields(strings.Join([]string{e.Last, e.First, e.Title, e.Place, e.Publisher}, " ")) {
			secrets[word] = true
		}
	}
	for _, rec := range known.Records {
		for _, san := range strings.Fields(rec.SANMoves) {
			secrets[san] = true
		}
	}
	if len(secrets) < 100 {
		t.Errorf("%d words to look for", len(secrets))
	}
	for word := range secrets {
		if len(word) > 1 && regexp.MustCompile(`(?:^|[^\pL\pN])`+regexp.QuoteMeta(word)+`(?:$|[^\pL\pN])`).MatchString(r.out) {
			t.Errorf("%q is told", word)
		}
	}
	if t.Failed() {
		t.Log(r.out)
	}
}
