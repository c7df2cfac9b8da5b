// Package derive computes what follows from the content of a game: the values
// that databases store beside it so that searches need not replay it.
//
// Writers store these values and checkers compare them with the stored ones;
// both ask here, so that they cannot disagree.
package derive
