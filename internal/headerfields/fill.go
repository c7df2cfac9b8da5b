package headerfields

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cbkit/model"
)

// Filled is a field that a header lacked, or a part of a date, or a tag, and which other
// game states it.
type Filled struct {
	Field, Value string
	From         model.RecordID
}

// Head is the header of a record.
type Head struct {
	ID model.RecordID
	model.Header
}

// Fill gives a header what it lacks and others of the same game state, and lists it: of each
// field what most of them state, of several the least; so of the year, the month and the day
// of a date that does not contradict; a day or a round only if all that state one agree,
// since they tell games apart. Of a tournament those with the same title have the
// word, if they know. Entities are in e, to which a tournament may be added. Without forAll
// what all games of a tournament share stays.
func Fill(h *model.Header, e *model.Entities, others []Head, forAll bool) (list []Filled) {
	h.Tags = slices.Clone(h.Tags)
	stated := len(h.Tags)
	for i := range All {
		f := &All[i]
		if f.Set == nil && f.ID == nil || f.ForAll && !forAll || f.Name == "termination" || // which is the result's
			f.Name == "result" && h.LineEvaluation != 0 || h.Tag(f.Tag) != "" { // it is stated in another way
			continue
		}
		for part := range 3 { // of a date
			has, t := f.Value(h, e), e.Tournaments.Value(h.Tournament)
			value, by, several := elect(others, func(o *model.Header) (any, int) {
				v := f.offer(has, f.Value(o, e), part)
				switch {
				case v == has, v == f.none, f.Name == "subround" && o.Round != h.Round:
					return nil, 0
				case f.OfTournament && e.Tournaments.Value(o.Tournament).Title == t.Title:
					return v, len(others)
				}
				return v, 1
			})
			if by < 0 || several && slices.Contains(tellApart, f.Name) || f.put(h, &t, value, &others[by].Header) != nil {
				continue
			}
			words := fmt.Sprint(inWords(value))
			if exact := others[by].Tag(f.Tag); f.Name == "round" && exact != "" { // which the field has a part of
				h.Tags, words = append(h.Tags, model.Tag{Name: f.Tag, Value: exact}), exact
			}
			if f.OfTournament {
				h.Tournament = e.Tournaments.Intern(t)
			}
			from := others[by].ID
			list = slices.DeleteFunc(list, func(l Filled) bool { return l.Field == f.Name && l.From == from }) // of the year
			list = append(list, Filled{f.Name, words, from})
		}
	}
	for i := range others {
		for _, t := range others[i].Tags {
			says := func(f Field) bool { return f.Tag == t.Name && f.Value(h, e) != f.none }
			if t.Value == "" || h.Tag(t.Name) != "" || slices.ContainsFunc(All, says) {
				continue
			}
			value, by, _ := elect(others, func(o *model.Header) (any, int) { v := o.Tag(t.Name); return v, min(len(v), 1) })
			h.Tags = append(h.Tags, model.Tag{Name: t.Name, Value: value.(string)})
			list = append(list, Filled{t.Name, value.(string), others[by].ID})
		}
	}
	slices.SortStableFunc(h.Tags[stated:], func(a, b model.Tag) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// tellApart are the fields by which games are told apart.
var tellApart = []string{"date", "round", "subround"}

// elect returns the value that has most votes, of several the least, and the place of the
// first game that states it, -1 if none states any; several says that others state others.
func elect(others []Head, states func(*model.Header) (value any, votes int)) (value any, by int, several bool) {
	votes, first := map[any]int{}, map[any]int{}
	for i, o := range slices.Backward(others) {
		if v, n := states(&o.Header); n > 0 {
			votes[v] += n
			first[v] = i
		}
	}
	order := func(v any) string { return fmt.Sprintf("%20v %#[1]v", v) } // of numbers, too
	by = -1
	for v, i := range first {
		if by < 0 || cmp.Or(cmp.Compare(votes[v], votes[value]), cmp.Compare(order(value), order(v))) > 0 {
			value, by = v, i
		}
	}
	return value, by, len(first) > 1
}

// offer returns what the value of a field is with what another header says, the first, second
// or third part of it if that is a date. What is stated stays.
func (f *Field) offer(has, says any, part int) any {
	if date, is := has.(model.Date); is {
		other := says.(model.Date)
		if known(date, other) == known(other, date) {
			return known(date, [...]model.Date{{Year: other.Year}, {Month: other.Month}, {Day: other.Day}}[part])
		}
	} else if part == 0 && has == f.none {
		return says
	}
	return has
}

// known returns a date with what it lacks and another one has.
func known(a, b model.Date) model.Date {
	return model.Date{Year: cmp.Or(a.Year, b.Year), Month: cmp.Or(a.Month, b.Month), Day: cmp.Or(a.Day, b.Day)}
}

// put changes a field to a value, which is that of another header unless it is a date.
func (f *Field) put(h *model.Header, t *model.Tournament, value any, from *model.Header) (err error) {
	switch v := value.(type) {
	case model.Result: // which may be without play
		h.Result = v
	case model.EventType:
		t.Type = v
	default:
		if f.ID != nil {
			*f.ID(h) = *f.ID(from)
			return nil
		}
		sub := h.Subround
		err = f.Set(h, t, fmt.Sprint(v))
		h.Subround = max(h.Subround, sub) // which goes with a round that is set
	}
	return err
}

// inWords returns a value of a field as people read it: a title alone.
func inWords(value any) any {
	switch v := value.(type) {
	case model.Publication:
		return v.Title
	case model.Team:
		return v.Title
	case model.EventType:
		return strings.TrimSpace(v.System.String() + " " + v.Speed())
	}
	return value
}
