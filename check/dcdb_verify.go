package check

import (
	"bytes"
	"errors"

	"cbkit/internal/dcdb"
	"cbkit/model"
	"cbkit/read"
)

// simpleVerifier is what [VerifySimple] compares on a pass.
type simpleVerifier struct {
	s            *simpleFiles
	index, games FileReport
	encoder      dcdb.Encoder
	out          Report
}

// begin prepares for the records.
func (v *simpleVerifier) begin(s *simpleFiles, opt *Options) {
	v.s, v.index, v.games = s, newFileReport(s.index.Name(), opt), newFileReport(s.games.Name(), opt)
	v.encoder.Lost = func(model.LossKind, string, string, ...any) {}
	v.header()
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
	if damaged != nil {
		v.index.undecoded("entry", int64(rec.ID), v.s.at, int64(len(v.s.entry)), damaged)
		return nil
	}
	v.entry(rec)
	return v.game(rec)
}

// entry takes an index entry.
func (v *simpleVerifier) entry(rec model.Record) {
	if l := v.s.layout; l != dcdb.V0 && l != dcdb.V1 {
		v.index.unsupported("entry", int64(rec.ID), v.s.at, int64(len(v.s.entry)), errDraft)
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
	v.index.try(trial{part: "entry", record: int64(rec.ID), offset: v.s.at, stored: v.s.entry,
		value: v.s.layout.AppendEntry(nil, &e), kept: v.s.layout.AppendEntry(nil, was), given: given})
}

// game takes a game. The numbering of promotions that gives it back is right.
func (v *simpleVerifier) game(rec model.Record) error {
	g := rec.Game
	if g.MovesErr != nil {
		v.games.undecoded("game", int64(rec.ID), v.s.place, v.s.size, g.MovesErr)
		return nil
	}
	t := trial{part: "game", record: int64(rec.ID), offset: v.s.place, stored: v.s.body}
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

// finish takes the files of names, and reports on all.
func (v *simpleVerifier) finish(set *read.FileSet, opt *Options) error {
	v.out.Files = []FileReport{v.index, v.games}
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
		v.out.Files = append(v.out.Files, report)
	}
	return nil
}

// errDraft is why entries of old layouts are not encoded.
var errDraft = errors.New("has a layout that is only read")
