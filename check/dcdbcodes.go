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
	{simpleUnreadable, Error, "a file is missing or is something else; nothing more can be said"},
	{simpleMisprint, Note, "the magic bytes have the misprint of the format's description"},
	{simpleLayout, Note, "the index has a layout of a draft of the format"},
	{simpleCut, Error, "the index ends inside an entry"},
	{simpleCodePage, Note, "names or comments are not UTF-8"},

	{simpleReference, Error, "an entry refers to a name that is not there"},
	{simpleField, Note, "a status, result, date or ECO code without a meaning"},
	{simpleSearch, Note, "the fields for searches do not follow from the moves"},

	{simpleExtent, Error, "a game does not lie inside its file"},
	{simpleGame, Error, "a game cannot be read, or not to its end"},
	{simpleForm, Note, "a game is stored in another form than the usual one; a copy keeps it"},
	{simpleUnused, Note, "the file of games has bytes that no entry leads to, or that several lead to"},
}

var simpleSeverities = func() map[string]Severity {
	m := map[string]Severity{}
	for _, c := range simpleCodes {
		m[c.Code] = c.Severity
	}
	return m
}()
