package main

import (
	"cmp"
	"errors"
	"iter"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/gate"
	"github.com/propalg/propalg/internal/rulebook"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// tester tests what a provider has, one resource and function after the other.
type tester struct {
	*plugin
	o        *options
	rules    *rulebook.Book
	journal  *journal
	began    time.Time
	try      int      // the seed of the current one
	own      *subject // the provider itself
	subjects []*subject
}

// run tests everything.
func (t *tester) run() error {
	t.began = time.Now()
	t.own = &subject{kind: "provider", token: t.program.name}
	t.subject = t.own
	if err := t.start(); err != nil {
		return err
	}
	t.own.token = t.packageName()
	if t.o.cleanup != "" {
		return nil
	}

	resources, functions := t.chosen()
	left := len(resources) + len(functions)
	for _, r := range resources {
		t.resource(r, time.Now().Add(t.share(left)))
		left--
	}
	for _, f := range functions {
		t.function(f, time.Now().Add(t.share(left)))
		left--
	}
	return t.log.err
}

// share is the time for the next of a number of tests.
func (t *tester) share(left int) time.Duration {
	return max(t.o.time-time.Since(t.began), 0) / time.Duration(max(left, 1))
}

// chosen returns what is to be tested. Resources that --inputs names need no schema.
func (t *tester) chosen() (resources []*schema.Resource, functions []*schema.Function) {
	tokens := map[string]bool{}
	for r := range t.schema.Resources() {
		tokens[r.Token()] = true
		if matchesAny(t.o.resources, r.Token()) {
			resources = append(resources, r)
		}
	}
	for _, token := range t.rules.Tokens() {
		if !tokens[token] && matchesAny(t.o.resources, token) {
			resources = append(resources, unknownResource(token))
		}
	}
	for f := range t.schema.Functions() {
		_, isMethod := f.Inputs().Property(self)
		if len(t.o.functions) > 0 && !isMethod && matchesAny(t.o.functions, f.Token()) {
			functions = append(functions, f)
		}
	}
	return resources, functions
}

// unknownResource is a resource that the schema does not have, whose properties may be any.
func unknownResource(token string) *schema.Resource {
	p, err := schema.FromValue(value.Object(value.Field("name", value.String("x")),
		value.Field("resources", value.Object(value.Field(token, value.Object())))), schema.Options{})
	if err != nil {
		return &schema.Resource{}
	}
	r, _ := p.Resource(token)
	return r
}

// resource tests a resource until its tries are made, or its time is over.
func (t *tester) resource(r *schema.Resource, until time.Time) {
	s := &subject{kind: "resource", token: r.Token(), inputs: r.Inputs(), state: r.State()}
	t.subjects, t.subject = append(t.subjects, s), s
	rules := t.rules.Of(r.Token())
	switch overlay, _ := r.Document().Field("isOverlay").AsBool(); {
	case rules.Skip != "":
		s.skipped = rules.Skip
	case overlay:
		s.skipped = "it is an overlay, which SDKs implement"
	}
	if s.skipped == "" && t.ctx.Err() != nil {
		s.skipped = "interrupted"
	}
	if s.skipped != "" {
		return
	}

	if r.IsComponent() {
		t.component(s, r, rules, until)
		return
	}
	p, err := t.fuzzed(r, rules)
	if err != nil {
		s.skipped = err.Error()
		return
	}
	for _, f := range p.Findings(t.seeds(until)) {
		if f.Code == "schema-secret" && !t.found.secrets {
			continue // engines mark for it what the inputs mark
		}
		s.addCalls(f.Method, f.Finding, f.Calls)
	}
	if t.o.live {
		t.list(s, r.Token())
	}
	t.ended(s, until)
}

// ended says why the test of a resource ended early, if it did.
func (t *tester) ended(s *subject, until time.Time) {
	s.sort()
	switch {
	case t.ctx.Err() != nil:
		s.stopped = "interrupted"
	case time.Now().After(until):
		s.stopped = cmp.Or(s.stopped, "its time was over (--time)")
	}
}

// mostOver is how many times its time a run may take, so that each of many resources is tried once.
const mostOver = 10

// seeds are those of the tries, until a time. The first is tried later too.
func (t *tester) seeds(until time.Time) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range t.o.tries {
			t.try = t.o.seed + i
			isOver := (i > 0 && time.Now().After(until)) || time.Since(t.began) > mostOver*t.o.time
			if t.subject.stopped != "" || t.ctx.Err() != nil || isOver || !yield(t.try) {
				return
			}
		}
	}
}

// fuzzed is the law for a resource.
func (t *tester) fuzzed(r *schema.Resource, rules rulebook.Rules) (fuzz.Provider, error) {
	law := fuzz.Provider{
		Check:           via(t.plugin, "Check", (*grpc.Client).Check),
		Diff:            via(t.plugin, "Diff", (*grpc.Client).Diff),
		Create:          via(t.plugin, "Create", (*grpc.Client).Create),
		Update:          via(t.plugin, "Update", (*grpc.Client).Update),
		SupportsPreview: t.found.preview, OnlyPreviews: !t.o.live,
		URN:   "urn:pulumi:test::propalg-test::" + r.Token() + "::" + t.o.name,
		Fixed: rules.FixedPlaces(), Quiet: rules.Quiet, WriteOnly: rules.WriteOnly,
		Options: t.options(),
	}
	if r.Inputs().Names() != nil || r.State().Names() != nil {
		law.Schema = r
	}
	if t.o.live {
		law.Read = via(t.plugin, "Read", (*grpc.Client).Read)
		law.Delete = via(t.plugin, "Delete", (*grpc.Client).Delete)
		law.Create, law.Delete = t.journal.creates(law.Create), t.methodsBefore(r, t.journal.deletes(law.Delete))
	}

	law.Inputs = t.inputs(r, rules)
	replaces, err := r.ReplaceOn()
	if err != nil {
		return law, err
	}
	law.Compared = rules.Compared(replaces)
	return law, nil
}

// options are what generated inputs may have: what the provider says that it accepts.
func (t *tester) options() fuzz.Options {
	return fuzz.Options{
		Style: fuzz.Plain, NoSealed: true, NoDependencies: true,
		NoSecrets: !t.found.secrets, NoReferences: !t.found.resources,
	}
}

// function calls a function with generated arguments.
func (t *tester) function(f *schema.Function, until time.Time) {
	s := &subject{kind: "function", token: f.Token()}
	t.subjects, t.subject = append(t.subjects, s), s
	invoke := via(t.plugin, "Invoke", (*grpc.Client).Invoke)
	o := t.options()
	o.NoUnknowns = true
	arguments := rapid.Map(fuzz.OfType(f.Inputs(), o), func(v value.Value) value.Value { return t.rules.Of(f.Token()).Fixed(tame(v)) })

	for seed := range t.seeds(until) {
		args := arguments.Example(seed)
		if args.ContainsUnknown() {
			continue
		}
		request := &rpc.InvokeRequest{Tok: f.Token(), Args: args}
		response, err := invoke(t.ctx, request)
		if err != nil || response == nil {
			continue
		}
		calls := []fuzz.Call{{Method: "Invoke", Request: request, Response: response}}
		for _, v := range check.Violations(request, response) {
			if v.Severity > check.SeverityNote {
				s.addCalls("Invoke", v, calls)
			}
		}
		if len(response.Failures) == 0 && f.Outputs() != nil {
			t.result(s, "Invoke", "response.return", f.Outputs(), response.Return, calls)
		}
	}
	s.sort()
}

// result adds where what a method returned is not as the schema says.
func (t *tester) result(s *subject, method, in string, of *schema.Type, v value.Value, calls []fuzz.Call) {
	for at := range of.MarkSecrets(v).SecretPaths() {
		if there, _ := v.At(at); t.found.secrets && !there.IsSecret() && !there.IsUnknown() {
			f := finding("schema-secret", "the schema calls the property secret, and "+method+" returns it in clear; mark it")
			f.Severity, f.In, f.At = check.SeverityWarning, in, path.Show(at, -1)
			s.addCalls(method, f, calls)
		}
	}
	for _, f := range mismatches(of, v, in, "what "+method+" returns is not as the schema says") {
		s.addCalls(method, f, calls)
	}
}

// mismatches are findings where a value is not of its type.
func mismatches(of *schema.Type, v value.Value, in, what string) (all []check.Finding) {
	var wrong *bind.Error
	if !errors.As(of.Check(v), &wrong) {
		return nil
	}
	for _, p := range wrong.Problems {
		f := finding("schema-mismatch", what+": "+p.Reason())
		f.In, f.At = in, p.At
		all = append(all, f)
	}
	return all
}

// matchesAny reports whether a token is what one of these patterns names, in which * is any
// text. No patterns name everything.
func matchesAny(patterns []string, token string) bool {
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(p string) bool { return gate.Matches(p, token) })
}
