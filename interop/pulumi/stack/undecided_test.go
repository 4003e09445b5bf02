package stack_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	pulumiengine "github.com/pulumi/pulumi/pkg/v3/engine"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy/deploytest"
	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/decide"
	"github.com/propalg/propalg/internal/test/sample"
	"github.com/propalg/propalg/internal/test/trees"
	pulumi "github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// scene is a resource whose provider has checked its inputs, and answers.
type scene struct {
	old, now          value.Value
	theirOld          resource.PropertyMap
	theirNow          resource.PropertyMap
	response          provider.Response
	ignored, replaces []path.Pattern
	ignoredTexts      []string
	replacesTexts     []string
	situation         decide.Situation
}

// The values of an option.
var no, yes = false, true

// drawScene draws a scene. State files hold neither unknowns nor dependencies, but the
// engine compares what Check returned, which may have both.
func drawScene(t *rapid.T) *scene {
	o := fuzz.Options{NoSealed: true, Nodes: 12, Depth: 3}
	if rapid.Bool().Draw(t, "hostile") {
		o.Style = fuzz.Hostile
	}

	pair := fuzz.ObjectPairs(o).Draw(t, "inputs")
	s := &scene{old: bagOf(pair.Old), now: bagOf(pair.New)}

	s.theirOld, s.theirNow = theirs(t, s.old), theirs(t, s.now)

	places := append(fuzz.Internal.PathsOf(s.old), fuzz.Internal.PathsOf(s.now)...)
	s.ignored, s.ignoredTexts = drawPatterns(t, "ignored", places)
	s.replaces, s.replacesTexts = drawPatterns(t, "replaces", places)
	s.response = drawResponse(t, places)
	s.situation = decide.Situation{
		DeleteBeforeReplace: rapid.SampledFrom([]*bool{nil, &no, &yes}).Draw(t, "first"),
		InitErrors:          rapid.IntRange(0, 3).Draw(t, "failed") == 3,
		PendingReplacement:  rapid.IntRange(0, 7).Draw(t, "pending") == 7,
	}

	return s
}

// theirs returns a bag as the engine has it. No key of an entry can have what is not UTF-8.
func theirs(t *rapid.T, bag value.Value) resource.PropertyMap {
	if regexp.MustCompile(`\\x[89a-f]`).MatchString(fuzz.GoSource(bag)) {
		t.Skip("not UTF-8")
	}

	props, err := pulumi.ToPropertyMap(bag)
	if err != nil {
		t.Skip(err)
	}

	return props
}

// bagOf returns a bag that both sides compare alike. It has no marks of its own. What
// docs/differences.md lists is not in it: NaN, hints, texts and members that are read as
// something else, marks of secrets inside secrets, and contents without hashes. A container with dependencies is one value to the engine, below
// which there are no entries, so there is none.
func bagOf(v value.Value) value.Value { return alikeBelow(trees.Bare(v), false) }

func alikeBelow(v value.Value, inSecret bool) value.Value {
	if inSecret {
		v = v.DropSecret()
	}

	if v.Kind() == value.KindArray || v.Kind() == value.KindObject {
		v = v.DropDependencies()
		below := slices.DeleteFunc(trees.Children(v), func(c trees.Child) bool { return c.Step == path.Key(codec.SignatureKey) })

		for i := range below {
			below[i].Value = alikeBelow(below[i].Value, inSecret || v.OwnSecret())
		}

		return trees.Rebuild(v, below)
	}

	return trees.WithMarks(alikeLeaf(trees.Bare(v)), v)
}

// alikeLeaf returns a value without marks and children. A hash is that of the source, so that
// contents with the same hash are the same.
func alikeLeaf(v value.Value) value.Value {
	sum := sha256.Sum256([]byte(fuzz.GoSource(v)))
	hash := hex.EncodeToString(sum[:])

	if n, ok := v.AsNumber(); ok && math.IsNaN(n) {
		return value.Number(0)
	}

	if text, ok := v.AsString(); ok && slices.Contains(sample.Sentinels(), text) {
		return value.String("text")
	}

	if v.Kind() == value.KindAsset || v.Kind() == value.KindArchive {
		return v.WithHash(hash)
	}

	if v.IsUnknown() {
		return value.Unknown()
	}

	return v
}

// drawPatterns draws patterns that have a text.
func drawPatterns(t *rapid.T, label string, places []path.Path) (patterns []path.Pattern, texts []string) {
	patternsAt := fuzz.PatternsFor(places...)

	for range rapid.IntRange(0, 2).Draw(t, label) {
		p := patternsAt.Draw(t, "pattern")
		if text, err := p.Pulumi(); err == nil && text != "" {
			patterns, texts = append(patterns, p), append(texts, text)
		}
	}

	if rapid.IntRange(0, 9).Draw(t, "all") == 9 {
		p := path.PatternOf(path.Any())
		patterns, texts = append(patterns, p), append(texts, "[*]")
	}

	return patterns, texts
}

// byChance reports whether what the engine ignores depends on the order in which it goes
// through a map: it stops where a wildcard does not fit, with some of the map set back.
func byChance(old, now value.Value, ignored []path.Pattern) bool {
	for _, p := range ignore.Changes(old, now, ignored, ignore.AsEngine).Patterns {
		if len(p.Mismatches) > 0 && strings.Contains(p.Pattern.String(), "*") {
			return true
		}
	}

	return false
}

// drawResponse draws an answer to Diff, half of them undecided.
func drawResponse(t *rapid.T, places []path.Path) provider.Response {
	var names []string

	r := provider.Response{
		Changes:             rapid.SampledFrom([]rpc.DiffChanges{rpc.DiffUnknown, rpc.DiffUnknown, rpc.DiffUnknown, rpc.DiffSome, rpc.DiffSome, rpc.DiffNone, 7}).Draw(t, "changes"),
		DeleteBeforeReplace: rapid.Bool().Draw(t, "delete first"),
		HasDetailed:         rapid.Bool().Draw(t, "detailed"),
	}

	for _, p := range places {
		key, err := p.Pulumi()
		if err != nil || p.IsRoot() {
			continue
		}

		first, below, _ := p.Cut()
		if name, ok := first.AsKey(); ok && below.IsRoot() {
			names = append(names, name)
		}

		if r.HasDetailed && rapid.IntRange(0, 3).Draw(t, "entry") == 3 {
			r.Detailed = append(r.Detailed, provider.Entry{Key: key, Kind: rpc.PropertyDiffKind(rapid.IntRange(0, 5).Draw(t, "kind")), InputDiff: rapid.Bool().Draw(t, "input")})
		}
	}

	for _, name := range names {
		if rapid.IntRange(0, 3).Draw(t, "changed") == 3 {
			r.Diffs = append(r.Diffs, name)
		}

		if rapid.IntRange(0, 7).Draw(t, "replaced") == 7 {
			r.Replaces = append(r.Replaces, name)
		}
	}

	slices.SortFunc(r.Detailed, func(a, b provider.Entry) int { return strings.Compare(a.Key, b.Key) })
	r.Detailed = slices.CompactFunc(r.Detailed, func(a, b provider.Entry) bool { return a.Key == b.Key })

	return r
}

// does has the engine decide in a scene. Its preview takes the steps of an update.
func (s *scene) does(r *inProcess, before *deploy.Snapshot) (did ran, asked bool) {
	snapshot := clone(r.t, before)
	one := snapshot.Resources[len(snapshot.Resources)-1]
	one.Inputs, one.PendingReplacement = s.theirOld, s.situation.PendingReplacement

	if s.situation.InitErrors {
		one.InitErrors = []string{"failed"}
	}

	r.provider.CheckF = func(context.Context, plugin.CheckRequest) (plugin.CheckResponse, error) {
		return plugin.CheckResponse{Properties: s.theirNow}, nil
	}
	r.provider.CreateF = func(context.Context, plugin.CreateRequest) (plugin.CreateResponse, error) {
		return plugin.CreateResponse{ID: "id"}, nil
	}
	r.provider.UpdateF = func(context.Context, plugin.UpdateRequest) (plugin.UpdateResponse, error) {
		return plugin.UpdateResponse{}, nil
	}
	r.provider.DiffF = func(context.Context, plugin.DiffRequest) (plugin.DiffResult, error) {
		asked = true
		return answerOf(s.response), nil
	}

	options := deploytest.ResourceOptions{
		IgnoreChanges: s.ignoredTexts, ReplaceOnChanges: s.replacesTexts, DeleteBeforeReplace: s.situation.DeleteBeforeReplace,
	}

	return r.run(pulumiengine.Update, snapshot, true, registers(options)), asked
}

// misread reports whether the engine reads keys that it wrote for its entries as other paths,
// and whether it fails to read one, at which it ends.
func (s *scene) misread(r provider.Response) (misread, fails bool) {
	now, err := pulumi.ToPropertyMap(ignore.Changes(s.old, s.now, s.ignored, ignore.AsEngine).Value)
	if err != nil {
		panic(err)
	}

	for key := range plugin.NewDetailedDiffFromObjectDiff(s.theirOld.Diff(now), true) {
		_, err := resource.ParsePropertyPath(key)
		fails = fails || err != nil
	}

	for _, e := range r.Entries() {
		at := pulumi.ToPropertyPath(e.Path())
		read, err := resource.ParsePropertyPath(at.String())
		misread = misread || err != nil || !reflect.DeepEqual(read, at)
	}

	return misread || fails, fails
}

// TestUndecided holds Fallback, ReplaceOnChanges and Next against the engine: the step that
// it takes, and which names and entries it says changed or replace.
func TestUndecided(t *testing.T) {
	r := &inProcess{t: t, provider: deploytest.Provider{CreateF: creates}}
	before := r.made(registers(deploytest.ResourceOptions{}))
	var y tally

	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t)
		if byChance(s.old, s.now, s.ignored) {
			y.count("ignored by chance")
			return
		}

		did, asked := s.does(r, before)
		if !asked {
			t.Fatalf("the engine does not ask: %v", did.err)
		}

		sides := provider.Sides{OldInputs: s.old, OldState: s.old, News: s.now}
		compared := decide.Fallback(s.response, sides, s.ignored)
		decided := decide.ReplaceOnChanges(compared, sides, decide.ReplaceOptions{
			Patterns: path.NewSet(s.replaces...), Direction: provider.EngineOneWay, InitErrors: s.situation.InitErrors,
		})
		next := decide.Next(decided, s.situation)

		if s.response.Changes == rpc.DiffUnknown && compared.Changes == rpc.DiffSome {
			if misread, fails := s.misread(compared); misread {
				if fails != (did.err != nil) {
					t.Fatalf("the engine ends with %v, and fails to read its keys: %v\n%s", did.err, fails, s.source())
				}

				y.count(fmt.Sprint("keys that the engine misreads, and ends: ", fails))

				return
			}
		}

		want, op := taken(next.Step, s.situation.PendingReplacement)
		if got := did.ops(thingURN); got != want || (did.err != nil) != (next.Step == decide.StepFail) {
			t.Fatalf("the engine does %q, %v, and ours %v, which is %q\n%s", got, did.err, next, want, s.source())
		}

		if step, ok := did.step(thingURN, op); ok && decided.Changes == rpc.DiffSome {
			got, want := said(responseOf(step)), said(decided)
			if !next.Replaces() {
				got, want = strings.SplitAfter(got, ";")[0], strings.SplitAfter(want, ";")[0]
			}

			if got != want {
				t.Fatalf("%s: the engine says\n%s\nours\n%s\n%s", op, got, want, s.source())
			}
		}

		y.count("decided alike: " + next.Step.String())
	})

	for _, name := range slices.Sorted(maps.Keys(y.counts)) {
		t.Logf("%7d %s", y.counts[name], name)
	}
}

// taken returns the operations of a step in a preview, and the one that has the answer.
func taken(step decide.Step, pending bool) (ops, answered string) {
	switch {
	case step == decide.StepSame:
		return "same", "same"
	case step == decide.StepUpdate:
		return "update", "update"
	case step == decide.StepCreateFirst:
		return "create-replacement replace delete-replaced", "replace"
	case step == decide.StepDeleteFirst && pending:
		return "replace create-replacement", "replace"
	case step == decide.StepDeleteFirst:
		return "delete-replaced replace create-replacement", "replace"
	}

	return "", ""
}

// answerOf returns a response as the engine's own packages have it.
func answerOf(r provider.Response) plugin.DiffResult {
	d := plugin.DiffResult{Changes: plugin.DiffChanges(r.Changes), DeleteBeforeReplace: r.DeleteBeforeReplace}

	for _, name := range r.Replaces {
		d.ReplaceKeys = append(d.ReplaceKeys, resource.PropertyKey(name))
	}

	for _, name := range r.Diffs {
		d.ChangedKeys = append(d.ChangedKeys, resource.PropertyKey(name))
	}

	if r.HasDetailed {
		d.DetailedDiff = map[string]plugin.PropertyDiff{}
	}

	for _, e := range r.Entries() {
		d.DetailedDiff[e.Key] = plugin.PropertyDiff{Kind: plugin.DiffKind(e.Kind), InputDiff: e.InputDiff}
	}

	return d
}

// responseOf returns what the engine says of a step.
func responseOf(step pulumiengine.StepEventMetadata) provider.Response {
	r := provider.Response{HasDetailed: step.DetailedDiff != nil}

	for _, name := range step.Keys {
		r.Replaces = append(r.Replaces, string(name))
	}

	for _, name := range step.Diffs {
		r.Diffs = append(r.Diffs, string(name))
	}

	for key, d := range step.DetailedDiff {
		r.Detailed = append(r.Detailed, provider.Entry{Key: key, Kind: rpc.PropertyDiffKind(d.Kind), InputDiff: d.InputDiff})
	}

	return r
}

// said returns what a response says as a text: names and entries, then what replaces.
func said(r provider.Response) string {
	var entries []string

	for _, e := range r.Entries() {
		entries = append(entries, fmt.Sprintf("%s=%v %v", e.Key, e.Kind, e.InputDiff))
	}

	slices.Sort(entries)

	return fmt.Sprintf("%q %q; %q", slices.Sorted(slices.Values(r.Diffs)), entries, slices.Compact(slices.Sorted(slices.Values(r.Replaces))))
}

// source prints a scene.
func (s *scene) source() string {
	return fmt.Sprintf("old %s\nnew %s\nignoreChanges %q, replaceOnChanges %q, %+v\n%+v",
		fuzz.GoSource(s.old), fuzz.GoSource(s.now), s.ignoredTexts, s.replacesTexts, s.situation, s.response)
}
