package parquet

import (
	"strings"

	"cbkit/internal/marks"
	"cbkit/model"
)

// record is what a batch keeps of a game. Texts are those of the source's
// entities and tags, which never change; slices are in the memory of the batch.
type record struct {
	id      int64
	deleted bool
	header  model.Header

	white, black         model.Player
	event, site          string
	annotator, source    string
	whiteTeam, blackTeam string
	gameTitle            string

	start      int // index of the position in the batch, -1 for the usual one
	moves      []model.Move
	tree       model.Tree // with all lines, if they are wanted
	variations bool
	undecoded  bool
	kinds      kindSet
	marks      []model.Annotation
	evals      model.Evaluations
	judgement  model.NAG
	line       []byte // of JSON Lines, nil if there is none
}

// batch is a number of games on their way to the tables, in flat memory that is
// used again.
type batch struct {
	records []record
	starts  []model.Position
	moves   []model.Move
	tags    []model.Tag
	marks   []model.Annotation
	lines   []byte
	text    []byte // of moves and positions

	sheets []sheet // one for each table
	played chan struct{}
}

// Limits of a batch: enough to keep the processors busy, little enough for the
// caches.
const (
	batchPlies = 4 << 10
	batchGames = 2 << 10
	batchLines = 2 << 20 // bytes of JSON Lines
)

// reset makes a batch ready to be filled again. Memory that a huge game took is
// given back.
func (b *batch) reset() {
	clear(b.records)
	clear(b.tags)
	clear(b.marks)
	b.records, b.starts, b.moves = b.records[:0], b.starts[:0], b.moves[:0]
	b.tags, b.marks, b.lines = b.tags[:0], b.marks[:0], b.lines[:0]
	if cap(b.lines) > 8*batchLines {
		b.lines = nil
	}
	for i := range b.sheets {
		b.sheets[i].reset()
	}
}

// add copies what the tables need of a game.
func (b *batch) add(id int64, rec model.Record, e *model.Entities, opt *Options) *record {
	g := rec.Game
	t := e.Tournaments.Value(g.Tournament)
	b.records = append(b.records, record{
		id: id, deleted: rec.Deleted, header: g.Header,
		white: e.Players.Value(g.White), black: e.Players.Value(g.Black),
		event: t.Title, site: t.Place,
		annotator: e.Annotators.Value(g.Annotator).Name, source: e.Sources.Value(g.Source).Title,
		whiteTeam: e.Teams.Value(g.WhiteTeam).Title, blackTeam: e.Teams.Value(g.BlackTeam).Title,
		gameTitle: e.GameTitles.Value(g.GameTitle).String(),
		start:     -1, undecoded: g.MovesErr != nil,
	})
	r := &b.records[len(b.records)-1]
	tags := len(b.tags)
	b.tags = append(b.tags, g.Tags...)
	r.header.Tags = b.tags[tags:len(b.tags):len(b.tags)]
	if g.Start != nil {
		r.start = len(b.starts)
		b.starts = append(b.starts, *g.Start)
	}
	main := g.Moves.MainLen()
	r.variations = main < g.Moves.Len()
	from := len(b.moves)
	for _, n := range g.Moves.Nodes()[:main] {
		b.moves = append(b.moves, n.Move)
	}
	r.moves = b.moves[from:len(b.moves):len(b.moves)]
	if opt.Variations && r.variations {
		r.tree = g.Moves.Clone()
	}
	// Of the annotations those are kept that have columns of their own.
	before := len(b.marks)
	r.judgement = g.LineEvaluation
	for i := range g.Annotations {
		a := &g.Annotations[i]
		r.kinds.add(a.Value)
		switch v := a.Value.(type) {
		case model.Text:
			if said, _ := marks.Remark(v.Text, model.White); said.Kind != "" || strings.Contains(v.Text, "[%") {
				b.marks = append(b.marks, *a)
			}
		case model.TimeSpent, model.Engine:
			b.marks = append(b.marks, *a)
		case model.Evaluations:
			r.evals = v
		case model.Symbols:
			if int(a.Node) == main-1 && r.judgement == 0 {
				r.judgement = v.Position
			}
		}
	}
	r.marks = b.marks[before:len(b.marks):len(b.marks)]
	if _, decided := points(g.Result); decided {
		r.judgement = 0
	}
	return r
}
