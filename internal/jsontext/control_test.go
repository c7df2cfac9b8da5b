package jsontext_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"cbkit/internal/jsontext"
	"cbkit/internal/testkit/must"
)

// What a terminal obeys, or shows in another order, is never in JSON as it is, and
// comes back when it is read: what this package writes, and what it escapes of
// another encoder.
func TestControlsAreEscaped(t *testing.T) {
	for r := rune(0); r < 0x3000; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		text := "a" + string(r) + "é" + string(r) + string(r) + "→"
		own := jsontext.AppendString(nil, text)
		var plain bytes.Buffer
		must.Do(t, json.NewEncoder(&plain).Encode(text))
		for name, line := range map[string][]byte{"own": own, "other": jsontext.AppendEscaped(nil, plain.Bytes())} {
			var back string
			if err := json.Unmarshal(line, &back); err != nil || back != text {
				t.Errorf("%s: %U: %q came back as %q, %v", name, r, text, back, err)
			}
			if jsontext.IsControl(r) && strings.ContainsRune(strings.TrimSuffix(string(line), "\n"), r) {
				t.Errorf("%s: %U stands in %s", name, r, line)
			}
			if r > 0xFF && !jsontext.IsControl(r) && name == "own" && !strings.ContainsRune(string(line), r) {
				t.Errorf("%U is escaped: %s", r, line)
			}
		}
	}
	for _, r := range []rune{0x7F, 0x9B, 0x202E, 0x2066} {
		if !jsontext.IsControl(r) {
			t.Errorf("%U", r)
		}
	}
}
