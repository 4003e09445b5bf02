// Package lint finds what a provider does wrong in the log of its calls that
// PULUMI_DEBUG_GRPC makes an engine write.
package lint

import (
	"crypto/sha256"
	"errors"
	"maps"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// Finding is one thing that is wrong with a call.
type Finding struct {
	Line     int // of the log
	Severity check.Severity
	Subject  string // type of the resource, provider or component, or token of the function; empty if the request cannot be read
	URN      string // or empty
	Call     string // the method, such as "Diff"; empty if all calls have it
	Code     string
	In       string     // the message and its field, such as "response.properties"
	At       path.Shown // the place in the field
	Advice   string     // what to do about it
}

// Calls counts the calls of a log.
type Calls struct {
	Checked    int            // calls that ended
	Failed     int            // calls that ended with an error
	Unfinished map[string]int // calls that started and did not end, by method
}

// Log checks the calls of one log, in their order. The zero Log is ready for use.
// What it keeps is bounded, whatever the log holds.
type Log struct {
	calls   Calls
	session check.Session
	fresh   map[fingerprint]bool // resources that were read and not checked since: a Diff of one is part of a refresh
}

// Calls returns how many calls were checked so far.
func (l *Log) Calls() Calls {
	calls := l.calls
	calls.Unfinished = maps.Clone(calls.Unfinished)
	maps.DeleteFunc(calls.Unfinished, func(_ string, n int) bool { return n == 0 })

	return calls
}

// Check returns the findings of a call. Calls of other services than the provider's
// have none, and neither have calls that only start.
func (l *Log) Check(c rpc.LoggedCall) []Finding {
	known, _ := rpc.NewCall(c.Method)
	if known == nil || !strings.HasPrefix(c.Method, "/pulumirpc.ResourceProvider/") {
		return nil
	}

	if l.calls.Unfinished == nil {
		l.calls.Unfinished, l.fresh = map[string]int{}, map[fingerprint]bool{}
	}

	method := shortMethod(c.Method)

	if c.Progress == rpc.CallStarted && method != "Cancel" { // for whose end engines do not wait
		l.calls.Unfinished[method]++
	}

	if c.Progress != rpc.CallEnded {
		return nil
	}

	l.calls.Unfinished[method] = max(l.calls.Unfinished[method]-1, 0)
	l.calls.Checked++

	if c.Failed() {
		l.calls.Failed++
	}

	x := exchange{log: l, line: c.Line, call: method}
	x.check(c)

	return x.found
}

// fingerprint identifies a URN, whose text may be long.
type fingerprint [16]byte

func fingerprintOf(urn string) fingerprint {
	sum := sha256.Sum256([]byte(urn))

	return fingerprint(sum[:16])
}

// mostFresh is the number of resources of a refresh that are remembered.
const mostFresh = 1 << 18

// exchange is a call that is being checked.
type exchange struct {
	log     *Log
	line    int
	call    string
	subject string
	urn     string
	found   []Finding
}

// DecodeOptions returns the options for decoding the messages of a log. Numbers that
// were rounded are added to the report, if there is one.
func DecodeOptions(rounded *codec.Report) rpc.Options {
	return rpc.Options{Properties: codec.Options{RoundNumbers: true, Report: rounded}, DiscardUnknown: true}
}

func (x *exchange) check(c rpc.LoggedCall) {
	var rounded codec.Report

	o := DecodeOptions(&rounded)
	request, err := c.Request(o)
	x.subject, x.urn = Subject(request)
	x.unreadable(err)

	response, err := c.Response(o)
	x.unreadable(err)

	switch sent := request.(type) {
	case *rpc.DiffRequest:
		if answer, ok := response.(*rpc.DiffResponse); ok {
			x.answer(sent, answer)
		}
	case *rpc.CheckRequest:
		delete(x.log.fresh, fingerprintOf(x.urn))
	case *rpc.ReadRequest:
		if len(x.log.fresh) < mostFresh {
			x.log.fresh[fingerprintOf(x.urn)] = true
		}
	}

	for _, v := range check.Violations(request, response) {
		x.violation(v)
	}

	for _, v := range x.log.session.Add(request, response) {
		x.violation(v)
	}

	for _, r := range rounded.Rounded {
		x.rounded(r)
	}
}

// add adds a finding about the call.
func (x *exchange) add(f Finding) {
	f.Line, f.Subject, f.URN = x.line, x.subject, x.urn
	x.found = append(x.found, f)
}

// answer checks a response to Diff against its request.
func (x *exchange) answer(request *rpc.DiffRequest, answer *rpc.DiffResponse) {
	sides, err := provider.SidesOf(request)
	if err != nil {
		return // a side is not an object, which decoding does not let happen
	}

	r := provider.ResponseOf(answer)
	for _, f := range check.Validate(r, sides, provider.IgnoredOf(request)) {
		if f.Code == check.CodeIgnored && x.log.fresh[fingerprintOf(x.urn)] {
			continue // engines do not apply ignoreChanges in a refresh, and show the drift
		}

		if f.Code == check.CodeStablesAbsent {
			continue // bridged providers name what their schema has, whether it is set or not
		}

		x.add(Finding{Call: x.call, Code: f.Code.String(), In: "response", At: f.At, Severity: f.Severity(), Advice: adviceOn(f.Code)})
	}
}

// violation adds a breach of the contracts of the protocol.
func (x *exchange) violation(v check.Violation) {
	side := "response"
	if strings.HasSuffix(v.Message, "Request") {
		side = "request"
	}

	severity := check.SeverityNote
	if v.Severity == value.Breach {
		severity = check.SeverityError
	}

	x.add(Finding{
		Call: x.call, Code: strings.ReplaceAll(strings.ToLower(v.What), " ", "-"), In: side + "." + v.Field, At: v.At,
		Severity: severity, Advice: contractAdvice(v, side == "response"),
	})
}

// rounded adds a number that a double does not hold, whichever call has it.
func (x *exchange) rounded(r codec.Rounded) {
	x.add(Finding{
		Code: "number-rounded", At: r.At, Severity: check.SeverityNote,
		Advice: "the log has more digits than a double holds, as all numbers of the protocol are; send it as a string",
	})
}

// unreadable adds a message that cannot be decoded. The error names the field and
// the place, and does not quote the message.
func (x *exchange) unreadable(err error) {
	e := (*rpc.Error)(nil)
	if !errors.As(err, &e) {
		return
	}

	in := e.Message
	if e.Field != "" {
		in += "." + e.Field
	}

	x.add(Finding{
		Call: x.call, Code: "unreadable", In: in, Severity: check.SeverityError,
		Advice: "the message cannot be read, by engines neither: " + err.Error(),
	})
}

// Subject returns the subject of a request, as [Finding] has it, and its URN, if it
// has one.
func Subject(request rpc.Message) (subject, resource string) {
	switch m := request.(type) {
	case *rpc.CheckRequest:
		subject, resource = m.Type, m.URN
	case *rpc.DiffRequest:
		subject, resource = m.Type, m.URN
	case *rpc.CreateRequest:
		subject, resource = m.Type, m.URN
	case *rpc.ReadRequest:
		subject, resource = m.Type, m.URN
	case *rpc.UpdateRequest:
		subject, resource = m.Type, m.URN
	case *rpc.DeleteRequest:
		subject, resource = m.Type, m.URN
	case *rpc.ConstructRequest:
		subject = m.Type
	case *rpc.InvokeRequest:
		subject = m.Tok
	case *rpc.CallRequest:
		subject = m.Tok
	}

	if u, err := urn.Parse(resource); err == nil {
		subject = u.Type()
	}

	return subject, resource
}

func shortMethod(method string) string { return method[strings.LastIndexByte(method, '/')+1:] }
