package namepattern

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "cbkit/internal/testkit/seeds"
	"cbkit/model"
)

// A name that is passed over by its signs does not match, and all that names have in common
// but for how languages write them leaves their signs as they are.
func TestSigns(t *testing.T) {
	letters := strings.Split("a b c d e f g h i j k l m n o p q r s t u v w x y z sch tch kh ph ts ck Ä é ы - ' . ß 7", " ")
	name := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(append(letters, " ", " ")), 1, 9).Draw(t, "letters"), "")
	})
	rapid.Check(t, func(t *rapid.T) {
		word := strings.ReplaceAll(Fold(name.Draw(t, "word")), " ", "")
		if like := spelling(word); like != "" && signOf(word) != signOf(like) {
			t.Fatalf("%q and %q have signs %x and %x", word, like, signOf(word), signOf(like))
		}
		stored := name.Draw(t, "stored")
		at := rapid.IntRange(0, len(stored)).Draw(t, "at")
		slip := strings.ToValidUTF8(stored[:at]+rapid.SampledFrom(letters).Draw(t, "slip")+stored[min(at+1, len(stored)):], "")
		typed := rapid.SampledFrom([]string{stored, strings.ToUpper(stored), spelling(Fold(stored)), slip, name.Draw(t, "typed")}).Draw(t, "one of them")
		p, player := ParsePerson(typed), model.ParsePlayer(stored)
		want := slow(p, player)
		if got := p.Matches(player); got != want || want && !p.CanMatch([]byte(stored)) || p.CanMatch([]byte(stored)) && !p.CanBegin([]byte(stored)) {
			t.Fatalf("%q for %q: %v, want %v", typed, stored, got, want)
		}
		first := name.Draw(t, "first")
		parted := model.Player{LastName: stored, FirstName: first}
		for _, p := range []model.Player{{LastName: slip, FirstName: first}, {LastName: first, FirstName: stored}, {LastName: spelling(Fold(stored)), FirstName: first[:1]}, model.ParsePlayer(first + " " + stored)} {
			s, o := TakeApart(p), TakeApart(parted)
			if why, near := s.Near(&o); near && !canBeNear(&s, parted.LastName, parted.FirstName) {
				t.Fatalf("%v cannot be near %v: %s", p, parted, why)
			}
		}
		x, y := TakeApart(model.ParsePlayer(typed)), TakeApart(player)
		for _, pair := range [][2]Spelt{{x, y}, {*x.turned(), y}, {x, *y.turned()}, {*x.turned(), *y.turned()}} {
			why, near := pair[0].near(&pair[1])
			pair[0].letters, pair[1].letters = 0, 0
			if slowly, really := pair[0].near(&pair[1]); why != slowly || near != really {
				t.Fatalf("%q and %q: %q, want %q", typed, stored, why, slowly)
			}
		}
	})
}

// slow is Matches for a person without signs, who may be anybody.
func slow(p Person, player model.Player) bool {
	p.signs = nil
	return p.Matches(player)
}
