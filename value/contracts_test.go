package value_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// TestContracts: one row a clause of the specification, each broken and kept by
// what comes close.
func TestContracts(t *testing.T) {
	member := func(key string, v value.Value) value.Value { return value.Object(value.Member{Key: key, Value: v}) }
	unknown := member("a", value.Array(value.String("x"), value.UnknownOf(value.KindNumber)))
	reference := member("r", value.ResourceReference{URN: "u", ID: value.UnknownID()}.Value())
	marked := member("o", value.Unknown().WithDependencies("u"))
	hidden := member("s", value.Secret(member("key", value.Array(value.Secret(value.Unknown()), value.ResourceReference{URN: "u"}.Value()))))
	two := value.Object(value.Member{Key: "s", Value: value.Secret(value.Null())}, value.Member{Key: "t", Value: value.Secret(value.Null())}, value.Member{Key: "u", Value: value.Null()})

	for _, row := range []struct {
		c    value.Contract
		v    value.Value
		want string
	}{
		{value.StoredContents, unknown, "breach: a[1]: unknown: not allowed in old values"},
		{value.StoredContents, marked, "breach: o: unknown: not allowed in old values"},
		{value.StoredContents, hidden, "breach: s[secret]: unknown: not allowed in old values"},
		{value.StoredContents, value.Unknown(), "breach: unknown: not allowed in old values"},
		{value.StoredContents, value.Secret(value.Unknown()), "breach: unknown: not allowed in old values"},
		{value.StoredContents, reference, ""},
		{value.StoredContents, two, ""},
		{value.StoredContents, value.Null(), ""},
		{value.StoredContents, value.Sealed{Ciphertext: "c"}.Value(), ""},
		{value.SettledContents, unknown, "breach: a[1]: unknown: not allowed outside preview"},
		{value.SettledContents, reference, ""},
		{value.ArgumentContents, unknown, "breach: a[1]: unknown: not allowed outside preview"},
		{value.ArgumentContents, hidden, "note: s: secret: the guide forbids it; breach: s[secret]: unknown: not allowed outside preview; note: s[secret]: resource reference: the guide forbids it"},
		{value.ArgumentContents, reference, "note: r: resource reference: the guide forbids it"},
		{value.ArgumentContents, two, "note: s: secret: the guide forbids it; note: t: secret: the guide forbids it"},
		{value.PreviewArguments, unknown, ""},
		{value.PreviewArguments, two, "note: s: secret: the guide forbids it; note: t: secret: the guide forbids it"},
		{value.PreviewArguments, value.Secret(value.Unknown()), "note: secret: the guide forbids it"},
		{value.ResultContents, unknown, "breach: a[1]: unknown: not allowed in results"},
		{value.ResultContents, value.Secret(value.Unknown()), "note: secret: the guide forbids it; breach: unknown: not allowed in results"},
		{value.ResultContents, value.Sealed{Ciphertext: "c"}.Value(), "note: secret: the guide forbids it"},
		{value.AnyContents, hidden, ""},
		{value.Contract(200), hidden, ""},
	} {
		var got []string
		for v := range row.c.Violations(row.v) {
			got = append(got, v.String())
		}

		if s := strings.Join(got, "; "); s != row.want {
			t.Errorf("%v, %v:\ngot  %s\nwant %s", row.c, row.v, s, row.want)
		}

		for range row.c.Violations(row.v) { // whoever has seen one may stop
			break
		}
	}
}

// TestContractsAreTotal: values of any depth, and texts of what has no name.
func TestContractsAreTotal(t *testing.T) {
	v := value.Unknown()
	for range value.MaxDepth {
		v = value.Secret(value.Array(v))
	}

	n := 0
	for found := range value.ResultContents.Violations(v) {
		if n++; len(found.String()) > 100 {
			t.Error(found)
		}
	}

	if n != 2 {
		t.Errorf("%d violations", n)
	}

	if s := fmt.Sprint(value.Contract(200), value.Severity(200), value.Violation{At: path.Show(path.Of(path.Key("a")), -1)}); s != "invalid contract invalid severity note: a: : " {
		t.Error(s)
	}
}

func TestContractAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("counts differ under race")
	}

	v := value.Object(value.Member{Key: "a", Value: value.Array(value.String("x"), value.Secret(value.Null()))})
	if n := testing.AllocsPerRun(100, func() {
		for range value.StoredContents.Violations(v) {
			t.Error("a violation")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// What Create returned outside of a preview holds no unknowns.
func ExampleContract() {
	state := value.Object(
		value.Member{Key: "arn", Value: value.Unknown()},
		value.Member{Key: "password", Value: value.Secret(value.Object(value.Member{Key: "key", Value: value.Unknown()}))},
	)
	for v := range value.SettledContents.Violations(state) {
		fmt.Println(v)
	}
	// Output:
	// breach: arn: unknown: not allowed outside preview
	// breach: password[secret]: unknown: not allowed outside preview
}

// Secrets in the arguments of a function are sent by engines, although the guide
// forbids them: that is worth a note.
func ExampleSeverity() {
	for v := range value.ArgumentContents.Violations(value.Secret(value.Null())) {
		fmt.Println(v.Severity, v.Severity == value.Breach)
	}
	// Output:
	// note false
}

func ExampleViolation() {
	for v := range value.StoredContents.Violations(value.Array(value.Null(), value.Unknown())) {
		fmt.Printf("%s at %v (%s)\n", v.What, v.At, v.Why)
	}
	// Output:
	// unknown at [1] (not allowed in old values)
}

// TestContractsListBoundedPaths: with something wrong on each of n levels, n paths
// of n keys are not listed. What is beyond is named by its top-level property.
func TestContractsListBoundedPaths(t *testing.T) {
	key := strings.Repeat("k", 50_000)
	stairs := func(leaf value.Value) value.Value {
		v := value.Object()
		for range 30 {
			v = value.Object(value.Member{Key: key, Value: v}, value.Member{Key: "n", Value: leaf})
		}

		return v
	}
	v := value.Object(
		value.Member{Key: "a", Value: stairs(value.Secret(value.Unknown()))}, value.Member{Key: "b", Value: stairs(value.Secret(value.Unknown()))},
		value.Member{Key: "c", Value: stairs(value.Unknown())}, value.Member{Key: "s", Value: value.Secret(stairs(value.Unknown()))})

	size, last := 0, map[string]string{}
	for found := range value.ResultContents.Violations(v) {
		size += found.At.RevealPath().Size()
		first, _, _ := found.At.RevealPath().Cut()
		last[first.String()+" "+found.What] = found.At.String()
	}

	if size > 2*path.MaxListed || len(last) != 7 {
		t.Errorf("%d MB of paths, %d things wrong", size>>20, len(last))
	}

	for _, name := range []string{"b unknown", "b secret", "c unknown", "s unknown", "s secret"} {
		if last[name] != name[:1] && last[name] != name[:1]+"[secret]" {
			t.Errorf("%s: %.80q", name, last[name])
		}
	}
}
