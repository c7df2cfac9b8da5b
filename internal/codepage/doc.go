// Package codepage guesses the code page of the names and texts of a database. Databases
// from before Unicode do not record it: the same bytes are "Кузьмин" in Windows-1251 and
// "Êóçüìèí" in Windows-1252.
//
// A [Detector] gets the texts as stored and computes how likely they are in each page:
//
//	P(texts | page) = Π over texts  Σ over languages of the page  P(language) · P(text | language)
//
// A name is in one language, but a database has names of many, so the sum over
// languages is inside of the product over texts. P(text | language) is made of
//
//   - how often the language has its letters beyond ASCII (languages.go),
//   - whether vowels and consonants take turns: "Dvoøák" has three vowels in a
//     row, "Dvořák" has none,
//   - whether capitals stand where capitals stand, which tells KOI8-R from 1251,
//   - whether letters of two scripts meet in a word, or signs stand in one.
//
// Windows-1252 is ChessBase's own page. Another one is a clear guess only if it
// makes the texts far more likely, and nearly none of them less likely.
package codepage
