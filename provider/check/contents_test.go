package check_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

// Messages with one bag, for each contract.
func stored(v value.Value) rpc.Message    { return &rpc.DeleteRequest{Properties: v} }
func settled(v value.Value) rpc.Message   { return &rpc.CreateRequest{Properties: v} }
func arguments(v value.Value) rpc.Message { return &rpc.InvokeRequest{Args: v} }
func preview(v value.Value) rpc.Message   { return &rpc.InvokeRequest{Args: v, Preview: true} }
func method(v value.Value) rpc.Message    { return &rpc.CallRequest{Args: v} }

// TestContents: one row for each clause of the contracts of bags, each broken, and kept
// by something similar.
func TestContents(t *testing.T) {
	unknown := one("a", arr(str("x"), value.UnknownOf(value.KindNumber)))
	reference := one("r", value.ResourceReference{URN: "u", ID: value.UnknownID()}.Value())
	component := one("r", value.ResourceReference{URN: "u"}.Value())
	marked := one("o", value.Unknown().WithDependencies("u"))
	hidden := one("s", sec(one("key", arr(sec(value.Unknown()), value.ResourceReference{URN: "u"}.Value()))))
	two := obj("s", sec(value.Null()), "t", sec(value.Null()), "u", value.Null())
	sealed := value.Sealed{Ciphertext: "c"}.Value()

	const old, outside = "not allowed in old values", "not allowed outside preview"
	for _, row := range []struct {
		place
		request rpc.Message
		want    string // severities, places and codes
		why     string // in the advice about unknowns
	}{
		{here(), stored(unknown), "error: a[1]: unknown", old},
		{here(), stored(marked), "error: o: unknown", old},
		{here(), stored(hidden), "error: s[secret]: unknown", old},
		{here(), stored(value.Unknown()), "error: unknown", old},
		{here(), stored(sec(value.Unknown())), "error: unknown", old},
		{here(), stored(reference), "error: r: unknown", old},
		{here(), stored(component), "", ""},
		{here(), stored(two), "", ""},
		{here(), stored(value.Null()), "", ""},
		{here(), stored(sealed), "", ""},
		{here(), settled(unknown), "error: a[1]: unknown", outside},
		{here(), settled(reference), "error: r: unknown", outside},
		{here(), settled(component), "", ""},
		{here(), settled(two), "", ""},
		{here(), arguments(unknown), "error: a[1]: unknown", outside},
		{here(), arguments(hidden), "note: s: secret; error: s[secret]: unknown; note: s[secret]: resource-reference", outside},
		{here(), arguments(reference), "error: r: unknown; note: r: resource-reference", outside},
		{here(), arguments(component), "note: r: resource-reference", ""},
		{here(), preview(reference), "note: r: resource-reference", ""},
		{here(), arguments(two), "note: s: secret; note: t: secret", ""},
		{here(), arguments(obj("a", sec(value.Null()), "b", arr(sec(value.Null())))), "note: a: secret; note: b[0]: secret", ""},
		{here(), preview(unknown), "", ""},
		{here(), preview(two), "note: s: secret; note: t: secret", ""},
		{here(), preview(sec(value.Unknown())), "note: secret", ""},
		{here(), method(hidden), "", ""},
	} {
		var got []string
		for _, f := range check.Violations(row.request, nil) {
			text, _, _ := strings.Cut(f.String(), f.Code)
			_, field, _ := strings.Cut(text, ": ")
			_, at, _ := strings.Cut(field, ": ")
			got = append(got, f.Severity.String()+": "+at+f.Code)

			if f.Code == "unknown" && (!strings.Contains(f.Advice, row.why) || !strings.Contains(f.Advice, "is sent")) {
				t.Errorf("%s: advice %q", row.place, f.Advice)
			}
		}
		if s := strings.Join(got, "; "); s != row.want {
			t.Errorf("%s:\ngot  %s\nwant %s", row.place, s, row.want)
		}
	}
}

// TestResults: what functions return, and where the advice is for the provider.
func TestResults(t *testing.T) {
	for _, row := range []struct {
		place
		result value.Value
		want   []string
	}{
		{here(), one("a", arr(str("x"), value.Unknown())), []string{"error: response.return: a[1]: unknown: "}},
		{here(), sec(value.Unknown()), []string{"note: response.return: secret: ", "error: response.return: unknown: "}},
		{here(), value.Sealed{Ciphertext: "c"}.Value(), []string{"note: response.return: secret: "}},
	} {
		found := check.Violations(nil, &rpc.InvokeResponse{Return: row.result})
		if len(found) != len(row.want) {
			t.Fatalf("%s: %v", row.place, found)
		}
		for i, f := range found {
			if !strings.HasPrefix(f.String(), row.want[i]) {
				t.Errorf("%s: %v, want %s", row.place, f, row.want[i])
			}
			isReturned := strings.Contains(f.Advice, "the provider returns an unknown where the protocol wants a value (not allowed in results)")
			if f.Code == "unknown" && !isReturned {
				t.Errorf("%s: advice %q", row.place, f.Advice)
			}
		}
	}
}

// TestContentsAreTotal: values may be as deep as they can be.
func TestContentsAreTotal(t *testing.T) {
	v := value.Unknown()
	for range value.MaxDepth {
		v = sec(arr(v))
	}
	if found := check.Violations(nil, &rpc.InvokeResponse{Return: v}); len(found) != 2 {
		t.Errorf("%d findings", len(found))
	}
}

func TestContentsAllocations(t *testing.T) {
	request := settled(one("a", arr(str("x"), sec(value.Null()))))
	if n := testing.AllocsPerRun(100, func() { check.Violations(request, nil) }); n > 1 { // the list of findings
		t.Errorf("%v allocations", n)
	}
}

// stairs returns a value with a leaf on each of 30 levels, below keys that are so long
// that their paths exceed [path.MaxListed].
func stairs(leaf value.Value) value.Value {
	key := strings.Repeat("k", 50_000)
	v := value.Object()
	for range 30 {
		v = obj(key, v, "n", leaf)
	}
	return v
}

// TestFindingsHaveBoundedPaths: if there is something wrong on each of n levels, n paths
// of n keys are not listed. What exceeds the limit is named by its top-level property.
func TestFindingsHaveBoundedPaths(t *testing.T) {
	unknowns, secrets := stairs(value.Unknown()), stairs(sec(value.Unknown()))
	v := obj("a", secrets, "b", secrets, "c", unknowns, "s", sec(unknowns))
	size, last := pathsOf(check.Violations(nil, &rpc.InvokeResponse{Return: v}))
	if size > 2*path.MaxListed || len(last) != 7 {
		t.Errorf("%d MB of paths, %d things wrong", size>>20, len(last))
	}
	for _, name := range []string{"b unknown", "b secret", "c unknown", "s unknown", "s secret"} {
		if last[name] != name[:1] && last[name] != name[:1]+"[secret]" {
			t.Errorf("%s: %.80q", name, last[name])
		}
	}

	// A secret bag shows no name of a property.
	for _, f := range check.Violations(stored(sec(v)), nil) {
		if text := f.At.String(); text != "" && text != "[secret]" {
			t.Fatalf("%.80q", text)
		}
	}

	// So are the paths of what Check drops.
	sent := obj("a", stairs(str("x")), "b", stairs(str("x")), "c", stairs(sec(str("x"))))
	back := obj("a", stairs(value.Null()), "b", stairs(num(1)), "c", stairs(str("x")))
	size, last = pathsOf(check.Violations(&rpc.CheckRequest{News: sent}, &rpc.CheckResponse{Inputs: back}))
	if size > 2*path.MaxListed || last["b kind-changed"] != "b" || last["c secret-lost"] != "c" || len(last) != 3 {
		t.Errorf("%d MB of paths, %d things wrong, %.80q, %.80q", size>>20, len(last), last["b kind-changed"], last["c secret-lost"])
	}
}

// TestKeptBelowALongKey: what was sent is found in what was returned without a path of it.
func TestKeptBelowALongKey(t *testing.T) {
	for _, leaf := range []value.Value{sec(str("x")), value.Unknown()} {
		kit.Grows(t, leaf.Kind().String(), 4000, func(n int) func() {
			leaves := make([]value.Member, n)
			for i := range leaves {
				leaves[i] = value.Field(strconv.Itoa(i), leaf)
			}
			sent := obj(strings.Repeat("k", n), value.Object(leaves...))
			return func() {
				if found := check.Violations(&rpc.CreateRequest{Properties: sent, Preview: true}, &rpc.CreateResponse{ID: "1", Properties: sent}); len(found) > 0 {
					t.Errorf("%d findings, %.200v", len(found), found[0])
				}
			}
		})
	}
}

// pathsOf returns the bytes of the paths of findings, and the text of the last path for
// each top-level property and code.
func pathsOf(found []check.Finding) (size int, last map[string]string) {
	last = map[string]string{}
	for _, f := range found {
		p := f.At.RevealPath()
		size += p.Size()
		first, _, _ := p.Cut()
		last[first.String()+" "+f.Code] = f.At.String()
	}
	return size, last
}
