package main

import (
	"cmp"
	"fmt"

	lib "cbkit"
	"cbkit/codepage"
)

// recognise guesses the code page of a database, unless one is given, and tells
// once of a page that is not ChessBase's own. Errors are left to whoever opens
// the database.
func (env *environment) recognise(p *lib.Place, asked codePage) codepage.Guess {
	if asked != "" {
		return codepage.Guess{Page: string(asked)}
	}
	guess, err := p.GuessCodePage()
	if err != nil {
		return codepage.Guess{}
	}
	env.tellPage(mainFile(p.Name), guess)
	return guess
}

// tellPage says once for each database in which page it is read.
func (env *environment) tellPage(name string, guess codepage.Guess) {
	if !guess.Clear || env.pages[name] || env.pagesShown {
		return
	}
	if env.pages == nil {
		env.pages = map[string]bool{}
	}
	env.pages[name] = true
	fmt.Fprintf(env.stderr, "cbkit: %s: read in code page %v; --codepage 1252 reads it otherwise\n", name, guess)
}

// commonPage returns the code page of all sources, "" if they have several.
func commonPage(pages []string) string {
	for _, page := range pages {
		if cmp.Or(page, codepage.Default) != cmp.Or(pages[0], codepage.Default) {
			return ""
		}
	}
	return pages[0]
}
