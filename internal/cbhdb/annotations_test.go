package cbhdb

import (
	"slices"
	"testing"

	"cbkit/internal/cbh"
	"cbkit/internal/derive"
)

// Annotations go to the games whose own they are proven to be.
func TestLostAnnotations(t *testing.T) {
	all := []string{"xxx", "xxx", "xxx"}
	for what, c := range map[string]struct {
		games, named []int
		fits         []string // of each game, with an x where it fits
		settled      []int
		want         []int
	}{
		"their numbers say it":                     {[]int{3, 5, 7}, []int{3, 7}, all, nil, []int{0, -1, 1}},
		"numbers are out of order":                 {[]int{3, 5, 7}, []int{5, 7, 3}, all, nil, []int{0, 1, 2}},
		"a number against what a header says":      {[]int{3, 5}, []int{5, 3}, []string{"x.", ".x"}, nil, []int{0, 1}},
		"numbers of games that have theirs":        {[]int{3, 5}, []int{8, 9}, all, []int{8, 9}, []int{0, 1}},
		"a number of one that lacks its elsewhere": {[]int{3, 5}, []int{8, 9}, all, []int{8}, []int{-1, -1}},
		"one too few, and both fit":                {[]int{3, 5}, []int{8}, all, []int{8}, []int{-1, -1}},
		"one too few, and one fits":                {[]int{3, 5}, []int{8}, []string{".", "x"}, []int{8}, []int{-1, 0}},
		"one too many, and one fits":               {[]int{3}, []int{8, 9}, []string{".x"}, []int{8, 9}, []int{1}},
		"one too many, and both fit":               {[]int{3}, []int{8, 9}, all, []int{8, 9}, []int{-1}},
		"two that name it":                         {[]int{3}, []int{3, 3}, all, nil, []int{-1}},
		"a number by chance":                       {[]int{3, 5}, []int{5, 9}, all, []int{9}, []int{0, 1}},
		"nothing fits":                             {[]int{3}, []int{3}, []string{"."}, nil, []int{-1}},
	} {
		lost := LostAnnotations{
			Games: c.games, Named: c.named,
			Fits:      func(i, k int) (bool, error) { return c.fits[i][k] == 'x', nil },
			IsSettled: func(number int) (bool, error) { return slices.Contains(c.settled, number), nil },
		}
		if of, err := lost.Pair(); err != nil || !slices.Equal(of, c.want) {
			t.Errorf("%s: %v, %v, want %v", what, of, err, c.want)
		}
	}
}

// A game misses its annotations if its header says that there are some, and not where.
func TestMissesAnnotations(t *testing.T) {
	head := make([]byte, cbh.RecordSize)
	h := Header{ID: 1, Head: head}
	head[0] = byte(cbh.TypeInUse)
	if h.MissesAnnotations() {
		t.Error("a game without annotations misses some")
	}
	cbh.GameFlags.Put(head, uint64(cbh.ProvenFlags&^derive.MoveFlags))
	if !h.MissesAnnotations() {
		t.Error("a game with flags and no place misses none")
	}
	h.SetAnnotationsAt(26)
	if h.MissesAnnotations() {
		t.Error("a game that points to its annotations misses them")
	}
}
