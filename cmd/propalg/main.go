// Command propalg compares and inspects Pulumi property bags and stack exports.
//
//	propalg diff OLD NEW          what changed between two bags or stacks
//	propalg apply OLD DIFF        a bag with the changes of a JSON diff made
//	propalg merge BASE LEFT RIGHT a bag with the changes of two others made
//	propalg ignore OLD NEW P…     a bag with ignored properties set back
//	propalg lint LOG…             what a provider did wrong, by the log of its calls
//	propalg state ls FILE         the resources of a stack export
//	propalg state show FILE URN   one of them, with its properties
//	propalg state stats FILE      how large it is, and what in it
//	propalg path parse TEXT…      property paths and patterns, taken apart
//	propalg path get FILE PATH…   what is there in a bag
//	propalg path match P… -- T…   which paths patterns match
//	propalg urn parse URN…        URNs, taken apart
//	propalg urn check URN…        URNs, held against the published grammar
//	propalg urn build [URN]       a URN of parts
//	propalg version               version, Go version, commit
//
// It exits with 0 for success or no difference, 1 for differences or findings, 2 for bad
// usage or bad input (one line says which file, where and why). Results go to
// standard output, messages to standard error; "-" is standard input. Secrets
// are masked unless --show-secrets is given.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/printable"
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
			"merge", "BASE LEFT RIGHT", "Make the changes of two property bags in the one that both come from.",
			"propalg merge --arrays aligned base.json mine.json theirs.json", runMerge,
		},
		{
			"ignore", "OLD NEW PATTERN…", "Set the properties that patterns name back to what they were, as ignoreChanges does.",
			"propalg ignore before.json after.json 'tags.*' 'rules[*].port'", runIgnore,
		},
		{
			"lint", "LOG…", "Check the calls of a provider, and tell why it replaces a resource (--explain), from logs that PULUMI_DEBUG_GRPC makes an engine write.",
			"PULUMI_DEBUG_GRPC=log.json pulumi preview; propalg lint log.json", runLint,
		},
		{
			"state ls", "FILE", "List the resources of a stack export or checkpoint, or those that hold a value (--holds).",
			"pulumi stack export | propalg state ls -", runStateLs,
		},
		{
			"state show", "FILE URN", "Show one resource, named by its URN, its name or ID, or a part of the URN that no other has.",
			"propalg state show stack.json BucketV2::assets", runStateShow,
		},
		{
			"state stats", "FILE", "Tell how large a stack export or checkpoint is, and what in it.",
			"propalg state stats stack.json", runStateStats,
		},
		{
			"path parse", "TEXT…", "Take property paths and patterns apart.",
			`propalg path parse -o json --dialect pulumi 'tags["a.b"][0]'`, runPathParse,
		},
		{
			"path get", "FILE PATH…", "Show what is at paths, or at all places that patterns match, in a property bag.",
			`propalg path get before.json 'rules[*].port'`, runPathGet,
		},
		{
			"path match", "PATTERN… -- PATH…", "Say which paths patterns match.",
			`propalg path match 'tags.*' 'rules[*].port' -- tags.env rules`, runPathMatch,
		},
		{
			"urn parse", "URN…", "Take URNs apart.",
			"propalg urn parse 'urn:pulumi:dev::shop::aws:s3/bucketV2:BucketV2::assets'", runURNParse,
		},
		{
			"urn check", "URN…", "Hold URNs against the published grammar; engines read more than that.",
			"propalg urn check 'urn:pulumi:dev::shop::random:index:Pet::cat'", runURNCheck,
		},
		{
			"urn build", "[URN]", "Make a URN of parts, or of a URN with other parts than it has.",
			"propalg urn build --stack prod 'urn:pulumi:dev::shop::random:index:Pet::cat'", runURNBuild,
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
		return s.print(func(w io.Writer) { overview(w, "") })
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
		return s.print(func(w io.Writer) { overview(w, args[0]) })
	case isGroup:
		fmt.Fprintf(s.err, "propalg: %s needs a second word; try 'propalg %s --help'\n", args[0], args[0])
	case strings.HasPrefix(args[0], "-"):
		fmt.Fprintf(s.err, "propalg: the command comes first, then flags such as %s; try 'propalg help'\n", printable.Line(errors.New(args[0])))
	default:
		fmt.Fprintf(s.err, "propalg: no command %q; try 'propalg help'\n", args[0])
	}
	return exitBad
}

// print writes a text that was asked for, as a whole.
func (s streams) print(text func(io.Writer)) int {
	to := bufio.NewWriter(s.out)
	text(to)
	if err := to.Flush(); err != nil {
		fmt.Fprintf(s.err, "propalg: %s\n", printable.Line(err))
		return exitBad
	}
	return exitSame
}

// overview lists the commands, or those of one group.
func overview(w io.Writer, group string) {
	fmt.Fprint(w, "Usage: propalg COMMAND [flags] arguments\n\n")
	for _, c := range commands() {
		if !strings.HasPrefix(c.name, group) {
			continue
		}
		fmt.Fprintf(w, "  %-29s %s\n", strings.TrimSpace(c.name+" "+c.usage), c.about)
	}
	fmt.Fprint(w, "\n'propalg COMMAND --help' tells more. \"-\" is standard input. Exit codes: 0 no\n"+
		"difference or success, 1 differences or findings, 2 bad usage or bad input.\n")
}

// invocation is one run of one command.
type invocation struct {
	command
	streams
	flags *flag.FlagSet
	args  []string
	raw   []string // what the command has still to parse

	written  *bufio.Writer // what out is: many write line by line
	progress *progress     // told until anything is written
}

// usageError is bad usage: reported with a hint at --help.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

func (c command) invoke(args []string, s streams) int {
	inv := &invocation{command: c, streams: s, raw: args, flags: flag.NewFlagSet(c.name, flag.ContinueOnError)}
	inv.progress = startProgress(c.name, s.err)
	inv.written = bufio.NewWriter(afterProgress{inv.progress, s.out})
	inv.out = inv.written
	inv.flags.SetOutput(io.Discard)
	code, err := c.run(inv)
	if failed := inv.written.Flush(); err == nil {
		err = failed
	}
	inv.progress.end()
	var usage usageError
	switch {
	case err == nil:
		return code
	case errors.Is(err, flag.ErrHelp):
		return s.print(inv.help)
	case errors.As(err, &usage):
		fmt.Fprintf(s.err, "propalg %s: %s; try 'propalg %s --help'\n", c.name, printable.Line(err), c.name)
	default:
		fmt.Fprintf(s.err, "propalg %s: %s\n", c.name, printable.Line(err))
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
