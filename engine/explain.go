package engine

import (
	"slices"
	"strings"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/urn"
)

// String returns a line such as "update demo:index:Machine web: something changed (size)".
// It shows names, and nothing of values.
func (a Action) String() string {
	text := a.Op + " " + shown(a.URN) + ": " + a.Why.String()
	if len(a.Keys) > 0 {
		text += " (" + strings.Join(a.Keys, ", ") + ")"
	}
	var causes []string
	for _, u := range a.Causes {
		if u != a.URN {
			causes = append(causes, shown(u))
		}
	}
	if len(causes) > 0 {
		text += ", because of " + strings.Join(causes, ", ")
	}
	return scan.Line(text)
}

// shown returns the type and name of a URN, or what is no URN as it is.
func shown(u string) string {
	parsed, err := urn.Parse(u)
	if err != nil {
		return u
	}
	return parsed.Type() + " " + parsed.Name()
}

// Explain returns why a resource is replaced, or whatever else becomes of it: the chain of
// the actions of a run that led to it, each after its causes. It is nil if there is no
// action of the resource. Of a resource with several actions it has the last that is not
// the deletion of what was replaced.
func Explain(actions []Action, resource string) []Action {
	var chain []Action
	seen := map[string]bool{}
	var explain func(u string)
	explain = func(u string) {
		if seen[u] {
			return
		}
		seen[u] = true
		at := -1
		for i, a := range slices.Backward(actions) {
			if a.URN == u && a.Op != "pending" && (at < 0 || actions[at].Why == BecauseReplaced) {
				at = i
			}
		}
		if at < 0 {
			return
		}
		for _, cause := range actions[at].Causes {
			explain(cause)
		}
		chain = append(chain, actions[at])
	}
	explain(resource)
	return chain
}
