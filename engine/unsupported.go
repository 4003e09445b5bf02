package engine

// NOTE: To support one of these, a Goal gets a field that the program declares it by (program.go),
// task writes it to the new state (register.go), and the row here, in the comment of Stack and in
// docs/engine.md goes. TestTwins of interop/pulumi/stack draws it.

import "github.com/propalg/propalg/codec/state"

// unsupported returns the name of something that a resource has and engines act on, but
// this one does not, or "".
func unsupported(old *state.Resource) string {
	for _, is := range [...]struct {
		there bool
		name  string
	}{
		{len(old.ResourceHooks) > 0, "resourceHooks"},
		{old.ViewOf != "", "viewOf"},
		{old.ExtensionRef != "", "extensionRef"},
		{old.SnippetID != "", "snippetID"},
	} {
		if is.there {
			return is.name
		}
	}

	return ""
}
