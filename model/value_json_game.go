package model

import "cbkit/internal/jsontext"

func (t TimeSpent) appendJSON(o *jsontext.Object) {
	o.Int("hours", int64(t.Hours))
	o.Int("minutes", int64(t.Minutes))
	o.Int("seconds", int64(t.Seconds))
	o.Int("extra", int64(t.Extra))
}

func parseTimeSpent(s *jsontext.Scanner) Value {
	var t TimeSpent
	members(s, func(key string) bool {
		switch key {
		case "hours":
			t.Hours = s.Uint8()
		case "minutes":
			t.Minutes = s.Uint8()
		case "seconds":
			t.Seconds = s.Uint8()
		case "extra":
			t.Extra = s.Uint8()
		default:
			return false
		}
		return true
	})
	return t
}

func (c Clock) appendJSON(o *jsontext.Object) {
	o.Text("player", wordOf(sideWords, uint8(c.Player)))
	o.Int("centiseconds", int64(c.Centiseconds))
}

func parseClock(s *jsontext.Scanner) Value {
	var c Clock
	members(s, func(key string) bool {
		switch key {
		case "player":
			c.Player = jsontext.Word(s, "player", parseSide)
		case "centiseconds":
			c.Centiseconds = s.Uint32()
		default:
			return false
		}
		return true
	})
	return c
}

func parseSide(s string) (Color, bool) {
	n, ok := parseWord(sideWords, s)
	return Color(n), ok
}

func parseCritical(s *jsontext.Scanner) Value {
	var c Critical
	members(s, func(key string) bool {
		if key != "phase" {
			return false
		}
		c = jsontext.Word(s, "phase", ParseCritical)
		return true
	})
	return c
}

func (m Medals) appendJSON(o *jsontext.Object) {
	list := o.List("medals")
	for _, name := range m.Names() {
		list.Next()
		o.Dst = jsontext.AppendString(o.Dst, name)
	}
	list.End()
}

func parseMedals(s *jsontext.Scanner) Value {
	var m Medals
	members(s, func(key string) bool {
		if key != "medals" {
			return false
		}
		m = 0
		for _, bit := range jsontext.Elements(s, func() Medals { return jsontext.Word(s, "medal", ParseMedal) }) {
			m |= bit
		}
		return true
	})
	return m
}

func (v VariationColor) appendJSON(o *jsontext.Object) {
	o.Int("flags", int64(v.Flags))
	o.Int("red", int64(v.Red))
	o.Int("green", int64(v.Green))
	o.Int("blue", int64(v.Blue))
}

func parseVariationColor(s *jsontext.Scanner) Value {
	var v VariationColor
	members(s, func(key string) bool {
		switch key {
		case "flags":
			v.Flags = s.Uint8()
		case "red":
			v.Red = s.Uint8()
		case "green":
			v.Green = s.Uint8()
		case "blue":
			v.Blue = s.Uint8()
		default:
			return false
		}
		return true
	})
	return v
}

func parsePawnStructure(s *jsontext.Scanner) Value {
	var p PawnStructure
	members(s, func(key string) bool {
		if key != "structure" {
			return false
		}
		p = PawnStructure(s.Uint8())
		return true
	})
	return p
}

func (p PiecePath) appendJSON(o *jsontext.Object) {
	o.Int("mode", int64(p.Mode))
	o.Text("square", squareWord(p.Square))
}

func parsePiecePath(s *jsontext.Scanner) Value {
	var p PiecePath
	members(s, func(key string) bool {
		switch key {
		case "mode":
			p.Mode = s.Uint8()
		case "square":
			p.Square = jsontext.Word(s, "square", parseSquareWord)
		default:
			return false
		}
		return true
	})
	return p
}

func parseVideoTime(s *jsontext.Scanner) Value {
	var t VideoTime
	members(s, func(key string) bool {
		if key != "time" {
			return false
		}
		t = VideoTime(s.Uint32())
		return true
	})
	return t
}

func (w WebLink) appendJSON(o *jsontext.Object) {
	o.Text("url", w.URL)
	o.Text("caption", w.Caption)
}

func parseWebLink(s *jsontext.Scanner) Value {
	var w WebLink
	members(s, func(key string) bool {
		switch key {
		case "url":
			w.URL = s.Text()
		case "caption":
			w.Caption = s.Text()
		default:
			return false
		}
		return true
	})
	return w
}
