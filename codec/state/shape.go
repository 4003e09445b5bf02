package state

import "slices"

// kin are the members by which an object is recognised as a deployment or a checkpoint,
// by the parser and by [IsState]. A member that engines begin to write is added here.
type kin struct {
	enough []string // each of these is sufficient
	others []string // an object that has only these may be one, too
	want   string   // in errors
}

// deploymentMembers are the members of a deployment.
func deploymentMembers() kin {
	return kin{
		[]string{"manifest", "resources"},
		[]string{"secrets_providers", "pending_operations", "metadata", "snippets", "extensions"},
		"manifest or resources",
	}
}

// checkpointMembers are the members of a checkpoint; without latest, nothing was
// ever deployed.
func checkpointMembers() kin { return kin{[]string{"latest"}, []string{"stack", "config"}, "latest"} }

// holds reports whether an object with these members is of the kind. An empty one
// is: engines leave out what is empty.
func (k kin) holds(names map[string]bool) bool {
	known := true
	for name := range names {
		if slices.Contains(k.enough, name) {
			return true
		}

		known = known && slices.Contains(k.others, name)
	}
	return known
}

// only reads the object at the position of p, and refuses it if it is of another kind:
// counted as a stack without resources, it would be equal to every other one.
func (p *parser) only(name string, of func() kin, visit func(name string) *Error) *Error {
	at := p.offset()
	names := map[string]bool{}
	if err := p.members(names, visit); err != nil {
		return err
	}
	if k := of(); !k.holds(names) {
		return &Error{Offset: at, Resources: p.count, Field: name, Want: k.want, Found: foreign(names), err: ErrShape}
	}

	return nil
}

// plans is the member that only plans of updates have, which have a manifest as
// deployments do.
const plans = "resourcePlans"

// plan returns the error for a plan, before any of it is kept.
func (p *parser) plan() *Error {
	return &Error{Offset: p.offset(), Resources: p.count, Found: foreign(map[string]bool{plans: true}), err: ErrShape}
}

// foreign returns what another file that engines and their tools write is called, by the
// names of its members, or "" for an unknown object.
func foreign(names map[string]bool) string {
	has := func(of ...string) bool {
		return slices.ContainsFunc(of, func(name string) bool { return names[name] })
	}
	switch {
	case names[plans], names["plan"] && names["version"]:
		return "the plan of an update (preview --save-plan)"
	case names["steps"] && has("config", "diagnostics", "duration", "changeSummary"):
		return "a preview (preview --json)"
	case names["method"] && has("request", "response", "errors", "progress"):
		return "a log of calls (PULUMI_DEBUG_GRPC)"
	case names["sequence"] && names["timestamp"]:
		return "a log of events (--event-log)"
	}

	return ""
}
