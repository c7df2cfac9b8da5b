package model

// The symbols that people use most, by their numbers in the PGN standard (10.) and
// where that is silent, in docs/formats/cba.md 6. All others can be written as
// numbers.
const (
	NAGGood        NAG = 1 // !
	NAGMistake     NAG = 2 // ?
	NAGBrilliant   NAG = 3 // !!
	NAGBlunder     NAG = 4 // ??
	NAGInteresting NAG = 5 // !?
	NAGDubious     NAG = 6 // ?!
	NAGOnlyMove    NAG = 8 // □

	NAGEqual               NAG = 11  // =
	NAGUnclear             NAG = 13  // ∞
	NAGWhiteSlightlyBetter NAG = 14  // ⩲
	NAGBlackSlightlyBetter NAG = 15  // ⩱
	NAGWhiteBetter         NAG = 16  // ±
	NAGBlackBetter         NAG = 17  // ∓
	NAGWhiteWinning        NAG = 18  // +-
	NAGBlackWinning        NAG = 19  // -+
	NAGZugzwang            NAG = 22  // ⊙
	NAGDevelopment         NAG = 32  // ↻
	NAGInitiative          NAG = 36  // ↑
	NAGAttack              NAG = 40  // →
	NAGCompensation        NAG = 44  // =/∞
	NAGCounterplay         NAG = 132 // ⇆
	NAGTimeTrouble         NAG = 138 // ⊕
	NAGNovelty             NAG = 146 // N

	// Those that stand before a move.
	NAGWithTheIdea  NAG = 140 // ∆
	NAGAimedAgainst NAG = 141 // ∇
	NAGBetterIs     NAG = 142 // ⌓
	NAGWorseIs      NAG = 143 // ≤
	NAGEquivalent   NAG = 144 // =
	NAGEditor       NAG = 145 // RR
)
