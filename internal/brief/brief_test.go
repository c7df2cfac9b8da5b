package brief

import (
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	sixty := strings.Repeat("ä", 60)
	for s, want := range map[string]string{
		"": "", "short": "short", sixty: sixty, sixty + "b": sixty + "…",
		strings.Repeat("\xff", 61): strings.Repeat("\xff", 60) + "…",
	} {
		if got := Text(s); got != want {
			t.Errorf("%q: %q", s, got)
		}
	}
}

func TestQuote(t *testing.T) {
	for _, s := range []string{"", "plain words", `a"b`, `a\b`, "a\nb", "ä", "\xff", "\x7f", "~", strings.Repeat("x", 61)} {
		if got, want := Quote(s), Sprintf("%q", s); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestSprintf(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	args := []any{7, long, "b"}
	want := "7 " + `"` + long[:60] + `…" b`
	if got := Sprintf("%d %q %s", args...); got != want {
		t.Errorf("%.200s", got)
	}
	if args[1] != long {
		t.Error("the caller's arguments have changed")
	}
}
