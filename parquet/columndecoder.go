package parquet

import (
	"fmt"
	"math"
	"slices"
	"strings"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"cbkit/board"
	"cbkit/internal/headerfields"
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
	// The entities come last, so that a row with an error adds none.
	site := d.name(fieldSite)
	if headerfields.IsAddress(site) {
		site = "" // it is a tag
	}
	g.Tournament = refer(&d.entities.Tournaments, model.Tournament{Title: d.name(fieldEvent), Place: site})
	for i := range d.fields {
		if entity := d.fields[i].entity; entity != nil {
			entity(d.entities, &g.Header, d.name(i))
		}
	}
	return model.Record{Deleted: d.hasFlag(flagDeleted), Game: g}, nil
}

// wrong returns an error about a column in one row.
func (d *columnDecoder) wrong(i int, format string, args ...any) error {
	return rowFault{fmt.Errorf("column %s: %w: %s", d.fields[i].name, model.ErrCorrupt, fmt.Sprintf(format, args...))}
}

// value returns the value of a column in the present row, if there is one. It is
// valid until the next row.
func (d *columnDecoder) value(i int) (v pq.Value, there bool) {
	if list := d.values[i][0]; len(list) > 0 && !list[0].IsNull() {
		return list[0], true
	}
	return v, false
}

// bytes returns a text of the present row, nil if there is none.
func (d *columnDecoder) bytes(i int) []byte {
	if v, there := d.value(i); there {
		return v.ByteArray()
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
	v, there := d.value(i)
	if !there {
		return unknown, nil
	}
	n, ok := wholeNumber(v)
	if !ok || n < least || n > most {
		return unknown, d.wrong(i, "%v is not a number from %d to %d", v, least, most)
	}
	return maybe(n), nil
}

// header reads everything but the entities.
func (d *columnDecoder) header(h *model.Header) error {
	for i := range d.fields {
		of := d.fields[i].number
		if of == nil {
			continue
		}
		n, err := d.number(i, 0, math.MaxUint16)
		if err != nil {
			return err
		}
		*of(h) = uint16(max(n, 0))
	}
	evaluation, err := d.number(fieldLineEvaluation, 0, math.MaxUint8)
	if err != nil {
		return err
	}
	h.LineEvaluation = model.NAG(max(evaluation, 0))
	if text := d.bytes(fieldResult); text != nil {
		r, ok := model.ParseResult(string(text))
		if !ok {
			return d.wrong(fieldResult, "%.40q is no result", text)
		}
		if h.Result = r; d.hasFlag(flagForfeit) {
			h.Result = r.Forfeit()
		}
	}
	if text := d.bytes(fieldECO); len(text) > 0 && string(text) != "?" {
		e, ok := model.ParseECO(string(text))
		if !ok {
			return d.wrong(fieldECO, "%.40q is no code from A00 to E99", text)
		}
		sub, err := d.number(fieldECOSub, 0, 99)
		if err != nil {
			return err
		}
		if h.ECO = e; sub > 0 {
			h.ECO = model.NewECO(e.Index(), int(sub))
		}
	}
	// The date by its parts; where no file has them, the one that is wholly known.
	var part [3]maybe
	there := false
	for k, limit := range [...]int64{math.MaxUint16, 12, 31} {
		i := fieldYear + k
		if part[k], err = d.number(i, 0, limit); err != nil {
			return err
		}
		there = there || len(d.fields[i].leaves) > 0
	}
	i := fieldDate
	if len(d.fields[i].leaves) == 0 {
		i = fieldUTCDate
	}
	if there {
		h.Date = model.Date{Year: uint16(max(part[0], 0)), Month: uint8(max(part[1], 0)), Day: uint8(max(part[2], 0))}
	} else if v, known := d.value(i); known {
		h.Date = dateOf(int64(v.Int32()))
	}
	return d.tags(h)
}

// hasFlag reports whether the column flags has a word.
func (d *columnDecoder) hasFlag(word string) bool {
	return slices.ContainsFunc(d.values[fieldFlags][0], func(v pq.Value) bool {
		return !v.IsNull() && string(v.ByteArray()) == word
	})
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
	if site := d.name(fieldSite); headerfields.IsAddress(site) {
		add("Site", site)
	}
	for i := range d.fields {
		if c := &d.fields[i]; c.isTag && c.code == nil {
			add(c.name, d.name(i))
		}
	}
	for i := range d.fields { // in the order in which they have always been
		c := &d.fields[i]
		if c.code == nil {
			continue
		}
		n, there, err := c.code.read(d, i)
		if err != nil {
			return err
		}
		if there {
			add(c.name, c.code.format(n))
		}
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

// timeOfDay returns a time of day in milliseconds, if there is one.
func (d *columnDecoder) timeOfDay(i int) (ms int32, there bool, err error) {
	v, there := d.value(i)
	if !there {
		return 0, false, nil
	}
	n, _ := wholeNumber(v)
	if l := d.fields[i].leaves[0].Node.Type().LogicalType(); l != nil {
		if time, ok := l.Value.(*format.TimeType); ok {
			switch time.Unit.Value.(type) {
			case *format.MicroSeconds:
				n /= 1e3
			case *format.NanoSeconds:
				n /= 1e6
			}
		}
	}
	return int32(n), n >= 0 && n < 1000*secondsPerDay, nil
}

// play reads the starting position and the moves, if they are wanted.
func (d *columnDecoder) play(g *model.Game) error {
	if d.want&model.WantMoves == 0 {
		g.Moves = model.Tree{}
		return nil
	}
	var err error
	line := &d.line
	line.moves.Reset()
	line.pos = board.Start()
	if fen := d.bytes(fieldFEN); len(fen) > 0 {
		parse := board.ParseModel
		if strings.EqualFold(string(d.bytes(fieldVariant)), "chess960") {
			parse = board.ParseModel960
		}
		if d.start, err = parse(string(fen)); err == nil {
			line.pos, err = board.New(&d.start)
		}
		if err != nil {
			return d.wrong(fieldFEN, "%v", err)
		}
		g.Start = &d.start
	}
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
