package model

import (
	"context"
	"fmt"
	"iter"
	"slices"
)

// Database is a whole database in memory, for small work and for tests. It
// is a [Source]; [Load] fills one from any other source. Several goroutines may read it
// at once, while none changes it.
type Database struct {
	Tables Entities
	// List holds the records in ascending id order.
	List []Record
	// Extra is the leftover of the database as a whole.
	Extra *Leftover
}

// Load reads a whole source into memory. It stops at the first error.
func Load(ctx context.Context, src Source) (*Database, error) {
	db := &Database{}
	for rec, err := range src.Records(ctx, 1, WantAll) {
		if err != nil {
			return nil, err
		}
		db.List = append(db.List, rec.Clone())
	}
	db.Tables = src.Entities().Clone()
	db.Extra = src.Leftover().Clone()
	return db, ctx.Err()
}

// AddGame appends a game with the next id.
func (db *Database) AddGame(g *Game) RecordID {
	return db.add(Record{Game: g})
}

// AddText appends a guiding text with the next id.
func (db *Database) AddText(t *GuidingText) RecordID {
	return db.add(Record{Text: t})
}

func (db *Database) add(r Record) RecordID {
	r.ID = 1
	if n := len(db.List); n > 0 {
		r.ID = db.List[n-1].ID + 1
	}
	db.List = append(db.List, r)
	return r.ID
}

// Record returns the record with the given id.
func (db *Database) Record(id RecordID) (Record, error) {
	i, ok := slices.BinarySearchFunc(db.List, id, func(r Record, id RecordID) int { return int(r.ID - id) })
	if !ok {
		return Record{}, fmt.Errorf("record %d: %w", id, ErrNoRecord)
	}
	return db.List[i], nil
}

// Entities implements [Source].
func (db *Database) Entities() *Entities { return &db.Tables }

// Records implements [Source]; it always gives everything.
func (db *Database) Records(ctx context.Context, from RecordID, _ Want) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for _, r := range db.List {
			if r.ID < from {
				continue
			}
			if err := ctx.Err(); err != nil {
				yield(Record{}, err)
				return
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// Count implements [Source].
func (db *Database) Count() int { return len(db.List) }

// Leftover implements [Source].
func (db *Database) Leftover() *Leftover { return db.Extra }
