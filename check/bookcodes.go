package check

// BookCodes lists the findings of [Book], sorted by what they are about.
func BookCodes() []Code { return append([]Code(nil), bookCodes...) }

// The codes of findings about opening books.
const (
	bookMissingFile = "book-missing-file"
	bookHeader      = "book-header"
	bookFileSize    = "book-file-size"
	bookPageCount   = "book-page-count"
	bookPositions   = "book-position-count"
	bookDirectory   = "book-directory"
	bookBounds      = "book-bounds"
	bookUnusedPage  = "book-unused-page"
	bookRootLeaf    = "book-root-leaf"
	bookShortCTO    = "book-short-cto"

	bookPage      = "book-page"
	bookKey       = "book-key"
	bookMisplaced = "book-misplaced"
	bookTwice     = "book-twice"

	bookMove       = "book-move"
	bookMoveTwice  = "book-move-twice"
	bookMoveForm   = "book-move-form"
	bookManyMoves  = "book-many-moves"
	bookChild      = "book-child"
	bookStatistics = "book-statistics"
	bookScore      = "book-score"
	bookRatings    = "book-ratings"
)

var bookCodes = []Code{
	{bookMissingFile, Error, "the .ctb or .cto file is missing"},
	{bookHeader, Error, "the header page is not one of a book"},
	{bookFileSize, Error, "a file has not the size that its header states; a note if it only goes on"},
	{bookPageCount, Error, "the header counts another number of pages than the file has"},
	{bookPositions, Error, "the header counts another number of positions than are stored; a note if it counts more, as after deletions"},
	{bookDirectory, Error, "the .ctb and .cto files are damaged, or fit neither each other nor the pages"},
	{bookBounds, Error, "the lower or upper bound contradicts the bitmap; a note if it is only not the tightest"},
	{bookUnusedPage, Error, "no leaf of the directory has this page"},
	{bookRootLeaf, Note, "the whole book is one page under the root, where some programs do not look"},
	{bookShortCTO, Note, "some programs look past the end of the .cto file for positions that are not in the book"},

	{bookPage, Error, "the entries of a page do not fill its used part"},
	{bookKey, Error, "a key that no position has"},
	{bookMisplaced, Error, "an entry on a page where nobody looks for it"},
	{bookTwice, Error, "two entries for one position on a page"},

	{bookMove, Error, "a move byte that means no legal move"},
	{bookMoveTwice, Error, "a move that is listed twice"},
	{bookMoveForm, Note, "a move byte that only ChessBase reads rightly"},
	{bookManyMoves, Note, "more moves than some programs have room for"},
	{bookChild, Error, "a listed move leads to a position that is not in the book"},
	{bookStatistics, Error, "more results than games"},
	{bookScore, Note, "the score does not fit the results; old books leave it out"},
	{bookRatings, Note, "a sum of ratings of no games, or ratings in more games than there are"},
}

var bookSeverities = func() map[string]Severity {
	m := map[string]Severity{}
	for _, c := range bookCodes {
		m[c.Code] = c.Severity
	}
	return m
}()
