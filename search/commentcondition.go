package search

import (
	"fmt"
	"strings"

	"cbkit/internal/namepattern"
	"cbkit/model"
)

// Comment is true for games with words in a comment, in any language, before or
// behind a move. Case, accents and punctuation do not matter.
func Comment(words string) Condition {
	return &commentCondition{words, namepattern.Fold(words)}
}

// commentCondition looks for words in the comments of a game.
type commentCondition struct{ words, folded string }

// String implements Condition.
func (c *commentCondition) String() string { return term("comment", c.words) }

func (c *commentCondition) bind(s *session) (test, error) {
	s.wants |= model.WantMoves | model.WantAnnotations
	return c, nil
}

func (c *commentCondition) bound() *bound { return nil }

func (c *commentCondition) eval(r *row) truth {
	switch {
	case r.refs.Text, r.stored != nil && r.stored.bare:
		return no
	case !r.loaded:
		return maybe
	case r.game == nil:
		return no
	}
	for i := range r.game.Annotations {
		text, ok := r.game.Annotations[i].Value.(model.Text)
		if ok && strings.Contains(namepattern.Fold(text.Text), c.folded) {
			return yes
		}
	}
	return no
}

func parseComment(value string) (Condition, error) {
	if namepattern.Fold(value) == "" {
		return nil, fmt.Errorf("%q: write letters or digits that the comment has", value)
	}
	return Comment(value), nil
}
