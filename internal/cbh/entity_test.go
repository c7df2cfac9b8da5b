package cbh

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cbkit/model"

	"pgregory.net/rapid"
)

func ExampleEntityCodec_Merge() {
	raw, _ := Players.Append(nil, model.Player{LastName: "Carlson", FirstName: "M"}, CodePage{})
	copy(raw[40:], "garbage") // as ChessBase leaves it
	EntityUse{Count: 2, First: 17}.Put(raw)

	v := Players.Decode(raw, CodePage{})
	v.LastName = "Mårdell"
	raw, losses := Players.Merge(nil, v, raw, CodePage{})
	fmt.Printf("%q %v\n%+v\n", raw[:50], losses, DecodeEntityUse(raw))
	// Output:
	// "M\xe5rdell\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00M\x00\x00\x00\x00\x00\x00\x00\x00\x00garbage\x00\x00\x00" []
	// {Count:2 First:17}
}

const goldenEntityHeader = "b10a0000 11000000 d2029649 3a000000 ffffffff b10a0000 04000000 f8ce2f01"

func TestGoldenEntityHeader(t *testing.T) {
	h := EntityHeader{
		Capacity: 2737, Root: 17, PayloadSize: 58, FirstDeleted: NoLink, Live: 2737,
		Extension: []byte{0xF8, 0xCE, 0x2F, 0x01},
	}
	golden(t, "header", h.Append(nil), goldenEntityHeader)
	got, err := DecodeEntityHeader(append(h.Append(nil), 1, 2, 3))
	if err != nil || fmt.Sprint(got) != fmt.Sprint(h) || got.Size() != 32 {
		t.Errorf("%+v, %v", got, err)
	}
	checkTruncation(t, "header", unhex(goldenEntityHeader), func(b []byte) error {
		_, err := DecodeEntityHeader(b)
		return err
	})
	if err := Players.Check(&h); err != nil {
		t.Error(err)
	}
	if err := Teams.Check(&h); !errors.Is(err, model.ErrUnsupported) {
		t.Errorf("players as teams: %v", err)
	}
}

func TestBadEntityHeaders(t *testing.T) {
	for _, c := range []struct {
		at   int
		put  string
		want error
	}{
		{0, "ffffffff", model.ErrCorrupt},
		{8, "d3029649", model.ErrNotDatabase},
		{12, "07000000", model.ErrCorrupt},
		{24, "05000000", model.ErrTruncated},
		{24, "ffffffff", model.ErrTruncated},
		{24, "ffffff7f", model.ErrTruncated},
	} {
		b := unhex(goldenEntityHeader)
		copy(b[c.at:], unhex(c.put))
		if _, err := DecodeEntityHeader(b); !errors.Is(err, c.want) {
			t.Errorf("%s at %d: %v", c.put, c.at, err)
		}
	}
}

func TestEntityPartsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := rapid.Make[EntityHeader]().Draw(t, "header")
		h.Capacity &= math.MaxInt32
		h.PayloadSize = max(EntityUseSize, h.PayloadSize)
		got, err := DecodeEntityHeader(h.Append(nil))
		if err != nil || !bytes.Equal(got.Extension, h.Extension) {
			t.Fatalf("%+v becomes %+v, %v", h, got, err)
		}
		got.Extension = h.Extension
		if fmt.Sprint(got) != fmt.Sprint(h) {
			t.Fatalf("%+v becomes %+v", h, got)
		}
		l := rapid.Make[EntityLinks]().Draw(t, "links")
		if got, err := DecodeEntityLinks(l.Append(nil)); err != nil || got != l {
			t.Fatalf("%+v becomes %+v, %v", l, got, err)
		}
		u := rapid.Make[EntityUse]().Draw(t, "use")
		payload := rapid.SliceOfN(rapid.Byte(), EntityUseSize, 60).Draw(t, "payload")
		head := bytes.Clone(payload[:len(payload)-EntityUseSize])
		u.Put(payload)
		if DecodeEntityUse(payload) != u || !bytes.HasPrefix(payload, head) || len(payload) != len(head)+EntityUseSize {
			t.Fatalf("%+v becomes %+v", u, DecodeEntityUse(payload))
		}
	})
	if DecodeEntityUse([]byte{1, 2, 3}) != (EntityUse{}) {
		t.Error("a payload that is too short")
	}
	golden(t, "deleted", EntityLinks{Left: DeletedLink, Right: NoLink}.Append(nil), "19fcffff ffffffff 00")
}

// drawFitting draws a text of the page that fits in size bytes with its NUL.
func drawFitting(t *rapid.T, label string, size int) string {
	letters := rapid.SampledFrom([]rune("abcXYZ ,.-éåÖß€жЮ"))
	s := string(rapid.SliceOfN(letters, 0, size).Draw(t, label))
	field, _ := CodePage{}.AppendField(nil, s, size)
	return CodePage{}.DecodeField(field)
}

func drawDate(t *rapid.T, label string) model.Date {
	return UnpackDate(rapid.Uint32Range(0, dateBits).Draw(t, label))
}

func drawPlayer(t *rapid.T) model.Player {
	return model.Player{LastName: drawFitting(t, "last", 30), FirstName: drawFitting(t, "first", 20)}
}

func drawTournament(t *rapid.T) model.Tournament {
	v := rapid.Make[model.Tournament]().Draw(t, "tournament")
	v.Title, v.Place = drawFitting(t, "title", 40), drawFitting(t, "place", 30)
	v.Start, v.End = drawDate(t, "start"), drawDate(t, "end")
	v.Type.System &= 31
	v.Latitude = rapid.Float64Range(-90, 90).Draw(t, "latitude")
	v.Longitude = rapid.Float64Range(-180, 180).Draw(t, "longitude")
	rules := slices.Index(v.TieBreaks[:], 0)
	if rules >= 0 {
		clear(v.TieBreaks[rules:])
	}
	return v
}

// cbtOnly is a tournament without what the .cbtt file holds.
func cbtOnly(v model.Tournament) model.Tournament {
	v.End, v.Latitude, v.Longitude, v.TieBreaks = model.Date{}, 0, 0, [10]uint8{}
	return v
}

func drawAnnotator(t *rapid.T) model.Annotator {
	return model.Annotator{Name: drawFitting(t, "name", 45)}
}

func drawPublication(t *rapid.T) model.Publication {
	v := rapid.Make[model.Publication]().Draw(t, "publication")
	v.Title, v.Publisher = drawFitting(t, "title", 25), drawFitting(t, "publisher", 16)
	v.Published, v.Date = drawDate(t, "published"), drawDate(t, "date")
	return v
}

func drawTeam(t *rapid.T) model.Team {
	v := rapid.Make[model.Team]().Draw(t, "team")
	v.Title = drawFitting(t, "title", 45)
	return v
}

func drawGameTitle(t *rapid.T) (v model.GameTitle) {
	for i := range v.Titles {
		v.Titles[i] = drawFitting(t, "title", titleSize)
	}
	return v
}

func TestEntitiesRoundTrip(t *testing.T) {
	t.Run("players", rapid.MakeCheck(func(t *rapid.T) { checkEntity(t, &Players, drawPlayer) }))
	t.Run("tournaments", rapid.MakeCheck(func(t *rapid.T) {
		checkEntity(t, &Tournaments, func(t *rapid.T) model.Tournament { return cbtOnly(drawTournament(t)) })
	}))
	t.Run("annotators", rapid.MakeCheck(func(t *rapid.T) { checkEntity(t, &Annotators, drawAnnotator) }))
	t.Run("sources", rapid.MakeCheck(func(t *rapid.T) { checkEntity(t, &Sources, drawPublication) }))
	t.Run("teams", rapid.MakeCheck(func(t *rapid.T) { checkEntity(t, &Teams, drawTeam) }))
	t.Run("titles", rapid.MakeCheck(func(t *rapid.T) { checkEntity(t, &GameTitles, drawGameTitle) }))
}

func checkEntity[T comparable](t *rapid.T, c *EntityCodec[T], draw func(*rapid.T) T) {
	v := draw(t)
	b, losses := c.Append([]byte{9}, v, CodePage{})
	if got := c.Decode(b[1:], CodePage{}); got != v || len(losses) != 0 || len(b) != 1+c.Size || b[0] != 9 {
		t.Fatalf("%+v becomes %+v (%v)", v, got, losses)
	}
	// Any bytes come back when their value did not change.
	raw := rapid.SliceOfN(rapid.Byte(), c.Size, c.Size).Draw(t, "raw")
	old := c.Decode(raw, CodePage{})
	kept, losses := c.Merge(nil, old, raw, CodePage{})
	if !bytes.Equal(kept, raw) || len(losses) != 0 {
		t.Fatalf("% x becomes % x (%v)", raw, kept, losses)
	}
	// A new value goes over any bytes and leaves the use alone.
	merged, losses := c.Merge(nil, v, raw, CodePage{})
	if got := c.Decode(merged, CodePage{}); got != v || len(losses) != 0 || DecodeEntityUse(merged) != DecodeEntityUse(raw) {
		t.Fatalf("%+v becomes %+v (%v)", v, got, losses)
	}
	checkCompare(t, &c.EntityFile, [][]byte{raw, merged, b[1:]})
}

// checkCompare proves that an order is one.
func checkCompare(t *rapid.T, f *EntityFile, payloads [][]byte) {
	for _, signed := range []bool{false, true} {
		for _, a := range payloads {
			for _, b := range payloads {
				if f.Compare(a, b, signed) != -f.Compare(b, a, signed) {
					t.Fatalf("% x and % x", a, b)
				}
				for _, c := range payloads {
					if f.Compare(a, b, signed) <= 0 && f.Compare(b, c, signed) <= 0 && f.Compare(a, c, signed) > 0 {
						t.Fatalf("% x, % x and % x", a, b, c)
					}
				}
			}
		}
	}
}

func TestEntityLosses(t *testing.T) {
	long := model.Tournament{
		Title: "The Tournament of Candidates for the World Championship",
		Start: model.Date{Year: 5000, Month: 1}, Type: model.EventType{System: 32},
		End: model.Date{Year: 2013},
	}
	b, losses := Tournaments.Append(nil, long, CodePage{})
	want := []model.Loss{
		{Kind: model.LostTextEnd, Field: "title", What: `"The Tournament of Candidates for the World Championship" is cut to "The Tournament of Candidates for the Wo"`},
		{Kind: model.LostField, Field: "start date", What: "5000.01.?? becomes ????.01.??"},
		{Kind: model.LostField, Field: "system", What: "32 is more than 31"},
	}
	if !slices.Equal(losses, want) {
		t.Errorf("losses %v", losses)
	}
	if got := Tournaments.Decode(b, CodePage{}); got.Title != long.Title[:39] || got.Start.Month != 1 || got.Type.System != 0 {
		t.Errorf("%+v", got)
	}
	// A team's title fills its field, to the last byte.
	title := "Kocaeli Buyuksehir Belediyesi Kagit Spor Kulu"
	b, losses = Teams.Append(nil, model.Team{Title: title}, CodePage{})
	if got := Teams.Decode(b, CodePage{}); got.Title != title || len(losses) != 0 {
		t.Errorf("%+v, %v", got, losses)
	}
	b, losses = Teams.Append(nil, model.Team{Title: title + "bu", Number: 5}, CodePage{})
	if got := Teams.Decode(b, CodePage{}); got.Title != title || got.Number != 5 || len(losses) != 1 {
		t.Errorf("%+v, %v", got, losses)
	}
	// Payloads of the wrong size are harmless.
	if got := Teams.Decode(b[:50], CodePage{}); got.Title != title || got.Year != 0 {
		t.Errorf("%+v", got)
	}
	if Teams.Compare(b[:50], b, true) != 0 {
		t.Error("a payload that is too short has an order")
	}
}

func TestEntityOrder(t *testing.T) {
	var p CodePage
	// Each list ascends.
	players := []model.Player{{}, {LastName: "", FirstName: "A"}, {LastName: "A"}, {LastName: "A", FirstName: "B"}, {LastName: "AB"}, {LastName: "Z"}, {LastName: "a"}}
	ascending(t, &Players, false, players)
	ascending(t, &Players, true, players)
	// docs/formats/cbh-entities.md 7.2: 2016 unsigned, about 2003 signed.
	ascending(t, &Players, false, []model.Player{{LastName: "Many..."}, {LastName: "More..."}, {LastName: "Mårdell"}})
	ascending(t, &Players, true, []model.Player{{LastName: "Lékó"}, {LastName: "Larsen"}})
	ascending(t, &Tournaments, true, []model.Tournament{
		{Title: "Z", Start: model.Date{Year: 2017}},
		{Title: "A", Start: model.Date{Year: 2016, Month: 1}},
		{Title: "A", Place: "A", Start: model.Date{Year: 2016, Month: 3, Day: 2}},
		{Title: "A", Place: "A", Start: model.Date{Year: 2016, Month: 3, Day: 1}},
		{Title: "A", Place: "A", Start: model.Date{Year: 2016, Month: 2, Day: 9}},
		{Title: "B"},
	})
	ascending(t, &Teams, false, []model.Team{
		{Title: "A", Number: -1}, {Title: "A", Season: true, Year: 2016}, {Title: "A", Year: -5}, {Title: "A", Year: 2015},
		{Title: "A", Year: 2015, Nation: 1}, {Title: "A", Number: 1}, {Title: "B"},
	})
	ascending(t, &GameTitles, false, []model.GameTitle{
		{}, {Titles: [8]string{7: "A"}}, {Titles: [8]string{2: "A"}}, {Titles: [8]string{"A", "A"}}, {Titles: [8]string{"A", "B"}},
	})
	ascending(t, &Annotators, true, []model.Annotator{{Name: "Übel"}, {}, {Name: "Nunn"}})
	ascending(t, &Sources, true, []model.Publication{{Title: "A", Publisher: "Z"}, {Title: "B"}})
	a, _ := Sources.Append(nil, model.Publication{Title: "A", Publisher: "Z"}, p)
	b, _ := Sources.Append(nil, model.Publication{Title: "A", Publisher: "Y"}, p)
	if Sources.Compare(a, b, true) != 0 {
		t.Error("the publisher of a source counts in the order")
	}
}

// Orders that ChessBase itself has made. In signed files the end of a string, a
// 0, comes behind the letters that are negative.
func TestRecordedOrders(t *testing.T) {
	ascending(t, &Annotators, true, []model.Annotator{{Name: "È"}, {Name: "ågren"}, {Name: "ûrgh"}, {}, {Name: "Foo"}})
	ascending(t, &Annotators, true, []model.Annotator{{Name: "Lundén"}, {Name: "Lund"}, {Name: "Lunda"}})
	ascending(t, &Sources, true, []model.Publication{
		{Title: "Öhh"}, {Title: "äsch"}, {}, {Title: "TE"}, {Title: "fooBar"},
	})
	var tournaments []model.Tournament
	for _, title := range []string{"¤", "Ärgh", "Åre", "öde", "", "ABC", "Foo", "Zoo", "tjoss"} {
		tournaments = append(tournaments, model.Tournament{Title: title, Start: model.Date{Year: 2016}})
	}
	ascending(t, &Tournaments, true, tournaments)
	ascending(t, &Players, false, []model.Player{{LastName: "Blo"}, {LastName: "Blö"}, {LastName: "moo"}, {LastName: "tjo"},
		{LastName: "¤"}, {LastName: "Åland"}, {LastName: "É"}, {LastName: "Öland"}, {LastName: "Û"}})
	ascending(t, &Teams, false, []model.Team{{Title: "Blo"}, {Title: "Blö"}, {Title: "moo"}, {Title: "åäö"}, {Title: "èbasd"}})
	// A name that fills its field has no NUL and ends there all the same.
	long := strings.Repeat("x", 44)
	ascending(t, &Annotators, true, []model.Annotator{{Name: long[:43] + "é"}, {Name: long[:43]}, {Name: long}})
}

func ascending[T comparable](t *testing.T, c *EntityCodec[T], signed bool, list []T) {
	t.Helper()
	for i := range list {
		for j := range list {
			a, _ := c.Append(nil, list[i], CodePage{})
			b, _ := c.Append(nil, list[j], CodePage{})
			if got, want := c.Compare(a, b, signed), cmp.Compare(i, j); got != want {
				t.Errorf("%+v and %+v: %d, not %d", list[i], list[j], got, want)
			}
		}
	}
}

func FuzzEntities(f *testing.F) {
	f.Add(unhex(goldenEntityHeader))
	f.Add(EntityLinks{Left: 1, Right: -1}.Append(nil))
	for _, g := range goldenEntities {
		f.Add(unhex(g.hex))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if h, err := DecodeEntityHeader(b); err == nil && !bytes.Equal(h.Append(nil), b[:h.Size()]) {
			t.Error("header changed")
		}
		if l, err := DecodeEntityLinks(b); err == nil && !bytes.Equal(l.Append(nil), b[:EntityLinksSize]) {
			t.Error("links changed")
		}
		DecodeEntityUse(b)
		fuzzEntity(t, &Players, b)
		fuzzEntity(t, &Tournaments, b)
		fuzzEntity(t, &Annotators, b)
		fuzzEntity(t, &Sources, b)
		fuzzEntity(t, &Teams, b)
		fuzzEntity(t, &GameTitles, b)
	})
}

func fuzzEntity[T comparable](t *testing.T, c *EntityCodec[T], b []byte) {
	v := c.Decode(b, CodePage{})
	if v != c.Decode(b, CodePage{}) {
		t.Errorf("%+v does not equal itself", v)
	}
	c.Compare(b, b, true)
	raw := make([]byte, c.Size)
	copy(raw, b)
	if got, losses := c.Merge(nil, c.Decode(raw, CodePage{}), raw, CodePage{}); !bytes.Equal(got, raw) || len(losses) != 0 {
		t.Errorf("%s changed: % x becomes % x", c.Name, raw, got)
	}
}

func BenchmarkDecodePlayer(b *testing.B) {
	payload, _ := Players.Append(nil, model.Player{LastName: "Nepomniachtchi", FirstName: "Ian"}, CodePage{})
	b.SetBytes(int64(len(payload)))
	b.ReportAllocs()
	for b.Loop() {
		Players.Decode(payload, CodePage{})
	}
}

func BenchmarkComparePlayers(b *testing.B) {
	x, _ := Players.Append(nil, model.Player{LastName: "Nepomniachtchi", FirstName: "Ian"}, CodePage{})
	y, _ := Players.Append(nil, model.Player{LastName: "Nepomniachtchi", FirstName: "Igor"}, CodePage{})
	b.ReportAllocs()
	for b.Loop() {
		Players.Compare(x, y, false)
	}
}

// Databases of old programs have no teams and no game titles.
func TestOptionalFiles(t *testing.T) {
	for _, f := range EntityFiles {
		if f.Optional() != (f.Ext == ".cbe" || f.Ext == ".cbl") {
			t.Errorf("%s: optional %v", f.Ext, f.Optional())
		}
	}
}

// A tournament without a nation gets that of its place, unless it was stored without.
func TestCountryOfPlaces(t *testing.T) {
	const nation = 76
	stored := func(tournament model.Tournament, raw []byte) byte {
		b, losses := Tournaments.Merge(nil, tournament, raw, CodePage{})
		if len(losses) > 0 {
			t.Errorf("%v: %v", tournament, losses)
		}
		return b[nation]
	}
	sui, _ := model.ParseNation("SUI")
	fra, _ := model.ParseNation("FRA")
	biel := model.Tournament{Place: "Biel SUI"}
	without, _ := Tournaments.Append(nil, biel, CodePage{})
	without[nation] = 0
	changed := biel
	changed.Rounds = 9
	moved := biel
	moved.Place = "Paris FRA"
	for _, c := range []struct {
		tournament model.Tournament
		raw        []byte
		want       model.Nation
	}{
		{biel, nil, sui}, {model.Tournament{Place: "SUI"}, nil, sui}, {model.Tournament{Place: "Biel SUIS"}, nil, 0},
		{model.Tournament{Place: "BielSUI"}, nil, 0}, {model.Tournament{Place: "Biel sui"}, nil, 0}, {model.Tournament{Place: "Biel SUI "}, nil, 0},
		{model.Tournament{Place: "Biel SUI", Nation: fra}, nil, fra},
		{biel, without, 0}, {changed, without, 0}, {moved, without, fra},
	} {
		if got := stored(c.tournament, c.raw); got != byte(c.want) {
			t.Errorf("%+v on %t: nation %d, want %d", c.tournament, c.raw != nil, got, c.want)
		}
	}
}
