package lifecycle

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/must"
	_ "cbkit/internal/testkit/seeds"
	"cbkit/model"

	"pgregory.net/rapid"
)

// source is a database that may vouch for its moves.
type source struct {
	*model.Database
	legal bool
}

func (s source) LegalMoves() bool { return s.legal }

// begun returns a sink between Begin and Commit.
func begun(t testing.TB, src model.Source) *Sink {
	t.Helper()
	s := &Sink{Package: "format"}
	must.Do(t, s.Begun(s.Begin(src)))
	return s
}

// Whatever calls are made, those are accepted that keep the order: Begin once and
// first, then records, then one Commit; Abort at any time. One that is refused
// changes nothing.
func TestOrderOfCalls(t *testing.T) {
	// B: Begin. F: Begin of a sink that fails. P: Put. C: Commit. A: Abort.
	order := regexp.MustCompile(`^(BP*C?A*|FA*|A*)$`)
	failed := errors.New("no room")
	rapid.Check(t, func(t *rapid.T) {
		s := &Sink{Package: "format"}
		accepted := ""
		for _, call := range rapid.StringMatching(`[BBFPPCA]{1,12}`).Draw(t, "calls") {
			var err error
			switch call {
			case 'B':
				if err = s.Begin(&model.Database{}); err == nil {
					err = s.Begun(nil)
				}
			case 'F':
				if err = s.Begin(&model.Database{}); err == nil {
					if got := s.Begun(failed); !errors.Is(got, failed) {
						t.Fatalf("Begun returned %v", got)
					}
				}
			case 'P':
				err = s.Put(&model.Record{ID: 1, Game: model.NewGame()})
			case 'C':
				err = s.Commit()
			case 'A':
				s.Abort()
			}
			if want := order.MatchString(accepted + string(call)); (err == nil) != want {
				t.Fatalf("%c after %q: %v", call, accepted, err)
			}
			if err == nil {
				accepted += string(call)
			} else if !strings.HasPrefix(err.Error(), "format: ") {
				t.Fatalf("no package is named: %v", err)
			}
		}
	})
}

// Between Begin and its end nothing can be put: a sink is open when all of it is.
func TestNothingIsPutBeforeBeginHasEnded(t *testing.T) {
	s := &Sink{Package: "format"}
	must.Do(t, s.Begin(&model.Database{}))
	if s.Put(&model.Record{ID: 1, Game: model.NewGame()}) == nil || s.Commit() == nil {
		t.Error("the sink is open")
	}
}

// game returns a game of 1.e4, with annotations at some nodes.
func game(notes ...int32) *model.Game {
	g := model.NewGame()
	g.Moves.Append(model.NewMove(model.E2, model.E4))
	for _, node := range notes {
		g.Annotations = append(g.Annotations, model.Annotation{Node: node, Value: model.Symbols{Move: 1}})
	}
	return g
}

// illegal returns a game whose first move no piece can make.
func illegal() *model.Game {
	g := model.NewGame()
	g.Moves.Append(model.NewMove(model.E2, model.E5))
	return g
}

// with changes a game.
func with(g *model.Game, change func(*model.Game)) *model.Game {
	change(g)
	return g
}

// A record that nothing can be is refused, alone: it is named, and others follow.
func TestJudge(t *testing.T) {
	lost := func(g *model.Game) { g.Black = 1 }
	undecoded := func(g *model.Game) { g.MovesErr = model.ErrCorrupt }
	deep := model.NewGuidingText()
	deep.Tournament = 0
	for _, c := range []struct {
		what  string
		rec   model.Record
		legal bool  // says the source
		want  error // nil: accepted
	}{
		{"a game", model.Record{Game: game()}, false, nil},
		{"a text", model.Record{Text: model.NewGuidingText()}, false, nil},
		{"annotations at the game, and at its last move", model.Record{Game: game(model.NoNode, 0)}, false, nil},
		{"an annotation behind the last move", model.Record{Game: game(1)}, false, model.ErrCorrupt},
		{"likewise, of a referee", model.Record{Game: game(1)}, true, model.ErrCorrupt},
		{"an annotation before the game", model.Record{Game: game(model.NoNode - 1)}, false, model.ErrCorrupt},
		{"likewise, of moves that did not decode", model.Record{Game: with(game(7), undecoded)}, false, nil},
		{"a player who is there", model.Record{Game: with(game(), func(g *model.Game) { g.White = 0 })}, false, nil},
		{"a player who is not there", model.Record{Game: with(game(), lost)}, false, model.ErrCorrupt},
		{"likewise, of a referee", model.Record{Game: with(game(), lost)}, true, model.ErrCorrupt},
		{"likewise, and the source has told of it", model.Record{Game: with(game(), lost), Damage: []error{model.ErrCorrupt}}, false, nil},
		{"a tournament of a text that is not there", model.Record{Text: deep}, false, model.ErrCorrupt},
		{"an illegal move", model.Record{Game: illegal()}, false, model.ErrCorrupt},
		{"likewise, and damage of another kind", model.Record{Game: illegal(), Damage: []error{model.ErrCorrupt}}, false, model.ErrCorrupt},
		{"an illegal move of a referee", model.Record{Game: illegal()}, true, nil},
		{"illegal moves that did not decode", model.Record{Game: with(illegal(), undecoded)}, false, nil},
	} {
		src := source{&model.Database{}, c.legal}
		src.Tables.Players.Append(model.Slot[model.Player]{})
		s := begun(t, src)
		c.rec.ID = 17
		err := s.Put(&c.rec)
		var about *model.RecordError
		switch {
		case !errors.Is(err, c.want):
			t.Errorf("%s: %v, want %v", c.what, err, c.want)
		case c.want != nil && (!errors.As(err, &about) || about.Record != 17):
			t.Errorf("%s: no record is named: %v", c.what, err)
		}
		if err := s.Put(&model.Record{ID: 18, Game: game()}); err != nil {
			t.Errorf("%s: and after it: %v", c.what, err)
		}
		if err := s.Commit(); err != nil {
			t.Errorf("%s: and Commit: %v", c.what, err)
		}
	}
}

// The first illegal move is told, with its place.
func TestIllegalMoveIsNamed(t *testing.T) {
	err := begun(t, &model.Database{}).Put(&model.Record{ID: 3, Game: illegal()})
	var move *board.MoveError
	if !errors.As(err, &move) || !strings.Contains(err.Error(), "record 3") {
		t.Errorf("%v", err)
	}
}

// A record is one of a game and a text. Which of both is wrong is not a matter of
// one record: the caller is.
func TestGameOrText(t *testing.T) {
	for _, rec := range []model.Record{{ID: 1}, {ID: 1, Game: game(), Text: model.NewGuidingText()}} {
		err := begun(t, &model.Database{}).Put(&rec)
		if about := new(model.RecordError); err == nil || errors.As(err, &about) {
			t.Errorf("%+v: %v", rec, err)
		}
	}
}

// Losses that are reported, or that are accepted, are no error. All others
// are, with their number.
func TestLost(t *testing.T) {
	loss := model.Loss{Kind: model.LostField, Record: 5, Field: "round"}
	told := 0
	for _, c := range []struct {
		what   string
		report model.Report
		accept bool
		told   int
		count  int // of the error; 0: none
	}{
		{"nobody is told", nil, false, 0, 3},
		{"accepted", nil, true, 0, 0},
		{"told", func(model.Loss) { told++ }, false, 3, 0},
		{"told and accepted", func(model.Loss) { told++ }, true, 3, 0},
	} {
		s := begun(t, &model.Database{})
		told = 0
		report := s.Report(c.report, c.accept)
		if err := s.Lost(); err != nil {
			t.Errorf("%s: nothing is lost yet: %v", c.what, err)
		}
		for range 3 {
			report.Tell(loss)
		}
		err := s.Lost()
		var lost *model.LossError
		switch isLost := errors.As(err, &lost); {
		case isLost != (c.count > 0), told != c.told:
			t.Errorf("%s: %v, told %d times", c.what, err, told)
		case isLost && (lost.Count != c.count || len(lost.Losses) == 0 || lost.Losses[0] != loss):
			t.Errorf("%s: %+v", c.what, lost)
		case !isLost && err != nil:
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

// unread is a table of which an entity could not be read.
type unread struct{ err error }

func (unread) Len() int                                                        { return 1 }
func (unread) Value(model.EntityID) model.Player                               { return model.Player{} }
func (unread) IsDeleted(model.EntityID) bool                                   { return false }
func (unread) Slot(model.EntityID) model.Slot[model.Player]                    { return model.Slot[model.Player]{} }
func (unread) Slots(yield func(model.EntityID, model.Slot[model.Player]) bool) {}
func (unread) Live(yield func(model.EntityID, model.Player) bool)              {}
func (u unread) Err() error                                                    { return u.err }

// Names that could not be read are an error whether or not losses are accepted:
// they are not lost, the disk is.
func TestUnreadNamesAreAnError(t *testing.T) {
	broken := errors.New("the disk does not answer")
	for _, accept := range []bool{false, true} {
		db := &model.Database{}
		db.Tables.Players = model.StoredTable[model.Player](unread{broken})
		s := begun(t, db)
		s.Report(nil, accept).Tell(model.Loss{})
		if err := s.Lost(); !errors.Is(err, broken) {
			t.Errorf("accepted %v: %v", accept, err)
		}
	}
}
