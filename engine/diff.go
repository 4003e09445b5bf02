package engine

import (
	"errors"
	"slices"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/decide"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// compare asks what changed in a resource, and does what follows.
func (r *run) compare(t *task) error {
	old := &t.old.Resource
	a := t.action("fail", decide.BecauseSame)
	situation := decide.Situation{
		DeleteBeforeReplace: t.goal.DeleteBeforeReplace, InitErrors: len(old.InitErrors) > 0, PendingReplacement: old.PendingReplacement,
	}
	fired, err := r.triggered(t)
	if err != nil {
		return err
	}
	situation.TriggerFired = fired
	response, sides, err := r.diff(t, &situation)
	if err != nil {
		return err
	}

	response = replacing(response, sides, t.goal.ReplaceOnChanges, situation.InitErrors)
	next := decide.Next(response, situation)
	a.Why, a.Sides, a.Response = next.Why, sides, response
	a.Keys = keysOf(response, sides, next.Replaces())
	if next.Why == decide.BecauseChanged && len(a.Keys) == 0 {
		a.Keys = t.differing(sides)
	}
	a.Causes = r.causes(t, a.Keys)
	switch {
	case next.Step == decide.StepFail || next.Step == decide.StepCompare || (next.Replaces() && t.goal.ImportID != ""):
		if next.Replaces() {
			a.Why = decide.BecauseImportDiffers
		}
		return r.take(&a, func() error { return errors.New(a.Why) })
	case next.Replaces() && t.goal.Protect && old.Protect:
		return r.take(&a, func() error { return errors.New("the resource is protected and cannot be replaced") })
	case next.Replaces():
		return r.replace(t, next, a)
	case next.Step == decide.StepUpdate:
		a.Op, t.now.ID, t.now.Outputs = OpUpdate, old.ID, old.Outputs
		return r.apply(t, a, r.callUpdate, r.register)
	case t.imported:
		return nil // what was imported stays
	}

	return r.same(t, a)
}

// diff returns what changed: what the provider says, or what needs no provider to say.
func (r *run) diff(t *task, s *decide.Situation) (provider.Response, provider.Sides, error) {
	old := &t.old.Resource
	sides := provider.Sides{OldInputs: old.Inputs, OldState: old.Outputs, News: t.now.Inputs}
	if t.inst == nil {
		sides.News = t.ignoring()
	}
	switch {
	case s.TriggerFired:
		return provider.Response{Changes: rpc.DiffSome}, sides, nil
	case r.isForced(t):
		return provider.Response{Changes: rpc.DiffSome, Replaces: []string{"id"}}, sides, nil
	case slices.ContainsFunc(t.now.ReplaceWith, r.isAnother):
		return provider.Response{Changes: rpc.DiffSome, Replaces: []string{"replaceWith"}}, sides, nil
	}

	changed, err := r.providerChanged(t)
	switch {
	case err != nil:
		return provider.Response{}, sides, err
	case changed:
		return provider.Response{Changes: rpc.DiffSome, Replaces: []string{"provider"}}, sides, nil
	case t.inst == nil:
		return provider.Response{Changes: differ(old.Inputs, sides.News)}, sides, nil
	case t.inst.unknown:
		s.Unavailable = true
		return provider.Response{}, sides, nil
	}
	if len(t.now.Aliases) > 0 {
		as := *old
		as.URN, as.Type = t.now.URN, t.now.Type
		old = &as
	}
	return t.inst.diff(old, t.now.Inputs, t.goal.IgnoreChanges)
}

// providerChanged reports whether a resource has another provider than before, which
// cannot manage what the other one made.
func (r *run) providerChanged(t *task) (bool, error) {
	was, is := t.old.Provider, t.now.Provider
	if was == is {
		return false, nil
	}

	if u := r.aliasOf[providerOf(is)]; u != "" && u == providerOf(was) {
		return false, nil // it has another name
	}
	before := r.provider(was)
	if before == nil { // engines look for its URN, whatever its ID
		if other := r.live(providerOf(was)); other != nil {
			before = &other.Resource
		}
	}
	if is == "" || before == nil {
		return true, nil
	}
	after := r.states[providerOf(is)].now
	from := *before
	from.URN, from.Type = after.URN, after.Type
	response, _, err := t.inst.diff(&from, after.Inputs, nil)
	return response.Replace(), err
}

// differing returns the names of the properties that differ where the engine alone compares,
// and does not say which: those of components and provider resources.
func (t *task) differing(s provider.Sides) []string {
	old := s.OldInputs
	switch {
	case isProvider(t.now.Type):
		old = s.OldState

	case t.inst != nil:
		return nil
	}
	s = provider.Sides{OldInputs: old, News: s.News}
	return keysOf(decide.Fallback(provider.Response{}, s, nil), s, false)
}

// keysOf returns the names of the top-level properties that a response names: those that
// replace, or all that changed. A provider may give a path for a name, of which the rest
// may be a key inside a secret.
func keysOf(r provider.Response, s provider.Sides, replaces bool) []string {
	names := slices.Clone(r.Replaces)
	if !replaces && !r.HasDetailed {
		names = append(names, r.Diffs...)
	}

	isName := func(name string) bool {
		key := path.Path{}.Member(name)
		return s.News.Has(key) || s.OldInputs.Has(key) || s.OldState.Has(key)
	}
	for i, name := range names {
		if p, err := path.ParsePulumi(name); err == nil && !isName(name) {
			if top, ok := protocol.TopName(p); ok {
				names[i] = top
			}
		}
	}
	for _, e := range r.Entries() {
		if name, ok := protocol.TopName(e.Path()); ok && (e.Replace() || !replaces) {
			names = append(names, name)
		}
	}
	return protocol.Union(names, nil)
}

// isForced reports whether a resource is replaced whatever Diff would say.
func (r *run) isForced(t *task) bool { return t.old.Taint || r.forced[t.now.URN] }

// isAnother reports whether the run has replaced a resource.
func (r *run) isAnother(u string) bool { return r.states[u] != nil && r.states[u].another }

// triggered reports whether the replacement trigger of a resource replaces it.
func (r *run) triggered(t *task) (bool, error) {
	is, was := t.now.ReplacementTrigger.Reveal(), t.old.ReplacementTrigger.Reveal()
	switch {
	case is.ContainsUnknown() && !r.preview:
		return false, errors.New("replacementTrigger: unknown outside a preview")
	case is.ContainsUnknown() || was.ContainsUnknown():
		return true, nil
	case is.IsNull() || was.IsNull():
		return false, nil
	}
	return !value.Engine.Equal(was, is), nil
}

// causes returns the resources whose changes in this run are the reason for those of
// properties.
func (r *run) causes(t *task, keys []string) []string {
	var all []string
	for _, key := range keys {
		urns := t.now.PropertyDependencies[key]
		switch key {
		case "provider":
			urns = []string{providerOf(t.now.Provider)}
		case "replaceWith":
			urns = slices.DeleteFunc(slices.Clone(t.now.ReplaceWith), func(u string) bool { return !r.isAnother(u) })
		}
		for _, u := range urns {
			if o := r.states[u]; o != nil && o.changed {
				all = append(all, u)
			}
		}
	}
	return protocol.Union(all, nil)
}

// replacing applies replaceOnChanges as engines do.
func replacing(r provider.Response, s provider.Sides, patterns []string, initErrors bool) provider.Response {
	return decide.ReplaceOnChanges(r, s, decide.ReplaceOptions{
		Patterns: path.NewSet(ignored(patterns)...), Direction: provider.EngineOneWay, InitErrors: initErrors,
	})
}

// ignored returns patterns as [provider.IgnoredOf] does.
func ignored(texts []string) []path.Pattern {
	return provider.IgnoredOf(&rpc.DiffRequest{IgnoreChanges: texts})
}

func (i *instance) diff(old *state.Resource, news value.Value, ignored []string) (provider.Response, provider.Sides, error) {
	if isProvider(old.Type) {
		return i.diffConfig(old, news, ignored)
	}

	sides := provider.Sides{OldInputs: old.Inputs, OldState: old.Outputs, News: news}
	request := i.diffRequest(old, sides, ignored)
	response, err := call(i, "Diff", i.Diff, request)
	if err != nil {
		return provider.Response{}, sides, err
	}
	return decide.Fallback(provider.ResponseOf(response), sides, provider.IgnoredOf(request)), sides, nil
}

// diffRequest returns the arguments of Diff and DiffConfig.
func (i *instance) diffRequest(old *state.Resource, s provider.Sides, ignored []string) *rpc.DiffRequest {
	return &rpc.DiffRequest{
		ID: old.ID, URN: old.URN, Name: nameOf(old.URN), Type: old.Type,
		OldInputs: i.sent(s.OldInputs), Olds: i.sent(s.OldState), News: i.sent(s.News), IgnoreChanges: ignored,
	}
}

// differ compares two bags as engines do where no provider says what changed.
func differ(old, news value.Value) rpc.DiffChanges {
	if value.Engine.Equal(protocol.Present(old), protocol.Present(news)) {
		return rpc.DiffNone
	}
	return rpc.DiffSome
}
