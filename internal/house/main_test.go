package house

import (
	"archive/zip"
	"log"
	"os"
	"path/filepath"
	"testing"

	"cbkit"
	"cbkit/archive"
	"cbkit/compose"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/internal/testkit/roomy"
	"cbkit/model"
)

func TestMain(m *testing.M) {
	if err := os.Chdir(filepath.Join("..", "..")); err != nil {
		log.Fatal(err)
	}
	os.Exit(roomy.Run(m))
}

// library makes a database of two games.
func library() *model.Database {
	db := new(model.Database)
	legal := compose.New(compose.Header{White: "Légal", Black: "Saint Brie", Event: "Paris", Date: "1750.??.??", Result: "1-0"})
	legal.Play("e4", "e5", "Bc4", "d6", "Nf3", "Bg4", "Nc3", "g6", "Nxe5", "Bxd1").Comment("Takes a queen").Symbol(model.NAGBlunder)
	legal.Variation(func(v *compose.Line) { v.Play("dxe5", "Qxg4") }).Play("Bxf7+", "Ke7", "Nd5#")
	opera := compose.New(compose.Header{White: "Morphy, Paul", Black: "Duke Karl", Event: "Paris", Date: "1858.11.02", Result: "1-0"})
	opera.Play("e4", "e5", "Nf3", "d6", "d4", "Bg4")
	for _, g := range []*compose.Game{legal, opera} {
		if _, err := g.AddTo(db); err != nil {
			log.Fatal(err)
		}
	}
	return db
}

// packedLibrary makes an archive of a database.
func packedLibrary(t *testing.T) (path string) {
	t.Helper()
	dir := gen.Folder(t)
	must.Do(t, cbkit.Save(t.Context(), filepath.Join(dir, "Classics.cbh"), library(), cbkit.SaveOptions{}))
	path = filepath.Join(dir, "Classics.cbv")
	files := must.Get(archive.Files(os.DirFS(dir), namesIn(t, dir)...))(t)
	must.Do(t, archive.Create(t.Context(), path, files, archive.CreateOptions{}))
	return path
}

// saveZip makes a zip of a file.
func saveZip(t *testing.T, path, name string) {
	t.Helper()
	data := must.Get(os.ReadFile(name))(t)
	out := must.Get(os.Create(path))(t)
	defer out.Close()
	w := zip.NewWriter(out)
	f := must.Get(w.Create(filepath.Base(name)))(t)
	must.Get(f.Write(data))(t)
	must.Do(t, w.Close())
}
