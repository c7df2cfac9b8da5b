package pgn

import (
	"slices"
	"strings"
	"testing"
)

// Signs stand for NAGs, and variations are set in and numbered.
func TestReadable(t *testing.T) {
	const game = `1. e4 $5 e5 $142 $14 (1... c5 $1 $16 {Sicilian} 2. Nf3 (2. Nc3 $200) (2. c3) 2... d6) ({better} 1... e6) 2. Nf3 $18
		{behind} ({why not} 2. f4) {[%cbtext next] before} 2... Nc6 $220 1-0`
	const want = `1. e4!? ⌓e5 ⩲
    [1] (1... c5! ± {Sicilian} 2. Nf3
        [2] (2. Nc3 $200)
        [3] (2. c3)
    2... d6)
    [4] ({better} 1... e6)
2. Nf3 +- {behind}
    [5] ({why not} 2. f4)
{before} 2... Nc6 {[#]} 1-0

`
	db := readAll(t, []byte(game))
	g := db.List[0].Game
	text, lines := AppendReadable(nil, g, &db.Tables)
	if _, moves, _ := strings.Cut(string(text), "\n\n"); moves != want {
		t.Errorf("%s\nwant:\n%s", moves, want)
	}
	var first []string
	for _, node := range lines {
		first = append(first, g.Moves.Move(node).String())
	}
	if want := []string{"e2e4", "c7c5", "b1c3", "c2c3", "e7e6", "f2f4"}; !slices.Equal(first, want) {
		t.Errorf("lines begin with %v, want %v", first, want)
	}
}

// In trees of games the words say what the commands do.
func TestReadableTrees(t *testing.T) {
	db := readAll(t, []byte("1. e4 {mine [%cbgame White=A;Black=B] A - B 1-0 [%cbgame White=C] C - ? *} e5 {[%cbsee] transposes to 1.d4 [%clk 1]} *"))
	text := string(AppendPlainGame(nil, db.List[0].Game, &db.Tables))
	if !strings.Contains(text, "{mine [%cbgame White=A;Black=B] A - B 1-0 [%cbgame White=C] C - ? *}") {
		t.Errorf("%s", text)
	}
	shown, _ := AppendReadable(nil, db.List[0].Game, &db.Tables)
	if want := "1. e4 {mine A - B 1-0 C - ? *} 1... e5 {transposes to 1.d4 [%clk 1]} *\n"; !strings.Contains(string(shown), want) {
		t.Errorf("%s", shown)
	}
}

// What stands in front of a move stands behind its number.
func TestReadablePrefixes(t *testing.T) {
	const want = `1. ⌓e4 = e5 2. RR Nf3 N ∆Nc6!
    [1] (2... ∇d6)
    [2] (2... ≤f6)
*

`
	db := readAll(t, []byte("1. e4 $142 e5 $144 2. Nf3 $145 $146 Nc6 $140 $1 (2... d6 $141) (2... f6 $143) *"))
	text, _ := AppendReadable(nil, db.List[0].Game, &db.Tables)
	if _, moves, _ := strings.Cut(string(text), "\n\n"); moves != want {
		t.Errorf("%s\nwant:\n%s", moves, want)
	}
}
