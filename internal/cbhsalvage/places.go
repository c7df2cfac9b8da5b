package cbhsalvage

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/wire"
	"cbkit/model"
	"cbkit/moveenc"
)

// leastMoves is the size of the shortest record of the .cbg file: a head, and the
// end of a game without moves.
const leastMoves = moveenc.HeadSize + 1

// end is where the .cbg file ends.
func (s *Source) end() int64 {
	if s.moves == nil {
		return 0
	}
	return s.moves.Size()
}

// beginOf is where the records of a .cbg or .cba file begin; of a damaged header
// the shorter one is assumed.
func beginOf(f *stream) int64 {
	if f == nil {
		return 0
	}
	b, err := f.Start(cbh.OldBlockHeaderSize)
	if err == nil && len(b) >= 2 && binary.BigEndian.Uint16(b) == cbh.BlockHeaderSize {
		return cbh.BlockHeaderSize
	}
	return cbh.OldBlockHeaderSize
}

// placesIn lists the places of a part that headers give, the likelier first.
func placesIn(h *cbhdb.Header, f *cbh.PlaceFields) (list []int64) {
	low, full := int64(f.Low.Uint(h.Head)), int64(min(f.Full.Uint(h.Ext), 1<<62))
	if h.Head != nil && f.Full.In(h.Ext) {
		list = append(list, f.Of(h.Head, h.Ext))
	}
	return append(list, low, full)
}

// placeRecords finds out where the moves of each id begin, and which of the
// places are reliable.
func (s *Source) placeRecords(ctx context.Context) error {
	s.at, s.reliable = make([]int64, s.count+1), make([]bool, s.count+1)
	if s.moves == nil {
		return nil
	}
	sizes := make([]int32, s.count+1)
	begin := beginOf(s.moves)
	for id := model.RecordID(1); id <= s.count; id++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		h, err := s.header(id)
		if err != nil {
			return err
		}
		for _, at := range placesIn(&h, cbh.MovesPlace) {
			b, err := s.blockAt(at)
			if err != nil {
				return err
			}
			if s.at[id] == 0 && at >= begin && at < s.end() {
				s.at[id] = at // better than nothing
			}
			if b.size > 0 {
				s.at[id], sizes[id] = at, int32(b.size)
				break
			}
		}
	}
	s.trust(sizes)
	return nil
}

// block is where a record of the .cbg file lies; no size: it is none.
type block struct {
	at, size int64
	// follows says that it begins where the one before it ends.
	follows bool
}

func (b block) end() int64 { return b.at + b.size }

// blockAt returns the record that can begin at a place, by its head.
func (s *Source) blockAt(at int64) (block, error) {
	if s.moves == nil || at < cbh.OldBlockHeaderSize || at+moveenc.HeadSize > s.end() {
		return block{at: at}, nil
	}
	b, err := s.moves.window.At(at, moveenc.HeadSize)
	if err != nil {
		return block{at: at}, err
	}
	size := int64(wire.U24BE(b[1:]))
	isEmpty := size == moveenc.HeadSize && b[0] < 8 && b[0]%2 == 1 // of the simple encoder, which writes no end
	if size < leastMoves && !isEmpty || size > s.end()-at {
		size = 0
	}
	return block{at: at, size: size}, nil
}

// trust finds the longest row of ids whose places ascend, among places that one
// id alone gives and where a record can begin; of those, records that reach into
// each other are not reliable.
func (s *Source) trust(sizes []int32) {
	var shared []int64 // places that more than one id gives
	all := slices.Clone(s.at[1:])
	slices.Sort(all)
	for i := 1; i < len(all); i++ {
		if all[i] != 0 && all[i] == all[i-1] && (len(shared) == 0 || shared[len(shared)-1] != all[i]) {
			shared = append(shared, all[i])
		}
	}
	var row []model.RecordID // the last ids of rows of each length
	before := make([]int32, s.count+1)
	for id := model.RecordID(1); id <= s.count; id++ {
		if _, isShared := slices.BinarySearch(shared, s.at[id]); isShared || sizes[id] == 0 {
			continue
		}
		i, _ := slices.BinarySearchFunc(row, s.at[id], func(r model.RecordID, at int64) int {
			if s.at[r] < at {
				return -1
			}
			return 1
		})
		before[id] = 0
		if i > 0 {
			before[id] = int32(row[i-1])
		}
		if i == len(row) {
			row = append(row, id)
		} else {
			row[i] = id
		}
	}
	last := model.RecordID(0)
	if len(row) > 0 {
		last = row[len(row)-1]
	}
	for id, next := last, model.RecordID(0); id != 0; id, next = model.RecordID(before[id]), id {
		s.reliable[id] = true
		if next != 0 && s.at[id]+int64(sizes[id]) > s.at[next] {
			s.reliable[id], s.reliable[next] = false, false
		}
	}
	for id := model.RecordID(1); id <= s.count; id++ {
		switch {
		case s.reliable[id]:
			s.row = append(s.row, id)
		case s.at[id] != 0:
			s.claims[s.at[id]]++
		}
	}
}

// insideReliable reports whether a place is inside of a reliable record.
func (s *Source) insideReliable(at int64) (bool, error) {
	i, exact := slices.BinarySearchFunc(s.row, at, func(id model.RecordID, at int64) int {
		return cmp.Compare(s.at[id], at)
	})
	if exact || i == 0 {
		return exact, nil
	}
	b, err := s.blockAt(s.at[s.row[i-1]])
	return at < b.end(), err
}
