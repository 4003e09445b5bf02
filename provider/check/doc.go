// Package check reports what is wrong with a provider's answers.
//
//	for _, f := range check.Validate(response, sides, options) {
//		fmt.Println(f) // error: tags.env: update-equal: …
//	}
//
// [Validate] reports what is false or unwise in a response to Diff, given the sides that
// the provider compared. [Read] turns a response back into a diff with values, to be
// shown or compared. [Violations] checks a single call, and a [Session] checks each call
// against the calls before it. [Log] applies all these checks to a log that an engine
// wrote.
//
// All checks return findings, whose codes are listed by [Rules] and in docs/checks.md. No
// finding shows the contents of a secret.
package check
