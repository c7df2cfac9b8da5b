package parquet

import (
	"cmp"
	"slices"

	pq "github.com/parquet-go/parquet-go"

	"cbkit/model"
)

// column is a column of a table: its name, its type, what a reader takes it for, and how
// it is filled from a game. A list has one leaf, a map two.
type column struct {
	name  string
	node  pq.Node
	shape shape
	fill  func(v []vector, g *played)
	// What a reader makes of it, if no other column has to be looked at for that:
	// a number of the header, an entity, or a tag, with its code if it is no text.
	number func(*model.Header) *uint16
	entity func(e *model.Entities, h *model.Header, name string)
	isTag  bool
	code   *tagCode
	// unbounded columns have texts that are not compared: files do not keep
	// their least and greatest.
	unbounded bool
}

// The types of columns. Values that are often the same go to a dictionary.
func number() pq.Node { return pq.Optional(dictionary(pq.Int(32))) }
func text() pq.Node   { return pq.Optional(pq.String()) }
func word() pq.Node   { return pq.Optional(dictionary(pq.String())) }
func day() pq.Node    { return pq.Optional(dictionary(pq.Date())) }

func dictionary(n pq.Node) pq.Node { return pq.Encoded(n, &pq.RLEDictionary) }

// dense is what no compression makes smaller.
func dense(n pq.Node) pq.Node { return pq.Compressed(n, &pq.Uncompressed) }

// ascending is a number that differs little from the one before it.
func ascending(n pq.Node) pq.Node { return pq.Encoded(n, &pq.DeltaBinaryPacked) }

// wordColumn returns a column of short texts, NULL for "".
func wordColumn(name string, get func(*played) string) column {
	return column{name: name, node: word(), shape: shapeText, fill: func(v []vector, g *played) { v[0].string(get(g)) }}
}

// entityColumn returns a column of titles of entities, and names of annotators.
func entityColumn(name string, get func(*played) string, entity func(*model.Entities, *model.Header, string)) column {
	c := wordColumn(name, get)
	c.entity = entity
	return c
}

// playerColumn returns a column of names as [model.Player.String] has them, NULL for
// none.
func playerColumn(name string, get func(*played) model.Player, id func(*model.Header) *model.EntityID) column {
	return column{name: name, node: word(), shape: shapeText,
		fill: func(v []vector, g *played) {
			switch p := get(g); {
			case p == (model.Player{}):
				v[0].null()
			case p.FirstName == "":
				v[0].string(p.LastName)
			default:
				v[0].end(append(append(append(v[0].text, p.LastName...), ", "...), p.FirstName...))
			}
		},
		entity: func(e *model.Entities, h *model.Header, name string) {
			*id(h) = refer(&e.Players, model.ParsePlayer(name))
		}}
}

// tagColumn returns the column of a PGN tag.
func tagColumn(name string) column {
	c := wordColumn(name, func(g *played) string { return g.header.Tag(name) })
	c.isTag = true
	return c
}

// codedColumn returns the column of a PGN tag whose values are stored as numbers.
func codedColumn(name string, as shape, node pq.Node, code *tagCode) column {
	c := maybeColumn(name, as, node, func(g *played) maybe { return code.parse(g.header.Tag(name)) })
	c.isTag, c.code = true, code
	return c
}

// numberColumn returns a column of numbers, NULL for 0.
func numberColumn(name string, get func(*played) int32) column {
	return maybeColumn(name, shapeNumber, number(), func(g *played) maybe { return cmp.Or(maybe(get(g)), unknown) })
}

// headerColumn returns the column of a number that a header has as it is.
func headerColumn(name string, of func(*model.Header) *uint16) column {
	c := numberColumn(name, func(g *played) int32 { return int32(*of(&g.header)) })
	c.number = of
	return c
}

// maybeColumn returns a column of numbers, or what is stored as numbers.
func maybeColumn(name string, as shape, node pq.Node, get func(*played) maybe) column {
	return column{name: name, node: node, shape: as, fill: func(v []vector, g *played) { v[0].maybe(get(g)) }}
}

// onlyWritten returns a column that follows from others, which a reader passes by.
func onlyWritten(c column) column {
	c.shape = notRead
	return c
}

// group is the root of a table, whose columns keep their order.
type group struct {
	pq.Group
	order []column
}

// Fields implements [pq.Node].
func (g group) Fields() []pq.Field {
	byName := map[string]pq.Field{}
	for _, f := range g.Group.Fields() {
		byName[f.Name()] = f
	}
	list := make([]pq.Field, len(g.order))
	for i := range g.order {
		list[i] = byName[g.order[i].name]
	}
	return list
}

// leaf is where a column keeps its values.
type leaf struct {
	column int // its number in the table
	path   []string
	depth  int // definition level of a value that is there
	kind   pq.Kind
}

// leavesOf returns the leaves of a schema made of the columns, in the order of
// the file.
func leavesOf(s *pq.Schema, columns []column) []leaf {
	var list []leaf
	for _, path := range s.Columns() {
		found, _ := s.Lookup(path...)
		column := slices.IndexFunc(columns, func(c column) bool { return c.name == path[0] })
		list = append(list, leaf{column, path, found.MaxDefinitionLevel, found.Node.Type().Kind()})
	}
	return list
}
