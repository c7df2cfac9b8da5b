package check

// SimpleCodes lists the findings of [Simple], sorted by what they are about.
func SimpleCodes() []Code { return append([]Code(nil), simpleCodes...) }

// The codes of findings about Simple Chess Databases.
const (
	simpleUnreadable = "simple-unreadable"
	simpleMisprint   = "simple-misprint"
	simpleLayout     = "simple-layout"
	simpleCut        = "simple-cut"
	simpleCodePage   = "simple-code-page"

	simpleReference = "simple-reference"
	simpleField     = "simple-field"
	simpleSearch    = "simple-search-fields"

	simpleExtent = "simple-extent"
	simpleGame   = "simple-game"
	simpleForm   = "simple-form"
	simpleUnused = "simple-unused"
)

var simpleCodes = []Code{
	{simpleUnreadable, Error, Structure, "a file is missing or is something else; nothing more can be said"},
	{simpleMisprint, Note, Harmless, "the magic bytes have the misprint of the format's description"},
	{simpleLayout, Note, Harmless, "the index has a layout of a draft of the format"},
	{simpleCut, Error, Structure, "the index ends inside an entry"},
	{simpleCodePage, Note, Harmless, "names or comments are not UTF-8"},

	{simpleReference, Error, Structure, "an entry refers to a name that is not there"},
	{simpleField, Note, Harmless, "a status, result, date or ECO code without a meaning"},
	{simpleSearch, Note, Harmless, "the fields for searches do not follow from the moves"},

	{simpleExtent, Error, Structure, "a game does not lie inside its file"},
	{simpleGame, Error, Structure, "a game cannot be read, or not to its end"},
	{simpleForm, Note, Harmless, "a game is stored in another form than the usual one; a copy keeps it"},
	{simpleUnused, Note, Harmless, "the file of games has bytes that no entry leads to, or that several lead to"},
}

var simpleSeverities = usualSeverities(simpleCodes)
