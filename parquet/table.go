package parquet

import (
	"fmt"
	"io"
	"slices"
	"sync/atomic"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"

	"cbkit/internal/jobs"
	"cbkit/model"
)

// A row group is what engines share among their processors, and what is in
// memory before it is written. One is full with so many rows, or so many bytes
// before compression.
const (
	groupGames     = 64 << 10
	groupPositions = 1 << 20
	groupBytes     = 128 << 20
)

// fileGroups is how many row groups a file in a folder has at most. What is
// known of a file stays in memory until it is complete.
const fileGroups = 64

// Sizes of a file's parts, in bytes.
const (
	pageBytes       = 512 << 10
	dictionaryBytes = 1 << 20
)

// table writes the rows of one table to one file after the other.
type table struct {
	name      Table
	columns   []column
	leaves    []leaf
	groupRows int
	create    func() (io.Writer, error) // begins the next file
	finish    func() error              // ends it

	byKey     *keySorter // nil if rows are written as they come
	file      *pq.GenericWriter[any]
	maxGroups int // of a file

	open   bool // a file is under way
	rows   int  // in the row group
	bytes  int
	groups int
	total  int64
}

// newTable returns a table, whose columns depend on the options.
func newTable(name Table, opt *Options, codec compress.Codec) *table {
	t := &table{name: name, columns: gamesColumns[:], groupRows: groupGames, maxGroups: pq.MaxRowGroups - 1}
	leaveOut := map[string]bool{gameColumn: opt.NoGame}
	if name == Positions {
		t.columns, t.groupRows = positionsColumns, groupPositions
		leaveOut = map[string]bool{fenColumn: !opt.FEN}
	}
	t.columns = slices.DeleteFunc(slices.Clone(t.columns), func(c column) bool { return leaveOut[c.name] })
	root := group{pq.Group{}, t.columns}
	for _, c := range t.columns {
		root.Group[c.name] = c.node
	}
	schema := pq.NewSchema(string(name), root)
	t.leaves = leavesOf(schema, t.columns)
	if name == Positions && opt.ByKey {
		t.byKey, t.groupRows = newKeySorter(t.leaves, opt), groupByKey
	}
	order := []pq.SortingColumn{pq.Ascending("id")}
	if name == Positions {
		order = append(order, pq.Ascending("variation"), pq.Ascending("ply"))
		if opt.ByKey {
			order = slices.Insert(order, 0, pq.Ascending(keyColumn))
		}
	}
	config := []pq.WriterOption{ // pages of the first version, which every engine reads
		schema, pq.Compression(codec), pq.DataPageVersion(1), pq.PageBufferSize(pageBytes),
		pq.DictionaryMaxBytes(dictionaryBytes), pq.DataPageStatistics(false), pq.CreatedBy("cbkit", "1", ""),
		pq.SortingWriterConfig(pq.SortingColumns(order...)),
	}
	for _, l := range t.leaves {
		if t.columns[l.column].unbounded {
			config = append(config, pq.SkipPageBounds(l.path...))
		}
	}
	for key, value := range map[string]string{ // where the rows are from
		"schema": schemaVersion, "program": opt.Program, "source": opt.Database, "table": string(name),
		"part": fmt.Sprintf("%d/%d", opt.Part, opt.Parts), "options": opt.text(),
	} {
		config = append(config, pq.KeyValueMetadata("cbkit."+key, value))
	}
	t.file = pq.NewGenericWriter[any](nil, config...)
	return t
}

// schemaVersion counts what has changed in the columns and their meaning.
const schemaVersion = "2"

// write writes the rows of a sheet, on several processors: columns are
// independent of each other, and each takes batches in their order.
func (t *table) write(s *sheet, jobs int) error {
	rows := t.rowsOf(s)
	if rows == 0 {
		return nil
	}
	if !t.open {
		if err := t.begin(); err != nil {
			return err
		}
	}
	writers := t.file.ColumnWriters()
	err := parallel(jobs, len(s.vectors), func(i int) error {
		_, err := writers[i].WriteRowValues(s.vectors[i].values)
		return err
	})
	if err != nil {
		return err
	}
	t.rows += rows
	t.total += int64(rows)
	for i := range s.vectors {
		t.bytes += len(s.vectors[i].text) + 4*len(s.vectors[i].values)
	}
	if t.rows >= t.groupRows || t.bytes >= groupBytes {
		return t.endGroup(jobs)
	}
	return nil
}

// rowsOf counts the rows of a sheet. The first column has one value for each.
func (t *table) rowsOf(s *sheet) int { return len(s.vectors[0].values) }

// begin begins the next file.
func (t *table) begin() error {
	w, err := t.create()
	if err != nil {
		return err
	}
	t.file.Reset(w)
	t.open, t.groups = true, 0
	return nil
}

// endGroup writes the row group under way, and ends the file when it has
// enough of them.
func (t *table) endGroup(jobs int) error {
	if t.rows == 0 {
		return nil
	}
	writers := t.file.ColumnWriters()
	if err := parallel(jobs, len(writers), func(i int) error { return writers[i].Flush() }); err != nil {
		return err
	}
	if err := t.file.Flush(); err != nil {
		return err
	}
	t.rows, t.bytes = 0, 0
	if t.groups++; t.groups < t.maxGroups {
		return nil
	}
	return t.end()
}

// end ends the file under way. A table without rows has a file all the same, so
// that a query of it has columns.
func (t *table) end() error {
	if !t.open {
		return nil
	}
	t.open = false
	if err := t.file.Close(); err != nil {
		return err
	}
	return t.finish()
}

// close writes what is left.
func (t *table) close(jobs int) error {
	if t.byKey != nil {
		if err := t.writeByKey(jobs); err != nil {
			return err
		}
	}
	if !t.open && t.total == 0 {
		if err := t.begin(); err != nil {
			return err
		}
	}
	if err := t.endGroup(jobs); err != nil {
		return err
	}
	return t.end()
}

// parallel calls do for 0 to n-1 on several goroutines and returns the first
// error.
func parallel(workers, n int, do func(int) error) error {
	var next atomic.Int64
	var running jobs.Group
	var failed failure
	for range min(workers, n) {
		running.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if err := do(i); err != nil {
					failed.set(err)
					return
				}
			}
		})
	}
	running.Wait()
	return failed.get()
}

// sheet has the values of a batch for one table, leaf by leaf.
type sheet struct {
	vectors []vector
	// first is where the leaves of each column begin.
	first   []int
	columns []column
}

func newSheet(t *table) sheet {
	s := sheet{columns: t.columns, vectors: make([]vector, len(t.leaves))}
	for i, l := range t.leaves {
		if l.column == len(s.first) {
			s.first = append(s.first, i)
		}
		s.vectors[i] = vector{depth: l.depth}
	}
	return s
}

func (s *sheet) reset() {
	for i := range s.vectors {
		v := &s.vectors[i]
		v.values, v.text = v.values[:0], v.text[:0]
	}
}

// vector collects the values of one leaf of a table for the rows of a batch.
// Its memory is used again.
type vector struct {
	values []pq.Value
	depth  int // the definition level of a value that is there
	text   []byte
}

// put adds a value that is there.
func (v *vector) put(value pq.Value) {
	value.SetDefinitionLevel(v.depth)
	v.values = append(v.values, value)
}

// null adds a value that is not there.
func (v *vector) null() { v.values = append(v.values, pq.Value{}) }

func (v *vector) int32(n int32) { v.put(pq.Int32Value(n)) }
func (v *vector) int64(n int64) { v.put(pq.Int64Value(n)) }

// bytes adds a value that stays as it is until the batch is written.
func (v *vector) bytes(b []byte) { v.put(pq.ByteArrayValue(b)) }

// maybe adds a number that may not be known.
func (v *vector) maybe(n maybe) {
	if n == unknown {
		v.null()
		return
	}
	v.int32(int32(n))
}

// string adds a text, nothing for "".
func (v *vector) string(s string) {
	if s == "" {
		v.null()
		return
	}
	v.end(append(v.text, s...))
}

// end adds what was appended to v.text, and gives back the memory.
func (v *vector) end(text []byte) {
	from := len(v.text)
	v.text = text
	v.bytes(text[from:len(text):len(text)])
}

// copy adds a text that may change before the batch is written.
func (v *vector) copy(b []byte) { v.end(append(v.text, b...)) }

// uci adds a move.
func (v *vector) uci(m model.Move, start *model.Position) {
	if m.Promotion() == model.NoPieceType {
		v.bytes(uciSquares(m, start))
		return
	}
	v.end(append(append(v.text, uciSquares(m, start)...), m.Promotion().Letter()+'a'-'A'))
}

// repeat makes the value that was added last element number i of a list or map.
func (v *vector) repeat(i int) { v.values[len(v.values)-1].SetRepetitionLevel(min(i, 1)) }

// elementText adds element number i, which is copied.
func (v *vector) elementText(i int, s string) {
	v.end(append(v.text, s...))
	v.repeat(i)
}

// maybe is a number that may not be known.
type maybe int32

const unknown maybe = -1 << 31
