package pgn

// Nearly all moves are written alike: numbers with dots, words with a blank
// behind them, comments in braces, symbols by their numbers, variations. The
// functions here read that, and only that, at one look, without tokens; what
// they do not take, or may not, stays for next and the functions behind it, which
// say the same of what is read here.

// look is what a byte begins to usualMoves.
type look uint8

const (
	lookOdd look = iota
	lookBlank
	lookLetter
	lookDigit
	lookBrace
	lookDollar
	lookOpen
	lookClose
)

var looks = byteTable(map[look]string{
	lookBlank: " \n\r\t", lookLetter: "abcdefghKQRBNO", lookDigit: "123456789",
	lookBrace: "{", lookDollar: "$", lookOpen: "(", lookClose: ")",
})

// usualMoves reads what is usual among moves in front of the result, up to
// anything else, where p.i is then.
func (p *parser) usualMoves() {
	s := p.text
	for p.i < len(s) {
		end := 0
		switch i := p.i; looks[s[i]] {
		case lookBlank:
			end = i + 1
		case lookLetter:
			end = p.usualMove(i)
		case lookDigit:
			end = p.usualNumber(i)
		case lookBrace:
			end = p.usualComment(i)
		case lookDollar:
			end = digitsEnd(s, i+1)
			p.i = end
			p.nag(token{tokNAG, i, end})
		case lookOpen:
			if i+1 < len(s) && s[i+1] != '=' && !p.game.line.wordsOnly && p.enter(token{tokOpen, i, i + 1}) == nil {
				end = i + 1
			}
		case lookClose:
			if end = i + 1; len(p.game.outer) > 0 {
				p.closeLine()
			}
			if p.game.done { // it stood behind the result
				p.i = end
				return
			}
		}
		if end == 0 {
			return
		}
		p.i = end
	}
}

// usualMove reads the move at i and returns its end, 0 if it takes another look.
func (p *parser) usualMove(i int) int {
	s := p.text
	end := i + 1
	for end < len(s) && classes[s[end]] < classLead {
		end++
	}
	if end == len(s) || s[end] != ' ' && s[end] != '\n' && s[end] != ')' || end-i > maxWord {
		return 0
	}
	m, err := p.game.pos.ParseSANBytes(s[i:end])
	if err != nil {
		return 0
	}
	p.play(m)
	return end
}

// usualNumber returns the end of the number of a move at i, 0 if it may be
// anything else, or another game may begin with it.
func (p *parser) usualNumber(i int) int {
	s := p.text
	if s[i] == '1' && !follows(s, i) && (i == 0 || s[i-1] != '(') {
		return 0
	}
	end := digitsEnd(s, i+1)
	dots := end
	for end < len(s) && s[end] == '.' {
		end++
	}
	if end == dots {
		return 0
	}
	return end
}

// follows reports whether a word of ASCII stands in front of i, with one blank or
// line break between them.
func follows(s []byte, i int) bool {
	return i > 1 && (s[i-1] == ' ' || s[i-1] == '\n') && s[i-2] > ' ' && s[i-2] < 0x7F
}

// usualComment reads the comment at i and returns its end, 0 if it takes another
// look: it may belong to the next game, or swallow it.
func (p *parser) usualComment(i int) int {
	s := p.text
	if !follows(s, i) {
		return 0
	}
	how := tokComment
	from, to, end := serverComment(s, i)
	isServer := end > 0
	if !isServer {
		if end, how = commentEnd(s, i+1, true); how != tokComment {
			return 0
		}
	}
	p.game.comment = token{kind: how, start: i, end: end}
	p.note(end)
	p.i = end
	if !isServer {
		p.comment(p.chunk[i+1 : end-1])
	} else if p.annotations {
		p.addText(p.chunk[from:to])
	}
	return end
}

// serverComment reads a comment as the servers write it, with nothing but the
// clock and an evaluation, which stay in the text: "{ [%eval 0.17] [%clk
// 0:03:00] }". It returns where the text and the comment end, 0 if it is none.
func serverComment(s []byte, i int) (from, to, end int) {
	from = i + 1
	if from < len(s) && s[from] == ' ' {
		from++
	}
	for k := from; ; k++ {
		if to = serverCommand(s, k); to == 0 {
			return 0, 0, 0
		}
		if k = to; k+1 >= len(s) {
			return 0, 0, 0
		}
		switch {
		case s[k] == '}':
			return from, to, k + 1
		case s[k] != ' ':
			return 0, 0, 0
		case s[k+1] == '}':
			return from, to, k + 2
		}
	}
}

// mostEval and mostClock are how long an evaluation and the time of a clock get
// as servers write them.
const (
	mostEval  = len("-1000.00")
	mostClock = len("100:00:00.0")
)

// serverCommand returns the end of the command at i if it is the clock, or an
// evaluation without a depth; 0 otherwise.
func serverCommand(s []byte, i int) int {
	if len(s)-i < len("[%clk 0]") {
		return 0
	}
	k := i + len("[%clk ")
	most := k + mostClock
	if string(s[i:k]) != "[%clk " {
		if k++; string(s[i:k]) != "[%eval " {
			return 0
		}
		most = k + mostEval
	}
	from := k
	for most = min(most, len(s)-1); k < most && inServerCommand[s[k]]; {
		k++
	}
	if k == from || s[k] != ']' {
		return 0
	}
	return k + 1
}

// inServerCommand are the bytes of such times and evaluations.
var inServerCommand = byteTable(map[bool]string{true: "0123456789.:-#+"})
