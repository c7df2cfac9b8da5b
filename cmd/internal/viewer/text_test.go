package viewer

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"cbkit/internal/cbh"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/write"
)

// The texts of a real book: headings, diagrams, rules, pictures, and links to games and
// texts, each of which leads to what it names.
func TestTexts(t *testing.T) {
	v := open(t, corpus.Path(t, "cbh/hedgehog/Hedgehog.cbh"), true)
	var list List
	ask(t, v, "list", &list, "n", "500")
	count := map[string]int{}
	for _, row := range list.Rows {
		if !row.Text {
			continue
		}
		var g Game
		ask(t, v, "game", &g, "id", strconv.Itoa(int(row.ID)))
		g.eachPiece(func(p *cbh.Piece) {
			count[p.Begin]++
			if strings.ContainsAny(p.Text, "\x04\r") || p.Begin == "fen" && strings.Count(p.FEN, "K") != 1 {
				t.Errorf("text %d: %+v", row.ID, p)
			}
			if p.Link == nil {
				return
			}
			to := Row{}
			if p.ID > 0 {
				to = list.Rows[p.ID-1]
			}
			if p.Link.Title != "" && to.Text {
				count["text"]++
				if strings.TrimSpace(to.White) != strings.TrimSpace(p.Link.Title) {
					t.Errorf("%+v leads to %+v", p.Link, to)
				}
			} else if !to.Text && to.ID != 0 {
				count["game"]++
				if strings.ReplaceAll(to.White, ", ", ",") != p.Link.White || to.Event != p.Link.Event {
					t.Errorf("%+v leads to %+v", p.Link, to)
				}
			}
		})
	}
	for what, want := range map[string]int{"fen": 204, "game": 204, "text": 76, "a": 281, "hr": 70, "img": 8} {
		if count[what] != want {
			t.Errorf("%d of %s, want %d", count[what], what, want)
		}
	}
	var g Game
	ask(t, v, "game", &g, "id", "2")
	pieces, labels := g.Contents[0].Pieces, 0
	for _, p := range pieces {
		if p.Link != nil && p.Text != "" {
			labels++
		}
	}
	if labels != 6 {
		t.Errorf("%d links to texts have another text than a title", labels)
	}
	if len(pieces) < 100 || !strings.HasPrefix(pieces[0].Text, "СОДЕРЖАНИЕ") || pieces[0].Style != "b" || pieces[0].Size <= pieces[20].Size {
		t.Errorf("%d pieces: %+v", len(pieces), pieces[:21])
	}
}

// Of several games of one pair in one tournament that of the round is meant; a link to
// nothing leads nowhere.
func TestLinks(t *testing.T) {
	db := &model.Database{}
	text := model.NewGuidingText()
	text.SetContents([]model.LocalText{{Text: " One "}}, []model.LocalText{{Text: "x"}})
	event := db.Tables.Tournaments.Intern(model.Tournament{Title: "Match"})
	for round := range 3 {
		g := model.NewGame()
		g.White, g.Black = db.Tables.Players.Intern(model.ParsePlayer("Tal, Mihail")), db.Tables.Players.Intern(model.ParsePlayer("Wang Lei"))
		g.Tournament, g.Round = event, uint16(round+1)
		db.AddGame(g)
	}
	db.AddText(text)
	v := new(Viewer)
	v.AddSource("links", db)
	g := &Game{Contents: []Local{{}}}
	for _, l := range []cbh.Link{
		{White: "Tal,Mihail", Black: "Wang Lei", Event: "Match", Round: "2"}, {White: "Tal,Mihail", Black: "Wang Lei", Event: "Match", Round: "7"},
		{White: "Tal,Mihail", Black: "Wang Lei", Event: "Mat"}, {White: "Tal", Event: "Match"}, {Title: "One"}, {Title: "Two"}, {},
	} {
		g.Contents[0].Pieces = append(g.Contents[0].Pieces, cbh.Piece{Link: &l})
	}
	must.Do(t, v.sources[0].now.is.resolve(t.Context(), g, func(int, int) {}))
	for i, want := range []int{2, 1, 0, 0, 4, 0, 0} {
		if got := g.Contents[0].Pieces[i]; got.ID != want {
			t.Errorf("%+v leads to %d, want %d", got.Link, got.ID, want)
		}
	}
}

// picture is the answer with a picture.
type picture struct {
	Type string
	Data []byte
}

// A picture is given out if a text names it and it lies beside the database or in one of
// its folders: a regular file of at most 32 MB that is a picture, and nothing else.
func TestPictures(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "db", "Games.cbh")
	put := func(name, data string) {
		t.Helper()
		must.Do(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700), os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600))
	}
	const gif, jpeg = "GIF89a\x01\x00\x01\x00\x00", "\xff\xd8\xff\xe0\x00\x10JFIF"
	for name, data := range map[string]string{
		"db/beside.gif": gif, "db/Games.html/Inside.JPG": jpeg, "db/Games.bmp/old.bmp": "BM\x00\x00", "db/a b.webp": "RIFF\x00\x00\x00\x00WEBPVP8 ", "db/p.png": "\x89PNG\r\n\x1a\nx",
		"db/unnamed.gif": gif, "db/page.png": "<script>alert(1)</script>", "db/drawing.svg": "<svg onload='alert(1)'/>", "db/sound.webp": "RIFF\x00\x00\x00\x00WAVEfmt ", "db/empty.gif": "",
		"secret.gif": gif, "db/other/deep.gif": gif, "db/Others.html/theirs.gif": gif, "elsewhere/linked.gif": gif,
	} {
		put(name, data)
	}
	put("db/huge.gif", gif)
	refused := []string{"unnamed.gif", "page.png", "drawing.svg", "sound.webp", "empty.gif", "secret.gif", "../secret.gif", `..\secret.gif`, filepath.Join(dir, "secret.gif"), "deep.gif", "other/deep.gif",
		"theirs.gif", "huge.gif", "folder.gif", "..", ".", "", "a\x00b.gif", "beside.gif\n", "Games.cbh", "linked.gif", "out.gif"}
	must.Do(t, os.Truncate(filepath.Join(dir, "db/huge.gif"), mostPicture+1), os.Mkdir(filepath.Join(dir, "db/folder.gif"), 0o700))
	for to, link := range map[string]string{"secret.gif": "db/out.gif", "elsewhere": "db/Games.wmv"} {
		if err := os.Symlink(filepath.Join(dir, to), filepath.Join(dir, link)); err != nil {
			t.Log("without links: ", err)
		}
	}
	if exec.Command("mkfifo", filepath.Join(dir, "db/pipe.gif")).Run() == nil {
		refused = append(refused, "pipe.gif")
	}
	var page strings.Builder
	for _, name := range append(refused[1:], "beside.gif", "inside.jpg", "old.bmp", "Games.html/a%20b.webp", "p.png") {
		page.WriteString(`<img src="` + name + `">`)
	}
	db := &model.Database{}
	text := model.NewGuidingText()
	text.HTML = true
	text.SetContents(nil, []model.LocalText{{Language: model.English, Text: page.String()}})
	db.AddText(text)
	db.AddGame(model.NewGame())
	sink := must.Get(write.Create(t.Context(), name, write.Options{}))(t)
	must.Do(t, model.Copy(t.Context(), sink, db, model.CopyOptions{}))
	for _, inFiles := range []bool{false, true} {
		v := open(t, name, inFiles)
		for name, want := range map[string]string{"beside.gif": "image/gif", "inside.jpg": "image/jpeg", "old.bmp": "image/bmp", "a b.webp": "image/webp", "p.png": "image/png"} {
			var got picture
			if ask(t, v, "picture", &got, "id", "1", "name", name); got.Type != want || len(got.Data) < 4 {
				t.Errorf("%s: %s %q", name, got.Type, got.Data)
			}
			if err := tryAsk(t.Context(), v, "picture", &got, "id", "2", "name", name); !errors.Is(err, ErrRequest) {
				t.Errorf("%s of a game: %v", name, err)
			}
		}
		for _, name := range refused {
			var got picture
			err := tryAsk(t.Context(), v, "picture", &got, "id", "1", "name", name)
			if !errors.Is(err, ErrRequest) && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, model.ErrUnsupported) && !errors.Is(err, model.ErrTooLarge) || len(got.Data) > 0 {
				t.Errorf("%q is given out: %v", name, err)
			}
			if err != nil && strings.ContainsAny(err.Error(), "\x00\n") {
				t.Errorf("%q", err)
			}
		}
	}
}
