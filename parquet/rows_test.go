package parquet_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	pq "github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"cbkit/board"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/parquet"
	"cbkit/pgn"
)

// gameRow is a row of the table of games as any program reads it.
type gameRow struct {
	ID              int64             `parquet:"id"`
	Database        *string           `parquet:"database"`
	Event           *string           `parquet:"Event"`
	Site            *string           `parquet:"Site"`
	White           *string           `parquet:"White"`
	Black           *string           `parquet:"Black"`
	Result          *string           `parquet:"Result"`
	WhiteTitle      *string           `parquet:"WhiteTitle"`
	BlackTitle      *string           `parquet:"BlackTitle"`
	WhiteElo        *int32            `parquet:"WhiteElo"`
	BlackElo        *int32            `parquet:"BlackElo"`
	WhiteRatingDiff *int32            `parquet:"WhiteRatingDiff"`
	BlackRatingDiff *int32            `parquet:"BlackRatingDiff"`
	UTCDate         *int32            `parquet:"UTCDate"`
	UTCTime         *int32            `parquet:"UTCTime"`
	ECO             *string           `parquet:"ECO"`
	Opening         *string           `parquet:"Opening"`
	Termination     *string           `parquet:"Termination"`
	TimeControl     *string           `parquet:"TimeControl"`
	Movetext        *string           `parquet:"movetext"`
	Round           *int32            `parquet:"round"`
	Subround        *int32            `parquet:"subround"`
	Date            *int32            `parquet:"date"`
	Year            *int32            `parquet:"year"`
	Month           *int32            `parquet:"month"`
	Day             *int32            `parquet:"day"`
	ECOSub          *int32            `parquet:"ecoSub"`
	Score           *float64          `parquet:"score"`
	LineEvaluation  *int32            `parquet:"lineEvaluation"`
	Judgement       *int32            `parquet:"judgement"`
	WhiteTeam       *string           `parquet:"whiteTeam"`
	BlackTeam       *string           `parquet:"blackTeam"`
	Annotator       *string           `parquet:"annotator"`
	Source          *string           `parquet:"source"`
	GameTitle       *string           `parquet:"gameTitle"`
	Plies           int32             `parquet:"plies"`
	FEN             *string           `parquet:"fen"`
	Variant         *string           `parquet:"variant"`
	Flags           []string          `parquet:"flags,list"`
	Material        *string           `parquet:"material"`
	UCI             []string          `parquet:"uci,list"`
	Moves           []byte            `parquet:"moves"`
	Tags            map[string]string `parquet:"tags"`
	Game            *string           `parquet:"game"`
}

// positionRow is a row of the table of positions.
type positionRow struct {
	ID         int64   `parquet:"id"`
	Database   *string `parquet:"database"`
	Variation  int32   `parquet:"variation"`
	Ply        int32   `parquet:"ply"`
	Key        uint64  `parquet:"key"`
	UCI        *string `parquet:"uci"`
	SAN        *string `parquet:"san"`
	Move       *int32  `parquet:"move"`
	Turn       string  `parquet:"turn"`
	Material   string  `parquet:"material"`
	Pawns      string  `parquet:"pawns"`
	Clock      *int32  `parquet:"clock"`
	TimeSpent  *int32  `parquet:"timeSpent"`
	Eval       *int32  `parquet:"eval"`
	Mate       *int32  `parquet:"mate"`
	FirstVisit *bool   `parquet:"firstVisit"`
	Depth      *int32  `parquet:"depth"`
	FEN        string  `parquet:"fen"`
}

// readRows reads a file row by row.
func readRows[T any](t rapid.TB, data []byte) []T {
	t.Helper()
	rows, err := pq.Read[T](bytes.NewReader(data), int64(len(data)))
	if err != nil && err != io.EOF {
		t.Fatal(err)
	}
	return rows
}

func some[T any](v T) *T { return &v }

// unless returns v, nil if it is none.
func unless[T comparable](v, none T) *T {
	if v == none {
		return nil
	}
	return &v
}

// number returns n, nil for 0.
func number[N uint8 | uint16 | int](n N) *int32 { return unless(int32(n), 0) }

// tagNumber returns the value of a tag as a number.
func tagNumber(g *model.Game, name string) *int32 {
	n, err := strconv.Atoi(g.Tag(name))
	if err != nil || n != int(int16(n)) {
		return nil
	}
	return some(int32(n))
}

// daysSince1970 returns the day of a text of the form 2006.01.02, nil if it is
// no day.
func daysSince1970(text string) *int32 {
	day, err := time.Parse("2006.01.02", text)
	if err != nil || day.Year() == 0 {
		return nil
	}
	return some(int32(math.Floor(float64(day.Unix()) / (24 * 60 * 60))))
}

// naiveGame makes the row of a game in the simplest way.
func naiveGame(rec model.Record, e *model.Entities) gameRow {
	g, r := rec.Game, rec.Game.Resolve(e)
	text := func(s string) *string { return unless(s, "") }
	row := gameRow{
		ID: int64(rec.ID), Event: text(r.Tournament.Title), Site: text(r.Tournament.Place), White: text(r.White.String()), Black: text(r.Black.String()),
		Result: some(g.Result.String()), WhiteTitle: text(g.Tag("WhiteTitle")), BlackTitle: text(g.Tag("BlackTitle")),
		WhiteElo: number(g.WhiteElo), BlackElo: number(g.BlackElo), WhiteRatingDiff: tagNumber(g, "WhiteRatingDiff"), BlackRatingDiff: tagNumber(g, "BlackRatingDiff"),
		UTCDate: daysSince1970(g.Tag("UTCDate")), Opening: text(g.Tag("Opening")), Termination: text(g.Tag("Termination")), TimeControl: text(g.Tag("TimeControl")),
		Round: number(g.Round), Subround: number(g.Subround), Date: daysSince1970(fmt.Sprintf("%04d.%02d.%02d", g.Date.Year, g.Date.Month, g.Date.Day)),
		Year: number(g.Date.Year), Month: number(g.Date.Month), Day: number(g.Date.Day),
		LineEvaluation: number(uint8(g.LineEvaluation)), WhiteTeam: text(r.WhiteTeam.Title), BlackTeam: text(r.BlackTeam.Title),
		Annotator: text(r.Annotator.Name), Source: text(r.Source.Title), GameTitle: text(r.GameTitle.String()), Plies: int32(g.Moves.MainLen()),
	}
	if row.Site == nil {
		row.Site = text(g.Tag("Site"))
	}
	if clock, err := time.Parse("15:04:05", g.Tag("UTCTime")); err == nil && len(g.Tag("UTCTime")) == 8 {
		row.UTCTime = some(int32(clock.Sub(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)).Milliseconds()))
	}
	if g.ECO.Valid() {
		row.ECO, row.ECOSub = some(g.ECO.String()[:3]), number(g.ECO.Sub())
	}
	switch g.Result.String() {
	case "1-0":
		row.Score = some(1.0)
	case "1/2-1/2":
		row.Score = some(0.5)
	case "0-1", "0-0":
		row.Score = some(0.0)
	default:
		row.Judgement = naiveJudgement(g)
	}
	if g.Start != nil {
		row.FEN = some(board.FormatFEN(g.Start))
		if g.Start.Chess960 {
			row.Variant = some("chess960")
		}
	}
	row.Flags, row.Tags = naiveFlags(rec), naiveTags(g, r.Tournament.Place)
	naiveMoves(g, &row)
	line, err := jsonl.NewEncoder(e).Append(nil, rec)
	if err != nil {
		panic(err)
	}
	row.Game = some(string(line))
	return row
}

// naiveJudgement returns how the end of a game without a result is judged.
func naiveJudgement(g *model.Game) *int32 {
	judged := g.LineEvaluation
	for _, a := range g.AnnotationsAt(g.Moves.MainLen() - 1) {
		if s, ok := a.Value.(model.Symbols); ok && judged == 0 {
			judged = s.Position
		}
	}
	return number(uint8(judged))
}

// naiveFlags returns what is remarkable about a game.
func naiveFlags(rec model.Record) (flags []string) {
	g := rec.Game
	null := false
	for n := range g.Moves.MainLen() {
		null = null || g.Moves.Move(n).IsNull()
	}
	for _, f := range []struct {
		word string
		set  bool
	}{
		{"deleted", rec.Deleted}, {"forfeit", g.Result.IsForfeit()}, {"setup", g.Start != nil}, {"chess960", g.Start != nil && g.Start.Chess960},
		{"variations", g.Moves.HasVariations()}, {"null-move", null}, {"undecodable", g.MovesErr != nil},
	} {
		if f.set {
			flags = append(flags, f.word)
		}
	}
	for _, kind := range strings.Fields("text symbols squares arrows time-spent training quotation pawn-structure piece-path clock critical" +
		" web-link engine medals variation-color time-control video-time evaluations opaque") {
		if slices.ContainsFunc(g.Annotations, func(a model.Annotation) bool { return string(a.Value.Kind()) == kind }) {
			flags = append(flags, kind)
		}
	}
	return flags
}

// naiveTags returns the tags that no other column gives back to the letter.
func naiveTags(g *model.Game, place string) map[string]string {
	tags := map[string]string{}
	for i := len(g.Tags) - 1; i >= 0; i-- { // the first of a name counts
		tags[g.Tags[i].Name] = g.Tags[i].Value
	}
	for _, name := range []string{"WhiteTitle", "BlackTitle", "Opening", "Termination", "TimeControl"} {
		if tags[name] != "" {
			delete(tags, name)
		}
	}
	for name, form := range map[string]string{
		"WhiteRatingDiff": `^(\+(0|[1-9]\d*)|-[1-9]\d*)$`, "BlackRatingDiff": `^(\+(0|[1-9]\d*)|-[1-9]\d*)$`,
		"UTCTime": `^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$`, "Site": `^(?i:http).`,
	} {
		if tags[name] != "" && regexp.MustCompile(form).MatchString(tags[name]) && (name != "Site" || place == "") && (name[:1] == "U" || name == "Site" || tagNumber(g, name) != nil) {
			delete(tags, name)
		}
	}
	if daysSince1970(tags["UTCDate"]) != nil {
		delete(tags, "UTCDate")
	}
	return tags
}

// naiveMoves fills in what the moves of the main line say.
func naiveMoves(g *model.Game, row *gameRow) {
	chess960 := g.Start != nil && g.Start.Chess960
	p, err := board.New(g.Start)
	if err != nil {
		panic(err)
	}
	text, afterComment := "", true
	for n := range g.Moves.MainLen() {
		m := g.Moves.Move(n)
		row.UCI = append(row.UCI, naiveUCI(m, chess960))
		row.Moves = binary.LittleEndian.AppendUint16(row.Moves, uint16(m))
		switch {
		case p.Turn() == model.White:
			text += fmt.Sprintf("%d. ", p.FullMove())
		case afterComment:
			text += fmt.Sprintf("%d... ", p.FullMove())
		}
		text += p.SAN(m) + " "
		comment := ""
		for _, a := range g.AnnotationsAt(n) {
			if words, ok := a.Value.(model.Text); ok {
				for _, c := range commandPattern.FindAllString(words.Text, -1) {
					if markPattern.MatchString(c) {
						comment += c + " "
					}
				}
			}
		}
		if afterComment = comment != ""; afterComment {
			text += "{ " + comment + "} "
		}
		p.Make(m)
	}
	row.Movetext = some(text + g.Result.String())
	row.Material = some(naiveMaterial(p.FEN()))
	if row.Moves == nil {
		row.Moves = []byte{}
	}
}

// naiveUCI returns a move in UCI notation as JSON Lines has it.
func naiveUCI(m model.Move, chess960 bool) string {
	return m.UCI(chess960 || m.IsCastling() && m.From() != model.E1 && m.From() != model.E8)
}

// naiveMaterial counts the letters of a FEN.
func naiveMaterial(fen string) string {
	pieces, _, _ := strings.Cut(fen, " ")
	text := ""
	for _, letter := range "KQRBNP-kqrbnp" {
		if letter == '-' {
			text += "-"
		}
		text += strings.Repeat(strings.ToUpper(string(letter)), strings.Count(pieces, string(letter))*min(1, int(letter-'-')))
	}
	return text
}

// naivePawns takes everything but pawns out of a FEN.
func naivePawns(fen string) string {
	pieces, _, _ := strings.Cut(fen, " ")
	squares := ""
	for _, c := range pieces {
		switch {
		case c >= '1' && c <= '8':
			squares += strings.Repeat(" ", int(c-'0'))
		case c == '/' || c == 'P' || c == 'p':
			squares += string(c)
		default:
			squares += " "
		}
	}
	return blanksPattern.ReplaceAllStringFunc(squares, func(s string) string { return strconv.Itoa(len(s)) })
}

// sameInBooks names a position as books of ChessBase tell it from others.
func sameInBooks(p *board.Position) string {
	m := p.Model()
	if !p.EnPassantLegal() {
		m.EnPassant = model.NoFile
	}
	m.HalfMoves, m.FullMove = 0, 1
	if m.Turn == model.Black { // the colours exchanged
		was := m
		m.Turn = model.White
		for s, piece := range was.Board {
			if piece != model.NoPiece {
				piece ^= model.BlackPawn ^ model.WhitePawn
			}
			m.Board[s^56] = piece
		}
		m.Rights = model.NoRights()
		for c := range was.Rights {
			for side, rook := range was.Rights[c] {
				if rook != model.NoSquare {
					m.Rights[1-c][side] = rook ^ 56
				}
			}
		}
	}
	if !m.Rights.Any() && m.KingSquare(model.White) != model.NoSquare && m.KingSquare(model.White).File() < 4 { // the mirror image
		was := m
		for s, piece := range was.Board {
			m.Board[s^7] = piece
		}
		if m.EnPassant != model.NoFile {
			m.EnPassant = 7 - m.EnPassant
		}
	}
	return board.FormatFEN(&m)
}

// naivePositions makes the rows of a game in the simplest way.
func naivePositions(rec model.Record, variations bool) []positionRow {
	g := rec.Game
	var rows []positionRow
	variation := int32(0)
	line := func(nodes []int, from int) { // the last of the nodes from that index on
		p, err := board.New(g.Start)
		if err != nil {
			panic(err)
		}
		seen := map[string]bool{}
		counts := variation == 0 && naiveBookable(rec)
		for i := 0; i <= len(nodes); i++ {
			row := positionRow{ID: int64(rec.ID), Variation: variation, Ply: int32(i), Key: p.PolyglotKey(), Turn: p.Turn().String(),
				Material: naiveMaterial(p.FEN()), Pawns: naivePawns(p.FEN()), FEN: p.FEN()}
			before := model.NoNode
			if i > 0 {
				before = nodes[i-1]
			}
			_, _, row.Eval, row.Mate, row.Depth = naiveMarks(g, before, i, variation == 0)
			if counts {
				name := sameInBooks(&p)
				row.FirstVisit = some(!seen[name])
				seen[name] = true
			}
			if i < len(nodes) {
				m := g.Moves.Move(nodes[i])
				row.UCI, row.SAN, row.Move = some(naiveUCI(m, g.Start != nil && g.Start.Chess960)), some(p.SAN(m)), some(int32(m))
				row.Clock, row.TimeSpent, _, _, _ = naiveMarks(g, nodes[i], i+1, variation == 0)
				if row.TimeSpent == nil && variation == 0 && i >= 2 {
					row.TimeSpent = naiveSpent(g, nodes, i)
				}
				counts = counts && !m.IsNull() && p.Legal(m)
				p.Make(m)
			}
			if i >= from {
				rows = append(rows, row)
			}
		}
	}
	main := slices.Collect(g.Moves.Line(model.NoNode))
	line(main, 0)
	if !variations {
		return rows
	}
	for node := len(main); node < g.Moves.Len(); node++ {
		if g.Moves.IsMain(node) {
			continue
		}
		variation++
		nodes := slices.Collect(g.Moves.Line(node))
		from := 0
		for parent := g.Moves.Parent(node); parent != model.NoNode; parent = g.Moves.Parent(parent) {
			nodes = slices.Insert(nodes, 0, parent)
			from++
		}
		line(nodes, from)
	}
	return rows
}

// naiveBookable says which games books count.
func naiveBookable(rec model.Record) bool {
	start := rec.Game.StartPosition()
	standard := true
	for c := range start.Rights {
		for side, rook := range start.Rights[c] {
			standard = standard && (rook == model.NoSquare || rook == model.AllRights()[c][side])
		}
	}
	return !rec.Deleted && rec.Game.MovesErr == nil && (!start.Chess960 || standard)
}

var (
	commandPattern = regexp.MustCompile(`\[%[^\]]*\]`)
	markPattern    = regexp.MustCompile(`^\[%(clk|emt|eval)[ \]]`)
	blanksPattern  = regexp.MustCompile(" +")
	clockPattern   = regexp.MustCompile(`^\[%(clk|emt) +(?:(\d+):)?(?:(\d+):)?(\d+)(?:\.(\d\d?)\d*)? *\]$`)
	evalPattern    = regexp.MustCompile(`^\[%eval +(#?)([-+]?\d*\.?\d*)(?:,(.*?))? *\]$`)
)

// naiveSpent tells from the clocks what a move has taken.
func naiveSpent(g *model.Game, nodes []int, i int) *int32 {
	clock := func(i int) *int32 {
		c, _, _, _, _ := naiveMarks(g, nodes[i], i+1, true)
		return c
	}
	m := regexp.MustCompile(`^(\d+)(?:\+(\d+))?$`).FindStringSubmatch(g.Tag("TimeControl"))
	now, before, first := clock(i), clock(i-2), clock(i%2)
	if m == nil || now == nil || before == nil {
		return nil
	}
	base, _ := strconv.Atoi(m[1])
	gets, _ := strconv.Atoi(m[2])
	if first != nil && int(*first) == 50*base {
		gets = 0
	}
	if spent := *before + int32(100*gets) - *now; spent >= 0 {
		return &spent
	}
	return nil
}

// naiveMarks returns what comments and annotations say of a move: the clock and
// the time spent, and the value of the position behind it, after so many plies.
func naiveMarks(g *model.Game, node, plies int, main bool) (clock, spent, eval, mate, depth *int32) {
	set := func(to **int32, n float64) {
		if *to == nil && math.Abs(n) < 1<<31 {
			*to = some(int32(n))
		}
	}
	deep := func(n int) {
		if eval == nil && mate == nil && n > 0 {
			depth = some(int32(n))
		}
	}
	for _, a := range g.AnnotationsAt(node) {
		switch v := a.Value.(type) {
		case model.TimeSpent:
			set(&spent, 100*(3600*float64(v.Hours)+60*float64(v.Minutes)+float64(v.Seconds)))
		case model.Engine:
			if v.Type == 0 || v.Type == 1 {
				deep(int(v.Depth))
			}
			if v.Type == 0 {
				set(&eval, float64(v.Value))
			} else if v.Type == 1 {
				set(&mate, float64(v.Value))
			}
		case model.Text:
			remark := naiveRemarks[v.Text]
			if remark[3] != nil {
				deep(int(*remark[3]))
			}
			for i, to := range []**int32{&eval, &mate, &spent} {
				n := remark[i]
				if n != nil && i < 2 && plies%2 == 0 {
					n = some(-*n)
				}
				if n != nil {
					set(to, float64(*n))
				}
			}
			for _, c := range commandPattern.FindAllString(v.Text, -1) {
				if m := clockPattern.FindStringSubmatch(c); m != nil {
					total := 0.0
					for _, part := range m[2:5] {
						if part != "" {
							n, _ := strconv.ParseFloat(part, 64)
							total = 60*total + n
						}
					}
					hundredths, _ := strconv.ParseFloat((m[5] + "00")[:2], 64)
					if m[1] == "clk" {
						set(&clock, 100*total+hundredths)
					} else {
						set(&spent, 100*total+hundredths)
					}
				}
				if m := evalPattern.FindStringSubmatch(c); m != nil {
					n, err := strconv.ParseFloat(m[2], 64)
					if d, bad := strconv.Atoi(m[3]); err == nil && bad == nil {
						deep(d)
					}
					if err == nil && m[1] == "#" {
						set(&mate, n)
					} else if err == nil {
						set(&eval, math.Round(100*n))
					}
				}
			}
		}
	}
	if all := naiveEvaluations(g); main && plies < len(all) {
		e := all[plies]
		if e.Kind == model.Centipawns || e.Kind == model.MateInPlies {
			deep(int(e.Depth))
		}
		switch e.Kind {
		case model.Centipawns:
			set(&eval, float64(e.Value))
		case model.MateInPlies:
			set(&mate, math.Copysign(math.Ceil(math.Abs(float64(e.Value))/2), float64(e.Value)))
		}
	}
	return clock, spent, eval, mate, depth
}

// naiveRemarks are texts of engines about their own moves: value, moves to mate, time and depth,
// as the engine sees it.
var naiveRemarks = map[string][4]*int32{
	"+0.31/14 0.53s": {some[int32](31), nil, some[int32](53), some[int32](14)}, "-M5/20 1.2s, Black mates": {nil, some[int32](-3), some[int32](120), some[int32](20)},
	"-0.25/8": {some[int32](-25), nil, nil, some[int32](8)}, "book": {}, "0.5/x": {},
}

// naiveEvaluations returns the evaluations of all positions of a game.
func naiveEvaluations(g *model.Game) (all model.Evaluations) {
	for _, a := range g.Annotations {
		if e, ok := a.Value.(model.Evaluations); ok {
			all = e
		}
	}
	return all
}

// checkRows compares the rows of both tables with what the model says.
func checkRows(t rapid.TB, db *model.Database, variations bool) {
	t.Helper()
	var wantGames []gameRow
	var wantPositions []positionRow
	for _, rec := range games(db).List {
		wantGames = append(wantGames, naiveGame(rec, &db.Tables))
		wantPositions = append(wantPositions, naivePositions(rec, variations)...)
	}
	for i := range wantGames {
		wantGames[i].Database = some("db")
	}
	for i := range wantPositions {
		wantPositions[i].Database = some("db")
	}
	compare(t, wantGames, readRows[gameRow](t, write(t, db, parquet.Options{Database: "db"})))
	compare(t, wantPositions, readRows[positionRow](t, write(t, db, parquet.Options{
		Tables: []parquet.Table{parquet.Positions}, FEN: true, Variations: variations, Database: "db",
	})))
}

// compare compares rows; an empty list or map is like one that is not there.
func compare[T any](t rapid.TB, want, got []T) {
	t.Helper()
	if len(want) != len(got) {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	for i := range want {
		if reflect.DeepEqual(want[i], got[i]) {
			continue
		}
		if d := cmp.Diff(want[i], got[i], cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("row %d (-want +got):\n%s", i+1, d)
		}
	}
}

// TestRowsOfRealGames compares every row of both tables with the model.
func TestRowsOfRealGames(t *testing.T) {
	for name, db := range realGames(t) {
		games := db.List
		db.List = nil
		for i, rec := range games {
			if corpus.IsTried(i, len(games)) && (!testing.Short() || len(db.List) < 20) {
				db.List = append(db.List, rec)
			}
		}
		t.Run(name, func(t *testing.T) { checkRows(t, db, true) })
	}
}

// TestRows does the same for generated games.
func TestRows(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := gen.Config{Undecodable: true, Wild: rapid.Bool().Draw(rt, "wild")}
		checkRows(rt, gen.Database(c).Draw(rt, "db"), rapid.Bool().Draw(rt, "variations"))
	})
}

// TestMarksOfComments reads clocks and evaluations in all their forms.
func TestMarksOfComments(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		db := &model.Database{}
		g := model.NewGame()
		for _, m := range []model.Move{model.NewMove(model.E2, model.E4), model.NewMove(model.E7, model.E5), model.NewMove(model.G1, model.F3)} {
			g.Moves.Append(m)
		}
		words := rapid.SampledFrom([]string{
			"[%clk 0:03:00]", "[%clk 1:02:03.4]", "[%clk 12:34]", "[%clk 5]", "[%clk 0:00:07.25]", "[%emt 0:00:05]", "[%eval 0.17]", "[%eval -12.3]", "[%eval #-3]",
			"[%eval #5]", "[%eval 0.5,20]", "[%eval ]", "[%clk x]", "[%clk", "text", "[%csl Ge4]", "[%eval 1e9]", "[%clk 99999999:00:00]", "[%eval #x]", " ",
		})
		for n := range 3 {
			if rapid.Bool().Draw(rt, "remark") {
				g.Annotate(n, model.Text{Text: rapid.SampledFrom(slices.Sorted(maps.Keys(naiveRemarks))).Draw(rt, "remark of an engine")})
			}
			for range rapid.IntRange(0, 2).Draw(rt, "comments") {
				g.Annotate(n, model.Text{Text: strings.Join(rapid.SliceOfN(words, 0, 3).Draw(rt, "words"), " ")})
			}
		}
		db.AddGame(g)
		checkRows(rt, db, false)
	})
}

// TestNoRows writes tables without rows, which have their columns all the same.
func TestNoRows(t *testing.T) {
	db := &model.Database{}
	if rows := readRows[gameRow](t, write(t, db, parquet.Options{})); len(rows) != 0 {
		t.Errorf("%d rows", len(rows))
	}
	r := load(t, write(t, db, parquet.Options{NoGame: true}))
	if len(r.List) != 0 {
		t.Errorf("%d games", len(r.List))
	}
}

// TestTimeSpent tells from clocks and increments what moves have taken.
func TestTimeSpent(t *testing.T) {
	const moves = "1. e4 {[%clk 0:03:00]} e5 {[%clk 0:01:30]} 2. Nf3 {[%clk 0:02:58]} Nc6 {[%clk 0:01:28.5]} 3. Bb5 {[%clk 0:03:15]} a6 {[%clk 0:01:20] [%emt 0:00:07]} 4. Ba4 Nf6 {[%clk 0:01:20]} 5. O-O {[%clk 0:03:10]} *\n"
	for control, want := range map[string][]int32{
		"180+2":        {-1, -1, 400, 150, -1, 700, -1, 0, -1}, // Black has asked for half the time and no increment
		"300+2":        {-1, -1, 400, 350, -1, 700, -1, 200, -1},
		"180":          {-1, -1, 200, 150, -1, 700, -1, 0, -1},
		"40/7200:3600": {-1, -1, -1, -1, -1, 700, -1, -1, -1}, "": {-1, -1, -1, -1, -1, 700, -1, -1, -1},
	} {
		db := must.Get(model.Load(context.Background(), pgn.NewReader(strings.NewReader("[TimeControl \""+control+"\"]\n\n"+moves), pgn.ReaderOptions{})))(t)
		rows := readRows[positionRow](t, write(t, db, parquet.Options{Tables: []parquet.Table{parquet.Positions}}))
		for i, n := range want {
			if got := rows[i].TimeSpent; (got == nil) != (n < 0) || got != nil && *got != n {
				t.Errorf("%q: move %d: %v, want %d", control, i, got, n)
			}
		}
	}
}
