package viewer

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"cbkit/internal/cbh"
	"cbkit/internal/htmltext"
	"cbkit/model"
)

// fillText fills in a guiding text.
func (g *Game) fillText(t *model.GuidingText, e *model.Entities, codePage string) {
	page, _ := cbh.ParseCodePage(codePage) // of what has none it does not matter
	g.Annotator, g.Source = e.Annotators.Value(t.Annotator).Name, e.Sources.Value(t.Source).Title
	g.Title, g.Media = e.GameTitles.Value(t.GameTitle).String(), t.Media
	for _, l := range t.Titles {
		g.Titles = append(g.Titles, Local{Language: l.Language.String(), Text: l.Text})
	}
	for _, l := range t.Contents {
		content := Local{Language: l.Language.String(), HTML: t.HTML, Pieces: htmltext.Pieces(l.Text)}
		if !t.HTML {
			content.Pieces = cbh.GuidePieces(l, page)
		}
		g.Contents = append(g.Contents, content)
	}
}

func (g *Game) eachPiece(do func(*cbh.Piece)) {
	for _, c := range g.Contents {
		for i := range c.Pieces {
			do(&c.Pieces[i])
		}
	}
}

// bare returns a link as it is compared: quoted names have no blank behind the comma.
func bare(l cbh.Link, round string) cbh.Link {
	name := strings.NewReplacer(", ", ",")
	return cbh.Link{White: name.Replace(l.White), Black: name.Replace(l.Black), Event: l.Event, Round: round, Title: strings.TrimSpace(l.Title)}
}

// resolve finds where the links of a text lead: to a text by its title, to a game by its
// players and tournament, of several to that of the round. The date of a link says
// nothing: it is the tournament's, or where that has none that of another link.
func (s *source) resolve(ctx context.Context, g *Game, progress func(done, total int)) error {
	found := map[cbh.Link]model.RecordID{} // with and without the round
	games := false
	g.eachPiece(func(p *cbh.Piece) {
		if p.Link != nil {
			found[bare(*p.Link, "")], found[bare(*p.Link, p.Link.Round)] = 0, 0
			games = games || p.Link.Title == ""
		}
	})
	if len(found) == 0 {
		return nil
	}
	s.listing.Lock()
	defer s.listing.Unlock()
	if err := s.countTexts(ctx); err != nil {
		return err
	}
	note := func(l cbh.Link, id model.RecordID) {
		if first, is := found[l]; is && first == 0 {
			found[l] = id
		}
	}
	src := s.watched(progress)
	for rec, err := range src.Records(ctx, 1, model.WantHeaders) {
		if !games || err != nil && rec.ID == 0 {
			break
		}
		if err == nil && rec.Game != nil {
			h, e := &rec.Game.Header, src.Entities()
			l := cbh.Link{White: e.Players.Value(h.White).String(), Black: e.Players.Value(h.Black).String(), Event: e.Tournaments.Value(h.Tournament).Title}
			note(bare(l, ""), rec.ID)
			note(bare(l, roundOf(h)), rec.ID)
		}
	}
	for _, id := range s.texts {
		if row := s.row(ctx, id); row.Text {
			note(bare(cbh.Link{Title: row.White}, ""), id)
		}
	}
	g.eachPiece(func(p *cbh.Piece) {
		if p.Link != nil {
			p.ID = int(cmp.Or(found[bare(*p.Link, p.Link.Round)], found[bare(*p.Link, "")]))
		}
	})
	return ctx.Err()
}

// mostPicture is how many bytes a picture has at most.
const mostPicture = 32 << 20

// pictureTypes are the types of pictures by how they begin.
var pictureTypes = map[string]string{
	"\x89PNG\r\n\x1a\n": "image/png", "\xff\xd8\xff": "image/jpeg", "GIF87a": "image/gif", "GIF89a": "image/gif", "BM": "image/bmp", "RIFF": "image/webp",
}

// picture returns a picture that a text names, and that lies beside the database or in
// one of its folders.
func (c *call) picture(s *source, rec *model.Record, e *model.Entities) (any, error) {
	name, named := c.args["name"], false
	NewGame(rec, e, s.page).eachPiece(func(p *cbh.Piece) { named = named || p.Src == name })
	if !named || s.set == nil || name == "" {
		return nil, fmt.Errorf("%s: %w: this text has no such picture", plain(name), ErrRequest)
	}
	data, err := s.picture(name)
	for head, kind := range pictureTypes {
		if err == nil && bytes.HasPrefix(data, []byte(head)) && (head != "RIFF" || bytes.HasPrefix(data[min(8, len(data)):], []byte("WEBP"))) {
			return map[string]any{"type": kind, "data": data}, nil
		}
	}
	return nil, fmt.Errorf("%s: %w", plain(name), cmp.Or(err, model.ErrUnsupported))
}

// picture reads a file beside the database or in one of its folders. No path is made of
// the name: it is looked for in the lists of these folders, without links and whatever
// its case, as on the systems that ChessBase runs on.
func (s *source) picture(name string) ([]byte, error) {
	folders := []string{"."}
	for i := 0; i < len(folders); i++ {
		folder := filepath.Join(s.set.Dir, folders[i])
		list, _ := s.files.ReadDir(folder) // what cannot be listed has none
		for _, e := range list {
			if i == 0 && e.IsDir() && slices.Contains(s.set.Folders(), e.Name()) {
				folders = append(folders, e.Name())
			}
			if !strings.EqualFold(e.Name(), name) || !e.Type().IsRegular() {
				continue
			}
			f, err := s.files.Open(filepath.Join(folder, e.Name()))
			if err != nil {
				return nil, err
			}
			defer f.Close() // it was only read
			if f.Size() > mostPicture {
				return nil, model.ErrTooLarge
			}
			return io.ReadAll(io.NewSectionReader(f, 0, f.Size()))
		}
	}
	return nil, fs.ErrNotExist
}
