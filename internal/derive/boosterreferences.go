package derive

import (
	"cmp"

	"cbkit/internal/cbh"
)

// References are the entities that the stored headers of a game or guiding
// text refer to, by id, -1 for none. A text has only a tournament, an
// annotator, a source and a title.
type References struct {
	Text                 bool
	White, Black         int32
	Tournament           int32
	Annotator, Source    int32
	WhiteTeam, BlackTeam int32
	Title                int32
}

// Reference is one entity that a record refers to.
type Reference struct {
	Kind   cbh.ListKind
	Entity int32
}

// Compare orders references by entity, those of one entity by kind.
func (r Reference) Compare(other Reference) int {
	return cmp.Or(cmp.Compare(r.Entity, other.Entity), cmp.Compare(r.Kind, other.Kind))
}

// Append appends the references that put the record into a list of a pair of files, in
// the order of a row. An entity that stands on both sides comes twice, as it is listed
// twice. (docs/formats/boosters.md 2)
func (r *References) Append(dst []Reference, pair *cbh.ListFile) []Reference {
	list := []Reference{
		{cbh.PlayerList, r.White}, {cbh.PlayerList, r.Black}, {cbh.TournamentList, r.Tournament},
		{cbh.TeamList, r.WhiteTeam}, {cbh.TeamList, r.BlackTeam}, {cbh.SourceList, r.Source},
		{cbh.AnnotatorList, r.Annotator},
	}
	if pair == &cbh.TitleLists {
		list = []Reference{{cbh.TitleList, r.Title}}
	}
	for _, ref := range list {
		if ref.Entity >= 0 {
			dst = append(dst, ref)
		}
	}
	return dst
}
