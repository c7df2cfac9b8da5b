package pgn

import (
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
	noBracket, noQuotedBracket bool
}

// end returns the place behind the command that begins at text[i], -1 if none
// does. Inside the quotes of [%tqu] a bracket does not end it.
func (f *commandFinder) end(text string, i int) int {
	if f.noBracket || !strings.HasPrefix(text[i:], "[%") || i+2 == len(text) || !isLetter(text[i+2]) {
		return -1
	}
	if !f.noQuotedBracket && strings.HasPrefix(text[i:], "[%tqu ") {
		if end := quotedEnd(text, i); end >= 0 {
			return end
		}
		f.noQuotedBracket = true
	}
	k := strings.IndexByte(text[i:], ']')
	if k < 0 {
		f.noBracket = true
		return -1
	}
	return i + k + 1
}

// quotedEnd returns the place behind the first closing bracket that is not
// inside quotes.
func quotedEnd(text string, i int) int {
	inside := false
	for k := i; k < len(text); k++ {
		switch {
		case text[k] == '"':
			inside = !inside
		case text[k] == ']' && !inside:
			return k + 1
		}
	}
	return -1
}

// splitCommand takes a command apart.
func splitCommand(text string) command {
	name, args, _ := strings.Cut(text[2:len(text)-1], " ")
	return command{text, name, args}
}

// known reports whether commands of that name can have a value.
func (c command) known() bool {
	switch c.name {
	case "csl", "cal", "mdl", "emt", "evp", "tqu", textCommand, rawCommand:
		return true
	case "eval":
		// lichess's is in pawns, "0.17" or "#-3", and has no home.
		return strings.IndexByte(c.args, ',') >= 0
	}
	return false
}

// is reports whether text is the command to the letter.
func (c command) is(text []byte, exact bool) bool { return exact && string(text) == c.text }

// value returns what the command says, if writing that gives the very same
// command. See spec/pgn.md 3.
func (c command) value() (model.Value, bool) {
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
	}
	if !ok {
		return nil, false
	}
	var buf [64]byte
	return v, c.is(appendCommand(buf[:0], v))
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
		return appendTimeSpent(dst, v), v.Extra == 0
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
