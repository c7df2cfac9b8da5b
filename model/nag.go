package model

// The symbols that people use most, by their numbers in the PGN standard (10.). All
// others are written as numbers: those of the standard and, where that is silent, of
// docs/formats/cba.md 6.
const (
	NAGGood        NAG = 1 // !
	NAGMistake     NAG = 2 // ?
	NAGBrilliant   NAG = 3 // !!
	NAGBlunder     NAG = 4 // ??
	NAGInteresting NAG = 5 // !?
	NAGDubious     NAG = 6 // ?!

	NAGEqual               NAG = 11 // =
	NAGWhiteSlightlyBetter NAG = 14 // ⩲
)
