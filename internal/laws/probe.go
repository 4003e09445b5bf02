package laws

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// probe calls one exported function or method with what a scene has, and says
// what came out. Law 6 looks for the canary in what was said, law 9 is content
// when nothing panics. A test compares the table with what the compiler knows to
// be exported.
type probe struct {
	name string // "package.Function" or "package.Type.Method"
	why  string // empty, or why its results may show what is in a secret
	run  func(s *scene)
}

// Reasons for results that show what is in a secret.
const (
	accessor  = "an accessor of plaintext, which is what it is for"
	plainPath = "paths, patterns and URNs are plaintext; path.Shown is what texts show of a path"
	plainPart = "what it is a part of was taken out of its secret by an accessor"
	plainMade = "it makes values out of plaintext that it is given; the result has no mark yet"
	whole     = "it gives a whole path, below secrets too, and says so; Shown is the redacted form"
	dropper   = "its name says that it takes the mark off"
)

// probes lists all of them.
func probes() []probe {
	return slices.Concat(
		pathProbes(), pathTextProbes(), patternProbes(), setProbes(), urnProbes(),
		makerProbes(), contentProbes(), referenceProbes(), accessProbes(), transformProbes(), walkProbes(), relationProbes(), editProbes(), valueTextProbes(),
		diffProbes(), algebraProbes(), arrayProbes(), responseProbes(), changeProbes(), diffTextProbes(), lineProbes(), protocolProbes(), codecProbes(), stateProbes(), fileProbes(),
		ignoreProbes(), equalityProbes(), returnedProbes(), placeProbes(), builderProbes(), patchProbes(), requestProbes(), bindProbes(), outputProbes(), schemaProbes(),
		assetProbes(), protoProbes(), messageProbes(), methodProbes(), rpcProbes(), judgeProbes(), rpcTextProbes(), openProbes(), readerProbes(), entryProbes(), logProbes(), unreadProbes(),
	)
}

// scene is what probes are given: two values, an old and a new one, all that
// comes out of them, and odds and ends.
type scene struct {
	v, w                 value.Value
	parts                []value.Value // of both, as handed out
	p, q                 path.Path     // into them
	shown                []path.Shown
	pattern              path.Pattern
	set                  *path.Set
	state                path.State
	step                 path.Step
	u                    urn.URN
	d                    diff.Diff
	changes              []diff.Change
	text                 string // any text
	index                int    // any index
	number               float64
	files                []*state.File // made of v, and what is left of it after accidents
	sent                 []rpc.Message // with v in them
	wiredText, baredText string        // see wired and bared
	said                 strings.Builder
	failed               func(error) // gets the errors, unless it is nil
	listened             bool        // what is said is searched for a canary
	byIndex              bool        // arrays are compared index by index
	big                  bool        // few parts, and nothing is said: results of big scenes are big
}

// How much of a value a probe looks at, so that law 9 can ask for big ones.
const (
	partsSeen   = 40
	changesSeen = 40
	textSeen    = 1 << 20
	bigFrom     = 32 << 10 // bytes of values and paths: a result is printed hundreds of times
)

// newScene takes two values and what else a probe may want.
func newScene(v, w value.Value, p, q path.Path, set *path.Set, text string, index int) *scene {
	s := &scene{v: v, w: w, p: p, q: q, set: set, text: text, index: index}
	s.big = len(wire(v))+len(wire(w))+len(p.String())+len(q.String()) > bigFrom
	s.prepare()

	return s
}

// prepare fills in what follows from the rest.
func (s *scene) prepare() {
	s.number = float64(s.index)
	s.state = s.set.Start()

	for step := range s.p.Steps() {
		s.step = step
		s.state = s.state.Step(step)
	}

	s.pattern = s.q.Pattern().Append(path.Any())
	s.u, _ = urn.Parse(s.text)

	for _, side := range []value.Value{s.v, s.w} {
		s.look(side)
	}

	s.d = diff.Between(s.v, s.w, diff.Options{})
	for c := range s.d.Changes() {
		if len(s.changes) == s.most(changesSeen) {
			break
		}

		s.changes = append(s.changes, c)
		s.shown = append(s.shown, c.Shown())
	}
}

// most is how much of a thing to look at.
func (s *scene) most(n int) int {
	if s.big {
		return 1
	}

	return n
}

// look keeps parts of a value and where they are.
func (s *scene) look(v value.Value) {
	n := 0

	for c := range v.Walk() {
		if n == s.most(partsSeen) {
			break
		}

		n++

		s.parts = append(s.parts, c.Value())
		s.shown = append(s.shown, c.Shown())
	}

	at, _ := v.At(s.p)
	s.parts = append(s.parts, at)
}

// say notes a result, printed in every usual way.
func (s *scene) say(results ...any) {
	for _, r := range results {
		if err, ok := r.(error); ok && s.failed != nil {
			s.failed(err)
		}

		if s.big {
			continue
		}

		verbs := "%v|%+[1]v|%#[1]v|%[1]s|%[1]q|%[1]x|% [1]X|%[1]d|"

		switch x := r.(type) {
		case nil, bool, int:
			continue // nothing that could give a text away
		case string:
			r = x[:min(len(x), textSeen)]
		case error:
			verbs = "%v|%#[1]v|%[1]x|" // there are very many
		}

		fmt.Fprintf(s.output(), verbs, r)
	}
}

// output is where results are printed. Where nobody listens, they are made and not kept.
func (s *scene) output() io.Writer {
	if s.listened {
		return &s.said
	}

	return io.Discard
}

// each gives a probe the parts of both values.
func (s *scene) each(f func(v value.Value)) {
	for _, v := range s.parts {
		f(v)
	}
}

// few is each for what costs more: some parts, the outermost and the last.
func (s *scene) few(f func(v value.Value)) {
	some := s.most(6)

	for i, v := range s.parts {
		if i < some || i >= len(s.parts)-2 {
			f(v)
		}
	}
}

// eachChange gives a probe the changes.
func (s *scene) eachChange(f func(c diff.Change)) {
	f(diff.Change{})

	for _, c := range s.changes {
		f(c)
	}
}

// hear runs a probe and returns what it said.
func (s *scene) hear(p probe) string {
	s.said.Reset()
	p.run(s)

	return s.said.String()
}

// Failed calls visit with the errors of all probes of a scene whose keys and texts are
// name.
func Failed(name string, visit func(probe string, err error)) {
	inner := value.Object(value.Field(name, value.String(name)), value.Field("secret", value.Secret(value.String(name))), value.Field("number", value.Number(1)))
	old := value.Object(value.Field(name, inner), value.Field("list", value.Array(inner, value.String(name))))
	now := value.Object(value.Field(name, value.String(name)), value.Field("list", value.Array(inner, inner)))
	at := path.Of(path.Key(name), path.Key(name), path.Key(name))

	s := newScene(old, now, at, at, path.NewSet(at.Pattern()), name, 1)

	for _, p := range probes() {
		s.failed = func(err error) { visit(p.name, err) }
		p.run(s)
	}
}

// Probed lists the names in the table, for the test that compares it with what is exported.
func Probed() []string {
	var names []string
	for _, p := range probes() {
		names = append(names, p.name)
	}

	return names
}

// Revealing lists the names whose results may show what is in a secret, with the
// reasons.
func Revealing() map[string]string {
	reasons := map[string]string{}

	for _, p := range probes() {
		if p.why != "" {
			reasons[p.name] = p.why
		}
	}

	return maps.Clone(reasons)
}
