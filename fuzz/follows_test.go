package fuzz_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// sized generates inputs with a size, a name in any case and maybe an owner.
func sized() *rapid.Generator[value.Value] {
	return rapid.Custom(func(t *rapid.T) value.Value {
		v := value.Object(
			value.Field("name", value.String(rapid.SampledFrom([]string{"a", "A", "b", "B", "c"}).Draw(t, "name"))),
			value.Field("size", value.Number(rapid.SampledFrom([]float64{1, 2, 3, 9.4, 9.6, 500}).Draw(t, "size"))),
			value.Field("on", value.Bool(rapid.Bool().Draw(t, "on"))),
			value.Field("rule", value.Object(value.Field("port", value.Number(float64(rapid.IntRange(1, 5).Draw(t, "port")))))),
		)
		if rapid.Bool().Draw(t, "has an owner") {
			v, _ = v.WithField("owner", value.String(rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "owner")))
		}

		return v
	})
}

// checking is a provider whose Check returns what a function makes of old and new inputs.
func checking(f func(olds, news value.Value) value.Value) fuzz.Provider {
	return fuzz.Provider{Inputs: sized(), Check: func(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
		return &rpc.CheckResponse{Inputs: f(r.Olds, r.News)}, nil
	}}
}

// set returns an object with a member that is what a function makes of it.
func set(v value.Value, name string, f func(value.Value) value.Value) value.Value {
	v, _ = v.WithField(name, f(v.Field(name)).WithMarksOf(v.Field(name)))

	return v
}

// without returns an object without a member.
func without(v value.Value, name string) value.Value {
	v, _ = v.Without(path.Of(path.Key(name)))

	return v
}

// number and text are functions of values for functions of what they hold.
func number(f func(float64) float64) func(value.Value) value.Value {
	return func(v value.Value) value.Value {
		n, _ := v.AsNumber()

		return value.Number(f(n))
	}
}

func text(f func(string) string) func(value.Value) value.Value {
	return func(v value.Value) value.Value {
		s, _ := v.AsString()

		return value.String(f(s))
	}
}

// folding are the options of a provider for which the case of a name means nothing.
func folding() provider.Differ {
	return provider.Differ{Equality: equality.MustRules(equality.Rule{Pattern: path.MustParsePattern("name"), Form: equality.FoldCase})}
}

// followers are Checks that follow the program, each in its own way.
func followers() map[string]fuzz.Provider {
	all := map[string]fuzz.Provider{
		"as it is": checking(func(_, news value.Value) value.Value { return news }),
		"clamped": checking(func(_, news value.Value) value.Value {
			return set(news, "size", number(func(n float64) float64 { return min(n, 2) }))
		}),
		"at least 9.5": checking(func(_, news value.Value) value.Value {
			return set(news, "size", number(func(n float64) float64 { return max(n, 9.5) }))
		}),
		"rounded":       checking(func(_, news value.Value) value.Value { return set(news, "size", number(math.Round)) }),
		"in lower case": checking(func(_, news value.Value) value.Value { return set(news, "name", text(strings.ToLower)) }),
		"a default": checking(func(_, news value.Value) value.Value {
			return set(news, "owner", text(func(s string) string { return max(s, "nobody") }))
		}),
		"the old owner where the program has none": checking(func(olds, news value.Value) value.Value {
			return set(news, "owner", text(func(s string) string {
				if old, ok := olds.Field("owner").AsString(); ok && s == "" {
					return old
				}

				return max(s, "made-up")
			}))
		}),
		"the old spelling": checking(func(olds, news value.Value) value.Value {
			return set(news, "name", text(func(s string) string {
				if old, ok := olds.Field("name").AsString(); ok && strings.EqualFold(old, s) {
					return old
				}

				return s
			}))
		}),
		"a property of its own": checking(func(olds, news value.Value) value.Value {
			serial, _ := olds.Field("serial").AsNumber()
			news, _ = news.WithField("serial", value.Number(serial))

			return news
		}),
		"what it does not know is quiet": checking(func(_, news value.Value) value.Value { return without(news, "size") }),
	}

	spelling, unknown := all["the old spelling"], all["what it does not know is quiet"]
	spelling.Compared = folding()
	unknown.Quiet = []path.Pattern{path.MustParsePattern("size")}
	all["the old spelling"], all["what it does not know is quiet"] = spelling, unknown

	refusing := checking(nil)
	refusing.Check = func(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
		response := &rpc.CheckResponse{Inputs: r.News}
		if old := r.Olds.Field("name"); !old.IsNull() && !old.Equal(r.News.Field("name")) {
			response.Failures = []rpc.CheckFailure{{Property: "name", Reason: "cannot be changed"}}
		}

		return response, nil
	}
	all["refused"] = refusing

	return all
}

// TestChecksThatFollow: a Check may make another value of what a program says, or refuse it.
func TestChecksThatFollow(t *testing.T) {
	for name, p := range followers() {
		t.Run(name, func(t *testing.T) {
			if got := alone(t, p); got != nil {
				t.Error(got)
			}
		})
	}
}

// TestChecksThatKeep: a Check that returns old inputs in place of what the program says is
// found in a try.
func TestChecksThatKeep(t *testing.T) {
	keep := func(olds, news value.Value, name string) value.Value {
		if old, ok := olds.Lookup(name); ok {
			news, _ = news.WithField(name, old)
		}

		return news
	}

	for name, row := range map[string]struct {
		p  fuzz.Provider
		at string
	}{
		"the old size": {checking(func(olds, news value.Value) value.Value { return keep(olds, news, "size") }), "size"},
		"the larger size": {checking(func(olds, news value.Value) value.Value {
			old, _ := olds.Field("size").AsNumber()

			return set(news, "size", number(func(n float64) float64 { return max(n, old) }))
		}), "size"},
		"the old port": {checking(func(olds, news value.Value) value.Value {
			if old, ok := olds.Lookup("rule"); ok {
				news, _ = news.WithField("rule", keep(old, news.Field("rule"), "port"))
			}

			return news
		}), "rule.port"},
		"no owner where there was none": {checking(func(olds, news value.Value) value.Value {
			if _, had := olds.Lookup("owner"); !had && !olds.IsNull() {
				news = without(news, "owner")
			}

			return news
		}), "owner"},
		"the old spelling, which counts": {followers()["the old spelling"], "name"},
	} {
		t.Run(name, func(t *testing.T) {
			row.p.Compared = provider.Differ{}
			want := "Check does not follow the program, at " + row.at + ": "

			if said, failed := kit.CheckRecorded(1000, true, row.p.Law); !failed || !strings.Contains(said, want) {
				t.Errorf("failed %v, not for %q:\n%s", failed, want, said)
			}
		})
	}
}

// TestChecksThatIgnore: a property that is always the same, whatever the program says, is
// found in a run.
func TestChecksThatIgnore(t *testing.T) {
	always := func(name string, v value.Value) fuzz.Provider {
		return checking(func(_, news value.Value) value.Value {
			return set(news, name, func(value.Value) value.Value { return v })
		})
	}
	folded := always("name", value.String("a"))
	folded.Compared = folding()
	twoNames := folded
	twoNames.Inputs = named(value.String("a"), value.String("A"), value.String("b"))
	twoNames.Options.NoSecrets = true // a canary is a third
	quiet := always("size", value.Number(1))
	quiet.Quiet = []path.Pattern{path.MustParsePattern("size")}

	for name, row := range map[string]struct {
		p    fuzz.Provider
		want string
	}{
		"one size":                   {always("size", value.Number(10)), "size"},
		"always off":                 {always("on", value.Bool(false)), "on"},
		"one rule":                   {always("rule", value.Object(value.Field("port", value.Number(1)))), "rule"},
		"one name":                   {folded, "name"},
		"one name of two":            {twoNames, ""},
		"one size, which is quiet":   {quiet, ""},
		"what it does not know":      {checking(func(_, news value.Value) value.Value { return without(news, "size") }), "size"},
		"no answer for what is null": {fuzz.Provider{Check: passOn, Inputs: named(value.Null())}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			want := "Check always returned the same at " + row.want + ", whatever the program said"
			if got := strings.Join(alone(t, row.p), "\n"); (got == "") != (row.want == "") || (got != "" && !strings.HasPrefix(got, want)) {
				t.Errorf("%q, not %q", got, want)
			}
		})
	}
}
