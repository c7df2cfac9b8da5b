// Package jsontext reads and writes JSON text without reflection: a
// bounds-checked scanner over bytes in memory, and functions that append to a
// byte slice.
//
// It is stricter than encoding/json where leniency loses data: keys match by
// case, strings that are not UTF-8 and halves of surrogate pairs are errors
// and not replaced, a number must fit where it goes. A key that occurs twice
// counts as often as the caller reads it. Nothing here recurses, so nesting
// is bounded only by what the caller asks for.
//
// # Text
//
// A Go string may hold bytes that are not UTF-8, JSON text may not. The
// functions named Text write such a string, and only such a one, as
// {"raw":"base64"}.
package jsontext
