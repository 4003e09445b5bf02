package fuzz_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/internal/test/kit"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// passOn is the Check of a provider that takes everything.
func passOn(_ context.Context, request *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	return &rpc.CheckResponse{Inputs: request.News}, nil
}

// honest is the Diff of a provider whose answers are true.
func honest(_ context.Context, request *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	return provider.Differ{}.Answer(request)
}

// served generates the inputs of a small server.
func served() *rapid.Generator[value.Value] {
	plain := fuzz.Options{Style: fuzz.Plain, NoDependencies: true, NoSealed: true}

	return rapid.Custom(func(t *rapid.T) value.Value {
		text := rapid.Map(rapid.SampledFrom([]string{"a", "b", "c"}), value.String)
		tags := rapid.Map(rapid.SliceOfN(text, 0, 3), func(tags []value.Value) value.Value { return value.Array(tags...) })

		return value.Object(
			value.Member{Key: "name", Value: rapid.OneOf(text, rapid.Just(value.Unknown())).Draw(t, "name")},
			value.Member{Key: "password", Value: rapid.Map(text, value.Secret).Draw(t, "password")},
			value.Member{Key: "tags", Value: tags.Draw(t, "tags")},
			value.Member{Key: "extra", Value: fuzz.Values(plain).Draw(t, "extra")},
		)
	})
}

// TestHonestProviders: what does as it should passes, with inputs of any kind.
func TestHonestProviders(t *testing.T) {
	for name, p := range map[string]fuzz.Provider{
		"of anything": {Check: passOn, Diff: honest},
		"hostile":     {Check: passOn, Diff: honest, Options: fuzz.Options{Style: fuzz.Hostile}},
		"of servers":  {Check: passOn, Diff: honest, Inputs: served()},
		"no check":    {Diff: honest, Options: fuzz.Options{NoSecrets: true, NoUnknowns: true}},
		"no diff":     {Check: passOn},
		"drift shown": {Diff: func(_ context.Context, request *rpc.DiffRequest) (*rpc.DiffResponse, error) {
			return provider.Differ{Drift: true}.Answer(request)
		}},
		"that does not name changes": {Diff: func(ctx context.Context, request *rpc.DiffRequest) (*rpc.DiffResponse, error) {
			r, err := honest(ctx, request)
			if err != nil {
				return nil, err
			}

			return &rpc.DiffResponse{Changes: r.Changes}, nil
		}},
		"that leaves it to the engine": {Diff: func(context.Context, *rpc.DiffRequest) (*rpc.DiffResponse, error) { return &rpc.DiffResponse{}, nil }},
		"that refuses all": {
			Check: func(context.Context, *rpc.CheckRequest) (*rpc.CheckResponse, error) { return nil, errors.New("no") },
			Diff:  func(context.Context, *rpc.DiffRequest) (*rpc.DiffResponse, error) { panic("asked all the same") },
		},
		"with rules of equality": {Check: passOn, Diff: meaning, Inputs: spelled(), Compared: provider.Differ{Equality: sameName()}},
		"that overlooks marks":   {Check: passOn, Diff: answering(noMarks()), Compared: noMarks()},
		"that replaces":          {Check: passOn, Diff: answering(replacing("name", "tags[*]")), Inputs: served(), Compared: replacing("name", "tags[*]")},
		"that replaces for all":  {Check: passOn, Diff: answering(replacing("[*]"))},
		"that replaces for what is quiet": {
			Check: passOn, Diff: answering(replacing("name")), Inputs: served(), Compared: replacing("name", "tags[*]"),
			Quiet: []path.Pattern{path.MustParsePattern("tags")},
		},
		"that has rules, and is quiet": {
			Check: passOn, Diff: answering(provider.Differ{Ignored: []path.Pattern{path.MustParsePattern("password"), path.MustParsePattern("tags")}, Equality: sameName()}), Inputs: served(),
			Compared: provider.Differ{Equality: sameName()}, Quiet: []path.Pattern{path.MustParsePattern("password"), path.MustParsePattern("tags")},
		},
		"of names in any order": {Check: failing(shuffled), Diff: shuffledDiff(), Inputs: served(), Compared: replacing("[*]")},
		"of a set":              {Check: passOn, Diff: answering(asSet()), Inputs: served(), Compared: asSet()},
		"of sorted tags":        {Check: passOn, Diff: sorted, Inputs: served(), Quiet: []path.Pattern{path.MustParsePattern("tags")}},
	} {
		t.Run(name, func(t *testing.T) { rapid.Check(t, p.Law) })
	}
}

// shuffled are failures in the order of a map, for names that begin with a capital.
func shuffled(news value.Value) (failures []rpc.CheckFailure) {
	name, _ := news.Field("name").AsString()
	for property := range map[string]bool{"name": true, "password": true, "tags": true, "extra": true} {
		if name == "c" {
			failures = append(failures, rpc.CheckFailure{Property: property, Reason: "no"})
		}
	}

	return failures
}

// failing is the Check of a provider that refuses inputs.
func failing(failures func(news value.Value) []rpc.CheckFailure) func(context.Context, *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	return func(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
		return &rpc.CheckResponse{Inputs: r.News, Failures: failures(r.News)}, nil
	}
}

// shuffledDiff is the Diff of a provider that replaces for every change, with names in the
// order of a map.
func shuffledDiff() func(context.Context, *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	diff := answering(replacing("[*]"))

	return func(ctx context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
		response, err := diff(ctx, r)
		if err != nil {
			return nil, err
		}

		names := map[string]bool{}
		for _, name := range response.Diffs {
			names[name] = true
		}

		replaces := map[string]bool{}
		for _, name := range response.Replaces {
			replaces[name] = true
		}

		response.Diffs, response.Replaces = slices.Collect(maps.Keys(names)), slices.Collect(maps.Keys(replaces))

		return response, nil
	}
}

// spelled generates inputs with a name in upper or lower case, and maybe empty tags.
func spelled() *rapid.Generator[value.Value] {
	return rapid.Custom(func(t *rapid.T) value.Value {
		v := value.Object(
			value.Field("name", value.String(rapid.SampledFrom([]string{"a", "A", "b"}).Draw(t, "name"))),
			value.Field("size", value.Number(float64(rapid.IntRange(0, 1).Draw(t, "size")))),
		)
		if rapid.Bool().Draw(t, "tags") {
			v, _ = v.WithField("tags", value.Array())
		}

		return v
	})
}

// asSet are the options of a provider for which tags are a set, in any case.
func asSet() provider.Differ {
	tags := path.MustParsePattern("tags")

	return provider.Differ{
		ArrayRules: []diff.ArrayRule{{Pattern: tags, Match: diff.Unordered()}},
		Equality:   equality.MustRules(equality.Rule{Pattern: path.MustParsePattern("tags[*]"), Form: equality.FoldCase}),
	}
}

// named generates inputs with one of these names.
func named(names ...value.Value) *rapid.Generator[value.Value] {
	return rapid.Map(rapid.SampledFrom(names), func(name value.Value) value.Value {
		return value.Object(value.Field("name", name))
	})
}

// noMarks are the options of a provider for which marks do not count.
func noMarks() provider.Differ {
	return provider.Differ{Relation: value.IgnoreSecrets | value.IgnoreDependencies}
}

// replacing are the options of a provider that replaces for changes at these places.
func replacing(patterns ...string) provider.Differ {
	return provider.Differ{ReplaceOn: path.MustSet(patterns...)}
}

// always is the Diff of a provider that replaces for every change, of marks too.
func always(ctx context.Context, request *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	r, err := honest(ctx, request)
	if err != nil {
		return nil, err
	}

	for key, d := range r.DetailedDiff {
		d.Kind |= rpc.PropertyDiffAddReplace
		r.DetailedDiff[key] = d
	}

	r.Replaces = r.Diffs

	return r, nil
}

// answering is the Diff of a provider with these options.
func answering(o provider.Differ) func(context.Context, *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	return func(_ context.Context, request *rpc.DiffRequest) (*rpc.DiffResponse, error) {
		return o.Answer(request)
	}
}

func sameName() *equality.Rules {
	return equality.MustRules(
		equality.Rule{Pattern: path.MustParsePattern("name"), Form: equality.FoldCase},
		equality.Rule{Pattern: path.MustParsePattern("tags"), Empty: true},
	)
}

// meaning is the Diff of a provider that takes names in any case for equal.
func meaning(_ context.Context, request *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	return provider.Differ{Equality: sameName()}.Answer(request)
}

// TestUnmatchedPatterns: what matched nothing in a whole run is probably misspelt.
func TestUnmatchedPatterns(t *testing.T) {
	wrong := equality.MustRules(
		equality.Rule{Pattern: path.MustParsePattern("nam"), Form: equality.FoldCase},
		equality.Rule{Pattern: path.MustParsePattern("tags"), Empty: true},
	)
	p := fuzz.Provider{Check: passOn, Inputs: spelled(), Compared: provider.Differ{
		Equality: equality.MustRules(equality.Rule{Pattern: path.MustParsePattern("tags")}), ReplaceOn: path.MustSet("name", "rules[*].port"),
		ArrayRules: []diff.ArrayRule{{Pattern: path.MustParsePattern("tag"), Match: diff.Unordered()}}, Ignored: []path.Pattern{path.MustParsePattern("nothing")},
	}}
	p.Diff = answering(p.Compared)
	want := []string{
		"the pattern rules[*].port matched nothing in the whole run",
		"the pattern tag matched nothing in the whole run",
		"the pattern nothing matched nothing in the whole run",
	}
	if got := alone(t, p); !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	if got := (&provider.Differ{Equality: wrong}).Unmatched(provider.Sides{News: value.Object(value.Field("tags", value.Array()))}); len(got) != 1 || got[0].String() != "nam" {
		t.Errorf("matched nothing: %v", got)
	}
	if got := (&provider.Differ{Ignored: []path.Pattern{path.MustParsePattern("url")}}).Unmatched(provider.Sides{OldState: value.Object(value.Field("url", value.String("")))}); got != nil {
		t.Errorf("what only state has matched nothing: %v", got)
	}
	if got := alone(t, fuzz.Provider{Check: passOn, Diff: meaning, Inputs: spelled(), Compared: provider.Differ{Equality: sameName()}}); got != nil {
		t.Errorf("matched nothing: %v", got)
	}
}

// picky is the Check of a provider of servers: it takes few regions and no secrets.
func picky(accepts func(region string) bool) func(context.Context, *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	return func(_ context.Context, request *rpc.CheckRequest) (*rpc.CheckResponse, error) {
		r := &rpc.CheckResponse{Inputs: request.News}
		region, isKnown := request.News.Field("region").AsString()
		if isKnown = isKnown || !request.News.Field("region").IsUnknown(); isKnown && !accepts(region) {
			r.Failures = []rpc.CheckFailure{
				{Property: "region", Reason: "is not hunter2"},
				{Property: "secret.hunter2"},
				{},
				{},
				{},
			}
		}

		return r, nil
	}
}

// TestFewReachDiff: a law that hardly tests Diff does not pass, and says where inputs were
// refused, without what is secret.
func TestFewReachDiff(t *testing.T) {
	valid := func(region string) bool { return region == "a" || region == "b" }
	inputs := func(regions ...string) *rapid.Generator[value.Value] {
		return rapid.Map(rapid.SampledFrom(regions), func(region string) value.Value {
			secret := value.Secret(value.Object(value.Field("hunter2", value.Number(1))))

			return value.Object(value.Field("region", value.String(region)), value.Field("secret", secret))
		})
	}
	refusal := "before that: Check failed at region, secret[secret], the root, 2 more. Set Inputs"
	fail := func(context.Context, *rpc.DiffRequest) (*rpc.DiffResponse, error) {
		return nil, errors.New("no region hunter2")
	}

	for name, row := range map[string]struct {
		p    fuzz.Provider
		want string
	}{
		"valid":             {fuzz.Provider{Check: picky(valid), Diff: honest, Inputs: inputs("a", "b")}, ""},
		"half are valid":    {fuzz.Provider{Check: picky(valid), Diff: honest, Inputs: inputs("a", "b", "c", "d")}, ""},
		"none is valid":     {fuzz.Provider{Check: picky(valid), Diff: honest, Inputs: inputs("c")}, refusal},
		"of anything":       {fuzz.Provider{Check: picky(valid), Diff: honest}, "Check failed at region"},
		"Diff always fails": {fuzz.Provider{Diff: fail, Inputs: inputs("a")}, " tries reached Diff, so that little was tested; before that: Diff returned an error, which shows a secret. Set"},
		"Check always fails": {fuzz.Provider{Diff: honest, Inputs: inputs("a"), Check: func(context.Context, *rpc.CheckRequest) (*rpc.CheckResponse, error) {
			return nil, errors.New("hunter2")
		}}, "before that: Check returned an error, which shows a secret. Set"},
		"Check always fails, and shows a number": {fuzz.Provider{Diff: honest, Check: func(context.Context, *rpc.CheckRequest) (*rpc.CheckResponse, error) {
			return nil, errors.New("not 123456, hunter" + "2")
		}, Inputs: rapid.Just(value.Object(value.Field("pin", value.Secret(value.Number(123456)))))}, "before that: Check returned an error, which shows a secret. Set"},
		"Check always fails, and says why": {fuzz.Provider{Diff: honest, Inputs: inputs("a"), Check: func(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
			return nil, fmt.Errorf("unknown type %q\n%s", r.Type, strings.Repeat("x", 1000))
		}}, `before that: Check returned the error: "unknown type \"t\"\nxxx`},
	} {
		t.Run(name, func(t *testing.T) {
			got := strings.Join(alone(t, row.p), "\n")
			if (got == "") != (row.want == "") || !strings.Contains(got, row.want) || strings.Contains(got, "hunter2") || len(got) > 800 {
				t.Errorf("%q, not %q", got, row.want)
			}
		})
	}

	if got := alone(t, fuzz.Provider{Check: picky(valid), Inputs: inputs("c")}); got != nil { // there is no Diff to reach
		t.Error(got)
	}

	reached := false
	p := fuzz.Provider{Check: picky(valid), Inputs: inputs("a", "b"), Diff: func(ctx context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
		reached = true

		return honest(ctx, r)
	}}
	rapid.Check(t, func(t *rapid.T) {
		reached = false
		if p.Law(t); !reached {
			t.Error("Diff is not reached: what has a canary in it is refused")
		}
	})
}

// sorted is the Diff of a provider that does not care for the order of tags.
func sorted(_ context.Context, request *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	return provider.Differ{Ignored: []path.Pattern{path.MustParsePattern("tags")}}.Answer(request)
}

// buggy is a provider with a bug, and what is said of it.
type buggy struct {
	p    fuzz.Provider
	want string
}

func buggyDiffs() []buggy {
	answer := func(change func(request *rpc.DiffRequest, r *rpc.DiffResponse)) fuzz.Provider {
		return fuzz.Provider{Check: passOn, Diff: func(ctx context.Context, request *rpc.DiffRequest) (*rpc.DiffResponse, error) {
			r, err := honest(ctx, request)
			if err == nil {
				change(request, r)
			}

			return r, err
		}}
	}
	calls := 0

	orders := rapid.Map(rapid.Permutation([]value.Value{value.String("a"), value.String("b")}), func(tags []value.Value) value.Value {
		return value.Object(value.Field("tags", value.Array(tags...)))
	})

	return []buggy{
		{fuzz.Provider{Check: passOn, Diff: honest, Inputs: orders, Compared: asSet(), Options: fuzz.Options{NoSecrets: true}}, "nothing changed"},
		{fuzz.Provider{Check: passOn, Diff: meaning, Inputs: spelled()}, "unreported"},
		{fuzz.Provider{Check: passOn, Diff: honest, Inputs: spelled(), Compared: provider.Differ{Equality: sameName()}}, "new-missing"},
		{fuzz.Provider{Diff: func(ctx context.Context, request *rpc.DiffRequest) (*rpc.DiffResponse, error) {
			request.OldInputs = request.Olds // computed outputs are not inputs

			return honest(ctx, request)
		}}, "DIFF_SOME, and nothing changed"},
		{fuzz.Provider{Check: passOn, Diff: answering(noMarks())}, "unreported"},
		{fuzz.Provider{Diff: honest, Inputs: named(value.String("a"), value.Secret(value.String("a"))), Compared: noMarks()}, "nothing changed"},
		{answer(func(_ *rpc.DiffRequest, r *rpc.DiffResponse) { *r = rpc.DiffResponse{Changes: rpc.DiffNone} }), "unreported"},
		{answer(func(request *rpc.DiffRequest, r *rpc.DiffResponse) {
			if request.News.ContainsUnknown() {
				*r = rpc.DiffResponse{Changes: rpc.DiffNone}
			}
		}), "unreported"},
		{answer(func(_ *rpc.DiffRequest, r *rpc.DiffResponse) {
			for key := range r.DetailedDiff {
				r.DetailedDiff[key] = rpc.PropertyDiff{Kind: rpc.PropertyDiffUpdate}
			}
		}), "-missing"},
		{answer(func(_ *rpc.DiffRequest, r *rpc.DiffResponse) { r.HasDetailedDiff = false }), "not-detailed"},
		{answer(func(_ *rpc.DiffRequest, r *rpc.DiffResponse) { r.Diffs = nil }), "diffs-missing"},
		{answer(func(request *rpc.DiffRequest, r *rpc.DiffResponse) {
			for name := range request.News.Members() {
				r.Stables = append(r.Stables, name)
			}
		}), "stables-reported"},
		{answer(func(_ *rpc.DiffRequest, r *rpc.DiffResponse) {
			if calls++; calls%2 == 0 {
				r.Stables = append(r.Stables, "id")
			}
		}), "another answer to the same request"},
		{answer(func(request *rpc.DiffRequest, _ *rpc.DiffResponse) {
			for _, v := range request.News.Members() {
				if v.IsNull() {
					panic("null!")
				}
			}
		}), "null!"},
		{fuzz.Provider{Check: passOn, Diff: func(ctx context.Context, request *rpc.DiffRequest) (*rpc.DiffResponse, error) {
			if request.News.Len() > 2 {
				return nil, errors.New("too many")
			}

			return honest(ctx, request)
		}}, "Diff fails for inputs that Check accepted: too many"},
		{fuzz.Provider{Diff: sorted, Inputs: served()}, "tags[0]: unreported"},
	}
}

// bucketDiff is the Diff of a provider that forgets that a region may not be known yet.
func bucketDiff(_ context.Context, request *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	old, _ := request.OldInputs.Field("region").AsString()
	now, known := request.News.Field("region").AsString()

	if !known || old == now {
		return &rpc.DiffResponse{Changes: rpc.DiffNone}, nil
	}

	return &rpc.DiffResponse{
		Changes: rpc.DiffSome, Diffs: []string{"region"}, HasDetailedDiff: true, Replaces: []string{"region"},
		DetailedDiff: map[string]rpc.PropertyDiff{"region": {Kind: rpc.PropertyDiffUpdateReplace, InputDiff: true}},
	}, nil
}

func buckets() *rapid.Generator[value.Value] {
	regions := rapid.SampledFrom([]value.Value{value.String("us-west-2"), value.String("eu-west-1"), value.Unknown()})

	return rapid.Map(regions, func(region value.Value) value.Value { return value.Object(value.Field("region", region)) })
}

// buggyReplacements replace where they should not, or do not where they should, or do
// nothing.
func buggyReplacements() []buggy {
	return []buggy{
		{fuzz.Provider{
			Check: passOn, Diff: answering(provider.Differ{Ignored: []path.Pattern{path.MustParsePattern("tags")}, Equality: sameName()}), Inputs: served(),
			Compared: provider.Differ{Equality: sameName()}, Quiet: []path.Pattern{path.MustParsePattern("password")},
		}, "tags[0]: unreported"},
		{fuzz.Provider{Diff: bucketDiff, Inputs: buckets(), Compared: replacing("region")}, "region: unreported"},
		{fuzz.Provider{Diff: answering(replacing("tags")), Inputs: served(), Compared: replacing("name", "tags")}, "name: should-replace"},
		{fuzz.Provider{Diff: answering(replacing("name", "tags")), Inputs: served(), Compared: replacing("name")}, "tags: should-update"},
		{fuzz.Provider{Diff: always, Inputs: named(value.String("a"), value.Secret(value.String("a"))), Compared: replacing("name")}, "name: should-update"},
	}
}

func buggyChecks() []buggy {
	check := func(f func(news value.Value) (*rpc.CheckResponse, error)) fuzz.Provider {
		return fuzz.Provider{Check: func(_ context.Context, request *rpc.CheckRequest) (*rpc.CheckResponse, error) { return f(request.News) }}
	}

	return []buggy{
		{check(func(news value.Value) (*rpc.CheckResponse, error) {
			return &rpc.CheckResponse{Inputs: stripped(news)}, nil
		}), "secret lost"},
		{check(func(news value.Value) (*rpc.CheckResponse, error) {
			name, _ := news.Field("name").AsString()

			return nil, fmt.Errorf("bad name %q", name)
		}), "the error of Check shows a secret"},
		{check(func(news value.Value) (*rpc.CheckResponse, error) {
			name, _ := news.Field("name").AsString()

			return &rpc.CheckResponse{Inputs: news, Failures: []rpc.CheckFailure{{Property: "name", Reason: name + " is taken"}}}, nil
		}), "what Check returns shows a secret"},
		{check(func(news value.Value) (*rpc.CheckResponse, error) {
			v, err := news.With(path.MustParse("arn"), value.Unknown())

			return &rpc.CheckResponse{Inputs: v}, err
		}), "not allowed if the request had none"},
		{check(func(value.Value) (*rpc.CheckResponse, error) { return nil, nil }), "neither a response nor an error"},
		{check(func(news value.Value) (*rpc.CheckResponse, error) {
			texts, _ := news.Field("texts").AsNumber()
			v, _ := news.WithField("texts", value.Number(texts+1).WithMarksOf(news.Field("texts")))

			return &rpc.CheckResponse{Inputs: v}, nil
		}), "Check is not idempotent: it changes inputs that it returned"},
		{check(func(news value.Value) (*rpc.CheckResponse, error) {
			if _, there := news.Lookup("arn"); there {
				return &rpc.CheckResponse{Inputs: news, Failures: []rpc.CheckFailure{{Property: "arn", Reason: "is computed"}}}, nil
			}

			v, _ := news.WithField("arn", value.String("x"))

			return &rpc.CheckResponse{Inputs: v}, nil
		}), "Check refuses inputs that it returned"},
	}
}

// TestBuggyProviders: each bug is found, and the smallest failure says what it is.
func TestBuggyProviders(t *testing.T) {
	for i, row := range slices.Concat(buggyDiffs(), buggyReplacements(), buggyChecks()) {
		said, failed := kit.CheckRecorded(2000, true, row.p.Law)
		if !failed || !strings.Contains(said, row.want) {
			t.Errorf("row %d: failed %v, not for %q:\n%s", i, failed, row.want, said)
		}

		if failed && !strings.Contains(said, "request := &rpc.") {
			t.Errorf("row %d: no reproduction:\n%s", i, said)
		}
	}
}

// stripped is an object whose members are secret no more.
func stripped(v value.Value) value.Value {
	var members []value.Member
	for key, m := range v.Members() {
		members = append(members, value.Member{Key: key, Value: m.DropSecret()})
	}

	return value.Object(members...)
}
