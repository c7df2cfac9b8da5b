package viewer

import "cbkit/model"

// NAGs that ask for a diagram, seen from White's and from Black's side.
const diagramWhite, diagramBlack model.NAG = 220, 221

// worthLast is the last of the NAGs that tell the worth of a move.
const worthLast model.NAG = 6

// nagWords say what a sign means, for those who cannot see it, and for all where
// people know no sign.
var nagWords = map[model.NAG]string{
	1: "good move", 2: "mistake", 3: "brilliant move", 4: "blunder", 5: "interesting move", 6: "dubious move", 9: "worst move",
	7: "only move", 8: "only move", 10: "equal", 11: "equal", 12: "equal", 13: "unclear",
	14: "White is slightly better", 15: "Black is slightly better", 16: "White is better", 17: "Black is better",
	18: "White is winning", 19: "Black is winning", 20: "White is winning", 21: "Black is winning",
	22: "zugzwang", 23: "zugzwang", 26: "space advantage", 27: "space advantage",
	32: "development advantage", 33: "development advantage", 36: "initiative", 37: "initiative",
	40: "attack", 41: "attack", 44: "compensation", 45: "compensation", 132: "counterplay", 133: "counterplay",
	138: "time trouble", 139: "time trouble", 140: "with the idea", 141: "aimed against", 142: "better is",
	143: "worse is", 145: "editorial comment", 146: "novelty", 238: "space advantage", 239: "file", 240: "diagonal", 241: "centre", 242: "kingside", 243: "queenside", 244: "weak point", 245: "endgame",
	246: "bishop pair", 247: "bishops of opposite colours", 248: "bishops of the same colour", 249: "connected pawns", 250: "isolated pawns", 251: "doubled pawns", 252: "passed pawn", 253: "pawn majority", 254: "with", 255: "without",
}
