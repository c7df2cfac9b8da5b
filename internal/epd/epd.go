// Package epd reads and writes Extended Position Description, one position a line
// (the PGN standard, 16.2):
//
//	2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id "WAC.001";
//	four fields of FEN                                       operations
//
// Two counters of FEN may stand before the operations. A line is a game with that
// set-up. Its parts and their places:
//
//	bm, am      a training question at the first move; moves to be avoided give no points
//	pv          the main line, else that is the first move of bm or am
//	id          the name of White, which every list shows
//	c0-c9       the comment before the first move
//	ce acd dm   a verdict there, [%eval 0.30,12]
//	hmvc, fmvn  the counters of the set-up
//
// All operations stand once more after that comment, word by word, as [%epd …]. The
// writer takes them from there if the game still says the same.
package epd

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"cbkit/board"
	"cbkit/model"
)

// command begins the operations in a comment.
const command = "[%epd "

// An operation is an opcode and its operands as they stand there, strings in quotes.
type operation struct {
	code string
	args []string
}

// String returns the operation with its end.
func (o operation) String() string {
	return strings.Join(append([]string{o.code}, o.args...), " ") + ";"
}

// text returns the operands for people.
func (o operation) text() string { return strings.Trim(strings.Join(o.args, " "), `"`) }

// A line is what stands on one.
type line struct {
	start model.Position
	rest  string // what stands behind four fields that FEN would have so too, else all of it
	ops   []operation
}

// value returns the operand of an operation; number that of one that is a number.
func (l *line) value(code string) (string, bool) {
	i := slices.IndexFunc(l.ops, func(o operation) bool { return o.code == code })
	if i < 0 {
		return "", false
	}
	return l.ops[i].text(), true
}

func (l *line) number(code string) (int, bool) {
	text, _ := l.value(code)
	n, err := strconv.Atoi(text)
	return n, err == nil
}

// cutWord takes the first word from a text.
func cutWord(text string) (word, rest string) {
	text = strings.TrimSpace(text)
	if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
		return text[:i], strings.TrimSpace(text[i:])
	}
	return text, ""
}

// parse reads a line.
func parse(text string) (*line, error) {
	var fields [4]string
	rest := text
	for i := range fields {
		fields[i], rest = cutWord(rest)
	}
	placed := strings.Join(fields[:], " ")
	l, counters, ops := &line{rest: rest}, []string{"0", "1"}, rest
	half, behind := cutWord(rest)
	if full, behind := cutWord(behind); isNumber(half) && isNumber(full) {
		counters, ops = []string{half, full}, behind
	}
	var err error
	if l.ops, err = operations(ops); err != nil {
		return nil, err
	}
	for i, code := range []string{"hmvc", "fmvn"} {
		if n, is := l.number(code); is && n >= 0 {
			counters[i] = strconv.Itoa(n)
		}
	}
	if l.start, err = board.ParseModel(placed + " " + strings.Join(counters, " ")); err == nil {
		_, err = board.New(&l.start)
	}
	if err != nil {
		return nil, err
	}
	if placed != placement(&l.start) {
		l.rest = text
	}
	return l, nil
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// placement returns the four fields of a position.
func placement(p *model.Position) string {
	return strings.Join(strings.Fields(board.FormatFEN(p))[:4], " ")
}

// operations reads what stands behind a position. The last may lack its semicolon.
func operations(text string) (list []operation, err error) {
	var o operation
	for rest := strings.TrimSpace(text); rest != ""; rest = strings.TrimSpace(rest) {
		end := strings.IndexFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || r == ';' || r == '"' })
		switch {
		case end < 0:
			end = len(rest)
		case rest[0] == ';':
			if o.code != "" {
				list = append(list, o)
			}
			o, rest = operation{}, rest[1:]
			continue
		case rest[0] == '"':
			if end = strings.IndexByte(rest[1:], '"') + 2; end < 2 {
				return nil, fmt.Errorf("a quotation mark is not closed: %s", rest)
			}
		}
		switch word := rest[:end]; {
		case o.code != "":
			o.args = append(o.args, word)
		case word[0]|0x20 < 'a' || word[0]|0x20 > 'z':
			return nil, fmt.Errorf("%s: no operation begins so", word)
		default:
			o.code = word
		}
		rest = rest[end:]
	}
	if o.code != "" {
		list = append(list, o)
	}
	return list, nil
}

// moves returns the moves of an operation in a position, or in those that follow each
// other.
func (l *line) moves(code string, follow bool) (list []model.Move, err error) {
	text, _ := l.value(code)
	p, err := board.New(&l.start)
	for _, word := range strings.Fields(text) {
		if follow && strings.Trim(word, "0123456789.") == "" {
			continue // the number of a move
		}
		var m model.Move
		if m, err = p.ParseSAN(word); err != nil {
			if m, err = p.ParseUCI(word); err != nil || !p.Legal(m) {
				return list, fmt.Errorf("%s %s: no legal move", code, word)
			}
		}
		if list = append(list, m); follow {
			p.Make(m)
		}
	}
	return list, err
}

// game makes a game of a line; id is what it calls the position.
func (l *line) game() (g *model.Game, id string, err error) {
	g = model.NewGame()
	best, err := l.moves("bm", false)
	if err != nil {
		return nil, "", err
	}
	avoid, err := l.moves("am", false)
	if err != nil {
		return nil, "", err
	}
	main, _ := l.moves("pv", true) // what cannot be played stays in the operations
	if asked := append(best, avoid...); len(asked) > 0 && (len(main) == 0 || len(best) > 0 && !slices.Contains(best, main[0])) {
		main = asked[:1]
	}
	var tree model.Tree
	for _, m := range main {
		tree.Append(m)
	}
	g.SetMoves(&l.start, tree)
	if len(best)+len(avoid) > 0 {
		question := model.Training{Points: points} // also where no move gives them, so that those are to be avoided
		question.Solutions = append(solutions(best, points, l.start.Chess960), solutions(avoid, 0, l.start.Chess960)...)
		g.Annotate(0, question)
	}
	// A game from the usual start is of a line by its comment alone.
	if text := strings.TrimSpace(l.comment() + " " + l.verdict()); l.rest != "" || l.start == model.StartPosition() {
		g.Annotate(model.NoNode, model.Text{Text: strings.TrimSpace(text + " " + command + l.rest + "]")})
	}
	id, _ = l.value("id")
	return g, id, nil
}

// points are those of a best move.
const points = 10

// solutions returns moves as answers to a question.
func solutions(moves []model.Move, points uint8, chess960 bool) (list []model.Solution) {
	for _, m := range moves {
		to := m.To()
		if m.IsCastling() && !chess960 {
			to = m.KingTarget()
		}
		list = append(list, model.Solution{From: m.From(), To: to, Points: points})
	}
	return list
}

// comment returns the comments for people.
func (l *line) comment() string {
	var list []string
	for _, o := range l.ops {
		if isComment(o) {
			list = append(list, o.text())
		}
	}
	return strings.Join(list, " ")
}

func isComment(o operation) bool { return len(o.code) == 2 && o.code[0] == 'c' && isNumber(o.code[1:]) }

// verdict returns the verdict of an engine as servers write it: for White, in pawns.
func (l *line) verdict() string {
	side := 1 - 2*int(l.start.Turn)
	value := ""
	if n, is := l.number("dm"); is {
		value = fmt.Sprintf("#%d", side*n)
	} else if n, is := l.number("ce"); is {
		value = fmt.Sprintf("%.2f", float64(side*n)/100)
	} else {
		return ""
	}
	if depth, is := l.number("acd"); is {
		value += "," + strconv.Itoa(depth)
	}
	return "[%eval " + value + "]"
}
