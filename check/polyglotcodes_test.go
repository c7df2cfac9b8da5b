package check_test

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cbkit/board"
	"cbkit/check"
	"cbkit/internal/polyglot"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// lineBook returns the entries of a book of one line, in the order of their keys.
func lineBook(t *testing.T, moves ...string) (entries []polyglot.Entry, end board.Position) {
	t.Helper()
	end = board.Start()
	for _, san := range moves {
		m := must.Get(end.ParseSAN(san))(t)
		entries = append(entries, polyglot.Entry{Key: end.PolyglotKey(), Move: polyglot.EncodeMove(m), Weight: 2})
		end.Make(m)
	}
	return entries, end
}

// Each code of Polyglot books is found once in a book that has that wrong, and no other
// error is.
func TestPolyglotCodes(t *testing.T) {
	line, end := lineBook(t, "e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "c3", "Nf6", "d3", "d6", "h3", "h6")
	square := func(name string) polyglot.Move { return polyglot.Move(name[0]-'a') | polyglot.Move(name[1]-'1')<<3 }
	at := func(key uint64, from, to string, weight uint16) polyglot.Entry {
		return polyglot.Entry{Key: key, Move: square(from)<<6 | square(to), Weight: weight}
	}
	start, last := line[0].Key, end.PolyglotKey()
	for code, c := range map[string]struct {
		more    []polyglot.Entry
		swapped bool // the first two entries stand in the other order
		cut     int
	}{
		"":               {more: []polyglot.Entry{at(start, "d2", "d4", 1)}},
		"bin-cut":        {cut: 3},
		"bin-order":      {swapped: true},
		"bin-move":       {more: []polyglot.Entry{at(start, "d2", "d2", 1)}},
		"bin-illegal":    {more: []polyglot.Entry{at(start, "d2", "d5", 1)}},
		"bin-move-twice": {more: []polyglot.Entry{line[0]}},
		"bin-castling":   {more: []polyglot.Entry{at(last, "e1", "g1", 1)}},
		"bin-no-move":    {more: []polyglot.Entry{{Key: start, Weight: 1}}},
		"bin-weights":    {more: []polyglot.Entry{at(last, "a2", "a4", 0)}},
		"bin-unreached":  {more: []polyglot.Entry{at(last+1, "a2", "a4", 1)}},
		"bin-file":       {cut: len(line)*polyglot.Size - 5},
	} {
		t.Run(code, func(t *testing.T) {
			entries := slices.Concat(line, c.more)
			slices.SortStableFunc(entries, func(a, b polyglot.Entry) int { return cmp.Compare(a.Key, b.Key) })
			if c.swapped {
				entries[0], entries[1] = entries[1], entries[0]
			}
			var data []byte
			for i := range entries {
				data = entries[i].Append(data)
			}
			path := filepath.Join(gen.Folder(t), "b.bin")
			must.Do(t, os.WriteFile(path, data[:len(data)-c.cut], 0o666))
			found := map[string]int{}
			for f := range must.All(t, check.Book(t.Context(), path, check.Options{}).Findings()) {
				if found[f.Code]++; f.Code != code && f.Severity == check.Error {
					t.Errorf("%s: %s", f.Code, f.Message)
				}
			}
			if code == "" && len(found) > 0 || code != "" && found[code] != 1 {
				t.Errorf("%v", found)
			}
		})
	}
}
