package parquet

import (
	"fmt"
	"math"
	"strings"

	pq "github.com/parquet-go/parquet-go"

	"cbkit/board"
	"cbkit/model"
)

// columnDecoder makes games of headers and main lines. Its memory is used again
// for the next game.
type columnDecoder struct {
	entities *model.Entities
	want     model.Want
	moves    int // the field that moves come from

	fields []field
	// values are those of the present row, by field and leaf; a row has one for
	// each element of a list.
	values [][2][]pq.Value
	game   model.Game
	start  model.Position
	line   lineBuilder
	names  map[string]string // one copy of every name that was read
}

func newColumnDecoder(e *model.Entities, fields []field, want model.Want) *columnDecoder {
	d := &columnDecoder{entities: e, want: want, fields: fields, values: make([][2][]pq.Value, len(fields)), names: map[string]string{}}
	for _, i := range [...]int{fieldMovetext, fieldUCI, fieldMoves} {
		if len(fields[i].leaves) > 0 {
			d.moves = i
		}
	}
	return d
}

// decode implements rowDecoder.
func (d *columnDecoder) decode(r *rows) (model.Record, error) {
	for i := range d.fields {
		for k := range d.fields[i].leaves {
			var err error
			if d.values[i][k], err = r.values(i, k); err != nil {
				return model.Record{}, err
			}
		}
	}
	g := &d.game
	tags, moves := g.Tags[:0], g.Moves
	*g = model.Game{Header: model.NewHeader(), Moves: moves}
	g.Tags = tags
	if err := d.header(&g.Header); err != nil {
		return model.Record{}, err
	}
	if err := d.play(g); err != nil {
		return model.Record{}, err
	}
	if len(g.Tags) == 0 {
		g.Tags = nil
	}
	d.refer(&g.Header)
	return model.Record{Deleted: d.hasFlag(flagDeleted), Game: g}, nil
}

// wrong returns an error about a column in one row.
func (d *columnDecoder) wrong(i int, format string, args ...any) error {
	return rowFault{fmt.Errorf("column %s: %w: %s", d.fields[i].name, model.ErrCorrupt, fmt.Sprintf(format, args...))}
}

// bytes returns a text of the present row, nil if there is none. It is valid
// until the next row.
func (d *columnDecoder) bytes(i int) []byte {
	if list := d.values[i][0]; len(list) > 0 && !list[0].IsNull() {
		return list[0].ByteArray()
	}
	return nil
}

// name returns a text of which there is one copy.
func (d *columnDecoder) name(i int) string { return d.intern(d.bytes(i)) }

func (d *columnDecoder) intern(text []byte) string {
	if name, ok := d.names[string(text)]; ok {
		return name
	}
	if len(d.names) >= maxNames {
		clear(d.names)
	}
	name := strings.ToValidUTF8(string(text), "\ufffd")
	d.names[string(text)] = name
	return name
}

// maxNames bounds the memory of names that never come again, such as addresses.
const maxNames = 1 << 16

// number returns a number of the present row, unknown if there is none.
func (d *columnDecoder) number(i int, least, most int64) (maybe, error) {
	list := d.values[i][0]
	if len(list) == 0 || list[0].IsNull() {
		return unknown, nil
	}
	n, ok := wholeNumber(list[0])
	if !ok || n < least || n > most {
		return unknown, d.wrong(i, "%v is not a number from %d to %d", list[0], least, most)
	}
	return maybe(n), nil
}

// header reads everything but the entities.
func (d *columnDecoder) header(h *model.Header) error {
	for _, f := range headerNumbers {
		n, err := d.number(f.field, 0, math.MaxUint16)
		if err != nil {
			return err
		}
		*f.of(h) = uint16(max(n, 0))
	}
	evaluation, err := d.number(fieldLineEvaluation, 0, math.MaxUint8)
	if err != nil {
		return err
	}
	h.LineEvaluation = model.NAG(max(evaluation, 0))
	if err := d.result(h); err != nil {
		return err
	}
	if err := d.eco(h); err != nil {
		return err
	}
	if h.Date, err = d.date(); err != nil {
		return err
	}
	return d.tags(h)
}

func (d *columnDecoder) result(h *model.Header) error {
	text := d.bytes(fieldResult)
	if text == nil {
		return nil
	}
	r, ok := model.ParseResult(string(text))
	if !ok {
		return d.wrong(fieldResult, "%.40q is no result", text)
	}
	if h.Result = r; d.hasFlag(flagForfeit) {
		h.Result = r.Forfeit()
	}
	return nil
}

func (d *columnDecoder) eco(h *model.Header) error {
	text := d.bytes(fieldECO)
	if len(text) == 0 || string(text) == "?" {
		return nil
	}
	e, ok := model.ParseECO(string(text))
	if !ok {
		return d.wrong(fieldECO, "%.40q is no code from A00 to E99", text)
	}
	sub, err := d.number(fieldECOSub, 0, 99)
	if sub > 0 {
		e = model.NewECO(e.Index(), int(sub))
	}
	h.ECO = e
	return err
}

// date returns the date by its parts; where no file has them, the one that is
// wholly known.
func (d *columnDecoder) date() (date model.Date, err error) {
	var part [3]maybe
	there := false
	for k, limit := range [...]int64{math.MaxUint16, 12, 31} {
		i := fieldYear + k
		if part[k], err = d.number(i, 0, limit); err != nil {
			return date, err
		}
		there = there || len(d.fields[i].leaves) > 0
	}
	if there {
		return model.Date{Year: uint16(max(part[0], 0)), Month: uint8(max(part[1], 0)), Day: uint8(max(part[2], 0))}, nil
	}
	i := fieldDate
	if len(d.fields[i].leaves) == 0 {
		i = fieldUTCDate
	}
	if list := d.values[i][0]; len(list) > 0 && !list[0].IsNull() {
		return dateOf(int64(list[0].Int32())), nil
	}
	return date, nil
}

// hasFlag reports whether the column flags has a word.
func (d *columnDecoder) hasFlag(word string) bool {
	for _, v := range d.values[fieldFlags][0] {
		if !v.IsNull() && string(v.ByteArray()) == word {
			return true
		}
	}
	return false
}

// refer finds the entities of the game, or adds them.
func (d *columnDecoder) refer(h *model.Header) {
	e := d.entities
	site := d.name(fieldSite)
	if isAddress(site) {
		site = "" // it is a tag
	}
	h.White = refer(&e.Players, model.ParsePlayer(d.name(fieldWhite)))
	h.Black = refer(&e.Players, model.ParsePlayer(d.name(fieldBlack)))
	h.Tournament = refer(&e.Tournaments, model.Tournament{Title: d.name(fieldEvent), Place: site})
	h.Annotator = refer(&e.Annotators, model.Annotator{Name: d.name(fieldAnnotator)})
	h.Source = refer(&e.Sources, model.Publication{Title: d.name(fieldSource)})
	h.WhiteTeam = refer(&e.Teams, model.Team{Title: d.name(fieldWhiteTeam)})
	h.BlackTeam = refer(&e.Teams, model.Team{Title: d.name(fieldBlackTeam)})
	var title model.GameTitle
	title.Titles[0] = d.name(fieldGameTitle)
	h.GameTitle = refer(&e.GameTitles, title)
}

// refer returns the id of v, NoEntity for the zero value.
func refer[T comparable](t *model.Table[T], v T) model.EntityID {
	var zero T
	if v == zero {
		return model.NoEntity
	}
	return t.Intern(v)
}

// tags makes tags of the columns that are tags, and of the column tags.
func (d *columnDecoder) tags(h *model.Header) error {
	add := func(name, value string) {
		if value != "" && h.Tag(name) == "" {
			h.Tags = append(h.Tags, model.Tag{Name: name, Value: value})
		}
	}
	if site := d.name(fieldSite); isAddress(site) {
		add("Site", site)
	}
	for _, i := range [...]int{fieldWhiteTitle, fieldBlackTitle, fieldOpening, fieldTermination, fieldTimeControl} {
		add(d.fields[i].name, d.name(i))
	}
	for _, i := range [...]int{fieldWhiteRatingDiff, fieldBlackRatingDiff} {
		n, err := d.number(i, math.MinInt16, math.MaxInt16)
		if err != nil {
			return err
		}
		if n != unknown {
			add(d.fields[i].name, formatDiff(int32(n)))
		}
	}
	if list := d.values[fieldUTCDate][0]; len(list) > 0 && !list[0].IsNull() {
		add("UTCDate", formatDate(list[0].Int32()))
	}
	if ms, ok := d.timeOfDay(); ok {
		add("UTCTime", formatTime(ms))
	}
	names, values := d.values[fieldTags][0], d.values[fieldTags][1]
	for i := range min(len(names), len(values)) {
		if !names[i].IsNull() && len(names[i].ByteArray()) > 0 {
			name, value := d.intern(names[i].ByteArray()), ""
			if !values[i].IsNull() {
				value = d.intern(values[i].ByteArray())
			}
			h.Tags = append(h.Tags, model.Tag{Name: name, Value: value})
		}
	}
	return nil
}

// timeOfDay returns the column UTCTime in milliseconds.
func (d *columnDecoder) timeOfDay() (ms int32, ok bool) {
	list := d.values[fieldUTCTime][0]
	if len(list) == 0 || list[0].IsNull() {
		return 0, false
	}
	n, _ := wholeNumber(list[0])
	switch unit := timeUnit(d.fields[fieldUTCTime].leaves[0].Node.Type()); unit {
	case micros:
		n /= 1e3
	case nanos:
		n /= 1e6
	}
	return int32(n), n >= 0 && n < 1000*secondsPerDay
}

// play reads the starting position and the moves, if they are wanted.
func (d *columnDecoder) play(g *model.Game) error {
	if d.want&model.WantMoves == 0 {
		g.Moves = model.Tree{}
		return nil
	}
	pos, err := d.begin(g)
	if err != nil {
		return err
	}
	line := &d.line
	line.begin(pos)
	switch i := d.moves; i {
	case fieldMoves:
		err = line.addBytes(d.bytes(i))
	case fieldUCI:
		for _, v := range d.values[i][0] {
			if err == nil && !v.IsNull() {
				err = line.addUCI(string(v.ByteArray()))
			}
		}
	default:
		err = line.addMovetext(string(d.bytes(i)))
	}
	if err != nil {
		return d.wrong(d.moves, "%v", err)
	}
	line.moves.Build(&g.Moves)
	return nil
}

// begin sets the board up.
func (d *columnDecoder) begin(g *model.Game) (pos board.Position, err error) {
	fen := d.bytes(fieldFEN)
	if len(fen) == 0 {
		return board.Start(), nil
	}
	parse := board.ParseFEN
	if strings.EqualFold(string(d.bytes(fieldVariant)), "chess960") {
		parse = board.ParseFEN960
	}
	if d.start, err = parse(string(fen)); err == nil {
		pos, err = board.New(&d.start)
	}
	if err != nil {
		return pos, d.wrong(fieldFEN, "%v", err)
	}
	g.Start = &d.start
	return pos, nil
}
