package stats

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"os"
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
		s.sorter = extsort.New(extsort.Options{Memory: cmp.Or(s.memory, lineMemory), FS: fsys.OS{}, Dir: cmp.Or(s.tempDir, os.TempDir())})
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

// lineNode is a move of lines, with how many have come that far, and those behind it,
// in their order.
type lineNode struct {
	move  model.Move
	games int
	next  []lineNode
}

// beginnings returns the beginnings of lines, by their first moves, of which each has so
// many games at least as the function says for a first move.
func (s *lineSorter) beginnings(least func(model.Move) int) (map[model.Move]lineNode, error) {
	all := map[model.Move]lineNode{}
	if s.sorter == nil {
		return all, nil
	}
	var line []model.Move  // the one read last
	few := 0               // of its first move
	open := []lineNode{{}} // of its beginnings: open[n] has n moves
	closeTo := func(depth int) {
		for n := len(line); n > depth; n-- {
			done, before := open[n], &open[n-1]
			if done.move = line[n-1]; done.games >= few {
				before.next = append(before.next, done)
			}
			open[n] = lineNode{}
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
				open = append(open, lineNode{})
			}
		}
		if common == 0 {
			few = least(line[0])
		}
		for n := 1; n <= len(line); n++ {
			open[n].games++
		}
	}
	closeTo(0)
	for _, first := range open[0].next {
		all[first.move] = first
	}
	return all, nil
}

// typical returns what is played most, move by move, of several the smallest, as far as
// a tenth of the games follow it, and how many do so to the end.
func (n *lineNode) typical() (line []model.Move, games int) {
	line, games = []model.Move{n.move}, n.games
	for at := n; ; {
		var best *lineNode
		for i := range at.next {
			if best == nil || at.next[i].games > best.games {
				best = &at.next[i]
			}
		}
		if best == nil || 10*best.games < n.games {
			return line, games
		}
		line, games, at = append(line, best.move), best.games, best
	}
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
