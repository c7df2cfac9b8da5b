// Package wire reads and writes numbers of fixed width in byte slices.
//
// A [Cursor] walks over bytes that may be damaged or hostile. It never reads
// outside them: the first read that does not fit fails, the failure sticks, and
// every later read gives zeros. So a decoder reads all its fields in a row and
// asks once, at the end, whether there was an error:
//
//	c := wire.NewCursor(b)
//	id, size := c.U24BE(), c.U32BE()
//	if err := c.Err(); err != nil {
//		return wire.Locate(err, "games.cbg", offset, int64(id))
//	}
//
// The functions named Append… write the same numbers behind a slice; [CutRunes] cuts
// texts for fields of fixed size. Names end
// in BE (big-endian: most significant byte first) or LE (little-endian),
// because ChessBase uses both, sometimes inside one record.
//
// What several of its files code alike is here, too: the board of a position that is
// set up ([ParseBoard], [AppendBoard]) and the type of an event ([EventType],
// [EventNumber]).
package wire
