package search

import (
	"cmp"
	"iter"
	"slices"

	"cbkit/internal/namepattern"
)

// Unknown is a name in a condition that nobody and nothing of the kind has, with
// those that come nearest to it.
type Unknown struct {
	Kind    string // as in conditions: player, tournament, place …
	Name    string
	Similar []string // nearest first, at most three
}

// unknown returns the names that were looked up in vain.
func (s *session) unknown() (list []Unknown, err error) {
	for query, set := range s.names {
		similar, known := namepattern.NewSimilar(string(query.pattern)), false
		for names, err := range s.allNames(query.kind) {
			if err != nil {
				return nil, err
			}
			if known = set.fits(names); known {
				break
			}
			if len(names) > 0 { // the last one has all that is known of a player
				similar.Add(names[len(names)-1])
			}
		}
		if !known {
			list = append(list, Unknown{query.kind.name, string(query.pattern), similar.Names()})
		}
	}
	slices.SortFunc(list, func(a, b Unknown) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name)) })
	return list, nil
}

// allNames yields the names of all entities of a kind.
func (s *session) allNames(kind *nameKind) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		if s.base == nil {
			for id := range kind.count(s.entities) {
				if !yield(kind.known(s.entities, int32(id)), nil) {
					return
				}
			}
			return
		}
		files := s.nameFiles()
		file, err := files.open(kind)
		if err != nil {
			yield(nil, err)
			return
		}
		if file == nil {
			return
		}
		for r, err := range file.Lookup().Live() {
			if !yield(kind.texts(r.Payload, files.page), err) || err != nil {
				return
			}
		}
	}
}
