// Package bookexport writes opening books in forms for other programs and for
// people: JSON Lines, Polyglot books, and a table. It knows books only as
// [model.Book], not how they are stored.
package bookexport
