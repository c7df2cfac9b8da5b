package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"
)

// flagGuesses are flags that people try, with those that do it; of several the first
// that the verb has is named. "OUT" stands for the last argument of verbs that make
// something.
var flagGuesses = map[string][]string{
	"-o": {"OUT"}, "--out": {"--output", "OUT"}, "--to": {"--output", "OUT"}, "--export": {"--output", "OUT"}, "--save": {"--output", "OUT"},
	"--output": {"OUT"}, "--target": {"OUT"}, "--position": {"--fen", "POSITION"}, "--moves": {"POSITION"}, "--fen": {"POSITION"},
	"--opening": {"--eco"}, "--event": {"--tournament"}, "--site": {"--place"}, "--country": {"--nation"}, "--rating": {"--elo"},
	"--add": {"--append"}, "--remove": {"--delete"}, "--rename": {"--rename-player"}, "--merge": {"--merge-player"}, "--comments": {"--comment", "--has"},
	"--opponent": {"--vs"}, "--against": {"--vs"}, "--name": {"--player"}, "--who": {"--player"}, "--list": {"--dry-run"}, "-n": {"--dry-run", "--limit"},
	"--show": {"--dry-run"}, "--preview": {"--dry-run"}, "--max": {"--limit"}, "--top": {"--limit"}, "--head": {"--limit"}, "--first": {"--limit"},
	"--sort": {"--by"}, "--order": {"--by", "--sort"}, "--sort-by": {"--by", "--sort"}, "--key": {"--by"}, "--overwrite": {"--force"}, "-f": {"--force"},
	"--clock": {"--clocks"}, "--colour": {"--color"}, "--ids": {"--games"}, "--id": {"--games"}, "--depth": {"--max-ply"}, "--plies": {"--max-ply", "--ply"},
	"--encoding": {"--codepage"}, "--charset": {"--codepage"}, "--silent": {"--quiet"}, "--verbose": {"--explain", "--all"}, "--check-only": {"--check"},
	"--fix": {"--repair"}, "--update": {"OUT"}, "--in-place": {"OUT"}, "--password": {"--password-file"},
}

// unknownFlag and unexpected are how kong says what it does not understand;
// missingArgument what it misses.
var (
	unknownFlag     = regexp.MustCompile(`unknown flag (--?[\w-]+)(, did you mean [^?]*\?)?`)
	unexpected      = regexp.MustCompile(`unexpected argument (.+)`)
	missingArgument = regexp.MustCompile(`expected "<([^>]+)>`)
)

// advisedUse adds to an error of kong's about a verb what to write.
func advisedUse(text string, verb *kong.Node, args []string) string {
	if m := unknownFlag.FindStringSubmatch(text); m != nil {
		if say := flagFor(m[1], verb); say != "" {
			return fmt.Sprintf("unknown flag %s; %s", m[1], say)
		}
		return text
	}
	if m := missingArgument.FindStringSubmatch(text); m != nil {
		for _, p := range verb.Positional {
			if p.Name == m[1] {
				return text + ": " + lowerFirst(strings.TrimSuffix(p.Help, "."))
			}
		}
	}
	m := unexpected.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	for _, arg := range args {
		if f := flagNamed(strings.ToLower(arg), verb); f != nil {
			return fmt.Sprintf("%s; did you mean %s?", text, f.Summary())
		}
	}
	for i, arg := range args {
		if i == 0 || !takesValue()[args[i-1]] || strings.Contains(arg, "=") {
			continue
		}
		if f := flagNamed(strings.TrimPrefix(args[i-1], "--"), verb); f != nil && strings.Contains(f.PlaceHolder, "=") {
			return fmt.Sprintf("%s; write --%s %s as one word, in quotes if there are blanks", text, f.Name, f.PlaceHolder)
		}
	}
	if strings.Trim(m[1], "0123456789") == "" {
		return text + "; write several numbers as 1,3-5"
	}
	return text
}

// flagFor says which flag of a verb does what another was tried for, "" if nobody
// knows.
func flagFor(tried string, verb *kong.Node) string {
	for _, name := range flagGuesses[tried] {
		last := len(verb.Positional) - 1
		switch {
		case name == "OUT" && last > 0 && makesLast(verb):
			return "what to make is the last argument"
		case name == "POSITION" && last > 0 && strings.Contains(verb.Positional[last].Help, "FEN"):
			return "the position is the last argument"
		case strings.HasPrefix(name, "--"):
			if f := flagNamed(name[2:], verb); f != nil {
				return f.Summary() + " does that"
			}
		}
	}
	return ""
}

// makesLast reports whether the last argument of a verb is what it makes.
func makesLast(verb *kong.Node) bool {
	help := strings.ToLower(verb.Positional[len(verb.Positional)-1].Help)
	return strings.Contains(help, "make") || strings.Contains(help, "file ending") || strings.Contains(help, "standard output")
}

// flagNamed returns the flag of a verb with a name, nil if there is none.
func flagNamed(name string, verb *kong.Node) *kong.Flag {
	for _, group := range verb.AllFlags(false) {
		for _, f := range group {
			if f.Name == name {
				return f
			}
		}
	}
	return nil
}

// lowerFirst writes a text with a small letter at its beginning.
func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
