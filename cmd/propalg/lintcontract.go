package main

import "github.com/propalg/propalg/provider/check"

// contractAdvice says how to mend what a call breaks of the contracts of the
// protocol.
func contractAdvice(v check.Violation) string {
	mend := map[string]string{
		"ID missing":          "return the ID of what was created",
		"inputs missing":      "return the inputs, an empty object if there are none",
		"input dropped":       "return what the program sent, with defaults added",
		"kind changed":        "return what the program sent, and convert it where it is used",
		"secret lost":         "return it as a secret, else it is in clear in the state",
		"unreadable path":     "write the property with a path library, or leave it empty and name it in the reason",
		"secret shown":        "leave property empty and name the place in the reason (rpc.CheckFailureAt)",
		"contents without ID": "return an ID too, or nothing at all",
		"inputs lost":         "return the inputs that the resource would be made of today",
		"preview differs":     "return an unknown in preview where the value may turn out otherwise",
		"ID of no call":       "unless the log begins late, look for what gave it this ID",
		"state of no call":    "unless the state was edited by hand, look for the call that returned it",
		"configured late":     "send Configure first",
	}[v.What]
	if mend == "" {
		return v.What + ": " + v.Why + "; this side of the call breaks the protocol"
	}
	return v.What + " (" + v.Why + "); " + mend
}
