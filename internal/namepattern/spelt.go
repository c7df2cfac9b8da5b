package namepattern

import (
	"cmp"
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cbkit/model"
)

// Spelt is a player's name taken apart for comparing it with others.
type Spelt struct {
	last  string // folded surname
	first string // folded first names, "" if not known
	like  string // the spelling of the surname
	// sound is what spellings of one surname have in common.
	sound uint32
	// letters are those of the surname that no language writes with others.
	letters uint32
	// bare says that nothing tells whether the surname stands first or last.
	bare bool
}

// TakeApart takes a name apart. Without a comma the last word is the surname,
// unless it is an initial.
func TakeApart(p model.Player) Spelt {
	s := takeApart(p)
	s.sound = soundOf(s.last)
	return s
}

// takeApart leaves out the sound, which near asks for seldom.
func takeApart(p model.Player) Spelt {
	if p.FirstName == "" || strings.Contains(p.LastName, ",") {
		p = model.ParsePlayer(p.String()) // as texts have it
	}
	p, bare := inOrder(p), false
	last, first := Fold(p.LastName), Fold(p.FirstName)
	if first == "" {
		words := strings.Fields(last)
		for i := len(words) - 1; i >= 0; i-- {
			if len(words[i]) > 1 {
				bare = i > 0 && i == len(words)-1 && len(words[0]) > 1
				end := i + 1
				for i > 1 && particles[words[i-1]] {
					i--
				}
				last, first = strings.Join(words[i:end], " "), strings.Join(append(words[:i:i], words[end:]...), " ")
				break
			}
		}
	}
	return Spelt{last: last, first: first, like: spelling(last), letters: lettersOf(last), bare: bare}
}

// turned returns the name as it is read with the surname first, itself if it is not bare.
func (s *Spelt) turned() *Spelt {
	if !s.bare {
		return s
	}
	words := strings.Fields(s.first + " " + s.last)
	n := surnameFirst(words)
	last := strings.Join(words[:n], " ")
	return &Spelt{last: last, first: strings.Join(words[n:], " "), like: spelling(last), sound: soundOf(last), letters: lettersOf(last)}
}

// surnameFirst returns how many words of a name its surname has if it stands first.
func surnameFirst(words []string) int {
	n := 1
	for n < len(words) && particles[words[n-1]] {
		n++
	}
	if n == len(words) {
		return 1 // "Du Yuxin": no particle, there is nothing behind but a given name
	}
	return n
}

// inOrder returns a name with a comma without a title in front, GM or WIM in capitals,
// and with the particles behind the first names where they stand in front of the
// surname: "Wiel, John van der" is "van der Wiel, John".
func inOrder(p model.Player) model.Player {
	if p.FirstName == "" {
		return p
	}
	if title, rest, ok := strings.Cut(p.LastName, " "); ok && len(title) <= longestTitle && titles[title] {
		p.LastName = rest
	}
	if at := strings.LastIndexByte(p.FirstName, ' '); at > 0 && particles[p.FirstName[at+1:]] {
		words := strings.Fields(p.FirstName)
		n := len(words) - 1
		for n > 1 && particles[words[n-1]] {
			n--
		}
		p.FirstName, p.LastName = strings.Join(words[:n], " "), strings.Join(words[n:], " ")+" "+p.LastName
	}
	return p
}

// longestTitle is how many letters a title has at most.
const longestTitle = 3

var (
	titles    = setOf("GM IM FM CM NM WGM WIM WFM WCM")
	particles = setOf("van von vom der den de del della di da do dos das du la las los ten ter te zu zur")
)

// withoutParticles returns a folded surname without the particles in front of it.
func withoutParticles(last string) string {
	for {
		word, rest, more := strings.Cut(last, " ")
		if !more || !particles[word] {
			return last
		}
		last = rest
	}
}

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// Sounds returns two numbers, often the same, of which two names share one if they are
// spellings of one surname.
func (s *Spelt) Sounds() [2]uint32 {
	if t := s.turned(); t != s {
		return [2]uint32{s.sound, t.sound}
	}
	return [2]uint32{s.sound, soundOf(withoutBlanks(s.last))} // "Van Wely" and "Vanwely"
}

func withoutBlanks(name string) string { return strings.ReplaceAll(name, " ", "") }

// SoundsLike reports whether two names share one of their sounds.
func (s *Spelt) SoundsLike(o *Spelt) bool {
	a, b := s.Sounds(), o.Sounds()
	return a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1]
}

// soundOf returns a number that spellings of one surname share: of its first
// consonants, behind those of its particles; vowels and h say nothing.
func soundOf(last string) uint32 {
	sound := uint32(2166136261)
	core := withoutParticles(last)
	front := spelling(voiced.Replace(last[:len(last)-len(core)]))
	n, before := 0, rune(0)
	for i, r := range front + spelling(voiced.Replace(core)) {
		if i == len(front) {
			n, before = 0, 0
		}
		if strings.ContainsRune("aeiouyhj ", r) {
			continue
		}
		if r == before {
			continue
		}
		if before = r; n == 4 {
			continue
		}
		n++
		sound = (sound ^ uint32(r)) * 16777619
	}
	if n == 0 { // nothing but vowels
		for _, r := range last {
			sound = (sound ^ uint32(r)) * 16777619
		}
	}
	return sound
}

// IsKnown reports whether there is a name.
func (s *Spelt) IsKnown() bool { return s.last != "" && s.last != "nn" }

// Same reports whether two names can be spellings of one, for those who know more of
// both, such as the same moves. exactly says that they are letter by letter the same.
func (s *Spelt) Same(o *Spelt) (same, exactly bool) {
	if same, exactly = s.same(o); exactly {
		return true, true
	}
	if a, b := digitsOf(s), digitsOf(o); a != b && a != "" && b != "" {
		return false, false // "Stockfish 16" and "Stockfish 17"
	}
	if same {
		return true, false
	}
	for a, b := range s.withSurnameFirst(o) {
		x, y := strings.Fields(a.first), strings.Fields(b.first)
		n := min(len(x), len(y)) // all that both have: the first of "Le Quang Liem" may be but a middle name
		if a.IsKnown() && slices.EqualFunc(x[:n], y[:n], sameGiven) {
			return true, false
		}
	}
	return false, false
}

// withSurnameFirst yields the other ways to read two names of which one is bare, as far
// as they have the same surname then.
func (s *Spelt) withSurnameFirst(o *Spelt) iter.Seq2[*Spelt, *Spelt] {
	return func(yield func(*Spelt, *Spelt) bool) {
		if !s.bare && !o.bare {
			return
		}
		a, b := s.turned(), o.turned()
		for _, pair := range [][2]*Spelt{{a, o}, {s, b}, {a, b}} {
			if pair[0].last == pair[1].last && !yield(pair[0], pair[1]) {
				return
			}
		}
	}
}

func (s *Spelt) same(o *Spelt) (same, exactly bool) {
	if s.last == o.last && s.first == o.first {
		return true, true
	}
	if !s.IsKnown() || !o.IsKnown() {
		return false, false
	}
	if s.last != o.last && s.sound != o.sound && differ(withoutBlanks(s.last), withoutBlanks(o.last), slips(s.last, o.last)) {
		// "Carlsen Magnus" without its comma
		return s.first != "" && s.last == o.first && s.first == o.last, false
	}
	return s.first == "" || o.first == "" || sameGiven(strings.Fields(s.first)[0], strings.Fields(o.first)[0]), false
}

// sameGiven reports whether two first names agree as far as they are given.
func sameGiven(x, y string) bool {
	if len(x) < 3 || len(y) < 3 {
		return x[0] == y[0]
	}
	return strings.HasPrefix(x, y) || strings.HasPrefix(y, x) || !differ(x, y, slips(x, y)) || soundOf(x) == soundOf(y)
}

// slips is how many letters may differ in two names: none in short ones, two at most.
// Particles make no name longer.
func slips(a, b string) int {
	return min(utf8.RuneCountInString(withoutParticles(a))/4, utf8.RuneCountInString(withoutParticles(b))/4, 2)
}

// Near reports whether two names that are not the same can be those of one person when
// nothing is known but the names, and says in a few words why. It wants more than
// [Spelt.Same]: surnames that are near in letters too, every first name that both have,
// and no mark of a namesake in one alone.
func (s *Spelt) Near(o *Spelt) (why string, near bool) {
	if why, near = s.near(o); near {
		return why, near
	}
	for a, b := range s.withSurnameFirst(o) {
		if why, near = a.near(b); near {
			return joinedWords("with the surname first", strings.TrimPrefix(why, sameLetters)), true
		}
	}
	return "", false
}

// canBeNear reports whether a name can be near, by the letters of its two parts. It looks at
// plain names alone, without titles and particles, and is true of all others.
func canBeNear[T string | []byte](s *Spelt, lastName, firstName T) bool {
	if s.bare || len(firstName) == 0 || sounds[firstName[0]] == 0 {
		return true
	}
	for i := range len(lastName) {
		if lastName[i] == ',' || lastName[i] == ' ' && i <= longestTitle {
			return true
		}
	}
	for i := 1; i < len(firstName); i++ {
		if firstName[i-1] == ' ' && firstName[i] >= 'a' {
			return true
		}
	}
	last, first := lettersOf(lastName), lettersOf(firstName)
	return (last|first)>>31 != 0 || s.letters == first || !s.farFrom(last, len(lastName))
}

// farFrom reports whether a surname of so many letters differs by more than slips.
func (s *Spelt) farFrom(letters uint32, n int) bool {
	return bits.OnesCount32(s.letters^letters) > 2*min(len(s.last)/4, n/4, 2)
}

// sameLetters is why names are near that are the same.
const sameLetters = "the same but for accents, signs, letters of other languages"

func (s *Spelt) near(o *Spelt) (why string, near bool) {
	switch {
	case !s.IsKnown() || !o.IsKnown():
		return "", false
	case s.last == o.last && s.first == o.first:
		return sameLetters, true
	case s.first != "" && s.last == o.first && s.first == o.last:
		return "first name and surname exchanged", marksOf(s) == marksOf(o)
	case s.farFrom(o.letters, len(o.last)):
		return "", false
	}
	given := ""
	a, x, _ := strings.Cut(s.first, " ")
	b, y, _ := strings.Cut(o.first, " ")
	if (a == "") != (b == "") {
		given = "no first name in one"
	}
	for a != "" && b != "" {
		switch short := min(utf8.RuneCountInString(a), utf8.RuneCountInString(b)); {
		case a == b:
		case strings.HasPrefix(a, b) || strings.HasPrefix(b, a):
			given = cmp.Or(given, map[bool]string{true: "an initial of the first name", false: "a short form of the first name"}[short == 1])
		case short >= 3 && (spelling(a) == spelling(b) || !differ(a, b, slips(a, b))):
			given = "a first name spelt otherwise"
		default:
			return "", false
		}
		if given == "" && (x == "") != (y == "") {
			given = "more first names in one"
		}
		a, x, _ = strings.Cut(x, " ")
		b, y, _ = strings.Cut(y, " ")
	}
	surname, near := s.nearSurname(o)
	if !near || surname == otherLetters && given == "no first name in one" {
		return "", false
	}
	if marksOf(s) != marksOf(o) {
		return "", false
	}
	return joinedWords(surname, given), true
}

// otherLetters is why surnames are near that are no spellings of one.
const otherLetters = "surnames that differ in a letter or two"

// nearSurname is [Spelt.Near] for the surnames alone.
func (s *Spelt) nearSurname(o *Spelt) (why string, near bool) {
	switch a, b := s.like, o.like; {
	case s.last == o.last:
		return "", true
	case a == b:
		return "spellings of one surname", true
	case withoutBlanks(s.last) == withoutBlanks(o.last):
		return "a surname with and without a blank", true
	case !differ(s.last, o.last, slips(s.last, o.last)), !differ(a, b, slips(a, b)) && soundOf(s.last) == soundOf(o.last):
		return otherLetters, true
	}
	return "", false
}

// IsFull reports whether a first name is known, not only its initial.
func (s *Spelt) IsFull() bool {
	return slices.ContainsFunc(strings.Fields(s.first), func(word string) bool { return utf8.RuneCountInString(word) > 1 })
}

// Keys calls do with texts of which two names that are near have at least one in common,
// but for surnames of which two letters differ and the sound too.
func (s *Spelt) Keys(do func(string)) {
	if !s.IsKnown() {
		return
	}
	if t := s.turned(); t != s {
		t.Keys(do)
	}
	initial, _ := utf8.DecodeRuneInString(spelling(s.first))
	with := func(kind, key string) { do(kind + key + "\x00" + string(initial)) }
	do("=" + withoutBlanks(min(s.last+s.first, s.first+s.last)))
	do("0" + s.last) // where one has no first name
	with("s", withoutBlanks(s.like))
	with("b", withoutBlanks(s.last))
	for _, text := range [2]string{s.last, s.like} {
		if utf8.RuneCountInString(text) < 4 {
			continue
		}
		with("d", text)
		for i, r := range text {
			with("d", text[:i]+text[i+utf8.RuneLen(r):])
		}
	}
	if utf8.RuneCountInString(s.like) >= 8 {
		with("x", fmt.Sprint(s.sound))
	}
}

// joinedWords joins what is said of the two parts of a name.
func joinedWords(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ", " + b
}

// digitsOf returns the digits of the surname, then those of the first names.
func digitsOf(s *Spelt) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s.last+s.first)
}

// marksOf returns what tells namesakes apart: the digits of a name, then its words
// of generations; "2" of "Krejci, Jan2", "jr" of "Ivanov, A jr".
func marksOf(s *Spelt) string {
	marks := digitsOf(s)
	for _, word := range append(strings.Fields(s.last), strings.Fields(s.first)...) {
		if slices.Contains(generations, word) {
			marks += word
		}
	}
	return marks
}

// generations are words that tell namesakes apart.
var generations = []string{"jr", "sr", "jun", "sen", "junior", "senior", "ii", "iii", "iv"}

// Spelling is a name with the number of its games.
type Spelling struct {
	Name  string `json:"name"`
	Games int    `json:"games"`
}

// mostFound is how many players a name may mean for their other spellings to be looked
// for: who means more does not ask for a person.
const mostFound = 64

// Asked are the players that a name means, to find other spellings of them.
type Asked struct {
	name            Name
	found, surnames []Spelt
}

// Asks returns the players that a name means among some, nil if there are none or too many.
func (n Name) Asks(among iter.Seq2[model.Player, int]) *Asked {
	if _, is := ParseNumber(n.typed); is || n.person == nil {
		return nil
	}
	a := &Asked{name: n}
	for p := range among {
		if n.IsPlayer(p) {
			s := takeApart(p)
			if a.found = append(a.found, s); len(a.found) > mostFound {
				return nil
			}
			if !slices.ContainsFunc(a.surnames, func(o Spelt) bool { return o.last == s.last && o.bare == s.bare }) {
				a.surnames = append(a.surnames, s)
			}
		}
	}
	if len(a.found) == 0 {
		return nil
	}
	return a
}

// CanHave is true of the parts of a stored name that may be another spelling, and of others.
func (a *Asked) CanHave(last, first []byte) bool {
	for i := range a.surnames {
		if canBeNear(&a.surnames[i], last, first) {
			return true
		}
	}
	return false
}

// OtherSpellings returns the names that can have been meant besides those that the name
// means: what may be other spellings of these, those with most games first. Players come
// with the number of their games; those without games are none. A nil Asked has none.
func (a *Asked) OtherSpellings(among iter.Seq2[model.Player, int]) (list []Spelling) {
	if a == nil {
		return nil
	}
	for p, games := range among {
		canBe := func(s Spelt) bool { return canBeNear(&s, p.LastName, p.FirstName) }
		if games == 0 || !slices.ContainsFunc(a.surnames, canBe) || a.name.IsPlayer(p) {
			continue
		}
		other := takeApart(p)
		hasSurname := func(s Spelt) bool {
			_, near := s.nearSurname(&other)
			return near || s.bare || other.bare || s.last == other.first
		}
		if slices.ContainsFunc(a.surnames, hasSurname) && slices.ContainsFunc(a.found, func(f Spelt) bool { _, near := f.Near(&other); return near }) {
			list = append(list, Spelling{p.String(), games})
		}
	}
	slices.SortFunc(list, func(a, b Spelling) int { return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(a.Name, b.Name)) })
	return list
}
