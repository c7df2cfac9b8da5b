package derive

import (
	"cmp"
	"fmt"

	"cbkit/internal/cbh"
	"cbkit/model"
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

// ReferencesOf reads the references of a record from its 46 bytes in the .cbh
// file and its record in the .cbj file, which is empty if there is none.
func ReferencesOf(head, ext []byte) (References, error) {
	if len(head) < cbh.RecordSize {
		return References{}, fmt.Errorf("a record of %d bytes: %w", len(head), model.ErrTruncated)
	}
	more := cbh.DecodeExtEntities(ext)
	if cbh.RecordType(head[0]).IsText() {
		r, err := cbh.DecodeTextRecord(head)
		return References{
			Text: true, White: -1, Black: -1, WhiteTeam: -1, BlackTeam: -1, Title: more.GameTitle,
			Tournament: id24(r.Tournament), Annotator: id24(r.Annotator), Source: id24(r.Source),
		}, err
	}
	r, err := cbh.DecodeGameRecord(head)
	return References{
		White: id24(r.White), Black: id24(r.Black), Tournament: id24(r.Tournament),
		Annotator: id24(r.Annotator), Source: id24(r.Source),
		WhiteTeam: more.WhiteTeam, BlackTeam: more.BlackTeam, Title: more.GameTitle,
	}, err
}

// id24 returns the id in a 24-bit field, where all ones are none.
func id24(n uint32) int32 {
	if n == 1<<24-1 {
		return -1
	}
	return int32(n)
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

// AppendLists appends the references that put the record into a list of the
// .cit file, in the order of a row. An entity that stands on both sides comes
// twice, as it is listed twice. (docs/formats/boosters.md 2)
func (r *References) AppendLists(dst []Reference) []Reference {
	for _, ref := range [...]Reference{
		{cbh.PlayerList, r.White}, {cbh.PlayerList, r.Black}, {cbh.TournamentList, r.Tournament},
		{cbh.TeamList, r.WhiteTeam}, {cbh.TeamList, r.BlackTeam}, {cbh.SourceList, r.Source},
		{cbh.AnnotatorList, r.Annotator},
	} {
		if ref.Entity >= 0 {
			dst = append(dst, ref)
		}
	}
	return dst
}

// AppendTitleLists is AppendLists for the .cit2 file.
func (r *References) AppendTitleLists(dst []Reference) []Reference {
	if r.Title >= 0 {
		dst = append(dst, Reference{cbh.TitleList, r.Title})
	}
	return dst
}
