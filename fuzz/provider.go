package fuzz

import (
	"fmt"
	"iter"
	"slices"
	"testing"

	"github.com/propalg/propalg/internal/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

// Provider describes a provider to be tested: its Check and Diff for one resource type,
// and the inputs and states that they are called with. [Provider.Law] calls them as an
// engine does. Check or Diff is required.
type Provider struct {
	// Check is not tested if it is nil; inputs are then used as they are.
	Check func(request *rpc.CheckRequest) (*rpc.CheckResponse, error)
	// Diff is not tested if it is nil.
	Diff func(request *rpc.DiffRequest) (*rpc.DiffResponse, error)

	// Inputs generates the inputs of programs. Check should accept most of them: a try
	// with inputs that it refuses ends there, unless it refused them for the canary in
	// them. If Inputs is nil, they are objects with names and values like those of real
	// programs, which a Check that knows its properties refuses.
	Inputs *rapid.Generator[value.Value]
	// State returns the state of a resource with these inputs. If State is nil, it is
	// the inputs and one more output.
	State func(inputs value.Value) value.Value

	URN string // of every request; a default if it is empty
	// Options are those of inputs that are generated if Inputs is nil, and of their edits.
	// With Secrets: Without no canaries are put into inputs, whatever generates them.
	Options Options
	// Compared are the options that Diff compares with, if it uses package provider; for any
	// other provider, Equality can say what means the same to it, and Relation that marks
	// do not count. Of the other fields, Arrays, ArrayRules and Ignored matter, and so do
	// ReplaceOn and Direction: without ReplaceOn, any property may force a replacement.
	Compared provider.Options
	// Quiet are the places where Diff may report no change although the values differ,
	// because it takes them for equal in a way that rules of equality cannot say.
	Quiet []path.Pattern

	tried *tried // of a Run
}

// computedOutput is the name of the output that only states have.
const computedOutput = "computed output"

// Law checks that the provider keeps the contracts of the protocol, and that its Diff
// reports what has changed and nothing else.
//
// Run it by [rapid.Check]. Each try generates old inputs, and new inputs that are equal
// or differ by a few edits; it calls Check with both, and Diff with the results. It fails
// for
//
//   - a panic; an error of Diff for inputs that Check accepted
//   - a violation of the contracts of the call ([check.Violations]), such as unknowns
//     that the request did not have
//   - a secret that lost its mark, or is shown by a failure or an error
//   - two different responses to the same request
//   - a Check that refuses or changes inputs that it returned before
//   - a reported change although old and new inputs are equal, or equal by the rules of
//     Compared.Equality, whatever the state
//   - findings of [check.Validate] that are errors, and a stable name that changed,
//     except at places that Quiet matches
//   - a missing change although old and new inputs differ, except for differences that
//     Compared.Equality hides, and at places that Quiet or ignoreChanges match
//   - an entry that names what is inside a secret
//   - if Compared.ReplaceOn has patterns: an update where one of them says that a change
//     forces a replacement, except at places that Quiet matches, and a replacement for a
//     change that none of them is about
//
// A failure is shrunk and printed as Go; see [GoSource].
func (p Provider) Law(t *rapid.T) {
	old, now := p.draw(t)
	p.tried.begin()

	oldInputs, ok := p.checked(t, "when the resource is made", value.Null(), old)
	if !ok {
		return
	}

	news, ok := p.checked(t, "when it is changed", oldInputs, now)
	if !ok || p.Diff == nil {
		return
	}

	p.compare(t, oldInputs, news)
}

// Run checks the law on generated data. It also fails
//
//   - for each pattern in Compared that matched nothing in the whole run, since it is
//     probably misspelt
//   - if fewer than one try in twenty reached Diff, which then is hardly tested: the
//     inputs were refused before. Of the 100 tries of rapid that is fewer than five
//
// The message of the latter has the places where the first inputs were refused, but not
// the reasons.
func (p Provider) Run(t *testing.T) {
	t.Helper()

	all := p.tryAll(t)
	for _, pattern := range all.unmatched {
		t.Errorf("the pattern %v matched nothing in the whole run", pattern)
	}

	if text := all.tooFew(); p.Diff != nil && text != "" {
		t.Error(text)
	}
}

// draw makes the inputs that a program gave, and those that it gives now. Of the
// first none is unknown: they have become a resource.
func (p Provider) draw(t *rapid.T) (old, now value.Value) {
	o := p.Options
	o.Sealed = Without // they are opened before a provider is asked

	inputs := p.Inputs
	if inputs == nil {
		if o.Style == Mixed {
			o.Style = RealLike
		}

		inputs = Objects(o)
	}

	old = known(trees.Bare(inputs.Draw(t, "old inputs")))

	switch edits := rapid.IntRange(0, 3).Draw(t, "edits"); {
	case edits == 0:
		return old, trees.Copy(old)
	case p.Inputs != nil:
		return old, crossed(t, old, trees.Bare(inputs.Draw(t, "other inputs")))
	default:
		now = old
		for range edits {
			now = EditOnce(t, now, o)
		}

		return old, trees.Bare(trees.AsObject(now))
	}
}

// known is v with all that is unknown become known.
func known(v value.Value) value.Value {
	if v.IsUnknown() {
		return trees.WithMarks(value.String("now known"), v)
	}

	children := trees.Children(v)
	for i := range children {
		children[i].Value = known(children[i].Value)
	}

	return trees.Rebuild(v, children)
}

// crossed is an object with each member from one of two, as both have it.
func crossed(t *rapid.T, a, b value.Value) value.Value {
	var members []value.Member

	for _, key := range slices.Compact(slices.Sorted(keysOf(a, b))) {
		from := a
		if rapid.Bool().Draw(t, "changed") {
			from = b
		}

		if v, ok := from.Lookup(key); ok {
			members = append(members, value.Member{Key: key, Value: v})
		}
	}

	return value.Object(members...)
}

// keysOf iterates over the keys of both.
func keysOf(a, b value.Value) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, side := range []value.Value{a, b} {
			for key := range side.Keys() {
				if !yield(key) {
					return
				}
			}
		}
	}
}

// checked calls Check, and returns the inputs that it wants. It is false if they were
// refused.
func (p Provider) checked(t *rapid.T, when string, olds, news value.Value) (inputs value.Value, ok bool) {
	if p.Check == nil {
		return news, true
	}

	canary := NewCanary(1)
	planted := p.withCanary(t, canary, news)

	inputs, refusal := p.askCheck(t, when, canary, olds, planted)
	if refusal != "" && !planted.Identical(news) { // no canary is a valid name of a region
		inputs, refusal = p.askCheck(t, when+", without the canary", canary, olds, news)
	}

	if refusal != "" {
		p.tried.refuse(refusal)
	}

	return inputs, refusal == ""
}

// askCheck calls Check, twice. If it refuses the inputs, the refusal says where.
func (p Provider) askCheck(t *rapid.T, when string, canary Canary, olds, news value.Value) (inputs value.Value, refusal string) {
	ask := func() (*rpc.CheckRequest, *rpc.CheckResponse, error) {
		request := &rpc.CheckRequest{URN: p.urn(), Olds: olds, News: news, RandomSeed: make([]byte, 32)}
		response, err := p.Check(request)

		return request, response, err
	}

	t.Logf("Check, %s:\nrequest := &rpc.CheckRequest{URN: %q, RandomSeed: make([]byte, 32), Olds: %s, News: %s}",
		when, p.urn(), GoSource(olds), GoSource(news))

	request, response, err := ask()
	if err != nil {
		hidden(t, canary, "the error of Check", err.Error())

		return value.Null(), "Check returned an error"
	}

	if response == nil {
		t.Fatalf("Check gives neither a response nor an error")
	}

	t.Logf("response: %s", GoSource(response.Inputs))
	kept(t, check.Violations(request, response))
	hidden(t, canary, "what Check returns", response.String())

	if _, again, err := ask(); err != nil || again == nil || !again.Inputs.Identical(response.Inputs) || !sameFailures(again.Failures, response.Failures) {
		t.Fatalf("Check gives another answer to the same request: %v, %v", again, err)
	}

	if len(response.Failures) == 0 {
		p.askAgain(t, response.Inputs)
	}

	return response.Inputs, refusedAt(news, response.Failures)
}

// askAgain calls Check with inputs that it returned, which should stay as they are: in an
// import, engines do so with what Read returned.
func (p Provider) askAgain(t *rapid.T, inputs value.Value) {
	again, err := p.Check(&rpc.CheckRequest{URN: p.urn(), Olds: inputs, News: inputs, RandomSeed: make([]byte, 32)})
	if err != nil || again == nil || len(again.Failures) > 0 {
		t.Fatalf("Check refuses inputs that it returned: %s", GoSource(inputs))
	}

	if !again.Inputs.Identical(inputs) {
		t.Fatalf("Check changes inputs that it returned, as new inputs of a resource that has them:\n%s\nThey become:\n%s",
			GoSource(inputs), GoSource(again.Inputs))
	}
}

func sameFailures(a, b []rpc.CheckFailure) bool {
	return slices.EqualFunc(a, b, func(x, y rpc.CheckFailure) bool { return x.Property == y.Property && x.Reason == y.Reason })
}

// withCanary puts a canary in the place of a text, now and then.
func (p Provider) withCanary(t *rapid.T, c Canary, v value.Value) value.Value {
	if p.Options.Secrets == Without || !rapid.Bool().Draw(t, "a secret in it") {
		return v
	}

	texts := slices.DeleteFunc(trees.Places(v), func(at trees.Place) bool { return at.Value.Kind() != value.KindString })
	if len(texts) == 0 {
		return v
	}

	return trees.Replace(v, rapid.SampledFrom(texts).Draw(t, "secret").At, func(value.Value) value.Value { return c.Hide(InString) })
}

// urn returns the URN of the requests.
func (p Provider) urn() string {
	if p.URN == "" {
		return urnExamples()[0]
	}

	return p.URN
}

// kept fails for findings that are errors.
func kept(t *rapid.T, violations []check.Finding) {
	for _, v := range violations {
		if v.Severity == check.SeverityError {
			t.Fatalf("%v", v)
		}
	}
}

// hidden fails if a text shows the canary.
func hidden(t *rapid.T, c Canary, what, text string) {
	if err := c.Check(text); err != nil {
		t.Fatalf("%s shows a secret: %v", what, err)
	}
}

// compare calls Diff twice, and checks the answer.
func (p Provider) compare(t *rapid.T, oldInputs, news value.Value) {
	state := p.state(oldInputs)
	ignored, texts := drawIgnored(t, oldInputs)
	news = ignore.Changes(oldInputs, news, ignored, ignore.Engine).Value

	ask := func() (*rpc.DiffRequest, *rpc.DiffResponse, error) {
		request := &rpc.DiffRequest{URN: p.urn(), ID: "id", Olds: state, OldInputs: oldInputs, News: news, IgnoreChanges: texts}
		response, err := p.Diff(request)

		return request, response, err
	}

	t.Logf("Diff:\nrequest := &rpc.DiffRequest{URN: %q, ID: \"id\", IgnoreChanges: %#v,\n\tOlds: %s,\n\tOldInputs: %s,\n\tNews: %s}",
		p.urn(), texts, GoSource(state), GoSource(oldInputs), GoSource(news))

	request, response, err := ask()
	if err != nil {
		if p.Check == nil {
			p.tried.refuse("Diff returned an error")

			return // refusing them may have been right
		}

		t.Fatalf("Diff fails for inputs that Check accepted: %v", err)
	}

	if response == nil {
		t.Fatalf("Diff gives neither a response nor an error")
	}

	t.Logf("response: %v", response)
	kept(t, check.Violations(request, response))

	p.tried.reach()

	_, again, err := ask()
	if err != nil || again == nil || fmt.Sprint(again) != fmt.Sprint(response) {
		t.Fatalf("Diff gives another answer to the same request: %v, %v", again, err)
	}

	p.judge(t, provider.ResponseOf(response), provider.Sides{OldInputs: oldInputs, OldState: state, News: news}, ignored)
}

func (p Provider) state(inputs value.Value) value.Value {
	if p.State != nil {
		return p.State(inputs)
	}

	state, err := inputs.With(path.Of(path.Key(computedOutput)), value.String("known after"))
	if err != nil {
		return inputs
	}

	return state
}

// drawIgnored sometimes draws names for ignoreChanges.
func drawIgnored(t *rapid.T, inputs value.Value) (patterns []path.Pattern, texts []string) {
	names := slices.Sorted(inputs.Keys())
	if len(names) == 0 || rapid.IntRange(0, 5).Draw(t, "ignored") < 5 {
		return nil, nil
	}

	p := path.Of(path.Key(rapid.SampledFrom(names).Draw(t, "ignored name"))).Pattern()

	text, err := p.Pulumi()
	if err != nil {
		return nil, nil // the dialect has no text for it
	}

	return []path.Pattern{p}, []string{text}
}

// judge fails if a response is wrong.
func (p Provider) judge(t *rapid.T, r provider.Response, sides provider.Sides, ignored []path.Pattern) {
	quiet := path.NewSet(p.Quiet...)
	named := len(r.Detailed)+len(r.Diffs)+len(r.Replaces) > 0

	o := p.Compared
	o.Ignored = slices.Concat(o.Ignored, ignored)
	p.tried.match(&o, sides)

	meant := provider.Options{Relation: o.Relation, Equality: o.Equality, Ignored: o.Ignored, Arrays: o.Arrays, ArrayRules: o.ArrayRules}
	nothing := provider.Compare(provider.Sides{OldInputs: sides.OldInputs, News: sides.News}, meant).Response(meant).Changes == provider.None
	if r.Changes == provider.Some && nothing {
		t.Fatalf("DIFF_SOME, and nothing changed")
	}

	for _, f := range check.Validate(r, sides, o) {
		isQuiet := f.Code == "unreported" && (quiet.Covers(f.At.Path()) || r.Changes == provider.Some && !named)
		isQuiet = isQuiet || (f.Code == "stables-changed" || f.Code == "should-replace") && quiet.Covers(f.At.Path())
		bad := f.Severity == check.SeverityError || f.Code == "below-secret" || f.Code == "unreported" || f.Code == "stables-changed"

		if bad && !isQuiet {
			t.Fatalf("%v", f)
		}
	}
}
