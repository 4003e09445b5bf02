package fuzz_test

import (
	"fmt"
	"strings"

	"github.com/propalg/propalg/internal/test/hostile"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// A provider that writes logs wants to know that no secret is in them.
func ExampleCanary() {
	canary := fuzz.NewCanary(1)
	inputs := value.Object(
		value.Member{Key: "name", Value: value.String("db")},
		value.Member{Key: "password", Value: value.Null()},
	)

	for _, at := range fuzz.Places() {
		planted, _ := canary.Plant(inputs, path.MustParse("password"), at)

		good := fmt.Sprintf("creating with %v", planted)
		if err := canary.Check(good); err != nil {
			fmt.Println("a leak:", err)
		}
	}

	secret, _ := canary.Hide(fuzz.InString).AsString()
	bad := "connecting as admin:" + strings.ToUpper(secret)
	fmt.Println("found:", canary.Check(bad) != nil)
	// Output:
	// found: true
}

// Where in a secret the canary is says something about what leaks.
func ExamplePlace() {
	v := fuzz.NewCanary(1).Hide(fuzz.InKey)
	fmt.Println(v, fuzz.InKey, len(fuzz.Places()) > 10)
	// Output:
	// [secret] in a key true
}

// A law of one's own, on pairs of property bags that are a few edits apart. In a
// test it is given to rapid.Check.
func ExamplePairs() {
	law := func(t *rapid.T) {
		pair := fuzz.ObjectPairs(fuzz.Options{Style: fuzz.RealLike, NoSecrets: true}).Draw(t, "pair")

		d := diff.Between(pair.Old, pair.New, diff.Options{Relation: value.Engine})
		if d.Empty() != value.Engine.Equal(pair.Old, pair.New) {
			t.Fatalf("empty is not equal, from\n%s\nto\n%s", fuzz.GoSource(pair.Old), fuzz.GoSource(pair.New))
		}
	}

	fmt.Println(law != nil) // rapid.Check(t, law)
	// Output:
	// true
}

// URNs are as the world has them: their names may hold anything.
func ExampleURNs() {
	u := fuzz.URNs().Example(1)
	again, err := urn.Parse(u.String())
	fmt.Println(again == u, err)
	// Output:
	// true <nil>
}

// Options say what the generated values hold; Example is for looking at them.
func ExampleOptions() {
	plain := fuzz.Values(fuzz.Options{Style: fuzz.Plain, NoSecrets: true, NoUnknowns: true, Nodes: 5})

	for i := range 100 {
		if v := plain.Example(i); v.ContainsSecret() || v.ContainsUnknown() {
			fmt.Println("not plain:", v)
		}
	}
	// Output:
}

func ExampleGoSource() {
	v := value.Object(
		value.Member{Key: "port", Value: value.Number(443)},
		value.Member{Key: "key", Value: value.Secret(value.String("shown, as the name says"))},
	)
	fmt.Println(fuzz.GoSource(v))
	// Output:
	// value.Object(value.Field("key", value.Secret(value.String("shown, as the name says"))), value.Field("port", value.Number(443)))
}

func ExampleStyle() {
	hostile := fuzz.Values(fuzz.Options{Style: fuzz.Hostile, NoAssets: true})

	for i := range 50 {
		_ = hostile.Example(i).String() // whatever it is, this ends
	}
	// Output:
}

func ExampleDeep() {
	v := hostile.Deep(value.MaxDepth, value.String("leaf"))
	fmt.Println(v.Depth())
	// Output:
	// 10000
}
