package state

import (
	"slices"
	"strings"

	"github.com/propalg/propalg/internal/jsonscan"
)

// IsState reports whether a JSON object is a stack export, a checkpoint or a bare
// deployment, rather than a property bag, by its shape:
//   - it has a member `deployment` or `latest`, or a member `checkpoint` with a
//     member `latest`, that is a deployment; or it is a deployment itself
//   - or it is a stack that was never deployed: it has nothing but a version that is a
//     number, features, and a `deployment` or `checkpoint` that is null or has only
//     members that engines write there.
//
// A deployment is an object with a `manifest` that has a time or a magic, or
// with `resources`, an array that begins with an object that has a `urn` (or is
// empty, if the deployment is not bare). The rest of the text may be cut off or
// damaged, so that [Parse] can say where. IsState reads the first lines of most
// texts, and passes over a text twice at most.
func IsState[Text ~string | ~[]byte](text Text) bool { return isState(string(text)) }

func isState(text string) bool {
	l := looker{text: text}
	l.skip.Limit = 1 << 20

	verdict, numbered, wrapped, other := false, false, false, false
	l.members(jsonscan.Space(text, 0), func(name string, at int) bool {
		switch name {
		case "version":
			numbered = at < len(text) && text[at] >= '0' && text[at] <= '9'
		case "deployment", "latest":
			verdict = verdict || l.deployment(at)
			wrapped = wrapped || (name == "deployment" && l.empty(at, deploymentMembers()))
		case "checkpoint":
			wrapped = l.empty(at, checkpointMembers())
			l.members(at, func(name string, at int) bool {
				verdict = verdict || (name == "latest" && l.deployment(at))
				return !verdict
			})
		case "manifest", "resources":
			verdict = verdict || l.identifies(name, at, false)
			other = true
		case "features":

		default:
			other = true
		}
		return !verdict
	})
	return verdict || (numbered && wrapped && !other)
}

// looker looks at members of a text that may be damaged anywhere.
type looker struct {
	text string
	skip jsonscan.Skipper
}

// members calls visit for the members of the object at an offset, with the
// offset of the value, as long as visit is true and the text is well formed.
func (l *looker) members(at int, visit func(name string, at int) bool) {
	if !isObject(l.text, at) {
		return
	}

	for {
		next, name, fault := jsonscan.Name(l.text, jsonscan.Space(l.text, at+1))
		if fault != nil || !visit(name, next) {
			return
		}
		end, fault := l.skip.Skip(l.text, next)
		if fault != nil {
			return
		}
		if at = jsonscan.Space(l.text, end); at >= len(l.text) || l.text[at] != ',' {
			return
		}
	}
}

// deployment reports whether an object is a deployment.
func (l *looker) deployment(at int) bool {
	found := false
	l.members(at, func(name string, at int) bool {
		found = l.identifies(name, at, true)
		return !found
	})
	return found
}

func (l *looker) empty(at int, of kin) bool {
	if !isObject(l.text, at) {
		return strings.HasPrefix(l.text[at:], "null")
	}

	names := map[string]bool{}
	l.members(at, func(name string, _ int) bool {
		names[name] = true
		return true
	})
	return of.holds(names)
}

// identifies reports whether only deployments, wrapped or bare, have such a member.
func (l *looker) identifies(name string, at int, wrapped bool) bool {
	switch name {
	case "manifest":
		return l.has(at, "magic") || l.has(at, "time")
	case "resources":
		if at >= len(l.text) || l.text[at] != '[' {
			return false
		}
		first := jsonscan.Space(l.text, at+1)
		if first < len(l.text) && l.text[first] == ']' {
			return wrapped
		}
		return l.has(first, "urn")
	}

	return false
}

func (l *looker) has(at int, member string) bool {
	found := false
	l.members(at, func(name string, _ int) bool {
		found = name == member
		return !found
	})
	return found
}

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
	at := p.Offset()
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
	return &Error{Offset: p.Offset(), Resources: p.count, Found: foreign(map[string]bool{plans: true}), err: ErrShape}
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
