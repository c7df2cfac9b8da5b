package search

import (
	"fmt"
	"strconv"
	"strings"

	"cbkit/board"
	"cbkit/model"
)

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
	return Opponents(one, other), nil
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

// numbers reads a range of numbers from 0 on; an open end is 0.
func numbers(value string) (first, last int, err error) {
	from, to := limits(value)
	if first, err = number(from); err == nil {
		last, err = number(to)
	}
	if err == nil && (from == "" && to == "" || last != 0 && first > last) {
		err = fmt.Errorf("no range")
	}
	if err != nil {
		err = fmt.Errorf("%q: write a range of numbers as 10..20, 10.. or ..20", value)
	}
	return first, last, err
}

func number(s string) (int, error) {
	if s == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(s, 10, 31)
	return int(n), err
}

func ranged(f func(first, last int) Condition) func(string) (Condition, error) {
	return func(value string) (Condition, error) {
		first, last, err := numbers(value)
		return f(first, last), err
	}
}

func ratings(side Side) func(string) (Condition, error) {
	return ranged(func(first, last int) Condition { return Ratings(side, first, last) })
}

func parseYears(value string) (Condition, error) {
	first, last, err := numbers(value)
	if err == nil && max(first, last) > 9999 {
		err = fmt.Errorf("%q: a year has four digits", value)
	}
	return Dates(model.Date{Year: uint16(first)}, model.Date{Year: uint16(last)}), err
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
	return Dates(from, to), nil
}

func parseDate(s string) (model.Date, bool) {
	if s == "" {
		return model.Date{}, true
	}
	d, ok := model.ParseDate(s + strings.Repeat(".??", max(2-strings.Count(s, "."), 0)))
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
		return nil, fmt.Errorf("%q: write codes as C50, C50/08, C50..C59, C5 or C", value)
	}
	return ECOs(from, to), nil
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
	result, ok := model.ParseResult(word)
	if !ok || forfeit && result.Forfeit() == result {
		return nil, fmt.Errorf("%q: write 1-0, 0-1, 1/2, 0-0 or *, and an f behind the first three for a forfeit", value)
	}
	if forfeit {
		result = result.Forfeit()
	}
	return Results(result), nil
}

func parseMedal(value string) (Condition, error) {
	for bit, name := range model.MedalNames {
		if name == value {
			return Medals(1 << bit), nil
		}
	}
	return nil, fmt.Errorf("%q is no medal; there are %s", value, listed(model.MedalNames[:]))
}

func parseKind(value string) (Condition, error) {
	switch value {
	case "game":
		return Games(), nil
	case "text":
		return Texts(), nil
	}
	return nil, fmt.Errorf("%q: write game or text", value)
}

func parseDeleted(value string) (Condition, error) {
	switch value {
	case "yes":
		return Deleted(), nil
	case "no":
		return Not(Deleted()), nil
	}
	return nil, fmt.Errorf("%q: write yes or no", value)
}

// between reads a condition about positions, behind which may stand the plies
// between which it holds.
func between(parse func(string) (Condition, error)) func(string) (Condition, error) {
	return func(value string) (Condition, error) {
		rest, plies, ok := strings.Cut(value, "@")
		c, err := parse(rest)
		if !ok || err != nil {
			return c, err
		}
		first, last, err := numbers(plies)
		if err != nil {
			return nil, err
		}
		return During(first, last, c)
	}
}

func parseFEN(value string) (Condition, error) {
	value = strings.TrimSpace(value)
	if strings.Contains(value, " ") {
		p, err := board.ParseFEN(value)
		if err != nil {
			return nil, err
		}
		return Reached(p)
	}
	// Of the board alone either side is to move, unless that cannot be.
	var list []Condition
	var failed error
	for _, turn := range [...]string{" w - -", " b - -"} {
		p, err := board.ParseFEN(value + turn)
		if err == nil {
			var c Condition
			if c, err = Reached(p); err == nil {
				list = append(list, c)
			}
		}
		failed = err
	}
	switch len(list) {
	case 0:
		return nil, failed
	case 1:
		return list[0], nil
	}
	return Or(list...), nil
}

func parseRounds(value string) (Condition, error) {
	if round, game, ok := strings.Cut(value, "."); ok && !strings.HasPrefix(game, ".") {
		r, err1 := number(round)
		g, err2 := number(game)
		if err1 != nil || err2 != nil || r == 0 || g == 0 {
			return nil, fmt.Errorf("%q: write a round as 3, a range as 3..5, or a game of a round as 3.2", value)
		}
		return Subround(r, g), nil
	}
	return ranged(Rounds)(value)
}

func parsePawns(value string) (Condition, error) {
	// Only the first field counts, and may stand alone.
	first, _, _ := strings.Cut(value, " ")
	p, err := board.ParseFEN(first + " w - -")
	if err != nil {
		return nil, err
	}
	return Pawns(p)
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
			return PieceOn(piece, s)
		}
	}
	return nil, fmt.Errorf("%q: write a letter of KQRBNP, a small one for Black, and a square: Nd5, pe4", value)
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
	m, err := ParseMaterial(rest)
	return Material(m, plies), err
}

func parseEnd(value string) (Condition, error) {
	m, err := ParseMaterial(value)
	return MaterialAtEnd(m), err
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
	return Balance(int(least), int(most), plies), nil
}
