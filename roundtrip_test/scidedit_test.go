package roundtrip

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"cbkit/check"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/write"
)

// editedScid is a database of Scid that is edited, and what is to be in it: games in
// tables, which share nothing with the editor.
type editedScid struct {
	*rapid.T
	ed   *write.ScidEditor
	want model.Database
	lost []model.RecordID // of the last source
}

// report notes which games the format has not.
func (s *editedScid) report(l model.Loss) {
	if l.Kind == model.LostRecord {
		s.lost = append(s.lost, l.Record)
	}
}

// Whatever is edited, a database of Scid gives back what PGN for people gives back of the
// games that were edited in memory, and its derived fields and counts stay true.
func TestScidEditAnyScript(t *testing.T) {
	dir := gen.Folder(t)
	config := gen.Config{NoChess960: true, NoTexts: true, TextBytes: 40, Runes: []rune("abcdéñŁЖ'.")}
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		path := filepath.Join(dir, "Games.si4")
		s := &editedScid{T: t}
		db := gen.Database(config).Draw(t, "db")
		sink, err := write.CreateScid(ctx, path, write.Options{Force: true, Report: s.report})
		if err == nil {
			err = model.Copy(ctx, sink, db, model.CopyOptions{})
		}
		if err != nil {
			t.Fatal(err)
		}
		s.take(db)
		s.ed = must.Get(write.EditScid(ctx, path, write.EditOptions{Report: s.report}))(t)
		defer s.ed.Close()
		for range rapid.IntRange(1, 3).Draw(t, "transactions") {
			before := must.Get(model.Load(ctx, &s.want))(t)
			for range rapid.IntRange(1, 5).Draw(t, "steps") {
				s.step(config)
			}
			if rapid.IntRange(0, 4).Draw(t, "ending") == 0 {
				must.Do(t, s.ed.Rollback())
				s.want = *before
			} else if err := s.ed.Commit(); err != nil {
				t.Fatal(err)
			}
			s.compare(path)
		}
	})
}

// take adds the games of a source to what is wanted.
func (s *editedScid) take(src model.Source) {
	into := model.NewEntityMap(src.Entities(), s.want.Entities())
	for rec, err := range src.Records(context.Background(), 1, model.WantAll) {
		if err != nil {
			s.Fatal(err)
		}
		if slices.Contains(s.lost, rec.ID) {
			continue
		}
		rec = into.Record(rec).Clone()
		rec.ID = model.RecordID(s.want.Count() + 1)
		s.want.List = append(s.want.List, rec)
	}
	s.lost = nil
}

// at returns a game that is wanted.
func (s *editedScid) at(id model.RecordID) *model.Record { return &s.want.List[id-1] }

// step does one thing to the database, and to what is wanted.
func (s *editedScid) step(config gen.Config) {
	t := s.T
	other := gen.Database(config).Draw(t, "other")
	n := s.want.Count()
	what := rapid.IntRange(0, 7).Draw(t, "what")
	if n == 0 {
		what = 0
	}
	id := model.RecordID(rapid.IntRange(1, max(1, n)).Draw(t, "id"))
	var with *model.Record
	if len(other.List) > 0 {
		with = &other.List[0]
	}
	var err error
	switch what {
	case 0:
		err = s.ed.Append(context.Background(), other, model.CopyOptions{})
		s.take(other)
	case 1:
		if with == nil {
			return
		}
		err = s.ed.Replace(id, with.Clone(), other.Entities())
		if errors.Is(err, model.ErrUnsupported) {
			s.lost = nil
			return
		}
		s.at(id).Game = model.NewEntityMap(other.Entities(), s.want.Entities()).Record(with.Clone()).Game
	case 2:
		s.at(id).Deleted = true
		err = s.ed.Delete(id)
	case 3:
		s.at(id).Deleted = false
		err = s.ed.Undelete(id)
	case 4:
		if with == nil {
			return
		}
		moved := model.NewEntityMap(other.Entities(), s.want.Entities()).Record(with.Clone()).Game
		s.at(id).Game.Header = moved.Header
		err = s.ed.SetHeader(id, with.Game.Header, other.Entities())
	case 5:
		g := s.at(id).Game
		list := g.Annotations[:len(g.Annotations)/2]
		g.SetAnnotations(slices.Clone(list))
		err = s.ed.SetAnnotations(id, list)
	default:
		var ids []model.EntityID
		for e := range must.All(t, s.ed.Players().All()) {
			ids = append(ids, e.ID)
		}
		if len(ids) == 0 {
			return
		}
		from := rapid.SampledFrom(ids).Draw(t, "player")
		old, _ := s.ed.Players().Value(from)
		if what == 6 {
			is := model.ParsePlayer(fmt.Sprint("New, ", rapid.IntRange(1, 3).Draw(t, "name")))
			err = s.ed.Players().Change(from, is)
			if errors.Is(err, fs.ErrExist) {
				return
			}
			s.rename(old, is)
		} else {
			into := rapid.SampledFrom(ids).Draw(t, "into")
			is, _ := s.ed.Players().Value(into)
			err = s.ed.Players().Merge(from, into)
			s.rename(old, is)
		}
	}
	if err != nil {
		t.Fatal(what, err)
	}
}

// rename makes a player another one in all games.
func (s *editedScid) rename(old, is model.Player) {
	table := &s.want.Entities().Players
	for id := model.RecordID(1); int(id) <= s.want.Count(); id++ {
		g := s.at(id).Game
		for _, side := range [2]*model.EntityID{&g.White, &g.Black} {
			if *side != model.NoEntity && model.ParsePlayer(table.Value(*side).String()) == old {
				*side = table.Intern(is)
			}
		}
	}
}

// compare compares the database with what is wanted, and checks it.
func (s *editedScid) compare(path string) {
	ctx := context.Background()
	var text bytes.Buffer
	w := pgn.NewWriter(&text, pgn.WriterOptions{Plain: true, Deleted: true, AcceptLosses: true})
	must.Do(s, model.Copy(ctx, w, &s.want, model.CopyOptions{}))
	src := must.Get(read.Open(path, read.Options{}))(s)
	defer src.Close()
	got, want := plainGames(s.T, src), plainGames(s.T, pgn.NewReader(&text, pgn.ReaderOptions{}))
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(model.Symbols{})); diff != "" {
		s.Fatal(diff)
	}
	for id := model.RecordID(1); int(id) <= s.want.Count(); id++ {
		if rec, err := src.Record(ctx, id, model.WantHeaders); err != nil || rec.Deleted != s.at(id).Deleted {
			s.Fatalf("record %d: deleted %v, %v", id, rec.Deleted, err)
		}
	}
	for f, err := range check.Scid(ctx, path, check.Options{}).Findings() {
		if err != nil || f.Code != "scid-unused" {
			s.Fatal(f, err)
		}
	}
}
