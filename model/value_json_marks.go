package model

import (
	"strconv"
	"strings"

	"cbkit/internal/jsontext"
)

func (t Text) appendJSON(o *jsontext.Object) {
	o.Text("lang", t.Language.String())
	o.True("before", t.Before)
	o.Text("text", t.Text)
}

func parseText(s *jsontext.Scanner) Value {
	var t Text
	members(s, func(key string) bool {
		switch key {
		case "lang":
			t.Language = jsontext.Word(s, "language", ParseLanguage)
		case "before":
			t.Before = s.Bool()
		case "text":
			t.Text = s.Text()
		default:
			return false
		}
		return true
	})
	return t
}

func (v Symbols) appendJSON(o *jsontext.Object) {
	o.Int("move", int64(v.Move))
	o.Int("position", int64(v.Position))
	o.Int("prefix", int64(v.Prefix))
	list := o.List("more")
	for _, n := range v.More {
		list.Next()
		o.Dst = strconv.AppendUint(o.Dst, uint64(n), 10)
	}
	list.End()
}

func parseSymbols(s *jsontext.Scanner) Value {
	var v Symbols
	nag := func() NAG { return NAG(s.Uint8()) }
	members(s, func(key string) bool {
		switch key {
		case "move":
			v.Move = nag()
		case "position":
			v.Position = nag()
		case "prefix":
			v.Prefix = nag()
		case "more":
			v.More = jsontext.Elements(s, nag)
		default:
			return false
		}
		return true
	})
	return v
}

func (v Squares) appendJSON(o *jsontext.Object) {
	appendObjects(o, "squares", v, func(o *jsontext.Object, m ColoredSquare) {
		o.Text("color", m.Color.String())
		o.Text("square", squareWord(m.Square))
	})
}

func parseSquares(s *jsontext.Scanner) Value {
	var v Squares
	members(s, func(key string) bool {
		if key != "squares" {
			return false
		}
		v = jsontext.Elements(s, func() (m ColoredSquare) {
			s.Members(func(key string) bool {
				switch key {
				case "color":
					m.Color = jsontext.Word(s, "color", ParseMarkColor)
				case "square":
					m.Square = jsontext.Word(s, "square", parseSquareWord)
				default:
					return false
				}
				return true
			})
			return m
		})
		return true
	})
	return v
}

func (v Arrows) appendJSON(o *jsontext.Object) {
	appendObjects(o, "arrows", v, func(o *jsontext.Object, m ColoredArrow) {
		o.Text("color", m.Color.String())
		o.Text("from", squareWord(m.From))
		o.Text("to", squareWord(m.To))
	})
}

func parseArrows(s *jsontext.Scanner) Value {
	var v Arrows
	members(s, func(key string) bool {
		if key != "arrows" {
			return false
		}
		v = jsontext.Elements(s, func() (m ColoredArrow) {
			s.Members(func(key string) bool {
				switch key {
				case "color":
					m.Color = jsontext.Word(s, "color", ParseMarkColor)
				case "from":
					m.From = jsontext.Word(s, "square", parseSquareWord)
				case "to":
					m.To = jsontext.Word(s, "square", parseSquareWord)
				default:
					return false
				}
				return true
			})
			return m
		})
		return true
	})
	return v
}

func (v Opaque) appendJSON(o *jsontext.Object) {
	o.Text("format", v.Format)
	o.Int("type", int64(v.Type))
	o.Base64("raw", v.Data)
}

func parseOpaque(s *jsontext.Scanner) Value {
	var v Opaque
	members(s, func(key string) bool {
		switch key {
		case "format":
			v.Format = s.Text()
		case "type":
			v.Type = s.Uint8()
		case "raw":
			v.Data = s.Base64()
		default:
			return false
		}
		return true
	})
	return v
}

// appendObjects appends a member whose value is an array with one object for
// each element of a list, unless the list is empty.
func appendObjects[T any](o *jsontext.Object, key string, list []T, element func(*jsontext.Object, T)) {
	objects := o.List(key)
	for _, e := range list {
		object := objects.Object()
		element(&object, e)
		o.Dst = object.End()
	}
	objects.End()
}

// squareWord returns the name of a square, and "#64" for what is none.
func squareWord(s Square) string {
	if s < NoSquare {
		return s.String()
	}
	return "#" + strconv.Itoa(int(s))
}

func parseSquareWord(name string) (Square, bool) {
	if number, found := strings.CutPrefix(name, "#"); found {
		n, err := strconv.ParseUint(number, 10, 8)
		return Square(n), err == nil
	}
	return ParseSquare(name)
}
