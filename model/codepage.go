package model

import "fmt"

// A PageGuess is the most likely code page of the names and texts of a source, with
// its evidence.
type PageGuess struct {
	// Page is the most likely page: a name that read.Options.CodePage takes.
	Page string `json:"page"`
	// Clear says that the evidence is clear. Without it Page is 1252.
	Clear bool `json:"clear"`
	// Language is that of most texts, if the page tells.
	Language string `json:"language,omitempty"`
	// Texts is how many of the texts were neither ASCII nor UTF-8; Letters is how
	// many bytes beyond ASCII those had.
	Texts   int `json:"texts"`
	Letters int `json:"letters"`
	// Candidates are all pages, the most likely first.
	Candidates []PageCandidate `json:"candidates,omitempty"`
}

// A PageCandidate is the evidence for one page.
type PageCandidate struct {
	Page string `json:"page"`
	// Score is the natural logarithm of the likelihood of the texts in this page,
	// relative to the best page for each text; 0 is the best.
	Score float64 `json:"score"`
	// Fit is the share of the texts that no other page suits better, 0 to 1.
	Fit float64 `json:"fit"`
}

// String returns one line, such as "1251 (Russian): 5123 names and texts read
// so, 0.99 of them best".
func (g PageGuess) String() string {
	texts, are := fmt.Sprintf("%d names and texts", g.Texts), "are"
	if g.Texts == 1 {
		texts, are = "1 name or text", "is"
	}
	switch {
	case g.Texts == 0:
		return "1252: all names and texts are ASCII or UTF-8"
	case !g.Clear:
		return "1252: nothing clearly speaks for another page in " + texts + " that " + are + " not UTF-8"
	}
	return fmt.Sprintf("%s (%s): recognised by %s, of which %.0f%% read best so", g.Page, g.Language, texts, 100*g.Candidates[0].Fit)
}
