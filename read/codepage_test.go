package read_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/bulk"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// guessOf guesses the page of a database.
func guessOf(t *testing.T, path string) model.PageGuess {
	t.Helper()
	set := must.Get(read.FindFiles(path))(t)
	return must.Get(read.GuessCodePage(context.Background(), set))(t)
}

// Hedgehog is Russian; the other real databases speak for no page.
func TestGuessCodePage(t *testing.T) {
	for name, want := range map[string]string{
		"hedgehog/Hedgehog": "1251", "twic1134/twic1134": "1252", "mate2/Mate2": "1252",
	} {
		if g := guessOf(t, corpus.Path(t, "cbh/"+name+".cbh")); g.Page != want || g.Clear != (want != "1252") {
			t.Errorf("%s: %+v", name, g)
		}
	}
}

// Databases with names alone, of several countries each, in six pages.
func TestGuessGeneratedDatabases(t *testing.T) {
	lists := map[string][]string{
		"1251": {"Алехин, Александр", "Чигорин, Михаил", "Нежметдинов, Рашид", "Щевченко, Юлия", "Радулов, Иван", "Стойкович, Милан",
			"Ђурић, Стефан", "Бронштейн, Давид", "Жилин, Пётр", "Яковлев, Эдуард", "Хасанов, Ильдар", "Цветков, Александър"},
		"866": {"Алехин, Александр", "Чигорин, Михаил", "Нежметдинов, Рашид", "Шевченко, Юлия", "Радулов, Иван", "Бронштейн, Давид",
			"Жилин, Петр", "Яковлев, Эдуард", "Хасанов, Ильдар", "ЦВЕТКОВ, АЛЕКСАНДР"},
		"koi8-r": {"Алехин, Александр", "Чигорин, Михаил", "Нежметдинов, Рашид", "Шевченко, Юлия", "Радулов, Иван", "Бронштейн, Давид",
			"Жилин, Петр", "Яковлев, Эдуард", "Хасанов, Ильдар", "ЦВЕТКОВ, АЛЕКСАНДР"},
		"1250": {"Réti, Richard", "Pachman, Luděk", "Smejkal, Jan", "Kavalek, Lubomír", "Filip, Miroslav", "Jansa, Vlastimil", "Plachetka, Ján",
			"Śliwa, Bogdan", "Gdański, Jacek", "Świercz, Dariusz", "Piotr Bobraś", "Jabłoński", "Barcza, Gedeon", "Bilek, István", "Rapport, Richárd",
			"Szabó, László", "Balogh, Csaba", "Ilić, Luka", "Ivanišević, Ivan", "Matulović, Milan", "Gheorghiu, Florin", "Ciocâltea, Victor", "Ghițescu"},
		"1253": {"Σιαπέρας, Τριαντάφυλλος", "Μπανίκας, Χρήστος", "Χαλκιάς, Σταύρος", "Βουλδής, Άγγελος", "Τσορμπατζόγλου", "Νατσίδης", "Μακρόπουλος, Γιώργος"},
		"1254": {"Solak, Dragan", "Can, Emre", "Haznedaroğlu, Kıvanç", "Şen, Çağıl", "Yakuboğlu", "Köksal, Işık", "Ünver, Ömer", "Özen, Deniz", "Karagöz, Barış", "İzmir"},
		"1252": {"Hübner, Robert", "Sánchez, Luis", "Nuñez, José", "Tukmakov", "Bjørnsson", "Åberg, Lars", "Ólafsson, Friðrik", "Pétursson", "Hjartarson, Jóhann",
			"Þorsteinsson", "Mecking, Henrique", "Magalhães", "Préville, François", "Gómez, Ángel", "Müller, Jörg", "Öst, Å"},
	}
	for page, names := range lists {
		for n := 1; n <= 3; n++ { // all, and two halves
			t.Run(fmt.Sprint(page, " ", n), func(t *testing.T) {
				db := &model.Database{}
				for i, name := range names {
					if n > 1 && i%2 != n%2 && len(names) > 12 {
						continue
					}
					g := &model.Game{Header: model.NewHeader()}
					g.White = db.Tables.Players.Intern(model.ParsePlayer(name))
					db.AddGame(g)
				}
				path := filepath.Join(gen.Folder(t), "x.cbh")
				sink := must.Get(write.Create(context.Background(), path, write.Options{CodePage: page, AcceptLosses: true}))(t)
				must.Do(t, model.Copy(context.Background(), sink, db, model.CopyOptions{}))
				if g := guessOf(t, path); g.Page != page {
					t.Errorf("%v: %+v", g, g.Candidates)
				}
			})
		}
	}
}

// placesFS counts the places of 4 KiB of a file that are read.
type placesFS struct {
	fs.FS
	ending string
	seen   map[int64]bool
}

func (f placesFS) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	if at, is := file.(*os.File); is && strings.HasSuffix(name, f.ending) {
		return placesFile{at, f.seen}, err
	}
	return file, err
}

type placesFile struct {
	*os.File
	seen map[int64]bool
}

func (f placesFile) ReadAt(p []byte, at int64) (int, error) {
	for i := at >> 12; i <= (at+int64(len(p))-1)>>12; i++ {
		f.seen[i] = true
	}
	return f.File.ReadAt(p, at)
}

// A guess looks at few places of a large file: each costs a disk, and a browser that
// reads for WebAssembly, more than the records at it.
func TestGuessLooksAtFewPlaces(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 30,000 games")
	}
	dir := t.TempDir()
	sink := must.Get(write.Create(context.Background(), filepath.Join(dir, "x.cbh"), write.Options{}))(t)
	must.Do(t, model.Copy(context.Background(), sink, bulk.New(bulk.Options{Games: 30000}), model.CopyOptions{}))
	seen := map[int64]bool{}
	set, err := read.FindFilesFS(placesFS{os.DirFS(dir), ".cbh", seen}, "x.cbh")
	if err == nil {
		_, err = read.GuessCodePage(context.Background(), set)
	}
	if err != nil || len(seen) < 20 || len(seen) > 100 {
		t.Errorf("%d places of 4 KiB: %v", len(seen), err)
	}
}
