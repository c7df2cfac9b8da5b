package cbh2

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// A vector is a piece of a database and what it says.
type vector struct {
	What, Kind, Hex string
	Expect          json.RawMessage
	Tag, Entity     int
}

// latin reads what is no UTF-8, as far as the vectors have it.
func latin(b []byte) string {
	return strings.NewReplacer("\x93", "“", "\x94", "”", "\xe9", "é").Replace(string(b))
}

// Vectors of the description decode to what it says, and encode back to their bytes.
func TestVectors(t *testing.T) {
	var list []vector
	must.Do(t, json.Unmarshal(corpus.Read(t, "../spec/2cbh-vectors.json"), &list))
	for _, v := range list {
		t.Run(v.Kind+" "+v.What, func(t *testing.T) {
			b := must.Get(hex.DecodeString(v.Hex))(t)
			check(t, v, b)
		})
	}
}

func check(t *testing.T, v vector, b []byte) {
	var e struct {
		Word08, RecordSize        uint16
		Version                   uint8
		NextID                    int32
		Size, HeaderSize          int64
		Types                     [][3]int64
		Code                      string
		Sub, Chess960             *int
		None                      bool
		Kind                      any
		TimeControl, List, Nation int16
		Name, Moves               string
		Deleted, Text             bool
		Tag                       uint16
		Content, Spare, Length    int
		Checksum                  string
		Last, First               string
		CBID, FIDE                int64
		Title, Publisher, Place   string
		Publication, Day          uint32
		Quality, Rounds, Category int
		Start, End                json.RawMessage
		Team, Flags               int
		Lat, Lon                  float64
		TieBreaks                 []uint8
		Number, Year              int
		Season                    bool
		Titles                    [][2]any
		Next                      int64
		Type                      uint16
		Stopped                   uint16
		Read                      [][2]int
		AnnotationPositions       []string
		Annotations               [][3]any
		Invalid                   bool
		White, Black              int64
		Result, Line              uint8
		Round                     []int16
		ECO                       uint16
		Date                      uint32
		Offset                    int64
		Bit49                     bool
		Depth, Balance            int16
		Page, Slot, Blocks        int32
		Root, Count               int64
		Left, Right, Parent       int64
		Key                       string
		Role                      Role
		Form                      string
		Games                     []int64
		FirstBlock, LastBlock     int64
	}
	json.Unmarshal(v.Expect, &e) // of kinds whose expectation is another thing the fields stay empty
	var word string
	json.Unmarshal(v.Expect, &word)
	same := func(what string, got, want any) {
		t.Helper()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	back := func(got []byte) {
		t.Helper()
		if !bytes.Equal(got, b) {
			t.Errorf("encoded:\n%x\nwant\n%x", got, b)
		}
	}
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	moves := func(content []byte, tag uint16) *Moves {
		t.Helper()
		var g Moves
		ok(g.Decode(tag, content))
		again, sameTag, err := AppendMoves(nil, &g)
		ok(err)
		if sameTag != tag || !bytes.Equal(again, content) {
			t.Errorf("moves encoded (%x):\n%x\nwant\n%x", sameTag, again, content)
		}
		return &g
	}
	switch v.Kind {
	case "2cbh-header":
		h, err := DecodeHeader(b)
		ok(err)
		same("header", h, Header{e.Word08, e.RecordSize, e.Version, e.NextID})
		back(h.Append(nil)[:20])
	case "2cbg-header", "2cba-header":
		h, err := DecodeBlobHeader(b)
		ok(err)
		same("size", h.Size, e.Size)
		same("version", h.Version, e.Version)
		back(h.Append(nil))
	case "lid-header":
		h, err := DecodeNamesHeader(b)
		ok(err)
		same("size", h.Size, e.HeaderSize)
		for i, want := range e.Types {
			same("type", [3]int64{h.Types[i].Record, h.Types[i].Count, h.Types[i].FirstDeleted}, want)
		}
		back(h.Append(nil))
	case "date":
		same("date", date(uint32(b[0])|uint32(b[1])<<8|uint32(b[2])<<16|uint32(b[3])<<24), word)
	case "eco":
		r := Record{ECO: uint16(b[0]) | uint16(b[1])<<8}
		switch {
		case e.Chess960 != nil:
			same("position", r.Chess960(), *e.Chess960)
		case e.Code != "":
			same("code", r.Opening().String()[:3], e.Code)
			same("sub", r.Opening().Sub(), *e.Sub)
		default:
			same("none", r.Opening(), model.ECO(0))
			same("position", r.Chess960(), -1)
		}
	case "rating":
		var r RatingType
		r.fields((*[14]byte)(b), false)
		same("rating", fmt.Sprint(r.Kind&7, r.Kind>>3, r.List, r.Nation, strings.TrimRight(string(r.Name[:]), "\x00")), fmt.Sprint(e.Kind, e.TimeControl, e.List, e.Nation, e.Name))
		again := make([]byte, len(b))
		r.fields((*[14]byte)(again), true)
		back(again)
	case "deleted":
		kind, deleted := KindOf(b)
		same("kind", fmt.Sprint(kind, deleted), fmt.Sprint(GameRecord, e.Deleted))
	case "created":
		same("time", creationTime(number64(b)).Format(time.RFC3339), word)
	case "changed":
		same("time", changeTime(number64(b)).Format(time.RFC3339), word)
	case "checksum":
		same("sum", fmt.Sprintf("%016x", Checksum(b)), word)
	case "move-word":
		w := uint16(b[0]) | uint16(b[1])<<8
		same("move", spoken(w), word)
		if w < firstCastling {
			same("word", table().wordOf(table().motions[w]), w)
		}
	case "piece-word":
		p, s, known := setUpPiece(uint16(b[0]) | uint16(b[1])<<8)
		same("piece", fmt.Sprintf("%c%v %v", p.Letter(), s, known), word+" true")
		same("word", setUpWord(p, s), uint16(b[0])|uint16(b[1])<<8)
	case "moves":
		g := moves(b, uint16(v.Tag))
		same("moves", printed(g), e.Moves)
		if e.AnnotationPositions != nil {
			var places []string
			for _, node := range Places(nil, &g.Tree) {
				places = append(places, shown(g.Tree.Move(int(node))))
			}
			same("places", places, e.AnnotationPositions)
		}
	case "moves-bad", "moves-illegal", "setup-bad":
		var g Moves
		if err := g.Decode(uint16(v.Tag), b); !errors.Is(err, model.ErrCorrupt) && !errors.Is(err, model.ErrTruncated) {
			t.Errorf("%v", err)
		}
	case "moves-960-setup":
		var g Moves
		err := g.Decode(TagChess960, b)
		if (err != nil) != (word == "refuse") {
			t.Fatal(err)
		}
		if err == nil && !g.Tree.Move(0).IsShortCastling() {
			t.Error(printed(&g))
		}
	case "setup-odd":
		var g Moves
		if err := g.Decode(TagGame, b); err == nil && g.Start.EnPassant != 3 {
			t.Error("en passant without the pawn")
		}
	case "moves-start", "tag-and-words":
		tag := uint16(TagGame)
		if v.Kind == "tag-and-words" {
			tag, b, word = uint16(b[0])|uint16(b[1])<<8, b[2:], e.First
			_ = e
		}
		var g Moves
		if err := g.Decode(tag, b); !errors.Is(err, model.ErrTruncated) {
			t.Error(err)
		}
		same("moves", printed(&g), strings.ReplaceAll(word, "fffd ", ""))
	case "words-partial":
		if strings.HasPrefix(v.Hex, "fcff") { // moves of a set-up that is not told
			same("moves", spoken(0xb016), "p e4f3 ep")
			break
		}
		var g Moves
		tag := uint16(TagGame)
		if bytes.HasPrefix(b[2:], []byte{0xe8, 3}) {
			tag = TagChess960
		}
		ok(g.start(tag, b[2:]))
		same("turn", g.Start.Turn, model.Color(b[4+2*int(tag-1)]&1))
	case "frame", "frame-start":
		h, err := DecodeFrameHead(b)
		ok(err)
		same("head", [3]int{int(h.Tag), h.Content, h.Spare}, [3]int{int(e.Tag), e.Content, e.Spare})
		if v.Kind == "frame-start" {
			same("size", h.Size(), e.Length)
			same("sum", fmt.Sprintf("%016x", h.Checksum), e.Checksum)
			break
		}
		_, content, err := DecodeFrame(b)
		ok(err)
		back(AppendFrame(nil, h.Tag, content, h.Spare))
		switch h.Tag {
		case TagGame, TagChess960:
			same("moves", printed(moves(content, h.Tag)), e.Moves)
		case TagAnnotations:
			list, err := DecodeAnnotations(nil, content, latin)
			ok(err)
			for i, want := range e.Annotations {
				same("annotation", fmt.Sprint(list[i].Place, list[i].Type, hex.EncodeToString(list[i].Data)), fmt.Sprint(want[0], want[1], want[2]))
			}
		}
	case "2cbh-record":
		var r Record
		ok(r.Decode(b))
		back(r.Append(nil))
		same("deleted", r.Deleted, e.Deleted)
		if r.Kind == GameRecord {
			same("game", fmt.Sprint(r.White, r.Black, r.Result, r.Line, []int16{r.Round, r.Sub, r.Board}, r.ECO, r.Date, r.Flags),
				fmt.Sprint(e.White, e.Black, e.Result, e.Line, e.Round, e.ECO, e.Date, e.Flags))
		}
	case "annotation":
		content := append(append([]byte{0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0}, b...), 0xff, 0xff, 0xff, 0x7f)
		list, err := DecodeAnnotations(nil, content, latin)
		ok(err)
		same("type", list[0].Type, e.Type)
		again, err := AppendAnnotations(nil, list)
		ok(err)
		if !bytes.Equal(again, content) && !strings.Contains(v.What, "cp1252") && !strings.Contains(v.What, "quotation") {
			t.Errorf("encoded %x, want %x (%v)", again, content, list[0].Value)
		}
		if q, is := list[0].Value.(model.Quotation); is || e.Type == typeQuotation {
			same("quotation", fmt.Sprintf("%v %v-%v %v %v %v %v (%d) %v %v", q.Result, q.White, q.Black, q.WhiteElo, q.Event, q.Site, q.Date, q.Round, q.ECO, q.Moves),
				"1-0 Morphy,Paul-Anderssen,Adolf 2690 Casual game Paris 1858.12.20 (3) A20 [d1d3 b7a8n]")
		}
	case "annotations":
		list, err := DecodeAnnotations(nil, b, latin)
		ok(err)
		again, err := AppendAnnotations(nil, list)
		ok(err)
		back(again)
	case "annotations-bad":
		if _, err := DecodeAnnotations(nil, b, latin); err == nil {
			t.Error("it was read")
		}
	case "annotations-stop":
		list, err := DecodeAnnotations(nil, b, latin)
		var stop *StopError
		if !errors.As(err, &stop) || stop.Type != e.Stopped || len(list) != len(e.Read) || !errors.Is(err, model.ErrUnsupported) {
			t.Error(list, err)
		}
	case "text":
		texts, err := DecodeText(b, latin)
		ok(err)
		want := map[string]string{}
		json.Unmarshal(v.Expect, &want)
		got := map[string]string{}
		for _, text := range texts {
			got[fmt.Sprint(int(text.Language))] = text.Text
		}
		same("texts", got, want)
		back(AppendText(nil, texts))
	case "entity":
		data, _, used, err := EntityData(b)
		if err != nil || !used {
			t.Fatal(used, err)
		}
		b = b[4:]
		switch EntityType(v.Entity) {
		case Players:
			p, err := DecodePlayer(data, latin)
			ok(err)
			same("player", p, Player{model.Player{LastName: e.Last, FirstName: e.First}, int32(e.CBID), e.FIDE})
			back(p.Append(nil))
		case Tournaments:
			tour, today, err := DecodeTournament(data, latin)
			ok(err)
			same("tournament", fmt.Sprintf("%s %s %v %d %d %d %d", tour.Title, tour.Place, tour.Nation, tour.Rounds, tour.Category, storedDate(tour.Start), storedDate(tour.End)),
				fmt.Sprintf("%s %s %v %d %d %s %s", e.Title, e.Place, model.Nation(e.Nation), e.Rounds, e.Category, e.Start, e.End))
			same("place", fmt.Sprintf("%.4f %.4f", tour.Latitude, tour.Longitude), fmt.Sprintf("%.4f %.4f", e.Lat, e.Lon))
			for i, rule := range e.TieBreaks {
				same("rule", tour.TieBreaks[i], tieBreaks[uint16(rule)])
			}
			back(AppendTournament(nil, tour, today))
		case Sources:
			s, err := DecodeSource(data, latin)
			ok(err)
			same("source", fmt.Sprint(s.Title, s.Publisher, storedDate(s.Published), storedDate(s.Date), s.Version, uint8(s.Quality)),
				fmt.Sprint(e.Title, e.Publisher, e.Publication, e.Day, e.Version, e.Quality))
			back(AppendSource(nil, s))
		case Teams:
			team, err := DecodeTeam(data, latin)
			ok(err)
			same("team", team, model.Team{Title: e.Title, Number: int32(e.Number), Season: e.Season, Year: int32(e.Year), Nation: model.Nation(e.Nation)})
			back(AppendTeam(nil, team))
		case Tags:
			tag, _, err := DecodeTag(data, latin)
			ok(err)
			for _, title := range e.Titles {
				same("title", tag.Titles[slices.Index(titleOrder[:], model.Language(title[0].(float64)))], title[1])
			}
		}
	case "entity-deleted":
		_, next, used, err := EntityData(b)
		ok(err)
		same("next", fmt.Sprint(next, used), fmt.Sprint(e.Next, true))
		back(AppendDeleted(nil, next))
	case "tiebreaks": // behind a tournament without names
		data := append(make([]byte, 8+58), b...)
		tour, _, err := DecodeTournament(append(data, make([]byte, 48)...), latin)
		ok(err)
		var rules []uint16
		ok(json.Unmarshal(v.Expect, &rules))
		for i, rule := range rules {
			same("rule", tour.TieBreaks[i], tieBreaks[rule])
		}
		same("rules", tour.TieBreaks[len(rules)], 0)
		back(AppendTournament(nil, tour, 0)[8+58 : 8+58+len(b)])
	case "media":
		r := Record{Kind: TextRecord, Media: number64(b)}
		same("media", [2]int64{r.Media & (1<<49 - 1), r.Media >> 49}, [2]int64{e.Offset, 1})
		back(r.Append(nil)[0x38:0x40])
	case "lcd-header":
		_, err := DecodeOrders(append(b, make([]byte, 2*OrderPageSize-len(b))...))
		ok(err)
		if _, err := DecodeOrders(append([]byte{1}, make([]byte, 2*OrderPageSize-1)...)); err == nil {
			t.Error("a wrong header is read")
		}
	case "lcd-catalog":
		head := append([]byte{0, 0, 0, 1, 0, 0, 0, 10, 0, 0, 16, 0}, make([]byte, OrderPageSize-12)...)
		orders, err := DecodeOrders(append(append(head, b...), make([]byte, OrderPageSize-len(b))...))
		ok(err)
		same("orders", orders, []Order{{Role: RolePlayer, Depth: e.Depth, Page: e.Page, Root: e.Root, Count: e.Count}})
	case "lcd-node":
		n, err := DecodeOrderNode(b)
		ok(err)
		same("node", n, OrderNode{e.Left, e.Right, e.Parent, OrderKey(nil, e.Key, true, false), e.Balance, e.Slot})
	case "lcd-key":
		same("key", OrderKey(nil, e.Last, true, false), binary.BigEndian.Uint64(b))
	case "lgd-header":
		blocks, err := DecodeListsHeader(b)
		ok(err)
		same("blocks", blocks, e.Blocks)
	case "lgd-heads":
		for role, l := range DecodeLists(b) {
			if Role(role) != e.Role {
				same("records of another role", l.Count, 0)
				continue
			}
			var ids, blocks []int64
			whole := l.Records(func(n int64) ([]int64, int64, bool) {
				blocks = append(blocks, n)
				if n == e.LastBlock {
					return make([]int64, 12), -1, true
				}
				return make([]int64, MostInBlock), n + 1, true
			}, func(id int64) { ids = append(ids, id) })
			same("whole, count", fmt.Sprint(whole, l.Count, len(ids)), fmt.Sprint(true, e.Count, e.Count))
			switch e.Form {
			case "chain":
				same("blocks", fmt.Sprint(blocks[0], blocks[len(blocks)-1]), fmt.Sprint(e.FirstBlock, e.LastBlock))
			case "range":
				var want struct{ First, Last int64 }
				ok(json.Unmarshal(v.Expect, &want))
				same("range", []int64{ids[0], ids[len(ids)-1]}, []int64{want.First, want.Last})
			default:
				same("records", ids, e.Games)
			}
		}
	default:
		t.Errorf("nothing checks %s", v.Kind)
	}
}

// spoken returns a move word as the vectors have it.
func spoken(w uint16) string {
	if w >= firstCastling && w < firstPiece {
		n := w - firstCastling
		s := [4]string{"O-O-O white", "O-O white", "O-O-O black", "O-O black"}[n%4]
		if n >= 4 {
			s += fmt.Sprintf(", Chess960 %d", n/4-1)
		}
		return s
	}
	if int(w) >= firstCastling {
		return map[uint16]string{wordNull: "null move"}[w]
	}
	m := &table().motions[w]
	s := fmt.Sprintf("%c %v%v", m.piece.Letter(), m.from, m.to)
	if m.enPassant {
		return s + " ep"
	}
	if m.captured != model.NoPieceType {
		s += fmt.Sprintf("x%c", m.captured.Letter())
	}
	if m.becomes != model.NoPieceType {
		s += strings.ToLower(string(rune(m.becomes.Letter())))
	}
	return s
}

// printed returns moves with their variations as the vectors have them.
func printed(g *Moves) string {
	var out []string
	var walk func(node int)
	walk = func(node int) {
		for next := g.Tree.Main(node); next != model.NoNode; next = g.Tree.Main(next) {
			out = append(out, shown(g.Tree.Move(next)))
			for a := range g.Tree.Alternatives(next) {
				out = append(out, "(", shown(g.Tree.Move(a)))
				walk(a)
				out = append(out, ")")
			}
		}
	}
	walk(model.NoNode)
	return strings.Join(out, " ")
}

func shown(m model.Move) string {
	switch {
	case m.IsNull():
		return "--"
	case m.IsCastling() && m.IsShortCastling():
		return "O-O"
	case m.IsCastling():
		return "O-O-O"
	}
	return m.String()
}

func number64(b []byte) int64 { return int64(binary.LittleEndian.Uint64(b)) }

// Creation times count from December 2008, in parts of a second: 2^22, in databases
// that were converted from the classic format 2^10. Times of changes are those of
// version 1 UUIDs.
const (
	creationEpoch = 1228086000
	changeEpoch   = 12219292800
	oldScale      = 1 << 40 // creation times below have the old scale
)

// creationTime returns when a record was made.
func creationTime(v int64) time.Time {
	shift := 22
	if v < oldScale {
		shift = 10
	}
	whole := v >> shift
	return time.Unix(creationEpoch+whole, (v-whole<<shift)*1e9>>shift).UTC()
}

// changeTime returns when a record was changed last, the zero time for never.
func changeTime(v int64) time.Time {
	if v == 0 {
		return time.Time{}
	}
	return time.Unix(v/1e7-changeEpoch, v%1e7*100).UTC()
}
