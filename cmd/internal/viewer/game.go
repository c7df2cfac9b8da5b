package viewer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"cbkit/board"
	"cbkit/eco"
	"cbkit/internal/cbh"
	"cbkit/internal/marks"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/pgn"
)

// Game is a game, or a guiding text, as the page shows it.
type Game struct {
	Row
	Forfeit   bool        `json:"forfeit,omitempty"`
	Annotator string      `json:"annotator,omitempty"`
	Source    string      `json:"source,omitempty"`
	WhiteTeam string      `json:"whiteTeam,omitempty"`
	BlackTeam string      `json:"blackTeam,omitempty"`
	Title     string      `json:"title,omitempty"`
	Tags      [][2]string `json:"tags,omitempty"`
	Start     string      `json:"start,omitempty"` // FEN
	// Notes are the annotations of the game as a whole, in the form of JSON Lines.
	Notes []json.RawMessage `json:"notes,omitempty"`
	Texts []Local           `json:"texts,omitempty"`
	// Quoted are the moves of the quotations among the notes, in their order.
	Quoted []string `json:"quoted,omitempty"`
	Nodes  []Node   `json:"nodes"`
	// Evaluations are those of the positions of the main line, by ply from 0.
	Evaluations []*Verdict `json:"evaluations,omitempty"`
	// Faults say what could not be read.
	Faults []string `json:"faults,omitempty"`

	// Of guiding texts.
	Titles   []Local  `json:"titles,omitempty"`
	Contents []Local  `json:"contents,omitempty"`
	Media    []string `json:"media,omitempty"`
}

// Local is a text in a language.
type Local struct {
	Language string `json:"lang,omitempty"`
	Before   bool   `json:"before,omitempty"` // in front of the move
	Text     string `json:"text,omitempty"`
	// Pieces are what a guiding text has in the place of Text.
	Pieces []cbh.Piece `json:"pieces,omitempty"`
	HTML   bool        `json:"html,omitempty"`
}

// Node is a move of a game, by its place in stored order (see [model.Tree]).
type Node struct {
	Parent int    `json:"p"`           // -1 for a first move
	Next   int    `json:"x,omitempty"` // the next alternative, 0 if there is none
	From   string `json:"from,omitempty"`
	To     string `json:"to,omitempty"` // of castling where the king goes
	SAN    string `json:"san"`
	FEN    string `json:"fen"` // behind the move
	// Signs of the symbols: in front of the move, at it, and behind it.
	Prefix string `json:"prefix,omitempty"`
	Worth  string `json:"worth,omitempty"`
	Signs  string `json:"signs,omitempty"`
	// Words are what the signs mean.
	Words   string   `json:"words,omitempty"`
	Diagram bool     `json:"diagram,omitempty"`
	Verdict *Verdict `json:"eval,omitempty"`
	Clock   *float64 `json:"clock,omitempty"` // seconds left
	Spent   *float64 `json:"spent,omitempty"` // seconds used
	// Texts are the comments as they are shown: with signs that everybody has, and
	// without the commands that the other fields tell.
	Texts []Local `json:"texts,omitempty"`
	// Notes are all annotations, in the form of JSON Lines.
	Notes []json.RawMessage `json:"notes,omitempty"`
	// Quoted are the moves of the quotations among them, in their order.
	Quoted []string `json:"quoted,omitempty"`
}

// Verdict is what an engine says, for White: pawns, or moves to mate.
type Verdict struct {
	Pawns float64 `json:"pawns"`
	Mate  int     `json:"mate,omitempty"`
}

// ofRecord is a call about a record of a database.
func ofRecord(do func(*call, *source, *model.Record, *model.Entities) (any, error)) func(*call) (any, error) {
	return ofSource(func(c *call, s *source) (any, error) {
		id := c.number("id", 1<<30)
		if c.wrong != nil {
			return nil, c.wrong
		}
		rec, e, err := s.records.record(c.ctx, model.RecordID(id), model.WantMoves|model.WantAnnotations)
		if err != nil {
			return nil, err
		}
		return do(c, s, &rec, e)
	})
}

func (c *call) game(s *source, rec *model.Record, e *model.Entities) (any, error) {
	g := NewGame(rec, e, s.page)
	return g, s.resolve(c.ctx, g, c.progress)
}

func (c *call) pgn(_ *source, rec *model.Record, e *model.Entities) (any, error) {
	if rec.Game == nil {
		return nil, model.ErrNoRecord
	}
	return string(pgn.AppendPlainGame(nil, rec.Game, e)), nil
}

// Legal is a legal move of a position.
type Legal struct {
	From      string `json:"from"`
	To        string `json:"to"`             // of castling where the king goes
	Over      string `json:"over,omitempty"` // of castling where the rook stands
	Promotion string `json:"promotion,omitempty"`
	SAN       string `json:"san"`
	FEN       string `json:"fen"` // behind the move
}

func (c *call) moves() (any, error) {
	p, err := board.Parse(c.args["fen"])
	if err != nil {
		return nil, err
	}
	list := []Legal{}
	for _, m := range p.AppendLegal(nil) {
		one := Legal{From: m.From().String(), To: m.KingTarget().String(), SAN: p.SAN(m)}
		if m.IsCastling() {
			one.Over = m.To().String()
		} else if m.Promotion() != model.NoPieceType {
			one.Promotion = m.UCI(false)[4:]
		}
		after := p
		after.Make(m)
		one.FEN = after.FEN()
		list = append(list, one)
	}
	return list, nil
}

// NewGame makes the form of a record that the page shows. The code page is that of its database.
func NewGame(rec *model.Record, e *model.Entities, codePage string) *Game {
	g := &Game{Row: newRow(rec, e), Nodes: []Node{}}
	for _, err := range rec.Faults() {
		g.Faults = append(g.Faults, plain(err.Error()))
	}
	if rec.Text != nil {
		g.fillText(rec.Text, e, codePage)
		return g
	}
	h := &rec.Game.Header
	g.Forfeit = h.Result.IsForfeit()
	g.Annotator, g.Source = e.Annotators.Value(h.Annotator).Name, e.Sources.Value(h.Source).Title
	g.WhiteTeam, g.BlackTeam = e.Teams.Value(h.WhiteTeam).Title, e.Teams.Value(h.BlackTeam).Title
	g.Title = e.GameTitles.Value(h.GameTitle).String()
	for _, t := range h.Tags {
		g.Tags = append(g.Tags, [2]string{t.Name, t.Value})
	}
	if o, _, ok := eco.Classify(rec.Game); ok {
		g.Opening = o.Name
	}
	g.fillMoves(rec.Game)
	g.fillNotes(rec.Game)
	return g
}

// fillMoves fills in the moves.
func (g *Game) fillMoves(from *model.Game) {
	start := from.StartPosition()
	g.Start = board.FormatFEN(&start)
	g.Nodes = make([]Node, from.Moves.Len())
	t := &from.Moves
	for n, p := range board.Walk(from.Start, t) {
		m := t.Move(n)
		node := &g.Nodes[n]
		node.Parent = t.Parent(n)
		if next := t.NextAlternative(n); next != model.NoNode {
			node.Next = next
		}
		if !m.IsNull() {
			node.From, node.To = m.From().String(), m.KingTarget().String()
		}
		node.SAN = p.SAN(m)
		after := *p
		after.Make(m)
		node.FEN = after.FEN()
	}
}

// fillNotes fills in the annotations.
func (g *Game) fillNotes(from *model.Game) {
	whole := Node{}
	for _, a := range from.Annotations {
		node := &whole
		if a.Node >= 0 && int(a.Node) < len(g.Nodes) {
			node = &g.Nodes[a.Node]
		}
		node.Notes = append(node.Notes, json.RawMessage(jsonl.AppendValue(nil, a.Value)))
		switch v := a.Value.(type) {
		case model.Symbols:
			node.symbols(v)
		case model.Engine:
			node.Verdict = verdictOf(v.Type == 1, int(v.Value))
		case model.TimeSpent:
			node.Spent = new(float64(v.Hours)*3600 + float64(v.Minutes)*60 + float64(v.Seconds))
		case model.Text:
			node.text(v)
			node.remark(v)
		case model.Quotation:
			node.Quoted = append(node.Quoted, quoted(v))
		case model.Evaluations:
			g.fillEvaluations(v)
		}
	}
	g.Notes, g.Texts, g.Quoted = whole.Notes, whole.Texts, whole.Quoted
}

// quoted returns the moves of a quotation, up to the first that is none.
func quoted(q model.Quotation) string {
	p := board.Start()
	if q.Start != nil {
		var err error
		if p, err = board.New(q.Start); err != nil {
			return ""
		}
	}
	var text strings.Builder
	for i, m := range q.Moves {
		if !p.LegalLoose(m) {
			break
		}
		if p.Turn() == model.White {
			fmt.Fprintf(&text, "%d.", p.FullMove())
		} else if i == 0 {
			fmt.Fprintf(&text, "%d…", p.FullMove())
		}
		text.WriteString(p.SAN(m) + " ")
		p.Make(m)
	}
	return strings.TrimSpace(text.String())
}

// fillEvaluations fills in the verdicts on the main line.
func (g *Game) fillEvaluations(list model.Evaluations) {
	g.Evaluations = nil
	for _, e := range list {
		var v *Verdict
		switch e.Kind {
		case model.Centipawns:
			v = verdictOf(false, int(e.Value))
		case model.MateInPlies:
			v = verdictOf(true, (int(e.Value)+cmp.Compare(e.Value, 0))/2)
		}
		g.Evaluations = append(g.Evaluations, v)
	}
}

func verdictOf(mate bool, value int) *Verdict {
	if mate {
		return &Verdict{Mate: value}
	}
	return &Verdict{Pawns: float64(value) / 100}
}

// symbols fills in the signs.
func (n *Node) symbols(s model.Symbols) {
	for _, nag := range s.NAGs() {
		text, word := pgn.FormatNAG(nag), nagWords[nag]
		if word != "" && text[0] == '$' { // there is no sign
			text = word
		}
		switch {
		case nag == diagramWhite || nag == diagramBlack:
			n.Diagram = true
		case nag == s.Prefix && nag > worthLast:
			n.Prefix = join(n.Prefix, text)
		case nag <= worthLast:
			n.Worth += text
		default:
			n.Signs = join(n.Signs, text)
		}
		if word != "" {
			n.Words = strings.TrimPrefix(n.Words+", "+word, ", ")
		}
	}
}

func join(a, b string) string { return strings.TrimSpace(a + " " + b) }

// diagramMark stands for a diagram in a comment.
const diagramMark = "[#]"

// text adds a comment, without the clock and the verdict that servers write into
// comments, which become fields.
func (n *Node) text(v model.Text) {
	text := pgn.PlainText(v.Text)
	if strings.Contains(text, diagramMark) {
		n.Diagram, text = true, strings.ReplaceAll(text, diagramMark, "")
	}
	var shown strings.Builder
	for c, ok := marks.Next(text); ok; c, ok = marks.Next(text) {
		shown.WriteString(c.Before)
		if !n.command(c) {
			shown.WriteString(c.Text)
		}
		text = c.After
	}
	shown.WriteString(text)
	if text := strings.TrimSpace(shown.String()); text != "" {
		n.Texts = append(n.Texts, Local{Language: v.Language.String(), Before: v.Before, Text: text})
	}
}

// remark takes over what an engine says of its own move.
func (n *Node) remark(v model.Text) {
	player := model.White
	if strings.Contains(n.FEN, " w ") {
		player = model.Black
	}
	verdict, spent := marks.Remark(v.Text, player)
	if verdict.Kind != "" && n.Verdict == nil {
		n.Verdict = verdictOf(verdict.Mate, int(verdict.Value))
	}
	if spent.Kind != "" && n.Spent == nil {
		n.Spent = new(float64(spent.Value) / 100)
	}
}

// command reads a command and reports whether it is one of those that servers
// write, or says in a tree of games what the words behind it say (docs/formats/pgn.md 6.1).
func (n *Node) command(c marks.Command) bool {
	said, ok := c.Said()
	value := float64(said.Value) / 100
	switch {
	case !ok:
		return c.Name == "cbgame" || c.Name == "cbsee"
	case said.Kind == model.KindClock:
		n.Clock = &value
	case said.Kind == model.KindTimeSpent:
		n.Spent = &value
	case said.Kind == model.KindEngine:
		n.Verdict = verdictOf(said.Mate, int(said.Value))
	default:
		return false
	}
	return true
}
