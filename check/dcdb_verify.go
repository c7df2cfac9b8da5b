package check

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strings"

	"cbkit/internal/dcdb"
	"cbkit/model"
	"cbkit/read"
)

// VerifySimple does for a Simple Chess Database what [Verify] does for a
// ChessBase database. Given to the encoder are the offsets and references of
// entries and their fields for searches.
func VerifySimple(ctx context.Context, path string, opt Options) (Report, error) {
	set, watch, err := simpleSet(path)
	if err != nil {
		return Report{}, err
	}
	db, err := read.Open(set.Path(".dci"), read.Options{CodePage: opt.CodePage, Jobs: opt.Jobs})
	if err != nil {
		return Report{}, err
	}
	defer db.Close()
	s, err := openSimpleFiles(set)
	if err != nil {
		return Report{}, err
	}
	defer s.close()
	v := &simpleVerifier{s: s, index: newFileReport(s.index.Name(), &opt), games: newFileReport(s.games.Name(), &opt)}
	v.encoder.Lost = func(model.LossKind, string, string, ...any) {}
	v.header()
	for rec, err := range db.Records(ctx, 1, model.WantAll) {
		if rec.ID == 0 {
			return Report{}, err
		}
		if err := v.record(rec, err); err != nil {
			return Report{}, err
		}
		if opt.Progress != nil {
			opt.Progress(int(rec.ID), db.Count())
		}
	}
	r := Report{Database: strings.TrimSuffix(set.Path(".dci"), filepath.Ext(set.Path(".dci"))), Files: []FileReport{v.index, v.games}}
	return r, oneState(watch, verifyNames(set, &opt, &r))
}

// simpleVerifier is one run of [VerifySimple].
type simpleVerifier struct {
	s            *simpleFiles
	index, games FileReport
	encoder      dcdb.Encoder
}

// header takes the header of the index.
func (v *simpleVerifier) header() {
	if l := v.s.layout; l != dcdb.V0 && l != dcdb.V1 {
		v.index.unsupported("header", -1, 0, int64(len(v.s.header)), errDraft)
		return
	}
	v.index.header(v.s.header, v.s.layout.AppendIndexHeader(nil, v.s.layout.OpenDefault(v.s.header)), nil, len(v.s.header))
}

// record takes an entry and its game; damaged is why there is none.
func (v *simpleVerifier) record(rec model.Record, damaged error) error {
	stored, err := v.s.entry(int64(rec.ID) - 1)
	if err != nil {
		return err
	}
	at := v.s.entryPlace(int64(rec.ID) - 1)
	if damaged != nil {
		v.index.undecoded("entry", int64(rec.ID), at, int64(len(stored)), damaged)
		return nil
	}
	v.entry(rec, stored, at)
	return v.game(rec)
}

// entry takes an index entry.
func (v *simpleVerifier) entry(rec model.Record, stored []byte, at int64) {
	if l := v.s.layout; l != dcdb.V0 && l != dcdb.V1 {
		v.index.unsupported("entry", int64(rec.ID), at, int64(len(stored)), errDraft)
		return
	}
	h, was := &rec.Game.Header, &v.s.stored
	e := dcdb.Entry{Offset: was.Offset, White: was.White, Black: was.Black, Site: was.Site, Event: was.Event,
		Round: h.Round, WhiteElo: h.WhiteElo, BlackElo: h.BlackElo, Search: was.Search}
	if rec.Deleted {
		e.Status = dcdb.StatusDeleted
	}
	e.SetResult(h.Result)
	e.SetDate(h.Date)
	e.SetOpening(h.ECO)
	given := int64(8 + 4*4)
	if v.s.layout.HasSearchFields() {
		given += dcdb.SearchFieldsSize
	}
	v.index.try(trial{part: "entry", record: int64(rec.ID), offset: at, stored: stored,
		value: v.s.layout.AppendEntry(nil, &e), kept: v.s.layout.AppendEntry(nil, was), given: given})
}

// game takes a game. The numbering of promotions that gives it back is right.
func (v *simpleVerifier) game(rec model.Record) error {
	body, place, size, err := v.s.game()
	if err != nil {
		return err
	}
	g := rec.Game
	if g.MovesErr != nil {
		v.games.undecoded("game", int64(rec.ID), place, size, g.MovesErr)
		return nil
	}
	t := trial{part: "game", record: int64(rec.ID), offset: place, stored: body}
	if err := v.damageOf(&rec); err != nil {
		t.why = because(err.Error())
		defer v.games.damaged("game")
	}
	for _, p := range []dcdb.Promotions{dcdb.FromOne + dcdb.FromTwo - v.s.layout.Promotions(), v.s.layout.Promotions()} {
		v.encoder.Promotions = p
		value, _, err := v.encoder.Encode(g)
		if err != nil {
			return err
		}
		if t.value = bytes.Clone(value); t.isExact() {
			break
		}
	}
	if raw := g.Leftovers.Moves.From(dcdb.Format); len(raw) > 0 {
		t.kept = raw[1:]
	}
	v.games.try(t)
	return nil
}

// damageOf returns what is wrong with the game of a record, apart from its entry.
func (v *simpleVerifier) damageOf(rec *model.Record) error {
	for _, err := range rec.Damage {
		var e *model.FormatError
		if errors.As(err, &e) && e.File == v.games.File {
			return err
		}
	}
	return nil
}

// verifyNames takes the files of names.
func verifyNames(set *read.FileSet, opt *Options, r *Report) error {
	decode, err := read.TextDecoder(opt.CodePage)
	if err != nil {
		return err
	}
	for _, ext := range []string{".dcn", ".dcs", ".dce"} {
		if !set.Has(ext) {
			continue
		}
		f, err := openFile(set, ext)
		if err != nil {
			return err
		}
		b, err := f.All()
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
		report := newFileReport(f.Name(), opt)
		for n := 0; dcdb.NamePlace(n) < int64(len(b)); n++ {
			at := dcdb.NamePlace(n)
			stored := b[at:min(at+dcdb.NameSize, int64(len(b)))]
			name, _ := dcdb.DecodeName(stored, decode)
			value := dcdb.EncodeName(name)
			report.try(trial{part: "name", record: int64(n), offset: at, stored: stored, value: value[:], kept: stored})
		}
		r.Files = append(r.Files, report)
	}
	return nil
}

// errDraft is why entries of old layouts are not encoded.
var errDraft = errors.New("has a layout that is only read")
