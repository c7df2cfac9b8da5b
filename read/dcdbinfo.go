package read

import (
	"context"
	"fmt"

	"cbkit/internal/dbfile"
)

// Info implements [Database].
func (db *SimpleDB) Info(ctx context.Context) (Info, error) {
	info, err := Summarize(ctx, db, db.opt.tellOf)
	if err != nil {
		return Info{}, err
	}
	info.Path, info.Format = db.set.Path(".dci"), "Simple Chess Database"
	info.Version = fmt.Sprintf("layout %v, entries of %d bytes", db.layout, db.layout.EntrySize())
	info.Entities = []EntityCount{
		{Name: "players", Count: len(db.players.names)},
		{Name: "sites", Count: len(db.sites.names)},
		{Name: "events", Count: len(db.events.names)},
	}
	if err := listFiles(db.set, dbfile.Simple, nil, &info); err != nil {
		return Info{}, err
	}
	if !db.set.Has(".dce") {
		info.Missing = append(info.Missing, db.set.Name(".dce"))
	}
	return info, nil
}
