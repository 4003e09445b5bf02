package main

import (
	"flag"
	"io"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/completion"
	"github.com/propalg/propalg/internal/scan"
)

func runCompletion(inv *invocation) (int, error) {
	if err := inv.parse(1, 1); err != nil {
		return 0, err
	}

	shell := newChoice(completion.Shells()...)
	if err := shell.Set(inv.args[0]); err != nil {
		return 0, usageError{"no completion for the shell " + inv.args[0] + ": " + err.Error()}
	}
	_, err := io.WriteString(inv.out, completion.Script(shell.value, "propalg", completed()))
	return exitSame, err
}

// completed returns what shells complete.
func completed() (all []completion.Command) {
	for _, c := range commands() {
		about := completion.Command{Name: c.name, About: c.about}
		if c.name == "completion" {
			about.Words = completion.Shells()
		}

		c.defined().VisitAll(func(f *flag.Flag) {
			_, text := flag.UnquoteUsage(f)
			each := completion.Flag{Name: dashed(f.Name), About: text}
			if c, isChoice := f.Value.(interface{ values() []string }); isChoice {
				each.Values = c.values()
			}
			b, isBool := f.Value.(interface{ IsBoolFlag() bool })
			each.IsBool = isBool && b.IsBoolFlag()
			about.Flags = append(about.Flags, each)
		})

		all = append(all, about)
	}
	return all
}

// defined returns the flags of a command, which it defines before it asks for help.
func (c command) defined() *flag.FlagSet {
	inv := newInvocation(c, []string{"--help"}, streams{out: io.Discard, err: io.Discard, in: strings.NewReader("")})
	_, _ = c.run(inv) // flag.ErrHelp
	return inv.flags
}

// meant returns a question for a word that begins another or may be a mistake for it, else
// nothing.
func meant(word string, candidates []string, prefix string) string {
	found := scan.Nearest(slices.Values(candidates), word)
	for _, c := range candidates {
		if found == "" && len(word) > 2 && strings.HasPrefix(c, word) {
			found = c
		}
	}
	if found == "" {
		return ""
	}

	return " (did you mean " + prefix + found + "?)"
}
