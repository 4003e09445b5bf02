// Package check reports what is wrong with a provider's answers.
//
//	for _, f := range check.Validate(response, sides, options) {
//		fmt.Println(f) // error: tags.env: update-equal: …
//	}
//
// [Validate] returns what is false or unwise in a response, given the sides that its
// provider was given. [Read] turns a response back into a diff with values, to be shown
// or compared. [Violations] and [Session] check one call and a whole session of calls, and
// [Log] does all of that for a log that an engine wrote.
//
// All of them return findings, whose codes [Rules] and docs/checks.md list. No finding
// shows the contents of a secret.
package check
