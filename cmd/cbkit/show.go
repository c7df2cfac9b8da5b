package main

import (
	"fmt"
	"io"
	"strings"

	"cbkit/board"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
)

// showCmd is "cbkit show".
type showCmd struct {
	DB  string         `arg:"" name:"db" help:"Database to read."`
	ID  model.RecordID `arg:"" name:"id" help:"Number of the game or text, from 1."`
	Ply *int           `help:"Draw the position after this many plies of the main line; negative counts from the end." placeholder:"N"`
	pgnFlags
	JSON     bool     `name:"json" help:"Print the record as JSON."`
	Codepage codePage `help:"Code page of names and texts that are not UTF-8; recognised where none is given." default:"" placeholder:"PAGE"`
	passwordFlag
}

// Help shows examples below the flags.
func (showCmd) Help() string {
	return `Comments are as they read best; with --lossless nothing is missing.

Examples:
  cbkit show Games.cbh 17
  cbkit show Games.cbh 17 --ply 40`
}

// Run implements the verb.
func (c *showCmd) Run(env *environment) error {
	src, err := env.openDatabase(c.DB, c.passwordFlag, read.Options{
		CodePage: string(c.Codepage), KeepGoing: true, Warn: env.warn, Damage: env.damaged,
	})
	if err != nil {
		return err
	}
	defer src.close()
	db := src.Source.(read.Database)
	rec, err := db.Record(env.ctx, c.ID, model.WantAll)
	if err != nil {
		return err
	}
	env.judge(mainFile(c.DB), &rec)
	switch {
	case c.JSON:
		_, err = env.stdout.Write(append(jsonl.AppendRecord(nil, rec, db.Entities()), '\n'))
		return err
	case rec.Text != nil:
		return showText(env.text, rec, db.Entities())
	}
	return c.showGame(env.text, rec, db.Entities())
}

// showGame prints a game as PGN, with a diagram if one was asked for.
func (c *showCmd) showGame(w io.Writer, rec model.Record, e *model.Entities) error {
	picture := ""
	if c.Ply != nil {
		var err error
		if picture, err = diagram(rec.Game, *c.Ply); err != nil {
			return err
		}
	}
	if rec.Deleted {
		fmt.Fprintln(w, "(deleted)")
	}
	if err := rec.Game.MovesErr; err != nil {
		fmt.Fprintln(w, "(the moves cannot be shown:", err.Error()+")")
	}
	if err := rec.Game.AnnotationsErr; err != nil {
		fmt.Fprintln(w, "(not all annotations can be shown:", err.Error()+")")
	}
	appendGame := pgn.AppendPlainGame
	if c.Lossless {
		appendGame = pgn.AppendGame
	}
	if _, err := w.Write(appendGame(nil, rec.Game, e)); err != nil {
		return err
	}
	_, err := io.WriteString(w, picture)
	return err
}

// diagram draws the position after some plies of the main line.
func diagram(g *model.Game, ply int) (string, error) {
	plies := g.Moves.MainLen()
	if ply < 0 {
		ply += plies + 1
	}
	if ply < 0 || ply > plies {
		return "", usageError{fmt.Errorf("--ply: the main line has %d plies", plies)}
	}
	pos, err := board.New(g.Start)
	if err != nil {
		return "", err
	}
	for node := range ply {
		pos.Make(g.Moves.Move(node))
	}
	m := pos.Model()
	return "\n" + drawBoard(&m) + board.FormatFEN(&m) + "\n", nil
}

// drawBoard draws the board with letters, White at the bottom.
func drawBoard(p *model.Position) string {
	var b strings.Builder
	for rank := 7; rank >= 0; rank-- {
		fmt.Fprintf(&b, "%d |", rank+1)
		for file := range 8 {
			letter := p.Board[model.NewSquare(file, rank)].Letter()
			if letter == ' ' {
				letter = '.'
			}
			fmt.Fprintf(&b, " %c", letter)
		}
		b.WriteByte('\n')
	}
	b.WriteString("    a b c d e f g h\n")
	return b.String()
}

// showText prints a guiding text in all its languages.
func showText(w io.Writer, rec model.Record, e *model.Entities) error {
	t := rec.Text
	if t.ContentErr != nil {
		fmt.Fprintln(w, "(the text cannot be shown:", t.ContentErr.Error()+")")
	}
	if event := e.Tournaments.Value(t.Tournament); event.Title != "" {
		fmt.Fprintln(w, event.Title)
	}
	for _, title := range t.Titles {
		fmt.Fprintf(w, "%s%s\n", languagePrefix(title.Language), title.Text)
	}
	for _, content := range t.Contents {
		text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(content.Text)
		if _, err := fmt.Fprintf(w, "\n%s%s\n", languagePrefix(content.Language), text); err != nil {
			return err
		}
	}
	return nil
}

func languagePrefix(l model.Language) string {
	if l == model.AnyLanguage {
		return ""
	}
	return "[" + l.String() + "] "
}
