package rpc

import (
	"errors"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// CheckFailureAt returns a failure at a path, such that engines print no secret with it.
//
// Engines print the input that Property names with the reason, whether or not it is
// marked secret. If that input is or holds a secret, or if the path has no text in the
// Pulumi dialect, Property is therefore empty and the reason begins with the path. A path
// below a secret is cut at the outermost one, since the keys below it are part of the
// secret. A failure at the root has only the reason.
//
// The inputs are the news of the request. The reason is passed on unchanged: it must
// not contain the value.
func CheckFailureAt(inputs value.Value, at path.Path, reason string) CheckFailure {
	at = aboveSecrets(inputs, at)
	if at.IsRoot() {
		return CheckFailure{Reason: reason}
	}

	name, err := at.Pulumi()
	switch {
	case err != nil:
		return CheckFailure{Reason: scan.Line(at.String()) + ": " + reason}
	case shownWith(inputs, name):
		return CheckFailure{Reason: scan.Line(name) + ": " + reason}
	}
	return CheckFailure{Property: name, Reason: reason}
}

// CheckFailuresOf returns the failures for an error of [bind.Decode], of a schema's Check,
// or of a configuration as by [ConfigWithStrings]: one for each problem, by
// [CheckFailureAt]. The text of any other error is one failure, and nil is none.
func CheckFailuresOf(inputs value.Value, err error) []CheckFailure {
	if err == nil {
		return nil
	}

	var problems []bind.Problem
	if e := (*bind.Error)(nil); errors.As(err, &e) && e != nil {
		problems = e.Problems
	} else if e := (*Error)(nil); errors.As(err, &e) && e != nil && e.config != nil {
		problems = e.config.Problems
	}
	if len(problems) == 0 {
		return []CheckFailure{{Reason: err.Error()}}
	}
	failures := make([]CheckFailure, len(problems))
	for i, p := range problems {
		failures[i] = CheckFailureAt(inputs, p.At.Path(), p.Reason())
	}
	return failures
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

// shownWith reports whether an engine that prints the input of this name prints a
// secret. As engines do, it takes the text for a name and not for a path: "tags.token"
// is an input of that very name.
func shownWith(inputs value.Value, name string) bool {
	v, _ := inputs.Lookup(name)
	return v.ContainsSecret()
}
