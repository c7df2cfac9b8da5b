package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"cbkit/search"
)

// findFlags are conditions: each is a term of package search; the query says what
// flags cannot.
type findFlags struct {
	Player     []string `help:"A player of either side: Carlsen, \"Magnus Carlsen\", \"Carlsen,M\", \"Carl*\"." placeholder:"NAME" sep:"none"`
	White      []string `help:"The player with the white pieces." placeholder:"NAME" sep:"none"`
	Black      []string `help:"The player with the black pieces." placeholder:"NAME" sep:"none"`
	Tournament []string `help:"Words of the tournament's title, and its year: Linares, \"Linares 2001\"." placeholder:"NAME" sep:"none"`
	Place      []string `help:"The place of the tournament." placeholder:"NAME" sep:"none"`
	Nation     []string `help:"The country of the tournament: ESP, or its name." placeholder:"CODE" sep:"none"`
	Round      []string `help:"The round, or a range such as 1..5; 3.2 is a game of round 3." placeholder:"ROUNDS" sep:"none"`
	Annotator  []string `help:"The annotator." placeholder:"NAME" sep:"none"`
	Source     []string `help:"The title of the source." placeholder:"NAME" sep:"none"`
	Team       []string `help:"The team of either side." placeholder:"NAME" sep:"none"`
	Title      []string `help:"The game title." placeholder:"NAME" sep:"none"`
	Year       []string `help:"A year, or a range such as 1990..1999." placeholder:"YEARS" sep:"none"`
	Date       []string `help:"A date, or a range such as 1997.05..1997.08.15." placeholder:"DATES" sep:"none"`
	ECO        []string `name:"eco" help:"An opening code, or a range such as C50..C59." placeholder:"CODES" sep:"none"`
	Result     []string `help:"1-0, 0-1, 1/2, 0-0 or *." placeholder:"RESULT" sep:"none"`
	Elo        []string `help:"The rating of either side, a range such as 2700.. or 2000..2200." placeholder:"N..N" sep:"none"`
	WhiteElo   []string `help:"The rating of White." placeholder:"N..N" sep:"none"`
	BlackElo   []string `help:"The rating of Black." placeholder:"N..N" sep:"none"`
	BothElo    []string `help:"The ratings of both sides." placeholder:"N..N" sep:"none"`
	Moves      []string `help:"The number of moves, a range such as ..20." placeholder:"N..N" sep:"none"`
	Medal      []string `help:"A medal, such as novelty." placeholder:"MEDAL" sep:"none"`
	Has        []string `help:"comments, annotations, variations, symbols, arrows, training …; --terms lists all." placeholder:"WHAT" sep:"none" values:"annotations,text,symbols,variations,training,squares,arrows,clock,time-spent,critical,quotation,pawn-structure,piece-path,web-link,sound,picture,video,setup,correspondence,chess960"`
	Comment    []string `help:"Words in a comment, in any language." placeholder:"TEXT" sep:"none"`
	Material   []string `help:"Material that was on the board at any time, such as KRPP-KRP; /8 behind it: for eight plies." placeholder:"MATERIAL" sep:"none"`
	End        []string `help:"Material at the end of the game." placeholder:"MATERIAL" sep:"none"`
	FEN        []string `name:"fen" help:"A position that occurred: a FEN, of which the board suffices, or the moves that lead to it, such as \"1.e4 c5\"." placeholder:"FEN|MOVES" sep:"none"`
	Pawns      []string `help:"A pawn structure that occurred, as a FEN." placeholder:"FEN" sep:"none"`
	Pattern    []string `help:"Pieces that must and, behind !, must not stand on squares, files, ranks or anywhere at the same time: Pd4,!Pc,!Pe is an isolated pawn; /8 behind it: for eight plies." placeholder:"PIECES" sep:"none"`
	Piece      []string `help:"A piece on a square, such as Nd5, nd5 for Black." placeholder:"PIECE" sep:"none"`
	Ply        string   `help:"Positions count between these plies only: --material, --fen, --pawns, --pattern and --piece." placeholder:"N..N"`
	Variations bool     `help:"Positions of variations count too, those of the query as well; else only main lines are searched."`
}

// condition joins the flags and the query. Without any it is an error, or, where that
// makes sense, means all games.
func (f *findFlags) condition(query string, orAll bool) (search.Condition, error) {
	var all []search.Condition
	add := func(term, behind string, values []string) error {
		for _, value := range values {
			c, err := termTyped(term, value, behind)
			if err != nil {
				return usageError{err}
			}
			all = append(all, c)
		}
		return nil
	}
	ply := f.Ply
	if ply != "" {
		ply = "@" + ply
	}
	for _, t := range []struct {
		term, behind string
		values       []string
	}{
		{"player", "", f.Player}, {"white-player", "", f.White}, {"black-player", "", f.Black},
		{"tournament", "", f.Tournament}, {"place", "", f.Place}, {"nation", "", f.Nation}, {"round", "", f.Round},
		{"annotator", "", f.Annotator}, {"source", "", f.Source}, {"team", "", f.Team}, {"title", "", f.Title},
		{"year", "", f.Year}, {"date", "", f.Date}, {"eco", "", f.ECO}, {"result", "", f.Result},
		{"elo", "", f.Elo}, {"white-elo", "", f.WhiteElo}, {"black-elo", "", f.BlackElo}, {"both-elo", "", f.BothElo},
		{"moves", "", f.Moves}, {"medal", "", f.Medal}, {"has", "", f.Has}, {"comment", "", f.Comment}, {"end", "", f.End},
		{"material", ply, f.Material}, {"fen", ply, f.FEN}, {"pawns", ply, f.Pawns}, {"pattern", ply, f.Pattern}, {"piece", ply, f.Piece},
	} {
		if err := add(t.term, t.behind, t.values); err != nil {
			return nil, err
		}
	}
	if f.Ply != "" && len(f.Material)+len(f.FEN)+len(f.Pawns)+len(f.Pattern)+len(f.Piece) == 0 {
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
		return nil, usageError{errors.New("find needs a condition; see cbkit find --help, or --terms for all there are")}
	}
	c := search.And(all...)
	if f.Variations {
		var err error
		if c, err = search.InVariations(c); err != nil {
			return nil, usageError{errors.New("--variations: is for --material, --fen, --pawns, --pattern, --piece and their like in a query")}
		}
	}
	return alive(query, c), nil
}

// alive adds to the condition of a query that records are not deleted, unless it says
// something of that itself.
func alive(query string, c search.Condition) search.Condition {
	if slices.ContainsFunc(asked.FindAllStringSubmatch(query, -1), func(m []string) bool { return m[1] != "" }) {
		return c
	}
	return search.And(c, search.Not(search.Deleted()))
}

// asked are the quoted values of a query, and its question for deleted records.
var asked = regexp.MustCompile(`"[^"]*"|(?:^|[\s(])(deleted:)`)

// termTyped reads the value of a flag.
func termTyped(term, value, behind string) (search.Condition, error) {
	c, err := search.Term(term, value+behind)
	if err != nil && term == "moves" && strings.ContainsFunc(value, unicode.IsLetter) {
		err = fmt.Errorf("%w, the length of games; --fen takes the moves of an opening", err)
	}
	return c, err
}
