package jsonl

// CheckSame is for tests from outside.
var CheckSame = checkSame
