package ctgwrite

import (
	"fmt"
	"maps"
	"slices"

	"cbkit/board"
	"cbkit/internal/ctg"
	"cbkit/model"
)

// Setting is what the user of a book says about a move.
type Setting struct {
	// Annotation is a NAG, $1 for ! and so on, 0 for none.
	Annotation model.NAG
	// Recommendation and Weight (-125 to 125) belong to the position after the
	// move, and so to every move that leads there.
	Recommendation model.Recommendation
	Weight         int8
}

// settings are the user's, by position.
type settings map[ctg.Key]*positionSetting

type positionSetting struct {
	annotations    map[byte]model.NAG // of moves from here, by their bytes
	recommendation model.Recommendation
	weight         int8
	fen            string
	used           bool
}

// Set sets what the user says about a move; a later setting replaces it. The
// move must be legal and have a form in books. A setting of a position that
// turns out not to be in the book is reported by Write.
func (b *Builder) Set(p board.Position, m model.Move, s Setting) error {
	if b.workers == nil {
		return errUsedUp
	}
	if m.IsNull() || !p.Legal(m) {
		return fmt.Errorf("%v is not legal in %s", m, p.FEN())
	}
	_, view := ctg.Encode(&p)
	code, ok := ctg.EncodeMove(&p, view, m, b.opt.codes())
	if !ok {
		return fmt.Errorf("%w: books have no word for %v in %s", model.ErrUnsupported, m, p.FEN())
	}
	for _, key := range keysOf(&p) {
		b.settings.at(&key, &p).annotations[code] = s.Annotation
	}
	p.Make(m)
	for _, key := range keysOf(&p) {
		at := b.settings.at(&key, &p)
		at.recommendation, at.weight = s.Recommendation, s.Weight
	}
	return nil
}

func (s settings) at(key *ctg.Key, p *board.Position) *positionSetting {
	set := s[*key]
	if set == nil {
		set = &positionSetting{annotations: map[byte]model.NAG{}, fen: p.FEN()}
		s[*key] = set
	}
	return set
}

// apply puts the settings of a position into its moves, a list of byte pairs,
// and its figures.
func (s settings) apply(key *ctg.Key, moves []byte, stats *ctg.Stats) {
	set := s[*key]
	if set == nil {
		return
	}
	set.used = true
	for i := 0; i < len(moves); i += 2 {
		if nag, ok := set.annotations[moves[i]]; ok {
			moves[i+1] = uint8(nag)
		}
	}
	stats.Recommendation = ctg.RecommendationBits(set.recommendation, set.weight)
	stats.Weight = set.weight
}

// reportUnused reports the settings of positions that are not in the book.
func (s settings) reportUnused(report model.Report) {
	var unused []string
	for set := range maps.Values(s) {
		if !set.used {
			unused = append(unused, set.fen)
		}
	}
	slices.Sort(unused)
	for _, fen := range slices.Compact(unused) {
		report.Add(model.LostField, 0, "setting", "%s is not in the book", fen)
	}
}
