package main

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"cbkit/model"
)

// idSet is a selection of record ids such as "1-50,77,100-".
type idSet []idRange

type idRange struct{ from, to model.RecordID }

// maxID stands for "to the end".
const maxID = model.RecordID(1<<31 - 1)

// parseIDs reads a selection; an empty one is everything.
func parseIDs(s string) (idSet, error) {
	if s == "" {
		return idSet{{1, maxID}}, nil
	}
	var set idSet
	for _, word := range strings.Split(s, ",") {
		from, to, isRange := strings.Cut(strings.TrimSpace(word), "-")
		r := idRange{1, maxID}
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
			return nil, usageError{fmt.Errorf("games %q: %q is no id or range; write them like 1-50,77", s, word)}
		}
		set = append(set, r)
	}
	sort.Slice(set, func(i, j int) bool { return set[i].from < set[j].from })
	return set, nil
}

func parseID(s string) (model.RecordID, error) {
	n, err := strconv.ParseInt(s, 10, 32)
	if err == nil && n < 1 {
		err = strconv.ErrRange
	}
	return model.RecordID(n), err
}

// has reports whether an id is selected.
func (s idSet) has(id model.RecordID) bool {
	for _, r := range s {
		if r.from <= id && id <= r.to {
			return true
		}
	}
	return false
}
