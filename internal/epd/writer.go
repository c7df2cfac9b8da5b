package epd

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cbkit/board"
	"cbkit/internal/headerfields"
	"cbkit/internal/jsontext"
	"cbkit/internal/lifecycle"
	"cbkit/model"
)

// Writer writes games as lines. It is a [model.Sink].
type Writer struct {
	w         *bufio.Writer
	report    model.Report
	entities  *model.Entities
	count     int
	last      model.RecordID
	lifecycle lifecycle.Sink
}

// NewWriter returns a writer to w. Losses are reported, else fail Commit unless accept is set.
func NewWriter(w io.Writer, report model.Report, accept bool) *Writer {
	wr := &Writer{w: bufio.NewWriter(w), lifecycle: lifecycle.Sink{Package: "epd"}}
	wr.report = wr.lifecycle.Report(report, accept)
	return wr
}

// Begin implements [model.Sink].
func (w *Writer) Begin(src model.Source) error {
	if err := w.lifecycle.Begin(src); err != nil {
		return err
	}
	w.entities = src.Entities()
	return w.lifecycle.Begun(nil)
}

// Put implements [model.Sink].
func (w *Writer) Put(rec model.Record) error {
	if err := w.lifecycle.Put(&rec); err != nil {
		return err
	}
	if rec.ID <= w.last {
		return fmt.Errorf("epd: record %d after record %d", rec.ID, w.last)
	}
	w.last = rec.ID
	switch {
	case rec.Text != nil:
		w.report.Add(model.LostRecord, rec.ID, "text", "EPD has no guiding texts")
		return nil
	case rec.Deleted:
		w.report.Add(model.LostRecord, rec.ID, "game", "it is marked as deleted; left out")
		return nil
	}
	lines, kept := stored(&rec, w.entities)
	if lines == nil {
		lines, kept = appendQuestions(nil, &rec, w.entities), 0
	}
	asked := kept == 0 && len(lines) > 0
	if g := rec.Game; len(lines) == 0 && g.Start != nil && g.MovesErr == nil {
		lines = append(lines, placement(g.Start)...)
		if g.Start.HalfMoves > 0 {
			lines = fmt.Appendf(lines, " hmvc %d;", g.Start.HalfMoves)
		}
		if g.Start.FullMove > 1 {
			lines = fmt.Appendf(lines, " fmvn %d;", g.Start.FullMove)
		}
		if len(mainLine(g)) > 0 {
			lines = fmt.Appendf(lines, " pv %s;", played(g))
		}
		if e := w.entities; e.Players.Value(g.White).String()+e.Players.Value(g.Black).String()+e.Tournaments.Value(g.Tournament).Title != "" {
			lines = AppendOrigin(lines, &rec, w.entities)
		}
		lines = append(lines, '\n')
	}
	if len(lines) == 0 {
		w.report.Add(model.LostRecord, rec.ID, "other game", "it has neither a set-up nor a training question, which lines of EPD are made of")
		return nil
	}
	w.tell(&rec, kept, asked)
	w.count++
	_, err := w.w.Write(lines)
	return err
}

// tell reports what a line does not have of a game: asked says that it is of its questions.
func (w *Writer) tell(rec *model.Record, kept int, asked bool) {
	model.ReportUnread(*rec, w.entities, "", w.report)
	for l := range headerfields.LostIn(0, &rec.Game.Header, w.entities) {
		if l.ID != &rec.Game.White && (kept > 0 || l.ID != &rec.Game.Black && l.ID != &rec.Game.Tournament) {
			w.report.Add(model.LostField, rec.ID, l.Field, l.Format, l.Value)
		}
	}
	for _, t := range rec.Game.Tags {
		w.report.Add(model.LostTag, rec.ID, t.Name, "%q", t.Value)
	}
	if rec.Game.Moves.HasVariations() || asked && (rec.Game.Start == nil || rec.Game.Moves.Len() > 1) {
		w.report.Add(model.LostMoves, rec.ID, "moves", "a line has one position and one main line")
	}
	questions := 0
	for _, a := range rec.Game.Annotations {
		if _, is := a.Value.(model.Training); is {
			questions++
		}
	}
	if lost := len(rec.Game.Annotations) - max(kept, questions); lost > 0 {
		w.report.Add(model.LostAnnotation, rec.ID, "annotations", "%d of them", lost)
	}
}

// stored returns the line that a game was made of, with what the game says otherwise, and
// how many annotations it has; nil if the game was made of none, or stands on another
// position.
func stored(rec *model.Record, e *model.Entities) (text []byte, annotations int) {
	g := rec.Game
	start := g.StartPosition()
	var l *line
	var said string // the comment
	var asked *model.Training
	for _, a := range g.Annotations {
		switch v := a.Value.(type) {
		case model.Text:
			before, rest, is := strings.Cut(v.Text, command)
			end := strings.LastIndexByte(rest, ']')
			if !is || end < 0 || a.Node != model.NoNode || l != nil {
				continue
			}
			rest = rest[:end]
			if !beginsWithBoard(rest) {
				rest = placement(&start) + " " + rest
			}
			l, _ = parse(rest)
			said, annotations = before, annotations+1
		case model.Engine:
			if a.Node == model.NoNode { // the verdict
				annotations++
			}
		case model.Training:
			if a.Node == 0 && asked == nil {
				asked, annotations = &v, annotations+1
			}
		}
	}
	if l == nil || placement(&l.start) != placement(&start) {
		return nil, 0
	}
	was, name, err := l.game()
	if err != nil {
		return nil, 0
	}
	changed := false
	set := func(code, args string) {
		changed = true
		i := slices.IndexFunc(l.ops, func(o operation) bool { return o.code == code })
		if i < 0 {
			l.ops, i = append(l.ops, operation{code: code}), len(l.ops)
		}
		l.ops[i].args = []string{args}
	}
	if asked != nil && !slices.EqualFunc(asked.Solutions, first(was.Annotations).Solutions, func(a, b model.Solution) bool { return a.From == b.From && a.To == b.To }) {
		l.ops = slices.DeleteFunc(l.ops, func(o operation) bool { return o.code == "bm" || o.code == "am" })
		p, _ := board.New(&start)
		for i, list := range answers(&p, asked) {
			if list != "" {
				set([]string{"bm", "am"}[i], list)
			}
		}
	}
	if !slices.Equal(mainLine(g), mainLine(was)) && g.Moves.Len() > 0 {
		set("pv", played(g))
	}
	if now := e.Players.Value(g.White).String(); now != "" && !strings.HasPrefix(model.ParsePlayer(name).String(), now) {
		set("id", quoted(now))
	}
	if now := words(strings.TrimSuffix(words(said), l.verdict())); now != "" && now != words(l.comment()) {
		l.ops = slices.DeleteFunc(l.ops, isComment)
		set("c0", quoted(now))
	}
	text = append(text, placement(&start)...)
	if changed {
		for _, o := range l.ops {
			text = append(append(text, ' '), o.String()...)
		}
	} else if beginsWithBoard(l.rest) {
		text = []byte(l.rest)
	} else if l.rest != "" {
		text = append(append(text, ' '), l.rest...)
	}
	return append(text, '\n'), annotations
}

// beginsWithBoard reports whether a text has the four fields in front, which stand apart else.
func beginsWithBoard(text string) bool {
	board, _ := cutWord(text)
	return strings.Count(board, "/") == 7
}

func words(s string) string { return strings.Join(strings.Fields(s), " ") }

// first returns the first question of annotations.
func first(list []model.Annotation) (t model.Training) {
	for _, a := range list {
		if v, is := a.Value.(model.Training); is {
			return v
		}
	}
	return t
}

// answers returns the best moves and those to be avoided that a question has.
func answers(p *board.Position, t *model.Training) (found [2]string) {
	for _, s := range t.Solutions {
		i := 0
		if s.Points == 0 && t.Points > 0 {
			i = 1
		}
		if m, ok := solution(p, s); ok && !slices.Contains(strings.Fields(found[i]), p.SAN(m)) {
			found[i] = words(found[i] + " " + p.SAN(m))
		}
	}
	return found
}

// mainLine returns the moves of a main line.
func mainLine(g *model.Game) (list []model.Move) {
	for node := range g.Moves.Line(model.NoNode) {
		list = append(list, g.Moves.Move(node))
	}
	return list
}

// played returns the main line in notation.
func played(g *model.Game) string {
	var text []byte
	for node, p := range board.Walk(g.Start, &g.Moves) {
		if g.Moves.IsMain(node) {
			text = p.AppendSAN(append(text, ' '), g.Moves.Move(node))
		}
	}
	return words(string(text))
}

// AppendGame appends the line that a game was made of, with what the game says otherwise,
// or those of its training questions, each with its best moves, where it is from, and the
// question as comment 0. A question without a solution that can be played asks for the
// move of the game.
func AppendGame(dst []byte, rec *model.Record, e *model.Entities) []byte {
	if rec.Game == nil || rec.Game.MovesErr != nil {
		return dst
	}
	if line, _ := stored(rec, e); line != nil {
		return append(dst, line...)
	}
	return appendQuestions(dst, rec, e)
}

func appendQuestions(dst []byte, rec *model.Record, e *model.Entities) []byte {
	g := rec.Game
	questions := map[int][]model.Training{}
	for _, a := range g.Annotations {
		if v, ok := a.Value.(model.Training); ok && a.Node >= 0 {
			questions[int(a.Node)] = append(questions[int(a.Node)], v)
		}
	}
	if len(questions) == 0 {
		return dst
	}
	for node, p := range board.Walk(g.Start, &g.Moves) {
		for _, q := range questions[node] {
			found := answers(p, &q)
			if found == [2]string{} {
				found[0] = p.SAN(g.Moves.Move(node))
			}
			dst = append(dst, strings.Join(strings.Fields(p.FEN())[:4], " ")...)
			for i, list := range found {
				if list != "" {
					dst = fmt.Appendf(dst, " %s %s;", [2]string{"bm", "am"}[i], list)
				}
			}
			dst = AppendOrigin(dst, rec, e)
			text := "" // in English, else in the first language there is
			if i := slices.IndexFunc(q.Question, func(t model.TrainingText) bool { return t.Language == model.English }); i >= 0 {
				text = q.Question[i].Text
			} else if len(q.Question) > 0 {
				text = q.Question[0].Text
			}
			if text != "" {
				dst = fmt.Appendf(dst, " c0 %s;", quoted(text))
			}
			dst = append(dst, '\n')
		}
	}
	return dst
}

// AppendOrigin appends where a position is from.
func AppendOrigin(dst []byte, rec *model.Record, e *model.Entities) []byte {
	g := rec.Game
	from := []string{
		e.Players.Value(g.White).String() + " - " + e.Players.Value(g.Black).String(),
		e.Tournaments.Value(g.Tournament).Title, strconv.Itoa(int(g.Date.Year)), fmt.Sprintf("game %d", rec.ID),
	}
	from = slices.DeleteFunc(from, func(s string) bool { return s == "" || s == "0" })
	return fmt.Appendf(dst, " id %s;", quoted(strings.Join(from, ", ")))
}

// solution returns the move of a solution; a pawn becomes a queen unless it says
// otherwise.
func solution(p *board.Position, s model.Solution) (model.Move, bool) {
	text := s.From.String() + s.To.String()
	for _, promotion := range []string{"", "q"} {
		if m, err := p.ParseUCI(text + promotion); err == nil {
			return m, true
		}
	}
	return 0, false
}

// quoted writes a string operand, which cannot have quotes, control characters or line
// breaks.
func quoted(s string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r == '"':
			return '\''
		case jsontext.IsControl(r):
			return ' '
		}
		return r
	}, s)
	return `"` + words(clean) + `"`
}

// Commit implements [model.Sink].
func (w *Writer) Commit() error {
	if err := w.lifecycle.Commit(); err != nil {
		return err
	}
	if err := w.lifecycle.Lost(); err != nil {
		return err
	}
	return w.w.Flush()
}

// Written implements [model.Counter].
func (w *Writer) Written() int { return w.count }

// Abort implements [model.Sink].
func (w *Writer) Abort() error {
	w.lifecycle.Abort()
	return nil
}
