package engine

import (
	"strings"

	"github.com/propalg/propalg/internal/decide"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/urn"
)

// String returns a line such as "update demo:index:Machine web: something changed
// (size)". It contains names, and no part of a value.
func (a Action) String() string {
	text := string(a.Op) + " " + shown(a.URN) + ": " + a.Why
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
	last := map[string]int{} // by URN, the action that counts
	for i := len(actions) - 1; i >= 0; i-- {
		at, found := last[actions[i].URN]
		if actions[i].Op != "pending" && (!found || actions[at].Why == decide.BecauseReplaced) {
			last[actions[i].URN] = i
		}
	}

	var chain []Action
	seen := map[string]bool{}
	ask := func(u string) []open {
		at, found := last[u]
		if !found || seen[u] {
			return nil
		}
		seen[u] = true
		return []open{{at, actions[at].Causes}}
	}
	for stack := ask(resource); len(stack) > 0; {
		top := &stack[len(stack)-1]
		if len(top.causes) > 0 {
			cause := top.causes[0]
			top.causes = top.causes[1:]
			stack = append(stack, ask(cause)...)
			continue
		}

		chain = append(chain, actions[top.at])
		stack = stack[:len(stack)-1]
	}
	return chain
}

// open is an action whose causes are being explained: a chain may be as long as a run.
type open struct {
	at     int
	causes []string // those that are left
}
