package laws

import (
	"fmt"
	"slices"
	"strings"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

// Only states have a property named computed.
const computed = "computed output"

// answered is a provider's Diff: what it was given, and what it answers.
type answered struct {
	sides      provider.Sides
	differ     provider.Differ
	comparison provider.Comparison
	response   provider.Response
}

func drawAnswered(t *rapid.T) answered {
	pair := drawPair(t, fuzz.ObjectPairs(fuzz.Options{Nodes: 12}))
	old, state := trees.AsObject(pair.Old), trees.AsObject(pair.Old)
	for range rapid.IntRange(0, 2).Draw(t, "drift") {
		state = trees.AsObject(fuzz.Internal.EditOnce(t, state, fuzz.Options{}))
	}
	state, _ = state.With(path.Of(path.Key(computed)), value.String("known after"))
	a := answered{
		sides: provider.Sides{OldInputs: old, OldState: state, News: trees.AsObject(pair.New)},
		differ: provider.Differ{
			Arrays: rapid.SampledFrom([]diff.Match{
				diff.Positional(), diff.Aligned(), diff.Unordered(), diff.Keyed(path.MustParse("name")),
			}).Draw(t, "arrays"),
			Drift: rapid.SampledFrom([]bool{false, true}).Draw(t, "drift shown"),
			Relation: rapid.SampledFrom([]value.Relation{
				value.Engine, value.Engine, value.IgnoreSecrets, value.IgnoreDependencies, value.IgnoreSecrets | value.IgnoreDependencies,
			}).Draw(t, "relation"),
			ReplaceOn: fuzz.Internal.Sets(trees.Paths(pair.New)...).Draw(t, "replace on"), Stables: []string{computed, "name"}, DeleteBeforeReplace: true,
			Direction: rapid.SampledFrom([]provider.Direction{provider.TwoWay, provider.EngineOneWay, provider.ThroughElements}).Draw(t, "direction"),
		},
	}
	log(t, "state", state)

	if rapid.IntRange(0, 5).Draw(t, "no old inputs") == 0 {
		a.sides.OldInputs = value.Null()
		a.differ.InputNames = slices.Collect(old.Keys())
	}

	a.comparison = a.differ.Compare(a.sides)
	a.response = a.comparison.Response()
	return a
}

// Law18Truthful is the law that all parts of a response come from one comparison and agree, that a
// validator finds nothing untrue in it, and that it reads back as it was.
func Law18Truthful(t *rapid.T) {
	a := drawAnswered(t)
	checkAgreement(t, a)
	// Without knowing how elements are matched, a validator cannot know what an answer leaves
	// out on purpose.
	byIndex := a.differ.Arrays == diff.Positional()
	for _, f := range check.Validate(a.response, a.sides, provider.Differ{Relation: a.differ.Relation}) {
		if f.Severity == check.SeverityError || f.Code == "below-secret" || f.Code == "output-only" || (f.Code == "unreported" && byIndex) {
			t.Fatalf("found in a true response: %v\n%v", f, a.response)
		}
	}

	for _, f := range check.Validate(a.response, a.sides, a.differ) {
		if strings.HasPrefix(f.Code, "should-") || f.Code == "unreported" {
			t.Fatalf("found in a true response: %v\n%v", f, a.response)
		}
	}
	if a.response.HasDetailed && a.differ.Relation|value.Engine == value.Engine { // Read knows no other
		checkReading(t, a)
	}
}

// checkAgreement compares the parts of a response with each other.
func checkAgreement(t *rapid.T, a answered) {
	r := a.response

	var names, replaces []string
	for i, e := range r.Detailed {
		back, err := path.ParsePulumi(e.Key)
		if err != nil || back != e.Path() || e.Key == "" {
			t.Fatalf("the key %q of %v: %v", e.Key, e.Path(), err)
		}
		if i > 0 && (e.Path().Compare(r.Detailed[i-1].Path()) <= 0 || e.Path().HasPrefix(r.Detailed[i-1].Path())) {
			t.Fatalf("%v after %v", e.Key, r.Detailed[i-1].Key)
		}

		first, _, _ := e.Path().Cut()
		name, _ := first.AsKey()
		names = append(names, name)
		if e.Replace() {
			replaces = append(replaces, name)
		}
	}
	if r.HasDetailed && (!slices.Equal(slices.Compact(names), r.Diffs) || !slices.Equal(slices.Compact(replaces), r.Replaces)) {
		t.Fatalf("names and entries disagree: %v", r)
	}
	if (!r.HasDetailed && r.Detailed != nil) || !slices.IsSorted(r.Diffs) || !slices.IsSorted(r.Replaces) || slices.Contains(r.Diffs, computed) {
		t.Fatalf("the names are not sorted: %v", r)
	}
	if told := len(r.Detailed) > 0 || !r.HasDetailed; told != (r.Changes == rpc.DiffSome) || (told && a.comparison.Empty()) || !r.DeleteBeforeReplace {
		t.Fatalf("the whole disagrees with its parts: %v", r)
	}
	if slices.ContainsFunc(r.Stables, func(name string) bool { return slices.Contains(r.Diffs, name) }) {
		t.Fatalf("what is stable changed: %v", r)
	}
}

// checkReading makes a Diff of the response again, which shows every entry and
// tells the same, unless indexes disagree: those of old inputs and of state, or of
// elements that are aligned and null.
func checkReading(t *rapid.T, a answered) {
	reading := check.ReadResponse(a.response, a.sides)
	byIndex := a.differ.Arrays == diff.Positional() && !a.differ.Drift
	// Without old inputs, nothing says that __meta was one.
	pseudo := func(o check.Omitted) bool { return o.Why == check.OmittedMetaKey && a.sides.OldInputs.IsNull() }
	if slices.ContainsFunc(reading.Omitted, pseudo) {
		return
	}
	if len(reading.Omitted) > 0 && byIndex {
		t.Fatalf("not shown: %v of %v", reading.Omitted, a.response)
	}

	again := provider.Differ{}.Respond(reading.Diff)
	if !slices.Equal(again.Diffs, a.response.Diffs) && len(reading.Omitted) == 0 {
		t.Fatalf("read back as %v, from %v", again, a.response)
	}
	if !byIndex {
		return
	}

	same := slices.EqualFunc(again.Detailed, a.response.Detailed, func(x, y provider.Entry) bool {
		return x.Key == y.Key && protocol.WithReplace(x.Kind) == protocol.WithReplace(y.Kind)
	})
	if !same {
		t.Fatalf("read back as %v, from %v", again, a.response)
	}
}

// Law18Direct is the law that an answer that is made directly from two values is that of their
// diff, in every mode.
func Law18Direct(t *rapid.T) {
	pair := drawPair(t, fuzz.Pairs(fuzz.Options{Nodes: 12}))
	modes := rapid.SampledFrom([]diff.Match{
		diff.Positional(), diff.Aligned(), diff.Unordered(), diff.Keyed(path.MustParse("name")),
	})
	paths := trees.Paths(pair.New)
	o := provider.Differ{
		Relation:       value.Relation(rapid.Byte().Draw(t, "relation")),
		MaybeIsChanged: rapid.Bool().Draw(t, "unknowns"),
		Arrays:         modes.Draw(t, "arrays"),
		ReplaceOn:      fuzz.Internal.Sets(paths...).Draw(t, "replace on"),
		Direction:      rapid.SampledFrom([]provider.Direction{provider.TwoWay, provider.EngineOneWay, provider.ThroughElements}).Draw(t, "direction"),
		Stables:        []string{computed, "name", "a"},
		AnswerUnknown:  rapid.Bool().Draw(t, "answer unknown"),
	}
	if rapid.Bool().Draw(t, "with a rule") {
		pattern := fuzz.PatternsFor(paths...).Draw(t, "pattern")
		o.ArrayRules = []diff.ArrayRule{{Pattern: pattern, Match: modes.Draw(t, "its arrays")}}
	}

	if rapid.Bool().Draw(t, "with equality") {
		s := spelled{old: pair.Old, now: pair.New}
		s.drawRules(t)
		o.Equality = s.rules
	}

	c := o.Compare(provider.Sides{OldInputs: pair.Old, OldState: pair.Old, News: pair.New})
	direct := c.Response()
	respond := o.RespondInputs
	if protocol.Nothing(pair.Old) {
		respond = o.Respond
	}
	if tree := respond(c.Inputs()); fmt.Sprintf("%#v", direct) != fmt.Sprintf("%#v", tree) {
		t.Fatalf("directly:\n%#v\nof the diff:\n%#v", direct, tree)
	}
	if c.Empty() != c.Inputs().Empty() {
		t.Fatal("empty or not")
	}
}

// Law18Lies is the law that the validator finds a lie that is planted in a true response, by its
// code.
func Law18Lies(t *rapid.T) {
	a := drawAnswered(t)
	all := lies()
	first := rapid.IntRange(0, len(all)-1).Draw(t, "lie")
	told := a.response
	told.Detailed, told.Diffs, told.Replaces = slices.Clone(told.Detailed), slices.Clone(told.Diffs), slices.Clone(told.Replaces)
	l := liar{sides: a.sides, known: a.differ, response: &told}
	if len(told.Detailed) > 0 {
		l.at = rapid.IntRange(0, len(told.Detailed)-1).Draw(t, "entry")
		l.entry = &told.Detailed[l.at]
	}

	i := slices.IndexFunc(slices.Concat(all[first:], all[:first]), func(lie lie) bool {
		return (!lie.needsEntry || l.entry != nil) && lie.tell(&l) // else there is no place for it
	})
	lie := all[(first+i)%len(all)]
	t.Logf("%v is changed to %v", a.response, told)
	o := provider.Differ{Relation: a.differ.Relation, Ignored: l.ignored}
	if strings.HasPrefix(lie.code, "should-") {
		o = a.differ
	}
	found := check.Validate(told, a.sides, o)
	if !slices.ContainsFunc(found, func(f check.Finding) bool { return f.Code == lie.code }) {
		t.Fatalf("%v is not found, but %v", lie.code, found)
	}

	for _, f := range found {
		if f.Severity < check.SeverityNote || f.Advice == "" || !strings.Contains(f.String(), f.Code) {
			t.Fatalf("a finding without a sentence: %v", f)
		}
	}
}
