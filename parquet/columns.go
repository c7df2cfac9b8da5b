package parquet

import (
	"encoding/binary"

	pq "github.com/parquet-go/parquet-go"

	"cbkit/board"
	"cbkit/model"
)

// The columns of the table of games, in their order.
const (
	fieldID = iota
	fieldDatabase
	fieldEvent
	fieldSite
	fieldWhite
	fieldBlack
	fieldResult
	fieldWhiteTitle
	fieldBlackTitle
	fieldWhiteElo
	fieldBlackElo
	fieldWhiteRatingDiff
	fieldBlackRatingDiff
	fieldUTCDate
	fieldUTCTime
	fieldECO
	fieldOpening
	fieldTermination
	fieldTimeControl
	fieldMovetext
	fieldRound
	fieldSubround
	fieldDate
	fieldYear
	fieldMonth
	fieldDay
	fieldECOSub
	fieldScore
	fieldLineEvaluation
	fieldJudgement
	fieldWhiteTeam
	fieldBlackTeam
	fieldAnnotator
	fieldSource
	fieldGameTitle
	fieldPlies
	fieldFEN
	fieldVariant
	fieldFlags
	fieldMaterial
	fieldUCI
	fieldMoves
	fieldTags
	fieldGame
	numFields
)

// gamesColumns are these columns. docs/analysis.md says what each means. Those up to
// movetext are the columns of the data sets of Lichess.
var gamesColumns = [numFields]column{
	fieldID:              {name: "id", node: ascending(pq.Int(64)), fill: func(v []vector, g *played) { v[0].int64(g.id) }},
	fieldDatabase:        onlyWritten(wordColumn("database", func(g *played) string { return g.database })),
	fieldEvent:           wordColumn("Event", func(g *played) string { return g.event }),
	fieldSite:            wordColumn("Site", (*played).siteText),
	fieldWhite:           playerColumn("White", func(g *played) model.Player { return g.white }, func(h *model.Header) *model.EntityID { return &h.White }),
	fieldBlack:           playerColumn("Black", func(g *played) model.Player { return g.black }, func(h *model.Header) *model.EntityID { return &h.Black }),
	fieldResult:          wordColumn("Result", func(g *played) string { return g.header.Result.String() }),
	fieldWhiteTitle:      tagColumn("WhiteTitle"),
	fieldBlackTitle:      tagColumn("BlackTitle"),
	fieldWhiteElo:        headerColumn("WhiteElo", func(h *model.Header) *uint16 { return &h.WhiteElo }),
	fieldBlackElo:        headerColumn("BlackElo", func(h *model.Header) *uint16 { return &h.BlackElo }),
	fieldWhiteRatingDiff: codedColumn("WhiteRatingDiff", shapeNumber, number(), &diffCode),
	fieldBlackRatingDiff: codedColumn("BlackRatingDiff", shapeNumber, number(), &diffCode),
	fieldUTCDate:         codedColumn("UTCDate", shapeDate, day(), &dateCode),
	fieldUTCTime:         codedColumn("UTCTime", shapeTime, pq.Optional(pq.TimeAdjusted(pq.Millisecond, false)), &timeCode),
	fieldECO:             {name: "ECO", node: word(), shape: shapeText, fill: fillECO},
	fieldOpening:         tagColumn("Opening"),
	fieldTermination:     tagColumn("Termination"),
	fieldTimeControl:     tagColumn("TimeControl"),
	fieldMovetext:        {name: "movetext", node: text(), unbounded: true, shape: shapeText, fill: func(v []vector, g *played) { v[0].copy(g.movetext) }},
	fieldRound:           headerColumn("round", func(h *model.Header) *uint16 { return &h.Round }),
	fieldSubround:        headerColumn("subround", func(h *model.Header) *uint16 { return &h.Subround }),
	fieldDate:            maybeColumn("date", shapeDate, day(), func(g *played) maybe { return daysOf(g.header.Date) }),
	fieldYear:            numberColumn("year", func(g *played) int32 { return int32(g.header.Date.Year) }),
	fieldMonth:           numberColumn("month", func(g *played) int32 { return int32(g.header.Date.Month) }),
	fieldDay:             numberColumn("day", func(g *played) int32 { return int32(g.header.Date.Day) }),
	fieldECOSub:          numberColumn("ecoSub", func(g *played) int32 { return ecoSub(g.header.ECO) }),
	fieldScore:           {name: "score", node: pq.Optional(dictionary(pq.Leaf(pq.DoubleType))), fill: fillScore},
	fieldLineEvaluation:  numberColumn("lineEvaluation", func(g *played) int32 { return int32(g.header.LineEvaluation) }),
	fieldJudgement:       onlyWritten(numberColumn("judgement", func(g *played) int32 { return int32(g.judgement) })),
	fieldWhiteTeam: entityColumn("whiteTeam", func(g *played) string { return g.whiteTeam },
		func(e *model.Entities, h *model.Header, s string) {
			h.WhiteTeam = refer(&e.Teams, model.Team{Title: s})
		}),
	fieldBlackTeam: entityColumn("blackTeam", func(g *played) string { return g.blackTeam },
		func(e *model.Entities, h *model.Header, s string) {
			h.BlackTeam = refer(&e.Teams, model.Team{Title: s})
		}),
	fieldAnnotator: entityColumn("annotator", func(g *played) string { return g.annotator },
		func(e *model.Entities, h *model.Header, s string) {
			h.Annotator = refer(&e.Annotators, model.Annotator{Name: s})
		}),
	fieldSource: entityColumn("source", func(g *played) string { return g.source },
		func(e *model.Entities, h *model.Header, s string) {
			h.Source = refer(&e.Sources, model.Publication{Title: s})
		}),
	fieldGameTitle: entityColumn("gameTitle", func(g *played) string { return g.gameTitle },
		func(e *model.Entities, h *model.Header, s string) {
			h.GameTitle = refer(&e.GameTitles, model.GameTitle{Titles: [8]string{s}})
		}),
	fieldPlies:    {name: "plies", node: dictionary(pq.Int(32)), fill: func(v []vector, g *played) { v[0].int32(int32(g.plies)) }},
	fieldFEN:      {name: "fen", node: text(), unbounded: true, shape: shapeText, fill: fillStart},
	fieldVariant:  wordColumn("variant", (*played).variant),
	fieldFlags:    {name: "flags", node: pq.List(dictionary(pq.String())), unbounded: true, shape: shapeTexts, fill: fillFlags},
	fieldMaterial: {name: "material", node: word(), fill: func(v []vector, g *played) { v[0].bytes(g.at(g.material)) }},
	fieldUCI:      {name: "uci", node: pq.List(dense(dictionary(pq.String()))), unbounded: true, shape: shapeTexts, fill: fillUCI},
	fieldMoves:    {name: "moves", node: dense(pq.Leaf(pq.ByteArrayType)), unbounded: true, shape: shapeText, fill: fillMoves},
	fieldTags:     {name: "tags", node: pq.Map(dictionary(pq.String()), pq.String()), unbounded: true, shape: shapePairs, fill: fillTags},
	fieldGame:     {name: gameColumn, node: text(), unbounded: true, shape: shapeText, fill: fillGame},
}

// tagColumns are those of tags, by name.
var tagColumns = map[string]*column{}

func init() {
	for i := range gamesColumns {
		if c := &gamesColumns[i]; c.isTag {
			tagColumns[c.name] = c
		}
	}
}

// gameColumn is the column that has a whole game.
const gameColumn = "game"

// fillECO writes the three characters of the opening code.
func fillECO(v []vector, g *played) {
	if !g.header.ECO.Valid() {
		v[0].null()
		return
	}
	text, _ := model.NewECO(g.header.ECO.Index(), 0).AppendText(v[0].text) // it never fails
	v[0].end(text)
}

// fillScore writes White's points.
func fillScore(v []vector, g *played) {
	if score, decided := points(g.header.Result); decided {
		v[0].put(pq.DoubleValue(score))
		return
	}
	v[0].null()
}

// points returns what White has for a result, and whether it is one.
func points(r model.Result) (white float64, decided bool) {
	switch r {
	case model.WhiteWins, model.WhiteWinsByForfeit:
		return 1, true
	case model.Draw, model.DrawByForfeit:
		return 0.5, true
	case model.BlackWins, model.BlackWinsByForfeit, model.BothLose:
		return 0, true
	}
	return 0, false
}

// fillStart writes the starting position, if it is not the usual one.
func fillStart(v []vector, g *played) {
	if g.start == nil {
		v[0].null()
		return
	}
	v[0].end(board.AppendFEN(v[0].text, g.start))
}

// The words of the column flags besides the kinds of annotations.
const (
	flagDeleted     = "deleted"
	flagForfeit     = "forfeit"
	flagSetUp       = "setup"
	flagChess960    = "chess960"
	flagVariations  = "variations"
	flagNullMove    = "null-move"
	flagUndecodable = "undecodable"
)

func fillFlags(v []vector, g *played) {
	n := 0
	add := func(word string) {
		v[0].elementText(n, word)
		n++
	}
	for _, f := range [...]struct {
		word string
		set  bool
	}{
		{flagDeleted, g.deleted}, {flagForfeit, g.header.Result.IsForfeit()}, {flagSetUp, g.start != nil},
		{flagChess960, g.start != nil && g.start.Chess960}, {flagVariations, g.variations},
		{flagNullMove, g.null}, {flagUndecodable, g.undecoded},
	} {
		if f.set {
			add(f.word)
		}
	}
	for i, kind := range kinds {
		if g.kinds>>i&1 != 0 {
			add(string(kind))
		}
	}
	if n == 0 {
		v[0].null()
	}
}

// fillUCI writes the moves of the main line.
func fillUCI(v []vector, g *played) {
	for i, m := range g.moves[:g.plies] {
		v[0].uci(m, g.start)
		v[0].repeat(i)
	}
	if g.plies == 0 {
		v[0].null()
	}
}

// fillMoves writes the moves of the main line as 16 bits each, the low byte
// first: see [model.Move].
func fillMoves(v []vector, g *played) {
	text := v[0].text
	for _, m := range g.moves {
		text = binary.LittleEndian.AppendUint16(text, uint16(m))
	}
	v[0].end(text)
}

// fillTags writes the tags that no other column has to the letter, each name
// once.
func fillTags(v []vector, g *played) {
	n := 0
	for i, t := range g.header.Tags {
		if g.inColumn(i) || g.tagBefore(i) {
			continue
		}
		v[0].elementText(n, t.Name)
		v[1].elementText(n, t.Value)
		n++
	}
	if n == 0 {
		v[0].null()
		v[1].null()
	}
}

// fillGame writes the game's line of JSON Lines.
func fillGame(v []vector, g *played) {
	if g.line == nil {
		v[0].null()
		return
	}
	v[0].bytes(g.line)
}

// positionsColumns are the columns of the table of positions, in their order.
var positionsColumns = []column{
	{name: "id", node: ascending(pq.Int(64)), fill: eachPosition(func(v *vector, g *played, _ *position) { v.int64(g.id) })},
	{name: "database", node: word(), fill: eachPosition(func(v *vector, g *played, _ *position) { v.string(g.database) })},
	{name: "variation", node: ascending(pq.Int(32)), fill: eachPosition(func(v *vector, _ *played, p *position) { v.int32(p.variation) })},
	{name: "ply", node: ascending(pq.Int(32)), fill: eachPosition(func(v *vector, _ *played, p *position) { v.int32(p.ply) })},
	{name: keyColumn, node: pq.Uint(64), fill: eachPosition(func(v *vector, _ *played, p *position) { v.int64(int64(p.key)) })},
	{name: "uci", node: pq.Optional(dense(dictionary(pq.String()))), unbounded: true, fill: eachMove(func(v *vector, g *played, p *position) { v.uci(p.move, g.start) })},
	{name: "san", node: word(), unbounded: true, fill: eachMove(func(v *vector, g *played, p *position) { v.bytes(g.at(p.san)) })},
	{name: "move", node: pq.Optional(dense(dictionary(pq.Int(32)))), fill: eachMove(func(v *vector, _ *played, p *position) { v.int32(int32(p.move)) })},
	{name: "turn", node: dictionary(pq.String()), unbounded: true, fill: eachPosition(fillTurn)},
	{name: "material", node: dictionary(pq.String()), unbounded: true, fill: eachPosition(func(v *vector, g *played, p *position) { v.bytes(g.at(p.material)) })},
	{name: "pawns", node: dictionary(pq.String()), unbounded: true, fill: eachPosition(func(v *vector, g *played, p *position) { v.bytes(g.at(p.pawns)) })},
	{name: "clock", node: number(), fill: eachPosition(func(v *vector, _ *played, p *position) { v.maybe(p.after.clock) })},
	{name: "timeSpent", node: number(), fill: eachPosition(func(v *vector, _ *played, p *position) { v.maybe(p.after.spent) })},
	{name: "eval", node: number(), fill: eachPosition(func(v *vector, _ *played, p *position) { v.maybe(p.before.eval) })},
	{name: "mate", node: number(), fill: eachPosition(func(v *vector, _ *played, p *position) { v.maybe(p.before.mate) })},
	{name: "firstVisit", node: pq.Optional(pq.Leaf(pq.BooleanType)), fill: eachPosition(fillVisit)},
	{name: "depth", node: number(), fill: eachPosition(func(v *vector, _ *played, p *position) { v.maybe(p.before.depth) })},
	{name: fenColumn, node: pq.String(), unbounded: true, fill: eachPosition(func(v *vector, g *played, p *position) { v.bytes(g.at(p.fen)) })},
}

// fenColumn is the column of positions that is written where it is asked for, keyColumn
// that they can be in the order of.
const (
	fenColumn = "fen"
	keyColumn = "key"
)

// eachPosition fills a column with one value for each position.
func eachPosition(put func(*vector, *played, *position)) func([]vector, *played) {
	return func(v []vector, g *played) {
		for i := range g.positions {
			put(&v[0], g, &g.positions[i])
		}
	}
}

// eachMove fills a column of the moves that are played, NULL where a line ends.
func eachMove(put func(*vector, *played, *position)) func([]vector, *played) {
	return eachPosition(func(v *vector, g *played, p *position) {
		if !p.hasMove {
			v.null()
			return
		}
		put(v, g, p)
	})
}

func fillTurn(v *vector, _ *played, p *position) {
	if p.turn == model.White {
		v.bytes(whiteWord)
	} else {
		v.bytes(blackWord)
	}
}

var whiteWord, blackWord = []byte("white"), []byte("black")

func fillVisit(v *vector, _ *played, p *position) {
	if p.visit == notCounted {
		v.null()
		return
	}
	v.put(pq.BooleanValue(p.visit == firstVisit))
}
