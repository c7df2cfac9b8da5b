package board

import (
	"bytes"
	"errors"

	"cbkit/model"
)

// Why a move text was not understood.
var (
	ErrNotation  = errors.New("not a move")
	ErrIllegal   = errors.New("no legal move fits")
	ErrAmbiguous = errors.New("more than one legal move fits")
	ErrPromotion = errors.New("promotion without a piece")
)

// notation is a move text taken apart.
type notation struct {
	piece   model.PieceType // NoPieceType if no letter names it
	file    int8            // of the origin, -1 if absent
	rank    int8            // of the origin, -1 if absent
	capture bool
	to      model.Square
	becomes model.PieceType
}

// ParseSAN reads a move in standard algebraic notation as people and programs
// really write it, and returns the legal move it means. Beyond the standard it
// takes
//
//   - long algebraic notation and UCI: "e2e4", "e2-e4", "Ng1-f3", "e7e8q",
//     "e1g1" and "e1h1" for castling;
//   - promotions as "e8Q", "e8=Q", "e8(Q)", with the sign of check in front of the
//     piece, "e8+=Q", "e8=+Q"; castling with zeros, and without hyphens;
//   - check and mate signs that are missing or wrong, a missing "x", an "x" where nothing
//     is captured, "e.p." and "ep", a trailing "!" or "?", the letter P;
//   - too much or too little about the origin, if one legal move fits;
//   - null moves: "--", "---", "<>", "Z0", "null", "@@@@", "0000", "pass";
//   - a colon for "x", before the target or behind it; "/" for "=", "p" for
//     "P", "o-o" for "O-O"; a pawn's capture by two files, "exd" and "ed", if
//     one fits;
//   - what [Position.LegalLoose] allows, where the text can mean nothing else.
//
// A pawn's capture must be told from its advance: "d5" never captures. The
// letter b is a file and B a bishop. The errors are [ErrNotation],
// [ErrIllegal], [ErrAmbiguous] and [ErrPromotion].
func (p *Position) ParseSAN(text string) (model.Move, error) { return p.ParseSANBytes([]byte(text)) }

// ParseSANBytes is [Position.ParseSAN] for text in a buffer.
func (p *Position) ParseSANBytes(text []byte) (model.Move, error) {
	if m := p.parseUsual(text); m != model.NullMove {
		return m, nil
	}
	s := text
	if len(s) > 0 && !isRank(s[len(s)-1]) {
		s = trimSuffix(s)
	}
	if len(s) < 2 {
		return model.NullMove, ErrNotation
	}
	if pieceLetters[s[0]] == model.NoPieceType && !isFile(s[0]) {
		if m, err, special := p.parseSpecial(text, s); special {
			return m, err
		}
	}
	n, err := parseNotation(s)
	if err != nil {
		return p.parseOdd(s)
	}
	return p.resolveAny(n)
}

// parseUsual reads a move as most are written, where one piece alone can be
// meant: "e4", "Nf3", "Bxc6+". It returns the null move for any other text.
func (p *Position) parseUsual(s []byte) model.Move {
	if len(s) > 2 && (s[len(s)-1] == '+' || s[len(s)-1] == '#') {
		s = s[:len(s)-1]
	}
	n := len(s)
	if n < 2 || n > 4 || !isFile(s[n-2]) || !isRank(s[n-1]) {
		return model.NullMove
	}
	to := model.Square(s[n-2]-'a') | model.Square(s[n-1]-'1')<<3
	target := p.board[to&63]
	var origins uint64
	switch t := pieceLetters[s[0]]; {
	case n == 2:
		if target != model.NoPiece || (firstRank|firstRank<<56)&bit(to) != 0 {
			return model.NullMove
		}
		origins = p.pawnOrigins(to, false)
	case t <= model.Pawn || n == 4 && (s[1] != 'x' || target == model.NoPiece):
		return model.NullMove
	case target != model.NoPiece && (target.Color() == p.turn || target.Type() == model.King):
		return model.NullMove
	default:
		origins = p.candidates(t, to)
	}
	if from := first(origins); origins != 0 && origins&(origins-1) == 0 && p.safe(from, to) {
		return model.NewMove(from, to)
	}
	return model.NullMove
}

// resolveAny returns the legal move that a notation means, also if its "x" is too much,
// because nothing can be captured.
func (p *Position) resolveAny(n notation) (model.Move, error) {
	m, err := p.resolve(n)
	if err == ErrIllegal && n.capture {
		n.capture = false
		return p.resolve(n)
	}
	return m, err
}

// resolve returns the legal move that a notation means.
func (p *Position) resolve(n notation) (model.Move, error) {
	switch {
	case (n.piece == model.NoPieceType || n.piece == model.King) && n.file >= 0 && n.rank >= 0:
		return p.resolveSquares(n)
	case n.piece <= model.Pawn:
		return p.resolvePawn(n)
	}
	return p.resolvePiece(n)
}

// trimSuffix cuts check and mate signs, evaluations, "e.p." and "ep" off the
// end.
func trimSuffix(s []byte) []byte {
	for len(s) > 0 {
		switch s[len(s)-1] {
		case '+', '#', '!', '?', ' ':
			s = s[:len(s)-1]
			continue
		case '.', 'p':
			if rest := trimEnPassant(s); len(rest) < len(s) {
				s = rest
				continue
			}
		}
		break
	}
	return s
}

// trimEnPassant cuts the words for a capture en passant off the end. Those
// without both dots must stand behind a rank where one ends: "deep" is a word.
func trimEnPassant(s []byte) []byte {
	if rest, found := bytes.CutSuffix(s, []byte("e.p.")); found && len(rest) > 0 {
		return rest
	}
	for _, words := range [...]string{"ep.", "e.p", "ep"} {
		rest, found := bytes.CutSuffix(s, []byte(words))
		if rest = bytes.TrimRight(rest, " "); found && len(rest) > 1 && (rest[len(rest)-1] == '3' || rest[len(rest)-1] == '6') {
			return rest
		}
	}
	return s
}

// pieceLetters are the letters of pieces.
var pieceLetters = [256]model.PieceType{
	'P': model.Pawn, 'N': model.Knight, 'B': model.Bishop, 'R': model.Rook, 'Q': model.Queen, 'K': model.King,
}

// parseSpecial reads castling and null moves, and refuses what else begins like
// them; s is the text without what says nothing at its end. It reports whether
// the text is of that sort.
func (p *Position) parseSpecial(text, s []byte) (m model.Move, err error, special bool) {
	switch string(s) {
	case "--":
		if len(text) == len("--+") && text[2] == '+' {
			return model.NullMove, ErrNotation, true // a result; a null move gives no check
		}
		return model.NullMove, nil, true
	case "---", "<>", "Z0", "null", "@@@@", "0000":
		return model.NullMove, nil, true
	case "O-O", "0-0", "OO", "00":
		m, err = p.resolveCastling(model.KingSide)
		return m, err, true
	case "O-O-O", "0-0-0", "OOO", "000":
		m, err = p.resolveCastling(model.QueenSide)
		return m, err, true
	}
	return model.NullMove, ErrNotation, bytes.IndexByte([]byte("O0-<Zn@"), s[0]) >= 0
}

func (p *Position) resolveCastling(wing model.Side) (model.Move, error) {
	if m := p.castlingTowards(wing); m != model.NullMove {
		return m, nil
	}
	return model.NullMove, ErrIllegal
}

// parseNotation takes a move apart from its end: promotion, target, sign of
// capture, origin, piece.
func parseNotation(s []byte) (notation, error) {
	n := notation{piece: pieceLetters[s[0]], file: -1, rank: -1}
	if n.piece != model.NoPieceType {
		s = s[1:]
	}
	if len(s) > 0 && !isRank(s[len(s)-1]) {
		s, n.becomes = cutPromotion(s)
	}
	if len(s) < 2 || !isFile(s[len(s)-2]) || !isRank(s[len(s)-1]) {
		return n, ErrNotation
	}
	n.to = model.NewSquare(int(s[len(s)-2]-'a'), int(s[len(s)-1]-'1'))
	s = s[:len(s)-2]
	if len(s) == 0 {
		return n, nil
	}
	if last := s[len(s)-1]; last == 'x' || last == '-' {
		n.capture = last == 'x'
		s = s[:len(s)-1]
	}
	if len(s) > 0 && isFile(s[0]) {
		n.file = int8(s[0] - 'a')
		s = s[1:]
	}
	if len(s) > 0 && isRank(s[0]) {
		n.rank = int8(s[0] - '1')
		s = s[1:]
	}
	if len(s) != 0 {
		return n, ErrNotation
	}
	return n, nil
}

func isFile(b byte) bool { return b-'a' < 8 }
func isRank(b byte) bool { return b-'1' < 8 }

// cutPromotion cuts "=Q", "(Q)", "Q" or "q" off the end, and signs of check in front
// of the piece.
func cutPromotion(s []byte) ([]byte, model.PieceType) {
	if len(s) == 0 || isRank(s[len(s)-1]) {
		return s, model.NoPieceType
	}
	rest := s
	inBrackets := rest[len(rest)-1] == ')'
	if inBrackets {
		rest = rest[:len(rest)-1]
	}
	if len(rest) < 2 {
		return s, model.NoPieceType
	}
	t := model.PieceOf(rest[len(rest)-1]).Type()
	if t < model.Knight || t > model.Queen {
		return s, model.NoPieceType
	}
	if rest = bytes.TrimRight(rest[:len(rest)-1], "+#"); len(rest) == 0 {
		return s, model.NoPieceType
	}
	mark := rest[len(rest)-1]
	if inBrackets != (mark == '(') {
		return s, model.NoPieceType
	}
	if mark == '(' || mark == '=' {
		rest = rest[:len(rest)-1]
	}
	return bytes.TrimRight(rest, "+#"), t
}

func (p *Position) resolvePawn(n notation) (model.Move, error) {
	capture := n.capture || n.file >= 0 && n.file != int8(n.to&7)
	targets := ^p.Occupied()
	if capture {
		targets = p.colors[p.turn&1^1]&^p.types[model.King] | p.enPassantSet()
	}
	if targets&bit(n.to) == 0 {
		return model.NullMove, ErrIllegal
	}
	m, err := p.pick(p.pawnOrigins(n.to, capture)&n.origin(), n)
	if promotes := n.to>>3 == homeRank(p.turn.Other()); err == nil && promotes != (n.becomes != model.NoPieceType) {
		if promotes {
			return model.NullMove, ErrPromotion
		}
		return model.NullMove, ErrIllegal
	}
	return m, err
}

func (p *Position) resolvePiece(n notation) (model.Move, error) {
	if n.becomes != model.NoPieceType ||
		(p.colors[p.turn&1]|p.types[model.King])&bit(n.to) != 0 ||
		n.capture && p.board[n.to&63] == model.NoPiece {
		return model.NullMove, ErrIllegal
	}
	return p.pick(p.candidates(n.piece, n.to)&n.origin(), n)
}

// origin returns the squares that the notation allows a piece to come from.
func (n *notation) origin() uint64 {
	set := ^uint64(0)
	if n.file >= 0 {
		set = fileA << n.file
	}
	if n.rank >= 0 {
		set &= firstRank << (8 * n.rank)
	}
	return set
}

// pick returns the move from the only square of the set that leaves the king
// safe.
func (p *Position) pick(origins uint64, n notation) (model.Move, error) {
	found := model.NoSquare
	for ; origins != 0; origins &= origins - 1 {
		s := first(origins)
		if !p.safe(s, n.to) {
			continue
		}
		if found != model.NoSquare {
			return model.NullMove, ErrAmbiguous
		}
		found = s
	}
	if found == model.NoSquare {
		return model.NullMove, ErrIllegal
	}
	return model.NewPromotion(found, n.to, n.becomes), nil
}

// longestOdd is the length of the longest text that [Position.parseOdd] reads,
// such as "pe7:d8/Q".
const longestOdd = 12

// parseOdd reads the notations of old books and programs that the usual rules
// do not understand.
func (p *Position) parseOdd(s []byte) (model.Move, error) {
	switch string(s) {
	case "pass":
		return model.NullMove, nil
	case "o-o", "oo":
		return p.resolveCastling(model.KingSide)
	case "o-o-o", "ooo":
		return p.resolveCastling(model.QueenSide)
	}
	if len(s) > longestOdd {
		return model.NullMove, ErrNotation
	}
	var buf [longestOdd]byte
	odd, captures := bytes.CutSuffix(append(buf[:0], s...), []byte{':'})
	for i, b := range odd {
		switch {
		case b == ':':
			odd[i] = 'x'
		case b == '/':
			odd[i] = '='
		case b == 'p' && i == 0:
			odd[i] = 'P'
		}
	}
	if n, err := parseNotation(odd); err == nil && !bytes.Equal(odd, s) {
		n.capture = n.capture || captures
		return p.resolveAny(n)
	}
	return p.parseFiles(odd)
}

// parseFiles reads a pawn's capture of which only the files are given: "exd",
// "ed", "exd=Q".
func (p *Position) parseFiles(s []byte) (model.Move, error) {
	s = bytes.TrimPrefix(s, []byte{'P'})
	becomes := model.NoPieceType
	from, to, ok := neighbours(s)
	if !ok {
		s, becomes = cutPromotion(s)
		if from, to, ok = neighbours(s); !ok {
			return model.NullMove, ErrNotation
		}
	}
	found, err := model.NullMove, ErrIllegal
	for _, m := range p.AppendLegal(nil) {
		if p.PieceAt(m.From()).Type() != model.Pawn || m.From().File() != from || m.To().File() != to {
			continue
		}
		switch {
		case m.Promotion() != becomes:
			if err == ErrIllegal {
				err = ErrPromotion
			}
		case err == nil || err == ErrAmbiguous:
			found, err = model.NullMove, ErrAmbiguous
		default:
			found, err = m, nil
		}
	}
	return found, err
}

// neighbours reads two files side by side, with or without an "x" between them.
func neighbours(s []byte) (from, to int, ok bool) {
	if len(s) == 3 && s[1] == 'x' {
		s = []byte{s[0], s[2]}
	}
	if len(s) != 2 || !isFile(s[0]) || !isFile(s[1]) {
		return 0, 0, false
	}
	from, to = int(s[0]-'a'), int(s[1]-'a')
	return from, to, from-to == 1 || to-from == 1
}
