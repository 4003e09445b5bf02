package lint

import "github.com/propalg/propalg/provider/check"

// adviceOn returns what to do about a finding of check.Validate. Some the provider
// cannot avoid, if it uses the server of the Go SDK.
func adviceOn(c check.Code) string {
	if c == check.CodeNotDetailed {
		return c.Advice() + " (the Go SDK's plugin.NewProviderServer never does: there, leave DetailedDiff empty, and name the properties in ChangedKeys and ReplaceKeys)"
	}

	if c == check.CodeDiffsPath || c == check.CodeReplacesPath {
		return c.Advice() + " (the Go SDK's plugin.NewProviderServer makes such of the keys of DetailedDiff)"
	}

	return c.Advice()
}

// contractAdvice returns what to do about a breach of the contracts of the protocol.
func contractAdvice(v check.Violation, isResponse bool) string {
	switch v.What {
	case "unknown":
		if isResponse {
			return "the provider returns an unknown where the protocol wants a value (" + v.Why + "); return what the resource has"
		}

		return "an unknown is sent where the protocol wants a value (" + v.Why + "); look for the response that let it into the state"
	case "secret":
		return "secrets are not for functions (" + v.Why + "), and engines send them all the same; be ready to read one"
	case "resource reference":
		return "references are not for functions (" + v.Why + "), and engines send them all the same; be ready to read one"
	case "ID changed":
		return "an update keeps the ID of a resource; where it has to change, let Diff ask for a replacement"
	}

	remedy := map[string]string{
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
		"unrecorded ID":       "unless the log begins late, look for what gave it this ID",
		"unrecorded state":    "unless the state was edited by hand, look for the call that returned it",
		"configured late":     "send Configure first",
	}[v.What]
	if remedy == "" {
		return v.What + ": " + v.Why + "; this side of the call breaks the protocol"
	}

	return v.What + " (" + v.Why + "); " + remedy
}
