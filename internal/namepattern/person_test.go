package namepattern_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/namepattern"
	"cbkit/model"
)

func TestPerson(t *testing.T) {
	for _, c := range []struct {
		typed  string
		stored string
		want   bool
	}{
		{"Kasparov", "Kasparov, Garry", true}, {"kasparov", "KASPAROV", true}, {"Kasparov,G", "Kasparov, Garry", true},
		{"Kasparov, G.", "Kasparov, Garry", true}, {"Gary Kasparov", "Kasparov, Garry", true}, {"Gary Kasparov", "Kasparov, G", true},
		{"g kasparov", "Kasparov, Garry", true}, {"Kasparov Garry", "Kasparov, Garry", true}, {"Garry Kimovich Kasparov", "Kasparov, Garry", true},
		{"Gary Kasparov", "Gary Kasparov", true}, {"Kasparov, Gary", "Garry Kasparov", true}, {"Kasparov", "Gary Kasparov", true},
		{"Muller", "Müller, Karsten", true}, {"Müller", "Muller, K", true}, {"karsten muller", "Müller, Karsten", true},
		{"Vachier-Lagrave", "Vachier Lagrave, Maxime", true}, {"maxime vachier lagrave", "Vachier-Lagrave, M", true},
		{"van der Sterren", "Van der Sterren, Paul", true}, {"Nakamura", "Nakamura, Hikaru", true}, {"Żygouris", "Zygouris, H", true},
		{"Каспаров", "Каспаров, Гарри", true}, {"Ivan Saric", "Saric, Iv", true}, {"Igor Saric", "Saric, Iv", false},
		{"Kasparov", "Kasparova, N", false}, {"Kasparov, G", "Kasparov, Sergey", false}, {"Gary Kasparov", "Kasparov", false},
		{"Gary Kasparov", "Kasparov, Sergey", false}, {"Kasparov", "Karpov, Anatoly", false}, {"Gary", "Kasparov, Gary", true},
		{"", "Kasparov, G", false}, {"Kasp", "Kasparov, G", false}, {"", "", false}, {"Anna Muller", "Müller, Karsten", false},
	} {
		if got := namepattern.ParsePerson(c.typed).Matches(model.ParsePlayer(c.stored)); got != c.want {
			t.Errorf("%q for %q: %v", c.typed, c.stored, got)
		}
	}
}

func TestSimilar(t *testing.T) {
	names := []string{"Kasparov, Garry", "Karpov, Anatoly", "Kasparova, N", "Carlsen, M", "Müller, Karsten", "Xu", "Wijk aan Zee"}
	for asked, want := range map[string][]string{
		"Kasparof": {"Kasparov, Garry", "Kasparova, N"}, "Garry Kasparof": {"Kasparov, Garry", "Kasparova, N"}, "Carlson": {"Carlsen, M"},
		"Mueller": {"Müller, Karsten"}, "Wijk an Zee": {"Wijk aan Zee"}, "Tal": nil, "": nil, "Kas": {"Kasparov, Garry", "Kasparova, N"}, "zzzzzzzz": nil, "Опоченский": nil,
	} {
		s := namepattern.NewSimilar(asked)
		for _, name := range names {
			s.Add(name)
			s.Add(name)
		}
		if got := s.Names(); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", asked, got, want)
		}
	}
}

// What comes nearest has most of what was asked for, in whichever script.
func TestSimilarHasMostOfTheName(t *testing.T) {
	names := []string{"Vykouk, Jan", "Jansa, V", "Krejci, Jan2", "Lukas, Krzysztof", "Tschigorin, M", "Robertsen, Bjorn", "Lintner, Igor"}
	for asked, want := range map[string][]string{
		"Jan-Krzysztof": {"Lukas, Krzysztof"}, "Krzysztof Jan": {"Lukas, Krzysztof"}, "Чигорен": {"Tschigorin, M"}, "Chigoren": {"Tschigorin, M"},
		"Chigorim": {"Tschigorin, M"}, "Jan": {"Vykouk, Jan", "Jansa, V", "Krejci, Jan2"},
	} {
		s := namepattern.NewSimilar(asked)
		for _, name := range names {
			s.Add(name)
		}
		if got := s.Names(); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", asked, got, want)
		}
	}
}

// Names are near if a person may have both, and say why; what tells namesakes apart
// keeps them apart.
func TestNear(t *testing.T) {
	for _, c := range []struct {
		a, b, why string
	}{
		{"Müller, Karsten", "Muller, Karsten", "the same but"}, {"Карпов, Анатолий", "Karpov, Anatoliy", "the same but"},
		{"Vachier-Lagrave, M", "Vachier Lagrave, M", "the same but"}, {"Korchnoi, Viktor", "Kortschnoj, V", "spellings of one surname, an initial"},
		{"Carlsen, Magnus", "Carlsen, M", "an initial"}, {"Carlsen, Magnus", "Carlsen", "no first name"}, {"Carlsen, Magnus", "Magnus, Carlsen", "exchanged"},
		{"Carlsen Magnus", "Carlsen, Magnus", "exchanged"}, {"Kasparof, Garry", "Kasparov, Gary", "surnames that differ in a letter or two, a first name spelt"},
		{"De Firmian, N", "Defirmian, N", "without a blank"}, {"Polgar, Su", "Polgar, Susan", "a short form"}, {"Smith, J A", "Smith, J", "more first names"},
		{"Krejci, Jan2", "Krejci, Jan", ""}, {"Ivanov, A jr", "Ivanov, A", ""}, {"Smith, J A", "Smith, J B", ""}, {"Kasparov, G", "Kasparova", ""},
		{"Li, Wei", "Lu, Wei", ""}, {"Petrov, A", "Pietrow, B", ""}, {"NN", "NN, X", ""}, {"", "Li", ""}, {"侯逸凡", "侯逸", ""}, {"Ivanov, Igor", "Ivanov, Oleg", ""},
	} {
		a, b := namepattern.TakeApart(model.ParsePlayer(c.a)), namepattern.TakeApart(model.ParsePlayer(c.b))
		for range 2 {
			if why, near := a.Near(&b); near != (c.why != "") || !strings.Contains(why, c.why) {
				t.Errorf("%q and %q: %q", c.a, c.b, why)
			}
			a, b = b, a
		}
	}
}

// What dedup takes for one sound, searches take for spellings of one name: there is one
// table of how languages write a sound.
func TestOneTableOfSounds(t *testing.T) {
	for _, pair := range [][2]string{
		{"Chigorin, M", "Чигорин, Михаил"}, {"Tschigorin, M", "Tchigorin, M"}, {"Jussupow, A", "Юсупов, Артур"}, {"Akhmedov, A", "Ахмедов, А"},
		{"Korchnoi, V", "Kortschnoj, V"}, {"Nepomniachtchi, I", "Непомнящий, Ян"}, {"Schmidt, A", "Shmidt, A"},
	} {
		a, b := model.ParsePlayer(pair[0]), model.ParsePlayer(pair[1])
		x, y := namepattern.TakeApart(a), namepattern.TakeApart(b)
		if !x.SoundsLike(&y) || !namepattern.ParsePerson(a.LastName).Matches(b) {
			t.Errorf("%q and %q", pair[0], pair[1])
		}
	}
}

// Other spellings are of players with games, whom the name does not mean.
func TestOtherSpellings(t *testing.T) {
	games := map[string]int{"Korchnoi, Viktor": 5, "Kortschnoj, V": 2, "Korchnoi": 1, "Korschnoy, Viktor": 3, "Korchnoy, Igor": 4, "Karpov, A": 9, "Viktor, Korchnoi": 0}
	players := func(yield func(model.Player, int) bool) {
		for name, n := range games {
			if !yield(model.ParsePlayer(name), n) {
				return
			}
		}
	}
	for typed, want := range map[string]string{
		"Korchnoi, Viktor": "[{Korschnoy, Viktor 3} {Korchnoi 1}]", "Карпов": "[]", "Kor*": "[]", "#1": "[]", "Nobody": "[]", "": "[]",
	} {
		if got := fmt.Sprint(namepattern.ParseName(typed).Asks(players).OtherSpellings(players)); got != want {
			t.Errorf("%q: %s, want %s", typed, got, want)
		}
	}
	many := func(yield func(model.Player, int) bool) {
		for i := range 100 {
			if !yield(model.Player{LastName: "Smith", FirstName: string(rune('A'+i%26)) + strings.Repeat("x", i)}, 1) {
				return
			}
		}
		yield(model.Player{LastName: "Smyth", FirstName: "A"}, 1)
	}
	if got := namepattern.ParseName("Smith").Asks(many).OtherSpellings(many); got != nil {
		t.Errorf("other spellings of a hundred people: %v", got)
	}
}
