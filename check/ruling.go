package check

// Ruling says why findings of a code are errors or notes.
type Ruling string

const (
	// Sheet: a sheet names it. For ChessBase databases and their boosters that
	// is docs/formats/real-databases.md 11, for opening books the
	// rules of docs/formats/ctg.md.
	Sheet Ruling = "sheet"
	// Structure: no sheet names it, and what is stored cannot be read as its
	// format says: always an error.
	Structure Ruling = "structure"
	// Harmless: no sheet names it as an error, and nothing else depends on it,
	// such as a value without a meaning: always a note.
	Harmless Ruling = "harmless"
)

// Code is what there is to know about a kind of finding.
type Code struct {
	Code string `json:"code"`
	// Severity is the usual one; Meaning says when it is another.
	Severity Severity `json:"severity"`
	Ruling   Ruling   `json:"ruling"`
	Meaning  string   `json:"meaning"`
}

// usualSeverities finds the usual severity of a code.
func usualSeverities(codes []Code) map[string]Severity {
	m := make(map[string]Severity, len(codes))
	for _, c := range codes {
		m[c.Code] = c.Severity
	}
	return m
}
