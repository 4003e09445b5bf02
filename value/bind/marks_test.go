package bind_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

const urnA, urnB = "urn:pulumi:dev::app::a:b:C::a", "urn:pulumi:dev::app::a:b:C::b"

// An Output is secret if anything in it is, wherever it stands, and depends on all that
// something in it depends on.
func TestOutputMarks(t *testing.T) {
	plain, secret := value.String("x"), value.Secret(value.String("x"))

	for _, c := range []struct {
		v            value.Value
		secret       bool
		dependencies []string
	}{
		{value.Array(plain, plain), false, nil},
		{value.Array(secret, plain), true, nil},
		{value.Array(plain, secret), true, nil},
		{value.Secret(value.Array(plain)), true, nil},
		{value.Array(plain.WithDependencies(urnB), plain.WithDependencies(urnA)).WithDependencies(urnB), false, []string{urnA, urnB}},
		{value.Array(value.Unknown(), secret.WithDependencies(urnA)), true, []string{urnA}},
		{value.Secret(value.Unknown().WithDependencies(urnA)), true, []string{urnA}},
	} {
		type args struct {
			Before bind.Output[string]   `pulumi:"before"`
			List   bind.Output[[]string] `pulumi:"list"`
			Z      []string              `pulumi:"z"`
		}

		v := value.Object(value.Field("before", plain), value.Field("list", c.v), value.Field("z", value.Array(secret)))

		x, err := bind.As[args](v)
		if err != nil {
			t.Fatal(err)
		}

		if got := x.List; got.IsSecret() != c.secret || !slices.Equal(got.Dependencies(), c.dependencies) || x.Before.IsSecret() {
			t.Errorf("%v: %v, %v", c.v, got.IsSecret(), got.Dependencies())
		}

		if _, known := x.List.Known(); known == c.v.ContainsUnknown() {
			t.Errorf("%v: known: %v", c.v, known)
		}
	}
}

// Marks that were read are there again, and no others, where the data is another now.
func TestMarksAgain(t *testing.T) {
	type inner struct {
		A string   `pulumi:"a"`
		L []string `pulumi:"l,optional"`
	}

	type args struct {
		Hidden inner        `pulumi:"hidden,optional,secret"`
		Other  *inner       `provider:"type=x,secret" pulumi:"other,optional"`
		Plain  *inner       `pulumi:"plain,optional"`
		Value  value.Value  `pulumi:"value,optional"`
		Null   *value.Value `pulumi:"null,optional"`
	}

	text := value.String
	object := func(a value.Value, list ...value.Value) value.Value {
		members := []value.Member{value.Field("a", a)}
		if list != nil {
			members = append(members, value.Field("l", value.Array(list...)))
		}

		return value.Object(members...)
	}

	for _, c := range []struct {
		name           string
		v              value.Value
		change         func(x *args)
		wantMarks      value.Value
		wantDifference bool
	}{
		{"nothing", value.Object(), func(x *args) { x.Other = &inner{A: "y"} }, value.Object(value.Field("other", value.Secret(object(text("y"))))), true},
		{
			"a tag where inputs had a mark inside", value.Object(value.Field("hidden", object(text("x").WithDependencies(urnA), text("l")))), nil,
			value.Object(value.Field("hidden", value.Secret(object(text("x").WithDependencies(urnA), text("l"))))), true,
		},
		{
			"a list that became shorter", value.Object(value.Field("plain", object(text("x"), text("p").WithDependencies(urnB), text("q").WithDependencies(urnA)))),
			func(x *args) { x.Plain.L = x.Plain.L[:1] },
			value.Object(value.Field("plain", value.Object(value.Field("a", text("x")), value.Field("l", value.Array(text("p")).WithDependencies(urnA, urnB))))), true,
		},
		{"a null with a mark", value.Object(value.Field("value", value.Secret(value.Null()))), nil, value.Object(value.Field("value", value.Secret(value.Null()))), false},
		{
			"a value of a secret", value.Object(value.Field("other", value.Secret(object(value.Secret(text("x")), text("p"))))), nil,
			value.Object(value.Field("other", value.Secret(object(value.Secret(text("x")), text("p"))))), false,
		},
	} {
		var x args

		info, err := bind.Decode(c.v, &x, bind.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}

		if c.change != nil {
			c.change(&x)
		}

		if got, err := info.Encode(&x); err != nil || !got.Identical(c.wantMarks) || got.Identical(c.v) == c.wantDifference {
			t.Errorf("%s: %#v, %v", c.name, got, err)
		}
	}
}

// Each problem has its own place, after a secret too, and the last member can be missing.
func TestPlaces(t *testing.T) {
	type args struct {
		A map[string]int `pulumi:"a"`
		B map[string]int `pulumi:"b"`
		C string         `pulumi:"c"`
	}

	bad := value.Object(value.Field("k", value.Bool(true)))

	_, err := bind.As[args](value.Object(value.Field("a", value.Secret(bad)), value.Field("b", bad)))
	if want := `bind: decode: 3 problems
  a[secret]: expected number, found bool
  b.k: expected number, found bool
  c: expected a member of this name, found none`; err == nil || err.Error() != want {
		t.Error(err)
	}
}

// A list that is read has memory of its own.
func TestOwnMemory(t *testing.T) {
	old := make([]string, 1, 8)
	old[0] = "old"
	x := old[:0]

	if _, err := bind.Decode(value.Array(value.String("new")), &x, bind.Options{}); err != nil || x[0] != "new" || old[0] != "old" {
		t.Error(x, old, err)
	}
}

// moody is a text that its zero has none of.
type moody string

func (m moody) MarshalText() ([]byte, error) {
	if m == "" {
		return nil, errors.New("no text")
	}

	return []byte(m), nil
}

func (m *moody) UnmarshalText(text []byte) error {
	*m = moody(text)
	return nil
}

// TestLeftOutIsNotWrong: an optional field that was cleared is left out, even if it has no
// text.
func TestLeftOutIsNotWrong(t *testing.T) {
	var x struct {
		A moody `pulumi:"a,optional"`
	}

	info, err := bind.Decode(value.Object(value.Field("a", value.String("x"))), &x, bind.Options{})
	if err != nil {
		t.Fatal(err)
	}

	x.A = ""
	if got, err := info.Encode(x); err != nil || !got.Identical(value.Object()) {
		t.Errorf("%v, %v", got, err)
	}
}

// TestMarksOfMovedElements: elements have no names. Where those of a list may have changed
// places, one of which was secret, none is in clear.
func TestMarksOfMovedElements(t *testing.T) {
	text, secret := value.String, func(s string) value.Value { return value.Secret(value.String(s)) }
	list := func(all ...value.Value) value.Value { return value.Object(value.Field("names", value.Array(all...))) }
	type names struct {
		Names []string `pulumi:"names"`
	}

	for name, row := range map[string]struct {
		read value.Value
		now  []string
		want value.Value
	}{
		"same":              {list(text("b"), secret("a")), []string{"b", "a"}, list(text("b"), secret("a"))},
		"sorted":            {list(text("b"), secret("a")), []string{"a", "b"}, value.Object(value.Field("names", value.Secret(value.Array(text("a"), text("b")))))},
		"the secret edited": {list(text("b"), secret("a")), []string{"b", "c"}, list(text("b"), secret("c"))},
		"another edited":    {list(text("b"), secret("a")), []string{"c", "a"}, list(text("c"), secret("a"))},
		"others moved":      {list(text("x"), text("y"), secret("a")), []string{"y", "x", "a"}, list(text("y"), text("x"), secret("a"))},
	} {
		t.Run(name, func(t *testing.T) {
			var x names

			info, err := bind.Decode(row.read, &x, bind.Options{})
			if err != nil {
				t.Fatal(err)
			}

			got, err := info.Encode(names{row.now})
			if err != nil || !got.Identical(row.want) {
				t.Errorf("%v, %v, wanted %v", got, err, row.want)
			}
		})
	}
}

// A null in a map of what cannot be null is left out, and there again when it is written.
func TestNullsInMaps(t *testing.T) {
	type args struct {
		Tags  map[string]string              `pulumi:"tags,optional"`
		Ports map[string]struct{}            `pulumi:"ports,optional"`
		Roles map[string]bind.Output[string] `pulumi:"roles,optional"`
		Names bind.Output[map[string]string] `pulumi:"names,optional"`
		Null  map[string]*string             `pulumi:"null,optional"`
	}

	null, text := value.Null(), value.String("x")
	both := value.Object(value.Field("a", null), value.Field("b", text))
	secret := value.Object(value.Field("a", value.Secret(null).WithDependencies(urnA)), value.Field("b", text))
	v := value.Object(
		value.Field("tags", secret), value.Field("ports", value.Object(value.Field("a", null))), value.Field("roles", both),
		value.Field("names", secret), value.Field("null", both),
	)

	var x args

	info, err := bind.Decode(v, &x, bind.Options{})
	if err != nil {
		t.Fatal(err)
	}

	if len(x.Tags) != 1 || x.Ports == nil || len(x.Ports) != 0 || len(x.Roles) != 1 || len(x.Null) != 2 {
		t.Errorf("%v", x)
	}

	if names, known := x.Names.Known(); !known || len(names) != 1 || !x.Names.IsSecret() || len(x.Names.Dependencies()) != 1 {
		t.Errorf("%v", x.Names)
	}

	got, err := info.Encode(x)
	if err != nil || !(value.IgnoreSecrets|value.IgnoreDependencies).Equal(got, v) {
		t.Errorf("%v, %v, not %v", got, err, v)
	}

	if got := got.Field("tags"); !got.Identical(secret) {
		t.Errorf("%v, not %v", got, secret)
	}

	x.Tags["c"], x.Tags["a"] = "y", "now"
	changed, err := info.Encode(x)
	if got, _ := changed.Field("tags").Field("a").AsString(); err != nil || got != "now" || changed.Field("tags").Len() != 3 {
		t.Errorf("%v, %v", changed, err)
	}

	_, err = bind.As[struct {
		L []string `pulumi:"l"`
	}](value.Object(value.Field("l", value.Array(text, null))))
	if err == nil || err.Error() != "bind: decode: l[1]: expected string, found null" {
		t.Error(err)
	}
}
