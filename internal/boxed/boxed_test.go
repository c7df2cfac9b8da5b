package boxed

import (
	"runtime"
	"strings"
	"testing"

	"cbkit/model"
)

func TestValue(t *testing.T) {
	texts := make([]model.Text, 100)
	values := make([]model.Value, len(texts))
	for i := range texts {
		texts[i] = model.Text{Before: i%2 == 0, Text: strings.Repeat("x", i)}
	}
	if n := testing.AllocsPerRun(10, func() {
		for i := range texts {
			values[i] = Value(&texts[i])
		}
	}); n > 0 {
		t.Errorf("%.0f allocations", n)
	}
	texts = nil
	for range 3 { // the values alone hold the texts
		runtime.GC()
		_ = make([]model.Text, 1000)
	}
	for i, v := range values {
		want := model.Text{Before: i%2 == 0, Text: strings.Repeat("x", i)}
		if got, ok := v.(model.Text); !ok || got != want || !v.Equal(want) || v.Kind() != model.KindText {
			t.Errorf("%d: %v, want %v", i, v, want)
		}
	}
}
