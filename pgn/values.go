package pgn

import "cbkit/model"

// AppendTags appends the tags of a game as a [Writer] writes them: names as they stand in
// the file, values without escapes. Those that follow from the start and the moves (SetUp,
// FEN, Variant, PlyCount) are left out, and those that say nothing. Report is called for what
// tags cannot say; it may be nil.
func AppendTags(dst []model.Tag, rec *model.Record, e *model.Entities, report model.Report) []model.Tag {
	var enc encoder
	enc.init(false, report)
	enc.record = rec.ID
	enc.take = func(name string, value []byte) {
		t, known := tagByName(name)
		if !known || t != tagPlyCount && !(t <= tagResult && string(value) == noValue(t)) {
			dst = append(dst, model.Tag{Name: name, Value: string(value)})
		}
	}
	enc.g, enc.e = &model.Game{Header: rec.Game.Header}, e
	enc.writeTags()
	return dst
}

// noValue returns the value of one of the seven tags that says nothing.
func noValue(t tag) string {
	switch t {
	case tagDate:
		return "????.??.??"
	case tagResult:
		return "*"
	}
	return "?"
}

// ParseTags reads tags as a [Reader] does and returns the header that they make; those
// that have no field are its tags. New names are appended to e.
func ParseTags(tags []model.Tag, e *model.Entities) model.Header {
	var head header
	for _, t := range tags {
		head.add(t.Name, t.Value)
	}
	_, _ = head.start() // what its tags say beside the start is kept
	g, n := model.NewHeader(), names{}
	g.Result, _ = head.result(model.NoResult)
	head.fill(&g, &n, false)
	n.intern(&g, e)
	return g
}
