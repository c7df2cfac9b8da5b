package cbhedit

import (
	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/model"
)

// longestList is how many blocks of a list are read to find a record; reading
// the headers costs less than a longer one.
const longestList = 1 << 12

// listPlaces are the pairs of list files and the places in their rows by kind, in
// the order of cbh.EntityFiles.
var listPlaces = [...]struct {
	pair *cbh.ListFile
	kind cbh.ListKind
}{
	players:     {&cbh.Lists, cbh.PlayerList},
	tournaments: {&cbh.Lists, cbh.TournamentList},
	annotators:  {&cbh.Lists, cbh.AnnotatorList},
	sources:     {&cbh.Lists, cbh.SourceList},
	teams:       {&cbh.Lists, cbh.TeamList},
	titles:      {&cbh.TitleLists, cbh.TitleList},
}

// findListed finds the first records of entities in the lists of the boosters,
// and takes those that it has found from the list. A list is believed if it
// begins with the record that the entity had first and has as many as it
// counted, and what is found is looked up in the header.
func (d *DB) findListed(list seeking) error {
	for ref, u := range list {
		ids, err := d.listOf(ref, u.was)
		if err != nil {
			return err
		}
		if ids == nil {
			continue
		}
		found, err := d.firstOf(ref, ids, u.lost)
		if err != nil {
			return err
		}
		if u.first = min(u.first, found); u.first != unknown {
			u.lost = 0
			delete(list, ref)
		}
	}
	return nil
}

// firstOf returns the first of some records, from one on, that refers to an
// entity now.
func (d *DB) firstOf(ref reference, ids []int32, from model.RecordID) (int32, error) {
	for _, id := range ids {
		if model.RecordID(id) < from {
			continue
		}
		h, err := d.Header(model.RecordID(id))
		if err != nil {
			return unknown, err
		}
		refs, err := referencesOf(nil, h)
		if err != nil {
			return unknown, err
		}
		for _, r := range refs {
			if r == ref {
				return id, nil
			}
		}
	}
	return unknown, nil
}

// listOf returns the list of an entity that had been referred to as given; nil if
// there is none that can be believed.
func (d *DB) listOf(ref reference, was cbh.EntityUse) ([]int32, error) {
	place := listPlaces[ref.kind]
	if !d.has(place.pair.Table) || !d.has(place.pair.Blocks) {
		return nil, nil
	}
	table, err := files{d}.Open(place.pair.Table)
	if err != nil {
		return nil, err
	}
	blocks, err := files{d}.Open(place.pair.Blocks)
	if err != nil {
		return nil, err
	}
	at := place.pair.RowOffset(ref.id) + int64(place.kind)*cbh.ListEndsSize
	b, err := table.Bytes(nil, at, cbh.ListEndsSize)
	if err != nil {
		return nil, passOver(err)
	}
	ends, err := cbh.DecodeListEnds(b)
	if err != nil {
		return nil, passOver(err)
	}
	if _, inline := ends.Inline(); inline {
		return nil, nil
	}
	ids, err := chain(blocks, ends)
	if err != nil || len(ids) != int(was.Count) || len(ids) == 0 || ids[0] != was.First || ids[0] < 1 ||
		model.RecordID(ids[len(ids)-1]) > d.before {
		return nil, passOver(err)
	}
	for i := 1; i < len(ids); i++ {
		if ids[i] < ids[i-1] {
			return nil, nil
		}
	}
	return ids, nil
}

// chain reads the blocks of a list, nothing of one that is too long.
func chain(blocks *dbfile.File, ends cbh.ListEnds) (ids []int32, err error) {
	n := ends.Head
	for range longestList {
		if n < 0 {
			return ids, nil
		}
		b, err := blocks.Bytes(nil, cbh.BlockOffset(n), cbh.ListBlockSize)
		if err != nil {
			return nil, err
		}
		k, err := cbh.DecodeListBlock(b)
		if err != nil {
			return nil, err
		}
		ids, n = append(ids, k.InUse()...), k.Next
	}
	return nil, nil
}
