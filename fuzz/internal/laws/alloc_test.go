package laws_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/fuzz/internal/laws"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// TestLaw05EqualIsFree: the diff of values that are equal, in separate memory or
// shared, and Equal itself, allocate nothing, under every Relation; so do reading
// by path and building scalars (law 5).
func TestLaw05EqualIsFree(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}

	p := path.MustParse("a[0].b")

	free := func(name string, f func()) {
		if n := testing.AllocsPerRun(20, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}

	for i, v := range equalValues() {
		other := v.Compact()

		if !v.Equal(other) {
			t.Fatalf("value %d is not equal to its copy", i)
		}

		for _, r := range laws.AllRelations() {
			o := diff.Options{Relation: r}

			free("Between of equal values, "+r.String(), func() { _ = diff.Between(v, other, o) })
			free("Between of one value, "+r.String(), func() { _ = diff.Between(v, v, o) })
			free("Equal, "+r.String(), func() { _ = r.Equal(v, other) })
		}

		free("At", func() { _, _ = v.At(p) })
	}

	free("scalars", func() {
		_, _, _ = value.String("x"), value.Number(1), value.Secret(value.Bool(true))
		_, _ = value.Unknown(), value.Null()
	})
}

// equalValues are values of every kind, with marks.
func equalValues() []value.Value {
	list := digested()
	list = append(list, value.Object(value.Member{Key: "a", Value: value.Array(list...)}), value.Secret(value.Array(list...)))

	for i := range 40 {
		list = append(list, fuzz.Values(fuzz.Options{}).Example(i), fuzz.Values(fuzz.Options{Style: fuzz.RealLike}).Example(i))
	}

	return list
}

// TestLaw05SpeaksOfAllocations: the test above can fail.
func TestLaw05SpeaksOfAllocations(t *testing.T) {
	old, now := value.Array(value.Number(1)), value.Array(value.Number(2))

	if n := testing.AllocsPerRun(20, func() { _ = diff.Between(old, now, diff.Options{}) }); n == 0 {
		t.Error("a diff that is not empty allocates nothing")
	}
}

// TestLaw20FourDependencies: the root module requires no more than the four
// modules that the house allows, and none of them is linked but by tests and by
// this package, or, as the fourth, by codec (law 20).
func TestLaw20FourDependencies(t *testing.T) {
	text, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}

	allowed := []string{"github.com/google/go-cmp", "pgregory.net/rapid", "github.com/tidwall/gjson", "google.golang.org/protobuf"}

	var direct []string

	for line := range strings.SplitSeq(string(text), "\n") {
		if found := regexp.MustCompile(`^(?:require\s+|\t)([a-z][^\s]*\.[^\s]+) v[^\s]+$`).FindStringSubmatch(line); found != nil {
			direct = append(direct, found[1])
		}
	}

	if len(direct) == 0 || len(direct) > len(allowed) {
		t.Errorf("direct requirements: %q", direct)
	}

	for _, name := range direct {
		if !slices.Contains(allowed, name) {
			t.Errorf("%s is required directly", name)
		}
	}
}
