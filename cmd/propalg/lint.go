package main

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// runLint reads logs of a provider's calls, and tells what in them is untrue or
// against the protocol.
func runLint(inv *invocation) (int, error) {
	form := inv.output("text", "json")
	colour := inv.colour()
	least := newChoice("note", "warning", "error")
	inv.flags.Var(least, "severity", "`least` grave findings to report: note, warning or error")
	width := inv.flags.Int("width", 0, "`columns` that advice is broken to fit into (default: those of the terminal, if COLUMNS says so)")
	explain := inv.flags.String("explain", "", "first show what Diff answered for resources with this `text` in their URN, and what of it replaces them")
	if err := inv.parse(1, -1); err != nil {
		return 0, err
	}
	if err := inv.onceStdin(); err != nil {
		return 0, err
	}
	if *explain != "" && form.value == "json" {
		return 0, usageError{"--explain is text"}
	}
	if *width < 0 {
		return 0, usageError{"--width wants a number of columns"}
	}
	inv.columns = cmp.Or(*width, inv.columns)
	l := linter{
		found: findings{rows: map[findingKey]*finding{}, more: map[check.Severity]int{}},
		open:  map[string]int{}, fresh: map[fingerprint]bool{}, least: check.SeverityNote,
	}
	switch least.value {
	case "warning":
		l.least = check.SeverityWarning
	case "error":
		l.least = check.SeverityError
	}
	if *explain != "" {
		l.explains = func(x *exchange, sides provider.Sides, r provider.Response) error {
			if !strings.Contains(x.urn, *explain) {
				return nil
			}
			l.explained++
			return inv.explain(x, sides, r, inv.ansi(colour))
		}
	}
	if err := inv.lintFiles(&l); err != nil {
		return 0, err
	}
	if *explain != "" && l.explained == 0 {
		inv.say("no call of Diff is for a resource with %q in its URN", clipped(*explain))
	}
	var err error
	if form.value == "json" {
		err = writeJSON(inv.out, l.document())
	} else {
		err = l.writeText(inv.out, inv.ansi(colour), inv.columns)
	}
	if err != nil {
		return 0, err
	}
	if l.calls.Checked == 0 {
		inv.say("no calls of a provider in there; PULUMI_DEBUG_GRPC=%s pulumi up … makes an engine write such a log", "log.json")
	}
	if n := l.unfinished(); n > 0 && form.value != "json" {
		inv.say("%s of a provider did not end in these logs: %s", counted(n, "call"), l.unfinishedMethods())
	}
	if len(l.found.rows) > 0 {
		return exitDifferent, nil
	}
	return exitSame, nil
}

// linter is a lint under way. What it keeps grows with the different findings,
// up to a limit, not with the log.
type linter struct {
	log   string
	found findings
	calls callsJSON
	open  map[string]int // by method: calls that started and did not end
	least check.Severity // to report
	// fresh are the resources that were read, and not checked since: a Diff of one
	// is part of a refresh.
	fresh map[fingerprint]bool
	// explains tells of a response to Diff; nil: nobody asked.
	explains  func(x *exchange, sides provider.Sides, r provider.Response) error
	explained int           // of these
	failure   error         // of one
	session   check.Session // of the log at hand
}

// fingerprint stands for a URN, of which the texts together could be longer than
// what fits into memory.
type fingerprint [16]byte

func fingerprintOf(urn string) fingerprint {
	sum := sha256.Sum256([]byte(urn))
	return fingerprint(sum[:16])
}

// unfinishedMethods names the calls that started and did not end, with how many
// there are of each.
func (l *linter) unfinishedMethods() string {
	var names []string
	for _, method := range slices.Sorted(maps.Keys(l.open)) {
		switch n := l.open[method]; {
		case n > 1:
			names = append(names, fmt.Sprintf("%s (%d)", plain(shortMethod(method)), n))
		case n == 1:
			names = append(names, plain(shortMethod(method)))
		}
	}
	return strings.Join(names, ", ")
}

// unfinished is how many calls started and did not end.
func (l *linter) unfinished() int {
	n := 0
	for _, each := range l.open {
		n += max(each, 0)
	}
	return n
}

// line checks one line of a log.
func (l *linter) line(c rpc.LoggedCall) {
	known, _ := rpc.NewCall(c.Method)
	if known == nil || !ofProvider(c.Method) {
		return
	}
	if c.Progress == rpc.CallStarted {
		if shortMethod(c.Method) != "Cancel" { // for whose end no engine waits
			l.open[c.Method]++
		}
		return
	}
	if c.Progress != rpc.CallEnded {
		return
	}
	l.open[c.Method] = max(l.open[c.Method]-1, 0)
	l.calls.Checked++
	if c.Failed() {
		l.calls.Failed++
	}
	x := exchange{linter: l, line: c.Line, call: shortMethod(c.Method)}
	x.check(c)
}

// mostFresh is how many resources of a refresh are remembered.
const mostFresh = 1 << 18

// exchange is a call that is checked.
type exchange struct {
	*linter
	line    int
	call    string // "Diff"
	subject string // a resource type, or what there is instead
	urn     string
}

func (x *exchange) check(c rpc.LoggedCall) {
	var rounded codec.Report
	o := rpc.Options{Properties: codec.Options{Numbers: codec.RoundInexact, Report: &rounded}, DiscardUnknown: true}
	request, err := c.Request(o)
	x.subject, x.urn = subject(request)
	x.unreadable(err)
	response, err := c.Response(o)
	x.unreadable(err)
	switch sent := request.(type) {
	case *rpc.DiffRequest:
		if answer, ok := response.(*rpc.DiffResponse); ok {
			x.answer(sent, answer)
		}
	case *rpc.CheckRequest:
		delete(x.fresh, fingerprintOf(x.urn))
	case *rpc.ReadRequest:
		if len(x.fresh) < mostFresh {
			x.fresh[fingerprintOf(x.urn)] = true
		}
	}
	for _, v := range check.Violations(request, response) {
		x.violation(v)
	}
	for _, v := range x.session.Add(request, response) {
		x.violation(v)
	}
	for _, r := range rounded.Rounded {
		x.rounded(r)
	}
}

// answer holds a response to Diff against what was asked.
func (x *exchange) answer(request *rpc.DiffRequest, answer *rpc.DiffResponse) {
	sides, err := provider.SidesOf(request)
	if err != nil {
		return // a side is no object, as it never is in what was decoded
	}
	r := provider.ResponseOf(answer)
	if x.explains != nil && x.failure == nil {
		x.failure = x.explains(x, sides, r)
	}
	for _, f := range check.Validate(r, sides, provider.IgnoredOf(request)) {
		if f.Code == check.CodeIgnored && x.fresh[fingerprintOf(x.urn)] {
			continue // on refresh engines set nothing back, and show what drifted
		}
		if f.Code == check.CodeStablesAbsent {
			continue // bridged providers name what their schema has, of value or not
		}
		x.add(findingKey{call: x.call, code: f.Code.String(), in: "response", at: f.At.String()}, f.Severity(), adviceOn(f.Code))
	}
}

// adviceOn is what to do about a finding. The server that the Go SDK makes of a
// plugin.Provider brings some about that the provider cannot mend in its answer.
func adviceOn(c check.Code) string {
	if c == check.CodeNotDetailed {
		return c.Advice() + " (the Go SDK's plugin.NewProviderServer never does: there, leave DetailedDiff empty, and name the properties in ChangedKeys and ReplaceKeys)"
	}
	if c == check.CodeDiffsPath || c == check.CodeReplacesPath {
		return c.Advice() + " (the Go SDK's plugin.NewProviderServer makes such of the keys of DetailedDiff)"
	}
	return c.Advice()
}

// violation adds a place where a contract of the protocol is not kept.
func (x *exchange) violation(v check.Violation) {
	code, advice := strings.ReplaceAll(strings.ToLower(v.What), " ", "-"), contractAdvice(v)
	response := !strings.HasSuffix(v.Message, "Request")
	switch {
	case v.What == "unknown" && response:
		code, advice = "unknown", "the provider returns an unknown where the protocol wants a value ("+v.Why+"); return what the resource has"
	case v.What == "unknown":
		code, advice = "unknown", "an unknown is sent where the protocol wants a value ("+v.Why+"); look for the response that let it into the state"
	case v.What == "secret":
		code, advice = "secret", "secrets are not for functions ("+v.Why+"), and engines send them all the same; be ready to read one"
	case v.What == "resource reference":
		code, advice = "resource-reference", "references are not for functions ("+v.Why+"), and engines send them all the same; be ready to read one"
	case v.What == "ID changed":
		code, advice = "id-changed", "an update keeps the ID of a resource; where it has to change, let Diff ask for a replacement"
	}
	severity := check.SeverityNote
	if v.Severity == value.Breach {
		severity = check.SeverityError
	}
	x.add(findingKey{call: x.call, code: code, in: side(response) + "." + v.Field, at: v.At.String()}, severity, advice)
}

func side(response bool) string {
	if response {
		return "response"
	}
	return "request"
}

// rounded adds a number that no double holds: once for every place, whichever
// calls it is in.
func (x *exchange) rounded(r codec.Rounded) {
	x.add(findingKey{code: "number-rounded", at: r.At.String()}, check.SeverityNote,
		"the log has more digits than a double holds, as all numbers of the protocol are; send it as a string")
}

// unreadable adds a message that cannot be read. The error names field and place
// and holds no payload.
func (x *exchange) unreadable(err error) {
	e := (*rpc.Error)(nil)
	if !errors.As(err, &e) {
		return
	}
	in := e.Message
	if e.Field != "" {
		in += "." + e.Field
	}
	x.add(findingKey{call: x.call, code: "unreadable", in: in}, check.SeverityError, "the message cannot be read, by engines neither: "+err.Error())
}

// subject is what a call is about: the type of a resource, of a provider or a
// component, the token of a function; and the URN, if the request has one.
func subject(request rpc.Message) (typ, resource string) {
	switch m := request.(type) {
	case *rpc.CheckRequest:
		typ, resource = m.Type, m.URN
	case *rpc.DiffRequest:
		typ, resource = m.Type, m.URN
	case *rpc.CreateRequest:
		typ, resource = m.Type, m.URN
	case *rpc.ReadRequest:
		typ, resource = m.Type, m.URN
	case *rpc.UpdateRequest:
		typ, resource = m.Type, m.URN
	case *rpc.DeleteRequest:
		typ, resource = m.Type, m.URN
	case *rpc.ConstructRequest:
		typ = m.Type
	case *rpc.InvokeRequest:
		typ = m.Tok
	case *rpc.CallRequest:
		typ = m.Tok
	}
	if u, err := urn.Parse(resource); err == nil {
		typ = u.Type()
	}
	return typ, resource
}

// ofProvider reports whether a method is one of a provider.
func ofProvider(method string) bool {
	return strings.HasPrefix(method, "/pulumirpc.ResourceProvider/")
}

func shortMethod(method string) string { return method[strings.LastIndexByte(method, '/')+1:] }
