package jsonl

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// docBlocks returns the fenced blocks of the given language in the
// documentation of the format.
func docBlocks(t *testing.T, language string) (blocks []string) {
	t.Helper()
	text := must.Get(os.ReadFile("../docs/formats/jsonl.md"))(t)
	for i, part := range strings.Split(string(text), "```") {
		if body, found := strings.CutPrefix(part, language+"\n"); i%2 == 1 && found {
			blocks = append(blocks, body)
		}
	}
	if len(blocks) == 0 {
		t.Fatalf("the documentation has no %s", language)
	}
	return blocks
}

// TestDocumentedLines writes every line of the documentation again, to the
// letter.
func TestDocumentedLines(t *testing.T) {
	kinds := map[model.Kind]bool{}
	for _, block := range docBlocks(t, "jsonl") {
		for line := range strings.Lines(block) {
			line = strings.TrimSuffix(line, "\n")
			var again []byte
			if strings.Contains(line, `"id"`) {
				e := &model.Entities{}
				rec, err := newDecoder(e).decode([]byte(line), model.WantAll)
				if err != nil {
					t.Fatalf("%s: %v", line, err)
				}
				again = AppendRecord(nil, rec, e)
			} else {
				v, err := ParseValue([]byte(line))
				if err != nil {
					t.Fatalf("%s: %v", line, err)
				}
				kinds[v.Kind()] = true
				again = AppendValue(nil, v)
			}
			if string(again) != line {
				t.Errorf("have %s\nwant %s", again, line)
			}
		}
	}
	if len(kinds) != len(model.Kinds()) {
		t.Errorf("%d kinds of %d are documented", len(kinds), len(model.Kinds()))
	}
}

// TestDocumentedGame does the same with the game that is broken into lines.
func TestDocumentedGame(t *testing.T) {
	for _, block := range docBlocks(t, "json") {
		var line bytes.Buffer
		must.Do(t, json.Compact(&line, []byte(block)))
		e := &model.Entities{}
		rec := must.Get(newDecoder(e).decode(line.Bytes(), model.WantAll))(t)
		if again := AppendRecord(nil, rec, e); !bytes.Equal(again, line.Bytes()) {
			t.Errorf("have %s\nwant %s", again, line.Bytes())
		}
	}
}

// TestDocumentedKeys looks up every key of the format in the documentation.
func TestDocumentedKeys(t *testing.T) {
	doc := must.Get(os.ReadFile("../docs/formats/jsonl.md"))(t)
	var look func(v any)
	look = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				look(e)
			}
		case map[string]any:
			for key, e := range v {
				quoted := bytes.Contains(doc, []byte("`"+key+"`")) || bytes.Contains(doc, []byte(`"`+key+`"`))
				if !quoted && key != "Board" && key != "Opening" {
					t.Errorf("the key %s is not documented", key)
				}
				look(e)
			}
		}
	}
	for line := range bytes.Lines(write(t, handMade())) {
		var v any
		must.Do(t, json.Unmarshal(line, &v))
		look(v)
	}
}
