package e2e_test

import (
	"encoding/json"
	"strings"
)

// resources is a program that declares resources.
func resources(declared ...string) string { return "resources:\n" + strings.Join(declared, "") }

// record declares a record; properties and options are in YAML's flow form,
// without braces.
func record(name, properties string, options ...string) string {
	return declared("Record", name, properties, options...)
}

// group declares a component, which makes records itself.
func group(name, properties string, options ...string) string {
	return declared("Group", name, properties, options...)
}

func declared(kind, name, properties string, options ...string) string {
	text := "  " + name + ":\n    type: demo:index:" + kind + "\n    properties: {" + properties + "}\n"
	if len(options) > 0 && options[0] != "" {
		text += "    options: {" + strings.Join(options, ", ") + "}\n"
	}
	return text
}

// quoted is a text that YAML and JSON read alike.
func quoted(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(data)
}
