package model_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cbkit/internal/testkit/gen"
	"cbkit/model"
)

func TestDateStrings(t *testing.T) {
	for _, c := range []struct {
		date model.Date
		text string
	}{
		{model.Date{}, "????.??.??"},
		{model.Date{Year: 1997}, "1997.??.??"},
		{model.Date{Year: 1997, Month: 5}, "1997.05.??"},
		{model.Date{Year: 1997, Month: 5, Day: 11}, "1997.05.11"},
		{model.Date{Month: 12, Day: 31}, "????.12.31"},
		{model.Date{Year: 800, Day: 1}, "0800.??.01"},
		{model.Date{Year: 65535, Month: 1, Day: 1}, "65535.01.01"},
	} {
		if got := c.date.String(); got != c.text {
			t.Errorf("%#v is %s, want %s", c.date, got, c.text)
		}
		if got, ok := model.ParseDate(c.text); !ok || got != c.date {
			t.Errorf("%s reads as %#v, %v", c.text, got, ok)
		}
	}
}

func TestParseDateLeniency(t *testing.T) {
	for _, c := range []struct {
		text string
		date model.Date
		ok   bool
	}{
		{"1997", model.Date{Year: 1997}, true},
		{"1997.5.3", model.Date{Year: 1997, Month: 5, Day: 3}, true},
		{"?.?.?", model.Date{}, true},
		{"", model.Date{}, false},
		{"1997.13.03", model.Date{Year: 1997, Day: 3}, false},
		{"1997.12.32", model.Date{Year: 1997, Month: 12}, false},
		{"65536.01.01", model.Date{Month: 1, Day: 1}, false},
		{"99999999999999999999.01.01", model.Date{Month: 1, Day: 1}, false},
		{"1997.05.11.2", model.Date{Year: 1997, Month: 5, Day: 11}, false},
		{"May 1997", model.Date{}, false},
		{"-1.1.1", model.Date{Month: 1, Day: 1}, false},
		{"12.1998", model.Date{Year: 1998, Month: 12}, false},
		{"03/2015", model.Date{Year: 2015, Month: 3}, false},
		{"7-1961", model.Date{Year: 1961, Month: 7}, false},
		{"1998-12", model.Date{Year: 1998, Month: 12}, false},
		{"13.1998", model.Date{Year: 1998}, false},
		{"1997/98", model.Date{}, false}, // a season
		{"1998.12.25 14:00", model.Date{Year: 1998, Month: 12, Day: 25}, false},
		{"1998.12.25, 14h", model.Date{Year: 1998, Month: 12, Day: 25}, false},
		{"1998.12.25,", model.Date{Year: 1998, Month: 12, Day: 25}, false},
		{"1998.12.25 (adj)", model.Date{Year: 1998, Month: 12, Day: 25}, false},
		{"31.12.1999, 14h", model.Date{Year: 1999, Month: 12, Day: 31}, false},
		{"31. 12. 1999", model.Date{Year: 1999, Month: 12, Day: 31}, false},
		{"2004. 2. 29.", model.Date{Year: 2004, Month: 2, Day: 29}, false},
		{"1998-12-25T14:00:00Z", model.Date{Year: 1998, Month: 12, Day: 25}, false},
		{"1998-12-25 14:00:00+01:00", model.Date{Year: 1998, Month: 12, Day: 25}, false},
		{"2021/02/03 20:15", model.Date{Year: 2021, Month: 2, Day: 3}, false},
		{"12/25/1998", model.Date{Year: 1998, Month: 12, Day: 25}, false},
		{"1/13/2001 9 pm", model.Date{Year: 2001, Month: 1, Day: 13}, false},
		{"03/04/1998", model.Date{Year: 1998, Month: 4, Day: 3}, false},
		{"02/30/2000", model.Date{Year: 2000, Month: 2}, false}, // a day that no month has
		{"31.04.1998", model.Date{Year: 1998, Month: 4}, false},
		{"29.2.1900", model.Date{Year: 1900, Month: 2}, false},
		{"29.2.2000", model.Date{Year: 2000, Month: 2, Day: 29}, false},
		{"2001-02-29", model.Date{Year: 2001, Month: 2}, false},
		{"2001.02.29 14:00", model.Date{Year: 2001, Month: 2}, false},
		{"????-02-29", model.Date{Month: 2, Day: 29}, true},
		{"2001.02.30", model.Date{Year: 2001, Month: 2, Day: 30}, true},
		{"13/13/2001", model.Date{Year: 2001}, false},
		{"??.12.1998", model.Date{Year: 1998, Month: 12}, false},
		{"25.12.1998 - 3.1.1999", model.Date{}, false},
		{"25.12.1998 – 3.1.1999", model.Date{}, false},
		{"01.02.03", model.Date{}, false},
		{"12/25/98", model.Date{}, false},
		{"98", model.Date{}, false},
		{"98.12.25", model.Date{}, false},
		{"12 1998", model.Date{}, false},
		{"997.1.1", model.Date{}, false},
		{",", model.Date{}, false},
		{"0.", model.Date{}, false},
		{"0.00.00", model.Date{}, false},
		{"0000.00.00", model.Date{}, true},
	} {
		if got, ok := model.ParseDate(c.text); got != c.date || ok != c.ok {
			t.Errorf("%q reads as %#v, %v; want %#v, %v", c.text, got, ok, c.date, c.ok)
		}
	}
}

// No text is a date of a year without four digits, of a month or day that there is none,
// or the whole of one that is not written so.
func TestParseDateOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.StringMatching(`[0-9]{1,5}`), rapid.StringMatching(`1[89][0-9]{2}|20[0-3][0-9]`))
		sign := rapid.SampledFrom([]string{".", "/", "-", " ", ", ", ":", "T", "?", ". ", "–", "(", "x"})
		var text strings.Builder
		for range rapid.IntRange(0, 5).Draw(t, "parts") {
			text.WriteString(number.Draw(t, "number"))
			text.WriteString(sign.Draw(t, "sign"))
		}
		s := text.String()
		d, ok := model.ParseDate(s)
		switch {
		case d.Month > 12 || d.Day > 31:
			t.Fatalf("%q is %v", s, d)
		case d.Year != 0 && !regexp.MustCompile(fmt.Sprintf(`(^|[^0-9])0*%d([^0-9]|$)`, d.Year)).MatchString(s),
			d.Year != 0 && !strings.Contains(s, fmt.Sprintf("%04d", d.Year)):
			t.Fatalf("%q is of the year %d", s, d.Year)
		case ok && !regexp.MustCompile(`^([0-9]{4,5}|\?*)(\.([0-9]{1,5}|\?*)){0,2}$`).MatchString(s):
			t.Fatalf("%q is the whole of %v", s, d)
		}
	})
}

func TestECOStrings(t *testing.T) {
	for index := range 500 {
		for sub := range 100 {
			e := model.NewECO(index, sub)
			got, ok := model.ParseECO(e.String())
			if !ok || got != e || e.Index() != index || e.Sub() != sub || !e.Valid() {
				t.Fatalf("%d/%d: %q reads as %d, %v", index, sub, e, got, ok)
			}
		}
	}
	for text, want := range map[string]string{"A00": "A00", "E99/99": "E99/99", "C50/00": "C50"} {
		if e, ok := model.ParseECO(text); !ok || e.String() != want {
			t.Errorf("%s reads as %s, %v", text, e, ok)
		}
	}
	for _, text := range []string{"", "A0", "F00", "a00", "A0x", "A000", "A00/1", "A00-01", "A00/1x"} {
		if e, ok := model.ParseECO(text); ok {
			t.Errorf("%q reads as %d", text, e)
		}
	}
	var none model.ECO
	if none.String() != "" || none.Index() != -1 || none.Valid() || model.NewECO(500, 0).Valid() || model.NewECO(0, 100).Valid() {
		t.Error("what is no code is valid")
	}
}

// TestExactTexts asks of the exact forms that they give back whatever there
// can be, and agree with the plain ones where those exist.
func TestExactTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := gen.Config{Wild: rapid.Bool().Draw(t, "wild")}
		date := gen.Date(c).Draw(t, "date")
		text, _ := date.AppendText(nil)
		var date2 model.Date
		if err := date2.UnmarshalText(text); err != nil || date2 != date {
			t.Fatalf("%#v is %s and reads as %#v, %v", date, text, date2, err)
		}
		if plain, ok := model.ParseDate(string(text)); ok && plain != date {
			t.Fatalf("%s reads as %#v", text, plain)
		}
		eco := gen.ECO(c).Draw(t, "ECO")
		text, _ = eco.AppendText(nil)
		var eco2 model.ECO
		if err := eco2.UnmarshalText(text); err != nil || eco2 != eco {
			t.Fatalf("%d is %s and reads as %d, %v", eco, text, eco2, err)
		}
	})
	for _, text := range []string{"x", "#1.2", "#1.2.3.4", "#1.2.256", "#70000.1.1", "#a.b.c"} {
		var d model.Date
		if d.UnmarshalText([]byte(text)) == nil {
			t.Errorf("date %s reads as %#v", text, d)
		}
	}
	for _, text := range []string{"x", "#", "#65536", "#-1"} {
		var e model.ECO
		if e.UnmarshalText([]byte(text)) == nil {
			t.Errorf("ECO %s reads as %d", text, e)
		}
	}
}

func TestResults(t *testing.T) {
	for r := model.NoResult; r <= model.BothLose; r++ {
		got, ok := model.ParseResult(r.String())
		if r.IsForfeit() {
			got = got.Forfeit()
		}
		if !ok || got != r {
			t.Errorf("result %d is %s and reads as %d, %v", r, r, got, ok)
		}
		if r.IsForfeit() != (r.Forfeit() == r && r != model.NoResult && r != model.BothLose) {
			t.Errorf("result %d: IsForfeit %v, Forfeit %d", r, r.IsForfeit(), r.Forfeit())
		}
	}
	for _, s := range []string{"1/2-1/2", "1/2", "½-½"} {
		if r, ok := model.ParseResult(s); !ok || r != model.Draw {
			t.Errorf("%s reads as %d", s, r)
		}
	}
	if _, ok := model.ParseResult("won"); ok || model.Result(99).String() != "*" {
		t.Error("what is no result is one")
	}
}

// words is an enumeration of at most 65536 numbers with its two directions.
func checkWords[T ~uint8 | ~uint16](t *testing.T, what string, limit int, format func(T) string, parse func(string) (T, bool)) {
	t.Helper()
	seen := map[string]int{}
	for n := range limit {
		s := format(T(n))
		if m, twice := seen[s]; twice {
			t.Fatalf("%s: %d and %d are both %q", what, m, n, s)
		}
		seen[s] = n
		if got, ok := parse(s); !ok || int(got) != n {
			t.Fatalf("%s: %d is %q and reads as %d, %v", what, n, s, got, ok)
		}
	}
	for _, s := range []string{"nonsense", "#", "#-1", "#99999", "#1x", " "} {
		if n, ok := parse(s); ok {
			t.Errorf("%s: %q reads as %d", what, s, n)
		}
	}
}

func TestWords(t *testing.T) {
	checkWords(t, "Nation", 256, model.Nation.String, model.ParseNation)
	checkWords(t, "Language", 1<<16, model.Language.String, model.ParseLanguage)
	checkWords(t, "EventSystem", 256, model.EventSystem.String, model.ParseEventSystem)
	checkWords(t, "Quality", 256, model.Quality.String, model.ParseQuality)
	checkWords(t, "MarkColor", 256, model.MarkColor.String, model.ParseMarkColor)
	checkWords(t, "Critical", 256, model.Critical.String, model.ParseCritical)
	checkWords(t, "EvaluationKind", 256, model.EvaluationKind.String, model.ParseEvaluationKind)
}

func TestNationCodes(t *testing.T) {
	for n, code := range map[model.Nation]string{0: "", 42: "ENG", 53: "GER", 57: "GCI", 74: "", 124: "SCO"} {
		if n.Code() != code {
			t.Errorf("nation %d has the code %q, want %q", n, n.Code(), code)
		}
	}
	for n := range 256 {
		if code := model.Nation(n).Code(); code != "" && (len(code) != 3 || strings.ToUpper(code) != code) {
			t.Errorf("nation %d has the code %q", n, code)
		}
	}
}

func TestMedalNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := model.Medals(rapid.Uint32().Draw(t, "medals"))
		var got model.Medals
		for _, name := range m.Names() {
			bit, ok := model.ParseMedal(name)
			if !ok || got&bit != 0 || got > bit {
				t.Fatalf("%s reads as %#x, %v after %#x", name, bit, ok, got)
			}
			got |= bit
		}
		if got != m {
			t.Fatalf("%#x has the names %v", m, m.Names())
		}
	})
	for _, name := range []string{"gold", "", "#32", "#256", "#"} {
		if m, ok := model.ParseMedal(name); ok {
			t.Errorf("%q reads as %#x", name, m)
		}
	}
}

func TestTags(t *testing.T) {
	h := model.NewHeader()
	if h.Tag("Opening") != "" {
		t.Error("a new header has tags")
	}
	h.Tags = []model.Tag{{Name: "Board", Value: "1"}, {Name: "Opening", Value: "Sicilian"}}
	if h.Tag("Opening") != "Sicilian" || h.Tag("opening") != "" {
		t.Errorf("Tag returns %q, %q", h.Tag("Opening"), h.Tag("opening"))
	}
	if h.White != model.NoEntity || h.GameTitle != model.NoEntity || h.BlackTeam != model.NoEntity {
		t.Error("a new header refers to something")
	}
}

func TestPlayerNames(t *testing.T) {
	for name, p := range map[string]model.Player{
		"Tal, Mikhail":            {LastName: "Tal", FirstName: "Mikhail"},
		"Deep Blue":               {LastName: "Deep Blue"},
		", Ada":                   {FirstName: "Ada"},
		"":                        {},
		"O'Kelly de Galway, A, B": {LastName: "O'Kelly de Galway", FirstName: "A, B"},
	} {
		if got := model.ParsePlayer(name); got != p || p.String() != name {
			t.Errorf("%q reads as %+v and is written %q", name, got, p.String())
		}
	}
	if got := model.ParsePlayer(" Tal ,Mikhail "); got != (model.Player{LastName: "Tal", FirstName: "Mikhail"}) {
		t.Errorf("have %+v", got)
	}
}

// Who has won has won without play too.
func TestWinner(t *testing.T) {
	for r, want := range map[model.Result]model.Color{
		model.WhiteWins: model.White, model.WhiteWinsByForfeit: model.White, model.BlackWins: model.Black, model.BlackWinsByForfeit: model.Black,
	} {
		if c, ok := r.Winner(); !ok || c != want {
			t.Errorf("%v: %v, %v", r, c, ok)
		}
	}
	for _, r := range []model.Result{model.NoResult, model.Draw, model.DrawByForfeit, model.BothLose} {
		if _, ok := r.Winner(); ok {
			t.Errorf("%v has a winner", r)
		}
	}
}
