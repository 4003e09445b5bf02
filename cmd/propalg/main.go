// Command propalg compares and inspects Pulumi property bags and stack exports.
//
//	propalg diff OLD NEW          what changed between two bags or stacks
//	propalg apply OLD DIFF        a bag with the changes of a JSON diff made
//	propalg ignore OLD NEW P…     a bag with ignored properties set back
//	propalg state ls FILE         the resources of a stack export
//	propalg path parse TEXT…      property paths and patterns, taken apart
//	propalg urn parse URN…        URNs, taken apart
//	propalg version               version, Go version, commit
//
// It exits with 0 for success or no difference, 1 for differences, 2 for bad
// usage or bad input (one line says which file, where and why). Results go to
// standard output, messages to standard error; "-" is standard input. Secrets
// are masked unless --show-secrets is given.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// The exit codes.
const (
	exitSame      = 0
	exitDifferent = 1
	exitBad       = 2
)

func main() {
	s := streams{in: os.Stdin, out: os.Stdout, err: os.Stderr, terminal: isTerminal(os.Stdout)}
	if s.terminal {
		s.columns, _ = strconv.Atoi(os.Getenv("COLUMNS"))
	}
	os.Exit(run(os.Args[1:], s))
}

// streams are what a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
	terminal bool // out is one
	columns  int  // of the terminal, 0 when not known
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// command is one of the tool's commands, named by one or two words.
type command struct {
	name    string
	usage   string // the arguments
	about   string // one sentence
	example string
	run     func(inv *invocation) (code int, err error)
}

func commands() []command {
	return []command{
		{
			"diff", "OLD NEW", "Show what changed between two property bags or two stack exports.",
			"propalg diff --replace-on 'engineVersion' before.json after.json", runDiff,
		},
		{
			"apply", "OLD DIFF", "Make the changes of a diff, as 'diff -o json' writes it, in a property bag.",
			"propalg diff -o json --show-secrets before.json after.json | propalg apply before.json -", runApply,
		},
		{
			"ignore", "OLD NEW PATTERN…", "Set the properties that patterns name back to what they were, as ignoreChanges does.",
			"propalg ignore before.json after.json 'tags.*' 'rules[*].port'", runIgnore,
		},
		{
			"state ls", "FILE", "List the resources of a stack export or checkpoint.",
			"pulumi stack export | propalg state ls -", runStateLs,
		},
		{
			"path parse", "TEXT…", "Take property paths and patterns apart.",
			`propalg path parse -o json --dialect pulumi 'tags["a.b"][0]'`, runPathParse,
		},
		{
			"urn parse", "URN…", "Take URNs apart.",
			"propalg urn parse 'urn:pulumi:dev::shop::aws:s3/bucketV2:BucketV2::assets'", runURNParse,
		},
		{"version", "", "Print version, Go version and commit.", "propalg version -o json", runVersion},
	}
}

// run finds the command that the first words name, and runs it.
func run(args []string, s streams) int {
	if len(args) == 0 {
		overview(s.err, "")
		return exitBad
	}
	asked := slices.Contains([]string{"help", "-h", "-help", "--help"}, args[0])
	switch {
	case asked && len(args) > 1: // propalg help diff
		args = append(slices.Clone(args[1:]), "--help")
	case asked:
		overview(s.out, "")
		return exitSame
	case args[0] == "--version" || args[0] == "-version":
		args[0] = "version"
	}
	isGroup := false
	for _, c := range commands() {
		words := strings.Fields(c.name)
		if len(args) >= len(words) && strings.Join(args[:len(words)], " ") == c.name {
			return c.invoke(args[len(words):], s)
		}
		isGroup = isGroup || words[0] == args[0]
	}
	switch {
	case isGroup && slices.Contains([]string{"-h", "-help", "--help"}, args[len(args)-1]):
		overview(s.out, args[0])
		return exitSame
	case isGroup:
		fmt.Fprintf(s.err, "propalg: %s needs a second word; try 'propalg %s --help'\n", args[0], args[0])
	case strings.HasPrefix(args[0], "-"):
		fmt.Fprintf(s.err, "propalg: the command comes first, then flags such as %s; try 'propalg help'\n", oneLine(errors.New(args[0])))
	default:
		fmt.Fprintf(s.err, "propalg: no command %q; try 'propalg help'\n", args[0])
	}
	return exitBad
}

// overview lists the commands, or those of one group.
func overview(w io.Writer, group string) {
	fmt.Fprint(w, "Usage: propalg COMMAND [flags] arguments\n\n")
	for _, c := range commands() {
		if !strings.HasPrefix(c.name, group) {
			continue
		}
		fmt.Fprintf(w, "  %-26s %s\n", strings.TrimSpace(c.name+" "+c.usage), c.about)
	}
	fmt.Fprint(w, "\n'propalg COMMAND --help' tells more. \"-\" is standard input. Exit codes: 0 no\n"+
		"difference or success, 1 differences, 2 bad usage or bad input.\n")
}

// invocation is one run of one command.
type invocation struct {
	command
	streams
	flags *flag.FlagSet
	args  []string
	raw   []string // what the command has still to parse
}

// usageError is bad usage: reported with a hint at --help.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

func (c command) invoke(args []string, s streams) int {
	inv := &invocation{command: c, streams: s, raw: args, flags: flag.NewFlagSet(c.name, flag.ContinueOnError)}
	inv.flags.SetOutput(io.Discard)
	code, err := c.run(inv)
	var usage usageError
	switch {
	case err == nil:
		return code
	case errors.Is(err, flag.ErrHelp):
		inv.help(s.out)
		return exitSame
	case errors.As(err, &usage):
		fmt.Fprintf(s.err, "propalg %s: %s; try 'propalg %s --help'\n", c.name, oneLine(err), c.name)
	default:
		fmt.Fprintf(s.err, "propalg %s: %s\n", c.name, oneLine(err))
	}
	return exitBad
}

func (inv *invocation) help(w io.Writer) {
	fmt.Fprintf(w, "Usage: propalg %s\n\n%s\n", strings.TrimSpace(inv.name+" [flags] "+inv.usage), inv.about)
	inv.flags.SetOutput(w)
	fmt.Fprint(w, "\nFlags:\n")
	inv.flags.PrintDefaults()
	fmt.Fprintf(w, "\nExample:\n  %s\n", inv.example)
}

// parse parses flags wherever they stand among the arguments, up to "--", and
// checks the number of arguments; most < 0 means any number.
func (inv *invocation) parse(least, most int) error {
	rest := inv.raw
	for {
		if err := inv.flags.Parse(rest); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return err
			}
			return usageError{err.Error()}
		}
		done := len(rest) - inv.flags.NArg()
		if done > 0 && rest[done-1] == "--" {
			inv.args = append(inv.args, inv.flags.Args()...)
			break
		}
		if inv.flags.NArg() == 0 {
			break
		}
		inv.args = append(inv.args, inv.flags.Arg(0))
		rest = inv.flags.Args()[1:]
	}
	if len(inv.args) < least || most >= 0 && len(inv.args) > most {
		usage := inv.usage
		if usage == "" {
			usage = "no arguments"
		}
		return usageError{fmt.Sprintf("wants %s, got %d of them", usage, len(inv.args))}
	}
	return nil
}

// oneLine makes sure that a message is one, and that nothing in it moves the
// cursor of a terminal.
func oneLine(err error) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, err.Error())
}
