package search

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"cbkit/board"
	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/headerfields"
	"cbkit/internal/marks"
	"cbkit/internal/namepattern"
	"cbkit/internal/typed"
	"cbkit/model"
)

// TermInfo describes a term of the language that [Parse] reads.
type TermInfo struct {
	// Name is what stands before the colon, Value describes what may follow it, Help is
	// the meaning.
	Name  string `json:"name"`
	Value string `json:"value"`
	Help  string `json:"help"`
}

// termKind is a term with its reader.
type termKind struct {
	TermInfo
	parse func(value string) (Condition, error)
}

// Terms lists all terms.
func Terms() []TermInfo {
	var list []TermInfo
	for _, t := range terms {
		list = append(list, t.TermInfo)
	}
	return list
}

// Term reads one condition from its name and value, as a flag of a program has
// them: Term("player", "Carl*").
func Term(name, value string) (Condition, error) { return termAt(name, value, time.Now()) }

func termAt(name, value string, now time.Time) (Condition, error) {
	for _, t := range terms {
		if t.Name != name {
			continue
		}
		if name == "year" || name == "date" {
			value = absolute(name, value, now)
		}
		c, err := t.parse(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return c, nil
	}
	var names, near, about []string
	for _, t := range terms {
		names = append(names, t.Name)
		if word := strings.ToLower(name); strings.Contains(t.Name, word) {
			near = append(near, t.Name)
		} else if strings.Contains(strings.ToLower(t.Value+" "+t.Help), word) {
			about = append(about, t.Name)
		}
	}
	if near = append(near, about...); near != nil {
		return nil, fmt.Errorf("%q is nothing to search for%s", name, namepattern.DidYouMean(near))
	}
	return nil, fmt.Errorf("%q is nothing to search for; there are %s", name, listed(names))
}

// terms are all terms. They are set up by init because having lists them in
// its errors.
var terms []termKind

func init() {
	const name = "NAME"
	terms = []termKind{
		{TermInfo{"player", name, "the player of one side: Carlsen, \"Magnus Carlsen\", carl*, \"Carlsen, M*\""}, named(titled(players, anySide))},
		{TermInfo{"white-player", name, "the player with the white pieces"}, named(titled(players, whiteSide))},
		{TermInfo{"black-player", name, "the player with the black pieces"}, named(titled(players, blackSide))},
		{TermInfo{"both-player", name, "both players, by one name"}, named(titled(players, bothSides))},
		{TermInfo{"winner", name, "the player who won; forfeits count"}, named(endedFor(won))},
		{TermInfo{"loser", name, "the player who lost; forfeits count"}, named(endedFor(lost))},
		{TermInfo{"opponent-elo", "N..N", "the rating of the other side of the one player:, winner: or loser: that it is joined to by and"}, ranged(opponentRatings)},
		{TermInfo{"opponents", "NAME/NAME", "two players against each other"}, parseOpponents},
		{TermInfo{"tournament", name, "words of the tournament's title, and its year: Linares, \"Linares 2001\""}, named(tournamentNamed)},
		{TermInfo{"place", name, "the place of the tournament"}, named(titled(places, anySide))},
		{TermInfo{"nation", "CODE", "the country of the tournament: ESP, or its name"}, named(ofNation)},
		{TermInfo{"annotator", name, "the annotator"}, named(titled(annotators, anySide))},
		{TermInfo{"source", name, "the title of the source"}, named(titled(sources, anySide))},
		{TermInfo{"team", name, "the team of one side"}, named(titled(teams, anySide))},
		{TermInfo{"white-team", name, "the team of the player with the white pieces"}, named(titled(teams, whiteSide))},
		{TermInfo{"black-team", name, "the team of the player with the black pieces"}, named(titled(teams, blackSide))},
		{TermInfo{"both-team", name, "the teams of both players, by one pattern"}, named(titled(teams, bothSides))},
		{TermInfo{"title", name, "the game title, in any language"}, named(titled(titles, anySide))},
		{TermInfo{"date", "DATE..DATE", "played between two dates: 1997.05..1997.08.15, 1990..1999; -30.. are the last thirty days"}, parseDates},
		{TermInfo{"year", "YEAR..YEAR", "played in a year, or between two: 1997, 1990..1999; -3.. is from three years ago on"}, parseYears},
		{TermInfo{"round", "N..N", "the round, or several: 3, 3..5; 3.2 is a game of round 3"}, parseRounds},
		{TermInfo{"eco", "CODE..CODE", "opening code: C50, C50..C59, C50/08; C5 and C are all that begin so; or words of the name of its opening: najdorf, \"Scandinavian Defense\""}, parseECOs},
		{TermInfo{"result", "RESULT", "1-0, 0-1, 1/2, 0-0 or *; with an f behind it, a forfeit: 1-0f"}, parseResult},
		{TermInfo{"elo", "N..N", "the rating of one side"}, ratings(anySide)},
		{TermInfo{"white-elo", "N..N", "the rating of White"}, ratings(whiteSide)},
		{TermInfo{"black-elo", "N..N", "the rating of Black"}, ratings(blackSide)},
		{TermInfo{"both-elo", "N..N", "the ratings of both sides"}, ratings(bothSides)},
		{TermInfo{"elo-difference", "N..N", "White's rating less Black's, where both are known: 200.., -50..50"}, parseDifference},
		{TermInfo{"upset", "N", "the winner's rating was lower by so much or more"}, parseUpset},
		{TermInfo{"time-control", "SPEED", listed(headerfields.Speeds) + ": by FIDE, base and 60 increments of the tag TimeControl are 60 minutes or more, between, 10 or less, less than 3; a day or more for a move is correspondence; without the tag the kind of the tournament counts, the event's name never"}, parseSpeed},
		{TermInfo{"moves", "N..N", "number of moves; 255 stands for more too"}, ranged(lasting)},
		{TermInfo{"medal", "MEDAL", listed(model.MedalNames())}, parseMedal},
		{TermInfo{"has", "WHAT", flagNames()}, having},
		{TermInfo{"comment", "TEXT", "words in a comment, in any language; case does not matter"}, parseComment},
		{TermInfo{"tag", "NAME=VALUE", "a tag of PGN that has no term of its own: TimeControl=300+*; * stands for any characters"}, parseTag},
		{TermInfo{"blunder", "[NAME/]N", "a move of a side, or of a player, after which the evaluation is worse for it by N hundredths of a pawn or more; beyond ten pawns and mate are ten: 200, Carlsen/200"}, parseSaying("blunder", "hundredths of a pawn", 1, (*sayingTest).blunder)},
		{TermInfo{"clock", "[NAME/]N", "a player came to N seconds or fewer: 30, Carlsen/30"}, parseSaying("clock", "seconds", 0, (*sayingTest).short)},
		{TermInfo{"final", "WHAT", listed(finalNames()) + ": what the last position of the main line is; repetition is the third or more"}, parseFinal},
		{TermInfo{"wrong-result", "yes|no", "mate or stalemate at the end with another result, or a dead position won"},
			either("yes", wrongResult, "no", And(Games(), Not(wrongResult)))},
		{TermInfo{"flag", "FLAG", "a flag of Scid: a letter as in ScidFlags, a word such as endgame or \"pawn structure\", or what the database calls one of its own"}, named(flagged)},
		{TermInfo{"kind", "game|text", "games, or guiding texts"}, either("game", Games(), "text", texts())},
		{TermInfo{"deleted", "yes|no", "marked as deleted, or not"}, either("yes", Deleted(), "no", Not(Deleted()))},
		{TermInfo{"id", "N..N", "number in the database"}, ranged(func(first, last int) Condition {
			return numbered(model.RecordID(first), model.RecordID(last))
		})},
		// Those from here on may end with @N..N, the plies between which it must be so,
		// with @variations, or with @N..N,variations.
		{TermInfo{"fen", "FEN|MOVES", "the position occurred on the main line, with @variations behind it on any line: a FEN, whose board alone is either side to move, or \"e4 c5\""}, between(parseFEN)},
		{TermInfo{"pawns", "FEN", "exactly these pawns were on the board; the other pieces of the FEN do not count"}, between(parsePawns)},
		{TermInfo{"piece", "PIECE", "a piece stood on a square: Nd5, for Black nd5"}, between(parsePiece)},
		{TermInfo{"move", "MOVE", "a move was played, as it is written, * and ? as in names: Nxf7, *=N, O-O-O, *#; + and # count only where they are asked for, Nd7 is Nbd7 too"}, between(parseMove)},
		{TermInfo{"pattern", "Pd4,!Pc[/N]", "pieces that must and, behind !, must not stand on squares, files, ranks or at all, for N positions in a row: Pd4 P7 !q"}, between(parsePattern)},
		{TermInfo{"material", "KRPP-KRP[/N]", "the material, White's first, was on the board, for N positions in a row; + more, [P] any number of pawns or none, * anything else"}, between(parseMaterial)},
		{TermInfo{"end", "KRPP-KRP", "the material at the end of the game"}, parseEnd},
		{TermInfo{"balance", "N..N[/N]", "White's material less Black's in pawns, for so many positions in a row: 2..5, -9..-3/6"}, between(parseBalance)},
	}
}

func named(f func(string) Condition) func(string) (Condition, error) {
	return func(value string) (Condition, error) {
		if value == "" {
			return nil, fmt.Errorf("the name is missing; * is any")
		}
		return f(value), nil
	}
}

func parseOpponents(value string) (Condition, error) {
	one, other, ok := strings.Cut(value, "/")
	if one, other = strings.TrimSpace(one), strings.TrimSpace(other); !ok || one == "" || other == "" {
		return nil, fmt.Errorf("%q: write two names with a / between them", value)
	}
	white, black := titled(players, whiteSide), titled(players, blackSide)
	return Or(And(white(one), black(other)), And(white(other), black(one))), nil
}

// limits cuts a range such as "1990..1999", "1990-1999", "1990..", "..1999" or
// "1990", which is both limits.
func limits(value string) (first, last string) {
	for _, mark := range []string{"..", "-"} {
		if first, last, ok := strings.Cut(value, mark); ok {
			return strings.TrimSpace(first), strings.TrimSpace(last)
		}
	}
	return value, value
}

// compared writes a comparison as a range: ">2500", ">=2500" and "2500+" for all
// from there on, "<30" and "<=30" for all up to there.
func compared(value string) string {
	value = strings.TrimSpace(value)
	for _, c := range []struct {
		mark  string
		least bool
		step  int
	}{{">=", true, 0}, {"<=", false, 0}, {">", true, 1}, {"<", false, -1}} {
		rest, ok := strings.CutPrefix(value, c.mark)
		if !ok {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSpace(rest))
		switch n += c.step; {
		case err != nil || n < 0:
			return value
		case c.least:
			return strconv.Itoa(n) + ".."
		default:
			return ".." + strconv.Itoa(n)
		}
	}
	if least, ok := strings.CutSuffix(value, "+"); ok {
		return least + ".."
	}
	return value
}

// numbers reads a range of numbers from 0 on; an open end is 0. none says that the range
// is 0 alone, which conditions of a range do not know.
func numbers(value string) (first, last int, none bool, err error) {
	from, to := limits(compared(value))
	if first, err = number(from); err == nil {
		last, err = number(to)
	}
	if err == nil && (from == "" && to == "" || last != 0 && first > last) {
		err = fmt.Errorf("no range")
	}
	if err != nil {
		err = fmt.Errorf("%q: write a range of numbers as 10..20, 10.. or ..20", value)
	}
	return first, last, to != "" && last == 0, err
}

func number(s string) (int, error) {
	if s == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(s, 10, 31)
	return int(n), err
}

// ranged reads a condition of a range. The numbers that are 0, or not known, are those of
// games that no range from 1 on has.
func ranged(f func(first, last int) Condition) func(string) (Condition, error) {
	return func(value string) (Condition, error) {
		first, last, none, err := numbers(value)
		if none && err == nil {
			return And(Games(), Not(f(1, 0))), nil
		}
		return f(first, last), err
	}
}

func ratings(side whose) func(string) (Condition, error) {
	other, is := map[whose]whose{anySide: bothSides, bothSides: anySide}[side]
	if !is {
		other = side
	}
	return func(value string) (Condition, error) {
		of := side
		if _, _, none, _ := numbers(value); none {
			of = other // one of them has none where not both have one
		}
		return ranged(func(first, last int) Condition { return rated(of, first, last) })(value)
	}
}

func parseYears(value string) (Condition, error) {
	if first, last, _, err := numbers(value); err == nil && max(first, last) > 9999 {
		return nil, fmt.Errorf("%q: a year has four digits", value)
	}
	return ranged(func(first, last int) Condition {
		return dated(model.Date{Year: uint16(first)}, model.Date{Year: uint16(last)})
	})(value)
}

func parseDates(value string) (Condition, error) {
	first, last, ok := strings.Cut(value, "..")
	if !ok {
		last = value
	}
	from, ok1 := parseDate(first)
	to, ok2 := parseDate(last)
	if !ok1 || !ok2 || value == "" {
		return nil, fmt.Errorf("%q: write dates as 1997, 1997.05 or 1997.05.11, two with .. between them", value)
	}
	return dated(from, to), nil
}

func parseDate(s string) (model.Date, bool) {
	if s == "" {
		return model.Date{}, true
	}
	d, ok := model.ParseDate(s + strings.Repeat(".??", max(2-strings.Count(s, ".")-strings.Count(s, "-"), 0)))
	return d, ok && d.Year > 0 && d.Year <= 4095
}

func parseECOs(value string) (Condition, error) {
	first, last := limits(value)
	if last == "" {
		last = "E99"
	}
	if first == "" {
		first = "A00"
	}
	from, ok1 := parseECO(first, "00")
	to, ok2 := parseECO(last, "99")
	if !ok1 || !ok2 || value == "" {
		return parseOpening(value)
	}
	return coded(from, to), nil
}

// parseECO reads a code. Digits that are missing are those of rest, so that "C5"
// begins with C50 and ends with C59.
func parseECO(s, rest string) (model.ECO, bool) {
	if n := len(s); n == 1 || n == 2 {
		s += rest[n-1:]
	}
	return model.ParseECO(strings.ToUpper(s))
}

func parseResult(value string) (Condition, error) {
	word, forfeit := strings.CutSuffix(value, "f")
	if drawWords[strings.ToLower(value)] {
		word = "1/2"
	}
	result, ok := model.ParseResult(word)
	if !ok || forfeit && result.Forfeit() == result {
		return nil, fmt.Errorf("%q: write 1-0, 0-1, 1/2, 0-0 or *, and an f behind the first three for a forfeit", value)
	}
	if forfeit {
		result = result.Forfeit()
	}
	return gameCondition("result", resultWord(result), func(r *row) bool { return r.result == result }), nil
}

// drawWords are other words for a draw.
var drawWords = map[string]bool{"draw": true, "drawn": true, "=": true, "0.5": true}

func parseMedal(value string) (Condition, error) {
	for bit, name := range model.MedalNames() {
		if strings.EqualFold(name, value) {
			return factCondition{name: "medal", value: name, match: func(f stored) bool { return f.medals&(1<<bit) != 0 }}, nil
		}
	}
	return nil, fmt.Errorf("%q is no medal; there are %s", value, listed(model.MedalNames()))
}

// either returns conditions that one of two words stands for.
func either(word string, c Condition, otherWord string, other Condition) func(string) (Condition, error) {
	return func(value string) (Condition, error) {
		switch strings.ToLower(value) {
		case word:
			return c, nil
		case otherWord:
			return other, nil
		}
		return nil, fmt.Errorf("%q: write %s or %s", value, word, otherWord)
	}
}

// variationsWord stands behind a condition about positions that looks at variations too.
const variationsWord = "variations"

// between reads a condition about positions, behind which may stand the plies
// between which it holds, and that variations count.
func between(parse func(string) (Condition, error)) func(string) (Condition, error) {
	return func(value string) (Condition, error) {
		rest, where, ok := strings.Cut(value, "@")
		c, err := parse(rest)
		if !ok || err != nil {
			return c, err
		}
		for word := range strings.SplitSeq(where, ",") {
			if strings.EqualFold(strings.TrimSpace(word), variationsWord) {
				c, err = InVariations(c)
			} else if first, last, none, wrong := numbers(word); wrong != nil || none {
				err = fmt.Errorf("%q: write plies as 10..20, 10.. or ..20, or %s", word, variationsWord)
			} else {
				c, err = during(first, last, c)
			}
			if err != nil {
				return nil, err
			}
		}
		return c, nil
	}
}

func parseFEN(value string) (Condition, error) {
	value = strings.TrimSpace(value)
	switch {
	case value == "":
		return nil, errors.New("the position is missing: a FEN, or the moves that lead to it")
	case !typed.IsFEN(value):
		l, err := typed.Parse(value)
		if err != nil {
			return nil, err
		}
		return Reached(l.End), nil
	case strings.Contains(value, " "):
		p, err := board.Parse(value)
		if err != nil {
			return nil, err
		}
		return Reached(p), nil
	}
	// Of the board alone either side is to move, unless that cannot be.
	var list []Condition
	var failed error
	for _, turn := range [...]string{" w - -", " b - -"} {
		p, err := board.Parse(value + turn)
		if err == nil {
			list = append(list, Reached(p))
		}
		failed = err
	}
	if list == nil {
		return nil, failed
	}
	return single(list, Or), nil
}

func parseRounds(value string) (Condition, error) {
	if round, game, ok := strings.Cut(value, "."); ok && !strings.HasPrefix(game, ".") {
		r, err1 := number(round)
		g, err2 := number(game)
		if err1 != nil || err2 != nil || r == 0 || g == 0 {
			return nil, fmt.Errorf("%q: write a round as 3, a range as 3..5, or a game of a round as 3.2", value)
		}
		return gameCondition("round", fmt.Sprintf("%d.%d", r, g), func(row *row) bool { return row.round == r && row.subround == g }), nil
	}
	return ranged(inRounds)(value)
}

func parsePawns(value string) (Condition, error) {
	// Only the first field counts, and may stand alone.
	first, _, _ := strings.Cut(value, " ")
	given, err := board.ParseModel(first + " w - -")
	if err != nil {
		return nil, err
	}
	keepPawns(&given)
	p, err := board.New(&given)
	if err != nil {
		return nil, err
	}
	return withPawns(p), nil
}

// placement is the first field of a FEN.
func placement(p *model.Position) string {
	first, _, _ := strings.Cut(board.FormatFEN(p), " ")
	return first
}

func parsePiece(value string) (Condition, error) {
	if len(value) == 3 {
		piece := model.PieceOf(value[0])
		if s, ok := model.ParseSquare(value[1:]); ok && piece != model.NoPiece {
			return pieceOn(piece, s), nil
		}
	}
	return nil, fmt.Errorf("%q: write a letter of KQRBNP, a small one for Black, and a square: Nd5, pe4", value)
}

// parsePattern reads pieces that must and must not stand somewhere.
func parsePattern(value string) (Condition, error) {
	rest, plies, err := cutPlies(value)
	if err != nil {
		return nil, err
	}
	var list []standing
	for word := range strings.FieldsFuncSeq(rest, func(r rune) bool { return r == ',' || r == ' ' }) {
		s, err := parseStanding(word)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	if len(list) == 0 {
		return nil, errors.New("the pieces are missing, such as Pd4,!Pc,!Pe")
	}
	return placed(list, plies), nil
}

// parseStanding reads one of them.
func parseStanding(word string) (standing, error) {
	text, not := strings.CutPrefix(word, "!")
	s := standing{not: not, where: ^uint64(0), text: word}
	if text != "" {
		s.piece = model.PieceOf(text[0])
		text = text[1:]
	}
	square, isSquare := model.ParseSquare(text)
	switch {
	case s.piece == model.NoPiece:
	case isSquare:
		s.where = 1 << square
		return s, nil
	case text == "":
		return s, nil
	case len(text) == 1 && text[0] >= 'a' && text[0] <= 'h':
		s.where = 0x0101010101010101 << (text[0] - 'a')
		return s, nil
	case len(text) == 1 && text[0] >= '1' && text[0] <= '8':
		s.where = 0xff << (8 * (text[0] - '1'))
		return s, nil
	}
	return s, fmt.Errorf("%q: write a letter of KQRBNP, a small one for Black, and a square, a file, a rank or nothing, with ! before what must not be: Pd4, !Pc, N6, !q", word)
}

// cutPlies reads the number of positions behind a '/'; there need not be one.
func cutPlies(value string) (rest string, plies int, err error) {
	rest, n, ok := strings.Cut(value, "/")
	if !ok {
		return value, 1, nil
	}
	if plies, err = number(n); err != nil || plies == 0 {
		err = fmt.Errorf("%q: %q is no number of positions", value, n)
	}
	return rest, plies, err
}

func parseMaterial(value string) (Condition, error) {
	rest, plies, err := cutPlies(value)
	if err != nil {
		return nil, err
	}
	m, err := readMaterial(rest)
	return withMaterial(m, plies), err
}

func parseEnd(value string) (Condition, error) {
	m, err := readMaterial(value)
	return endingWith(m), err
}

func parseBalance(value string) (Condition, error) {
	rest, plies, err := cutPlies(value)
	if err != nil {
		return nil, err
	}
	first, last, ok := strings.Cut(rest, "..")
	if !ok {
		last = first
	}
	least, err1 := strconv.ParseInt(first, 10, 16)
	most, err2 := strconv.ParseInt(last, 10, 16)
	if err1 != nil || err2 != nil || least > most {
		return nil, fmt.Errorf("%q: write a range such as 2..5 or -9..-3", value)
	}
	return balanced(int(least), int(most), plies), nil
}

// Unknown is a name in a condition that no entity of its kind has, with the
// most similar names.
type Unknown struct {
	Kind    string   `json:"kind"` // as in conditions: player, tournament, place …
	Name    string   `json:"name"`
	Similar []string `json:"similar,omitempty"` // nearest first, at most three
}

// unknown returns the names that were looked up in vain.
func (s *session) unknown() (list []Unknown, err error) {
	for query, set := range s.names {
		similar, known := namepattern.NewSimilar(string(query.pattern)), false
		if query.kind == speeds {
			continue
		}
		if set.isNumber {
			if known = set.ids.Len() > 0 || set.entities != nil && int(set.number) < query.kind.count(set.entities); !known {
				list = append(list, Unknown{query.kind.name, string(query.pattern), nil})
			}
			continue
		}
		for names, err := range s.allNames(query.kind) {
			if err != nil {
				return nil, err
			}
			if known = set.fits(names); known {
				break
			}
			if len(names) > 0 { // the last one has all that is known of a player
				similar.Add(names[len(names)-1])
			}
		}
		if !known {
			list = append(list, Unknown{query.kind.name, string(query.pattern), similar.Names()})
		}
	}
	slices.SortFunc(list, func(a, b Unknown) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name)) })
	return list, nil
}

// Spelling is a player's name, which may be another spelling of one that a condition
// has, and how many games there are under it, deleted ones included.
type Spelling struct {
	Name  string `json:"name"`
	Games int    `json:"games"`
}

// also returns the names of players that may be spellings of those in the condition.
func (s *session) also() (list []Spelling, err error) {
	for query, set := range s.names {
		if set.person == nil || set.isNumber {
			continue
		}
		asked := namepattern.ParseName(string(query.pattern)).Asks(s.players(set.ids.all(), nil, &err))
		if asked == nil {
			continue
		}
		for _, other := range asked.OtherSpellings(s.players(set.alike, asked, &err)) {
			player := model.ParsePlayer(other.Name)
			isAsked := func(o *nameSet) bool { return o.person != nil && o.person.Matches(player) }
			if one := Spelling(other); !slices.ContainsFunc(slices.Collect(maps.Values(s.names)), isAsked) && !slices.Contains(list, one) {
				list = append(list, one)
			}
		}
	}
	slices.SortFunc(list, func(a, b Spelling) int { return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(a.Name, b.Name)) })
	return list, err
}

// players yields all players, of files those with some ids, with their games: where names
// are asked for, those that can be near.
func (s *session) players(ids []model.RecordID, asked *namepattern.Asked, failed *error) iter.Seq2[model.Player, int] {
	return func(yield func(model.Player, int) bool) {
		if s.base == nil {
			for id, p := range s.entities.Players.Live() {
				if int(id) < len(s.games) && !yield(p, int(s.games[id])) {
					return
				}
			}
			return
		}
		files := s.nameFiles()
		files.warn, files.damage = func(error) {}, func(error) {} // the search was told
		file, err := files.open(players)
		if file == nil {
			*failed = err
			return
		}
		records := file.Reader(dbfile.FarAhead)
		for _, id := range ids {
			r, err := records.At(int32(id))
			if err != nil {
				*failed = err
				return
			}
			if asked != nil && !asked.CanHave(cbh.PlayerParts(r.Payload)) {
				continue
			}
			if !yield(cbh.Players.Decode(r.Payload, files.page), int(cbh.DecodeEntityUse(r.Payload).Count)) {
				return
			}
		}
	}
}

// countGame counts the game of two players, if a person is asked for.
func (s *session) countGame(rec *model.Record) {
	if rec.Game == nil || !s.persons {
		return
	}
	for _, id := range [2]model.EntityID{rec.Game.White, rec.Game.Black} {
		if id < 0 || int(id) >= s.entities.Players.Len() {
			continue
		}
		if n := int(id) + 1 - len(s.games); n > 0 {
			s.games = append(s.games, make([]uint32, n)...)
		}
		s.games[id]++
	}
}

// allNames yields the names of all entities of a kind.
func (s *session) allNames(kind *nameKind) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		if s.base == nil {
			for id := range kind.count(s.entities) {
				if !yield(kind.known(s.entities, int32(id)), nil) {
					return
				}
			}
			return
		}
		files := s.nameFiles()
		file, err := files.open(kind)
		if err != nil {
			yield(nil, err)
			return
		}
		if file == nil {
			return
		}
		for r, err := range file.Lookup().Live() {
			if !yield(kind.texts(r.Payload, files.page), err) || err != nil {
				return
			}
		}
	}
}

// flag is what the flags of a game can say about its content.
type flag struct {
	name string
	mask uint32 // bits of the flag word; docs/formats/cbh-entities.md 6.5
	kind model.Kind
}

const textFlag = 1 << 2

// flags are the names that having takes.
var flags = []flag{
	{name: "setup", mask: 1 << 0},
	{name: "variations", mask: 1 << 1},
	{name: "text", mask: textFlag, kind: model.KindText},
	{name: "symbols", mask: 1 << 3, kind: model.KindSymbols},
	{name: "squares", mask: 1 << 4, kind: model.KindSquares},
	{name: "arrows", mask: 1 << 5, kind: model.KindArrows},
	{name: "time-spent", mask: 1 << 7, kind: model.KindTimeSpent},
	{name: "training", mask: 1 << 9, kind: model.KindTraining},
	{name: "sound", mask: 1 << 16},
	{name: "picture", mask: 1 << 17},
	{name: "video", mask: 1<<18 | 1<<26, kind: model.KindVideoTime},
	{name: "quotation", mask: 1 << 19, kind: model.KindQuotation},
	{name: "pawn-structure", mask: 1 << 20, kind: model.KindPawnStructure},
	{name: "piece-path", mask: 1 << 21, kind: model.KindPiecePath},
	{name: "clock", mask: 1<<22 | 1<<23, kind: model.KindClock},
	{name: "critical", mask: 1 << 24, kind: model.KindCritical},
	{name: "correspondence", mask: 1 << 25},
	{name: "chess960", mask: 1 << 27},
	{name: "web-link", mask: 1 << 28, kind: model.KindWebLink},
	{name: "evaluation", mask: evaluationFlag, kind: model.KindEngine},
}

// evaluationFlag is in no header: it is found out by annotations.
const evaluationFlag = 1 << 31

// anyAnnotation are the flags of annotations of all kinds that have one. A link says
// where a game comes from, and nothing of its moves.
var anyAnnotation = func() (mask uint32) {
	for _, f := range flags {
		switch f.name {
		case "setup", "variations", "correspondence", "chess960", "web-link", "evaluation":
		default:
			mask |= f.mask
		}
	}
	return mask
}()

// flagWords are other words for flags, each without an s at its end.
var flagWords = map[string]string{
	"comment": "text", "comment-text": "text", "variation": "variations", "sideline": "variations", "line": "variations",
	"nag": "symbols", "sign": "symbols", "glyph": "symbols", "coloured-square": "squares", "highlight": "squares",
	"time": "time-spent", "question": "training", "training-question": "training", "puzzle": "training", "audio": "sound",
	"image": "picture", "film": "video", "quote": "quotation", "fen": "setup", "set-up": "setup", "960": "chess960",
	"fischerandom": "chess960", "link": "web-link", "critical-position": "critical",
	"annotated": annotationsWord, "annotation": annotationsWord, "note": annotationsWord,
}

// annotationsWord stands for annotations of all kinds.
const annotationsWord = "annotations"

// flagNamed finds a flag, by its name or another word for it; case does not matter,
// nor whether it is one or several.
func flagNamed(name string) (flag, bool) {
	word := strings.TrimSuffix(strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), " ", "-"), "s")
	if other, ok := flagWords[word]; ok {
		word = strings.TrimSuffix(other, "s")
	}
	if word == strings.TrimSuffix(annotationsWord, "s") {
		return flag{name: annotationsWord, mask: anyAnnotation}, true
	}
	for _, f := range flags {
		if strings.TrimSuffix(f.name, "s") == word {
			return f, true
		}
	}
	return flag{}, false
}

// flagsOf returns the flags that annotations set, and clocks and times in their texts.
func flagsOf(list []model.Annotation) uint32 {
	var all uint32
	add := func(kind model.Kind) {
		for _, f := range flags {
			if f.kind != "" && f.kind == kind {
				all |= f.mask
			}
		}
	}
	for i := range list {
		add(list[i].Value.Kind())
		for said := range marks.All(list[i].Value, model.White) {
			add(said.Kind)
		}
	}
	return all
}
