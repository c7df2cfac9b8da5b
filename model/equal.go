package model

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ResolvedGame is a game with its entities by value, without ids and
// leftovers: what [Equal] compares, in a form that can be printed and diffed.
type ResolvedGame struct {
	ResolvedHeader
	Tags []Tag // sorted by name

	Start       Position
	Moves       []Node
	Annotations []Annotation
	// Opaque holds the stored moves and annotations where they could not be
	// decoded.
	Opaque [2][]byte
}

// Resolve returns the game with its entities, looked up in e, by value.
func (g *Game) Resolve(e *Entities) ResolvedGame {
	r := ResolvedGame{
		ResolvedHeader: g.Header.resolve(e), Tags: sortedTags(slices.Clone(g.Tags)),
		Start: g.StartPosition(), Moves: g.Moves.Nodes(),
		Annotations: slices.Clone(g.Annotations),
	}
	for i := range r.Annotations {
		r.Annotations[i].Leftover = nil
	}
	if g.MovesErr != nil && g.Leftovers.Moves != nil {
		r.Opaque[0] = g.Leftovers.Moves.Data
	}
	if g.AnnotationsErr != nil && g.Leftovers.Annotations != nil {
		r.Opaque[1] = g.Leftovers.Annotations.Data
	}
	return r
}

// Equal reports whether both games say the same. The order of tags does not matter, that
// of annotations at one place does. The country of a tournament may be in Nation or at
// the end of Place; a link to the game may be a tag, or the annotation that databases
// without tags have instead.
func (r ResolvedGame) Equal(o ResolvedGame) bool {
	r.linksAsTags()
	o.linksAsTags()
	r.Tournament, o.Tournament = r.Tournament.WithCountry(), o.Tournament.WithCountry()
	return r.ResolvedHeader == o.ResolvedHeader && slices.Equal(r.Tags, o.Tags) &&
		r.Start == o.Start && slices.Equal(r.Moves, o.Moves) &&
		slices.EqualFunc(r.Annotations, o.Annotations, func(a, b Annotation) bool {
			return a.Node == b.Node && a.Value != nil && a.Value.Equal(b.Value)
		}) &&
		bytes.Equal(r.Opaque[0], o.Opaque[0]) && bytes.Equal(r.Opaque[1], o.Opaque[1])
}

// linksAsTags brings links to the game into one form.
func (r *ResolvedGame) linksAsTags() {
	g := Game{Header: Header{Tags: r.Tags}, Annotations: r.Annotations}
	if tags := g.LinksAsTags(nil); tags != &g {
		r.Tags, r.Annotations = tags.Tags, tags.Annotations
	}
}

// sortedTags sorts tags by name.
func sortedTags(list []Tag) []Tag {
	slices.SortStableFunc(list, func(a, b Tag) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// ResolvedText is a guiding text with its entities by value, without ids and
// leftovers.
type ResolvedText struct {
	Tournament       Tournament
	Annotator        Annotator
	Source           Publication
	GameTitle        GameTitle
	Round, Subround  uint16
	HTML             bool
	Titles, Contents []LocalText
	Media            []string
	Opaque           []byte
}

// Resolve returns the text with its entities, looked up in e, by value.
func (t *GuidingText) Resolve(e *Entities) ResolvedText {
	r := ResolvedText{
		Tournament: e.Tournaments.Value(t.Tournament), Annotator: e.Annotators.Value(t.Annotator),
		Source: e.Sources.Value(t.Source), GameTitle: e.GameTitles.Value(t.GameTitle),
		Round: t.Round, Subround: t.Subround, HTML: t.HTML,
		Titles: slices.Clone(t.Titles), Contents: slices.Clone(t.Contents), Media: t.Media,
	}
	for i := range r.Titles {
		r.Titles[i].Leftover = nil
	}
	for i := range r.Contents {
		r.Contents[i].Leftover = nil
	}
	if t.ContentErr != nil && t.Leftovers.Content != nil {
		r.Opaque = t.Leftovers.Content.Data
	}
	return r
}

// Equal reports whether both texts say the same.
func (r ResolvedText) Equal(o ResolvedText) bool {
	return r.Tournament.WithCountry() == o.Tournament.WithCountry() && r.Annotator == o.Annotator && r.Source == o.Source &&
		r.GameTitle == o.GameTitle && r.Round == o.Round && r.Subround == o.Subround &&
		r.HTML == o.HTML && slices.Equal(r.Titles, o.Titles) && slices.Equal(r.Contents, o.Contents) &&
		slices.Equal(r.Media, o.Media) && bytes.Equal(r.Opaque, o.Opaque)
}

// EqualRecords reports whether two records say the same. Ids, of records and
// of entities, and leftovers do not matter.
func EqualRecords(a Record, ea *Entities, b Record, eb *Entities) bool {
	switch {
	case a.Deleted != b.Deleted:
		return false
	case a.Game != nil && b.Game != nil:
		return a.Game.Resolve(ea).Equal(b.Game.Resolve(eb))
	case a.Text != nil && b.Text != nil:
		return a.Text.Resolve(ea).Equal(b.Text.Resolve(eb))
	}
	return a.Game == nil && b.Game == nil && a.Text == nil && b.Text == nil
}

// Equal reports whether two databases hold equal records in the same order.
// Entities that no record refers to, ids and leftovers do not matter.
func Equal(a, b *Database) bool {
	return slices.EqualFunc(a.List, b.List, func(x, y Record) bool {
		return EqualRecords(x, &a.Tables, y, &b.Tables)
	})
}

// Identical reports whether two databases are the same down to ids, deleted
// entities and leftovers.
func Identical(a, b *Database) bool {
	return a.Extra.identical(b.Extra) &&
		identicalTables(&a.Tables.Players, &b.Tables.Players) &&
		identicalTables(&a.Tables.Tournaments, &b.Tables.Tournaments) &&
		identicalTables(&a.Tables.Annotators, &b.Tables.Annotators) &&
		identicalTables(&a.Tables.Sources, &b.Tables.Sources) &&
		identicalTables(&a.Tables.Teams, &b.Tables.Teams) &&
		identicalTables(&a.Tables.GameTitles, &b.Tables.GameTitles) &&
		slices.EqualFunc(a.List, b.List, func(x, y Record) bool {
			return x.ID == y.ID && EqualRecords(x, &a.Tables, y, &b.Tables) && identicalRecords(x, y)
		})
}

func identicalTables[T comparable](a, b *Table[T]) bool {
	return slices.EqualFunc(a.list(), b.list(), func(x, y Slot[T]) bool {
		return x.Value == y.Value && x.Deleted == y.Deleted && x.Leftover.identical(y.Leftover)
	})
}

// identicalRecords compares what [EqualRecords] leaves out.
func identicalRecords(a, b Record) bool {
	if a.Text != nil {
		s, t := a.Text, b.Text
		return s.Tournament == t.Tournament && s.Annotator == t.Annotator &&
			s.Source == t.Source && s.GameTitle == t.GameTitle &&
			s.Leftovers.Header.identical(t.Leftovers.Header) &&
			s.Leftovers.Content.identical(t.Leftovers.Content) &&
			slices.EqualFunc(s.Titles, t.Titles, identicalTexts) &&
			slices.EqualFunc(s.Contents, t.Contents, identicalTexts)
	}
	if a.Game == nil {
		return true
	}
	return identicalGames(a.Game, b.Game)
}

func identicalTexts(a, b LocalText) bool { return a.Leftover.identical(b.Leftover) }

func identicalGames(g, h *Game) bool {
	k, l := &g.Leftovers, &h.Leftovers
	return g.White == h.White && g.Black == h.Black && g.Tournament == h.Tournament &&
		g.Annotator == h.Annotator && g.Source == h.Source && g.GameTitle == h.GameTitle &&
		g.WhiteTeam == h.WhiteTeam && g.BlackTeam == h.BlackTeam &&
		k.Header.identical(l.Header) && k.Derived.identical(l.Derived) &&
		k.Moves.identical(l.Moves) && k.Annotations.identical(l.Annotations) &&
		slices.EqualFunc(g.Annotations, h.Annotations, func(a, b Annotation) bool {
			return a.Leftover.identical(b.Leftover)
		})
}

// AppendText appends the date exactly: as [Date.String] does where that says
// everything, else as "#1997.13.40". It implements [encoding.TextAppender];
// the error is nil.
func (d Date) AppendText(dst []byte) ([]byte, error) {
	if d.Month <= 12 && d.Day <= 31 {
		return append(dst, d.String()...), nil
	}
	return fmt.Appendf(dst, "#%d.%d.%d", d.Year, d.Month, d.Day), nil
}

// UnmarshalText reads what [Date.AppendText] writes.
func (d *Date) UnmarshalText(text []byte) error {
	var ok bool
	if numbers, found := strings.CutPrefix(string(text), "#"); found {
		*d, ok = parseDateNumbers(numbers)
	} else {
		*d, ok = parseDots(string(text))
	}
	if !ok {
		return fmt.Errorf("%.40q is not a date such as \"1997.05.??\"", text)
	}
	return nil
}

func parseDateNumbers(s string) (d Date, ok bool) {
	part := strings.Split(s, ".")
	if len(part) != 3 {
		return d, false
	}
	year, err1 := strconv.ParseUint(part[0], 10, 16)
	month, err2 := strconv.ParseUint(part[1], 10, 8)
	day, err3 := strconv.ParseUint(part[2], 10, 8)
	return Date{uint16(year), uint8(month), uint8(day)}, err1 == nil && err2 == nil && err3 == nil
}

// AppendText appends the code exactly: as [ECO.String] does for valid codes
// and for none, else as "#65535". It implements [encoding.TextAppender]; the
// error is nil.
func (e ECO) AppendText(dst []byte) ([]byte, error) {
	if e == 0 || e.Valid() {
		return e.appendCode(dst), nil
	}
	return strconv.AppendUint(append(dst, '#'), uint64(e), 10), nil
}

// UnmarshalText reads what [ECO.AppendText] writes.
func (e *ECO) UnmarshalText(text []byte) error {
	s := string(text)
	if number, found := strings.CutPrefix(s, "#"); found {
		n, err := strconv.ParseUint(number, 10, 16)
		*e = ECO(n)
		if err == nil {
			return nil
		}
	} else if code, ok := ParseECO(s); ok || s == "" {
		*e = code
		return nil
	}
	return fmt.Errorf("%.40q is not an ECO code such as \"C50\" or \"C50/08\"", text)
}

// SameMainLine returns nil if a and b have the same main line, so that one can take the
// annotations and variations of the other; else an error that tells where they part.
func SameMainLine(a, b *Game) error {
	if x, y := a.StartPosition(), b.StartPosition(); x != y {
		return fmt.Errorf("it begins with another position than the game whose annotations it is to get")
	}
	for i := range max(a.Moves.MainLen(), b.Moves.MainLen()) {
		if i >= a.Moves.MainLen() || i >= b.Moves.MainLen() || a.Moves.Move(i) != b.Moves.Move(i) {
			return fmt.Errorf("from ply %d on its main line is another one than that of the game whose annotations it is to get", i+1)
		}
	}
	return nil
}
