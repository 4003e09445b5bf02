package fuzz

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/internal/decide"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

// ask calls a method, and fails if the call breaks the contracts.
func ask[Q, R any](p Provider, t *rapid.T, when string, method func(context.Context, *Q) (*R, error), request Q) (*R, error) {
	response, err := call(p, t, when, method, request)
	keepsContracts(p, t, &request, response, err)
	return response, err
}

// call calls a method, and prints the request as Go and the response for people. The request
// is passed as a copy: methods own theirs.
func call[Q, R any](p Provider, t *rapid.T, when string, method func(context.Context, *Q) (*R, error), request Q) (*R, error) {
	if p.found == nil {
		t.Logf("%s:\nrequest := %v", when, logged{&request})
	}

	sent := request
	response, err := method(t.Context(), &sent)
	if err == nil && response == nil {
		p.wrong(t, "no-response", methodOf(message(&request)), nil, " returns neither a response nor an error")
		panic(errTryEnds)
	}
	if p.found != nil {
		return response, err
	}
	if err == nil {
		t.Logf("response: %v", response)
	}
	if detail := protocol.InitFailed(err); detail != nil {
		t.Logf("response: %v", detail)
	}
	return response, err
}

// keepsContracts fails if a call breaks the contracts.
func keepsContracts[Q, R any](p Provider, t *rapid.T, request *Q, response *R, err error) {
	if err == nil {
		p.kept(t, message(request), message(response))
	}
	if detail := protocol.InitFailed(err); detail != nil {
		p.kept(t, message(request), detail)
	}
}

// asSchema fails if a call for inputs that are as the schema says returns what is not.
func (p Provider) asSchema(t *rapid.T, inputs value.Value, request, response rpc.Message) {
	if p.Schema == nil || p.Schema.Inputs().Check(inputs) != nil {
		return
	}
	for _, f := range check.SchemaViolations(p.Schema, request, response) {
		if f.Code != "schema-replace" { // judge finds it, and knows the rules of Compared
			p.wrongly(t, methodOf(request), f)
		}
	}
}

func message(m any) rpc.Message {
	own, _ := m.(rpc.Message)
	return own
}

// logged is a request that is written as Go if somebody reads the log, which is of failures alone.
type logged struct{ request any }

// String returns the source.
func (l logged) String() string { return requestSource(l.request) }

// requestSource returns a Go expression that makes a request as the law makes them, like
// [GoSource].
func requestSource(request any) string {
	switch r := request.(type) {
	case *rpc.CheckRequest:
		return literal("CheckRequest", "URN", r.URN, "Type", r.Type, "Name", r.Name, "Olds", r.Olds, "News", r.News, "RandomSeed", r.RandomSeed)
	case *rpc.DiffRequest:
		return literal("DiffRequest", "URN", r.URN, "Type", r.Type, "Name", r.Name, "ID", r.ID, "Olds", r.Olds, "OldInputs", r.OldInputs, "News", r.News, "IgnoreChanges", r.IgnoreChanges)
	case *rpc.CreateRequest:
		return literal("CreateRequest", "URN", r.URN, "Type", r.Type, "Name", r.Name, "Properties", r.Properties, "Preview", r.Preview)
	case *rpc.ReadRequest:
		return literal("ReadRequest", "URN", r.URN, "Type", r.Type, "Name", r.Name, "ID", r.ID, "Inputs", r.Inputs, "Properties", r.Properties)
	case *rpc.UpdateRequest:
		return literal("UpdateRequest", "URN", r.URN, "Type", r.Type, "Name", r.Name, "ID", r.ID, "Olds", r.Olds, "OldInputs", r.OldInputs, "News", r.News,
			"IgnoreChanges", r.IgnoreChanges, "Preview", r.Preview)
	case *rpc.DeleteRequest:
		return literal("DeleteRequest", "URN", r.URN, "Type", r.Type, "Name", r.Name, "ID", r.ID, "OldInputs", r.OldInputs, "Properties", r.Properties)

	default:
		return fmt.Sprintf("%v", r)
	}
}

// literal returns a Go expression of a struct, without the fields that are zero. Fields
// are pairs of a name and what it holds.
func literal(name string, fields ...any) string {
	var texts []string
	for field := range slices.Chunk(fields, 2) {
		text := fmt.Sprintf("%#v", field[1])
		switch own := field[1].(type) {
		case value.Value:
			text = GoSource(own)
		case rpc.Hidden[[]byte]:
			text = fmt.Sprintf("rpc.Hide([]byte(%q))", own.Reveal())
		}
		if !slices.Contains([]string{`""`, "false", "value.Null()", "[]string(nil)"}, text) {
			texts = append(texts, fmt.Sprintf("%v: %s", field[0], text))
		}
	}

	return "&rpc." + name + "{" + strings.Join(texts, ", ") + "}"
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
	request := p.checkRequest(olds, news)
	response, err := ask(p, t, "Check, "+when, p.Check, request)
	if err != nil {
		p.hidden(t, canary, "Check", "the error of Check", err.Error())
		return value.Null(), told("Check", err, olds, news)
	}

	p.hidden(t, canary, "Check", "what Check returns", fmt.Sprint(response))
	p.asSchema(t, news, &request, response)
	again, err := p.Check(t.Context(), &request)
	if err != nil || again == nil || !again.Inputs.Identical(response.Inputs) || !sameFailures(again.Failures, response.Failures) {
		p.wrong(t, "not-repeatable", "Check", nil, " gives another answer to the same request"+p.answered(again, err))
	}
	if len(response.Failures) == 0 {
		p.askAgain(t, response.Inputs)
		p.keeps(t, request, response.Inputs)
		p.follows(t, request, response.Inputs)
		p.keepsZeros(t, request)
		p.tried.checked(p, news, response.Inputs)
	}
	return response.Inputs, refusedAt(news, response.Failures)
}

// checkRequest returns a request for Check. The seed is the same for a run of a program, so
// that the responses can be.
func (p Provider) checkRequest(olds, news value.Value) rpc.CheckRequest {
	seed := "0123456789abcdef0123456789abcdef"
	if p.later {
		seed = "fedcba9876543210fedcba9876543210"
	}
	return rpc.CheckRequest{URN: p.urn(), Type: p.kind(), Name: p.name(), Olds: olds, News: news, RandomSeed: rpc.Hide([]byte(seed))}
}

// askAgain calls Check with inputs that it returned, which should stay as they are: in an
// import, engines do so with what Read returned.
func (p Provider) askAgain(t *rapid.T, inputs value.Value) {
	request := p.checkRequest(inputs, inputs)
	again, err := p.Check(t.Context(), &request)
	if err != nil || again == nil || len(again.Failures) > 0 {
		p.wrong(t, "own-refused", "Check", nil, " refuses inputs that it returned"+p.source(": ", inputs))
		return
	}

	if !again.Inputs.Identical(inputs) {
		p.wrong(t, "not-idempotent", "Check", nil, " is not idempotent: it changes inputs that it returned, when they are sent as old and new inputs"+
			p.source(":\n", inputs)+p.source("\nThey become:\n", again.Inputs))
	}
}

// follows fails if Check returns something else than the program says because of old inputs.
// What it makes of a value without them, such as one that is in bounds, it should make of it
// with them; what it takes from them for a property that the program leaves out or leaves to
// it, such as a name, is its own.
func (p Provider) follows(t *rapid.T, request rpc.CheckRequest, inputs value.Value) {
	if request.Olds.IsNull() {
		return
	}

	alone := request
	alone.Olds = value.Null()
	sent := alone
	fresh, err := p.Check(t.Context(), &sent)
	if err != nil || fresh == nil || len(fresh.Failures) > 0 {
		return
	}

	for name, kept := range inputs.Members() {
		_, said := request.News.Lookup(name)
		_, isMade := fresh.Inputs.Lookup(name)
		if was, ok := request.Olds.Lookup(name); ok && !said && !isMade && p.found != nil && value.Engine.Equal(was.DropSecret(), kept.DropSecret()) {
			p.found.add("removal-ignored", "Check", path.Show(path.Of(path.Key(name)), -1),
				"Check keeps an old input that the program no longer has, and makes none without it, so that no program can remove it")
		}
	}

	var made []path.Path // where it returns something else than the program says without them, too
	for c := range p.differences(request.News, fresh.Inputs) {
		made = append(made, c.NewPath())
	}
	for c := range p.differences(fresh.Inputs, inputs) {
		at := c.OldPath()
		said, ok := request.News.At(at)
		if ok && !said.ContainsUnknown() && !slices.ContainsFunc(made, func(q path.Path) bool { return q.HasPrefix(at) || at.HasPrefix(q) }) {
			if p.found == nil {
				t.Logf("Check, without old inputs:\nrequest := %s\nresponse: %v", requestSource(&alone), fresh)
			}
			p.wrong(t, "not-followed", "Check", []path.Shown{c.Shown()},
				" does not follow the program%s: without old inputs it returns what the program says, and with them something else; return that or refuse it")
		}
	}
}

// keeps fails if Check makes another value in the next run of the same program, although the old
// inputs have the one that it made before, such as a name.
func (p Provider) keeps(t *rapid.T, request rpc.CheckRequest, inputs value.Value) {
	var made []string
	for name := range inputs.Keys() {
		if _, ok := request.News.Lookup(name); !ok {
			made = append(made, name)
		}
	}
	if len(made) == 0 || !request.Olds.IsNull() {
		return
	}

	p.later = true
	next := p.checkRequest(inputs, request.News)
	again, err := p.Check(t.Context(), &next)
	if err != nil || again == nil || len(again.Failures) > 0 {
		return
	}
	var changed []path.Shown
	for c := range p.differences(inputs, again.Inputs) {
		if top, _, _ := c.Path().Cut(); slices.ContainsFunc(made, func(name string) bool { return top == path.Key(name) }) {
			changed = append(changed, c.Shown())
		}
	}
	if len(changed) > 0 {
		p.wrong(t, "not-kept", "Check", changed,
			" makes another value%s when the same program runs again with another seed: keep the one that olds has, else each run changes the resource")
	}
}

// keepsZeros adds a finding if Check makes of 0, or of false, what it makes of an input that is
// not there: a provider that takes the zero of its language for nothing. Each input is tried
// once, in the place of a number or a truth that was generated.
func (p Provider) keepsZeros(t *rapid.T, request rpc.CheckRequest) {
	if p.found == nil {
		return
	}

	fixed, program := path.NewSet(p.Fixed...), request.News
	for name, said := range program.Members() {
		at, zero := path.Of(path.Key(name)), value.Number(0)
		if said.Kind() == value.KindBool {
			zero = value.Bool(false)
		} else if said.Kind() != value.KindNumber {
			continue
		}
		if p.found.zeros[name] || fixed.Covers(at) {
			continue
		}

		p.found.zeros[name] = true
		request.News, _ = program.WithField(name, zero)
		made, isMade := p.makes(t, request, name)
		request.News, _ = program.Without(at)
		without, isThere := p.makes(t, request, name)
		if isMade && isThere && made.Kind() == zero.Kind() && !value.Engine.Equal(made, zero) && value.Engine.Equal(made, without) {
			p.found.add("zero-replaced", "Check", path.Show(at, -1),
				"Check returns for 0 or false what it returns without the input, so that no program can say 0 or false")
		}
	}
}

// makes returns what Check makes of an input, and false if it refuses the inputs or makes nothing.
func (p Provider) makes(t *rapid.T, request rpc.CheckRequest, name string) (value.Value, bool) {
	response, err := p.Check(t.Context(), &request)
	if err != nil || response == nil || len(response.Failures) > 0 {
		return value.Null(), false
	}

	made, ok := response.Inputs.Lookup(name)
	return made.DropSecret(), ok
}

// sameFailures reports whether failures are the same, in any order.
func sameFailures(a, b []rpc.CheckFailure) bool {
	sorted := func(all []rpc.CheckFailure) []rpc.CheckFailure {
		return slices.SortedFunc(slices.Values(all), func(x, y rpc.CheckFailure) int {
			return cmp.Or(cmp.Compare(x.Property, y.Property), cmp.Compare(x.Reason, y.Reason))
		})
	}
	return slices.EqualFunc(sorted(a), sorted(b), func(x, y rpc.CheckFailure) bool { return x.Property == y.Property && x.Reason == y.Reason })
}

// withCanary puts a canary in the place of a text, now and then.
func (p Provider) withCanary(t *rapid.T, c Canary, v value.Value) value.Value {
	if p.Options.NoSecrets || !rapid.Bool().Draw(t, "a secret in it") {
		return v
	}

	fixed := path.NewSet(p.Fixed...)
	texts := slices.DeleteFunc(trees.Places(v), func(at trees.Place) bool { return at.Value.Kind() != value.KindString || fixed.Covers(at.At) })
	if len(texts) == 0 {
		return v
	}
	return trees.Replace(v, rapid.SampledFrom(texts).Draw(t, "secret").At, func(value.Value) value.Value { return c.Hide(InString) })
}

// kept fails for findings that are errors, for secrets that lose their marks, since no
// program named them in additionalSecretOutputs, for unknowns that become values, and for
// resources without a state.
func (p Provider) kept(t *rapid.T, request, response rpc.Message) {
	for _, v := range check.Violations(request, response) {
		if v.Severity == check.SeverityError || slices.Contains([]string{"secret-lost", "unknown-lost", "state-missing"}, v.Code) {
			p.wrongly(t, methodOf(request), v)
		}
	}
}

// hidden fails if a text of a method shows the canary.
func (p Provider) hidden(t *rapid.T, c Canary, method, what, text string) {
	err := c.Check(text)
	if err == nil {
		return
	}
	if p.found == nil {
		t.Fatalf("%s shows a secret: %v", what, err)
	}
	p.found.add("secret-shown", method, path.Shown{}, fmt.Sprintf("%s shows a secret: %v", what, err))
}

// answered returns an answer for people, and nothing where findings have the calls.
func (p Provider) answered(answer any, err error) string {
	if p.found != nil {
		return ""
	}
	return fmt.Sprintf(": %v, %v", answer, err)
}

// source returns a value as Go after some text, and nothing where findings have the calls.
func (p Provider) source(before string, v value.Value) string {
	if p.found != nil {
		return ""
	}
	return before + GoSource(v)
}

// compared is what Diff was asked and answered.
type compared struct {
	provider.Response
	news value.Value // with what ignoreChanges names set back
}

func (c compared) replaces() bool {
	return len(c.Replaces) > 0 || slices.ContainsFunc(c.Detailed, provider.Entry.Replace)
}

func (l *life) compare(news value.Value, ignored ignoredNames) (c compared, ok bool) {
	news = ignore.Changes(l.inputs, news, ignored.patterns, ignore.AsEngine).Value
	request := rpc.DiffRequest{URN: l.urn(), Type: l.kind(), Name: l.name(), ID: l.id, Olds: l.state, OldInputs: l.inputs, News: news, IgnoreChanges: ignored.texts}
	response, err := ask(l.Provider, l.t, "Diff", l.Diff, request)
	if err != nil {
		if l.Check == nil {
			l.tried.refuse(told("Diff", err, l.inputs, l.state, news))
			return c, false // refusing them may have been right
		}
		l.wrong(l.t, "diff-fails", "Diff", nil, fmt.Sprintf(" fails for inputs that Check accepted: %v", err))
		return c, false
	}

	l.asSchema(l.t, news, &request, response)
	l.tried.reach()
	again, err := l.Diff(l.t.Context(), &request)
	if err != nil || again == nil || answerText(again) != answerText(response) {
		l.wrong(l.t, "not-repeatable", "Diff", nil, " gives another answer to the same request"+l.answered(again, err))
	}

	sides := provider.Sides{OldInputs: l.inputs, OldState: l.state, News: news}
	r := provider.ResponseOf(response)
	l.judge(l.t, r, sides, ignored.patterns)
	return compared{decide.Fallback(r, sides, ignored.patterns), news}, true
}

// answerText returns an answer of Diff as a text, with its names in order: they are sets.
func answerText(r *rpc.DiffResponse) string {
	sorted := *r
	for _, names := range []*[]string{&sorted.Diffs, &sorted.Replaces, &sorted.Stables} {
		*names = slices.Sorted(slices.Values(*names))
	}
	return fmt.Sprint(sorted)
}

// ignoredNames are what a program's ignoreChanges has, as patterns and as it writes them.
type ignoredNames struct {
	patterns []path.Pattern
	texts    []string
}

func drawIgnored(t *rapid.T, inputs value.Value) ignoredNames {
	keys := slices.Sorted(inputs.Keys())
	if len(keys) == 0 || rapid.IntRange(0, 5).Draw(t, "ignored") < 5 {
		return ignoredNames{}
	}

	return ignoring(rapid.SampledFrom(keys).Draw(t, "ignored name"))
}

func ignoring(name string) ignoredNames {
	p := path.Of(path.Key(name)).Pattern()
	text, err := p.Pulumi()
	if err != nil {
		return ignoredNames{} // the dialect has no text for it
	}
	return ignoredNames{[]path.Pattern{p}, []string{text}}
}

// judge fails if a response is wrong.
func (p Provider) judge(t *rapid.T, r provider.Response, sides provider.Sides, ignored []path.Pattern) {
	quiet := path.NewSet(p.Quiet...)
	named := len(r.Detailed)+len(r.Diffs) > 0 || (r.HasDetailed && len(r.Replaces) > 0) // some SDKs have no list of what changed
	o := p.Compared
	o.Ignored = slices.Concat(o.Ignored, ignored)
	p.tried.match(&o, sides)

	meant := provider.Differ{Relation: o.Relation, Equality: o.Equality, Ignored: o.Ignored, Arrays: o.Arrays, ArrayRules: o.ArrayRules}
	nothing := meant.Compare(provider.Sides{OldInputs: sides.OldInputs, News: sides.News}).Response().Changes == rpc.DiffNone
	if r.Changes == rpc.DiffSome && nothing {
		code, text := "some-while-equal", " answers DIFF_SOME, and nothing changed"
		if len(ignored) > 0 {
			code, text = "ignored-reported", text+" but what ignoreChanges names"
		} else if !sides.OldInputs.Equal(sides.News) {
			text += " but the order of a set, or how something is written"
		}
		p.wrong(t, code, "Diff", nil, text)
		return // all that it names is part of that
	}

	for _, f := range check.Validate(r, sides, o) {
		isQuiet := f.Code == "unreported" && (quiet.Covers(f.At.Path()) || (r.Changes == rpc.DiffSome && !named))
		isQuiet = isQuiet || ((f.Code == "stables-changed" || f.Code == "should-replace") && quiet.Covers(f.At.Path()))
		isQuiet = isQuiet || (f.Code == "none-while-differ" && isQuietNone(r, sides, o, p.Quiet))
		isQuiet = isQuiet || (p.found != nil && f.Code == "unreported" && isSettled(sides, f.At.Path()))
		bad := f.Severity == check.SeverityError || f.Code == "below-secret" || f.Code == "unreported" || f.Code == "stables-changed"
		if bad && !isQuiet {
			p.wrongly(t, "Diff", f)
		}
	}
}

// isSettled reports whether a provider may leave a change of inputs at a place unreported. Nothing
// and an object or an array without members are the same in many languages. An input that comes
// may be what the resource has without it, as a default.
func isSettled(sides provider.Sides, at path.Path) bool {
	in := func(bag value.Value) value.Value {
		v, _ := bag.At(at)
		return v.DropSecret()
	}
	isEmpty := func(v value.Value) bool {
		return v.IsNull() || ((v.Kind() == value.KindObject || v.Kind() == value.KindArray) && v.Len() == 0)
	}
	old, now := in(sides.OldInputs), in(sides.News)
	return isEmpty(old) && (isEmpty(now) || value.Engine.Equal(in(sides.OldState), now))
}

// isQuietNone reports whether a DIFF_NONE hides nothing but what is quiet.
func isQuietNone(r provider.Response, sides provider.Sides, o provider.Differ, quiet []path.Pattern) bool {
	o.Ignored = slices.Concat(o.Ignored, quiet)
	return !slices.ContainsFunc(check.Validate(r, sides, o), func(f check.Finding) bool { return f.Code == "none-while-differ" })
}
