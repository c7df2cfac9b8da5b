package jsonl

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"cbkit/model"
)

// FuzzReader reads anything. What can be read is written, and read again as
// the same.
func FuzzReader(f *testing.F) {
	for line := range bytes.Lines(write(f, handMade())) {
		f.Add(line)
	}
	f.Add([]byte(`{"moves":[{"uci":"e2e4","alternatives":[[{"uci":"d2d4"}],[]]},{"uci":"e7e5","nags":[1],"after":[{"text":"x"}]}]}` + "\n{}"))
	f.Add([]byte(`{"tags":[["a","b"],["a",{"raw":"/w=="}]],"cbh":{"elsewhere":[{"node":-5,"annotations":[{"kind":"medals"}]}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r := NewReader(bytes.NewReader(text), ReaderOptions{})
		for rec, err := range r.Records(context.Background(), 1, model.WantAll) {
			if err != nil {
				continue
			}
			line := AppendRecord(nil, rec, r.Entities())
			if !json.Valid(line) {
				t.Fatalf("not JSON: %s", line)
			}
			var e model.Entities
			again, err := newDecoder(&e).decode(line, model.WantAll)
			if err != nil || !model.EqualRecords(rec, r.Entities(), again, &e) {
				t.Fatalf("%s\nis written as %s\nwhich reads as %+v, %v", text, line, again, err)
			}
		}
	})
}
