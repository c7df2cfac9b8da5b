package search

import (
	"fmt"
	"strings"
	"time"
)

// Parse reads a condition such as
//
//	player:carl* and (eco:C50..C59 or not year:2013) result:1-0
//
// A term is a name and a value with a colon between them; [Terms] lists them. A value
// with blanks, parentheses or quotes stands in double quotes, in which a backslash quotes
// the next character. Terms side by side are joined by "and", which binds closer than
// "or". Without a colon, and without parentheses, all of it is the name of a player.
func Parse(query string) (Condition, error) { return parseAt(query, time.Now()) }

// parseAt is Parse at another time, from which "year:-3.." and "date:-30.." count.
func parseAt(query string, now time.Time) (Condition, error) {
	if name := strings.TrimSpace(query); name != "" && !strings.ContainsAny(name, ":()") {
		return Term("player", name)
	}
	p := parser{rest: query, all: query, now: now}
	c, err := p.or(0)
	if err == nil {
		if word := p.peek(); word != "" {
			err = p.wrong("%q is not expected here", word)
		}
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// parser reads a query from left to right.
type parser struct {
	rest, all string
	now       time.Time
}

// maxDepth is how deep parentheses and nots may be nested.
const maxDepth = 100

// wrong returns an error about the place that was reached.
func (p *parser) wrong(format string, args ...any) error {
	return fmt.Errorf("query, character %d: %s", len(p.all)-len(p.rest)+1, fmt.Sprintf(format, args...))
}

// peek returns the next word without taking it: a parenthesis, or what comes
// before the next blank, colon or parenthesis. It is empty at the end.
func (p *parser) peek() string {
	p.rest = strings.TrimLeft(p.rest, " \t\n\r")
	if p.rest == "" {
		return ""
	}
	if end := strings.IndexAny(p.rest, " \t\n\r:()\""); end > 0 {
		return p.rest[:end]
	} else if end == 0 {
		return p.rest[:1]
	}
	return p.rest
}

// take takes a word if it comes next; case does not matter.
func (p *parser) take(word string) bool {
	if !strings.EqualFold(p.peek(), word) {
		return false
	}
	// "and:x" would be a term, though of an unknown name.
	if after := p.rest[len(word):]; word != "(" && word != ")" && strings.HasPrefix(after, ":") {
		return false
	}
	p.rest = p.rest[len(word):]
	return true
}

func (p *parser) or(depth int) (Condition, error) {
	var list []Condition
	for {
		c, err := p.and(depth)
		if err != nil {
			return nil, err
		}
		if list = append(list, c); !p.take("or") {
			return single(list, Or), nil
		}
	}
}

func (p *parser) and(depth int) (Condition, error) {
	var list []Condition
	for {
		c, err := p.not(depth)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
		if p.take("and") {
			continue
		}
		if next := p.peek(); next == "" || next == ")" || strings.EqualFold(next, "or") {
			return single(list, And), nil
		}
	}
}

// single joins conditions if there is more than one.
func single(list []Condition, join func(...Condition) Condition) Condition {
	if len(list) == 1 {
		return list[0]
	}
	return join(list...)
}

func (p *parser) not(depth int) (Condition, error) {
	if depth > maxDepth {
		return nil, p.wrong("nested deeper than %d levels", maxDepth)
	}
	if p.take("not") {
		c, err := p.not(depth + 1)
		if err != nil {
			return nil, err
		}
		return Not(c), nil
	}
	if !p.take("(") {
		return p.term()
	}
	c, err := p.or(depth + 1)
	if err == nil && !p.take(")") {
		err = p.wrong("a ) is missing")
	}
	return c, err
}

// term reads a name, a colon and a value.
func (p *parser) term() (Condition, error) {
	name := p.peek()
	if name == "" || strings.ContainsAny(name, ":()\"") {
		return nil, p.wrong("a term such as player:Carl* is missing")
	}
	start := *p
	p.rest = p.rest[len(name):]
	if !strings.HasPrefix(p.rest, ":") {
		return nil, start.wrong("%q: a term has a name, a colon and a value, such as player:%[1]s", name)
	}
	p.rest = p.rest[1:]
	value, err := p.value()
	if err != nil {
		return nil, err
	}
	c, err := termAt(strings.ToLower(name), value, p.now)
	if err != nil {
		return nil, start.wrong("%v", err)
	}
	return c, nil
}

// value reads what stands behind a colon.
func (p *parser) value() (string, error) {
	quoted, ok := strings.CutPrefix(p.rest, `"`)
	if !ok {
		end := strings.IndexAny(p.rest, " \t\n\r()\"")
		if end < 0 {
			end = len(p.rest)
		}
		value := p.rest[:end]
		p.rest = p.rest[end:]
		return value, nil
	}
	var b strings.Builder
	for i := 0; i < len(quoted); i++ {
		switch c := quoted[i]; {
		case c == '"':
			p.rest = quoted[i+1:]
			return b.String(), nil
		case c == '\\' && i+1 < len(quoted):
			i++
			b.WriteByte(quoted[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", p.wrong("the quote is not closed")
}

// term writes a term as Parse reads it.
func term(name, value string) string {
	if value != "" && !strings.ContainsAny(value, " \t\n\r()\"\\") {
		return name + ":" + value
	}
	return name + `:"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
}
