package main

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/kong"
)

// isVerb returns the words that name verbs.
var isVerb = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, v := range allVerbs() {
		for word := range strings.FieldsSeq(v.path) {
			words[word] = true
		}
	}
	return words
})

// completionCmd is "cbkit completion".
type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Run implements the verb.
func (c *completionCmd) Run(env *environment) error {
	verbs := allVerbs()
	switch c.Shell {
	case "fish":
		return fishCompletion(env.stdout, verbs)
	case "zsh":
		fmt.Fprintln(env.stdout, "#compdef cbkit")
		fmt.Fprintln(env.stdout, "autoload -U +X bashcompinit && bashcompinit")
	}
	return bashCompletion(env.stdout, verbs)
}

// verb is what a shell knows of a verb.
type verb struct {
	*kong.Node
	path  string   // "book probe", "" for the program itself
	words []string // verbs below it, flags, values of its arguments
	flags []*kong.Flag
}

// verbsOf lists the verbs of a command line, the program itself first.
func verbsOf(n *kong.Node) []verb {
	v := verb{Node: n, path: strings.TrimPrefix(strings.TrimPrefix(n.FullPath(), "cbkit"), " ")}
	for _, child := range n.Children {
		v.words = append(v.words, child.Name)
	}
	for _, group := range n.AllFlags(true) {
		for _, f := range group {
			v.flags = append(v.flags, f)
			v.words = append(v.words, "--"+f.Name)
		}
	}
	for _, p := range n.Positional {
		v.words = append(v.words, values(p)...)
	}
	all := []verb{v}
	for _, child := range n.Children {
		all = append(all, verbsOf(child)...)
	}
	return all
}

// values returns the values that an argument or flag can have, nil for any.
func values(v *kong.Value) []string {
	return slices.DeleteFunc(strings.Split(v.Enum, ","), func(s string) bool { return s == "" })
}

// bashScript has places for the verbs, for the words behind each, and for the values
// of flags.
//
//go:embed completion.bash
var bashScript string

// bashCompletion prints the script for bash. Zsh reads it too.
func bashCompletion(w io.Writer, verbs []verb) error {
	var paths, words, flags strings.Builder
	for _, v := range verbs {
		if v.path != "" {
			fmt.Fprintf(&paths, "      %q) verb=%q ;;\n", v.path, v.path)
		}
		fmt.Fprintf(&words, "    %q) words=%q ;;\n", v.path, strings.Join(v.words, " "))
		for _, f := range v.flags {
			if list := values(f.Value); len(list) > 0 {
				fmt.Fprintf(&flags, "    %q) words=%q ;;\n", v.path+" --"+f.Name, strings.Join(list, " "))
			}
		}
	}
	_, err := fmt.Fprintf(w, bashScript, paths.String(), words.String(), flags.String())
	return err
}

// fishCompletion prints the script for fish.
func fishCompletion(w io.Writer, verbs []verb) error {
	quote := func(s string) string {
		return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
	}
	var b strings.Builder
	for _, v := range verbs {
		when := "__fish_use_subcommand"
		if v.path != "" {
			var seen []string
			for word := range strings.FieldsSeq(v.path) {
				seen = append(seen, "__fish_seen_subcommand_from "+word)
			}
			when = strings.Join(seen, "; and ")
		}
		for _, n := range v.Children {
			fmt.Fprintf(&b, "complete -c cbkit -n %s -a %s -d %s\n", quote(when), n.Name, quote(n.Help))
		}
		for _, f := range v.flags {
			fmt.Fprintf(&b, "complete -c cbkit -n %s -l %s -d %s", quote(when), f.Name, quote(f.Help))
			if f.Short != 0 {
				fmt.Fprintf(&b, " -s %c", f.Short)
			}
			if list := values(f.Value); len(list) > 0 {
				fmt.Fprintf(&b, " -x -a %s", quote(strings.Join(list, " ")))
			} else if !f.IsBool() {
				b.WriteString(" -r")
			}
			b.WriteByte('\n')
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
