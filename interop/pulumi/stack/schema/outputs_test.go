package schema_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestOutputs: both sides read the same result of a function, whatever members of types and
// objects it is made of, where references may be dangling.
func TestOutputs(t *testing.T) {
	l := newLoader([]document{{"peer", []byte(peer)}})
	dangling := `{"$ref": "#/types/demo:x:None"}`
	members := []struct {
		name   string
		values []string
	}{
		{"properties", []string{"", "null", "{}", `{"x": {"type": "string"}}`, `{"x": ` + dangling + `}`, `{"x": {"$ref": "#/types/demo:x:None", "type": "string"}}`, "5"}},
		{"type", []string{"", `"object"`, `"string"`}},
		{"$ref", []string{"", `"#/types/demo:x:None"`, `"#/types/demo:x:T"`, `"#/types/demo:x:E"`, `"#/resources/demo:x:R"`, `"/peer/v1.0.0/schema.json#/types/peer:x:Y"`}},
		{"plain", []string{"", "true"}},
		{"items", []string{"", dangling}},
		{"required", []string{"", `["x"]`, "5"}},
	}

	var outputs []string

	var add func(i int, made string)
	add = func(i int, made string) {
		if i == len(members) {
			outputs = append(outputs, "{"+strings.TrimPrefix(made, ", ")+"}")
			return
		}

		for _, v := range members[i].values {
			if v == "" {
				add(i+1, made)
			} else {
				add(i+1, made+fmt.Sprintf(", %q: %s", members[i].name, v))
			}
		}
	}
	add(0, "")

	tally := map[string]int{}

	for _, made := range outputs {
		document := `{"name": "demo", "version": "1.0.0", "types": {"demo:x:T": {"type": "object", "properties": {"a": ` + dangling + `}}, "demo:x:E": {"type": "string", "enum": [{"value": "a"}]}},
			"resources": {"demo:x:R": {}}, "functions": {"demo:x:f": {"outputs": ` + made + `}}}`
		tally[compare(t, judge([]byte(document), true, l), l)]++
	}

	if tally["(accepted by both)"] < 100 || tally["(refused by both)"] < 100 {
		t.Error(tally)
	}

	t.Log(tally)
}
