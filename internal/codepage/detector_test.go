package codepage

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
)

// names are players and towns of several countries, as a database of that
// page has them.
var names = map[string]string{
	"1251": `Каспаров, Гарри;Карпов, Анатолий;Крамник, Владимир;Ботвинник, Михаил;Смыслов, Василий;Петросян, Тигран;
		Спасский, Борис;Таль, Михаил;Геллер, Ефим;Полугаевский, Лев;Москва;Ленинград;Чемпионат СССР;Свердловск;Ноябрь;
		Іванчук, Василь;Київ;Топалов, Веселин;София;Георгиев, Кирил;Глигорић, Светозар;Београд;Щербаков, Юрий;Эйнгорн, Вячеслав`,
	"1250": `Dvořák, Jiří;Hort, Vlastimil;Navara, David;Babula, Vlastimil;Štohl, Igor;Movsesian, Sergej;Ftáčnik, Ľubomír;
		Wojtaszek, Radosław;Krasenkow, Michał;Kempiński, Robert;Macieja, Bartłomiej;Socko, Bartosz;Dąbrowska, Małgorzata;Łódź;Kraków;
		Lékó, Péter;Almási, Zoltán;Győző, Forintos;Szőke, Sándor;Portisch, Lajos;Polgár, Judit;Kőszeg;Gligorić, Svetozar;
		Ljubojević, Ljubomir;Kožul, Zdenko;Beliavsky, Aleksander;Băleanu, Ion;Nisipeanu, Liviu;Vajda, Szidonia;Müller, Karsten;Pětrošovice`,
	"1252": `Müller, Karsten;Hübner, Robert;Hernández, José;García, Gildardo;Núñez, Ramón;Lautier, Joël;Bacrot, Étienne;
		Sørensen, Jørgen;Åkesson, Ralf;Stefánsson, Hannes;Guðmundsson, Friðrik;Þórhallsson, Þröstur;Simões, João;Magalhães, André;
		Nybäck, Tomi;Põder, Sören;Forlì;François, Gérard;Ïkonen;Córdoba;São Paulo;Malmö;København`,
	"1253": `Παπαϊωάννου, Ιωάννης;Κοτρωνιάς, Βασίλειος;Γρίβας, Ευθύμιος;Σκέμπρης, Σπύρος;Αθήνα;Θεσσαλονίκη;Χαλκιδική;
		Μαστροβασίλης, Δημήτριος;Ελλάδα;Νικολαΐδης, Ιωάννης;Πρωτάθλημα;Ρόδος`,
	"1254": `Yılmaz, Mustafa;Atalık, Suat;Gürel, Ediz;Erdoğdu, Mert;Şanal, Vahap;Esen, Barış;Kanmazalp, Oğulcan;Öztürk, Kübra;
		İpatov, Alexander;İstanbul;Kuşadası;Çelik, Ayşe;Yıldız, Betül;Müller, Karsten;García, José;Muğla;Eskişehir`,
	"1257": `Šarūnas, Šulskis;Rozentalis, Eduardas;Čmilytė, Viktorija;Kveinys, Aloyzas;Žagarys;Šiauliai;Daulytė, Deimantė;
		Šķērsts, Jānis;Bērziņš, Kārlis;Lūsis, Pēteris;Rīga;Klovāns, Jānis;Ķeņģis;Mačiulis, Gintautas;Panevėžys`,
	"852": `Dvořák, Jiří;Hort, Vlastimil;Štohl, Igor;Ftáčnik, Ľubomír;Wojtaszek, Radosław;Krasenkow, Michał;Kempiński, Robert;
		Dąbrowska, Małgorzata;Łódź;Kraków;Lékó, Péter;Almási, Zoltán;Szőke, Sándor;Gligorić, Svetozar`,
	"850": `Müller, Karsten;Hübner, Robert;Hernández, José;García, Gildardo;Núñez, Ramón;Lautier, Joël;Bacrot, Étienne;
		Sørensen, Jørgen;Åkesson, Ralf;São Paulo;Malmö;København;Göteborg;Düsseldorf;Müller, Jörg`,
}

const ukrainians = `Іванчук, Василь;Пономарьов, Руслан;Ельянов, Павло;Ефіменко, Захар;Київ;Львів;Чемпіонат України;Моїсеєнко, Олександр;
	Білоцерківський, Євген;Дніпро;Харків;Кирило Шевченко;Жуковіїв, Їжак;Миколаїв`

var tables = map[string]*charmap.Charmap{
	"1250": charmap.Windows1250, "1251": charmap.Windows1251, "1252": charmap.Windows1252, "1253": charmap.Windows1253,
	"1254": charmap.Windows1254, "1257": charmap.Windows1257, "866": charmap.CodePage866, "koi8-r": charmap.KOI8R,
	"koi8-u": charmap.KOI8U, "iso-8859-5": charmap.ISO8859_5, "852": charmap.CodePage852, "850": charmap.CodePage850,
}

// listOf returns the names for a page that it can hold.
func listOf(page string) (list []string) {
	text := names[page]
	switch page {
	case "866", "koi8-r", "koi8-u", "iso-8859-5":
		text = names["1251"]
	}
	if page == "koi8-u" {
		text = ukrainians
	}
	for name := range strings.SplitSeq(text, ";") {
		if b, err := tables[page].NewEncoder().String(strings.TrimSpace(name)); err == nil {
			list = append(list, b)
		}
	}
	return list
}

// Names in every page are recognised, all of them and any twelve.
func TestPages(t *testing.T) {
	for page := range tables {
		t.Run(page, func(t *testing.T) {
			list := listOf(page)
			random := rand.New(rand.NewPCG(1, 2))
			for round := range 20 {
				var d Detector
				part := list
				if round > 0 {
					random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
					part = list[:min(12, len(list))]
				}
				for _, name := range part {
					d.Add([]byte(name))
				}
				g := d.Guess()
				if g.Page != page || g.Clear != (page != Default) {
					t.Errorf("round %d: %v; %+v", round, g, g.Candidates[:3])
				}
			}
		})
	}
}

// Nothing is guessed of what says nothing.
func TestNoGuess(t *testing.T) {
	for name, texts := range map[string][]string{
		"nothing": nil, "ASCII": {"Kasparov, Garry"}, "UTF-8": {"Каспаров, Гарри", "Dvořák"},
		"one name": {"M\xfcller"}, "two letters of Turkish": {"Y\xfdlmaz"}, "garbage": {"\x81\x8d\x8f\x90\x9d", "\xff\xfe\xfd"},
		"western letters that 1250 and 1254 have too": {"M\xfcller", "Jos\xe9", "J\xf6rg", "Malm\xf6", "Gar\xe7on"},
	} {
		var d Detector
		for _, text := range texts {
			d.Add([]byte(text))
		}
		if g := d.Guess(); g.Page != Default || g.Clear {
			t.Errorf("%s: %v", name, g)
		}
	}
}

// A database with names in two pages is not read in one of them.
func TestMixture(t *testing.T) {
	var d Detector
	for _, name := range slices.Concat(listOf("1252"), listOf("1251")[:6]) {
		d.Add([]byte(name))
	}
	if g := d.Guess(); g.Clear {
		t.Errorf("%v", g)
	}
}

func FuzzDetector(f *testing.F) {
	f.Add([]byte("Y\xfdlmaz"), []byte("\xca\xe0\xf1"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		var d Detector
		d.Add(a)
		d.Add(b)
		g := d.Guess()
		if g.String() == "" || g.Letters > len(a)+len(b) || g.Clear == (g.Page == Default) {
			t.Errorf("%+v", g)
		}
	})
}
