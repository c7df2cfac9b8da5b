package search

import (
	"iter"
	"sync"

	"cbkit/internal/dbfile"
	"cbkit/internal/jobs"
	"cbkit/model"
)

// settleStream reads all records from the first open one on, in a row, and
// judges the open ones.
func (s *session) settleStream(t test, open []model.RecordID) ([]model.RecordID, error) {
	db, err := s.base.database()
	if err != nil {
		return nil, err
	}
	nextRow, stop := iter.Pull2(s.base.rows(s.ctx, open))
	defer stop()
	var found []model.RecordID
	next := 0
	for rec, err := range db.Records(s.ctx, open[0], s.wants) {
		if err != nil && rec.ID == 0 {
			return nil, err
		}
		if rec.ID%progressStep == 0 {
			s.progress(int(rec.ID))
		}
		if rec.ID != open[next] {
			continue
		}
		r, rowErr, _ := nextRow()
		if rowErr != nil {
			return nil, rowErr
		}
		if s.judgeRecord(t, r, &rec, err) {
			found = append(found, rec.ID)
		}
		if next++; next == len(open) {
			return found, nil
		}
	}
	return found, s.ctx.Err()
}

// judgeRecord decides by a record, or by what there is of it.
func (s *session) judgeRecord(t test, r *row, rec *model.Record, err error) bool {
	faults := rec.Faults()
	if err != nil {
		faults = append(faults, err)
	}
	s.unread.report(r.id, faults...)
	if err == nil && rec.Game != nil && rec.Game.IsPlayable() {
		s.plan.Played++
	}
	return r.judge(t, rec.Game)
}

// settleRecords reads the open records one by one with all that conditions want
// of them, annotations too.
func (s *session) settleRecords(t test, open []model.RecordID) (found []model.RecordID, err error) {
	db, err := s.base.database()
	if err != nil {
		return nil, err
	}
	for r, err := range s.base.rows(s.ctx, open) {
		if err != nil {
			return nil, err
		}
		rec, err := db.Record(s.ctx, r.id, s.wants)
		if err != nil && !dbfile.IsDamage(err) {
			return nil, err
		}
		if s.judgeRecord(t, r, &rec, err) {
			found = append(found, r.id)
		}
	}
	return found, s.ctx.Err()
}

// judge decides by the game, nil if it cannot be read.
func (r *row) judge(t test, g *model.Game) bool {
	r.loaded, r.game = true, g
	return t.eval(r) == yes
}

// picker reads single games in several goroutines.
type picker struct {
	session *session
	test    test
	open    []model.RecordID
	hits    []bool // of each open one
	played  []bool

	lock sync.Mutex
	next int // the first open one that no goroutine took
	err  error
}

// gamesAtOnce is how many games a goroutine takes at once.
const gamesAtOnce = 64

// settleEach reads the open records one by one.
func (s *session) settleEach(t test, open []model.RecordID) ([]model.RecordID, error) {
	if len(open) == 0 {
		return nil, nil
	}
	games, err := s.base.stored.MoveFile()
	if err != nil {
		return nil, err
	}
	p := &picker{session: s, test: t, open: open, hits: make([]bool, len(open)), played: make([]bool, len(open))}
	var running jobs.Group
	for range min(s.jobs(), (len(open)+gamesAtOnce-1)/gamesAtOnce) {
		running.Go(func() {
			reader := &gameReader{blocks: games.Reader(usualGame)}
			for from, to, ok := p.take(); ok; from, to, ok = p.take() {
				p.done(p.pick(reader, from, to))
			}
		})
	}
	running.Wait()
	var found []model.RecordID
	for i, hit := range p.hits {
		if p.played[i] {
			s.plan.Played++
		}
		if hit {
			found = append(found, open[i])
		}
	}
	return found, p.err
}

// take returns a range of open records that is to be judged next; it reports
// false if there is none, or after an error.
func (p *picker) take() (from, to int, ok bool) {
	p.lock.Lock()
	defer p.lock.Unlock()
	from = p.next
	to = min(from+gamesAtOnce, len(p.open))
	p.next = to
	if progress := p.session.opt.Progress; progress != nil {
		progress(from, len(p.open))
	}
	return from, to, from < to && p.err == nil
}

// done notes an error.
func (p *picker) done(err error) {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.err == nil {
		p.err = err
	}
}

// pick judges a range of open records.
func (p *picker) pick(reader *gameReader, from, to int) error {
	base := p.session.base
	headers := base.headers.Reader(nearAhead)
	var r row
	var facts stored
	if err := p.session.ctx.Err(); err != nil {
		return err
	}
	for i := from; i < to; i++ {
		id := p.open[i]
		h, err := headers.At(id)
		if err != nil {
			return err
		}
		r.setHead(&h, &facts)
		var game *model.Game
		if !r.refs.Text {
			game, err = reader.read(&h)
		}
		switch {
		case err == nil:
		case dbfile.IsDamage(err):
			p.session.unread.report(id, err)
		default:
			return err
		}
		p.played[i] = game != nil
		p.hits[i] = r.judge(p.test, game)
	}
	return nil
}
