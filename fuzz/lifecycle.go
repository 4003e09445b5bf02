package fuzz

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/decide"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// life is a resource in a try of the law. Without Create it is made up.
type life struct {
	Provider
	t             *rapid.T
	program       value.Value // what the program said, in which some is secret
	id            string
	inputs, state value.Value // of the last call that made or changed it
	gone          bool
	lost          bool         // Read did not find it
	before        value.Value  // the state before an update
	olds          value.Value  // and its inputs
	drifts        []path.Shown // where Read returned something else after that call
	refused       value.Value  // inputs with unknowns of a preview that failed
}

// isMade reports whether the provider makes the resource.
func (l *life) isMade() bool { return l.Create != nil && !l.OnlyPreviews }

// previews calls previews of Create, and returns the states that they foretell.
func (l *life) previews(inputs value.Value) (foretold []value.Value) {
	if l.Create == nil {
		return nil
	}
	l.refused = value.Null()
	if early, ok := l.early(value.Null(), inputs); ok {
		foretold = l.createPreview(early, foretold)
	}
	return l.createPreview(inputs, foretold)
}

// previewed notes whether a preview was refused. It fails if one was while something was not
// known yet, and is not now that it is.
func (l *life) previewed(method string, inputs value.Value, err error) {
	switch {
	case err != nil && inputs.ContainsUnknown():
		l.refused = inputs
	case err == nil && !inputs.ContainsUnknown() && !l.refused.IsNull():
		var at []path.Shown
		for c := range l.refused.Walk() {
			if c.Value().IsUnknown() {
				at = append(at, shown(l.refused, c.Path()))
			}
		}
		l.refused = value.Null()
		l.wrong(l.t, "unknown-refused", method, at, " fails in a preview while an input is unknown%s, and works when it is known: return an unknown for what depends on it")
	}
}

// create makes the resource of checked inputs, after previews of it. It is false if the
// provider cannot.
func (l *life) create(inputs value.Value) bool {
	foretold := l.previews(inputs)
	request := rpc.CreateRequest{URN: l.urn(), Type: l.kind(), Name: l.name(), Properties: inputs}
	response, err := call(l.Provider, l.t, "Create", l.Create, request)
	if response, ok := created(response, err); ok {
		l.id, l.inputs, l.state = response.ID, inputs, response.Properties
		l.deleteAtEnd()
		l.tried.create()
	}
	keepsContracts(l.Provider, l.t, &request, response, err) // what it made is deleted then, too
	if protocol.InitFailed(err) != nil {
		return false
	}

	if err != nil {
		l.hidden(l.t, NewCanary(1), "Create", "the error of Create", err.Error())
		l.tried.refuse(told("Create", err, inputs))
		return false
	}

	l.asSchema(l.t, inputs, &request, response)
	l.derived("Create", l.state)
	for _, preview := range foretold {
		l.foretold("Create", preview, response.Properties)
	}
	l.read("Create")
	return true
}

// created returns what Create made. An error may say that there is a resource, which does
// not work yet.
func created(response *rpc.CreateResponse, err error) (made *rpc.CreateResponse, ok bool) {
	if detail := protocol.InitFailed(err); detail != nil {
		return &rpc.CreateResponse{ID: detail.ID, Properties: detail.Properties}, true
	}
	return response, err == nil && response != nil
}

// createPreview appends the state that a preview of Create returns, if it does.
func (l *life) createPreview(inputs value.Value, foretold []value.Value) []value.Value {
	if !l.SupportsPreview {
		return foretold
	}
	request := rpc.CreateRequest{URN: l.urn(), Type: l.kind(), Name: l.name(), Properties: inputs, Preview: true}
	response, err := ask(l.Provider, l.t, "Create, in a preview", l.Create, request)
	l.previewed("Create", inputs, err)
	if err != nil {
		l.hidden(l.t, NewCanary(1), "Create", "the error of Create in a preview", err.Error())
		return foretold
	}

	l.asSchema(l.t, inputs, &request, response)
	return append(foretold, response.Properties)
}

// early returns accepted inputs as they are before all of them are known, as Check returns
// them. It fails if Check refuses them now.
func (l *life) early(olds, accepted value.Value) (early value.Value, ok bool) {
	places := slices.DeleteFunc(trees.Paths(accepted), path.Path.IsRoot)
	if l.Options.NoUnknowns || len(places) == 0 || rapid.IntRange(0, 3).Draw(l.t, "before all is known") < 3 {
		return accepted, false
	}

	at := rapid.SampledFrom(places).Draw(l.t, "unknown")
	early = trees.Replace(accepted, at, func(old value.Value) value.Value { return trees.WithMarks(value.Unknown(), old) })
	early, refusal := l.news("before all is known", olds, early)
	if refusal != "" {
		l.wrong(l.t, "unknown-refused", "Check", []path.Shown{shown(accepted, at)},
			" accepts inputs, and refuses them while one is unknown%s: accept an unknown, which is checked when it is known")
	}
	still, _ := early.At(at) // what Check lost, it is blamed for already
	return early, refusal == "" && still.ContainsUnknown()
}

// foretold fails if what a preview said turns out otherwise. Properties that it left out
// are unknown, as are unknowns.
func (l *life) foretold(method string, preview, state value.Value) {
	var then, now []value.Member
	for name, v := range preview.Members() {
		if v.IsUnknown() || isVague(v) {
			continue
		}

		then = append(then, value.Field(name, v))
		if v, ok := state.Lookup(name); ok {
			now = append(now, value.Field(name, v))
		}
	}
	foretold, made := value.Object(then...), value.Object(now...)
	if at := l.differ(foretold, made); len(at) > 0 {
		code, at := l.orderOr("preview-differs", at, foretold, made)
		l.wrong(l.t, code, method, at, " returns something else than its preview%s: in previews, return an unknown for what is not known")
	}
}

// orderOr returns the code and the places of a finding about what differs: of its own, and whole
// lists, where that is only their order. It is one mistake then, wherever it shows.
func (p Provider) orderOr(code string, at []path.Shown, a, b value.Value, except ...path.Pattern) (of string, lists []path.Shown) {
	p.Compared.Arrays, p.Compared.ArrayRules = diff.Unordered(), nil
	if p.found == nil || len(p.differ(a, b, except...)) > 0 {
		return code, at
	}
	for _, place := range at {
		depth := 0
		for step := range place.Path().Steps() {
			if !step.IsKey() {
				break
			}
			depth++
		}
		lists = append(lists, path.Show(place.Path().Prefix(depth), -1))
	}
	return "order-differs", lists
}

// isVague reports whether an array is somewhere in a value with elements that are unknown, also in
// part: sets have them in another order when they are known.
func isVague(v value.Value) bool {
	for _, child := range v.Elems() {
		if child.ContainsUnknown() {
			return true
		}
	}
	for _, child := range v.Members() {
		if isVague(child) {
			return true
		}
	}
	return false
}

// leastDerived is how long a text of a secret is at least that outputs may not contain:
// shorter ones are contained by chance.
const leastDerived = 8

// objectAsText is what JavaScript makes of an object in a text.
const objectAsText = "[object Object]"

func nowhere(trees.Place) bool { return false }

// derived fails if a state has in clear what contains the text of an input that the program
// calls a secret, such as an address with a password. A text that another input has in
// clear does not count. It also fails if a secret was made a text without its value.
func (l *life) derived(method string, state value.Value) {
	isSecret := func(p trees.Place) bool { return p.BelowSecret || p.Value.IsSecret() }

	// Check may have lost a mark, so the program decides; where it has no such place, all of
	// a property with secrets counts as secret.
	mayBeSecret := func(p trees.Place) bool {
		if property, _ := l.program.At(p.At.Prefix(1)); !property.ContainsSecret() {
			return false
		}

		given, ok := l.program.At(p.At)
		return !ok || given.IsSecret()
	}
	if at, ok := textAt(state, objectAsText, nowhere); ok {
		if _, isGiven := textAt(l.program, objectAsText, nowhere); !isGiven {
			l.wrong(l.t, "object-as-text", method, []path.Shown{at},
				" returns the text "+objectAsText+"%s: secrets are objects with a value, from which the text has to be made")
		}
	}
	for _, secret := range trees.Places(l.inputs) {
		text, ok := secret.Value.AsString()
		if !ok || !isSecret(secret) || len(text) < leastDerived {
			continue
		}
		if _, ok := textAt(l.inputs, text, mayBeSecret); ok {
			continue
		}
		if at, ok := textAt(state, text, isSecret); ok {
			l.wrong(l.t, "secret-derived", method, []path.Shown{at},
				fmt.Sprintf(" returns a text in clear%%s, that contains the secret input %v: mark it as a secret", path.Show(secret.At.Prefix(1), -1)))
		}
	}
}

// textAt returns where a value has a text that contains another, except at some places.
func textAt(v value.Value, text string, except func(trees.Place) bool) (at path.Shown, ok bool) {
	for _, place := range trees.Places(v) {
		if s, ok := place.Value.AsString(); ok && strings.Contains(s, text) && !except(place) {
			return path.Show(place.At, -1), true
		}
	}
	return at, false
}

// differ returns where two values differ that should mean the same.
func (p Provider) differ(a, b value.Value, except ...path.Pattern) (places []path.Shown) {
	for c := range p.differences(a, b, except...) {
		places = append(places, c.Shown())
	}
	return places
}

// differences iterates over the differences of two values that should mean the same, without
// those that Compared hides, or that Quiet or one of these patterns matches.
func (p Provider) differences(a, b value.Value, except ...path.Pattern) iter.Seq[diff.Change] {
	o := p.Compared
	relation := value.Engine | value.IgnoreSecrets | value.IgnoreDependencies | o.Relation
	quiet := path.NewSet(slices.Concat(p.Quiet, o.Ignored, except)...)

	return func(yield func(diff.Change) bool) {
		for c := range o.Equality.Between(a, b, diff.Options{Relation: relation, Arrays: o.Arrays, ArrayRules: o.ArrayRules}).Changes() {
			isReordered := c.OrderChanged() && !c.ValueChanged() && !c.SecretChanged() && !c.DependenciesChanged()
			if c.Verdict() == value.Changed && !isReordered && !quiet.Covers(c.Path()) && !yield(c) {
				return
			}
		}
	}
}

// read fails if Read returns anything but what the last call did.
func (l *life) read(after string) {
	if l.Read == nil {
		return
	}
	l.readAs("as in a refresh", after, rpc.ReadRequest{URN: l.urn(), Type: l.kind(), Name: l.name(), ID: l.id, Inputs: l.inputs, Properties: l.state})
	l.readAs("by the ID alone, as in an import", after, rpc.ReadRequest{URN: l.urn(), Type: l.kind(), Name: l.name(), ID: l.id})
}

// What was called before Read, if it is not a method that returned the state.
const (
	afterPreview   = "a preview of Update"
	replacedIsGone = "the deletion of the resource that it replaces"
)

func (l *life) readAs(how, after string, request rpc.ReadRequest) {
	response, err := ask(l.Provider, l.t, "Read, "+how, l.Read, request)
	if errors.Is(err, errors.ErrUnsupported) {
		return
	}
	if err != nil {
		l.hidden(l.t, NewCanary(1), "Read", "the error of Read", err.Error())
		l.wrong(l.t, "read-fails", "Read", nil, fmt.Sprintf(", %s, fails after %s: %v", how, after, err))
		return
	}
	if response.ID == "" {
		blamed := "Read"
		if after == replacedIsGone && !l.lost {
			blamed = "Delete"
		}
		l.lost = true
		l.blame(l.t, blamed, "read-not-found", "Read", nil, fmt.Sprintf(", %s, does not find the resource after %s", how, after))
		return
	}
	l.asSchema(l.t, l.inputs, &request, response)

	at := l.differ(l.state, response.Properties, l.WriteOnly...)
	if after == afterPreview {
		at = slices.DeleteFunc(at, func(p path.Shown) bool { return slices.ContainsFunc(l.drifts, p.Equal) })
	} else {
		l.drifts = append(l.drifts, at...)
	}
	switch {
	case len(at) > 0 && after == afterPreview:
		l.wrong(l.t, "preview-changes", "Update", at, ", in a preview, changed the resource%s")
	case len(at) > 0:
		l.drifted("state-drifts", at, fmt.Sprintf(", %s, returns another state than %s left%%s: engines show that as drift", how, after), after, l.before, response.Properties)
	}
	if at := l.differ(l.inputs, response.Inputs, l.WriteOnly...); len(at) > 0 && !response.Inputs.IsNull() && l.isShown(response) {
		l.drifted("inputs-drift", at, fmt.Sprintf(", %s, returns other inputs than the resource has after %s%%s: engines show that as drift", how, after), after, l.olds, response.Inputs)
	}
}

// isShown reports whether engines show what Read returned as drift: if Diff says that the inputs
// change it.
func (l *life) isShown(read *rpc.ReadResponse) bool {
	if l.Diff == nil {
		return true
	}
	sides := provider.Sides{OldInputs: read.Inputs, OldState: read.Properties, News: l.inputs}
	request := rpc.DiffRequest{URN: l.urn(), Type: l.kind(), Name: l.name(), ID: l.id, Olds: read.Properties, OldInputs: read.Inputs, News: l.inputs}
	response, err := l.Diff(l.t.Context(), &request)
	return err != nil || response == nil || decide.Fallback(provider.ResponseOf(response), sides, nil).Changes != rpc.DiffNone
}

// drifted fails where Read returns another state, or other inputs. An Update is to blame where
// they are those before it.
func (l *life) drifted(code string, at []path.Shown, text, after string, before, read value.Value) {
	isBefore := func(p path.Shown) bool {
		now, isNow := read.At(p.Path())
		old, wasThere := before.At(p.Path())
		isKept := isNow || code == "state-drifts" // an import may leave out any input
		return after == "Update" && isKept && isNow == wasThere && value.Engine.Equal(now.DropSecret(), old.DropSecret())
	}
	made := l.state
	if code == "inputs-drift" {
		made = l.inputs
	}
	for _, blamed := range []string{"Read", "Update"} {
		var places []path.Shown
		for _, p := range at {
			if isBefore(p) == (blamed == "Update") {
				places = append(places, p)
			}
		}
		if len(places) == 0 {
			continue
		}
		if blamed == "Update" {
			text += ", and it is as before Update"
		}
		shown, places := l.orderOr(code, places, made, read, l.WriteOnly...)
		l.blame(l.t, blamed, shown, "Read", places, text)
	}
}

// change gives the resource new inputs, as an engine does: by an update, a replacement or
// nothing.
func (l *life) change(now value.Value) {
	l.program, l.later = now, true
	news, ok := l.checked(l.t, "when it is changed", l.inputs, now)
	if !ok || l.Diff == nil {
		return
	}

	l.drift()
	l.reorder()
	ignored := drawIgnored(l.t, l.inputs)
	var foretold []value.Value // what previews returned
	if early, ok := l.early(l.inputs, news); ok {
		if c, ok := l.compare(early, ignored); ok && l.Create != nil && c.Changes != rpc.DiffNone && !c.replaces() {
			foretold = l.updatePreview(c, ignored, foretold)
		}
	}
	c, ok := l.compare(news, ignored)
	if !ok || l.Create == nil {
		return
	}
	if c.news.ContainsUnknown() {
		if !c.replaces() {
			foretold = l.updatePreview(c, ignored, foretold)
		}
		news, refusal := l.news("when all of it is known", l.inputs, l.known(l.t, c.news, value.Value.IsUnknown))
		if refusal != "" {
			return
		}
		if c, ok = l.compare(news, ignored); !ok {
			return
		}
	}
	switch {
	case c.Changes == rpc.DiffNone:
	case c.replaces() && l.isMade():
		l.replace(c, asGiven(c.news, now))
	case c.replaces():
		l.previews(c.news)
	case l.isMade():
		l.update(c, ignored, foretold)
	default:
		l.updatePreview(c, ignored, foretold)
	}
}

// drift calls Diff as a refresh does that found another value of a property which the program
// ignores: engines do not set it back there, as they do in an update.
func (l *life) drift() {
	if rapid.IntRange(0, 7).Draw(l.t, "drift of what is ignored") < 7 {
		return
	}
	keys := slices.Sorted(l.inputs.Keys())
	if len(keys) == 0 {
		return
	}
	name := rapid.SampledFrom(keys).Draw(l.t, "ignored name")
	ignored := ignoring(name)
	found, ok := l.drawInputs(l.t, "drifted").Lookup(name)
	if !ok || ignored.texts == nil || found.ContainsUnknown() {
		return
	}

	inputs, state := l.inputs, l.state
	inputs, _ = inputs.WithField(name, found)
	if _, ok := state.Lookup(name); ok {
		state, _ = state.WithField(name, found)
	}
	request := rpc.DiffRequest{URN: l.urn(), Type: l.kind(), Name: l.name(), ID: l.id, Olds: state, OldInputs: inputs, News: l.inputs, IgnoreChanges: ignored.texts}
	response, err := ask(l.Provider, l.t, "Diff, as in a refresh", l.Diff, request)
	if err == nil {
		l.judge(l.t, provider.ResponseOf(response), provider.Sides{OldInputs: inputs, OldState: state, News: l.inputs}, ignored.patterns)
	}
}

// reorder calls Diff for the same inputs with the elements of sets in another order. Check may put
// them into an order of its own.
func (l *life) reorder() {
	var sets []path.Pattern
	for _, rule := range l.Compared.ArrayRules {
		sets = append(sets, rule.Pattern)
	}
	program, err := l.inputs.Update(path.NewSet(sets...), func(c *value.Cursor) (value.Value, error) {
		if c.Value().Kind() != value.KindArray {
			return c.Value(), nil
		}
		elems := trees.Children(c.Value())
		slices.Reverse(elems)
		return trees.Rebuild(c.Value(), elems), nil
	})
	if err != nil || program.Identical(l.inputs) {
		return
	}
	if news, refusal := l.news("with sets in another order", l.inputs, program); refusal == "" {
		l.compare(news, ignoredNames{})
	}
}

// news returns what Check makes of new inputs in which there is a canary already.
func (l *life) news(when string, olds, news value.Value) (inputs value.Value, refusal string) {
	if l.Check == nil {
		return news, ""
	}
	return l.askCheck(l.t, when, NewCanary(1), olds, news)
}

func (l *life) updateRequest(c compared, ignored ignoredNames) rpc.UpdateRequest {
	return rpc.UpdateRequest{URN: l.urn(), Type: l.kind(), Name: l.name(), ID: l.id, Olds: l.state, OldInputs: l.inputs, News: c.news, IgnoreChanges: ignored.texts}
}

// updatePreview appends the state that a preview of Update returns, if it does.
func (l *life) updatePreview(c compared, ignored ignoredNames, foretold []value.Value) []value.Value {
	if l.Update == nil || !l.SupportsPreview {
		return foretold
	}
	request := l.updateRequest(c, ignored)
	request.Preview = true
	response, err := ask(l.Provider, l.t, "Update, in a preview", l.Update, request)
	l.previewed("Update", c.news, err)
	if err != nil {
		l.hidden(l.t, NewCanary(1), "Update", "the error of Update in a preview", err.Error())
		return foretold
	}

	l.asSchema(l.t, c.news, &request, response)
	l.read(afterPreview)
	return append(foretold, response.Properties)
}

// update updates the resource, and fails if previews said something else.
func (l *life) update(c compared, ignored ignoredNames, foretold []value.Value) {
	if l.Update == nil {
		return
	}
	foretold = l.updatePreview(c, ignored, foretold)
	request := l.updateRequest(c, ignored)
	response, err := ask(l.Provider, l.t, "Update", l.Update, request)
	if err != nil {
		l.hidden(l.t, NewCanary(1), "Update", "the error of Update", err.Error())
		return
	}

	l.asSchema(l.t, c.news, &request, response)
	for _, preview := range foretold {
		l.foretold("Update", preview, response.Properties)
	}
	l.stable(c, response.Properties)
	l.before, l.olds = l.state, l.inputs
	l.inputs, l.state, l.drifts = c.news, response.Properties, nil
	l.derived("Update", l.state)
	l.read("Update")
	l.outdated()
}

// stable fails if Update changed an output that Diff called stable.
func (l *life) stable(c compared, state value.Value) {
	for _, name := range c.Stables {
		old, was := l.state.Lookup(name)
		now, is := state.Lookup(name)
		if !was || !is {
			continue
		}
		if at := l.differ(value.Object(value.Field(name, old)), value.Object(value.Field(name, now))); len(at) > 0 {
			l.wrong(l.t, "stables-changed", "Diff", at, " names in stables what Update then changes%s: take it out, else what depends on it is planned with the old value")
		}
	}
}

// outdated calls Read with the inputs and the state from before an update, as in a refresh after
// somebody else made that update. It fails if Read returns all that has changed as it was: then
// no refresh shows a drift. What Read does not return, or only in part, it may not know.
func (l *life) outdated() {
	if l.Read == nil {
		return
	}

	old := l.olds
	var before, now []value.Member
	for c := range l.differences(old, l.inputs, l.WriteOnly...) {
		top, _, _ := c.Path().Cut()
		name, _ := top.AsKey()
		was, ok := old.Lookup(name)
		is, stays := l.inputs.Lookup(name)
		if ok && stays && !slices.ContainsFunc(now, func(m value.Member) bool { return m.Key == name }) {
			before, now = append(before, value.Field(name, was)), append(now, value.Field(name, is))
		}
	}
	if len(now) == 0 {
		return
	}
	response, err := ask(l.Provider, l.t, "Read, with the inputs from before Update", l.Read,
		rpc.ReadRequest{URN: l.urn(), Type: l.kind(), Name: l.name(), ID: l.id, Inputs: old, Properties: l.before})
	if err != nil || response.ID == "" {
		return
	}
	var at []path.Shown
	for i, m := range now {
		read := response.Inputs.Field(m.Key)
		if len(l.differ(value.Object(value.Field(m.Key, read)), value.Object(before[i]))) > 0 {
			return
		}
		at = append(at, path.Show(path.Of(path.Key(m.Key)), -1))
	}
	l.wrong(l.t, "inputs-stale", "Read", at, " returns the inputs that it is given%s, and not those that the resource was updated to: a refresh then shows no drift")
}

// asGiven returns v with the members that a program gave, and not those that Check added.
func asGiven(v, program value.Value) value.Value {
	var members []value.Member

	for name, member := range v.Members() {
		if _, ok := program.Lookup(name); ok {
			members = append(members, value.Field(name, member))
		}
	}
	return value.Object(members...)
}

// replace makes another resource of a program's inputs and deletes this one, in the order
// that Diff wants.
func (l *life) replace(c compared, program value.Value) {
	inputs, refusal := l.news("when it is replaced", value.Null(), program)
	if refusal != "" {
		return
	}
	if c.DeleteBeforeReplace {
		l.end()
	}
	next := &life{Provider: l.Provider, t: l.t, program: l.program}
	if !next.create(inputs) {
		l.conflict(next, inputs)
		return
	}

	l.end()
	next.read(replacedIsGone)
	next.end()
}

// conflict fails if a replacement cannot be made because this resource is there: Diff should
// have asked for its deletion first.
func (l *life) conflict(next *life, inputs value.Value) {
	if l.gone || l.Delete == nil || next.id != "" {
		return
	}
	isMade := func() bool {
		response, err := call(l.Provider, l.t, "Create, again", l.Create, rpc.CreateRequest{URN: l.urn(), Type: l.kind(), Name: l.name(), Properties: inputs})
		made, ok := created(response, err)
		if ok {
			next.id, next.inputs, next.state = made.ID, inputs, made.Properties
			next.end()
		}
		return ok
	}
	if isMade() { // it fails now and then
		return
	}
	if l.end(); isMade() {
		l.wrong(l.t, "replacement-conflicts", "Diff", nil,
			" should set DeleteBeforeReplace: Create of a replacement fails while the resource that it replaces is there, and works after its deletion")
	}
}

func (l *life) end() {
	if l.Create == nil || l.Delete == nil || l.gone {
		return
	}
	l.gone = true
	_, err := ask(l.Provider, l.t, "Delete", l.Delete, l.deleteRequest())
	if err != nil {
		l.hidden(l.t, NewCanary(1), "Delete", "the error of Delete", err.Error())
	}
	if err != nil {
		return
	}
	if _, err := ask(l.Provider, l.t, "Delete, again", l.Delete, l.deleteRequest()); err != nil {
		l.wrong(l.t, "gone-fails", "Delete", nil, " fails for a resource that is gone, which somebody else may have deleted: it should return no error then")
	}
	if l.Read == nil {
		return
	}

	response, err := ask(l.Provider, l.t, "Read, after Delete", l.Read, rpc.ReadRequest{URN: l.urn(), Type: l.kind(), Name: l.name(), ID: l.id, Inputs: l.inputs, Properties: l.state})
	if errors.Is(err, errors.ErrUnsupported) {
		return
	}
	if err != nil {
		l.wrong(l.t, "gone-read-fails", "Read", nil, fmt.Sprintf(" fails after Delete, and should return an empty ID: %v", err))
		return
	}
	if response.ID != "" {
		blamed, text := "Delete", " finds the resource after Delete"
		if response.Properties.Len() == 0 && response.Inputs.Len() == 0 {
			blamed, text = "Read", " returns an ID without properties after Delete: return an empty ID, which says that the resource is gone"
		}
		l.blame(l.t, blamed, "gone-found", "Read", nil, text)
	}
}

func (l *life) deleteRequest() rpc.DeleteRequest {
	return rpc.DeleteRequest{URN: l.urn(), Type: l.kind(), Name: l.name(), ID: l.id, OldInputs: l.inputs, Properties: l.state}
}

// deleteAtEnd deletes the resource when the try is over, if it is still there.
func (l *life) deleteAtEnd() {
	l.t.Cleanup(func() {
		defer func() {
			if r := recover(); r != nil && r != any(errTryEnds) {
				panic(r)
			}
		}()
		if !l.gone && l.Delete != nil {
			request := l.deleteRequest()
			_, _ = l.Delete(context.Background(), &request)
		}
	})
}
