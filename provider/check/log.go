package check

import (
	"errors"
	"hash/maphash"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/urn"
)

// Checked is one line of a log, which records the start or the end of a call of a
// provider, with the findings about the call. [Log] yields one for each line.
type Checked struct {
	Call     rpc.LoggedCall
	Request  rpc.Message // nil if the call did not end, or if it cannot be read
	Response rpc.Message // the same; nil if the call failed
	Subject  string      // type of the resource, provider or component, or token of the function; empty if unknown
	URN      string      // or empty
	Findings []Finding
}

// LogOptions says what a log does not say. The zero LogOptions is ready to use.
type LogOptions struct {
	Schemas []*schema.Package             // of resources and functions
	Rules   func(kind string) LoggedRules // of the resources of a type; nil: there are none
}

// LoggedRules are those of the resources of a type.
type LoggedRules struct {
	// Differ says what counts as a change. Diff need not report changes of what it ignores.
	// What ReplaceOn has replaces; other properties may.
	Differ    provider.Differ
	WriteOnly *path.Set // what Read cannot find out
}

// Log checks the calls of a provider in the log that an engine writes to the file that
// PULUMI_DEBUG_GRPC names. It yields each line about a method of a provider, in the order
// of the log. The line for the start of a call has no findings. The line for its end has
// the findings of [Violations], those of a [Session] of all earlier calls and, for Diff,
// those of [Validate]. Messages that cannot be read, and numbers that a double cannot
// hold, are findings too.
//
// Log omits findings that follow from another finding, and three kinds that a provider
// cannot avoid: changes of ignored properties during a refresh, stable names without a
// value, and secrets in clear that a call of the program before, to register or to read the
// resource, names in additionalSecretOutputs, since engines mark these again. A Diff counts as part of a refresh if its resource was read and not checked
// since.
//
// The results for resources and functions that the schemas describe are also checked
// against those schemas.
//
// An error of [rpc.ReadLog] ends the iteration. The memory that Log needs is bounded,
// whatever the log holds.
func Log(r io.Reader, o LogOptions) iter.Seq2[Checked, error] {
	return func(yield func(Checked, error) bool) {
		l := logChecker{session: Session{agreed: agreed{wire: true}}, options: o, seed: maphash.MakeSeed(), fresh: map[uint64]bool{}, marked: map[uint64]bool{}}
		for call, err := range rpc.ReadLog(r) {
			known, _ := rpc.NewCall(call.Method)
			l.register(call, known)
			if err == nil && (known == nil || !strings.HasPrefix(call.Method, providerService)) && call.Method != listMethod {
				continue
			}

			c := Checked{Call: call}
			if err == nil && call.Ended {
				l.check(&c)
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

const (
	providerService = "/pulumirpc.ResourceProvider/"
	listMethod      = providerService + "List"
)

// At most mostFresh resources of a refresh are remembered.
const mostFresh = 1 << 18

// logChecker checks the calls of one log.
type logChecker struct {
	options LogOptions
	session Session
	seed    maphash.Seed
	fresh   map[uint64]bool // hashes of the URNs of resources that were read and not checked since
	marked  map[uint64]bool // hashes of additionalSecretOutputs; see output
	listing page            // the last call of List
}

// At most mostMarked additionalSecretOutputs are remembered.
const mostMarked = 1 << 18

// register remembers what a call of the resource monitor, of which request is an empty
// message, names in additionalSecretOutputs.
func (l *logChecker) register(call rpc.LoggedCall, request rpc.Message) {
	switch request.(type) {
	case *rpc.RegisterResourceRequest, *rpc.ReadResourceRequest:
	default:
		return
	}

	var kind, name string
	var outputs []string

	request, _ = call.Request(rpc.Options{Properties: codec.Options{RoundNumbers: true}, DiscardUnknown: true})
	switch m := request.(type) {
	case *rpc.RegisterResourceRequest:
		kind, name, outputs = m.Type, m.Name, m.AdditionalSecretOutputs
	case *rpc.ReadResourceRequest:
		kind, name, outputs = m.Type, m.Name, m.AdditionalSecretOutputs
	}
	for _, output := range outputs {
		if len(l.marked) < mostMarked {
			l.marked[l.output(kind, name, output)] = true
		}
	}
}

// output returns the hash of an output of the resource of a type and a name. The URN, which
// also has the types of the parents, is in no request of a program.
func (l *logChecker) output(kind, name, output string) uint64 {
	var h maphash.Hash
	h.SetSeed(l.seed)
	for _, text := range []string{kind, name, output} {
		maphash.WriteComparable(&h, text)
	}
	return h.Sum64()
}

// markedAgain removes what is said of secrets that engines mark again, since the program
// names the outputs.
func (l *logChecker) markedAgain(c *Checked) {
	u, err := urn.Parse(c.URN)
	if err != nil || len(l.marked) == 0 {
		return
	}

	c.Findings = slices.DeleteFunc(c.Findings, func(f Finding) bool {
		return f.Code == "secret-lost" && f.In == "response.properties" && l.marked[l.output(u.Type(), u.Name(), topName(f))]
	})
}

// check decodes and checks a call that ended.
func (l *logChecker) check(c *Checked) {
	var rounded codec.Report
	var failed [2]error
	o := rpc.Options{Properties: codec.Options{RoundNumbers: true, Report: &rounded}, DiscardUnknown: true}
	c.Request, failed[0] = c.Call.Request(o)
	c.Response, failed[1] = c.Call.Response(o)
	c.Subject, c.URN = subject(c.Request)
	for _, err := range failed {
		c.unreadable(err)
	}
	if c.Call.Method == listMethod {
		l.list(c)
		return
	}

	_, expected := rpc.NewCall(c.Call.Method)
	if _, empty := expected.(*rpc.Empty); !empty && c.Request != nil && c.Response == nil && failed[1] == nil && !c.Call.Failed() {
		f := newFinding("response-missing")
		f.In = "response"
		c.Findings = append(c.Findings, f)
	}
	c.mapping()

	var rules LoggedRules
	if l.options.Rules != nil {
		rules = l.options.Rules(c.Subject)
	}
	resource := maphash.String(l.seed, c.URN)
	switch request := c.Request.(type) {
	case *rpc.DiffRequest:
		if answer, ok := c.Response.(*rpc.DiffResponse); ok {
			c.answer(request, answer, l.fresh[resource], rules.Differ)
		}
	case *rpc.CheckRequest:
		delete(l.fresh, resource)
	case *rpc.ReadRequest:
		if len(l.fresh) < mostFresh {
			l.fresh[resource] = true
		}
	}

	c.Findings = append(c.Findings, Violations(c.Request, c.Response)...)
	l.markedAgain(c)
	c.Findings = append(c.Findings, l.session.Add(c.Request, c.Response)...)
	l.bySchema(c)
	c.written(rules.WriteOnly)
	for _, r := range rounded.Rounded {
		f := newFinding("number-rounded")
		f.At = r.At
		c.Findings = append(c.Findings, f)
	}
}

// list checks a line of List, which has the request or a response. Engines make one such call
// after the other.
func (l *logChecker) list(c *Checked) {
	if request, ok := c.Request.(*rpc.ListRequest); ok {
		l.listing = page{request: request}
	}
	response, ok := c.Response.(*rpc.ListResponse)
	if l.listing.request == nil {
		return // the log begins late
	}

	c.Subject = l.listing.request.Token
	if ok {
		own := findings(c.Findings)
		l.listing.add(&own, response)
		c.Findings = own
	}
}

// mapping adds a finding about a provider that has no mapping and fails. One that does not
// implement the method, or ends, is no such.
func (c *Checked) mapping() {
	switch c.Call.Method {
	case providerService + "GetMapping", providerService + "GetMappings":
	default:
		return
	}
	for _, text := range c.Call.RevealErrors() {
		for _, code := range []string{"Unimplemented", "Unavailable", "Canceled", "DeadlineExceeded"} {
			if strings.Contains(text, "code = "+code) {
				return
			}
		}
	}
	if c.Call.Failed() {
		f := newFinding("mapping-refused")
		f.In = "response"
		c.Findings = append(c.Findings, f)
	}
}

// written removes what is said of properties that Read cannot find out.
func (c *Checked) written(only *path.Set) {
	if _, isRead := c.Response.(*rpc.ReadResponse); !isRead {
		return
	}
	c.Findings = slices.DeleteFunc(c.Findings, func(f Finding) bool {
		return slices.Contains([]string{"inputs-lost", "inputs-stale", "schema-mismatch"}, f.Code) && only.Covers(f.At.Path())
	})
}

// unreadable adds a finding about a message that cannot be decoded. The error names the
// field and the place, and does not quote the message.
func (c *Checked) unreadable(err error) {
	var e *rpc.Error
	if !errors.As(err, &e) {
		return
	}

	f := newFinding("unreadable")
	text := strings.TrimPrefix(err.Error(), "rpc: "+e.Op+" "+e.Message+": ")
	if inner := (*codec.Error)(nil); errors.As(err, &inner) {
		text = strings.Replace(text, "codec: "+inner.Op+": ", "", 1)
	}
	f.because(text)
	f.In = e.Message
	if e.Field != "" {
		f.In += "." + e.Field
	}
	c.Findings = append(c.Findings, f)
}

// answer checks a response to Diff. Internal names do not count, and which other spellings mean
// the same is not known. In a refresh, engines do not apply ignoreChanges, and
// bridged providers list the stables of their schema, whether these have a value or not.
func (c *Checked) answer(request *rpc.DiffRequest, answer *rpc.DiffResponse, refreshes bool, o provider.Differ) {
	sides, err := provider.SidesOf(request)
	if err != nil {
		return // a side is not an object; decoding does not let that happen
	}

	ignored := provider.IgnoredOf(request)
	named := path.NewSet(ignored...)
	o.Ignored = slices.Concat(ignored, o.Ignored)
	if o.Equality == nil {
		o.Equality = equality.MustRules(equality.Internal()...)
	}
	found := Validate(provider.ResponseOf(answer), sides, o)
	for _, f := range rootCauses(found, sides) {
		if (f.Code == "ignored" && (refreshes || !named.Covers(f.At.Path()))) || f.Code == "stables-absent" || f.Code == "should-update" {
			continue
		}
		if f.Code == "none-while-differ" {
			f.Severity = newFinding(f.Code).Severity
		}
		f.In = "response"
		c.Findings = append(c.Findings, f)
	}
}

// subject returns what a request is about, as in [Checked], and its URN if it has one.
func subject(request rpc.Message) (subject, resource string) {
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
