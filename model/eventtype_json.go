package model

import (
	"fmt"

	"cbkit/internal/jsontext"
)

// AppendEventTypeJSON appends the type of a tournament as an object, such as
// {"system":"swiss","rapid":true}.
func AppendEventTypeJSON(dst []byte, t EventType) []byte {
	o := jsontext.Object{Dst: dst}
	o.Text("system", t.System.String())
	o.True("blitz", t.Blitz)
	o.True("rapid", t.Rapid)
	o.True("correspondence", t.Correspondence)
	o.True("team", t.Team)
	return o.End()
}

// ParseEventTypeJSON reads what [AppendEventTypeJSON] writes.
func ParseEventTypeJSON(data []byte) (EventType, error) {
	s := jsontext.NewScanner(data)
	t := parseEventType(s)
	if err := s.End(); err != nil {
		return EventType{}, fmt.Errorf("type of event: %w", err)
	}
	return t, nil
}

func parseEventType(s *jsontext.Scanner) (t EventType) {
	s.Members(func(key string) bool {
		switch key {
		case "system":
			t.System = jsontext.Word(s, "system of play", ParseEventSystem)
		case "blitz":
			t.Blitz = s.Bool()
		case "rapid":
			t.Rapid = s.Bool()
		case "correspondence":
			t.Correspondence = s.Bool()
		case "team":
			t.Team = s.Bool()
		default:
			return false
		}
		return true
	})
	return t
}
