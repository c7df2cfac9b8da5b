// Package scidgame turns entries and records of Scid into games of the model: a game is
// the PGN that Scid prints for it. Readers and editors use it.
package scidgame

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cbkit/internal/scid"
	"cbkit/model"
)

// Package pgn sets what reads tags and comments when a program has it: readers of other
// formats alone stay small without.
var (
	// ParseTags makes a header of tags, nil without package pgn.
	ParseTags func(tags []model.Tag, e *model.Entities) model.Header
	// NewBuilder returns a builder, likewise.
	NewBuilder func() Builder
)

// Builder makes moves and annotations of what it is told in the order of the notation.
type Builder interface {
	Reset(annotations bool)
	Play(m model.Move)
	Symbol(n model.NAG)
	Comment(text string)
	Enter()
	Leave()
	Build(g *model.Game) (order []int32)
}

// Names are the names of a database, by kind and id.
type Names struct {
	Lists [4][]string
	// Partial says that those that are "" are missing.
	Partial bool
	// Foreign reads bytes that are not UTF-8.
	Foreign func([]byte) string

	players []model.EntityID // by id of the name, plus 2; 0 for those not looked up yet
}

// Fill takes stored names over.
func (n *Names) Fill(stored *scid.Names) {
	n.players = nil
	for kind, names := range stored.Lists {
		size, length := len(names), 0
		for _, name := range names {
			size = max(size, int(name.ID)+1) // more if some are missing
			length += len(name.Bytes)
		}
		n.Lists[kind] = make([]string, size)
		var all strings.Builder // one piece of memory, if they are UTF-8
		all.Grow(length)
		for _, name := range names {
			from := all.Len()
			n.write(&all, name.Bytes)
			n.Lists[kind][name.ID] = all.String()[from:]
		}
	}
}

// Text returns stored bytes as text: what is UTF-8 is that, and any other byte is one of
// the code page. One name can have both.
func (n *Names) Text(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var text strings.Builder
	n.write(&text, b)
	return text.String()
}

// write writes what Text returns.
func (n *Names) write(text *strings.Builder, b []byte) {
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 {
			text.WriteString(n.Foreign(b[:1]))
		} else {
			text.Write(b[:size])
		}
		b = b[size:]
	}
}

// Header makes the header of a game of its entry and its tags. The players whom the entry
// refers to are looked up once.
func (n *Names) Header(tags []model.Tag, e *scid.Entry, tables *model.Entities) model.Header {
	at, ids := [2]int{}, [2]uint32{e.White, e.Black}
	for i, name := range [2]string{"White", "Black"} {
		at[i] = slices.IndexFunc(tags, func(t model.Tag) bool { return t.Name == name })
		if at[i] < 0 || ids[i] >= uint32(len(n.Lists[scid.Players])) || tags[at[i]].Value != n.Lists[scid.Players][ids[i]] {
			return ParseTags(tags, tables) // of other players
		}
	}
	if at[1] != at[0]+1 {
		return ParseTags(tags, tables)
	}
	n.players = append(n.players, make([]model.EntityID, len(n.Lists[scid.Players])-len(n.players))...)
	for i, id := range ids {
		if n.players[id] == 0 {
			n.players[id] = ParseTags([]model.Tag{{Name: "White", Value: tags[at[i]].Value}}, tables).White + 2
		}
	}
	h := ParseTags(slices.Delete(tags, at[0], at[1]+1), tables)
	h.White, h.Black = n.players[e.White]-2, n.players[e.Black]-2
	return h
}

// results are Scid's words for results.
var results = [...]string{"*", "1-0", "0-1", "1/2-1/2"}

// AppendTags appends the tags of a game as Scid prints them, of an entry and its record.
// A tag of the record that has the name of an event, a site, a round or a player takes the
// place of that, and the last of several values counts. Missing returns what stands for a
// reference that leads nowhere, "" for nothing.
func (n *Names) AppendTags(tags []model.Tag, v scid.Version, e *scid.Entry, rec *scid.Game, missing func(field string, id uint32, of int) (name string)) []model.Tag {
	begin := len(tags)
	add := func(name, value string) { tags = append(tags, model.Tag{Name: name, Value: value}) }
	put := func(from int, name, value string) {
		for i := from; i < len(tags); i++ {
			if tags[i].Name == name {
				tags[i].Value = value
				return
			}
		}
		add(name, value)
	}
	name := func(tag string, kind int, id uint32) {
		text, is := "", int64(id) < int64(len(n.Lists[kind]))
		if is {
			text = n.Lists[kind][id]
		}
		if is = is && (text != "" || !n.Partial); !is {
			text = missing(tag, id, len(n.Lists[kind]))
		}
		if is || text != "" {
			add(tag, text)
		}
	}
	name("Event", scid.Events, e.Event)
	name("Site", scid.Sites, e.Site)
	if e.Date != 0 {
		add("Date", scid.Day(e.Date).String())
	}
	name("Round", scid.Rounds, e.Round)
	name("White", scid.Players, e.White)
	name("Black", scid.Players, e.Black)
	add("Result", results[e.Result&3])
	for i, color := range [2]string{"White", "Black"} {
		if e.Elo[i] != 0 {
			word := scid.RatingTypes[0]
			if t := e.RatingType[i] & 7; int(t) < len(scid.RatingTypes) {
				word = scid.RatingTypes[t]
			}
			add(color+word, strconv.Itoa(int(e.Elo[i])))
		}
	}
	if code := scid.FormatECO(e.ECO); code != "" {
		add("ECO", code)
	}
	if d := v.DayOfEvent(e); !d.IsZero() {
		add("EventDate", d.String())
	}
	own := len(tags)
	for _, t := range rec.Tags {
		switch t.Name {
		case "":
			continue
		case "Event", "Site", "Round", "White", "Black":
			put(begin, t.Name, n.Text(t.Value))
			continue
		case "Variant":
			if rec.Chess960 {
				continue // its start says it
			}
		}
		put(own, t.Name, n.Text(t.Value))
	}
	var marks []byte
	for i := range len(scid.FlagLetters) {
		if bit := uint32(1) << i; bit > scid.FlagDeleted && e.Flags&bit != 0 {
			marks = append(marks, scid.FlagLetters[i])
		}
	}
	if len(marks) > 0 {
		put(begin, scid.FlagsTag, string(marks))
	}
	return tags
}

// Build puts the moves of a record and, if they are wanted, its annotations into a game,
// whose memory it uses again. It returns the nodes of
// the moves in the order in which they come, nil where that is the order of the tree.
func (n *Names) Build(b Builder, g *model.Game, rec *scid.Game, annotations bool) (order []int32) {
	g.Start = rec.Start
	b.Reset(annotations)
	var nags [8]byte
	for i, step := range rec.Steps {
		switch step.Kind {
		case scid.StepMove:
			b.Play(step.Move)
			for _, nag := range appendShownNAGs(nags[:0], rec.Steps[i+1:]) {
				b.Symbol(model.NAG(nag))
			}
		case scid.StepText:
			if annotations && !step.Hidden && int(step.Text) < len(rec.Texts) {
				b.Comment(n.Text(rec.Texts[step.Text]))
			}
		case scid.StepBegin:
			b.Enter()
		case scid.StepEnd:
			b.Leave()
		}
	}
	return b.Build(g)
}

// appendShownNAGs appends to an empty list the NAGs at the beginning of steps that Scid shows
// of a move: of those that judge the move the last, in front of the others; of those that
// judge the position the last, in the place of the first.
func appendShownNAGs(list []byte, steps []scid.Step) []byte {
	for _, s := range steps {
		if s.Kind != scid.StepNAG {
			break
		}
		at := slices.IndexFunc(list, scid.JudgesPosition)
		switch {
		case s.NAG == 0:
		case scid.JudgesMove(s.NAG):
			list = slices.Insert(slices.DeleteFunc(list, scid.JudgesMove), 0, s.NAG)
		case scid.JudgesPosition(s.NAG) && at >= 0:
			list[at] = s.NAG
		default:
			list = append(list, s.NAG)
		}
	}
	return list
}
