package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"cbkit/internal/dbfile"
)

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
	path  string // "book probe", "" for the program itself
	flags []*kong.Flag
}

// verbsOf lists the verbs of a command line, the program itself first.
func verbsOf(n *kong.Node) []verb {
	path := strings.TrimPrefix(strings.TrimPrefix(n.FullPath(), "cbkit"), " ")
	all := []verb{{Node: n, path: path, flags: slices.Concat(n.AllFlags(true)...)}}
	for _, child := range n.Children {
		all = append(all, verbsOf(child)...)
	}
	return all
}

// values returns the values that an argument or flag can have, or those worth offering
// where there are others; nil for any.
func values(v *kong.Value) []string {
	return slices.DeleteFunc(strings.Split(cmp.Or(v.Enum, v.Tag.Get("values")), ","), func(s string) bool { return s == "" })
}

// bashScript has places for the verbs, for the flags behind which a value stands, for
// the words and the flags of each verb, for the values of flags and arguments, and for the
// databases that stand for their other files.
//
//go:embed completion.bash
var bashScript string

// bashCompletion prints the script for bash. Zsh reads it too.
func bashCompletion(w io.Writer, verbs []verb) error {
	var paths, words, flags, choices, parts strings.Builder
	for _, v := range verbs {
		if v.path != "" {
			fmt.Fprintf(&paths, "      %q) verb=%q; n=0; continue ;;\n", v.path, v.path)
			fmt.Fprintf(&paths, "      %q) verb=%q; n=0; continue ;;\n", "help "+v.path, "help "+v.path)
		}
		var below, list []string
		for _, child := range v.Children {
			below = append(below, child.Name)
		}
		if v.path == "" {
			fmt.Fprintf(&words, "    \"help 0\") words=%q ;;\n", strings.Join(append(slices.Clone(below), "flags"), " "))
		}
		if len(below) > 0 {
			fmt.Fprintf(&words, "    %q|%q) words=%q ;;\n", v.path+" 0", strings.TrimSpace("help "+v.path)+" 0", strings.Join(below, " "))
		}
		for i, p := range v.Positional {
			if list := values(p); len(list) > 0 {
				fmt.Fprintf(&words, "    \"%s %d\") words=%q ;;\n", v.path, i, strings.Join(list, " "))
			}
		}
		for _, f := range v.flags {
			list = append(list, "--"+f.Name)
			if of := values(f.Value); len(of) > 0 {
				fmt.Fprintf(&choices, "    %q) words=%q ;;\n", v.path+" --"+f.Name, strings.Join(of, " "))
			}
		}
		fmt.Fprintf(&flags, "      %q) words=%q ;;\n", v.path, strings.Join(list, " "))
	}
	for _, set := range []dbfile.Format{dbfile.ChessBase, dbfile.Simple, dbfile.Book} {
		var others []string
		for _, ending := range set[1:] {
			others = append(others, "*"+ending.Ext)
		}
		fmt.Fprintf(&parts, "      %s) main=%s ;;\n", strings.Join(others, "|"), set[0].Ext)
	}
	_, err := fmt.Fprintf(w, bashScript, parts.String(), strings.Join(slices.Sorted(maps.Keys(takesValue())), "|"), paths.String(),
		flags.String(), choices.String(), words.String())
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
		if v.path != "" {
			fmt.Fprintf(&b, "complete -c cbkit -n '__fish_seen_subcommand_from help' -a %s\n", v.Name)
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
