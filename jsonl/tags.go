package jsonl

import (
	"slices"
	"unicode/utf8"

	"cbkit/internal/jsontext"
	"cbkit/model"
)

// appendTags appends "tags" as an object. A list of tags that no JSON object
// can hold, because a name occurs twice or is not UTF-8, becomes an array of
// pairs: [["Board","1"],["Board","2"]].
func appendTags(o *jsontext.Object, tags []model.Tag) {
	if !fitObject(tags) {
		appendTagPairs(o, tags)
		return
	}
	o.Object("tags", func(o *jsontext.Object) {
		for _, tag := range tags {
			o.Key(tag.Name)
			o.Dst = jsontext.AppendText(o.Dst, tag.Value)
		}
	})
}

func appendTagPairs(o *jsontext.Object, tags []model.Tag) {
	pairs := o.List("tags")
	for _, tag := range tags {
		pairs.Next()
		o.Dst = jsontext.AppendText(append(o.Dst, '['), tag.Name)
		o.Dst = jsontext.AppendText(append(o.Dst, ','), tag.Value)
		o.Dst = append(o.Dst, ']')
	}
	pairs.End()
}

// fewTags is how many names are compared with each other; more are looked up.
const fewTags = 16

func fitObject(tags []model.Tag) bool {
	var seen map[string]struct{}
	if len(tags) > fewTags {
		seen = make(map[string]struct{}, len(tags))
	}
	for i, tag := range tags {
		if !utf8.ValidString(tag.Name) {
			return false
		}
		if seen == nil {
			if slices.ContainsFunc(tags[:i], func(t model.Tag) bool { return t.Name == tag.Name }) {
				return false
			}
			continue
		}
		if _, twice := seen[tag.Name]; twice {
			return false
		}
		seen[tag.Name] = struct{}{}
	}
	return true
}

// parseTags reads what appendTags writes.
func parseTags(s *jsontext.Scanner, tags []model.Tag) []model.Tag {
	if s.Peek() == '[' {
		s.BeginArray()
		for s.NextElement() {
			pair := jsontext.Elements(s, s.Text)
			if len(pair) != 2 {
				s.Failf("a tag of %d parts; want name and value", len(pair))
				break
			}
			tags = append(tags, model.Tag{Name: pair[0], Value: pair[1]})
		}
		return tags
	}
	s.BeginObject()
	for s.NextKey() {
		name := string(s.Key())
		tags = append(tags, model.Tag{Name: name, Value: s.Text()})
	}
	return tags
}
