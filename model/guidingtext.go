package model

// GuidingText is a text that stands among the games of a database: a report,
// an introduction, a table of contents.
type GuidingText struct {
	Tournament, Annotator, Source, GameTitle EntityID
	Round, Subround                          uint16
	// HTML says that the contents are HTML pages, not plain text.
	HTML     bool
	Titles   []LocalText
	Contents []LocalText
	// Media are the names of pictures, sounds and films that the text uses.
	Media []string

	// ContentErr says why the stored text could not be decoded. Then Titles
	// and Contents are empty and the record is in Leftovers.Content.
	ContentErr error

	Leftovers TextLeftovers
}

// LocalText is a text in one language.
type LocalText struct {
	Language Language
	Text     string
	// Leftover depends on Text: raw bytes, formatting.
	Leftover *Leftover
}

// TextLeftovers are the leftovers of a guiding text, by part.
type TextLeftovers struct {
	Header *Leftover
	// Content depends on Titles and Contents.
	Content *Leftover
}

// NewGuidingText returns an empty text that refers to nothing.
func NewGuidingText() *GuidingText {
	return &GuidingText{Tournament: NoEntity, Annotator: NoEntity, Source: NoEntity, GameTitle: NoEntity}
}

// SetContents replaces titles and contents and drops what depended on them.
func (t *GuidingText) SetContents(titles, contents []LocalText) {
	t.Titles, t.Contents = titles, contents
	t.Leftovers.Content, t.ContentErr = nil, nil
}
