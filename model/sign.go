package model

// Sign is what standard algebraic notation says of a move beyond its squares and
// promotion, which the [Move] has: with both it can be written without a board.
type Sign uint8

// The parts of a sign.
const (
	// SignPiece is the kind of the piece that moves, a [PieceType], 0 for the null
	// move.
	SignPiece Sign = 7
	// SignCapture says that something is captured.
	SignCapture Sign = 1 << 3
	// SignFile and SignRank say that the file and the rank of From are named,
	// since another piece of the kind could go to the same square.
	SignFile Sign = 1 << 4
	SignRank Sign = 1 << 5
	// SignCheck says that the move gives check; mate has SignMate too.
	SignCheck Sign = 1 << 6
	SignMate  Sign = 1 << 7
)

// Piece returns the kind of the piece that moves.
func (s Sign) Piece() PieceType { return PieceType(s & SignPiece) }
