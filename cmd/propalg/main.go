// Command propalg compares and inspects Pulumi property bags and stack exports, and shows
// what updates do.
//
//	propalg diff [OLD] NEW        what changed between two bags or stacks, or in an update
//	propalg diff --each OLD NEW   likewise for each stack of a folder
//	propalg apply OLD DIFF        the bag OLD with the changes of a diff in JSON
//	propalg merge BASE LEFT RIGHT the bag BASE with the changes of both others
//	propalg ignore OLD NEW P…     the bag NEW with ignored properties set back
//	propalg lint LOG…             what is wrong with a provider, from logs of its calls
//	propalg state ls FILE…        the resources of stack exports
//	propalg state show FILE URN   one resource with its properties
//	propalg state check FILE…     what is wrong with stack exports
//	propalg state drift FILE…     where outputs are not what inputs set
//	propalg state log URN PATH F… one property over several stack exports
//	propalg state stats FILE…     the size and the contents of stack exports, in numbers
//	propalg state move FROM TO U… moves resources from one file to another
//	propalg state mv FILE OLD NEW renames a resource, the stack or the project
//	propalg state rm FILE [URN…]  removes resources or pending operations
//	propalg state protect FILE R… protects resources, and unprotect does so no longer
//	propalg state adopt FILE U ID makes the resource of a pending operation one of the file
//	propalg state scrub FILE      writes a stack export without its secrets
//	propalg state repair FILE     mends a stack export that engines refuse
//	propalg state set FILE URN P… sets or removes a property, or marks it as secret
//	propalg plan destroy FILE [U…] what a destroy would delete, in which order
//	propalg plan replace FILE URN what is deleted if a resource is replaced
//	propalg path parse TEXT…      the steps of property paths and patterns
//	propalg path get FILE PATH…   the values at paths of a bag
//	propalg path match P… -- T…   the paths that patterns match
//	propalg urn parse URN…        the parts of URNs
//	propalg urn check URN…        whether engines accept URNs, and the published grammar has them
//	propalg urn build [URN]       a URN made of parts
//	propalg completion SHELL      a script for bash, zsh or fish
//	propalg test PROGRAM          what is wrong with a provider: runs propalg-test
//	propalg version               version, Go version, commit
//
// The exit code is 0 for success or no difference, 1 for differences or findings, 2 for bad
// usage or bad input, of which one line names the file, the place and the reason, and 3 if
// the preview or the update that diff shows failed, or its file ends before it does.
// Results go to standard output and messages to standard error. The argument "-" stands
// for standard input. Secrets are masked unless --show-secrets is given.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/cmd/propalg/internal/terminal"
	"github.com/propalg/propalg/cmd/propalg/internal/whole"
)

// The exit codes.
const (
	exitSame      = 0
	exitDifferent = 1
	exitBad       = 2
	exitFailed    = 3 // an update failed; what it did is written
)

// exitIf returns the code for what may differ.
func exitIf(differs bool) int {
	if differs {
		return exitDifferent
	}
	return exitSame
}

func main() {
	s := streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}
	onTerminal := isTerminal(os.Stdout)
	if onTerminal {
		s.columns = terminal.Columns(os.Stdout, os.Getenv)
	}
	s.colours = terminal.Colours(onTerminal, os.Getenv)

	if len(os.Args) < 2 || os.Args[1] != testCommand {
		dropOnSignal()
	}
	os.Exit(run(os.Args[1:], s))
}

// dropOnSignal removes what the process is writing before a signal ends it.
func dropOnSignal() {
	got := make(chan os.Signal, 1)
	for _, each := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		if !signal.Ignored(each) { // as under nohup
			signal.Notify(got, each)
		}
	}

	go func() {
		each := <-got
		whole.DropAll()
		signal.Reset()
		if self, err := os.FindProcess(os.Getpid()); err != nil || self.Signal(each) != nil {
			os.Exit(exitBad) // where processes have no such signals
		}
	}()
}

// streams are the input and the outputs of a command.
type streams struct {
	in       io.Reader
	out, err io.Writer
	colours  bool // whether text has them without a flag
	columns  int  // of the terminal; 0: not known
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// command is one of the tool's commands. Its name has one or two words.
type command struct {
	name    string
	usage   string // the arguments
	about   string // one sentence
	one     string // what the exit code 1 means; empty: it is not used
	example string
	run     func(inv *invocation) (code int, err error)
}

func commands() []command {
	return slices.Concat(bagCommands(), stateCommands(), planCommands(), textCommands())
}

func bagCommands() []command {
	return []command{
		{
			"diff", "[OLD] NEW", "Show what changed between two property bags or two stacks, or what a preview, a plan or an event log changes.",
			"differences, or possible ones; with --each the worst counts: 2, 3, 1",
			"propalg diff --replace-on 'engineVersion' before.json after.json", runDiff,
		},
		{
			"apply", "OLD DIFF", "Apply a diff, as written by 'diff -o json', or a JSON Patch to a property bag.",
			"with --rebase, conflicts; the result is written too", "propalg diff -o json --show-secrets before.json after.json |\n    propalg apply before.json -", runApply,
		},
		{
			"merge", "BASE LEFT RIGHT", "Merge the changes of two property bags into their common base.",
			"conflicts; the result is written too",
			"propalg merge --arrays aligned base.json mine.json theirs.json", runMerge,
		},
		{
			"ignore", "OLD NEW PATTERN…", "Reset the properties that patterns match to their old values, as ignoreChanges does.",
			"", "propalg ignore before.json after.json 'tags.*' 'rules[*].port'", runIgnore,
		},
		{
			"lint", "LOG…", "Check the calls of a provider in logs that an engine writes with PULUMI_DEBUG_GRPC, and explain why it replaces a resource (--explain).",
			"findings",
			"PULUMI_DEBUG_GRPC=log.json pulumi preview; propalg lint log.json", runLint,
		},
	}
}

func stateCommands() []command {
	return []command{
		{
			"state ls", "FILE…", "List the resources of stack exports or checkpoints, or those that are what flags say, such as of a type or with a value. A folder stands for its *.json and *.json.gz.",
			"no resource is what --holds or another flag says",
			"propalg state ls --where protect=false --type 'aws:s3/*' stack.json", runStateLs,
		},
		{
			"state show", "FILE URN", "Show one resource, given its URN, name or ID, or a part of the URN that no other resource has.",
			"", "propalg state show stack.json BucketV2::assets", runStateShow,
		},
		{
			"state stats", "FILE…", "Show the size of stack exports or checkpoints and what they consist of. A folder stands for its *.json and *.json.gz.",
			"", "propalg state stats stack.json", runStateStats,
		},
		{
			"state check", "FILE…", "Check stack exports or checkpoints: what engines refuse, and what makes trouble later.",
			"findings",
			"propalg state check --protects 'aws:rds/*' stack.json", runStateCheck,
		},
		{
			"state drift", "FILE…", "Show where the outputs of resources are not what their inputs set: what somebody changed before a refresh, or what the provider writes in another way. A folder stands for its *.json and *.json.gz.",
			"outputs that differ from inputs",
			"propalg state drift --type 'aws:ec2/*' stack.json", runStateDrift,
		},
		{
			"state log", "URN PATH FILE…", "Show how a property of a resource, given as for 'state show', changes from one stack export to the next, in their order.",
			"no file has the property",
			"propalg state log BucketV2::assets tags.env stack.json", runStateLog,
		},
		{
			"state move", "FROM TO [URN…]", "Move resources, given as for 'state show' or chosen by flags, from one stack export or checkpoint to another, with what is below them and copies of their providers. ('state mv' renames.)",
			"", "propalg state move --dry-run dev.json prod.json BucketV2::assets", runStateMove,
		},
		{
			"state mv", "FILE OLD NEW", "Rename a resource, given as for 'state show', or the stack or project, wherever a stack export or checkpoint refers to it. ('state move' is between files.)",
			"", "propalg state mv --out new.json stack.json BucketV2::assets files", runStateMv,
		},
		{
			"state rm", "FILE [URN…]", "Remove resources, given as for 'state show' or chosen by flags, on which no other depends, or pending operations from a stack export or checkpoint.",
			"", "propalg state rm --out new.json stack.json BucketV2::assets", runStateRm,
		},
		{
			"state protect", "FILE [URN…]", "Protect resources from deletion, given as for 'state show' or by flags, in a stack export or checkpoint.",
			"", "propalg state protect --type 'aws:s3/*' stack.json", runStateProtect,
		},
		{
			"state unprotect", "FILE [URN…]", "Protect resources, given as for 'state protect', no longer.",
			"", "propalg state unprotect --all stack.json", runStateUnprotect,
		},
		{
			"state repair", "FILE", "Mend a stack export or checkpoint that engines refuse: sort it, take out references to nothing, choose among duplicates. URNs and records with an ID stay, unless flags say otherwise.",
			"it is not mended: a flag is needed, or there is no answer to what is listed",
			"propalg state repair --yes stack.json", runStateRepair,
		},
		{
			"state adopt", "FILE URN ID", "Make the resource of a pending operation, which an engine may have created or imported, one of the stack export or checkpoint, with its ID; 'pulumi refresh' then reads its outputs. URN may be a name.",
			"", "propalg state adopt pending.json logs logs-1a2b3c4", runStateAdopt,
		},
		{
			"state scrub", "FILE", "Write a stack export or checkpoint without what it has of secrets, to show it to somebody: placeholders take the place of secrets, and of their texts elsewhere. References and shape stay.",
			"the text of a secret is left in a name, in the lines with !",
			"propalg state scrub --out shown.json stack.json", runStateScrub,
		},
		{
			"state set", "FILE URN PATH [VALUE]", "Set a property of a resource, given as for 'state show', in a stack export or checkpoint, remove it, or mark it as secret, or what package schemas call secret (FILE [URN…] --secret --schema SCHEMA); or set a member that is no property by a flag.",
			"", `propalg state set --out new.json stack.json BucketV2::assets bucket '"files"'`, runStateSet,
		},
	}
}

func planCommands() []command {
	return []command{
		{
			"plan destroy", "FILE [URN…]", "List what a destroy would delete of a stack export or checkpoint, in this order, and what it would not, and why: all resources, or those given as for 'state show' and what depends on them. No provider is asked.",
			"a resource would be kept: it is protected, or something kept depends on it",
			"propalg plan destroy stack.json", runPlanDestroy,
		},
		{
			"plan replace", "FILE URN", "List what an update would delete to replace a resource, given as for 'state show', in this order, and why, if it deletes first and providers replace what depends on it. No provider is asked.",
			"a resource is protected, so that it is not replaced",
			"propalg plan replace stack.json BucketV2::assets", runPlanReplace,
		},
	}
}

func textCommands() []command {
	return []command{
		{
			"path parse", "TEXT…", "Parse property paths and patterns into steps.",
			"", `propalg path parse -o json --dialect pulumi 'tags["a.b"][0]'`, runPathParse,
		},
		{
			"path get", "FILE PATH…", "Show the values of a property bag at paths, or at all places that patterns match.",
			"nothing is at one of the paths",
			`propalg path get before.json 'rules[*].port'`, runPathGet,
		},
		{
			"path match", "PATTERN… -- PATH…", "Show which paths patterns match.",
			"one of the paths is neither a match nor below one",
			`propalg path match 'tags.*' 'rules[*].port' -- tags.env rules`, runPathMatch,
		},
		{
			"urn parse", "URN…", "Parse URNs into parts.",
			"", "propalg urn parse 'urn:pulumi:dev::shop::aws:s3/bucketV2:BucketV2::assets'", runURNParse,
		},
		{
			"urn check", "URN…", "Check URNs by what engines accept, and say which are of the published grammar too.",
			"with --spec, a URN that is not of the published grammar",
			"propalg urn check 'urn:pulumi:dev::shop::random:index:Pet::cat'", runURNCheck,
		},
		{
			"urn build", "[URN]", "Build a URN from parts, or change parts of one.",
			"", "propalg urn build --stack prod 'urn:pulumi:dev::shop::random:index:Pet::cat'", runURNBuild,
		},
		{
			"completion", "SHELL", "Print a script that completes commands and flags in a shell: bash, zsh or fish.",
			"", "propalg completion bash", runCompletion,
		},
		{"version", "", "Print version, Go version and commit.", "", "propalg version -o json", runVersion},
	}
}

func run(args []string, s streams) int {
	if len(args) == 0 {
		overview(s.err, "")
		return exitBad
	}

	switch {
	case isHelp(args[0]) && len(args) > 1: // propalg help diff
		args = append(slices.Clone(args[1:]), "--help")
	case isHelp(args[0]):
		return s.print(func(w io.Writer) { overview(w, "") })
	case slices.Contains([]string{"--version", "-version", "-v"}, args[0]):
		args[0] = "version"
	}

	if args[0] == testCommand {
		return s.delegate(args[1:])
	}
	isGroup := false
	for _, c := range commands() {
		words := strings.Fields(c.name)
		if len(args) >= len(words) && slices.Equal(args[:len(words)], words) {
			return c.invoke(args[len(words):], s)
		}
		isGroup = isGroup || words[0] == args[0]
	}
	if isGroup && isHelp(args[len(args)-1]) {
		return s.print(func(w io.Writer) { overview(w, args[0]) })
	}
	s.unknown(args, isGroup)
	return exitBad
}

func isHelp(word string) bool {
	return slices.Contains([]string{"help", "-h", "-help", "--help"}, word)
}

// unknown reports words that are not the name of a command.
func (s streams) unknown(args []string, isGroup bool) {
	word := args[0]

	all := commands()
	first := make([]string, 0, len(all))
	var second []string
	for _, c := range all {
		name, after, _ := strings.Cut(c.name, " ")
		first = append(first, name)

		if name == word {
			second = append(second, after)
		}
	}
	list := strings.Join(second, ", ")
	switch {
	case isGroup && len(args) > 1 && !strings.HasPrefix(args[1], "-"):
		fmt.Fprintf(s.err, "propalg: no command %q%s; %s has %s\n", word+" "+clipped(args[1]), meant(otherwise(args[1]), second, word+" "), word, list)
	case isGroup:
		fmt.Fprintf(s.err, "propalg: %s needs a second word: %s; try 'propalg %s --help'\n", word, list, word)
	case strings.HasPrefix(word, "-"):
		fmt.Fprintf(s.err, "propalg: the command comes first, then flags such as %s; try 'propalg help'\n", printable.Line(word))
	default:
		fmt.Fprintf(s.err, "propalg: no command %q%s; try 'propalg help'\n", clipped(word), meant(word, first, ""))
	}
}

// otherwise returns what a command of pulumi state is called here, or the word itself.
func otherwise(word string) string {
	switch word {
	case "rename":
		return "mv"
	case "delete":
		return "rm"
	}
	return word
}

func (s streams) print(text func(io.Writer)) int {
	to := bufio.NewWriter(s.out)
	text(to)
	if err := to.Flush(); err != nil {
		fmt.Fprintf(s.err, "propalg: %s\n", printable.Line(err.Error()))
		return exitBad
	}

	return exitSame
}

func overview(w io.Writer, group string) {
	const nameColumns = len("  state set FILE URN PATH [VALUE]  ")
	fmt.Fprintf(w, "Usage: propalg %s [flags] arguments\n\n", strings.TrimSpace(group+" COMMAND"))
	for _, c := range commands() {
		if first, _, _ := strings.Cut(c.name, " "); group != "" && first != group {
			continue
		}
		name := strings.TrimSpace(c.name + " " + c.usage)
		for _, line := range wrapped(c.about, helpColumns-nameColumns) {
			fmt.Fprintf(w, "  %-*s%s\n", nameColumns-2, name, line)
			name = ""
		}
	}

	fmt.Fprint(w, "\n'propalg test PROGRAM' tests a provider by running propalg-test.\n"+
		"'propalg COMMAND --help' shows flags, exit codes and an example. \"-\" is standard\ninput. "+
		"Exit codes: 0 no difference or success, 1 differences or findings, 2 bad\nusage or bad input, 3 a failed update.\n")
}
