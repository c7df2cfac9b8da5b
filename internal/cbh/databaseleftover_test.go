package cbh

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"testing"

	"cbkit/internal/testkit/must"
	"cbkit/model"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func ExampleDatabaseLeftover() {
	games, moves := NewFileHeader(3), NewBlockHeader(800, 0)
	l := DatabaseLeftover{Games: &games, Moves: &moves, Settings: []byte("[DescrCBG]\r\n"), Others: []string{".cit", ".cib"}}
	extra := &model.Leftover{Format: "cbh", Data: l.Append(nil)}

	back, err := DecodeDatabaseLeftover(extra.From("cbh"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(back.Games.Next, back.Moves.FileSize, back.Ext == nil, back.Media == nil, back.Others)
	// Output:
	// 4 800 true true [.cit .cib]
}

// drawLeftover draws a leftover that Append and Parse keep as it is.
func drawLeftover(t *rapid.T) *DatabaseLeftover {
	l := rapid.Make[*DatabaseLeftover]().Filter(func(l *DatabaseLeftover) bool { return l != nil }).Draw(t, "leftover")
	if l.Games != nil {
		l.Games.Used = UsedOld
	} else {
		l.Records = 0
	}
	if l.Ext != nil {
		l.Ext.RecordSize, l.Ext.Records = 78, l.Ext.Records&math.MaxInt32
	} else {
		l.ExtRecords = 0
	}
	for _, h := range []*BlockHeader{l.Moves, l.Annotations} {
		if h != nil {
			h.Size = BlockHeaderSize
		}
	}
	for i, h := range l.Entities {
		if h == nil {
			l.Slots[i] = 0
			continue
		}
		h.Capacity &= math.MaxInt32
		h.PayloadSize = max(EntityUseSize, h.PayloadSize)
	}
	l.Others = rapid.SliceOf(rapid.StringMatching(`\.[a-z0-9]{0,4}`)).Draw(t, "others")
	return l
}

// equalBytes makes absent and empty lists equal where only their content
// counts.
var equalBytes = cmp.FilterPath(func(p cmp.Path) bool {
	name := p.Last().String()
	return name == ".Extension" || name == ".Others"
}, cmp.Comparer(func(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) }))

func TestDatabaseLeftoverRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLeftover(t)
		b := l.Append(nil)
		got := must.Get(DecodeDatabaseLeftover(b))(t)
		if diff := cmp.Diff(l, got, equalBytes); diff != "" {
			t.Fatal(diff)
		}
	})
	empty, err := DecodeDatabaseLeftover(nil)
	if err != nil || len(empty.Append(nil)) != 0 {
		t.Errorf("%+v, %v", empty, err)
	}
}

// goldenLeftover has 3 records by the header of the .cbh file and 2 in fact, a
// .cbg header of 10 bytes, an empty .ini file and a .cit file.
const goldenLeftover = "04 2e636268 00000032 00000002 00002c002e01 00000004 0000 00000000 00000000 00000000" +
	"00000000000000000000000000000000 00000004 0000" + "04 2e636267 0000000a 000a0000fb6f0000234c" + "04 2e696e69 00000000" + "00 00000005 2e63697400"

func TestGoldenDatabaseLeftover(t *testing.T) {
	games := NewFileHeader(3)
	moves := BlockHeader{Size: OldBlockHeaderSize, FileSize: 0xFB6F, Unused: 9036}
	l := DatabaseLeftover{Games: &games, Records: 2, Moves: &moves, Settings: []byte{}, Others: []string{".cit"}}
	golden(t, "leftover", l.Append(nil), goldenLeftover)
	got := must.Get(DecodeDatabaseLeftover(unhex(goldenLeftover)))(t)
	if diff := cmp.Diff(&l, got); diff != "" {
		t.Error(diff)
	}
}

func TestBadDatabaseLeftovers(t *testing.T) {
	good := unhex(goldenLeftover)
	whole := map[int]bool{0: true, 59: true, 78: true, 87: true} // after a file
	for n := range good {
		if _, err := DecodeDatabaseLeftover(good[:n]); (err == nil) != whole[n] {
			t.Errorf("cut to %d bytes: %v", n, err)
		}
	}
	for name, bad := range map[string]string{
		"unknown":      "04 2e787878 00000000",
		"twice":        "04 2e696e69 00000000 04 2e696e69 00000000",
		"out of order": "04 2e696e69 00000000 04 2e636267 0000000a 000a0000fb6f0000234c",
		"too long":     "04 2e636267 0000000b 000a0000fb6f0000234c00",
		"bad header":   "04 2e636267 00000002 0001",
		"beyond":       "04 2e696e69 ffffffff",
		"others":       "00 00000004 2e636974",
	} {
		_, err := DecodeDatabaseLeftover(unhex(bad))
		var e *model.FormatError
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzDatabaseLeftover(f *testing.F) {
	f.Add(unhex(goldenLeftover))
	games := NewFileHeader(3)
	f.Add((&DatabaseLeftover{Games: &games, Media: []byte{1}}).Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := DecodeDatabaseLeftover(b)
		if err != nil {
			return
		}
		if got := l.Append(nil); !bytes.Equal(got, b) {
			t.Errorf("% x becomes % x", b, got)
		}
	})
}
