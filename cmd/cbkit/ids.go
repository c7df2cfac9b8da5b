package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cbkit/model"
)

// idSet is a selection of records: of ids such as "1-50,77,100-", of which it remembers
// those that it has met, or of those that a search found.
type idSet struct {
	ranges []idRange
	last   model.RecordID   // the highest id met, selected or not
	found  []model.RecordID // in their order
}

type idRange struct {
	from, to model.RecordID
	met      bool
}

// maxID stands for "to the end".
const maxID = model.RecordID(1<<31 - 1)

// parseIDs reads a selection. Lines are words too, as find --format ids prints them.
func parseIDs(s string) (*idSet, error) {
	var set idSet
	if strings.TrimSpace(s) == "" {
		return nil, usageError{errors.New("no record is named; write ids like 1-50,77")}
	}
	for _, word := range strings.Split(strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }), ","), ",") {
		from, to, isRange := strings.Cut(strings.Replace(strings.TrimSpace(word), "..", "-", 1), "-")
		r := idRange{from: 1, to: maxID}
		var err error
		if from != "" {
			r.from, err = parseID(from)
		}
		if err == nil && to != "" {
			r.to, err = parseID(to)
		}
		if !isRange {
			r.to = r.from
		}
		if err != nil || word == "" || word == "-" || r.from > r.to {
			if strings.Contains(word, "#") {
				return nil, usageError{fmt.Errorf("%q is a record of a folder; name its file as the database, and the number behind # here", word)}
			}
			return nil, usageError{fmt.Errorf("%q is no id or range; write them like 1-50,77", word)}
		}
		set.ranges = append(set.ranges, r)
	}
	slices.SortFunc(set.ranges, func(a, b idRange) int { return cmp.Compare(a.from, b.from) })
	return &set, nil
}

func parseID(s string) (model.RecordID, error) {
	n, err := strconv.ParseInt(s, 10, 32)
	if err == nil && n < 1 {
		err = strconv.ErrRange
	}
	return model.RecordID(n), err
}

// take reports whether a record that was met is selected.
func (s *idSet) take(id model.RecordID) bool {
	s.last = max(s.last, id)
	_, selected := slices.BinarySearch(s.found, id)
	for i := range s.ranges {
		if r := &s.ranges[i]; r.from <= id && id <= r.to {
			r.met, selected = true, true
		}
	}
	return selected
}

// span returns the first and the last id that can be selected of a source with
// count records, -1 if that is not known.
func (s *idSet) span(count int) (from, to model.RecordID) {
	s.last = max(s.last, model.RecordID(count))
	switch n := len(s.found); {
	case n > 0:
		return s.found[0], s.found[n-1]
	case len(s.ranges) == 0:
		return 1, 1
	}
	for _, r := range s.ranges {
		to = max(to, r.to)
	}
	return s.ranges[0].from, to
}

// any reports whether a selected record was met, if any is named.
func (s *idSet) any() bool {
	return s.ranges == nil || slices.ContainsFunc(s.ranges, func(r idRange) bool { return r.met })
}

// absent returns an error that names what was selected and not met, after all
// records were.
func (s *idSet) absent() error {
	var list []string
	for _, r := range s.ranges {
		from := r.from
		switch {
		case r.met && (r.to == maxID || r.to <= s.last):
			continue
		case r.met:
			from = s.last + 1
		}
		list = append(list, idRange{from: from, to: r.to}.String())
	}
	if len(list) == 0 {
		return nil
	}
	return fmt.Errorf("--games: there is no record %s; the last one is %d", strings.Join(list, ", "), s.last)
}

// String returns the range as the user writes it.
func (r idRange) String() string {
	switch r.to {
	case r.from:
		return strconv.Itoa(int(r.from))
	case maxID:
		return fmt.Sprintf("%d-", r.from)
	}
	return fmt.Sprintf("%d-%d", r.from, r.to)
}
