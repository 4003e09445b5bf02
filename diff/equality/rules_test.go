package equality_test

import (
	"strings"
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// at returns a pattern.
func at(text string) path.Pattern { return path.MustParsePattern(text) }

// TestRespell compares what a diff shows with what was given.
func TestRespell(t *testing.T) {
	text, object, secret := value.String, func(v value.Value) value.Value { return value.Object(value.Field("a", v)) }, value.Secret
	fold := equality.Rule{Pattern: at("a"), Form: equality.FoldCase}
	empty := equality.Rule{Pattern: at("a"), Empty: true}
	port := equality.Rule{Pattern: at("a"), Default: value.Number(443), Form: equality.NumberText}
	for name, row := range map[string]struct {
		rules    []equality.Rule
		old, now value.Value
		o        diff.Options
		want     string
	}{
		"same":                      {[]equality.Rule{fold}, object(text("a")), object(text("A")), diff.Options{}, ""},
		"other":                     {[]equality.Rule{fold}, object(text("a")), object(text("B")), diff.Options{}, `~ a: "a" => "B"`},
		"elsewhere":                 {[]equality.Rule{{Pattern: at("b"), Form: equality.FoldCase}}, object(text("a")), object(text("A")), diff.Options{}, `~ a: "a" => "A"`},
		"becomes secret":            {[]equality.Rule{fold}, object(text("a")), object(secret(text("A"))), diff.Options{}, "~ a: [secret]  # becomes secret"},
		"depends":                   {[]equality.Rule{fold}, object(text("a")), object(text("A").WithDependencies("urn")), diff.Options{}, `~ a: "a"  # dependencies change`},
		"secret ignored":            {[]equality.Rule{fold}, object(secret(text("a"))), object(text("A")), diff.Options{Relation: value.IgnoreSecrets}, ""},
		"no longer secret":          {[]equality.Rule{fold}, object(secret(text("a"))), object(text("A")), diff.Options{}, "~ a: [secret] => [secret]  # no longer secret"},
		"default added":             {[]equality.Rule{port}, object(text("443.0")), value.Object(), diff.Options{}, ""},
		"default removed":           {[]equality.Rule{port}, value.Object(), object(value.Number(443)), diff.Options{}, ""},
		"no default":                {[]equality.Rule{port}, value.Object(), object(value.Number(80)), diff.Options{}, "+ a: 80"},
		"null at a default":         {[]equality.Rule{port}, value.Object(), object(value.Null()), diff.Options{}, ""},
		"empty in another way":      {[]equality.Rule{empty}, object(text("")), object(value.Array()), diff.Options{}, ""},
		"secret and empty":          {[]equality.Rule{empty}, value.Object(), object(secret(text(""))), diff.Options{}, "+ a: [secret]"},
		"may be empty":              {[]equality.Rule{empty}, value.Object(), object(value.Unknown()), diff.Options{}, "+ a: [unknown]?"},
		"surely not empty":          {[]equality.Rule{empty}, value.Object(), object(value.Array(value.Unknown())), diff.Options{}, "+ a: [[unknown]]"},
		"unknown":                   {[]equality.Rule{fold}, object(text("a")), object(value.Unknown()), diff.Options{}, `~ a: "a" => [unknown]?`},
		"both forms":                {[]equality.Rule{fold, {Pattern: at("a"), Form: equality.TrimSpace}}, object(text("a")), object(text(" A")), diff.Options{}, ""},
		"emptied from the inside":   {[]equality.Rule{empty, {Pattern: at("a.b"), Empty: true}}, value.Object(), object(value.Object(value.Field("b", text("")))), diff.Options{}, ""},
		"moved in a set":            {[]equality.Rule{{Pattern: at("a[*]"), Form: equality.FoldCase}}, object(value.Array(text("x"), text("Y"))), object(value.Array(text("y"), text("X"))), diff.Options{Arrays: diff.Unordered()}, "~ a: array (2)  # order changes"},
		"inserted":                  {[]equality.Rule{{Pattern: at("a[*]"), Form: equality.FoldCase}}, object(value.Array(text("x"), text("Y"))), object(value.Array(text("new"), text("X"), text("y"))), diff.Options{Arrays: diff.Aligned()}, `+ a[0]: "new"`},
		"keys in another case":      {[]equality.Rule{{Pattern: at("a[*].name"), Form: equality.FoldCase}}, object(value.Array(object(text("1")), named("x", "1"))), object(value.Array(named("X", "2"))), diff.Options{Arrays: diff.Keyed(path.MustParse("name"))}, `- a[0]: {a: "1"}; ~ a[0].v: "1" => "2"`},
		"removed":                   {[]equality.Rule{{Pattern: at("a[*]"), Form: equality.FoldCase}}, object(value.Array(text("x"), text("old"), text("Y"))), object(value.Array(text("X"), text("y"))), diff.Options{Arrays: diff.Aligned()}, `- a[1]: "old"`},
		"inserted further down":     {[]equality.Rule{{Pattern: at("a[*][*]"), Form: equality.FoldCase}}, object(value.Array(value.Array(text("x"), text("Y")), text("z"))), object(value.Array(value.Array(text("new"), text("X"), text("y")), text("z"))), diff.Options{Arrays: diff.Aligned()}, `+ a[0][0]: "new"`},
		"default of another kind":   {[]equality.Rule{{Pattern: at("a"), Default: named("x", "y"), Empty: true}}, object(value.Object()), object(value.Object(value.Field("name", text("x")), value.Field("v", value.Unknown()))), diff.Options{}, `+ a.name: "x"  # may turn out otherwise?; + a.v: [unknown]?`},
		"may be the default":        {[]equality.Rule{{Pattern: at("a"), Default: object(text("x"))}, {Pattern: at("a.q"), Empty: true}, {Pattern: at("a.q.r"), Empty: true}}, value.Object(), object(value.Object(value.Field("a", text("x")), value.Field("q", value.Object(value.Field("r", value.Unknown()))))), diff.Options{}, `+ a: {a: "x", q: {r: [unknown]}}  # may turn out otherwise?`},
		"a text or an array":        {[]equality.Rule{{Pattern: at("a"), Form: func(v value.Value) value.Value { return value.Array(v) }}}, object(text("x")), object(value.Array(value.Unknown())), diff.Options{}, `~ a: "x" => [[unknown]]  # may be the same?`},
		"spelling of a longer list": {[]equality.Rule{{Pattern: at("a[*]"), Form: equality.FoldCase}}, object(value.Array(text("x"))), object(value.Array(text("X"), text("Y"))), diff.Options{}, `+ a[1]: "Y"`},
	} {
		t.Run(name, func(t *testing.T) {
			var lines []string
			for c := range equality.MustRules(row.rules...).Between(row.old, row.now, row.o).Changes() {
				line := c.String()
				if c.Verdict() == value.Maybe {
					line += "?"
				}
				lines = append(lines, line)
			}
			if got := strings.Join(lines, "; "); got != row.want {
				t.Errorf("got  %s\nwant %s", got, row.want)
			}
		})
	}
}

func named(name, v string) value.Value {
	return value.Object(value.Field("name", value.String(name)), value.Field("v", value.String(v)))
}

func TestNewRulesRefuses(t *testing.T) {
	for want, rule := range map[string]equality.Rule{
		"equality: a[*]: default, empty or ignored for what is no member":  {Pattern: at("a[*]"), Empty: true},
		"equality: : default, empty or ignored for what is no member":      {Default: value.Bool(true)},
		"equality: a[**]: default, empty or ignored for what is no member": {Pattern: at("a[**]"), Ignored: true},
		"equality: [**].a: default with values in it, at any depth":        {Pattern: at("[**].a"), Default: value.Array(value.Null())},
		"equality: a: default with marks or unknowns":                      {Pattern: at("a"), Default: value.Array(value.Unknown())},
		"equality: b: default with marks or unknowns":                      {Pattern: at("b"), Default: value.Secret(value.String("hunter2"))},
	} {
		if _, err := equality.NewRules(rule); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestFormsAreForLeaves holds what a Form is called with, and which results count.
func TestFormsAreForLeaves(t *testing.T) {
	for _, odd := range []value.Value{value.Null(), value.Unknown(), value.Secret(value.String("x")), value.Array(value.Unknown())} {
		rules := equality.MustRules(equality.Rule{Pattern: at("a"), Form: func(value.Value) value.Value { return odd }})
		x := value.Object(value.Field("a", value.Number(1)))
		if got := rules.Normalize(x, value.Strict); !got.Identical(x) {
			t.Errorf("a form that returns %v makes %v", odd, got)
		}
	}
	rules := equality.MustRules(equality.Rule{Pattern: at("[*]"), Form: func(v value.Value) value.Value {
		if v.Kind() > value.KindString || v.IsSecret() || v.HasDependencies() {
			t.Errorf("called with %v", v.Kind())
		}
		return v
	}})
	asset := value.TextAsset("x")
	rules.Normalize(value.Array(value.Null(), value.Unknown(), value.Array(), value.Object(), asset, value.Secret(value.String("x")),
		value.Number(1).WithDependencies("urn"), value.Sealed{Ciphertext: "x"}.Value()), value.Strict)
}

// TestNothingHiddenIsFree: without a difference nothing is allocated, and respelling
// returns the value itself.
func TestNothingHiddenIsFree(t *testing.T) {
	rules := equality.MustRules(equality.Rule{Pattern: at("b"), Form: equality.FoldCase})
	old, now := value.Object(value.Field("a", value.String("x"))), value.Object(value.Field("a", value.String("y")))
	if got := rules.Respell(old, now, diff.Options{}); !value.Internal.SharesMemory(got, now) {
		t.Error("a value in which nothing is hidden was rebuilt")
	}
	if race.Enabled {
		return // which allocates
	}
	again := value.Object(value.Field("a", value.String("x")))
	if n := testing.AllocsPerRun(100, func() { rules.Between(old, again, diff.Options{}) }); n > 0 {
		t.Errorf("the diff of equal values allocates %v times", n)
	}
	if got := rules.Normalize(old, value.Strict); !value.Internal.SharesMemory(got, old) {
		t.Error("a value in normal form was rebuilt")
	}
}

// TestRespellWhatIsMissing: a null that counts as missing is no difference, so there is
// nothing to respell, at whatever depth it is.
func TestRespellWhatIsMissing(t *testing.T) {
	other := func(n float64) value.Member { return value.Field("other", value.Number(n)) }
	null, none := value.Object(value.Field("k", value.Null()), other(1)), value.Object(other(1))
	null2, none2 := value.Object(value.Field("k", value.Null()), other(2)), value.Object(other(2))
	pattern := at("k")
	for depth := range 6 {
		r := equality.MustRules(equality.Rule{Pattern: pattern, Empty: true})
		for _, sides := range [][2]value.Value{{null, none2}, {none, null2}} {
			got := r.Respell(sides[0], sides[1], diff.Options{Relation: value.NullAsMissing})
			if !value.Internal.SharesMemory(got, sides[1]) {
				t.Errorf("depth %d: %v becomes %v", depth, sides[1], got)
			}
		}

		for _, v := range []*value.Value{&null, &none, &null2, &none2} {
			*v = value.Object(value.Field("k", *v))
		}
		pattern = pattern.Append(path.Key("k"))
	}
}

// TestNullsInDefaults: what Default and Empty hide is decided by the Relation: a null in an
// object or array is a difference, unless the Relation treats it as missing.
func TestNullsInDefaults(t *testing.T) {
	at := path.MustParsePattern("name")
	null := value.Object(value.Field("a", value.Null()))
	one := value.Object(value.Field("x", value.Number(1)))
	for _, c := range []struct {
		name  string
		rule  equality.Rule
		value value.Value
	}{
		{"Empty", equality.Rule{Pattern: at, Empty: true}, null},
		{"Default", equality.Rule{Pattern: at, Default: one}, value.Object(value.Field("x", value.Number(1)), value.Field("a", value.Null()))},
		{"Default in an array", equality.Rule{Pattern: at, Default: value.Array(value.Object())}, value.Array(null)},
	} {
		r := equality.MustRules(c.rule)
		for relation, want := range map[value.Relation]bool{value.Strict: false, value.IgnoreSecrets: false, value.NullAsMissing: true, value.Engine: true} {
			o := diff.Options{Relation: relation}
			if got := r.Between(value.Object(), value.Object(value.Field("name", c.value)), o).Empty(); got != want {
				t.Errorf("%s, %v: added: empty is %v", c.name, relation, got)
			}
			if got := r.Between(value.Object(value.Field("name", c.value)), value.Object(), o).Empty(); got != want {
				t.Errorf("%s, %v: removed: empty is %v", c.name, relation, got)
			}
		}
		if !r.Between(value.Object(), value.Object(value.Field("name", value.Null())), diff.Options{}).Empty() {
			t.Errorf("%s: a null is not as if missing", c.name)
		}
	}
}
