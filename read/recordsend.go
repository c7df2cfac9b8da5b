package read

import (
	"context"

	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/model"
)

// RecordsEnd returns where the records of a file end, as an offset. What lies
// behind is not part of the database: bytes that some program left there, and
// that a copy keeps. Ext is the ending of a file of records: .cbh, .cbj, .cbg,
// .cba, or that of an entity file.
//
// The records of .cbg and .cba files end where the header says, or with the
// last one if that lies further on: up to there unused bytes are holes.
func (db *ChessBase) RecordsEnd(ctx context.Context, ext string) (int64, error) {
	switch ext {
	case ".cbh":
		return int64(db.count+1) * cbh.RecordSize, nil
	case ".cbj":
		return db.extOffset(db.extCount + 1), nil
	case ".cbg":
		return db.blocksEnd(ctx, db.cbg, &db.moves, func(moves, _ run) run { return moves })
	case ".cba":
		return db.blocksEnd(ctx, db.cba, &db.notes, func(_, notes run) run { return notes })
	}
	return db.ends[ext], nil
}

// blocksEnd is RecordsEnd for .cbg and .cba files. Only where the file is longer
// than its header says the records have to be looked at.
func (db *ChessBase) blocksEnd(ctx context.Context, f *dbfile.File, head *cbh.BlockHeader, of func(moves, notes run) run) (int64, error) {
	end := max(head.End(f.Size()), int64(head.Size))
	if end >= f.Size() {
		return end, nil
	}
	r := db.newReader(dbfile.FarAhead)
	for id := model.RecordID(1); id <= db.count; id++ {
		if id%batchSize == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		moves, notes, err := r.extents(id)
		if err != nil && !cbh.IsDamage(err) {
			return 0, err
		}
		end = max(end, of(moves, notes).end())
	}
	return end, nil
}
