package main

import (
	"embed"
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/kong"

	"cbkit/search"
)

// guessFiles have what people try and what they mean by it.
//
//go:embed verbs.guess flags.guess
var guessFiles embed.FS

var (
	// verbGuesses are verbs that are none here, with the commands that do it, in which
	// names stand for what is to be filled in.
	verbGuesses = sync.OnceValue(func() map[string]string { return guessesIn("verbs.guess") })
	// flagGuesses are flags that people try, with those that do it: of several the
	// first that the verb has is named. "OUT" stands for the last argument of verbs
	// that make something, "POSITION" for that of verbs that look one up.
	flagGuesses = sync.OnceValue(func() map[string]string { return guessesIn("flags.guess") })
)

// guessesIn reads lines of words, a tab and what they mean.
func guessesIn(file string) map[string]string {
	text, _ := guessFiles.ReadFile(file) // it is embedded
	guesses := map[string]string{}
	for line := range strings.Lines(string(text)) {
		words, means, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		for word := range strings.SplitSeq(words, ", ") {
			guesses[word] = means
		}
	}
	return guesses
}

// noVerb returns an error that says which command does what was typed, where its first
// words name no verb; nil if they do, or if unknown.
func noVerb(args []string) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return nil
	}
	if args[0] == "book" && len(args) > 1 && isVerb("book "+args[1]) || args[0] != "book" && isVerb(args[0]) {
		return nil
	}
	word := strings.ToLower(args[0])
	if word == "book" && len(args) > 1 {
		word += " " + strings.ToLower(args[1])
	}
	command := verbGuesses()[word]
	if command == "" && named(args[0]) != "" && isThere(args[0]) {
		return usageError{fmt.Errorf("%s: say what to do with it: cbkit info %[1]s tells what it is, cbkit --help lists all verbs", args[0])}
	}
	if command == "" {
		return nil
	}
	typed := args[0]
	if typed == "book" {
		typed += " " + args[1]
	}
	verb := strings.Fields(command)[0]
	if verb == "book" {
		verb = strings.Join(strings.Fields(command)[:2], " ")
	}
	return usageError{fmt.Errorf("there is no verb %q; cbkit %s does that; see cbkit %s --help", typed, command, verb)}
}

// isVerb reports whether there is such a verb; those of "cbkit book" have that before them.
func isVerb(path string) bool {
	return slices.ContainsFunc(allVerbs(), func(v verb) bool { return v.path == path })
}

// allVerbs lists all verbs, the program itself first.
var allVerbs = sync.OnceValue(func() []verb {
	parser, err := kong.New(&cli{}, kong.Name("cbkit"))
	if err != nil {
		panic(err) // every run of the program would fail
	}
	return verbsOf(parser.Model.Node)
})

// choiceWords are other words for values of flags and arguments of which there are
// few.
var choiceWords = map[string]string{
	"player": "players", "tournament": "tournaments", "event": "tournaments", "events": "tournaments",
	"annotator": "annotators", "source": "sources", "team": "teams", "title": "titles",
	"w": "white", "b": "black", "json": "jsonl", "id": "ids", "rating": "elo", "date": "year", "roundrobin": "round-robin",
}

// choices reads strings as kong does. Where there is a choice of a few values, case
// does not matter, and other words for them will do.
var choices = kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
	var given string
	if err := ctx.Scan.PopValueInto("string", &given); err != nil {
		return err
	}
	word, isOther := choiceWords[strings.ToLower(given)]
	for _, value := range values(ctx.Value) {
		if strings.EqualFold(value, given) || isOther && value == word {
			given = value
			break
		}
	}
	target.SetString(given)
	return nil
})

// takesValue returns the flags behind which a value stands.
var takesValue = sync.OnceValue(func() map[string]bool {
	flags := map[string]bool{}
	for _, v := range allVerbs() {
		for _, f := range v.flags {
			if !f.IsBool() {
				flags["--"+f.Name] = true
				if f.Short != 0 {
					flags["-"+string(f.Short)] = true
				}
			}
		}
	}
	return flags
})

// unknownFlag, unexpected and noNumber are how kong says what it does not understand;
// missingArgument what it misses.
var (
	noNumber        = regexp.MustCompile(`expected a valid \d+ bit u?int but got "([^"]*)"`)
	unknownFlag     = regexp.MustCompile(`unknown flag (--?[\w-]+)(, did you mean [^?]*\?)?`)
	unexpected      = regexp.MustCompile(`unexpected argument (.+)`)
	missingArgument = regexp.MustCompile(`expected "<([^>]+)>`)
)

// makes is what the help of an argument says that names what is made.
var makes = regexp.MustCompile("(?i)make|file ending|standard output")

// advisedUse adds to an error of kong's about a verb what to write.
func advisedUse(text string, verb *kong.Node, args []string) string {
	if m := unknownFlag.FindStringSubmatch(text); m != nil {
		if say := flagFor(m[1], verb); say != "" {
			return fmt.Sprintf("unknown flag %s; %s", m[1], say)
		}
		return text
	}
	if m := noNumber.FindStringSubmatch(text); m != nil {
		text = strings.Replace(text, m[0], fmt.Sprintf("%q is no number", m[1]), 1)
		words := argumentsIn(args)
		if file, id, is := strings.Cut(m[1], "#"); is && strings.HasPrefix(text, "<id>") && len(words) > 1 {
			text += fmt.Sprintf("; of a record in a folder name its file and its number: %s %s %s", verb.FullPath(), filepath.Join(words[0], file), id)
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

// flagFor says which flag of a verb does what another was tried for, "" if unknown.
func flagFor(tried string, verb *kong.Node) string {
	last := "" // the help of the last of several arguments
	if n := len(verb.Positional); n > 1 {
		last = verb.Positional[n-1].Help
	}
	isMade := makes.MatchString(last)
	for name := range strings.FieldsSeq(flagGuesses()[tried]) {
		switch {
		case name == "OUT" && isMade:
			return "what to make is the last argument"
		case name == "POSITION" && strings.Contains(last, "FEN"):
			return "the position is the last argument"
		case strings.HasPrefix(name, "--"):
			if f := flagNamed(name[2:], verb); f != nil {
				return f.Summary() + " does that"
			}
		}
	}
	for _, t := range search.Terms() {
		if tried == "--"+t.Name && (flagNamed("terms", verb) != nil || flagNamed("where", verb) != nil) {
			return fmt.Sprintf("'%s:%s' in a query does that", t.Name, t.Value)
		}
	}
	if tried == "--unreached" { // which "book edit" had
		return "it is gone: positions that nothing leads to stay in a .ctg, and do no harm"
	}
	return ""
}

// flagNamed returns the flag of a verb with a name, nil if there is none.
func flagNamed(name string, verb *kong.Node) *kong.Flag {
	for _, f := range slices.Concat(verb.AllFlags(false)...) {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// lowerFirst writes a text with a small letter at its beginning, but for abbreviations.
func lowerFirst(s string) string {
	if len(s) < 2 || s[1] >= 'A' && s[1] <= 'Z' {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
