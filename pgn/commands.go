package pgn

import (
	"fmt"
	"strconv"
	"strings"

	"cbkit/internal/marks"
	"cbkit/model"
)

// command is a command in a comment, such as "[%csl Ge4]".
type command struct {
	text string // all of it
	name string // such as "csl"
	args string // what stands between the name and the bracket
}

// commandFinder finds where commands end. It remembers that there is no
// closing bracket, so that many opening ones do not make many searches.
type commandFinder struct {
	noBracket, noQuotedBracket, noPairedBracket bool
}

// end returns the place behind the command that begins at text[i], -1 if none
// does. Inside the quotes of [%tqu] a bracket does not end it, nor does one of
// a pair inside a text.
func (f *commandFinder) end(text string, i int) int { return commandEnd(f, text, i) }

// commandEnd is end for texts of either sort.
func commandEnd[T string | []byte](f *commandFinder, text T, i int) int {
	if f.noBracket || !begins(text[i:], "[%") || i+2 == len(text) || !isLetter(text[i+2]) {
		return -1
	}
	if !f.noQuotedBracket && begins(text[i:], "[%tqu ") {
		for k, inside := i, false; k < len(text); k++ {
			switch {
			case text[k] == '"':
				inside = !inside
			case text[k] == ']' && !inside:
				return k + 1
			}
		}
		f.noQuotedBracket = true
	}
	if !f.noPairedBracket && (begins(text[i:], "[%pre") || begins(text[i:], "[%post")) {
		for k, depth := i, 0; k < len(text); k++ {
			switch text[k] {
			case '[':
				depth++
			case ']':
				if depth--; depth == 0 {
					return k + 1
				}
			}
		}
		f.noPairedBracket = true
	}
	for k := i; k < len(text); k++ {
		if text[k] == ']' {
			return k + 1
		}
	}
	f.noBracket = true
	return -1
}

// begins is strings.HasPrefix for texts of either sort.
func begins[T string | []byte](text T, prefix string) bool {
	return len(text) >= len(prefix) && string(text[:len(prefix)]) == prefix
}

// splitCommand takes a command apart.
func splitCommand(text string) command {
	name, args, _ := strings.Cut(text[2:len(text)-1], " ")
	return command{text, name, args}
}

// known reports whether commands of that name can have a value.
func (c command) known() bool {
	switch c.name {
	case "csl", "cal", "mdl", "emt", "evp", "tqu", textCommand, rawCommand, "medal", "crit", "varcolor":
		return true
	case "eval":
		// lichess's is in pawns, "0.17" or "#-3", and has no home.
		return strings.IndexByte(c.args, ',') >= 0
	}
	return strings.HasPrefix(c.name, "pre") || strings.HasPrefix(c.name, "post")
}

// is reports whether text is the command to the letter.
func (c command) is(text []byte, exact bool) bool { return exact && string(text) == c.text }

// value returns what the command says, if writing that gives the very same
// command, for which there is scratch space. See docs/formats/pgn.md 5.
func (c command) value(scratch []byte) (model.Value, bool) {
	var v model.Value
	ok := false
	switch c.name {
	case "csl":
		v, ok = marks.ParseSquares(c.args)
	case "cal":
		v, ok = marks.ParseArrows(c.args)
	case "mdl":
		var n uint64
		n, ok = parseUint(c.args, 32)
		v = model.Medals(n)
	case "emt":
		v, ok = parseTimeSpent(c.args)
	case "eval":
		v, ok = parseEngine(c.args)
	case "evp":
		v, ok = parseEvaluations(c.args)
	default:
		return parseForeign(c)
	}
	if !ok {
		return nil, false
	}
	if e, isEngine := v.(model.Engine); isEngine && c.is(appendPawns(scratch, e)) {
		return v, true
	}
	return v, c.is(appendCommand(scratch, v))
}

// appendCommand appends the command that says v, and reports whether it says
// all of it. It appends nothing for what has no command.
func appendCommand(dst []byte, v model.Value) (command []byte, exact bool) {
	switch v := v.(type) {
	case model.Squares:
		return marks.AppendSquares(dst, v)
	case model.Arrows:
		return marks.AppendArrows(dst, v)
	case model.Medals:
		dst = append(dst, "[%mdl "...)
		return append(strconv.AppendUint(dst, uint64(v), 10), ']'), true
	case model.TimeSpent:
		return fmt.Appendf(dst, "[%%emt %d:%02d:%02d]", v.Hours, v.Minutes, v.Seconds), v.Extra == 0
	case model.Engine:
		return appendEngine(dst, v)
	case model.Evaluations:
		return appendEvaluations(dst, v)
	}
	return dst, false
}

// parseUint reads a decimal number of so many bits.
func parseUint(s string, bits int) (uint64, bool) {
	n, err := strconv.ParseUint(s, 10, bits)
	return n, err == nil
}

// parseInt16 reads a decimal number of 16 bits with a sign.
func parseInt16(s string) (int16, bool) {
	n, err := strconv.ParseInt(s, 10, 16)
	return int16(n), err == nil
}

// The commands for times and evaluations (docs/formats/pgn.md 5):
//
//	[%emt 0:32:14]            time spent: hours, minutes, seconds
//	[%eval 81,28]             hundredths of a pawn, depth
//	[%eval 32764,28]          mate in 3: 32767 less the number of moves
//	[%eval 0.81,28]           the same as other programs have it: pawns,
//	[%eval #3,28]             and moves to mate
//	[%evp 2,4,15,32767,29985] evaluations of the positions 2 to 4:
//	                          hundredths of a pawn; none; mate in 15 plies
const (
	evpMate = 30000
	evpNone = 32767
	evpMost = 29000 // values beyond it are mates and not pawns
)

func parseTimeSpent(args string) (model.Value, bool) {
	part := strings.Split(args, ":")
	if len(part) != 3 {
		return nil, false
	}
	var n [3]uint8
	for i := range n {
		v, ok := parseUint(part[i], 8)
		if !ok {
			return nil, false
		}
		n[i] = uint8(v)
	}
	return model.TimeSpent{Hours: n[0], Minutes: n[1], Seconds: n[2]}, true
}

func parseEngine(args string) (model.Value, bool) {
	v, mate, depth, ok := marks.ParseVerdict(args)
	d, deep := parseInt16(depth)
	e := model.Engine{Value: int16(v), Depth: d}
	if mate {
		e.Type = 1
	}
	return e, ok && deep && int32(e.Value) == v
}

func appendEngine(dst []byte, e model.Engine) (command []byte, exact bool) {
	v := int(e.Value)
	switch {
	case e.Type == 0:
		exact = -marks.EvalMost <= v && v <= marks.EvalMost
	case e.Type != 1:
	case v > 0:
		v = marks.EvalMate - v
		exact = v > marks.EvalMost
	case v < 0:
		v = -marks.EvalMate - v
		exact = v < -marks.EvalMost
	}
	if !exact {
		return dst, false
	}
	return fmt.Appendf(dst, "[%%eval %d,%d]", v, e.Depth), true
}

// appendPawns appends a verdict as other programs have it: in pawns, or as
// moves to mate. They read no depth below 1.
func appendPawns(dst []byte, e model.Engine) (command []byte, exact bool) {
	switch e.Type {
	case 0:
		sign, v := "", int(e.Value)
		if v < 0 {
			sign, v = "-", -v
		}
		dst = fmt.Appendf(dst, "[%%eval %s%d.%02d", sign, v/100, v%100)
	case 1:
		dst = fmt.Appendf(dst, "[%%eval #%d", e.Value)
	default:
		return dst, false
	}
	if e.Depth > 0 {
		dst = append(dst, ',')
		dst = strconv.AppendInt(dst, int64(e.Depth), 10)
	}
	return append(dst, ']'), e.Depth > 0
}

// mostEmpty is how many positions without evaluations [%evp] may leave out at
// the beginning, unless it names as many others: what a command takes to hold
// stays in proportion to its length.
const mostEmpty = 64

func parseEvaluations(args string) (model.Value, bool) {
	word := strings.Split(args, ",")
	if len(word) < 3 {
		return nil, false
	}
	first, okFirst := parseUint(word[0], 16)
	last, okLast := parseUint(word[1], 16)
	word = word[2:]
	if !okFirst || !okLast || last+1 != first+uint64(len(word)) || first > uint64(max(mostEmpty, len(word))) {
		return nil, false
	}
	list := make(model.Evaluations, 0, last+1)
	for range first {
		list = append(list, model.Evaluation{Kind: model.NoEvaluation})
	}
	for _, w := range word {
		v, ok := parseInt16(w)
		if !ok {
			return nil, false
		}
		e := model.Evaluation{Value: v}
		switch {
		case v == evpNone:
			e = model.Evaluation{Kind: model.NoEvaluation}
		case v > evpMost:
			e = model.Evaluation{Kind: model.MateInPlies, Value: evpMate - v}
		case v < -evpMost:
			e = model.Evaluation{Kind: model.MateInPlies, Value: -evpMate - v}
		}
		list = append(list, e)
	}
	return list, true
}

func appendEvaluations(dst []byte, list model.Evaluations) (command []byte, exact bool) {
	first := 0
	for first < len(list) && list[first] == (model.Evaluation{Kind: model.NoEvaluation}) {
		first++
	}
	if first == len(list) {
		return dst, false
	}
	exact = first <= max(mostEmpty, len(list)-first)
	dst = fmt.Appendf(dst, "[%%evp %d,%d", first, len(list)-1)
	for _, e := range list[first:] {
		v := int(e.Value)
		whole := e.Depth == 0
		switch {
		case e.Kind == model.Centipawns:
			whole = whole && -evpMost <= v && v <= evpMost
			v = max(-evpMost, min(v, evpMost))
		case e.Kind == model.MateInPlies && v > 0:
			whole = whole && v < evpMate-evpMost
			v = max(evpMate-v, evpMost+1)
		case e.Kind == model.MateInPlies && v < 0:
			whole = whole && v > evpMost-evpMate
			v = min(-evpMate-v, -evpMost-1)
		default:
			v, whole = evpNone, e == model.Evaluation{Kind: model.NoEvaluation}
		}
		exact = exact && whole
		dst = append(dst, ',')
		dst = strconv.AppendInt(dst, int64(v), 10)
	}
	return append(dst, ']'), exact
}
