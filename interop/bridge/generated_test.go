package bridge_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	theirs "github.com/pulumi/pulumi-terraform-bridge/v3/pkg/tfbridge/typechecker"
	pschema "github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/interop/bridge/typechecker"
	"github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
)

// pair is a resource of a real package, as both sides read it.
type pair struct {
	ours   *schema.Resource
	theirs *theirs.TypeChecker
}

// resources returns all resources of real packages.
func resources(t *testing.T) []pair {
	t.Helper()

	var all []pair

	for _, file := range kit.SchemaFiles(t) {
		p, err := schema.Read(file.Data, schema.Options{AllowDangling: true})
		if err != nil {
			continue // Pulumi refuses it too: that is tested elsewhere
		}

		var spec pschema.PackageSpec
		if err := json.Unmarshal(file.Data, &spec); err != nil {
			t.Fatalf("%s: %v", file.Name, err)
		}

		checker := theirs.New(spec, true)
		for r := range p.Resources() {
			all = append(all, pair{r, checker})
		}
	}

	return all
}

// inputsOf draws inputs that are valid, that have one mistake, or that are any object.
func inputsOf(t *rapid.T, r *schema.Resource) (inputs value.Value, what string) {
	o := fuzz.Options{NoSealed: true}

	switch rapid.IntRange(0, 4).Draw(t, "source") {
	case 0:
		return fuzz.Objects(o).Draw(t, "any object"), "any object"
	case 1, 2:
		return fuzz.OfType(r.Inputs(), o).Draw(t, "inputs"), "valid"
	default:
		m := fuzz.Mistakes(r.Inputs(), o).Draw(t, "mistake")
		return m.Value, m.What
	}
}

// TestGenerated draws inputs for the resources of real packages: what the bridge refuses is
// refused by package schema, and at the same place.
//
//	go test -run Generated -v -rapid.checks=100000
func TestGenerated(t *testing.T) {
	all := resources(t)
	counts := map[string]int{}

	rapid.Check(t, func(t *rapid.T) {
		r := rapid.SampledFrom(all).Draw(t, "resource")
		inputs, what := inputsOf(t, r.ours)

		props, err := pulumi.ToPropertyMap(inputs)
		if err != nil {
			counts["the SDK has no form for it"]++
			return
		}

		found := typechecker.Failures(r.ours.Inputs(), props, true)
		want := r.theirs.ValidateInputs(tokens.Type(r.ours.Token()), props)
		counts[outcome(t, what, found, want, props)]++
	})

	for _, name := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%7d %s", counts[name], name)
	}
}

// outcome compares what both sides found.
func outcome(t *rapid.T, what string, ours []typechecker.Failure, theirs []theirs.Failure, inputs resource.PropertyMap) string {
	places := map[string]bool{}
	for _, f := range ours {
		places[f.ResourcePath] = true
	}

	explained := ""

	for _, f := range theirs {
		if places[f.ResourcePath] {
			continue
		}

		why := leftAlone(f, inputs)
		if why == "" {
			t.Errorf("the bridge has %q, and package schema not: %+v of %v", f, ours, inputs)
		}

		explained = why
	}

	switch {
	case explained != "":
		return "only the bridge refuses: " + explained
	case len(theirs) == 0 && len(ours) == 0:
		return "both accept: " + what
	case len(theirs) == 0:
		return "only package schema refuses: " + what
	default:
		return "both refuse: " + what
	}
}

// leftAlone returns why package schema has nothing to say of a failure, or "".
func leftAlone(f theirs.Failure, inputs resource.PropertyMap) string {
	if strings.Contains(f.ResourcePath, "__") {
		return "a place inside a name with two underscores"
	}

	name, isExtra := strings.CutPrefix(f.Reason, "an unexpected argument ")
	if !isExtra {
		return ""
	}

	if strings.HasPrefix(name, `"__`) {
		return "a name with two underscores"
	}

	at, err := resource.ParsePropertyPath(f.ResourcePath)
	if err != nil {
		return ""
	}

	object, ok := at.Get(resource.NewProperty(inputs))
	if !ok {
		return ""
	}

	object = unmarked(object)
	if !object.IsObject() {
		return ""
	}

	for key, member := range object.ObjectValue() {
		if unmarked(member).IsNull() && strings.HasPrefix(name, strconv.Quote(string(key))) {
			return "a member that is null, and so missing"
		}
	}

	return ""
}

// unmarked returns a value without the marks around it.
func unmarked(v resource.PropertyValue) resource.PropertyValue {
	switch {
	case v.IsSecret():
		return unmarked(v.SecretValue().Element)
	case v.IsOutput():
		return unmarked(v.OutputValue().Element)
	default:
		return v
	}
}
