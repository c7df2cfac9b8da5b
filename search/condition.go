package search

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"cbkit/board"
	"cbkit/internal/marks"
	"cbkit/internal/namepattern"
	"cbkit/internal/scid"
	"cbkit/model"
)

// Condition says which records are wanted. Conditions come from the functions of
// this package, from [Term] and from [Parse]; String returns what Parse reads.
//
// Nil is no condition, alone or inside another one: a search for it is an error.
type Condition interface {
	String() string
	// bind prepares the condition for one search.
	bind(s *session) (test, error)
}

// test is a condition in a search. Tests may run in several goroutines.
type test interface {
	// eval judges a record. It is never maybe for a row that is loaded.
	eval(r *row) truth
	// bound returns lists that together hold all records for which the test
	// can be true, nil if there are none.
	bound() *bound
}

// And is true where all of the conditions are; with none it is always true.
func And(list ...Condition) Condition { return allOf(list) }

// Or is true where one of the conditions is; with none it never is.
func Or(list ...Condition) Condition { return anyOf(list) }

// Not is true where the condition is false, for guiding texts too.
func Not(c Condition) Condition { return notOf{c} }

type allOf []Condition

// String implements Condition.
func (a allOf) String() string { return joined(a, " and ", "id:1..") }

func (a allOf) bind(s *session) (test, error) {
	flat, outer := a.flat(), s.about
	if own := playersIn(flat); len(own) > 0 {
		s.about = own
	}
	list, err := bindAll(flat, s)
	s.about = outer
	return allTests(list), err
}

// flat returns the conditions without lists in lists.
func (a allOf) flat() (list []Condition) {
	for _, c := range a {
		if inner, is := c.(allOf); is {
			list = append(list, inner.flat()...)
		} else {
			list = append(list, c)
		}
	}
	return list
}

type anyOf []Condition

// String implements Condition.
func (a anyOf) String() string { return joined(a, " or ", "not id:1..") }

func (a anyOf) bind(s *session) (test, error) {
	list, err := bindAll(a, s)
	return anyTests(list), err
}

type notOf struct{ Condition }

// String implements Condition.
func (n notOf) String() string { return "not " + written(n.Condition) }

func (n notOf) bind(s *session) (test, error) {
	asked := s.mainLinesOnly
	t, err := bind(n.Condition, s)
	s.mainLinesOnly = asked // looking further would find less
	return notTest{t}, err
}

// joined writes several conditions in parentheses; none is written as empty.
func joined(list []Condition, word, empty string) string {
	switch len(list) {
	case 0:
		return empty
	case 1:
		return written(list[0])
	}
	words := make([]string, len(list))
	for i, c := range list {
		words[i] = written(c)
	}
	return "(" + strings.Join(words, word) + ")"
}

// written writes a condition; nil is a word that Parse refuses.
func written(c Condition) string {
	if c == nil {
		return "nil:"
	}
	return c.String()
}

// errNoCondition is the error of a search for nil.
var errNoCondition = errors.New("a condition is nil; And() is true of all records")

// bind prepares a condition, which may be nil.
func bind(c Condition, s *session) (test, error) {
	if c == nil {
		return nil, errNoCondition
	}
	return c.bind(s)
}

func bindAll(list []Condition, s *session) ([]test, error) {
	tests := make([]test, len(list))
	for i, c := range list {
		var err error
		if tests[i], err = bind(c, s); err != nil {
			return nil, err
		}
	}
	return tests, nil
}

type allTests []test

func (a allTests) eval(r *row) truth {
	all := yes
	for _, t := range a {
		if all = min(all, t.eval(r)); all == no {
			return no
		}
	}
	return all
}

// bound is the smallest of the bounds.
func (a allTests) bound() *bound {
	var best *bound
	for _, t := range a {
		if b := t.bound(); b != nil && (best == nil || b.uses() < best.uses()) {
			best = b
		}
	}
	return best
}

type anyTests []test

func (a anyTests) eval(r *row) truth {
	any := no
	for _, t := range a {
		if any = max(any, t.eval(r)); any == yes {
			return yes
		}
	}
	return any
}

// bound is all bounds together, if every condition has one.
func (a anyTests) bound() *bound {
	all := &bound{}
	for _, t := range a {
		b := t.bound()
		if b == nil {
			return nil
		}
		all.sets, all.ids = append(all.sets, b.sets...), append(all.ids, b.ids...)
	}
	return all
}

type notTest struct{ test }

func (n notTest) eval(r *row) truth { return yes - n.test.eval(r) }

func (n notTest) bound() *bound { return nil }

// contentCondition is asked of games that were read.
type contentCondition struct {
	text  string            // what String returns
	wants model.Want        // what is read of a game
	never func(r *row) bool // the header rules it out; nil: no header does
	meets func(r *row) bool
}

// String implements Condition.
func (c *contentCondition) String() string { return c.text }

func (c *contentCondition) bind(s *session) (test, error) {
	s.wants |= c.wants
	return c, nil
}

func (c *contentCondition) bound() *bound { return nil }

func (c *contentCondition) eval(r *row) truth {
	switch {
	case r.refs.Text, c.never != nil && c.never(r):
		return no
	case !r.loaded:
		return maybe
	}
	return truthOf(r.game != nil && c.meets(r))
}

// parseComment reads words in the comments of a game, in any language, before or behind a
// move. Case, accents and punctuation do not matter.
func parseComment(value string) (Condition, error) {
	folded := namepattern.Fold(value)
	if folded == "" {
		return nil, fmt.Errorf("%q: write letters or digits that the comment has", value)
	}
	return &contentCondition{
		text: term("comment", value), wants: model.WantMoves | model.WantAnnotations,
		never: func(r *row) bool { return r.stored != nil && r.stored.bare },
		meets: func(r *row) bool {
			return slices.ContainsFunc(r.game.Annotations, func(a model.Annotation) bool {
				text, ok := a.Value.(model.Text)
				return ok && strings.Contains(namepattern.Fold(text.Text), folded)
			})
		},
	}, nil
}

// sayingCondition looks at what annotations say of moves on the main line.
type sayingCondition struct {
	name  string
	named nameCondition // whose moves; no kind is those of both
	limit int
	meets func(t *sayingTest, r *row) int
}

// parseSaying reads a number, before which a player may stand.
func parseSaying(name, unit string, least int, meets func(*sayingTest, *row) int) func(string) (Condition, error) {
	return func(value string) (Condition, error) {
		c := &sayingCondition{name: name, meets: meets}
		digits := value
		if at := strings.LastIndexByte(value, '/'); at >= 0 {
			c.named, digits = titled(players, anySide)(value[:at]).(nameCondition), value[at+1:]
		}
		var err error
		if c.limit, err = number(digits); err != nil || digits == "" || c.limit < least || len(digits) == len(value)-1 {
			return nil, fmt.Errorf("%q: write a number of %s, a player and / may stand before it: Carlsen/200", value, unit)
		}
		return c, nil
	}
}

// String implements Condition.
func (c *sayingCondition) String() string {
	value := strconv.Itoa(c.limit)
	if c.named.kind != nil {
		value = string(c.named.pattern) + "/" + value
	}
	return term(c.name, value)
}

func (c *sayingCondition) bind(s *session) (test, error) {
	s.wants |= model.WantMoves | model.WantAnnotations
	t := &sayingTest{sayingCondition: c}
	if c.named.kind == nil {
		return t, nil
	}
	of, err := c.named.bind(s)
	if err == nil {
		named := of.(nameTest)
		t.of = &named
	}
	return t, err
}

// sayingTest knows the players.
type sayingTest struct {
	*sayingCondition
	of *nameTest // nil is both
}

func (t *sayingTest) bound() *bound {
	if t.of != nil {
		return t.of.bound()
	}
	return nil
}

func (t *sayingTest) eval(r *row) truth {
	switch {
	case r.refs.Text, r.stored != nil && r.stored.bare, t.of != nil && t.of.eval(r) == no:
		return no
	case !r.loaded:
		return maybe
	}
	return truthOf(r.game != nil && r.game.IsPlayable() && t.meets(t, r) != model.NoNode)
}

// sides are those whose moves count.
func (t *sayingTest) sides(r *row) (sides [2]bool) {
	sides = [2]bool{true, true}
	if t.of != nil {
		sides[model.White], sides[model.Black] = t.of.of(r)
	}
	return sides
}

// blunder returns the first move by which the evaluation falls far enough for its player,
// model.NoNode if there is none.
func (t *sayingTest) blunder(r *row) int {
	const most, unknown = 1000, 1 << 30
	sides, before := t.sides(r), unknown
	for node, said := range marks.MainLine(r.game) {
		if said.Eval.Kind == "" {
			continue
		}
		now := int(said.Eval.Value)
		switch {
		case !said.Eval.Mate:
		case now == 0 && said.Player == model.Black: // the move has mated
			now = -most
		case now == 0:
			now = most
		default:
			now *= most
		}
		now = max(-most, min(most, now))
		fallen := before - now
		if said.Player == model.Black {
			fallen = -fallen
		}
		if node != model.NoNode && before != unknown && sides[said.Player] && fallen >= t.limit {
			return node
		}
		before = now
	}
	return model.NoNode
}

// short returns the first move after which a player has little enough time.
func (t *sayingTest) short(r *row) int {
	sides := t.sides(r)
	for node, said := range marks.MainLine(r.game) {
		if node != model.NoNode && said.Clock.Kind != "" && sides[said.Player] && int(said.Clock.Value) <= 100*t.limit {
			return node
		}
	}
	for i := range r.game.Annotations {
		if c, is := r.game.Annotations[i].Value.(model.Clock); is && sides[c.Player&1] && int(c.Centiseconds) <= 100*t.limit {
			return r.game.Moves.MainLen() - 1 // what was left at the end
		}
	}
	return model.NoNode
}

// Func is true for games for which meets returns true. Meets gets games without
// annotations and may be called from several goroutines. Name is what String returns;
// [Parse] cannot read it.
func Func(name string, meets func(*model.Game) bool) Condition {
	return &contentCondition{text: name, wants: model.WantMoves, meets: func(r *row) bool { return r.game.IsPlayable() && meets(r.game) }}
}

// parseTag reads a tag of PGN that the model has no field for, such as
// TimeControl, and its value; '*' stands for any characters, '?' for one, upper and lower
// case are the same. Such tags are in PGN and JSON Lines; .cbh and .dci have none.
func parseTag(value string) (Condition, error) {
	name, is, ok := strings.Cut(value, "=")
	if !ok || name == "" || is == "" {
		return nil, fmt.Errorf("%q: write a tag and its value: TimeControl=300+3, WhiteTitle=*", value)
	}
	return &contentCondition{
		text: term("tag", value), never: isStored,
		meets: func(r *row) bool {
			return slices.ContainsFunc(r.game.Tags, func(t model.Tag) bool {
				return strings.EqualFold(t.Name, name) && namepattern.Pattern(is).Matches(t.Value)
			})
		},
	}, nil
}

// flagged is met by games with a flag of Scid: a letter as in the tag ScidFlags, a word for
// it, or the name that a database of Scid gives one of its own. Other databases have it as
// that tag or, as .cbh and .dci, not at all.
func flagged(name string) Condition {
	if name == "D" || strings.EqualFold(name, "deleted") {
		return Deleted()
	}
	return flagCondition{name}
}

// scidFlags are words for flags of Scid.
var scidFlags = map[string]string{
	"white opening": "W", "black opening": "B", "middlegame": "M", "endgame": "E", "novelty": "N", "pawn structure": "P", "tactics": "T",
	"kingside": "K", "queenside": "Q", "brilliancy": "!", "blunder": "?", "user": "U",
}

// isStored reports whether a header of ChessBase was read, which stores no tags.
func isStored(r *row) bool { return r.stored != nil }

// flagCondition looks for a flag, which is one of some letters.
type flagCondition struct{ name string }

// String implements Condition.
func (c flagCondition) String() string { return term("flag", c.name) }

func (c flagCondition) bind(s *session) (test, error) {
	letters := scidFlags[strings.ToLower(c.name)]
	if len(c.name) == 1 && strings.Contains(scid.FlagLetters[3:], c.name) {
		letters = c.name
	}
	if h, _, err := scid.DecodeHeader(s.leftover.From(scid.Format)); err == nil {
		for i, own := range h.FlagNames {
			if name := string(scid.CString(own[:])); name != "" && strings.EqualFold(name, c.name) {
				letters += string(rune('1' + i))
			}
		}
	}
	return &contentCondition{
		never: func(r *row) bool { return isStored(r) || letters == "" },
		meets: func(r *row) bool {
			return slices.ContainsFunc(r.game.Tags, func(t model.Tag) bool {
				return t.Name == scid.FlagsTag && strings.ContainsAny(t.Value, letters)
			})
		},
	}, nil
}

// headCondition looks at the header of a record.
type headCondition struct {
	name, value string
	match       func(r *row) bool
}

// String implements Condition.
func (c headCondition) String() string { return term(c.name, c.value) }

func (c headCondition) bind(*session) (test, error) { return c, nil }

func (c headCondition) eval(r *row) truth { return truthOf(c.match(r)) }

func (c headCondition) bound() *bound { return nil }

// gameCondition looks at the header of a game.
func gameCondition(name, value string, match func(r *row) bool) Condition {
	return headCondition{name, value, func(r *row) bool { return !r.refs.Text && match(r) }}
}

// Games is true for games, and not for guiding texts.
func Games() Condition {
	return headCondition{"kind", "game", func(r *row) bool { return !r.refs.Text }}
}

// texts is true for guiding texts.
func texts() Condition {
	return headCondition{"kind", "text", func(r *row) bool { return r.refs.Text }}
}

// Deleted is true for records that are marked as deleted. Without a condition
// about it a search finds them like all others.
func Deleted() Condition { return deletedCondition{} }

// deletedCondition is one by itself, since the index of positions knows the answer too.
type deletedCondition struct{}

// String implements Condition.
func (deletedCondition) String() string { return term("deleted", "yes") }

func (c deletedCondition) bind(*session) (test, error) { return c, nil }

func (deletedCondition) eval(r *row) truth { return truthOf(r.deleted) }

func (deletedCondition) bound() *bound { return nil }

// numbered is true for the records with ids in a range; 0 as last is no limit.
func numbered(first, last model.RecordID) Condition {
	return headCondition{"id", rangeText(int(first), int(last)), func(r *row) bool {
		return r.id >= first && (last == 0 || r.id <= last)
	}}
}

// dated is true for games played between two dates, both included. What is not
// known in the limits stretches the range: from 1990 to 1999 is the whole
// decade. What is not known of a game's date comes before all that is: a game
// of 1995 is not between 1995.03 and 1995.08. A limit that is zero is none.
func dated(from, to model.Date) Condition {
	first, last := dateKey(from), dateKey(to)
	if to.Day == 0 {
		last |= 31
	}
	if to.Month == 0 {
		last |= 15 << 5
	}
	if to.IsZero() {
		last = 1<<32 - 1
	}
	return gameCondition("date", dateText(from)+".."+dateText(to), func(r *row) bool {
		key := dateKey(r.date)
		return key >= first && key <= last
	})
}

func dateKey(d model.Date) uint32 {
	return uint32(d.Year)<<9 | uint32(d.Month&15)<<5 | uint32(d.Day&31)
}

// dateText writes a date without its unknown parts at the end.
func dateText(d model.Date) string {
	switch {
	case d.IsZero():
		return ""
	case d.Month == 0 && d.Day == 0:
		return fmt.Sprintf("%04d", d.Year)
	case d.Day == 0:
		return fmt.Sprintf("%04d.%02d", d.Year, d.Month)
	}
	return d.String()
}

// coded is true for games with opening codes in a range, both included. A limit
// without a sub-code takes in all of its sub-codes.
func coded(from, to model.ECO) Condition {
	last := to
	if to.Sub() == 0 {
		last |= 127
	}
	return gameCondition("eco", from.String()+".."+to.String(), func(r *row) bool {
		return r.eco.Valid() && r.eco >= from && r.eco <= last
	})
}

// resultWord is PGN's word, behind which a forfeit is marked.
func resultWord(r model.Result) string {
	if r.IsForfeit() {
		return r.String() + "f"
	}
	return r.String()
}

// rated is true for games with ratings in a range, of the sides asked for; 0
// as most is no limit. A rating that is not known is in no range.
func rated(side whose, least, most int) Condition {
	in := func(elo uint16) bool { return elo != 0 && int(elo) >= least && (most == 0 || int(elo) <= most) }
	return gameCondition(side.prefix("elo"), rangeText(least, most), func(r *row) bool {
		return side.holds(in(r.whiteElo), in(r.blackElo))
	})
}

// inRounds is true for games of rounds in a range; 0 as last is no limit.
func inRounds(first, last int) Condition {
	return gameCondition("round", rangeText(first, last), func(r *row) bool {
		return r.round != 0 && r.round >= first && (last == 0 || r.round <= last)
	})
}

// whose says which of the two players a condition is about.
type whose uint8

// The sides.
const (
	anySide   whose = iota // one of them, whichever
	whiteSide              // the one with the white pieces
	blackSide              // the one with the black pieces
	bothSides              // both of them
)

// holds joins what is true of White and of Black.
func (s whose) holds(white, black bool) bool {
	switch s {
	case whiteSide:
		return white
	case blackSide:
		return black
	case bothSides:
		return white && black
	}
	return white || black
}

// prefix puts the side before the name of a term.
func (s whose) prefix(name string) string {
	return [...]string{"", "white-", "black-", "both-"}[s&3] + name
}

// factCondition looks at what the header of a game says about its content. In
// formats that do not store it, it is computed from the game.
type factCondition struct {
	name, value string
	match       func(f stored) bool
	// inTexts says that the answer may stand in texts, of which headers tell no more than
	// that there are some: it is asked of the annotations then. Unflagged says that it may stand
	// in other annotations of which headers tell nothing.
	inTexts, unflagged bool
}

// String implements Condition.
func (c factCondition) String() string { return term(c.name, c.value) }

func (c factCondition) bind(s *session) (test, error) {
	if s.base == nil { // the headers of a ChessBase database have it
		s.wants |= model.WantMoves | model.WantAnnotations
	} else if c.inTexts {
		s.wants |= model.WantAnnotations
	}
	return c, nil
}

func (c factCondition) eval(r *row) truth {
	if r.refs.Text {
		return no
	}
	f, ok := r.facts()
	switch {
	case !ok:
		return maybe
	case c.match(f) || !c.inTexts || f.flags&textFlag == 0 && (!c.unflagged || f.bare):
		return truthOf(c.match(f))
	case !r.loaded:
		return maybe
	}
	f.flags = 0
	if r.game != nil {
		f.flags = flagsOf(r.game.Annotations)
	}
	return truthOf(c.match(f))
}

func (c factCondition) bound() *bound { return nil }

// maxMoves is where stored move counts end: it stands for more too.
const maxMoves = 255

// lasting is true for games with a number of full moves in a range; 0 as most is
// no limit. Headers stop counting at 255.
func lasting(least, most int) Condition {
	return factCondition{name: "moves", value: rangeText(least, most), match: func(f stored) bool {
		n := int(f.moves)
		return n >= min(least, maxMoves) && (most == 0 || n <= most)
	}}
}

// having is true for games with a kind of annotation or another mark, such
// as "text", "symbols", "training", "variations" or "setup"; [Terms] lists all.
// Other words for them, such as "comments", mean the same; "annotations" is any kind.
func having(name string) (Condition, error) {
	f, ok := flagNamed(name)
	if !ok {
		return nil, fmt.Errorf("%q is nothing that games have; there are %s", name, flagNames())
	}
	unflagged := f.mask == evaluationFlag
	inTexts := f.kind == model.KindClock || f.kind == model.KindTimeSpent || unflagged
	return factCondition{"has", f.name, func(s stored) bool { return s.flags&f.mask != 0 }, inTexts, unflagged}, nil
}

// rangeText writes a range; 0 at the end is no limit.
func rangeText(first, last int) string {
	s := strconv.Itoa(first) + ".."
	if last != 0 {
		s += strconv.Itoa(last)
	}
	return s
}

// flagNames lists the names of flags for messages.
func flagNames() string {
	names := []string{annotationsWord}
	for _, f := range flags {
		names = append(names, f.name)
	}
	slices.Sort(names)
	return listed(names)
}

// materialCount is what both sides have on the board, White first. It comes
// from readMaterial.
type materialCount struct {
	sides [2]sideCount // White's first
}

// sideCount is how many pieces of each kind a side has. Kings do not count.
type sideCount [model.King + 1]countRange

// countRange is a number of pieces, both limits included.
type countRange struct{ least, most uint8 }

// anyCount is as a limit none.
const anyCount = 64

// materialKinds are the kinds in the order in which they are written.
var materialKinds = []model.PieceType{model.Queen, model.Rook, model.Bishop, model.Knight, model.Pawn}

// readMaterial reads the material of White and of Black, with a '-' or 'v'
// between them: "KRPP-KRP" is rook and two pawns against rook and pawn. A '+'
// behind a letter allows more of the kind: "RP+-RP+" are all rook endings with
// pawns on both sides. Letters in brackets allow any number of the kind, or none:
// "KR[P]-KB[P]". A '*' at the end of a side allows anything else besides. K may be left out.
func readMaterial(s string) (materialCount, error) {
	var m materialCount
	i := strings.IndexAny(s, "-v")
	if i < 0 {
		return m, fmt.Errorf("material %q: write it as KRPP-KRP, White first", s)
	}
	for c, part := range [2]string{s[:i], s[i+1:]} {
		if err := m.sides[c].parse(part); err != nil {
			return m, fmt.Errorf("material %q: %w", s, err)
		}
	}
	return m, nil
}

func (m *sideCount) parse(s string) error {
	body, others := strings.CutSuffix(s, "*")
	var last model.PieceType
	inside := false // of brackets
	for _, c := range []byte(body) {
		switch {
		case c == '+' && last != model.NoPieceType:
			m[last].most = anyCount
			continue
		case c == '[' && !inside, c == ']' && inside:
			inside, last = !inside, model.NoPieceType
			continue
		}
		piece := model.PieceOf(c)
		if piece == model.NoPiece || piece.Color() == model.Black {
			return fmt.Errorf("%q is none of KQRBNP", c)
		}
		last = piece.Type()
		if last == model.King {
			last = model.NoPieceType
			continue
		}
		if inside {
			m[last].most = anyCount
			continue
		}
		if m[last].least++; m[last].least > 32 {
			return fmt.Errorf("more than 32 pieces")
		}
		m[last].most = max(m[last].most, m[last].least)
	}
	if inside {
		return errors.New("a bracket is not closed")
	}
	for _, t := range materialKinds {
		if others && m[t].least == 0 {
			m[t].most = anyCount
		}
	}
	return nil
}

// String returns what ParseMaterial reads.
func (m materialCount) String() string { return m.sides[0].text() + "-" + m.sides[1].text() }

func (m *sideCount) text() string {
	s, open, all := "K", "", true
	for _, t := range materialKinds {
		letter := string(t.Letter())
		s += strings.Repeat(letter, int(m[t].least))
		switch {
		case m[t].most == anyCount && m[t].least > 0:
			s += "+"
		case m[t].most == anyCount:
			open += letter
		case m[t].least == 0:
			all = false
		}
	}
	switch {
	case open == "":
		return s
	case all:
		return s + "*"
	}
	return s + "[" + open + "]"
}

// holds reports whether a position has the material.
func (m materialCount) holds(p *board.Position) bool {
	for c := range model.Color(2) {
		for _, t := range materialKinds {
			n := uint8(bits.OnesCount64(p.Pieces(c, t)))
			if r := m.sides[c][t]; n < r.least || n > r.most {
				return false
			}
		}
	}
	return true
}

// filter is what the .cbb record of a game with the material must say.
func (m materialCount) filter() traceFilter {
	f := noFilter
	for c := range model.Color(2) {
		f.limit(c, &m.sides[c])
	}
	return f
}
