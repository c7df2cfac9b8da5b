package model

import "cbkit/internal/jsontext"

func (e Engine) appendJSON(o *jsontext.Object) {
	o.Int("value", int64(e.Value))
	o.Int("type", int64(e.Type))
	o.Int("depth", int64(e.Depth))
}

func parseEngine(s *jsontext.Scanner) Value {
	var e Engine
	members(s, func(key string) bool {
		switch key {
		case "value":
			e.Value = s.Int16()
		case "type":
			e.Type = s.Int16()
		case "depth":
			e.Depth = s.Int16()
		default:
			return false
		}
		return true
	})
	return e
}

func (e Evaluations) appendJSON(o *jsontext.Object) {
	appendObjects(o, "evaluations", e, func(o *jsontext.Object, e Evaluation) {
		if e.Kind != Centipawns {
			o.Text("type", e.Kind.String())
		}
		o.Int("value", int64(e.Value))
		o.Int("depth", int64(e.Depth))
	})
}

func parseEvaluations(s *jsontext.Scanner) Value {
	var e Evaluations
	members(s, func(key string) bool {
		if key != "evaluations" {
			return false
		}
		e = jsontext.Elements(s, func() Evaluation { return parseEvaluation(s) })
		return true
	})
	return e
}

func parseEvaluation(s *jsontext.Scanner) (e Evaluation) {
	s.Members(func(key string) bool {
		switch key {
		case "type":
			e.Kind = jsontext.Word(s, "type of evaluation", ParseEvaluationKind)
		case "value":
			e.Value = s.Int16()
		case "depth":
			e.Depth = s.Uint8()
		default:
			return false
		}
		return true
	})
	return e
}

func (t TimeControl) appendJSON(o *jsontext.Object) {
	n := len(t)
	for n > 0 && t[n-1] == (TimeStage{}) {
		n--
	}
	appendObjects(o, "stages", t[:n], func(o *jsontext.Object, stage TimeStage) {
		o.Int("startCentiseconds", int64(stage.Start))
		o.Int("incrementCentiseconds", int64(stage.Increment))
		o.Int("moves", int64(stage.Moves))
		o.Int("type", int64(stage.Kind))
	})
}

func parseTimeControl(s *jsontext.Scanner) Value {
	var t TimeControl
	members(s, func(key string) bool {
		if key != "stages" {
			return false
		}
		stages := jsontext.Elements(s, func() TimeStage { return parseTimeStage(s) })
		if len(stages) > len(t) {
			s.Failf("%d stages; there are at most %d", len(stages), len(t))
		}
		t = TimeControl{}
		copy(t[:], stages)
		return true
	})
	return t
}

func parseTimeStage(s *jsontext.Scanner) (stage TimeStage) {
	s.Members(func(key string) bool {
		switch key {
		case "startCentiseconds":
			stage.Start = s.Uint32()
		case "incrementCentiseconds":
			stage.Increment = s.Uint32()
		case "moves":
			stage.Moves = s.Uint16()
		case "type":
			stage.Kind = s.Uint8()
		default:
			return false
		}
		return true
	})
	return stage
}
