// Package check judges what providers answered, whoever wrote them.
//
//	for _, f := range check.Validate(response, sides, ignored) {
//		fmt.Println(f) // error: tags.env: update-equal: …
//	}
//
// [Validate] lists what is untrue or unwise in a response, given what its provider was
// given. [Read] makes a response a diff again, with the values that are there, to be
// shown or compared. No finding shows what is inside a secret.
package check
