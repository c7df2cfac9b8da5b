package main

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"cbkit/model"
	"cbkit/search"
)

// findFlags are conditions: each is a term of package search, behind which the plies
// can stand if it is about positions; the query says what flags cannot.
type findFlags struct {
	Player     []string `help:"A player of either side: Carlsen, \"Magnus Carlsen\", \"Carlsen,M\", \"Carl*\"." placeholder:"NAME" sep:"none" term:"player"`
	White      []string `help:"The player with the white pieces." placeholder:"NAME" sep:"none" term:"white-player"`
	Black      []string `help:"The player with the black pieces." placeholder:"NAME" sep:"none" term:"black-player"`
	Tournament []string `help:"Words of the tournament's title, and its year: Linares, \"Linares 2001\"." placeholder:"NAME" sep:"none" term:"tournament"`
	Place      []string `help:"The place of the tournament." placeholder:"NAME" sep:"none" term:"place"`
	Nation     []string `help:"The country of the tournament: ESP, or its name." placeholder:"CODE" sep:"none" term:"nation"`
	Round      []string `help:"The round, or a range such as 1..5; 3.2 is a game of round 3." placeholder:"ROUNDS" sep:"none" term:"round"`
	Annotator  []string `help:"The annotator." placeholder:"NAME" sep:"none" term:"annotator"`
	Source     []string `help:"The title of the source." placeholder:"NAME" sep:"none" term:"source"`
	Team       []string `help:"The team of either side." placeholder:"NAME" sep:"none" term:"team"`
	Title      []string `help:"The game title." placeholder:"NAME" sep:"none" term:"title"`
	Year       []string `help:"A year, or a range such as 1990..1999; -3.. is from three years ago on." placeholder:"YEARS" sep:"none" term:"year"`
	Date       []string `help:"A date, or a range such as 1997.05..1997.08.15; -30.. are the last thirty days." placeholder:"DATES" sep:"none" term:"date"`
	ECO        []string `name:"eco" help:"An opening code, a range such as C50..C59, or words of the opening's name: najdorf." placeholder:"CODES" sep:"none" term:"eco"`
	Result     []string `help:"1-0, 0-1, 1/2, 0-0 or *." placeholder:"RESULT" sep:"none" term:"result"`
	Elo        []string `help:"The rating of either side, a range such as 2700.. or 2000..2200." placeholder:"N..N" sep:"none" term:"elo"`
	WhiteElo   []string `help:"The rating of White." placeholder:"N..N" sep:"none" term:"white-elo"`
	BlackElo   []string `help:"The rating of Black." placeholder:"N..N" sep:"none" term:"black-elo"`
	BothElo    []string `help:"The ratings of both sides." placeholder:"N..N" sep:"none" term:"both-elo"`
	Moves      []string `help:"The number of moves, a range such as ..20." placeholder:"N..N" sep:"none" term:"moves"`
	Medal      []string `help:"A medal, such as novelty." placeholder:"MEDAL" sep:"none" term:"medal"`
	Has        []string `help:"comments, annotations, variations, symbols, arrows, training …; --terms lists all." placeholder:"WHAT" sep:"none" values:"annotations,text,symbols,variations,training,squares,arrows,clock,time-spent,evaluation,critical,quotation,pawn-structure,piece-path,web-link,sound,picture,video,setup,correspondence,chess960" term:"has"`
	Comment    []string `help:"Words in a comment, in any language." placeholder:"TEXT" sep:"none" term:"comment"`
	Material   []string `help:"Material that was on the board at any time, White's first, such as KRPP-KRP; /8 behind it: for eight plies." placeholder:"MATERIAL" sep:"none" term:"material" plies:""`
	End        []string `help:"Material at the end of the game, White's first." placeholder:"MATERIAL" sep:"none" term:"end"`
	FEN        []string `name:"fen" help:"A position that occurred: a FEN, of which the board suffices, or the moves that lead to it, such as \"1.e4 c5\"." placeholder:"FEN|MOVES" sep:"none" term:"fen" plies:""`
	Pawns      []string `help:"A pawn structure that occurred, as a FEN." placeholder:"FEN" sep:"none" term:"pawns" plies:""`
	Pattern    []string `help:"Pieces that must and, behind !, must not stand on squares, files, ranks or anywhere at the same time: Pd4,!Pc,!Pe is an isolated pawn; /8 behind it: for eight plies." placeholder:"PIECES" sep:"none" term:"pattern" plies:""`
	Piece      []string `help:"A piece on a square, such as Nd5, nd5 for Black." placeholder:"PIECE" sep:"none" term:"piece" plies:""`
	Ply        string   `help:"Positions count between these plies only: --material, --fen, --pawns, --pattern and --piece." placeholder:"N..N"`
	Variations bool     `help:"Positions of variations count too, those of the query as well; else only main lines are searched."`
}

// condition joins the flags and the query. Without any it is an error, or, where that
// makes sense, means all games.
func (f *findFlags) condition(query string, orAll bool) (search.Condition, error) {
	var all []search.Condition
	ofPositions := 0
	for flag, value := range reflect.ValueOf(f).Elem().Fields() {
		term, isTerm := flag.Tag.Lookup("term")
		if !isTerm {
			continue
		}
		behind := ""
		if _, is := flag.Tag.Lookup("plies"); is && f.Ply != "" {
			behind = "@" + f.Ply
			ofPositions += value.Len()
		}
		for _, text := range value.Interface().([]string) {
			c, err := search.Term(term, text+behind)
			if err != nil && term == "moves" && strings.ContainsFunc(text, unicode.IsLetter) {
				err = fmt.Errorf("%w, the length of games; --fen takes the moves of an opening", err)
			}
			if err != nil {
				return nil, usageError{err}
			}
			all = append(all, c)
		}
	}
	if f.Ply != "" && ofPositions == 0 {
		return nil, usageError{errors.New("--ply: is for --material, --fen, --pawns, --pattern and --piece; --moves is the length of games")}
	}
	if query != "" {
		if as := named(query); as != "" && !strings.ContainsAny(query, ":()") {
			return nil, usageError{fmt.Errorf("%s: one database is searched; -o %[1]s writes what is found", query)}
		}
		c, err := search.Parse(query)
		if err != nil {
			return nil, usageError{err}
		}
		all = append(all, c)
	}
	if len(all) == 0 && orAll {
		all = append(all, search.Games())
	}
	if len(all) == 0 {
		return nil, usageError{errors.New("find needs a condition; see cbkit find --help, or --terms for all there are; --limit 20 lists the first games")}
	}
	c := search.And(all...)
	if err := checkQuery(c); err != nil {
		return nil, err
	}
	if f.Variations {
		var err error
		if c, err = search.InVariations(c); err != nil {
			return nil, usageError{errors.New("--variations: is for --material, --fen, --pawns, --pattern, --piece and their like in a query")}
		}
	}
	return c, nil
}

// checkQuery returns an error if conditions do not fit each other.
func checkQuery(c search.Condition) error {
	if _, err := search.Select(&model.Database{}, c); err != nil {
		return usageError{err}
	}
	return nil
}

// withoutDeleted adds to the condition of a query that records are not deleted, unless it says
// something of that itself.
func withoutDeleted(query string, c search.Condition) search.Condition {
	if slices.ContainsFunc(deletedTerm.FindAllStringSubmatch(query, -1), func(m []string) bool { return m[1] != "" }) {
		return c
	}
	return search.And(c, search.Not(search.Deleted()))
}

// deletedTerm are the quoted values of a query, and its term about deleted records.
var deletedTerm = regexp.MustCompile(`"[^"]*"|(?:^|[\s(])(deleted:|flag:(?:D\b|deleted))`)
