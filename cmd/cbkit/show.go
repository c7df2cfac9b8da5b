package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"cbkit/board"
	"cbkit/cmd/internal/picture"
	"cbkit/internal/htmltext"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/pgn"
)

// showCmd is "cbkit show".
type showCmd struct {
	DB string         `arg:"" zip:"reads" name:"db" help:"Database, PGN, JSON Lines or Parquet file; - is standard input."`
	ID model.RecordID `arg:"" name:"id" help:"Number of the game or text, from 1."`
	diagramFlags
	pgnFlags
	SVG      bool     `name:"svg" xor:"picture" help:"Print the diagram alone, as SVG; without --ply, --move and --line, of the last position."`
	PNG      bool     `name:"png" xor:"picture" help:"Print the diagram alone, as PNG, for a file or another program."`
	JSON     bool     `name:"json" help:"Print the record as JSON."`
	Codepage codePage `help:"Code page of names and texts that are not UTF-8; recognised where none is given." default:"" placeholder:"PAGE"`
	passwordFlag
}

// Run implements the verb.
func (c *showCmd) Run(env *environment) error {
	if _, is := terminalOf(env.stdout); is && c.PNG {
		return usageError{errors.New("--png: a terminal shows no picture; send it to a file with > NAME.png")}
	}
	as := formatOf(c.DB)
	isRead := c.DB == "-" || as.IsText() || as == formatParquet // from its beginning on
	flags := readFlags{Codepage: c.Codepage, KeepGoing: !isRead, passwordFlag: c.passwordFlag}
	src, err := newTransfer(env, transferFlags{readFlags: flags}, "show", target{}).openInput(c.DB)
	if err != nil {
		return err
	}
	defer func() { _ = src.close() }() // it was only read
	rec, err := src.opened.Record(env.ctx, c.ID, model.WantAll)
	switch {
	case isRead && errors.Is(err, model.ErrNoRecord):
		return fmt.Errorf("%s: there is no record %d", src.name, c.ID)
	case err != nil:
		return err
	}
	return errors.Join(c.show(env, src.name, rec, src.Entities()), src.Entities().Err())
}

// show prints a record: a game as people read it, or as PGN, with a diagram if one was
// asked for.
func (c *showCmd) show(env *environment, source string, rec model.Record, e *model.Entities) error {
	env.judge(source, &rec)
	switch {
	case c.JSON:
		_, err := env.stdout.Write(append(jsonl.AppendRecord(nil, rec, e), '\n'))
		return err
	case rec.Text != nil && (c.SVG || c.PNG || c.Ply != nil || c.Move != nil || c.Line != nil):
		return usageError{fmt.Errorf("record %d is a text, and has no position", c.ID)}
	case rec.Text != nil:
		return showText(env.text, rec, e)
	case c.SVG, c.PNG:
		_, lines := pgn.AppendReadable(nil, rec.Game, e)
		node, p, err := c.position(rec.Game, lines)
		if err != nil {
			return err
		}
		draw := picture.SVG
		if c.PNG {
			draw = picture.PNG
		}
		_, err = env.stdout.Write(draw(&p, drawing(rec.Game, e, node, c.Flip)))
		return err
	}
	w := env.text
	if rec.Deleted {
		fmt.Fprintln(w, "(deleted)")
	}
	for _, u := range rec.Unread {
		fmt.Fprintf(w, "(%s: %s)\n", u.Field, u.What)
	}
	if err := rec.Game.MovesErr; err != nil {
		fmt.Fprintln(w, "(not all moves can be shown:", err.Error()+")")
	}
	if err := rec.Game.AnnotationsErr; err != nil {
		fmt.Fprintln(w, "(not all annotations can be shown:", err.Error()+")")
	}
	// A terminal has colours, unless none are asked for (no-color.org).
	_, isTerminal := terminalOf(w)
	color := os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal && !c.Plain && !c.Lossless
	if name := openingName(rec.Game.ECO); name != "" && rec.Game.Tag("Opening") == "" && !c.Plain && !c.Lossless {
		rec.Game.Tags = append(slices.Clip(rec.Game.Tags), model.Tag{Name: "Opening", Value: name})
	}
	game, lines := pgn.AppendReadable(nil, rec.Game, e)
	diagram := ""
	if c.Ply != nil || c.Move != nil || c.Line != nil {
		node, p, err := c.position(rec.Game, lines)
		if err != nil {
			return err
		}
		diagram = "\n" + c.draw(&p, color) + caption(rec.Game, node, &p) + "\n" + board.FormatFEN(&p) + "\n"
	}
	switch {
	case c.Plain:
		game = pgn.AppendPlainGame(nil, rec.Game, e)
	case c.Lossless:
		game = pgn.AppendGame(nil, rec.Game, e)
	}
	text := plainText(string(game))
	if color {
		text = colored(text)
	}
	_, err := io.WriteString(env.stdout, text+diagram)
	return err
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
		text := strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x04", "[diagram]").Replace(content.Text)
		if t.HTML {
			text = htmltext.Of(text)
		}
		if _, err := fmt.Fprintf(w, "\n%s\n", wrappedLines(w, languagePrefix(content.Language)+text)); err != nil {
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
