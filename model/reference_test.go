package model_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// docs/formats/cbh-entities.md 6.8 prints the codes of all nations, and
// docs/formats/cba.md 6 those of them that are languages.
func TestNationsOfTheReference(t *testing.T) {
	block := "\n    table: nations\n"
	for first := 0; first < 256; first += 16 {
		block += fmt.Sprintf("    %3d ", first)
		for n := first; n < first+16; n++ {
			code := model.Nation(n).Code()
			if code == "" {
				code = " - "
			}
			block += " " + code
		}
		block = strings.TrimRight(block, " ") + "\n"
	}
	if !strings.Contains(referencePage(t, "cbh-entities.md"), block) {
		t.Errorf("docs/formats/cbh-entities.md should have%s", block)
	}
	cba := referencePage(t, "cba.md")
	for name, language := range map[string]model.Language{
		"English": model.English, "German": model.German, "French": model.French, "Spanish": model.Spanish, "Italian": model.Italian,
		"Dutch": model.Dutch, "Portuguese": model.Portuguese, "Polish": model.Polish, "Greek": model.Greek,
	} {
		if text := fmt.Sprintf("%d %s", language, name); !strings.Contains(cba, text) {
			t.Errorf("docs/formats/cba.md should say %q", text)
		}
	}
}

// referencePage returns a page of docs/formats.
func referencePage(t *testing.T, name string) string {
	t.Helper()
	page := must.Get(os.ReadFile(filepath.Join("..", "docs", "formats", name)))(t)
	return string(page)
}
