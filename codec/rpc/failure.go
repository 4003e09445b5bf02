package rpc

import (
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// CheckFailureAt returns the failure of a Check at a place in its inputs, such
// that an engine shows no secret when it reports it.
//
// Engines print the input that Property names, marks or no marks, next to the
// reason. Where that input is secret, or holds a secret, Property is therefore
// left empty and the reason begins with the place; so it is where the place has no
// text in the Pulumi dialect. A place below a secret is cut at the outermost one,
// since keys below it are part of the secret. A failure at the root has the reason
// alone.
//
// The inputs are the news of the request. The reason is passed on as it is: it
// must not contain the value.
func CheckFailureAt(inputs value.Value, at path.Path, reason string) CheckFailure {
	at = aboveSecrets(inputs, at)
	if at.IsRoot() {
		return CheckFailure{Reason: reason}
	}

	name, err := at.PulumiKey()
	switch {
	case err != nil:
		return CheckFailure{Reason: scan.Line(at.String()) + ": " + reason}
	case shownWith(inputs, name):
		return CheckFailure{Reason: scan.Line(name) + ": " + reason}
	}

	return CheckFailure{Property: name, Reason: reason}
}

// aboveSecrets returns the longest prefix of a path that does not lead into a
// secret.
func aboveSecrets(v value.Value, at path.Path) path.Path {
	depth := 0
	for step := range at.Steps() {
		if v.IsSecret() {
			return at.Prefix(depth)
		}

		var there bool
		if v, there = v.At(path.Of(step)); !there {
			break
		}

		depth++
	}

	return at
}

// shownWith reports whether an engine that shows the input of this name shows a
// secret. It takes the text for a name, not for a path: of "tags.token" it finds
// nothing, unless there is an input of that very name.
func shownWith(inputs value.Value, name string) bool {
	v, _ := inputs.Lookup(name)
	return v.ContainsSecret()
}
