package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/e2e/faulty"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/examples/provider/store"
	"github.com/propalg/propalg/internal/decide"
	"github.com/propalg/propalg/value"
)

// twin is the stack of package engine that is taken through a story.
type twin struct {
	t       *testing.T
	dir     string
	stack   engine.Stack
	program engine.Program
	fail    string // the calls that fail
}

func newTwin(t *testing.T) *twin {
	t.Helper()
	w := &twin{t: t, dir: t.TempDir()}
	w.stack.Launch = func(context.Context, engine.Plugin) (rpc.Provider, error) { return faulty.New(w.env) }
	return w
}

// env is the environment of the provider.
func (w *twin) env(name string) (string, bool) {
	switch name {
	case "DEMO_STORE":
		return w.cloud(), true
	case "DEMO_FAIL":
		return w.fail, true
	}
	return "", false
}

func (w *twin) cloud() string { return filepath.Join(w.dir, "store.db") }

// perform makes an edit.
func (w *twin) perform(e edit) observed {
	w.t.Helper()
	if e.program != "" {
		w.program = programOf(w.t, strings.ReplaceAll(e.program, "FOLDER", w.dir))
	}
	if e.cloud != nil {
		if err := e.cloud(store.Open(w.cloud())); err != nil {
			w.t.Fatal(err)
		}
	}
	w.tamper(e.state)
	w.fail = e.fail
	var o observed
	ctx := context.Background()
	switch e.command {
	case "refresh":
		o.Update, o.Printed = taking(w.stack.Refresh(ctx))
	case "destroy":
		o.Update, o.Printed = taking(w.stack.Destroy(ctx))
	default:
		if o.Preview, o.Printed = taking(w.stack.Preview(ctx, w.program)); o.Printed == "" || e.insisted {
			o.Update, o.Printed = taking(w.stack.Update(ctx, w.program))
		}
	}
	o.Failed = o.Printed != ""
	o.read(w.t, slices.Values(w.stack.Resources), slices.Values(w.stack.Pending), w.dir)
	return o
}

// tamper edits the state as [stack.tamper] does.
func (w *twin) tamper(changes []tampering) {
	for _, change := range changes {
		i := slices.IndexFunc(w.stack.Resources, func(r state.Resource) bool { return strings.HasSuffix(r.URN, "::"+change.name) })
		if i < 0 {
			continue
		}
		if change.member == "pending" {
			var operation string
			if err := json.Unmarshal([]byte(change.value), &operation); err != nil {
				w.t.Fatal(err)
			}
			w.stack.Pending = append(w.stack.Pending, state.Operation{Type: operation, Resource: w.stack.Resources[i]})
			continue
		}
		if change.copies {
			w.stack.Resources = append(w.stack.Resources, w.stack.Resources[i])
			i = len(w.stack.Resources) - 1
		}
		r := &w.stack.Resources[i]
		switch change.member + " " + change.value {
		case "pendingReplacement true":
			r.PendingReplacement = true
		case "external true":
			r.External = true
		case "protect true":
			r.Protect = true
		case "delete true":
			r.Delete = true
		case `importID "beta"`:
			r.ImportID = "beta"
		default:
			w.t.Fatalf("no tampering: %v", change)
		}
	}
}

// taking takes all actions of a run. The text is the error that ended it.
func taking(run iter.Seq2[engine.Action, error]) (all []taken, failed string) {
	for a, err := range run {
		s := takenOf(a)
		if err != nil {
			s.Failed, s.Result, failed = true, "", err.Error()
		}
		if s.Op != "" {
			all = append(all, s)
		}
	}
	return all, failed
}

// takenOf is an action as the CLI shows it.
func takenOf(a engine.Action) taken {
	s := taken{Op: string(a.Op), URN: a.URN}
	switch {
	case a.Op == "refresh" && a.Why == decide.BecauseMissing:
		s.Result = "delete"
	case a.Op == "refresh" && a.Why == decide.BecauseSame:
		s.Result = "same"
	case a.Op == "refresh":
		s.Result = "update"
	}
	switch {
	case !strings.HasSuffix(s.Op, "-replacement"):
	case a.Why == decide.BecauseDependency:
		s.Keys = slices.Clone(a.Keys) // nobody was asked
	default:
		s.Keys = slices.Clone(a.Response.Replaces)
	}
	if strings.HasPrefix(s.Op, "delete") || strings.HasPrefix(s.Op, "discard") {
		return s // of which the CLI gives no reasons
	}
	s.Diffs = slices.Clone(a.Response.Diffs)
	for _, entry := range a.Response.Detailed {
		text := entry.Key + " " + kindOf(entry.Kind)
		if !entry.InputDiff {
			text += " of state"
		}
		s.Entries = append(s.Entries, text)
	}
	slices.Sort(s.Keys)
	slices.Sort(s.Diffs)
	slices.Sort(s.Entries)
	return s
}

// kindOf is a kind in the CLI's words.
func kindOf(k rpc.PropertyDiffKind) string {
	return map[rpc.PropertyDiffKind]string{
		rpc.PropertyDiffAdd: "add", rpc.PropertyDiffAddReplace: "add-replace", rpc.PropertyDiffUpdate: "update", rpc.PropertyDiffUpdateReplace: "update-replace",
		rpc.PropertyDiffDelete: "delete", rpc.PropertyDiffDeleteReplace: "delete-replace",
	}[k]
}

// rootName is the name of the resource of the stack.
const rootName = "e2e-dev"

// programOf is a program of YAML, of the little that the stories have: resources with
// properties and options, in an order in which they can be made.
func programOf(t *testing.T, text string) engine.Program {
	t.Helper()
	var document struct{ Resources yaml.Node }
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	p := engine.Program{Stack: "dev", Project: "e2e", Resources: []engine.Goal{{Type: "pulumi:pulumi:Stack", Name: rootName, Component: true}}}
	for i := 0; i+1 < len(document.Resources.Content); i += 2 {
		var r declaration
		if err := document.Resources.Content[i+1].Decode(&r); err != nil {
			t.Fatal(err)
		}
		p.Resources = append(p.Resources, r.goals(t, document.Resources.Content[i].Value)...)
	}
	return p
}

// declaration is a resource of a program.
type declaration struct {
	Type       string
	Properties map[string]any
	Get        struct{ ID string }
	Options    struct {
		DependsOn                []string `yaml:"dependsOn"`
		Parent, Provider, Import string
		Protect                  bool
		DeleteBeforeReplace      *bool    `yaml:"deleteBeforeReplace"`
		IgnoreChanges            []string `yaml:"ignoreChanges"`
		ReplaceOnChanges         []string `yaml:"replaceOnChanges"`
	}
}

// goals are what a declaration registers: of a component, its children too.
func (d declaration) goals(t *testing.T, name string) []engine.Goal {
	t.Helper()
	bare := func(reference string) string { return strings.TrimSuffix(strings.TrimPrefix(reference, "${"), "}") }
	g := engine.Goal{
		Type: d.Type, Name: name, Parent: rootName, Provider: bare(d.Options.Provider), Protect: d.Options.Protect,
		IgnoreChanges: d.Options.IgnoreChanges, ReplaceOnChanges: d.Options.ReplaceOnChanges,
		DeleteBeforeReplace: d.Options.DeleteBeforeReplace, ImportID: d.Options.Import, ReadID: d.Get.ID,
	}
	if d.Options.Parent != "" {
		g.Parent = bare(d.Options.Parent)
	}
	for _, other := range d.Options.DependsOn {
		g.DependsOn = append(g.DependsOn, bare(other))
	}
	g.Compute = computing(t, d.Properties)
	all := []engine.Goal{g}
	if d.Type != "demo:index:Group" {
		return all
	}
	all[0].Component, all[0].Provider = true, ""
	for _, child := range d.Properties["names"].([]any) {
		properties := map[string]any{}
		for key, v := range d.Properties {
			properties[key] = v
		}
		delete(properties, "names")
		properties["name"] = child
		all = append(all, engine.Goal{Type: "demo:index:Record", Name: name + "-" + child.(string), Parent: name, Provider: g.Provider, Compute: computing(t, properties)})
	}
	return all
}

// computing is the function that computes inputs.
func computing(t *testing.T, properties map[string]any) func(func(_, _ string) value.Value) value.Value {
	t.Helper()
	return func(output func(resource, property string) value.Value) value.Value {
		return computed(t, properties, output)
	}
}

// computed is a value of a program.
func computed(t *testing.T, of any, output func(resource, property string) value.Value) value.Value {
	t.Helper()
	switch of := of.(type) {
	case string:
		return interpolated(t, of, output)
	case int:
		return value.Number(float64(of))
	case bool:
		return value.Bool(of)
	case []any:
		var all []value.Value
		for _, element := range of {
			all = append(all, computed(t, element, output))
		}
		return value.Array(all...)
	case map[string]any:
		if secret, ok := of["fn::secret"]; ok {
			return value.Secret(computed(t, secret, output))
		}
		var all []value.Member
		for key, member := range of {
			all = append(all, value.Member{Key: key, Value: computed(t, member, output)})
		}
		return value.Object(all...)
	case nil:
		return value.Object()
	}
	t.Fatalf("not a value of a program: %T", of)
	return value.Null()
}

// interpolated is a text with references to outputs. One that is nothing but a reference
// is that output.
func interpolated(t *testing.T, text string, output func(resource, property string) value.Value) value.Value {
	t.Helper()
	var parts []value.Value
	for text != "" {
		before, rest, found := strings.Cut(text, "${")
		if before != "" {
			parts = append(parts, value.String(before))
		}
		if !found {
			break
		}
		reference, after, _ := strings.Cut(rest, "}")
		name, property, _ := strings.Cut(reference, ".")
		parts = append(parts, output(name, property))
		text = after
	}
	if len(parts) == 1 {
		return parts[0]
	}
	joined, err := value.Lift(func(args ...value.Value) (value.Value, error) {
		var b strings.Builder
		for _, arg := range args {
			s, isText := arg.AsString()
			n, _ := arg.AsNumber()
			if !isText {
				s = fmt.Sprint(n)
			}
			b.WriteString(s)
		}
		return value.String(b.String()), nil
	}, parts...)
	if err != nil {
		t.Fatal(err)
	}
	return joined
}
