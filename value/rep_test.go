package value_test

import (
	"errors"
	"math"
	"testing"
	"unsafe"

	"github.com/propalg/propalg/value"
)

func TestSize(t *testing.T) {
	size, word := unsafe.Sizeof(value.Value{}), unsafe.Sizeof(uintptr(0))
	if (word == 8 && size != 24) || (word == 4 && size > 20) {
		t.Errorf("a Value takes %d bytes, with words of %d", size, word)
	}
}

func TestZeroValue(t *testing.T) {
	var v value.Value
	if !v.IsNull() || !v.Identical(value.Null()) || v.IsSecret() || v.Len() != 0 || v.Depth() != 0 || flaw(v) != nil {
		t.Error("the zero Value is no null")
	}
	if (value.Asset{}).Source() != value.SourceText || (value.Archive{}).Source() != value.SourceLiteral {
		t.Error("a zero value means something else")
	}
}

// Every accessor answers for its own kind only, and without panic for others.
func TestAccessors(t *testing.T) {
	for i, v := range hosts(t) {
		k := v.Kind()
		_, isBool := v.AsBool()
		_, isNumber := v.AsNumber()
		_, isString := v.AsString()
		_, isAsset := v.AsAsset()
		_, isArchive := v.AsArchive()
		_, isReference := v.AsResourceReference()
		_, isSealed := v.AsSealed()
		_, isUnknown := v.Hint()
		for kind, is := range map[value.Kind]bool{
			value.KindBool: isBool, value.KindNumber: isNumber, value.KindString: isString, value.KindAsset: isAsset,
			value.KindArchive: isArchive, value.KindResourceReference: isReference, value.KindSealed: isSealed,
			value.KindUnknown: isUnknown, value.KindNull: v.IsNull(),
		} {
			if is != (k == kind) {
				t.Errorf("value %d: a %v claims to be a %v", i, k, kind)
			}
		}
		if isUnknown != v.IsUnknown() {
			t.Errorf("value %d: IsUnknown", i)
		}
		if _, _, ok := v.MemberAt(0); ok != (k == value.KindObject && v.Len() > 0) {
			t.Errorf("value %d: MemberAt(0)", i)
		}
		for _, at := range []int{-1, v.Len(), math.MaxInt, math.MinInt} {
			if _, _, ok := v.MemberAt(at); ok || (!v.Elem(at).IsNull() && !isUnknown) {
				t.Errorf("value %d: something at %d", i, at)
			}
		}
	}
}

func TestSingleSteps(t *testing.T) {
	v := sample()
	for _, row := range []struct {
		v    value.Value
		name string
		want value.Value
		ok   bool
	}{
		{v, "a", object(member("b", num(1)), member("n", value.Null())), true},
		{v, "", value.Null(), false},
		{v, "zz", value.Null(), false},
		{v.Field("a"), "n", value.Null(), true},
		{v.Field("l"), "0", value.Null(), false},
		{v.Field("x"), "c", value.Null(), false},
		{v.Field("u"), "any", value.Secret(value.Unknown()).WithDependencies(urnB), true},
		{num(1), "a", value.Null(), false},
	} {
		if got, ok := row.v.Lookup(row.name); ok != row.ok || !got.Identical(row.want) || !row.v.Field(row.name).Identical(row.want) {
			t.Errorf("Lookup(%q): %v", row.name, ok)
		}
	}
	n := 0
	for range v.Field("l").Elems() {
		n++
		break
	}
	for range v.Members() {
		n++
		break
	}
	for range v.Keys() {
		n++
		break
	}
	for range archiveOf(archive(t, member("a", value.TextAsset("")), member("b", value.TextAsset("")))).Entries() {
		n++
		break
	}
	for range num(1).Elems() {
		n++
	}
	for range num(1).Members() {
		n++
	}
	if n != 4 {
		t.Errorf("%d steps", n)
	}
}

// Deep facts agree with what a walk finds.
func TestDeepFacts(t *testing.T) {
	for i, v := range hosts(t) {
		var secret, unknown, deps bool
		depth := 0
		for c := range v.Walk() {
			x := c.Value()
			secret = secret || x.IsSecret()
			deps = deps || x.HasDependencies()
			r, _ := x.AsResourceReference()
			unknown = unknown || x.IsUnknown() || r.ID.IsUnknown()
			if x.Kind().IsContainer() {
				depth = max(depth, c.Depth()+1)
			}
		}
		if v.ContainsSecret() != secret || v.ContainsUnknown() != unknown || v.ContainsDependencies() != deps || v.Depth() != depth {
			t.Errorf("value %d: secret %v, unknown %v, dependencies %v, depth %d", i, v.ContainsSecret(), v.ContainsUnknown(), v.ContainsDependencies(), v.Depth())
		}
	}
}

func TestMarks(t *testing.T) {
	for i, v := range hosts(t) {
		for what, got := range map[string]value.Value{
			"DropSecret": v.DropSecret(), "DropDependencies": v.DropDependencies(), "Secret": value.Secret(v),
			"WithDependencies": v.WithDependencies("u"),
		} {
			if err := flaw(got); err != nil {
				t.Errorf("value %d: %s: %v", i, what, err)
			}
		}
		sealed := v.Kind() == value.KindSealed
		if x := v.DropSecret(); x.IsSecret() != sealed || !value.Secret(x).Equal(value.Secret(v)) {
			t.Errorf("value %d: DropSecret", i)
		}
		if x := v.DropDependencies(); x.HasDependencies() || x.IsSecret() != v.IsSecret() {
			t.Errorf("value %d: DropDependencies", i)
		}
		x := v.WithDependencies("u").WithDependencies("t", "u")
		n := 0
		for u := range x.Dependencies() {
			if u == "t" || u == "u" {
				n++
			}
		}
		if n != 2 || value.Strict.Hash(seed(t), x.DropDependencies()) != value.Strict.Hash(seed(t), v.DropDependencies()) {
			t.Errorf("value %d: WithDependencies", i)
		}
	}
}

// Only a call that says so drops a mark.
func TestInheritedMarksStay(t *testing.T) {
	leaf := value.Secret(object(member("a", num(1)))).Field("a")
	for what, got := range map[string]value.Value{
		"array":      value.Array(leaf).Elem(0),
		"object":     object(member("a", leaf)).Field("a"),
		"map":        value.ObjectFromMap(map[string]value.Value{"a": leaf}).Field("a"),
		"dependency": leaf.WithDependencies(urnA).DropDependencies(),
	} {
		if !got.IsSecret() || !got.Equal(value.Secret(num(1))) {
			t.Errorf("%s: the mark is lost", what)
		}
	}
	for what, v := range map[string]value.Value{
		"array": value.Array(leaf), "object": object(member("a", leaf)), "map": value.ObjectFromMap(map[string]value.Value{"a": leaf}),
	} {
		if err := flaw(v); err != nil || !v.ContainsSecret() {
			t.Errorf("%s: %v", what, err)
		}
	}
	if leaf.OwnSecret() || !value.Array(leaf).Elem(0).OwnSecret() || !value.Array(leaf).ContainsSecret() {
		t.Error("an inherited mark does not become an own one")
	}
	if leaf.DropSecret().IsSecret() {
		t.Error("DropSecret leaves an inherited mark")
	}
}

func TestIntegers(t *testing.T) {
	for _, row := range []struct {
		i     int64
		exact bool
	}{
		{0, true},
		{-1, true},
		{1 << 53, true},
		{1<<53 + 1, false},
		{1<<53 + 2, true},
		{-1<<53 - 1, false},
		{-1<<53 - 2, true},
		{1<<62 + 1, false},
		{1 << 62, true},
		{math.MaxInt64, false},
		{math.MaxInt64 - 1023, true},
		{math.MaxInt64 - 512, false},
		{math.MinInt64, true},
		{math.MinInt64 + 1, false},
	} {
		v, err := value.Int(row.i)
		f, ok := v.AsNumber()
		if (err == nil) != row.exact || (row.exact && (!ok || int64(f) != row.i)) {
			t.Errorf("Int(%d) = %g, %v", row.i, f, err)
		}
		if var1 := (*value.Error)(nil); err != nil && (!errors.Is(err, value.ErrInexact) || !errors.As(err, &var1) || !v.IsNull()) {
			t.Errorf("Int(%d): %v", row.i, err)
		}
	}
	for _, row := range []struct {
		u     uint64
		exact bool
	}{
		{0, true},
		{1 << 53, true},
		{1<<53 + 1, false},
		{1 << 63, true},
		{1<<63 + 1, false},
		{math.MaxUint64, false},
		{math.MaxUint64 - 2047, true},
		{math.MaxUint64 - 1024, false},
	} {
		v, err := value.Int(row.u)
		if f, ok := v.AsNumber(); (err == nil) != row.exact || (row.exact && (!ok || uint64(f) != row.u)) {
			t.Errorf("Uint(%d) = %g, %v", row.u, f, err)
		}
	}
	if _, err := value.Int(int64(1<<53 + 1)); err.Error() != "value: number: a float64 cannot hold the number exactly" {
		t.Errorf("got %v", err)
	}
}

func TestNumbersKeepTheirBits(t *testing.T) {
	for _, f := range []float64{0, math.Copysign(0, -1), 1.5, math.Inf(1), math.MaxFloat64, math.SmallestNonzeroFloat64} {
		if got, _ := num(f).AsNumber(); math.Float64bits(got) != math.Float64bits(f) {
			t.Errorf("%g became %g", f, got)
		}
	}
	for _, bits := range []uint64{0x7ff8000000000001, 0x7ff0000000000001, 0xffffffffffffffff} {
		if got, _ := num(math.Float64frombits(bits)).AsNumber(); got == got || math.Float64bits(got) != math.Float64bits(math.NaN()) {
			t.Errorf("NaN %x became %x", bits, math.Float64bits(got))
		}
	}
}
