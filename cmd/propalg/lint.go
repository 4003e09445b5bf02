package main

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/internal/rulebook"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/schema"
)

func runLint(inv *invocation) (int, error) {
	inv.output("text", "json", "github")
	inv.colour()
	least := inv.severity()
	width := inv.flags.Int("width", 0, "break the lines of advice to fit into this number of `columns` (default: those of the terminal)")
	explain := inv.flags.String("explain", "", "first show the answers of Diff for resources whose URN contains this `text`, and what in them replaces the resource; without LOG, explain findings with this code; all explains every code")
	var schemas []string
	inv.flags.Func("schema", "also check what is returned by the package schema in this JSON `file` (repeatable)", appendTo(&schemas))
	var books []string
	inv.flags.Func("rules", "read what the schema does not say of resources from this `file`: sets, spellings that mean the same, what Read cannot find out, as propalg test does (repeatable)", appendTo(&books))
	var filter gating
	filter.addTo(inv, codesOf(check.Rules()))
	inv.file(func() []string {
		return slices.Concat(inv.args, schemas, books, []string{filter.suppressFile, filter.baselineFile})
	})
	if err := inv.parse(0, -1); err != nil {
		return 0, err
	}
	if err := inv.onceStdin(); err != nil {
		return 0, err
	}
	if err := filter.begin(inv); err != nil {
		return 0, err
	}

	switch {
	case len(inv.args) == 0 && *explain == "":
		return 0, inv.wrongNumber()
	case *explain != "" && inv.form.value != "text":
		return 0, usageError{"--explain needs -o text"}
	case *width < 0:
		return 0, usageError{"--width must not be negative"}
	}

	inv.columns = cmp.Or(*width, inv.columns)
	if len(inv.args) == 0 {
		return inv.explainCode(*explain, rulebook.Codes())
	}
	if err := filter.read(); err != nil {
		return 0, err
	}

	known, err := readSchemas(schemas)
	if err != nil {
		return 0, err
	}
	rules, err := readRules(books)
	if err != nil {
		return 0, err
	}
	l := linter{rules: rules, report: newReport(severityOf(least), &filter), schemas: known, explain: *explain}
	for _, name := range inv.args {
		if err := inv.lintFile(&l, name); err != nil {
			return 0, err
		}
	}

	inv.noteGate(&filter)
	switch {
	case !inv.isSet("write-baseline"):
		return inv.reportLint(&l)
	case l.report.calls.Checked == 0:
		return 0, errNoCalls
	}
	return exitSame, inv.writeBaseline(l.report.findings)
}

// readRules returns what files say of the resources of a type; nil: there are none.
func readRules(names []string) (func(kind string) check.LoggedRules, error) {
	var book rulebook.Book
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err == nil {
			err = book.Read(text)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, input.Reason(err))
		}
	}
	if len(names) == 0 {
		return nil, nil
	}

	return func(kind string) check.LoggedRules {
		rules := book.Of(kind)
		d := rules.Compared(nil, equality.Internal()...)
		d.Ignored = rules.Quiet
		return check.LoggedRules{Differ: d, WriteOnly: path.NewSet(rules.WriteOnly...)}
	}, nil
}

func readSchemas(names []string) (all []*schema.Package, err error) {
	for _, name := range names {
		p, err := readSchema(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, input.Reason(err))
		}

		all = append(all, p)
	}
	return all, nil
}

// readSchema reads a package schema, references to types that are not there included: a
// log may be older than they are.
func readSchema(name string) (*schema.Package, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}

	p, err := schema.Read(data, schema.Options{AllowDangling: true})
	found := input.Guess(string(data[:min(len(data), mostGuessed)]))
	switch {
	case err != nil && found != "":
		return nil, fmt.Errorf("not a package schema: found %s", found)
	case err != nil:
		if text := (*codec.Error)(nil); errors.As(err, &text) {
			err = input.AtPlace(bytes.NewReader(data), text)
		}
		return nil, fmt.Errorf("not a package schema: %w", err)
	case isEmpty(p):
		return nil, errors.New("not a package schema: it describes no resource, no function and no configuration")
	}
	return p, nil
}

// isEmpty reports whether nothing can be checked by a schema, as when it is another file
// with a name in it.
func isEmpty(p *schema.Package) bool {
	for range p.Resources() {
		return false
	}

	for range p.Functions() {
		return false
	}
	return p.Provider() == nil || len(p.Provider().Inputs().Names()) == 0
}

// errNoCalls is the error for logs in which nothing could be checked, which is more often a
// wrong file or a killed engine than a provider without calls.
var errNoCalls = errors.New("no call of a provider that ended is in these logs; an engine writes one when run as PULUMI_DEBUG_GRPC=log.json pulumi up …")

func (inv *invocation) reportLint(l *linter) (code int, err error) {
	if l.explain != "" && l.explained == 0 {
		hint := ""
		if slices.Contains(codesOf(check.Rules()), l.explain) {
			hint = fmt.Sprintf("; 'propalg lint --explain %s', without a log, explains the code", l.explain)
		}
		inv.say("no call of Diff is for a resource with %q in its URN%s", clipped(l.explain), hint)
	}

	switch inv.form.value {
	case "json":
		err = printable.WriteJSON(inv.out, l.report.document())
	case "github":
		err = writeGitHub(inv.out, l.report.sorted(bySubject))
	default:
		err = l.report.writeText(inv.out, inv.layout())
	}
	if err != nil {
		return 0, err
	}
	if l.report.calls.Checked == 0 {
		inv.say("%w", errNoCalls)
	}
	if unfinished := l.report.calls.Unfinished; unfinished > 0 && !inv.isJSON() {
		inv.say("%s of a provider did not end in these logs: %s", printable.Counted(unfinished, "call"), l.report.unfinishedMethods())
	}
	switch {
	case l.report.calls.Checked == 0:
		return exitBad, nil
	case len(l.report.rows) > 0:
		return exitDifferent, nil
	}

	return exitSame, nil
}

type linter struct {
	report    *report
	schemas   []*schema.Package
	rules     func(kind string) check.LoggedRules
	explain   string // part of a URN
	explained int    // calls
}

// unfinishedMethods names the methods of calls that started and did not end, with
// the number of calls of each.
func (r *report) unfinishedMethods() string {
	names := make([]string, 0, len(r.unfinished))
	for _, method := range slices.Sorted(maps.Keys(r.unfinished)) {
		name := printable.Text(method)
		if n := r.unfinished[method]; n > 1 {
			name += fmt.Sprintf(" (%d)", n)
		}
		names = append(names, name)
	}

	return strings.Join(names, ", ")
}

func (inv *invocation) lintFile(l *linter, name string) error {
	file, shown := inv.in, "stdin"
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, input.Reason(err))
		}
		defer func() { _ = f.Close() }() // only read
		file, shown = f, name
	}
	plain, err := input.Plain(file)
	if err != nil {
		return fmt.Errorf("%s: %w", shown, err)
	}

	from := bufio.NewReaderSize(plain, mostGuessed)
	wrong := checkLogBegin(from)
	begin, _ := from.Peek(from.Buffered())
	guess := input.Guess(string(begin))
	first, _, _ := strings.Cut(strings.TrimLeft(string(begin), " \t\r\n"), "\n")
	if wrong == nil {
		err = inv.lintCalls(l, shown, from)
	} else {
		err = fmt.Errorf("%s: %w", shown, wrong)
	}
	switch {
	case err == nil || strings.Contains(guess, "propalg lint"):
		return err
	case guess != "":
		return fmt.Errorf("%s: not a log of calls: found %s", shown, guess)
	case wrong == nil && !strings.Contains(first, `"method"`):
		return fmt.Errorf("%s: not a log of calls, which has a JSON object with a method in each line; 'propalg diff' reads property bags", shown)
	}

	return err
}

// At most mostGuessed bytes of a file that is not a log are looked at, to say what it is.
const mostGuessed = 64 << 10

// checkLogBegin returns an error for an input that does not begin as a log does:
// it may be one long line, or have no end.
func checkLogBegin(from *bufio.Reader) error {
	begin, err := from.Peek(3) // reading on returns the error again
	for n := 2 * len(begin); err == nil && n <= mostGuessed && strings.Trim(string(begin), " \t\r\n") == ""; n *= 2 {
		begin, err = from.Peek(n)
	}
	isBlank := strings.Trim(string(begin), " \t\r\n") == ""
	switch {
	case isBlank && errors.Is(err, io.EOF):
		return input.ErrEmpty
	case isBlank && err != nil:
		return input.Reason(err)
	}

	if err := input.CheckEncoding(string(begin)); err != nil {
		return err
	}
	if err := input.CheckObject(string(begin)); err != nil {
		return fmt.Errorf("line 1: %w", err)
	}
	return nil
}

// lintCalls checks the calls of one log. A last line that is cut off is reported as
// a message, since the engine may still run.
func (inv *invocation) lintCalls(l *linter, name string, from io.Reader) error {
	calls := callCounts{unfinished: map[string]int{}}
	for c, err := range check.Log(from, check.LogOptions{Schemas: l.schemas, Rules: l.rules}) {
		if errors.Is(err, rpc.ErrTruncated) {
			inv.say("%s: %w", name, err)
			break
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, input.Reason(err))
		}

		if l.explain != "" {
			if err := inv.explain(l, name, c); err != nil {
				return err
			}
		}
		calls.add(c)
		for _, f := range c.Findings {
			l.report.add(name, c, f)
		}
	}

	if calls.unanswered > 0 && calls.failed == 0 {
		inv.say("%s: %s with neither a response nor an error, and no error at all: a program that copied the log, such as providertest, may have left the errors out", name, printable.Counted(calls.unanswered, "call"))
	}
	l.report.addCalls(calls)
	return nil
}
