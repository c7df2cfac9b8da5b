package pgn

// places says where things stand in the text of a game, in bytes from where it begins.
// Who changes a game there needs them.
type places struct {
	from  int // the place in the chunk of where the game begins
	tags  []tagPlace
	heads int // how many of them stand in front of the moves
	// early says that there are comments in front of the tags or between them.
	early bool
	// moves is where the moves begin; result, what was taken for the result, if
	// anything; end, where the last thing ends that belongs to the game.
	moves  int
	result span
	end    int
}

// tagPlace is a tag where it stands, from bracket to bracket.
type tagPlace struct {
	span
	tagPair
}

// begin makes ready for a game that begins at a place of a chunk. Where nothing is wanted
// there are no places, and the methods do nothing.
func (p *places) begin(at int) {
	if p != nil {
		*p = places{from: at, tags: p.tags[:0]}
	}
}

// tag takes note of a tag that was read, which ends where the lexer is.
func (p *places) tag(t token, pair tagPair) {
	if p == nil {
		return
	}
	if pair.name.to > 0 { // else the text ends behind its bracket
		pair.name.from, pair.name.to = pair.name.from-p.from, pair.name.to-p.from
		pair.value.from, pair.value.to = pair.value.from-p.from, pair.value.to-p.from
	}
	p.tags = append(p.tags, tagPlace{span{t.start - p.from, t.end - p.from}, pair})
}

// head takes note of where the tags in front of the moves end, and the comments that
// were read until there.
func (p *places) head(moves int, comments []earlyComment) {
	if p == nil {
		return
	}
	p.heads, p.moves = len(p.tags), moves-p.from
	p.early = p.heads > 0 && len(comments) > 0 && comments[0].start-p.from < p.tags[p.heads-1].from
}

// again makes ready for another reading of the moves.
func (p *places) again() {
	if p != nil {
		p.tags, p.result = p.tags[:min(p.heads, len(p.tags))], span{}
	}
}

// ended takes note of a token that was taken for the result.
func (p *places) ended(t token) {
	if p != nil {
		p.result = span{t.start, t.end}
	}
}

// finish finds the end of the game, behind which text goes on at next.
func (p *places) finish(text []byte, next int) {
	if p == nil {
		return
	}
	from := p.from + p.moves
	if p.result.to > 0 {
		p.result.from, p.result.to = p.result.from-p.from, p.result.to-p.from
		from = p.from + p.result.to
	}
	p.end = p.moves
	if p.heads > 0 {
		p.end = p.tags[p.heads-1].to
	}
	p.end = max(p.end, p.result.to)
	l := lexer{text: text, complete: true, last: true, i: from}
	for t := l.next(); t.kind != tokEnd && t.start < next; t = l.next() {
		p.end = max(p.end, t.end-p.from)
	}
}
