package write

import (
	"cbkit/internal/cbh"
	"cbkit/model"
)

// extraFile is the .cbtt file in the making.
type extraFile struct {
	head    cbh.TournamentExtraHeader
	records []byte // whole ones
	// raw are the records of the source by its numbers of tournaments, if
	// nothing is known of them and they must go along as they are.
	raw []byte
}

// storedExtras returns the file of a source whose records nobody understands, or
// an empty one.
func (c *Creator) storedExtras() (extraFile, error) {
	f := extraFile{head: cbh.NewTournamentExtraHeader()}
	if c.companions.files == nil || c.companions.stored.TournamentExtras == nil {
		return f, nil
	}
	stored := c.companions.stored.TournamentExtras
	head, err := cbh.DecodeTournamentExtraHeader(stored)
	if err != nil || head.IsKnown() { // the tournaments know what it says
		return f, err
	}
	b := stored[cbh.TournamentExtraHeaderSize:]
	whole := len(b) - len(b)%int(head.RecordSize)
	if whole < len(b) {
		c.leftBehind(".cbtt", "%d bytes behind the last whole record", len(b)-whole)
	}
	head.Highest = 0
	return extraFile{head: head, raw: b[:whole]}, nil
}

// putRaw gives a tournament the record that it has in the source, if it has
// one.
func (f *extraFile) putRaw(id, there int) {
	size := int(f.head.RecordSize)
	if there >= 0 && there < len(f.raw)/size {
		f.reach(id)
		copy(f.records[id*size:], f.raw[there*size:(there+1)*size])
	}
}

// reach adds records that say nothing until there is one for a tournament.
func (f *extraFile) reach(id int) {
	size := int(f.head.RecordSize)
	for len(f.records) < (id+1)*size {
		f.records, _ = cbh.AppendTournamentExtra(f.records, model.Tournament{}, size) // nothing to lose
	}
	f.head.Highest = max(f.head.Highest, int32(id))
}

// put stores what a record can say of a tournament. Records reach as far as
// the last tournament that needs one.
func (f *extraFile) put(id int, t model.Tournament) []model.Loss {
	size := int(f.head.RecordSize)
	if (id+1)*size > len(f.records) {
		if !cbh.HasTournamentExtra(t) {
			return nil
		}
		f.reach(id)
	}
	record := f.records[id*size : (id+1)*size]
	merged, losses := cbh.MergeTournamentExtra(nil, t, record)
	copy(record, merged)
	return losses
}

// tournamentExtras returns the bytes of the .cbtt file.
func (c *Creator) tournamentExtras() ([]byte, error) {
	f, err := c.storedExtras()
	if err != nil {
		return nil, err
	}
	tournaments := &c.entities.tournaments
	if f.raw != nil {
		for id, there := range tournaments.origins() {
			f.putRaw(id, there)
		}
	}
	for id := range tournaments.tree.Nodes {
		for _, l := range f.put(id, tournaments.values[id]) {
			l.Field = "tournament " + l.Field
			c.lose(l)
		}
	}
	f.reach(0) // ChessBase always writes the first record
	return append(f.head.Append(nil), f.records...), nil
}
