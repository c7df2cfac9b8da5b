package read

import (
	"bytes"
	"fmt"
	"slices"

	"cbkit/internal/cbh2"
	"cbkit/internal/dbfile"
	"cbkit/model"
)

// RescueChessBase2 opens what is left of a damaged database of ChessBase 17, whichever of
// its files are damaged or missing, and returns how many ids have headers. Frames that no
// header leads to are found by their marks. If such a frame follows that of the previous
// record, it belongs to the record; other frames become records of their own after all
// ids. A name that cannot be read becomes its number, such as "#17". What a record has
// lost is in its errors and in Record.Damage.
func RescueChessBase2(set *FileSet, opt Options) (db *ChessBase2, ids model.RecordID, err error) {
	opt.KeepGoing = true
	db = newChessBase2()
	db.found = map[model.RecordID]found2{}
	err = db.load(set, "", opt, db.openFiles, db.readHeader, func() error {
		ids = db.count
		return db.rescue()
	}, db.readNames)
	return db, ids, err
}

// found2 is where the frames of a record are that its header does not lead to.
type found2 struct {
	kind cbh2.RecordKind
	at   [2]int64 // of moves and annotations
	why  string
}

// mostNames is how many names there can be for each record if their file is gone.
const mostNames = 16

// rescue finds the frames that no header leads to.
func (db *ChessBase2) rescue() error {
	r, ahead := db.newReader2(dbfile.FarAhead), db.newReader2(dbfile.FarAhead)
	files, windows := [2]*dbfile.File{db.moves, db.annotations}, [2]*dbfile.Window{r.moves, r.annotations}
	var taken, others [2][]int64 // places of frames
	end := [2]int64{cbh2.BlobHeaderSize, cbh2.BlobHeaderSize}
	for id := model.RecordID(1); id <= db.count; id++ {
		var s, next slot2
		r.begin(&s, model.WantHeaders, id)
		if id < db.count {
			ahead.begin(&next, model.WantHeaders, id+1)
		}
		for role, name := range s.record.References {
			if of := cbh2.TypeOf[role]; name < mostNames*int64(db.count) {
				db.named[of] = max(db.named[of], name+1)
			}
		}
		own, follows := found2{kind: s.record.Kind, at: [2]int64{s.record.Moves, s.record.Annotations}}, [2]int64{next.record.Moves, next.record.Annotations}
		for n, f := range files {
			if f == nil || n == 1 && own.kind != cbh2.GameRecord && own.kind != cbh2.AnalysisRecord {
				continue
			}
			at, size, err := r.extent(&s, f, windows[n], own.at[n])
			if dbfile.IsDamage(err) && end[n] != follows[n] {
				if at, size, err = r.extent(&s, f, windows[n], end[n]); err == nil {
					if own.at[n], own.why = at, fmt.Sprintf("the place in %s is wrong; what is at %d was taken", f.Name(), at); s.err != nil {
						own.why = "its header is lost, and with it names and result"
					}
					if own.kind == cbh2.NoRecord {
						own.kind = kindAt(windows[n], at)
					}
				}
			}
			if err != nil && !dbfile.IsDamage(err) {
				return err
			} else if err == nil {
				taken[n] = append(taken[n], at)
				end[n] = at + size
			}
		}
		if own.why != "" {
			db.found[id] = own
		}
	}
	for n, f := range files {
		if f == nil {
			continue
		}
		slices.Sort(taken[n])
		const piece = 1 << 16
		for at := int64(cbh2.BlobHeaderSize); at <= f.Size()-cbh2.FrameSize; {
			b, err := windows[n].At(at, min(piece, f.Size()-at))
			if err != nil {
				return err
			}
			skip := bytes.Index(b, cbh2.Magic)
			if skip < 0 { // perhaps its beginning is there
				at += max(int64(len(b)-len(cbh2.Magic)+1), 1)
				continue
			}
			at += int64(skip)
			h, err := cbh2.DecodeFrameHead(b[skip:])
			if err == nil && h.Size() <= f.Size()-at {
				if b, err = windows[n].At(at, h.Size()); err != nil {
					return err
				}
				h, _, err = cbh2.DecodeFrame(b)
			}
			if err != nil || h.Size() > f.Size()-at { // not a whole one
				at += int64(len(cbh2.Magic))
				continue
			}
			if _, is := slices.BinarySearch(taken[n], at); !is {
				others[n] = append(others[n], at)
			}
			at += h.Size()
		}
	}
	kinds, games := make([]cbh2.RecordKind, len(others[0])), 0
	for i, at := range others[0] {
		if kinds[i] = kindAt(windows[0], at); kinds[i] == cbh2.GameRecord {
			games++
		}
	}
	paired := games == len(others[1]) // each game has a frame of annotations
	for i, at := range others[0] {
		own := found2{kind: kinds[i], at: [2]int64{at}, why: fmt.Sprintf("at %d of %s, with no header", at, db.moves.Name())}
		if paired && own.kind == cbh2.GameRecord {
			own.at[1], others[1] = others[1][0], others[1][1:]
		}
		if own.kind != cbh2.NoRecord {
			db.count++
			db.found[db.count] = own
		}
	}
	return nil
}

// kindAt returns the kind of the record whose moves or text are at a place.
func kindAt(w *dbfile.Window, at int64) cbh2.RecordKind {
	if head, err := w.At(at, cbh2.FrameHeadSize); err == nil {
		switch h, _ := cbh2.DecodeFrameHead(head); h.Tag {
		case cbh2.TagText:
			return cbh2.TextRecord
		case cbh2.TagGame, cbh2.TagChess960:
			return cbh2.GameRecord
		}
	}
	return cbh2.NoRecord
}

// restore puts what was found into a record whose header was read, or has an error.
func (db *ChessBase2) restore(s *slot2, own found2) {
	if s.err != nil {
		s.record = cbh2.Record{White: cbh2.NoID, Black: cbh2.NoID, Annotator: cbh2.NoID, Tournament: cbh2.NoID, Source: cbh2.NoID,
			WhiteTeam: cbh2.NoID, BlackTeam: cbh2.NoID, Tag: cbh2.NoID, Result: 3}
	}
	s.record.Kind, s.record.Moves, s.record.Annotations = own.kind, own.at[0], own.at[1]
	s.err, s.damage = nil, append(s.damage, db.wrong(s, 0, "", "%s", own.why))
	copy(s.raw[:], s.record.Append(nil))
}
