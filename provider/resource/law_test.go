package resource_test

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/provider/resource"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

var scalars = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[uint8](), reflect.TypeFor[float64](), reflect.TypeFor[string](),
	reflect.TypeFor[value.Value](), reflect.TypeFor[value.Asset](), reflect.TypeFor[bind.Output[string]](), reflect.TypeFor[rule](),
	reflect.TypeFor[complex64](), // it has no form
}

var words = []string{"secret", "replaceOnChanges", "shown", "writeOnly", "computed", "stable", "set", "fold", "json", "output"}

func anyType(t *rapid.T, depth int) reflect.Type {
	switch kind := rapid.IntRange(0, 5).Draw(t, "kind"); {
	case kind == 0 && depth > 0:
		return reflect.SliceOf(anyType(t, depth-1))
	case kind == 1 && depth > 0:
		return reflect.MapOf(reflect.TypeFor[string](), anyType(t, depth-1))
	case kind == 2 && depth > 0:
		return reflect.PointerTo(anyType(t, depth-1))
	}
	return scalars[min(rapid.IntRange(0, 60).Draw(t, "scalar")%len(scalars), len(scalars)-1)]
}

// anyStruct draws a struct type, whose tags may be wrong, too.
func anyStruct(t *rapid.T, label string, common []reflect.StructField) reflect.Type {
	fields := common
	for i := range rapid.IntRange(0, 4).Draw(t, label) {
		tag := fmt.Sprintf(`pulumi:"%s%d`, label, i)
		if rapid.Bool().Draw(t, "optional") {
			tag += ",optional"
		}
		tag += `" provider:"` + strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 2).Draw(t, "words"), ",") + `"`
		if text := rapid.SampledFrom([]string{"", "", "1", "true", "x"}).Draw(t, "default"); text != "" {
			tag += ` default:"` + text + `"`
		}
		fields = append(fields, reflect.StructField{Name: strings.ToUpper(label) + strconv.Itoa(i), Type: anyType(t, 2), Tag: reflect.StructTag(tag)})
	}
	return reflect.StructOf(fields)
}

// law draws struct types, inputs with a secret in them, and answers of the functions, which
// may panic. Nothing leaks, and nothing panics through.
func law(t *rapid.T) {
	canary := fuzz.NewCanary(3)
	common := []reflect.StructField{{Name: "Name", Type: reflect.TypeFor[string](), Tag: `pulumi:"name,optional"`}, {Name: "Text", Type: reflect.TypeFor[string](), Tag: `pulumi:"text,optional"`}}
	args := anyStruct(t, "a", common)
	var state value.Value
	o := resource.AnyOf{Token: "demo:index:Any", Args: args, State: args, Names: resource.Names{Property: rapid.SampledFrom([]string{"", "name"}).Draw(t, "names")}}
	if rapid.Bool().Draw(t, "own state") {
		o.State = anyStruct(t, "s", []reflect.StructField{common[0], common[1], {Name: "URL", Type: reflect.TypeFor[string](), Tag: `pulumi:"url"`}})
	}
	o.Answer = func(function string) (string, value.Value, error) {
		id := rapid.SampledFrom([]string{"id", "", canary.Text()}).Draw(t, "id")
		var err error
		switch rapid.SampledFrom([]string{"", "", "", "panic", "error", "not found", "invalid", "init failed", "joined"}).Draw(t, function) {
		case "panic":
			panic("of " + canary.Text())
		case "error":
			err = fmt.Errorf("bad %q", canary.Text())
		case "not found":
			err = fmt.Errorf("%s: %w", canary.Text(), resource.ErrNotFound)
		case "invalid":
			err = resource.Invalid(rapid.SampledFrom([]string{"text", "a0", "a0[1]", "[", canary.Text(), ""}).Draw(t, "place"), "because of "+canary.Text())
		case "init failed":
			err = fmt.Errorf("%s: %w", canary.Text(), resource.InitFailed("of "+canary.Text()))
		case "joined":
			err = errors.Join(resource.Invalid("text", canary.Text()), errors.New(canary.Text()))
		}
		return id, state, err
	}
	p, err := resource.New(resource.Package{Name: "demo", Resources: []resource.Resource{o}})
	if err != nil {
		return // a type, a tag, or a default that is not one
	}
	described, _ := p.Schema().Resource(o.Token)
	quiet := fuzz.Options{Style: fuzz.Plain, NoDependencies: true, NoReferences: true}

	generate := func(label string) value.Value {
		inputs := fuzz.OfType(described.Inputs(), quiet).Draw(t, label)
		if rapid.IntRange(0, 4).Draw(t, "of any kind") == 0 {
			inputs = fuzz.Objects(quiet).Draw(t, label)
		}
		return with(inputs, "text", canary.Hide(fuzz.InString))
	}
	inputs, olds := generate("inputs"), generate("olds")
	state = with(fuzz.OfType(described.State(), quiet).Draw(t, "state"), "url", text("https://"+canary.Text()+".test"), "text", text(canary.Text()))
	calls(t, p, canary, inputs, olds)
}

// calls makes every call, and looks for the canary in what comes back.
func calls(t *rapid.T, p *resource.Provider, canary fuzz.Canary, inputs, olds value.Value) {
	t.Helper()
	const urn = "urn:pulumi:dev::shop::demo:index:Any::a"
	hidden := func(method string, r any, err error) {
		t.Helper()
		for _, text := range []string{fmt.Sprintf("%+v", r), fmt.Sprintf("%+v %#v", err, err), fmt.Sprint(protocol.InitFailed(err))} {
			if found := canary.Check(text); found != nil {
				t.Fatalf("%s shows the secret: %v", method, found)
			}
		}
	}
	checked, err := p.Check(t.Context(), &rpc.CheckRequest{URN: urn, News: inputs, Olds: olds})
	hidden("Check", checked, err)
	if err == nil && len(checked.Failures) == 0 && rapid.Bool().Draw(t, "checked") {
		inputs = checked.Inputs
	}
	diff, err := p.Diff(t.Context(), &rpc.DiffRequest{URN: urn, ID: "i", OldInputs: olds, Olds: olds, News: inputs})
	hidden("Diff", diff, err)
	for _, preview := range []bool{true, false} {
		created, err := p.Create(t.Context(), &rpc.CreateRequest{URN: urn, Properties: inputs, Preview: preview})
		hidden("Create", created, err)
		updated, err := p.Update(t.Context(), &rpc.UpdateRequest{URN: urn, ID: "i", OldInputs: olds, Olds: olds, News: inputs, Preview: preview})
		hidden("Update", updated, err)
	}
	read, err := p.Read(t.Context(), &rpc.ReadRequest{URN: urn, ID: "i", Inputs: olds, Properties: olds})
	hidden("Read", read, err)
	deleted, err := p.Delete(t.Context(), &rpc.DeleteRequest{URN: urn, ID: "i", OldInputs: olds, Properties: olds})
	hidden("Delete", deleted, err)
	_, _ = p.Read(t.Context(), &rpc.ReadRequest{URN: urn, ID: "i"}) // an import has no secrets that it could keep
}

func TestAnyTypes(t *testing.T) { rapid.Check(t, law) }

func FuzzAnyTypes(f *testing.F) { fuzz.Native(f, law) }
