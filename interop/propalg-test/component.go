package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/rulebook"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// component tests a component. Construct is called as in a preview, and with --live also as in an
// update if schemas have all that the component registers: nothing of it is made.
func (t *tester) component(s *subject, r *schema.Resource, rules rulebook.Rules, until time.Time) {
	inputs := t.inputs(r, rules)
	for seed := range t.seeds(until) {
		c := construction{tester: t, s: s, r: r, seed: seed}
		known := rules.Fixed(c.planted(known(inputs.Example(seed))))
		if r.Inputs().Check(known) == nil { // else something that is required was not known
			c.test(known)
		}
	}
	t.ended(s, until)
}

// construction is a try of a component.
type construction struct {
	*tester

	s    *subject
	r    *schema.Resource
	seed int
}

// constructed is what one call of Construct did.
type constructed struct {
	request  *rpc.ConstructRequest
	response *rpc.ConstructResponse
	monitor  *monitor
	calls    []fuzz.Call
}

// secretText is the text of an input that is secret in every other try.
const secretText = "the-secret-of-a-component"

// planted returns inputs without marks where programs cannot have any, and with a secret text.
func (c *construction) planted(inputs value.Value) value.Value {
	var texts []string
	for name, v := range inputs.Members() {
		p, _ := c.r.Inputs().Property(name)
		switch {
		case p.Plain():
			inClear(&v)
			inputs, _ = inputs.WithField(name, v)
		case p.Type().Kind() == schema.KindString && v.Kind() == value.KindString:
			texts = append(texts, name)
		}
	}
	if len(texts) > 0 && c.found.secrets && c.seed%2 == 1 {
		inputs, _ = inputs.WithField(texts[c.seed/2%len(texts)], value.Secret(value.String(secretText)))
	}
	return inputs
}

// test makes the component, again, with another name, and with an input that is unknown.
func (c *construction) test(inputs value.Value) {
	made, err := c.construct(c.o.name, inputs, true)
	if err != nil {
		return
	}
	c.judge(made)

	again, err := c.construct(c.o.name, inputs, true)
	if err == nil && !slices.Equal(made.names(), again.names()) {
		c.say(again, check.SeverityError, "not-repeatable", "Construct registers other resources for the same request")
	}
	other, err := c.construct(c.o.name+"-2", inputs, true)
	if err == nil {
		for _, name := range other.names() {
			if _, isFixed := made.monitor.find(name); isFixed {
				c.say(other, check.SeverityWarning, "name-fixed", "Construct registers %s whatever the component is called, so that no program can have two of them; begin the name with that of the component", name)
			}
		}
	}
	c.early(made, inputs)
	switch {
	case !c.o.live, errors.Is(err, fuzz.ErrGone):
	case !made.owned():
		c.s.missed = "Construct is called in previews only: no schema has all that it registers (--schema)"
	default:
		if made, err := c.construct(c.o.name, inputs, false); err == nil {
			c.judge(made)
			own := value.ResourceReference{URN: made.response.URN, PackageVersion: c.found.version}
			_ = c.methods(c.r, own, made.monitor, made.calls) // it is the last of the try
		}
	}
}

// names are the URNs of what was registered, in order.
func (made *constructed) names() (all []string) {
	for _, r := range made.monitor.all {
		if r.request != nil {
			all = append(all, r.urn)
		}
	}
	slices.Sort(all)
	return all
}

// owned reports whether it is known what the outputs are of all that was registered. Those of a
// provider are its inputs.
func (made *constructed) owned() bool {
	return !slices.ContainsFunc(made.monitor.all, func(r registered) bool {
		_, ok := made.monitor.packages.resource(r.typ())
		isProvider := strings.HasPrefix(r.typ(), "pulumi:providers:")
		return !ok && !isProvider && (r.request == nil || r.request.Custom || r.request.Remote)
	})
}

// early makes the component of inputs of which one is not known yet.
func (c *construction) early(made *constructed, inputs value.Value) {
	var names []string
	for name := range inputs.Members() {
		if p, ok := c.r.Inputs().Property(name); ok && !p.Plain() {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return
	}
	name := names[c.seed%len(names)]
	at, was := path.Show(path.Of(path.Key(name)), -1), inputs.Field(name)
	inputs, _ = inputs.WithField(name, value.Unknown().WithMarksOf(was))

	early, err := c.construct(c.o.name, inputs, true)
	switch state := made.response.State.Field(name); {
	case errors.Is(err, fuzz.ErrGone):
	case err != nil:
		c.sayAt(early, at, check.SeverityError, "unknown-refused", "Construct fails in a preview while an input is unknown, and works when it is known: %v", err)
	default:
		c.judge(early)
		if now := early.response.State.Field(name); contents.Equal(state, was) && !now.IsNull() && !now.ContainsUnknown() {
			c.sayAt(early, at, check.SeverityError, "unknown-lost", "Construct returns an input in its state, and a value where the input is unknown: return an unknown")
		}
	}
}

// contents compares values whose marks may differ.
const contents = value.Engine | value.IgnoreSecrets | value.IgnoreDependencies

// construct calls Construct.
func (c *construction) construct(name string, inputs value.Value, preview bool) (*constructed, error) {
	request := &rpc.ConstructRequest{
		Project: "propalg-test", Stack: "test", Organization: "organization", Parallel: 16, DryRun: preview,
		MonitorEndpoint: c.engine.address, AcceptsOutputValues: true,
		Type: c.r.Token(), Name: name, Parent: stackURN,
		Inputs: inputs, InputDependencies: map[string]rpc.PropertyDependencies{},
	}
	for name, v := range inputs.Members() {
		if p, _ := c.r.Inputs().Property(name); !p.Plain() {
			request.InputDependencies[name] = rpc.PropertyDependencies{URNs: []string{otherURN}}
			request.Inputs, _ = request.Inputs.WithField(name, v.WithDependencies(otherURN))
		}
	}
	made := &constructed{request: request, monitor: &monitor{packages: c.packages(), preview: preview, seed: c.seed}}
	c.engine.serve(made.monitor)
	defer c.engine.serve(nil)

	var err error
	made.response, err = via(c.plugin, "Construct", (*grpc.Client).Construct)(c.ctx, request)
	made.monitor.mu.Lock() // a provider may go on
	defer made.monitor.mu.Unlock()
	made.monitor = made.monitor.copied()
	for _, r := range made.monitor.all {
		if r.request != nil {
			made.calls = append(made.calls, fuzz.Call{Method: "RegisterResource", Request: r.request, Response: &rpc.RegisterResourceResponse{URN: r.urn, ID: r.id, Object: r.state}})
		}
	}
	made.calls = append(made.calls, fuzz.Call{Method: "Construct", Request: request, Response: made.response, Err: err})
	return made, err
}

func (c *construction) say(made *constructed, severity check.Severity, code, format string, args ...any) {
	c.sayAt(made, path.Shown{}, severity, code, format, args...)
}

func (c *construction) sayAt(made *constructed, at path.Shown, severity check.Severity, code, format string, args ...any) {
	f := finding(code, fmt.Sprintf(format, args...))
	f.Severity, f.At = severity, at
	c.s.addCalls("Construct", f, made.calls)
}

// judge adds what is wrong with a component that was made.
func (c *construction) judge(made *constructed) {
	for _, f := range append(check.Violations(made.request, made.response), made.monitor.findings...) {
		if f.Severity > check.SeverityNote {
			c.s.addCalls("Construct", f, made.calls)
		}
	}
	own, ok := made.monitor.find(made.response.URN)
	if !ok || own.typ() != c.r.Token() {
		c.say(made, check.SeverityError, "component-unregistered", "Construct returns a URN that it has not registered for the component, so that engines know nothing of it")
	}
	for _, r := range made.monitor.all {
		switch {
		case r.request == nil || r.urn == made.response.URN:
		case r.request.Parent == "" || r.request.Parent == stackURN:
			c.say(made, check.SeverityWarning, "parent-missing", "Construct registers %s %q without a parent: it is shown beside the component, and gets none of its options", r.request.Type, r.request.Name)
		}
		if at, ok := secretAt(r.state); ok && r.request != nil {
			c.leaked(made, inChild, at, fmt.Sprintf("Construct registers %s %q with", r.typ(), r.request.Name))
		}
	}

	state := made.response.State
	if at, ok := secretAt(state); ok {
		c.leaked(made, "response.state", at, "Construct returns")
	}
	if made.request.DryRun {
		state = state.WithUnknowns(c.r.State().Names()...)
	}
	c.result(c.s, "Construct", "response.state", c.r.State(), state, made.calls)
}

func (c *construction) leaked(made *constructed, in string, at path.Shown, what string) {
	f := finding("secret-derived", what+" a text in clear that contains a secret input: mark it as a secret")
	f.In, f.At = in, at
	c.s.addCalls("Construct", f, made.calls)
}

// secretAt returns where the secret text is in clear.
func secretAt(v value.Value) (path.Shown, bool) {
	for at := range v.Walk() {
		if text, ok := at.Value().AsString(); ok && strings.Contains(text, secretText) && !at.Value().IsSecret() {
			return path.Show(at.Path(), -1), true
		}
	}
	return path.Shown{}, false
}

func (r registered) typ() string {
	u, _ := urn.Parse(r.urn) // of one that is not registered there is none
	return u.Type()
}
