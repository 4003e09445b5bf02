package pulumi_test

import (
	"flag"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// The long run: go test ./interop/pulumi -run TestResetAgrees -v -reset.count 1000000
var (
	resetCount = flag.Uint64("reset.count", 20_000, "how many triples of old, new and path")
	resetFrom  = flag.Uint64("reset.from", 0, "number of the first triple")
)

// resetTally counts what triples there were.
type resetTally struct {
	same, matched, stopped, changed, secrets, wildcards, twice atomic.Uint64
	excepted                                                   atomic.Uint64
}

// TestResetAgrees compares the engine's mode of ignore.Changes with the SDK's own
// PropertyPath.Reset on generated triples: result and ok. Excepted are those on
// which the SDK does not agree with itself, since it goes through objects in the
// order of a Go map; of these ours must be one of its answers.
func TestResetAgrees(t *testing.T) {
	var tally resetTally
	var next atomic.Uint64
	next.Store(*resetFrom)
	end := *resetFrom + *resetCount
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for n := next.Add(1) - 1; n < end && !t.Failed(); n = next.Add(1) - 1 {
				resetOne(t, n, &tally)
			}
		})
	}
	wait.Wait()
	t.Logf("%d triples: %d change nothing, %d match, %d of these change something; %d end in a mismatch, %d of these after a match; "+
		"%d paths with a wildcard, %d pairs with secrets; %d excepted, since the SDK's own answer varies",
		*resetCount, tally.same.Load(), tally.matched.Load(), tally.changed.Load(), tally.stopped.Load(), tally.twice.Load(),
		tally.wildcards.Load(), tally.secrets.Load(), tally.excepted.Load())
	if n := *resetCount; !t.Failed() && n >= 20_000 {
		for what, seen := range map[string]uint64{
			"matches": tally.matched.Load(), "mismatches": tally.stopped.Load(), "changes": tally.changed.Load(),
			"wildcards": tally.wildcards.Load(), "secrets": tally.secrets.Load(),
		} {
			if seen < n/20 {
				t.Errorf("only %d %s among %d triples", seen, what, n)
			}
		}
		if tally.excepted.Load() > n/50 {
			t.Errorf("%d of %d triples are excepted", tally.excepted.Load(), n)
		}
	}
}

// reset is the SDK's answer.
func reset(t *testing.T, old, now value.Value, p path.Pattern) (value.Value, bool) {
	t.Helper()
	before, err := pulumi.ToPropertyMap(old)
	if err != nil {
		t.Fatal(err)
	}
	after, err := pulumi.ToPropertyMap(now)
	if err != nil {
		t.Fatal(err)
	}
	way, err := pulumi.ToPropertyPathPattern(p)
	if err != nil {
		t.Fatal(err)
	}
	ok := way.Reset(before, after)
	got, err := pulumi.FromPropertyMap(after)
	if err != nil {
		t.Fatal(err)
	}
	return got, ok
}

func resetOne(t *testing.T, n uint64, tally *resetTally) {
	t.Helper()
	w := resetMaker{rand.New(rand.NewPCG(n, 12))}
	old, now, p := w.triple()
	want, ok := reset(t, old, now, p)
	got := ignore.Changes(old, now, []path.Pattern{p}, ignore.Engine)
	var report ignore.PatternResult // empty if the pattern had no effect
	if len(got.Patterns) > 0 {
		report = got.Patterns[0]
	}
	agrees := func() bool { return (len(report.Mismatches) == 0) == ok && got.Value.Equal(want) }
	if !agrees() && innerWildcard(p) {
		first, varies, found := want, false, false
		for range 400 {
			want, ok = reset(t, old, now, p)
			varies = varies || !want.Equal(first)
			found = found || agrees()
		}
		if varies && found {
			tally.excepted.Add(1)
			return
		}
	}
	if !agrees() {
		t.Errorf("triple %d: %v\nold := %v\nnew := %v\nours %v\n     %v\nSDK  %v\n     %v", n, p,
			fuzz.GoSource(old), fuzz.GoSource(now), report, fuzz.GoSource(got.Value), ok, fuzz.GoSource(want))
		return
	}
	count := func(c *atomic.Uint64, when bool) {
		if when {
			c.Add(1)
		}
	}
	count(&tally.same, got.Value.Equal(now))
	count(&tally.changed, !got.Value.Equal(now))
	count(&tally.matched, report.Matched > 0)
	count(&tally.stopped, !ok)
	count(&tally.twice, !ok && report.Matched > 0)
	count(&tally.secrets, old.ContainsSecret() || now.ContainsSecret())
	for s := range p.Steps() {
		if s.IsWildcard() {
			tally.wildcards.Add(1)
			break
		}
	}
}

// innerWildcard reports whether the SDK may go through an object in an order of
// its own and be stopped on the way.
func innerWildcard(p path.Pattern) bool {
	i := 0
	for s := range p.Steps() {
		i++
		if s.IsWildcard() && i < len(slices.Collect(p.Steps())) {
			return true
		}
	}
	return false
}

// resetMaker makes triples, always the same ones for a number.
type resetMaker struct{ *rand.Rand }

func (w resetMaker) one(n int) bool { return w.IntN(n) == 0 }

func (w resetMaker) triple() (old, now value.Value, p path.Pattern) {
	old = w.object(4)
	now = w.object(4)
	if !w.one(4) {
		now = old
		for range w.IntN(5) {
			now = w.edited(now)
		}
	}
	return old, now, w.pattern(old, now)
}

var resetKeys = []string{"a", "b", "c", "a-b", "x.y"}

func (w resetMaker) key() string {
	if w.one(12) {
		return resetKeys[w.IntN(len(resetKeys))]
	}
	return resetKeys[w.IntN(3)]
}

func (w resetMaker) object(depth int) value.Value {
	members := make([]value.Member, w.IntN(4))
	for i := range members {
		members[i] = value.Member{Key: w.key(), Value: w.value(depth - 1)}
	}
	return value.Object(members...)
}

func (w resetMaker) value(depth int) value.Value {
	var v value.Value
	switch kind := w.IntN(10); {
	case depth > 0 && kind < 4:
		v = w.object(depth)
	case depth > 0 && kind < 7:
		elems := make([]value.Value, w.IntN(4))
		for i := range elems {
			elems[i] = w.value(depth - 1)
		}
		v = value.Array(elems...)
	default:
		v = w.leaf()
	}
	if w.one(6) {
		v = value.Secret(v)
	}
	if w.one(24) {
		v = v.WithDependencies("urn:pulumi:s::p::t::n")
	}
	return v
}

func (w resetMaker) leaf() value.Value {
	switch w.IntN(12) {
	case 0:
		return value.Null()
	case 1:
		return value.Unknown()
	case 2:
		return value.Bool(w.one(2))
	case 3:
		return value.TextAsset("x").Value()
	case 4:
		return value.ResourceReference{URN: "urn:pulumi:s::p::t::r", ID: value.KnownID("i")}.Value()
	case 5, 6, 7:
		return value.String(resetKeys[w.IntN(len(resetKeys))])
	}
	return value.Number(float64(w.IntN(4)))
}

// edited is v with something else at some place, never at the root.
func (w resetMaker) edited(v value.Value) value.Value {
	var places []path.Path
	for c := range v.Walk() {
		if !c.Value().IsUnknown() {
			places = append(places, c.Path())
		}
	}
	p := places[w.IntN(len(places))]
	at, _ := v.At(p)
	fresh := w.value(2)
	switch {
	case at.Kind() == value.KindObject && w.one(2):
		p = p.Key(w.key())
	case at.Kind() == value.KindArray && w.one(2):
		p = p.Index(at.Len())
	case p.IsRoot():
		return v
	case w.one(3):
		less, err := v.Without(p)
		if err != nil {
			return v
		}
		return less
	case w.one(4) && at.OwnSecret():
		fresh = at.DropSecret()
	case w.one(4):
		fresh = value.Secret(at)
	}
	more, err := v.With(p, fresh)
	if err != nil {
		return v
	}
	return more
}

// pattern is near a place of one of the values: cut, longer, with wildcards, with
// other indexes.
func (w resetMaker) pattern(old, now value.Value) path.Pattern {
	from := old
	if w.one(2) {
		from = now
	}
	var places []path.Path
	for c := range from.Walk() {
		places = append(places, c.Path())
	}
	p := places[w.IntN(len(places))]
	if w.one(2) { // deep ones are few
		q := places[w.IntN(len(places))]
		if q.Len() > p.Len() {
			p = q
		}
	}
	var steps []path.Step
	for s := range p.Steps() {
		i, indexed := s.Index()
		switch {
		case w.one(3):
			steps = append(steps, path.Any())
		case indexed && w.one(4):
			steps = append(steps, path.Index(i+w.IntN(3)))
		case w.one(12):
			steps = append(steps, w.step())
		default:
			steps = append(steps, s)
		}
	}
	for range w.IntN(3) {
		if w.one(2) || len(steps) == 0 {
			steps = append(steps, w.step())
		}
	}
	return path.PatternOf(steps...)
}

func (w resetMaker) step() path.Step {
	switch w.IntN(4) {
	case 0:
		return path.Any()
	case 1:
		return path.Index(w.IntN(4))
	}
	return path.Key(w.key())
}
