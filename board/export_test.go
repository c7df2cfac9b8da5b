package board

// What New refuses, for tests that ask why.
var TwoKings, ManyPieces, BadValue = errKings, errPieces, errValue
