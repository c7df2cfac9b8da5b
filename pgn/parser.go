package pgn

import (
	"unicode/utf8"

	"cbkit/board"
	"cbkit/model"
)

// maxDepth bounds the nesting of variations.
const maxDepth = 1 << 16

// parser reads the games of one batch after the other. Its memory is used
// again for each game.
type parser struct {
	codePage    func([]byte) string
	keepGoing   bool
	keepSite    bool
	annotations bool // whether they are wanted

	b      *batch
	offset int    // of the chunk in the batch
	raw    []byte // the chunk
	text   string // the same
	mixed  bool   // the chunk is not all UTF-8
	i      int    // place in text

	head header
	// early are the comments in front of the tags and between them.
	early []earlyComment
	out   *parsed // the game under way
	game  gameState
}

// earlyComment is a comment that was read before the board was set up.
type earlyComment struct {
	at   int
	body string
}

// gameState is what is known of the moves of the game under way.
type gameState struct {
	pos    board.Position
	tree   model.TreeBuilder
	line   line
	outer  []frame // the lines around this one
	marker model.Result
	done   bool // the result was read
	// resultAt is the place behind it.
	resultAt int
	// behind says whom comments behind the result belong to.
	behind ownership

	notes notes
}

// line is where the parser stands on one line of the game.
type line struct {
	// node is the last move, or what stands before the line; started says
	// which of them.
	node    int32
	started bool
	// talk says that no move follows on the line, so that words are a comment.
	talk bool
	// move and undo are the last move, which an alternative takes back.
	move model.Move
	undo board.Undo
	place
}

// frame is a line that is interrupted by a variation.
type frame struct {
	line
	pos board.Position
}

func newParser(opt *ReaderOptions, want model.Want) *parser {
	p := &parser{
		codePage: opt.CodePage, keepGoing: opt.KeepGoing, keepSite: opt.KeepSite,
		annotations: want&model.WantAnnotations != 0,
	}
	if p.codePage == nil {
		p.codePage = decodeWindows1252
	}
	return p
}

// batch reads all games of a batch.
func (p *parser) batch(b *batch) {
	p.b = b
	from := 0
	for _, to := range b.cuts {
		p.chunk(from, to)
		from = to
	}
}

// chunk reads the games of a chunk; there is one, as a rule.
func (p *parser) chunk(from, to int) {
	p.offset, p.raw, p.i = from, p.b.text[from:to], 0
	p.text = string(p.raw)
	p.mixed = !utf8.ValidString(p.text)
	for n := 0; p.findGame(); n++ {
		if n == chunkGames {
			p.b.next().err = p.errorAt(p.i, "", errCrowded)
			return
		}
		p.readGame()
	}
}

// readGame reads the game that begins at the tag or move at p.i, or at a
// comment in front of it.
func (p *parser) readGame() {
	p.out = p.b.next()
	p.head.reset()
	begin := p.readTags()
	start, err := p.head.start()
	if err == nil {
		err = p.begin(start)
	}
	if err != nil {
		p.out.err = p.errorAt(begin, "", err)
		p.skipGame(0)
		return
	}
	for _, c := range p.early {
		p.readComment(c.at, c.body)
	}
	if e := p.readMoves(); e != nil {
		p.out.err, p.out.sure = e, p.sure()
		return
	}
	p.out.sure = p.sure()
	p.finish(start)
}

// begin sets the board up for a game.
func (p *parser) begin(start *model.Position) error {
	g := &p.game
	pos, err := board.New(start)
	if err != nil {
		return err
	}
	g.pos = pos
	g.tree.Reset()
	g.line = line{node: model.NoNode, place: newPlace(0)}
	g.outer = g.outer[:0]
	g.marker, g.done, g.behind = model.NoResult, false, ownerUnknown
	g.notes.reset()
	return nil
}

// finish makes the game of what was read.
func (p *parser) finish(start *model.Position) {
	out := &p.out.game
	tags := out.Tags
	moves, list := out.Moves, out.Annotations[:0]
	*out = model.Game{Header: model.NewHeader(), Start: start}
	out.Tags = tags
	var conflict bool
	if out.Result, conflict = p.head.result(p.game.marker); conflict {
		p.remark(p.game.resultAt, "Result", "the tag says %v, the end of the moves %v; the tag counts", out.Result, p.game.marker)
	}
	p.head.fill(&out.Header, &p.out.names, p.keepSite)
	order := p.game.tree.Build(&moves)
	out.Moves = moves
	out.Annotations = p.game.notes.collect(list, order, moves.Len())
}

// errorAt returns an error at a place of the chunk.
func (p *parser) errorAt(i int, move string, err error) *GameError {
	return &GameError{File: p.b.file, Line: p.b.lineAt(p.offset + i), Move: move, Err: err}
}

// newlinesBefore counts the line breaks between i and what stands before it.
func (p *parser) newlinesBefore(i int) (n int) {
	for i > 0 && isBlank(p.text[i-1]) {
		i--
		if p.text[i] == '\n' {
			n++
		}
	}
	return n
}

// skipBlanks skips blanks and escaped lines.
func (p *parser) skipBlanks() {
	for p.i < len(p.text) && (isBlank(p.text[p.i]) || p.atEscape()) {
		if p.text[p.i] == '%' {
			p.i = lineEnd(p.text, p.i)
		} else {
			p.i++
		}
	}
}

// atEscape reports whether a line begins here that is to be skipped.
func (p *parser) atEscape() bool {
	return p.text[p.i] == '%' && (p.i == 0 || p.text[p.i-1] == '\n')
}
