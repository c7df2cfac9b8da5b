package moveenc

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/replay"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// The source of the tables, where it is at hand: modes without a real record
// have no other proof than being copied right.
func TestTablesEqualTheirSource(t *testing.T) {
	corpus := cmp.Or(os.Getenv("CBKIT_CORPUS"), filepath.Join("..", "..", "shared", "corpus"))
	data, err := os.ReadFile(filepath.Join(corpus, "..", "spec", "cbg-keys.json"))
	if err != nil {
		t.Skip(err)
	}
	var source struct {
		Opcodes []string
		Modes   map[string]struct{ Encoder, Counter, Order, Game string }
		Decode  map[string][]int
	}
	must.Do(t, json.Unmarshal(data, &source))
	for mode, m := range modes {
		key := fmt.Sprint(mode)
		if got, want := fmt.Sprint(tables[mode]), fmt.Sprint(source.Decode[key]); got != want {
			t.Errorf("mode %d: table %s\nwant %s", mode, got, want)
		}
		s := source.Modes[key]
		game := map[string]variant{"regular": regular, "losing": losing, "chess960": chess960}[s.Game]
		want := traits{s.Encoder == "simple", s.Counter == "post", s.Order == "reverse", game, m.proven}
		if m != want {
			t.Errorf("mode %d: %+v, want %+v", mode, m, want)
		}
	}
	if len(source.Decode) != numModes || len(source.Modes) != numModes {
		t.Errorf("%d tables, %d modes, want %d", len(source.Decode), len(source.Modes), numModes)
	}
	if got, want := strings.Join(opcodeNames(), "\n"), strings.Join(source.Opcodes, "\n"); got != want {
		t.Errorf("opcodes\n%s\nwant\n%s", got, want)
	}
}

func TestTablesArePermutations(t *testing.T) {
	for mode := range tables {
		var seen [256]bool
		for _, v := range tables[mode] {
			if seen[v] {
				t.Fatalf("mode %d: %#x twice", mode, v)
			}
			seen[v] = true
		}
	}
}

func TestCipherIsItsInverse(t *testing.T) {
	for mode := range Mode(numModes) {
		c := newCipher(mode)
		for i := range 1 << 16 {
			v, n := byte(i), byte(i>>8)
			if got := c.decode(c.encode(v, n), n); got != v {
				t.Fatalf("mode %d, n %d: %#x became %#x", mode, n, v, got)
			}
		}
	}
}

// The meaning of all codes, docs/formats/cbg.md 5.1, in the words of cbg-keys.json.
func TestOpcodes(t *testing.T) {
	want := must.Get(os.ReadFile(filepath.Join("testdata", "opcodes.txt")))(t)
	for code, name := range strings.Split(strings.TrimSpace(string(want)), "\n") {
		if got := opcodeNames()[code]; got != name {
			t.Errorf("%#02x: %s, want %s", code, got, name)
		}
	}
}

// opcodeNames returns the meaning of every code in words.
func opcodeNames() []string {
	names := make([]string, 256)
	for code := range names {
		names[code] = opcodeName(byte(code))
	}
	return names
}

func opcodeName(code byte) string {
	switch code {
	case codeDummy:
		return "skip"
	case codePush:
		return "push"
	case codePop:
		return "pop"
	}
	op := opcodes[code]
	switch op.kind {
	case nullMove:
		return "null"
	case castleShort:
		return "O-O"
	case castleLong:
		return "O-O-O"
	case twoBytes:
		return "multi"
	case noMove:
		return "unused"
	}
	d := op.step[model.White]
	if op.slot >= replay.PawnSlot {
		pawn := map[step]string{{0, 1}: "forward1", {0, 2}: "forward2", {1, 1}: "capture-right", {7, 1}: "capture-left"}
		return fmt.Sprintf("P%d %s", op.slot-replay.PawnSlot+1, pawn[d])
	}
	for t := model.King; t >= model.Knight; t-- {
		if op.slot >= replay.Slots[t].First && op.slot < replay.Slots[t].End {
			number := fmt.Sprint(op.slot - replay.Slots[t].First + 1)
			if t == model.King {
				number = ""
			}
			return fmt.Sprintf("%c%s %d,%d", t.Letter(), number, d.file, d.rank)
		}
	}
	return "?"
}

// Black's pawns go the other way; all other steps are the same.
func TestBlackPawnSteps(t *testing.T) {
	for code := range opcodes {
		op := opcodes[code]
		white, black := op.step[model.White], op.step[model.Black]
		if op.slot >= replay.PawnSlot {
			white = step{(8 - white.file) & 7, (8 - white.rank) & 7}
		}
		if black != white {
			t.Errorf("%#02x: Black %v, want %v", code, black, white)
		}
	}
}

// A step's code means that step, and of two codes the lower is written.
func TestCodesAreTheInverse(t *testing.T) {
	count := 0
	for code := range opcodes {
		op := opcodes[code]
		if op.kind != pieceStep {
			continue
		}
		count++
		for c, d := range op.step {
			written := codes[c][op.slot][d.index()]
			if op.twin && (written != byte(code)-7 || twins[written] != byte(code)) || !op.twin && written != byte(code) {
				t.Errorf("%#02x: written as %#02x", code, written)
			}
		}
	}
	if want := 8 + 3*28 + 3*14 + 3*14 + 3*8 + 8*4; count != want {
		t.Errorf("%d steps, want %d", count, want)
	}
}

// docs/formats/cbg.md 3.1 prints these tables.
func TestTablesOfTheReference(t *testing.T) {
	page := must.Get(os.ReadFile(filepath.Join("..", "docs", "formats", "cbg.md")))(t)
	for mode := range tables {
		block := fmt.Sprintf("\n    table: mode %d\n", mode)
		for line := range slices.Chunk(tables[mode][:], 32) {
			block += fmt.Sprintf("    %X %X %X %X\n", line[:8], line[8:16], line[16:24], line[24:])
		}
		if !strings.Contains(string(page), block) {
			t.Errorf("docs/formats/cbg.md should have%s", block)
		}
	}
}
