package write

import (
	"context"
	"iter"

	"cbkit/internal/cbhsalvage"
	"cbkit/internal/dbfile"
	"cbkit/model"
	"cbkit/read"
)

// damagedSource is what is left of a database, with what became of its records.
type damagedSource interface {
	model.Source
	IDs() int
	Fate() cbhsalvage.Fate // of the record that was yielded last
	OutOfStep() []string
	Unread() []string // endings
	Unsearched() int64
	Close() error
}

// rescued is what is left of a database of ChessBase 17, or of Scid.
type rescued struct {
	read.Database
	games  string // the ending of the file with the moves
	set    *read.FileSet
	ids    model.RecordID
	report func(cbhsalvage.Fate)
	fate   cbhsalvage.Fate
	unread []string // endings of files
}

// openRescued opens what is left of a database of a format.
func openRescued(of dbfile.Format, set *read.FileSet, opt *SalvageOptions, report func(cbhsalvage.Fate)) (*rescued, error) {
	s := &rescued{set: set, report: report, games: of[1].Ext}
	var damage, err error
	how := read.Options{CodePage: opt.CodePage, Warn: func(error) {}, Damage: func(err error) { damage = err }}
	if of[0].Ext == dbfile.ChessBase2[0].Ext {
		s.Database, s.ids, err = read.RescueChessBase2(set, how)
	} else {
		s.Database, s.ids, err = read.RescueScid(set, of[0].Ext, how)
	}
	for _, ext := range of[:min(len(of), 4)] { // others follow from these
		if ext := ext.Ext; !set.Has(ext) || ext == of[2].Ext && damage != nil {
			s.unread = append(s.unread, ext)
		}
	}
	return s, err
}

func (s *rescued) IDs() int              { return int(s.ids) }
func (s *rescued) Fate() cbhsalvage.Fate { return s.fate }
func (s *rescued) OutOfStep() []string   { return nil }
func (s *rescued) Unread() []string      { return s.unread }

// Unsearched implements [damagedSource].
func (s *rescued) Unsearched() int64 {
	if db, is := s.Database.(*read.Scid); is {
		return db.Unsearched()
	}
	return 0
}

// Records implements [model.Source]: what is left of all records.
func (s *rescued) Records(ctx context.Context, _ model.RecordID, _ model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		for rec, err := range s.Database.Records(ctx, 1, model.WantAll) {
			if rec.ID == 0 || err != nil && !dbfile.IsDamage(err) {
				yield(rec, err)
				return
			}
			s.fate = cbhsalvage.Fate{ID: rec.ID, State: cbhsalvage.Kept}
			miss := func(err error) {
				if err != nil {
					s.fate.State, s.fate.Why = cbhsalvage.Cut, append(s.fate.Why, err.Error())
				}
			}
			miss(err)
			for _, err := range rec.Damage {
				miss(err)
			}
			if g := rec.Game; g != nil {
				if !s.set.Has(s.games) {
					g.MovesErr = dbfile.Missing(s.set.Name(s.games))
				}
				miss(g.MovesErr)
				miss(g.AnnotationsErr)
				switch cut := g.MovesErr; {
				case cut == nil:
				case g.Moves.Len() == 0:
					s.fate.Moves = cbhsalvage.NoMoves
				default:
					s.fate.Moves = cbhsalvage.SomeMoves
					rec.Game = g.WithCut(cut)
				}
				rec.Game.MovesErr, rec.Game.AnnotationsErr = nil, nil
				rec.Game.Leftovers.Moves, rec.Game.Leftovers.Annotations = nil, nil
			} else if t := rec.Text; t != nil {
				if miss(t.ContentErr); t.ContentErr != nil {
					rec.Text = nil
				}
			}
			if rec.ID > s.ids {
				s.fate.State = cbhsalvage.Found
			}
			rec.Damage = nil
			if rec.Game == nil && rec.Text == nil {
				s.fate.State = cbhsalvage.Lost
				s.report(s.fate)
			} else if !yield(rec, nil) {
				return
			}
		}
	}
}
