package stats

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strings"

	"cbkit/board"
	"cbkit/internal/extsort"
	"cbkit/internal/fsys"
	"cbkit/model"
)

// lineSorter finds the typical lines among many: what is played most often, move
// by move. Lines are sorted, two bytes a move, and then read once:
//
//	e4 c5 Nf3      games with e4: 3, with e4 c5: 2; when e4 e5 comes the branch
//	e4 c5 Nc3      e4 c5 is done, and its best line is the best of e4 so far
//	e4 e5 Nf3
type lineSorter struct {
	tempDir string
	memory  int // 0 is lineMemory
	sorter  *extsort.Sorter
	record  []byte
}

// lineMemory is how many bytes lines may take before they go to a file.
const lineMemory = 64 << 20

// add takes a line of one move or more.
func (s *lineSorter) add(line []model.Move) error {
	if s.sorter == nil {
		dir := s.tempDir
		if dir == "" {
			dir = os.TempDir()
		}
		s.sorter = extsort.New(extsort.Options{Memory: cmp.Or(s.memory, lineMemory), FS: fsys.OS{}, Dir: dir})
	}
	s.record = s.record[:0]
	for _, m := range line {
		s.record = binary.BigEndian.AppendUint16(s.record, uint16(m))
	}
	return s.sorter.Add(s.record)
}

func (s *lineSorter) close() {
	if s.sorter != nil {
		_ = s.sorter.Close() // temporary files
	}
}

// typicalLine is a line with how many games follow it to the end.
type typicalLine struct {
	moves []model.Move
	games int
}

// branch is a beginning of lines that is being read: how many games it has, and
// the best line behind it so far.
type branch struct {
	games int
	best  []step
}

// step is a move with how many games have come that far.
type step struct {
	move  model.Move
	games int
}

// typical returns the typical line of each first move. A line ends where fewer
// than a tenth of the move's games follow it.
func (s *lineSorter) typical() (map[model.Move]typicalLine, error) {
	all := map[model.Move]typicalLine{}
	if s.sorter == nil {
		return all, nil
	}
	var line []model.Move // the one read last
	open := []branch{{}}  // of its beginnings: open[n] has n moves
	closeTo := func(depth int) {
		for n := len(line); n > depth; n-- {
			done, before := &open[n], &open[n-1]
			if n == 1 {
				all[line[0]] = asTypical(line[0], done)
			} else if len(before.best) == 0 || done.games > before.best[0].games {
				before.best = append(append(before.best[:0], step{line[n-1], done.games}), done.best...)
			}
			done.games, done.best = 0, done.best[:0]
		}
		line = line[:depth]
	}
	for record, err := range s.sorter.Sorted() {
		if err != nil {
			return nil, err
		}
		common := 0
		for common < len(line) && 2*common < len(record) && uint16(line[common]) == binary.BigEndian.Uint16(record[2*common:]) {
			common++
		}
		closeTo(common)
		for at := 2 * common; at < len(record); at += 2 {
			line = append(line, model.Move(binary.BigEndian.Uint16(record[at:])))
			if len(open) <= len(line) {
				open = append(open, branch{})
			}
		}
		for n := 1; n <= len(line); n++ {
			open[n].games++
		}
	}
	closeTo(0)
	return all, nil
}

// FormatLine writes moves with their numbers: "1.e4 c5 2.Nf3".
func FormatLine(p board.Position, moves []model.Move) string {
	var b strings.Builder
	for i, m := range moves {
		if i > 0 {
			b.WriteByte(' ')
		}
		switch {
		case p.Turn() == model.White:
			fmt.Fprintf(&b, "%d.", p.FullMove())
		case i == 0:
			fmt.Fprintf(&b, "%d...", p.FullMove())
		}
		b.WriteString(p.SAN(m))
		p.Make(m)
	}
	return b.String()
}

// asTypical returns the line of a first move as far as enough games follow it.
func asTypical(first model.Move, b *branch) typicalLine {
	t := typicalLine{[]model.Move{first}, b.games}
	for _, s := range b.best {
		if 10*s.games < b.games {
			break
		}
		t.moves, t.games = append(t.moves, s.move), s.games
	}
	t.moves = slices.Clip(t.moves)
	return t
}
