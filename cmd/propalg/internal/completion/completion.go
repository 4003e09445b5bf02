// Package completion writes scripts with which shells complete commands, flags and the
// values of flags.
package completion

import (
	"fmt"
	"slices"
	"strings"
)

// Command is a command of the tool. Its name has one or two words.
type Command struct {
	Name  string
	About string
	Words []string // that its argument may be, if these are few
	Flags []Flag
}

// Flag is a flag of a command.
type Flag struct {
	Name   string // with one or two dashes
	About  string
	Values []string // that it may have, if these are few
	IsBool bool     // it has no value
}

// Shells returns the names of the shells.
func Shells() []string { return []string{"bash", "zsh", "fish"} }

// Script returns the script for a shell, one of Shells. tool is the name of the program.
func Script(shell, tool string, commands []Command) string {
	fill := strings.NewReplacer("TOOL", tool, "CASES", cases(commands), "\t", "    ")
	switch shell {
	case "bash":
		return fill.Replace(bash)
	case "zsh":
		return fill.Replace(zsh)
	}

	return fish(tool, commands)
}

// The scripts ask CASES for the list of words: by the number of words before the one
// that is completed, the command, the word before, and the beginning of the word.
const bash = `# Completion of TOOL in bash: eval "$(TOOL completion bash)"
_TOOL() {
	local n=$((COMP_CWORD - 1)) first=${COMP_WORDS[1]} second=${COMP_WORDS[2]}
	local before=${COMP_WORDS[COMP_CWORD - 1]} word=${COMP_WORDS[COMP_CWORD]} list=
CASES
	mapfile -t COMPREPLY < <(compgen -W "$list" -- "$word")
}
complete -o default -o bashdefault -F _TOOL TOOL
`

const zsh = `#compdef TOOL
# Completion of TOOL in zsh: source <(TOOL completion zsh), after compinit
_TOOL() {
	local n=$((CURRENT - 2)) first=$words[2] second=$words[3]
	local before=$words[CURRENT-1] word=$words[CURRENT] list=
CASES
	if [ -n "$list" ]; then
		compadd -- ${=list}
	else
		_files
	fi
}
if [ "$funcstack[1]" = _TOOL ]; then _TOOL "$@"; else compdef _TOOL TOOL; fi
`

// cases returns the part of the scripts that bash and zsh have in common.
func cases(commands []Command) string {
	var b strings.Builder
	groups, names := grouped(commands)
	fmt.Fprintf(&b, "\tcase \"$n $first\" in\n\t0\\ *) list=%q ;;\n", strings.Join(names, " "))
	for _, name := range names {
		if len(groups[name]) > 0 {
			fmt.Fprintf(&b, "\t\"1 %s\") list=%q ;;\n", name, strings.Join(groups[name], " "))
		}
	}

	b.WriteString("\t*)\n")
	for _, c := range commands {
		words := "$first"
		if strings.Contains(c.Name, " ") {
			words = "$first $second"
		}
		fmt.Fprintf(&b, "\t\tif [ \"%s\" = %q ]; then\n", words, c.Name)
		b.WriteString("\t\t\tcase $before in\n")
		flags := make([]string, 0, len(c.Flags))
		for _, f := range c.Flags {
			flags = append(flags, f.Name)
			if len(f.Values) > 0 {
				fmt.Fprintf(&b, "\t\t\t%s) list=%q ;;\n", f.Name, strings.Join(f.Values, " "))
			}
		}
		fmt.Fprintf(&b, "\t\t\t*) case $word in -*) list=%q ;; *) list=%q ;; esac ;;\n\t\t\tesac\n\t\tfi\n",
			strings.Join(flags, " "), strings.Join(c.Words, " "))
	}

	b.WriteString("\t\t;;\n\tesac")
	return strings.ReplaceAll(b.String(), "\t", "    ")
}

// grouped returns the first words, and the second ones by the first.
func grouped(commands []Command) (groups map[string][]string, names []string) {
	groups = map[string][]string{}
	for _, c := range commands {
		name, after, isGroup := strings.Cut(c.Name, " ")
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		if isGroup {
			groups[name] = append(groups[name], after)
		}
	}

	return groups, names
}

// fish returns the script for fish, which also shows what things are about.
func fish(tool string, commands []Command) string {
	var b strings.Builder
	groups, names := grouped(commands)
	fmt.Fprintf(&b, "# Completion of %s in fish: %s completion fish | source\n", tool, tool)

	for _, name := range names {
		about := strings.Join(groups[name], ", ")
		for _, c := range commands {
			if c.Name == name {
				about = c.About
			}
		}
		fmt.Fprintf(&b, "complete -c %s -f -n __fish_use_subcommand -a %s -d %s\n", tool, name, quoted(about))
	}

	for _, c := range commands {
		name, after, isGroup := strings.Cut(c.Name, " ")
		when := "__fish_seen_subcommand_from " + name
		if isGroup {
			fmt.Fprintf(&b, "complete -c %s -f -n %s -a %s -d %s\n", tool,
				quoted(when+"; and not __fish_seen_subcommand_from "+strings.Join(groups[name], " ")), after, quoted(c.About))
			when += "; and __fish_seen_subcommand_from " + after
		}
		if len(c.Words) > 0 {
			fmt.Fprintf(&b, "complete -c %s -f -n %s -a %s\n", tool, quoted(when), quoted(strings.Join(c.Words, " ")))
		}
		for _, f := range c.Flags {
			name := "-s " + f.Name[1:]
			if long, isLong := strings.CutPrefix(f.Name, "--"); isLong {
				name = "-l " + long
			}
			fmt.Fprintf(&b, "complete -c %s -n %s %s", tool, quoted(when), name)
			switch {
			case len(f.Values) > 0:
				fmt.Fprintf(&b, " -x -a %s", quoted(strings.Join(f.Values, " ")))
			case !f.IsBool:
				b.WriteString(" -r")
			}
			fmt.Fprintf(&b, " -d %s\n", quoted(f.About))
		}
	}

	return b.String()
}

func quoted(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", " ").Replace(text) + "'"
}
