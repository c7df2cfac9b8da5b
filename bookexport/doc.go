// Package bookexport writes opening books in forms for other programs and for
// people: JSON Lines, Polyglot books, and a table. It knows books only as
// [model.Book], not how they are stored: [cbkit/read.OpenBook] opens one, package ctgwrite
// makes and changes them, and [cbkit/check.Book] checks them.
package bookexport
