package cbh_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"cbkit/avl"
	"cbkit/board"
	"cbkit/internal/cbh"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/moveenc"
)

// vector is an example that a page of docs/formats prints: a kind, bytes or
// values, and what they mean.
type vector struct {
	page string
	line int
	kind string
	text []string
}

// vectors reads the examples of all pages: an indented line "vector: KIND" and
// the indented lines after it.
func vectors(t *testing.T) (list []vector) {
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "formats", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages of the formats", err)
	}
	for _, page := range pages {
		content := must.Get(os.ReadFile(page))(t)
		open := false
		for i, line := range strings.Split(string(content), "\n") {
			text, indented := strings.CutPrefix(line, "    ")
			kind, begins := strings.CutPrefix(text, "vector: ")
			switch {
			case indented && begins:
				list = append(list, vector{page: filepath.Base(page), line: i + 1, kind: kind})
				open = true
			case indented && open:
				list[len(list)-1].text = append(list[len(list)-1].text, strings.TrimSpace(text))
			default:
				open = false
			}
		}
	}
	return list
}

// judges run the examples of each kind through the codecs, both ways.
var judges = map[string]func(v vector) error{
	"game":              func(v vector) error { return judgeGame(v, true) },
	"game, begins with": func(v vector) error { return judgeGame(v, false) },
	"block-header":      judgeBlockHeader,
	"file-header":       judgeFileHeader,
	"entity-header":     judgeEntityHeader,
	"annotations":       judgeAnnotations,
	"date":              judgeDate,
	"material":          judgeMaterial,
	"order signed":      func(v vector) error { return judgeOrder(v, true) },
	"order unsigned":    func(v vector) error { return judgeOrder(v, false) },
	"avl insert":        judgeInsertion,
	"list-table .cit":   func(v vector) error { return judgeListTable(v, &cbh.Lists) },
	"list-table .cit2":  func(v vector) error { return judgeListTable(v, &cbh.TitleLists) },
	"list-blocks":       judgeListBlocks,
	"trace":             judgeTrace,
}

// Every example in the reference of the formats is what the codecs read and
// write.
func TestVectorsOfTheReference(t *testing.T) {
	list := vectors(t)
	maps.Copy(judges, recordJudges())
	maps.Copy(judges, payloadJudges())
	maps.Copy(judges, archiveJudges())
	used := map[string]bool{}
	if len(list) < 60 {
		t.Errorf("only %d vectors were found", len(list))
	}
	for _, v := range list {
		judge := judges[v.kind]
		used[v.kind] = true
		if judge == nil || len(v.text) == 0 {
			t.Errorf("%s:%d: nobody knows the vector %q", v.page, v.line, v.kind)
			continue
		}
		if err := judge(v); err != nil {
			t.Errorf("%s:%d: %v", v.page, v.line, err)
		}
	}
	for kind := range judges {
		if !used[kind] {
			t.Errorf("no page has a vector of the kind %q", kind)
		}
	}
}

// raw returns the bytes that the first line of a vector prints.
func (v vector) raw() ([]byte, error) {
	return decodeHex(v.text[0])
}

// same compares what was written with what is printed.
func same(got []byte, err error, want []byte) error {
	if err == nil && !bytes.Equal(got, want) {
		err = fmt.Errorf("written as %x, printed %x", got, want)
	}
	return err
}

// says compares the meaning of a vector with its last line.
func (v vector) says(format string, args ...any) error {
	if got, want := fmt.Sprintf(format, args...), v.text[len(v.text)-1]; got != want {
		return fmt.Errorf("it means %q, the page says %q", got, want)
	}
	return nil
}

func judgeGame(v vector, exact bool) error {
	rec, err := v.raw()
	if err != nil {
		return err
	}
	var g moveenc.Game
	if err := moveenc.Decode(rec, &g); err != nil {
		return err
	}
	if len(v.text) == 3 {
		parse := board.ParseModel
		fen, is960 := strings.CutPrefix(v.text[1], "fen960 ")
		if is960 {
			parse = board.ParseModel960
		} else {
			fen = strings.TrimPrefix(v.text[1], "fen ")
		}
		start, err := parse(fen)
		if err != nil || start != g.Start {
			return fmt.Errorf("it starts from %s, %v", board.FormatFEN(&g.Start), err)
		}
	}
	moves, want := lines(&g.Moves), v.text[len(v.text)-1]
	if exact && moves != want || !strings.HasPrefix(moves, want) {
		return fmt.Errorf("it has the moves %s", moves)
	}
	form := &g.Form
	if exact {
		form = nil
	}
	got, err := moveenc.Append(nil, g.SetUp(), &g.Moves, form)
	return same(got, err, rec)
}

func judgeListTable(v vector, pair *cbh.ListFile) error {
	b, err := v.raw()
	if err != nil {
		return err
	}
	head, err := cbh.DecodeListTableHeader(b)
	if err != nil {
		return err
	}
	count, err := pair.CheckTable(head, int64(len(b)))
	got, rows := head.Append(nil), make([]string, count)
	for i := range count {
		var row []cbh.ListEnds
		for kind := range pair.Kinds {
			ends, err := cbh.DecodeListEnds(b[pair.RowOffset(i)+int64(kind)*cbh.ListEndsSize:])
			if err != nil {
				return err
			}
			row, got = append(row, ends), ends.Append(got)
		}
		rows[i] = fmt.Sprint(row)
	}
	if err := same(got, err, b); err != nil {
		return err
	}
	return v.says("rows %s", strings.Join(rows, " "))
}

func judgeListBlocks(v vector) error {
	b, err := v.raw()
	if err != nil {
		return err
	}
	head, err := cbh.DecodeListBlocksHeader(b)
	if err := same(head.Append(nil), err, b); err != nil {
		return err
	}
	return v.says("%d blocks, first free %d", head.Blocks, head.FirstFree)
}

func judgeTrace(v vector) error {
	b, err := v.raw()
	if err != nil {
		return err
	}
	t, err := cbh.DecodeGameTrace(b)
	if err := same(t.Append(nil), err, b); err != nil {
		return err
	}
	return v.says("pawns %v, only pawns %v, kings %02x %02x", t.Pawns, t.OnlyPawns, t.KingFiles[0], t.KingFiles[1])
}

// lines writes moves with their alternatives in brackets behind them.
func lines(t *model.Tree) string {
	var b strings.Builder
	var write func(node int)
	write = func(node int) {
		for ; node != model.NoNode; node = t.Main(node) {
			if s := b.String(); s != "" && !strings.HasSuffix(s, "(") {
				b.WriteByte(' ')
			}
			b.WriteString(t.Move(node).UCI(false))
			if !t.IsMain(node) {
				continue
			}
			for other := range t.Alternatives(node) {
				b.WriteString(" (")
				write(other)
				b.WriteByte(')')
			}
		}
	}
	write(t.Main(model.NoNode))
	return b.String()
}

func judgeBlockHeader(v vector) error {
	b, err := v.raw()
	if err != nil {
		return err
	}
	h, err := cbh.DecodeBlockHeader(b)
	if err != nil {
		return err
	}
	if err := v.says("size %d, file %d, unused %d", h.Size, h.FileSize, h.Unused); err != nil {
		return err
	}
	return same(h.Append(nil), nil, b)
}

func judgeFileHeader(v vector) error {
	b, err := v.raw()
	if err != nil {
		return err
	}
	h, err := cbh.DecodeFileHeader(b)
	if err != nil {
		return err
	}
	if err := v.says("mark %d, records %d", h.Used, h.Next-1); err != nil {
		return err
	}
	return same(h.Append(nil), nil, b)
}

func judgeEntityHeader(v vector) error {
	b, err := v.raw()
	if err != nil {
		return err
	}
	h, err := cbh.DecodeEntityHeader(b)
	if err != nil {
		return err
	}
	err = v.says("capacity %d, root %d, record %d, deleted %d, live %d", h.Capacity, h.Root, h.PayloadSize, h.FirstDeleted, h.Live)
	if err != nil {
		return err
	}
	return same(h.Append(nil), nil, b)
}

func judgeAnnotations(v vector) error {
	rec, err := v.raw()
	if err != nil {
		return err
	}
	game := model.RecordID(rec[0])<<16 | model.RecordID(rec[1])<<8 | model.RecordID(rec[2])
	ctx := cbh.AnnotationContext{Game: game}
	a, err := cbh.DecodeAnnotations(rec, ctx, true)
	if err != nil {
		return err
	}
	var words []string
	for _, n := range a.List {
		words = append(words, fmt.Sprintf("%d %s", n.Node, n.Value.Kind()))
	}
	if err := v.says("game %d: %s", game, strings.Join(words, ", ")); err != nil {
		return err
	}
	return same(cbh.AppendAnnotations(nil, a.List, a.Leftover, ctx, nil), nil, rec)
}

func judgeDate(v vector) error {
	b, err := v.raw()
	if err != nil {
		return err
	}
	packed := uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2])
	d := cbh.UnpackDate(packed)
	if again, ok := cbh.PackDate(d); !ok || again != packed {
		return fmt.Errorf("packed again it is %06X", again)
	}
	return v.says("%v", d)
}

func judgeMaterial(v vector) error {
	word, err := strconv.ParseUint(v.text[0], 16, 16)
	if err != nil {
		return err
	}
	return v.says("pawns %d, queens %d, knights %d, bishops %d, rooks %d", word>>12, word>>9&7, word>>6&7, word>>3&7, word&7)
}

// judgeOrder puts names in order as they are stored in Windows-1252.
func judgeOrder(v vector, signed bool) error {
	var fields [][]byte
	for _, name := range strings.Split(v.text[0], ", ") {
		if name == "(empty)" {
			name = ""
		}
		payload, losses := cbh.Annotators.Append(nil, model.Annotator{Name: name}, cbh.CodePage{})
		if len(losses) > 0 {
			return fmt.Errorf("%q: %v", name, losses)
		}
		fields = append(fields, payload[:45])
	}
	for i := 1; i < len(fields); i++ {
		if cbh.CompareText(fields[i-1], fields[i], signed) >= 0 {
			return fmt.Errorf("name %d does not come before the next", i)
		}
	}
	return nil
}

// judgeInsertion puts players into an empty tree.
func judgeInsertion(v vector) error {
	tree := avl.New()
	var payloads [][]byte
	for _, name := range strings.Split(v.text[0], "; ") {
		if name == "(empty)" {
			name = ""
		}
		payload, _ := cbh.Players.Append(nil, model.ParsePlayer(name), cbh.CodePage{})
		payloads = append(payloads, payload)
		_, err := tree.Add(func(id int32) int { return cbh.Players.Compare(payload, payloads[id], false) })
		if err != nil {
			return err
		}
	}
	text := fmt.Sprintf("root %d:", tree.Root)
	link := func(id int32) string {
		if id < 0 {
			return "-"
		}
		return strconv.Itoa(int(id))
	}
	for id := range int32(len(payloads)) {
		n := tree.Node(id)
		text += fmt.Sprintf(" %d(%s,%s,%d)", id, link(n.Left), link(n.Right), n.Balance)
	}
	return v.says("%s", text)
}

var (
	citation = regexp.MustCompile(`docs/formats/([a-z-]+\.md)(?: (?:and )?(\d+(?:\.\d+)*))?`)
	heading  = regexp.MustCompile(`(?m)^#+ (\d+(?:\.\d+)*)\.? `)
)

// Every citation of the reference, in code and tests, leads to a page and, where
// it names one, to a section that are there.
func TestCitationsOfTheReference(t *testing.T) {
	root := filepath.Join("..", "..")
	sections := map[string]map[string]bool{}
	pages := must.Get(filepath.Glob(filepath.Join(root, "docs", "formats", "*.md")))(t)
	for _, page := range pages {
		content := must.Get(os.ReadFile(page))(t)
		numbers := map[string]bool{}
		for _, m := range heading.FindAllStringSubmatch(string(content), -1) {
			numbers[m[1]] = true
		}
		sections[filepath.Base(page)] = numbers
	}
	cited := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range citation.FindAllStringSubmatch(string(content), -1) {
			cited++
			page, section := m[1], m[2]
			if numbers, ok := sections[page]; !ok || section != "" && !numbers[section] {
				t.Errorf("%s cites %s, which is not there", path, m[0])
			}
		}
		return nil
	})
	if err != nil || cited == 0 {
		t.Errorf("%d citations, %v", cited, err)
	}
}
