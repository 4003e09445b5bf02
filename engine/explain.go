package engine

import (
	"slices"
	"strings"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/urn"
)

// String returns a line such as "update demo:index:Machine web: something changed
// (size)". It contains names, and no part of a value.
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

// shown returns the type and name of a URN, or a text that is not a URN as it is.
func shown(u string) string {
	parsed, err := urn.Parse(u)
	if err != nil {
		return u
	}
	return parsed.Type() + " " + parsed.Name()
}

// Explain returns the actions of a run that explain what happened to a resource, given its
// URN: for example why it was replaced. Each action follows the actions that caused it, so
// that the last one is on the resource itself. If the run has several on it, the latest
// counts that does more than delete a replaced resource; pending operations do not count.
// If the run has none, the result is nil.
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
