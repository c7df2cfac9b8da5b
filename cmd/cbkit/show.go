package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
)

// showCmd is "cbkit show".
type showCmd struct {
	DB string         `arg:"" name:"db" help:"Database, PGN, JSON Lines or Parquet file; - is standard input."`
	ID model.RecordID `arg:"" name:"id" help:"Number of the game or text, from 1."`
	diagramFlags
	pgnFlags
	JSON     bool     `name:"json" help:"Print the record as JSON."`
	Codepage codePage `help:"Code page of names and texts that are not UTF-8; recognised where none is given." default:"" placeholder:"PAGE"`
	passwordFlag
}

// Run implements the verb.
func (c *showCmd) Run(env *environment) error {
	if as := formatOf(c.DB); c.DB == "-" || as.IsText() || as == formatParquet {
		return c.showOf(env)
	}
	t := newTransfer(env, transferFlags{readFlags: readFlags{Codepage: c.Codepage, KeepGoing: true, passwordFlag: c.passwordFlag}}, "show", target{})
	src, err := t.openInput(c.DB)
	if err != nil {
		return err
	}
	defer func() { _ = src.close() }() // it was only read
	db := src.Source.(read.Database)
	rec, err := db.Record(env.ctx, c.ID, model.WantAll)
	if err != nil {
		return err
	}
	return errors.Join(c.show(env, mainFile(c.DB), rec, db.Entities()), db.Entities().Err())
}

// showOf shows a record of what is read from its beginning on.
func (c *showCmd) showOf(env *environment) error {
	t := newTransfer(env, transferFlags{readFlags: readFlags{Codepage: c.Codepage, passwordFlag: c.passwordFlag}}, "show", target{})
	src, err := t.openInput(c.DB)
	if err != nil {
		return err
	}
	defer func() { _ = src.close() }() // it was only read
	for rec, err := range src.Records(env.ctx, c.ID, model.WantAll) {
		switch {
		case err != nil && (rec.ID == 0 || rec.ID == c.ID):
			return t.unreadable(err)
		case err == nil && rec.ID == c.ID:
			return c.show(env, src.name, rec, src.Entities())
		}
	}
	if err := env.ctx.Err(); err != nil {
		return err
	}
	return fmt.Errorf("%s: there is no record %d", src.name, c.ID)
}

// show prints a record.
func (c *showCmd) show(env *environment, source string, rec model.Record, e *model.Entities) error {
	env.judge(source, &rec)
	switch {
	case c.JSON:
		_, err := env.stdout.Write(append(jsonl.AppendRecord(nil, rec, e), '\n'))
		return err
	case rec.Text != nil:
		return showText(env.text, rec, e)
	}
	return c.showGame(env, rec, e)
}

// showGame prints a game as people read it, or as PGN, with a diagram if one was
// asked for.
func (c *showCmd) showGame(env *environment, rec model.Record, e *model.Entities) error {
	w := env.text
	if rec.Deleted {
		fmt.Fprintln(w, "(deleted)")
	}
	if err := rec.Game.MovesErr; err != nil {
		fmt.Fprintln(w, "(not all moves can be shown:", err.Error()+")")
	}
	if err := rec.Game.AnnotationsErr; err != nil {
		fmt.Fprintln(w, "(not all annotations can be shown:", err.Error()+")")
	}
	color := wantsColor(w) && !c.Plain && !c.Lossless
	game, lines := pgn.AppendReadable(nil, rec.Game, e)
	picture, err := c.diagram(rec.Game, lines, color)
	if err != nil {
		return err
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
	_, err = io.WriteString(env.stdout, text+picture)
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
		text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(content.Text)
		if t.HTML {
			text = htmlText(text)
		}
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

// blocks are the elements of HTML that stand on lines of their own.
var blocks = map[atom.Atom]bool{
	atom.P: true, atom.Div: true, atom.Br: true, atom.H1: true, atom.H2: true, atom.H3: true, atom.H4: true, atom.H5: true,
	atom.H6: true, atom.Ul: true, atom.Ol: true, atom.Li: true, atom.Table: true, atom.Tr: true, atom.Hr: true,
	atom.Blockquote: true, atom.Pre: true, atom.Dl: true, atom.Dt: true, atom.Dd: true,
}

// unseen are the elements whose text is not shown.
var unseen = map[atom.Atom]bool{atom.Script: true, atom.Style: true, atom.Title: true, atom.Noscript: true, atom.Template: true}

// htmlText returns the text of a page of HTML: a line for each block, without
// the tags.
func htmlText(page string) string {
	var lines []string
	var line strings.Builder
	end := func() {
		if text := strings.Join(strings.Fields(line.String()), " "); text != "" {
			lines = append(lines, text)
		}
		line.Reset()
	}
	hidden := 0
	tokens := html.NewTokenizer(strings.NewReader(page))
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			end()
			return strings.Join(lines, "\n")
		}
		token := tokens.Token()
		switch {
		case kind == html.TextToken && hidden == 0:
			line.WriteString(token.Data)
		case unseen[token.DataAtom] && kind == html.StartTagToken:
			hidden++
		case unseen[token.DataAtom] && kind == html.EndTagToken:
			hidden = max(hidden-1, 0)
		case blocks[token.DataAtom]:
			if end(); token.DataAtom == atom.Li && kind == html.StartTagToken {
				line.WriteString("- ")
			}
		case token.DataAtom == atom.Td || token.DataAtom == atom.Th:
			line.WriteByte(' ')
		}
	}
}
