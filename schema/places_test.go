package schema_test

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
)

// forms returns the resource of the schema with every form of type.
func forms(t testing.TB) *schema.Resource {
	t.Helper()

	document, err := os.ReadFile("testdata/forms.json")
	if err != nil {
		t.Fatal(err)
	}

	return resource(t, string(document), "forms:index:Thing")
}

func resource(t testing.TB, document, token string) *schema.Resource {
	t.Helper()

	p, err := schema.Read([]byte(document), schema.Options{})
	if err != nil {
		t.Fatal(err)
	}

	r, ok := p.Resource(token)
	if !ok {
		t.Fatal("there is no " + token)
	}

	return r
}

func texts(patterns []path.Pattern) (all []string) {
	for _, p := range patterns {
		all = append(all, p.String())
	}

	slices.Sort(all)

	return all
}

// TestPlaces: through lists, maps, unions and types that hold themselves, until these come
// again; of the inputs and of the state.
func TestPlaces(t *testing.T) {
	thing := forms(t)

	replaceOn, err := thing.ReplaceOn()
	if got, want := strings.Join(texts(replaceOn), " "), "name owner.team.region pets[*].owner.team.region pet.owner.team.region ports rule[*].team.region team.region url"; err != nil || !slices.Equal(texts(replaceOn), strings.Fields(sorted(want))) {
		t.Errorf("%v\n%s", err, got)
	}

	secrets, err := thing.Secrets()
	if err != nil {
		t.Fatal(err)
	}

	for _, want := range []string{"password", "token", "owner.token", "owner.team.members[*]", "team.lead.token", "team.members[*].token", "expression.password", "pet.owner.token", "rule[*].token"} {
		if has := slices.Contains(texts(secrets), want); has == (want == "owner.team.members[*]") {
			t.Errorf("%s: %v in %q", want, has, texts(secrets))
		}
	}
}

func sorted(words string) string {
	all := strings.Fields(words)
	slices.Sort(all)

	return strings.Join(all, " ")
}

// wide returns a schema of types each of which has ten properties of the next: there are
// 10^depth places at the end, which have a secret or not.
func wide(depth int, secret bool) string {
	var b strings.Builder

	b.WriteString(`{"name": "p", "types": {`)

	for i := range depth {
		fmt.Fprintf(&b, `"p::T%d": {"type": "object", "properties": {`, i)

		for j := range 10 {
			fmt.Fprintf(&b, `"a%d": {"$ref": "#/types/p::T%d"}, `, j, i+1)
		}

		b.WriteString(`"b": {"type": "string"}}}, `)
	}

	fmt.Fprintf(&b, `"p::T%d": {"type": "object", "properties": {"c": {"type": "string", "secret": %v}}}}, `, depth, secret)
	b.WriteString(`"resources": {"p::R": {"inputProperties": {"t": {"$ref": "#/types/p::T0"}}}}}`)

	return b.String()
}

// TestTooManyPlaces: what cannot be listed is an error, and what leads nowhere costs
// nothing.
func TestTooManyPlaces(t *testing.T) {
	if places, err := resource(t, wide(30, false), "p::R").Secrets(); err != nil || len(places) > 0 {
		t.Errorf("%d places, %v", len(places), err)
	}

	if _, err := resource(t, wide(30, true), "p::R").Secrets(); !errors.Is(err, schema.ErrPlaces) {
		t.Error(err)
	}

	if places, err := resource(t, wide(3, true), "p::R").Secrets(); err != nil || len(places) != 1000 {
		t.Errorf("%d places, %v", len(places), err)
	}

	// The values are marked all the same.
	v := value.String("x")
	for range 30 {
		v = value.Object(value.Field("a7", v))
	}

	v = value.Object(value.Field("t", v))
	deepest := path.MustParse("t" + strings.Repeat(".a7", 30))

	v, err := v.Put(deepest, value.Object(value.Field("c", value.String("x"))))
	if err != nil {
		t.Fatal(err)
	}

	if c, _ := resource(t, wide(30, true), "p::R").Inputs().MarkSecrets(v).At(deepest.Member("c")); !c.IsSecret() {
		t.Error("not marked")
	}
}

// TestLongPlaces: the places of a chain of types have as many steps as there are types
// before them. Their bytes are limited, and so is the memory.
func TestLongPlaces(t *testing.T) {
	chain := func(n int) string {
		var b strings.Builder

		b.WriteString(`{"name": "p", "types": {`)

		for i := range n {
			fmt.Fprintf(&b, `"p::T%d": {"type": "object", "properties": {"s": {"type": "string", "secret": true}, "x": {"$ref": "#/types/p::T%d"}}}, `, i, i+1)
		}

		fmt.Fprintf(&b, `"p::T%d": {"type": "object"}}, "resources": {"p::R": {"inputProperties": {"t": {"$ref": "#/types/p::T0"}}}}}`, n)

		return b.String()
	}

	if places, err := resource(t, chain(1000), "p::R").Secrets(); err != nil || len(places) != 1000 {
		t.Errorf("%d places, %v", len(places), err)
	}

	long := resource(t, chain(20_000), "p::R")

	var before, after runtime.MemStats

	runtime.ReadMemStats(&before)

	_, err := long.Secrets()

	runtime.ReadMemStats(&after)

	if used := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, schema.ErrPlaces) || used > 10*path.MaxListed {
		t.Errorf("%v, with %d bytes", err, used)
	}
}
