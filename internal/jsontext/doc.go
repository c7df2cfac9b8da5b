// Package jsontext reads and writes JSON text without reflection: a
// bounds-checked scanner over bytes in memory, and functions that append to a
// byte slice.
//
// It is stricter than encoding/json where leniency loses data: keys match by case,
// strings that are not UTF-8 and halves of surrogate pairs are errors and not replaced, a
// number must fit where it goes. The caller sees a key that occurs twice both times.
// Nothing here recurses, so only the caller bounds nesting.
//
// # Text
//
// A Go string may hold bytes that are not UTF-8, JSON text may not. [AppendText] and
// [Object.Text] write such a string as {"raw":"base64"}, others as usual.
package jsontext
