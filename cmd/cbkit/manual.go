package main

import (
	"embed"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/kong"
)

// helpTexts have what stands below the flags in the help of each verb: what it does,
// and examples. A file is named after its verb.
//
//go:embed help
var helpTexts embed.FS

// helpText returns the text of a verb, "" if it has none.
func helpText(verb string) string {
	text, _ := helpTexts.ReadFile("help/" + strings.ReplaceAll(verb, " ", "-") + ".txt")
	return strings.TrimSuffix(string(text), "\n")
}

// printHelp prints help with the text of the verb.
func printHelp(options kong.HelpOptions, ctx *kong.Context) error {
	verb := ctx.Selected()
	if verb == nil {
		ctx.Model.Help = helpText("cbkit")
		return kong.DefaultHelpPrinter(options, ctx)
	}
	verb.Detail = helpText(verb.Path())
	var left []string
	for _, list := range [][]*kong.Flag{verb.Flags, ctx.Model.Flags} {
		for _, f := range list {
			if form := formOf(f); slices.Contains(sharedFlags(), form) {
				f.Hidden = true
				left = append(left, form.name)
			}
		}
	}
	if err := kong.DefaultHelpPrinter(options, ctx); err != nil || len(left) == 0 {
		return err
	}
	fmt.Fprintf(ctx.Stdout, "\nFlags of many verbs, which \"cbkit help flags\" explains:\n  %s\n", wrappedAt(ctx.Stdout, 2, strings.Join(left, " ")))
	return nil
}

// sharedFlags returns the flags that at least ten verbs take and explain in the
// same words: the help of a verb names them only.
var sharedFlags = sync.OnceValue(func() (list []flagForm) {
	verbs, seen := map[flagForm]int{}, []flagForm(nil)
	for _, v := range allVerbs() {
		for _, form := range v.own() {
			if v.path == "" { // those of the program are those of all
				verbs[form] = len(allVerbs())
			}
			if verbs[form]++; !slices.Contains(seen, form) {
				seen = append(seen, form)
			}
		}
	}
	return slices.DeleteFunc(seen, func(f flagForm) bool { return verbs[f] < 10 })
})

// helpCmd is "cbkit help", as people type it.
type helpCmd struct {
	Verb     []string `arg:"" optional:"" help:"The verb to show; flags for those that many verbs take."`
	Man      bool     `xor:"form" help:"Print it as a page of the manual, for man."`
	Markdown bool     `xor:"form" help:"Print the reference of all verbs as Markdown."`
}

// Run implements the verb.
func (c *helpCmd) Run(env *environment) error {
	words := strings.Join(c.Verb, " ")
	if words == "flags" && !c.Man && !c.Markdown {
		fmt.Fprint(env.text, "Flags that many verbs take; the help of a verb names those that it takes.\n\n")
		const column = 24
		all := sharedFlags()
		for _, f := range all {
			if slices.ContainsFunc(all, func(g flagForm) bool { return g.name == f.name && len(g.help) > len(f.help) }) {
				continue // the same, in fewer words
			}
			head := f.name + f.value
			if f.short != "" {
				head = f.short + ", " + head
			}
			if _, err := fmt.Fprintf(env.text, "  %-*s  %s\n", column-4, head, wrappedAt(env.text, column, f.help)); err != nil {
				return err
			}
		}
		return nil
	}
	if !isVerb(words) && noVerb(c.Verb) == nil {
		return usageError{fmt.Errorf("there is no verb %q; cbkit --help lists all", words)}
	}
	all := allVerbs()
	at := slices.IndexFunc(all, func(v verb) bool { return v.path == words })
	switch {
	case c.Markdown && at == 0:
		return reference(env.text, all)
	case c.Markdown:
		return usageError{fmt.Errorf("the reference has all verbs; cbkit help --markdown")}
	case c.Man && at >= 0:
		return manPage(env.text, all[at], build())
	}
	return env.run(append(c.Verb, "--help"))
}

// block is a part of a help text: a paragraph, or lines that stand as they are.
type block struct {
	text  string
	isRaw bool // indented lines: examples
}

// name returns what a verb is called in headings: "cbkit edit".
func (v verb) name() string { return strings.TrimSpace("cbkit " + v.path) }

// text returns the parts of the help text of a verb, of that of the program for itself.
func (v verb) text() (list []block) {
	ended := true
	for line := range strings.Lines(helpText(strings.ReplaceAll(v.name(), "cbkit ", ""))) {
		line = strings.TrimSuffix(line, "\n")
		raw := strings.HasPrefix(line, "  ")
		switch last := len(list) - 1; {
		case line == "":
			ended = true
		case !ended && list[last].isRaw == raw:
			list[last].text += "\n" + strings.TrimPrefix(line, "  ")
		default:
			list = append(list, block{strings.TrimPrefix(line, "  "), raw})
			ended = false
		}
	}
	return list
}

// usage returns the arguments as the help shows them.
func (v verb) usage() string { return strings.TrimSpace(strings.TrimPrefix(v.Summary(), v.path)) }

// own returns the flags of a verb but for those that all verbs take, in their form.
func (v verb) own() (list []flagForm) {
	for _, f := range v.Flags {
		if !f.Hidden {
			list = append(list, formOf(f))
		}
	}
	return list
}

// formOf returns the form of a flag.
func formOf(f *kong.Flag) flagForm {
	form := flagForm{name: "--" + f.Name, help: f.Help}
	if f.Short != 0 {
		form.short = "-" + string(f.Short)
	}
	switch {
	case !f.IsBool():
		form.value = "=" + f.FormatPlaceHolder()
	case f.PlaceHolder != "":
		form.value = "[=" + f.PlaceHolder + "]"
	}
	return form
}

// flagForm is how a flag is written.
type flagForm struct{ short, name, value, help string }

// reference prints the page about all verbs and their flags, docs/reference.md.
func reference(w io.Writer, all []verb) error {
	var b strings.Builder
	b.WriteString("# All verbs and flags\n\nMade by `cbkit help --markdown` of what the program knows of itself; what is wrong here is wrong there.\n")
	for _, v := range all {
		fmt.Fprintf(&b, "\n## %s\n\n", v.name())
		if v.path != "" {
			fmt.Fprintf(&b, "%s\n\n", markdown(v.Help))
		}
		fmt.Fprintf(&b, "    %s %s\n", v.name(), v.usage())
		for _, part := range v.text() {
			if part.isRaw {
				fmt.Fprintf(&b, "\n    %s\n", strings.ReplaceAll(part.text, "\n", "\n    "))
			} else {
				fmt.Fprintf(&b, "\n%s\n", markdown(part.text))
			}
		}
		if len(v.Positional) > 0 {
			b.WriteString("\n| Argument | |\n|---|---|\n")
			for _, p := range v.Positional {
				fmt.Fprintf(&b, "| `%s` | %s |\n", p.Summary(), markdown(p.Help))
			}
		}
		if flags := v.own(); len(flags) > 0 {
			title := "Flag"
			if v.path == "" {
				title = "Flag of every verb"
			}
			fmt.Fprintf(&b, "\n| %s | |\n|---|---|\n", title)
			for _, f := range flags {
				if f.short != "" {
					f.short = "`" + f.short + "`, "
				}
				fmt.Fprintf(&b, "| %s`%s` | %s |\n", f.short, strings.ReplaceAll(f.name+f.value, "|", `\|`), markdown(f.help))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdown returns text with what means something in Markdown escaped.
func markdown(text string) string {
	return regexp.MustCompile("[\\\\`*_<|[]").ReplaceAllString(text, `\$0`)
}

// manPage prints the page of the manual about a verb.
func manPage(w io.Writer, v verb, from buildInfo) error {
	var b strings.Builder
	title := strings.ReplaceAll(v.name(), " ", "-")
	day, _, _ := strings.Cut(from.Date, "T")
	fmt.Fprintf(&b, ".TH %s 1 %q %q cbkit\n", strings.ToUpper(title), day, strings.TrimSpace("cbkit "+from.Version))
	about := v.Help
	if v.path == "" {
		about = "read and write chess databases"
	}
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.B %s\n%s\n", roff(title), roff(strings.TrimSuffix(about, ".")), v.name(), roff(v.usage()))
	for i, part := range v.text() {
		switch {
		case part.isRaw:
			fmt.Fprintf(&b, ".PP\n.EX\n%s\n.EE\n", roff(part.text))
		case part.text == "Examples:":
			b.WriteString(".SH EXAMPLES\n")
		case i == 0:
			fmt.Fprintf(&b, ".SH DESCRIPTION\n%s\n", roff(part.text))
		default:
			fmt.Fprintf(&b, ".PP\n%s\n", roff(part.text))
		}
	}
	if len(v.Positional) > 0 {
		b.WriteString(".SH ARGUMENTS\n")
		for _, p := range v.Positional {
			fmt.Fprintf(&b, ".TP\n.I %s\n%s\n", roff(p.Summary()), roff(p.Help))
		}
	}
	if flags := v.own(); len(flags) > 0 {
		b.WriteString(".SH OPTIONS\n")
		for _, f := range flags {
			if f.short != "" {
				f.short = `\fB` + roff(f.short) + `\fR, `
			}
			fmt.Fprintf(&b, ".TP\n%s\\fB%s\\fR%s\n%s\n", f.short, roff(f.name), roff(f.value), roff(f.help))
		}
	}
	verbs := slices.DeleteFunc(slices.Clone(allVerbs()), func(w verb) bool { // those below it: all of the program for itself
		return w.path == v.path || v.path != "" && !strings.HasPrefix(w.path, v.path+" ")
	})
	if len(verbs) > 0 {
		b.WriteString(".SH COMMANDS\n")
		for _, below := range verbs {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", below.name(), roff(below.Help))
		}
	}
	if v.path != "" {
		b.WriteString(".SH SEE ALSO\n.BR cbkit (1),\nwhich has the flags of every verb and the exit statuses\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// roff returns text as man shows it: no letter of it is an instruction.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	return regexp.MustCompile(`(?m)^[.']`).ReplaceAllString(text, `\&$0`)
}
