package fuzz

import (
	"context"
	"iter"
	"slices"
	"testing"

	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// Provider describes a provider to be tested: its methods for one resource type, and the
// inputs to call them with. [Provider.Law] calls the methods as an engine does.
//
// Methods that are nil are not tested. At least one of Check, Diff and Create is
// required: without them, Law and Run panic. All methods are called often, so they should
// work in memory.
type Provider struct {
	// Check may be nil; inputs are then used unchecked.
	Check func(context.Context, *rpc.CheckRequest) (*rpc.CheckResponse, error)
	// Diff may be nil; resources are then never updated or replaced.
	Diff func(context.Context, *rpc.DiffRequest) (*rpc.DiffResponse, error)
	// Create may be nil; the methods below are then not called. If Create fails, for
	// example because a name is taken, the try ends. If its error has a method InitFailed
	// (see package github.com/propalg/propalg/interop/grpc), the resource exists but was not fully initialized, and is
	// deleted.
	Create func(context.Context, *rpc.CreateRequest) (*rpc.CreateResponse, error)
	Read   func(context.Context, *rpc.ReadRequest) (*rpc.ReadResponse, error)
	Update func(context.Context, *rpc.UpdateRequest) (*rpc.UpdateResponse, error)
	// Delete may be nil; resources that were created are then not deleted.
	Delete func(context.Context, *rpc.DeleteRequest) (*rpc.Empty, error)
	// SupportsPreview is what Configure returns. If it is false, Create and Update are
	// not called in previews.
	SupportsPreview bool
	// OnlyPreviews leaves out all calls that make, read, change or delete a resource: Create
	// and Update are called in previews, and the resource is made up as if Create were nil.
	OnlyPreviews bool

	// Schema, if not nil, is what the package schema says of the resource. What the methods
	// return has to be as it says, with the secrets that it names marked. It also makes defaults
	// for Inputs, for URN, and for Compared.ReplaceOn.
	Schema *schema.Resource
	// Inputs generates the inputs of programs. Check should accept most of them, since a
	// try ends when inputs are refused, except when they are refused because of a canary
	// in them. If Inputs is nil, the inputs are as Schema says, or else objects with names
	// and values like those of real programs; a Check that knows its properties refuses these.
	Inputs *rapid.Generator[value.Value]
	// State returns the state of a resource with the given inputs. It is used if Create
	// is nil. If State is nil too, the state is one that Schema describes; without Schema it
	// consists of the inputs and one more output.
	State func(inputs value.Value) value.Value

	URN string // of every request, whose Type and Name follow from it; a default if it is empty
	// Options apply to the inputs that are generated if Inputs is nil, and to edits of
	// inputs. With NoSecrets, no canaries are put into inputs, even into those
	// that Inputs generates.
	Options Options
	// Compared are the options that Diff compares with, if it uses package provider. For
	// any other provider, set Equality to the rules for values that mean the same to it,
	// and Relation to ignore marks. Arrays, ArrayRules, Ignored, ReplaceOn and Direction
	// also matter; without ReplaceOn, any property may force a replacement.
	Compared provider.Differ
	// Quiet matches places where less is required. Diff need not report a change there,
	// for values that it treats as equal in a way that Compared cannot express; and Read
	// need not return what Create and Update returned, for values that differ each time.
	Quiet []path.Pattern
	// Fixed matches places of inputs that stay as Inputs makes them, such as the ID of a resource
	// that has to exist: no canary is put there.
	Fixed []path.Pattern
	// WriteOnly matches places that Read cannot find out, such as a password. Diff has to
	// report changes there all the same.
	WriteOnly []path.Pattern

	tried *tried // of a Run
	found *found // of Findings
	later bool   // the program runs again
}

// Only states have an output named computedOutput.
const computedOutput = "computed output"

// Law checks that the provider keeps the contracts of the protocol, that its Diff
// reports what has changed and nothing else, and that Read returns what was made.
//
// Pass it to [rapid.Check]. Each try generates old inputs, and new inputs that are equal
// or differ by a few edits. It checks the old inputs, creates a resource with them, and
// reads it. Then it checks the new inputs, calls Diff, updates or replaces the resource
// as Diff answered, and reads it again. Finally it deletes the resource. With
// SupportsPreview, it previews Create and Update first, also with unknowns. The
// documentation of the package lists what makes it fail.
//
// A failure is shrunk and printed as Go; see [GoSource].
func (p Provider) Law(t *rapid.T) {
	p = p.ready()
	old, now := p.draw(t)
	p.tried.begin()
	inputs, ok := p.checked(t, "when the resource is made", value.Null(), old)
	if !ok {
		return
	}

	l := &life{Provider: p, t: t, program: old, id: "id", inputs: inputs}
	if l.isMade() {
		if !l.create(inputs) {
			return
		}
	} else {
		l.state = p.drawState(t, inputs)
		l.state = p.likely(l.state, l.previews(inputs))
	}
	p.tried.keep(inputs)
	l.change(now)
	l.end()
}

// Run runs [Provider.Law] on generated data, with [rapid.Check]. It also fails
//
//   - for each pattern in Compared that matched nothing in the whole run, since it is
//     probably misspelt
//   - for each property for which Check returned the same value, or none, whatever the
//     program said: at least three different values, or both booleans, in at least twenty
//     inputs. If all of them mean the same, say so in Compared, or let Quiet match the
//     property
//   - if fewer than one try in twenty reached Diff, or made a resource, since little was
//     then tested. The message has the places of the first inputs that were refused, but
//     not the reasons, and the first errors, unless they show a secret
//   - if a method returns something else while other goroutines call methods for other
//     resources, which takes about a second. Run the test with -race too: it finds
//     races that no response shows
func (p Provider) Run(t testing.TB) {
	t.Helper()
	p = p.ready()
	all := p.tryAll(t)
	for _, pattern := range all.unmatched {
		t.Errorf("the pattern %v matched nothing in the whole run", pattern)
	}
	for _, name := range all.ignored() {
		t.Errorf("Check always returned the same at %v, whatever the program said: return what the program says, or refuse it", path.Of(path.Key(name)))
	}
	if text := all.tooFew(p); text != "" {
		t.Error(text)
	}
	if t.Failed() {
		return
	}
	if text := p.inParallel(t.Context(), all.kept); text != "" {
		t.Error(text)
	}
}

// ready returns the provider with what its schema says in place of what is not set. It panics
// if there is nothing to test.
func (p Provider) ready() Provider {
	if p.Check == nil && p.Diff == nil && p.Create == nil {
		panic("fuzz: nothing to test: a Provider needs Check, Diff or Create")
	}

	if p.OnlyPreviews {
		p.Read, p.Delete = nil, nil
	}
	if p.Schema == nil {
		return p
	}
	if p.Inputs == nil {
		p.Inputs = OfType(p.Schema.Inputs(), p.plain())
	}
	if p.URN == "" {
		p.URN = "urn:pulumi:s::p::" + p.Schema.Token() + "::n"
	}
	if known, err := provider.FromSchema(p.Schema); err == nil && p.Compared.ReplaceOn == nil && known.ReplaceOn.Len() > 0 {
		p.Compared.ReplaceOn = known.ReplaceOn
	}
	return p
}

// draw makes the inputs that a program gave, and those that it gives now. Of the
// first none is unknown: they have become a resource.
func (p Provider) draw(t *rapid.T) (old, now value.Value) {
	old = p.known(t, p.drawInputs(t, "old inputs"), value.Value.ContainsUnknown)
	edits := rapid.IntRange(0, 3).Draw(t, "edits")
	switch {
	case edits == 0:
		return old, trees.Copy(old)

	case p.Inputs != nil:
		now = crossed(t, old, p.drawInputs(t, "other inputs"))
		if p.Compared.ReplaceOn.Len() > 0 && rapid.Bool().Draw(t, "keeps what replaces") {
			now = p.keepReplacing(old, now)
		}
		return old, now
	default:
		now = old
		for range edits {
			now = editOnce(t, now, p.plain())
		}
		return old, trees.Bare(trees.AsObject(now))
	}
}

// drawInputs makes inputs of a program.
func (p Provider) drawInputs(t *rapid.T, label string) value.Value {
	inputs := p.Inputs
	if inputs == nil {
		inputs = Objects(p.plain())
	}
	return trees.Bare(inputs.Draw(t, label))
}

func (p Provider) plain() Options {
	o := p.Options
	o.NoSealed = true // they are opened before a provider is asked
	if o.Style == Mixed {
		o.Style = RealLike
	}
	return o
}

// Inputs are drawn at most mostDraws times to find members that are known.
const mostDraws = 4

// known is v with all that is unknown become known: members that replaces accepts become
// what they are in other inputs of the generator, if it is known there.
func (p Provider) known(t *rapid.T, v value.Value, replaces func(value.Value) bool) value.Value {
	for i := 0; i < mostDraws && p.Inputs != nil && v.ContainsUnknown(); i++ {
		others := p.drawInputs(t, "known inputs")
		for name, member := range v.Members() {
			if other, ok := others.Lookup(name); ok && replaces(member) && !other.ContainsUnknown() {
				v, _ = v.WithField(name, other)
			}
		}
	}

	if p.Schema != nil {
		v = p.typed(t, p.Schema.Inputs(), v)
	}
	return settled(v)
}

// typed is v with a value of its type for all that is unknown, where the schema has one.
func (p Provider) typed(t *rapid.T, kind *schema.Type, v value.Value) value.Value {
	if kind == nil || !v.ContainsUnknown() {
		return v
	}
	if v.IsUnknown() {
		o := p.plain()
		o.NoUnknowns, o.NoSecrets = true, true
		return trees.WithMarks(trees.Bare(OfType(kind, o).Draw(t, "now known")), v)
	}

	children := trees.Children(v)
	for i, child := range children {
		below := kind.Elem()
		if key, ok := child.Step.AsKey(); ok && kind.Kind() == schema.KindObject {
			property, _ := kind.Property(key)
			below = property.Type()
		}
		children[i].Value = p.typed(t, below, child.Value)
	}
	return trees.Rebuild(v, children)
}

// settled is v with texts for all that is unknown, and IDs for references without a known
// one.
func settled(v value.Value) value.Value {
	if v.IsUnknown() {
		return trees.WithMarks(value.String("now known"), v)
	}
	if r, ok := v.AsResourceReference(); ok && r.ID.IsUnknown() {
		r.ID = value.KnownID("now-known")
		return trees.WithMarks(r.Value(), v)
	}

	children := trees.Children(v)
	for i := range children {
		children[i].Value = settled(children[i].Value)
	}
	return trees.Rebuild(v, children)
}

// crossed is an object with each member from one of two, as both have it.
func crossed(t *rapid.T, a, b value.Value) value.Value {
	var members []value.Member
	for _, key := range slices.Compact(slices.Sorted(keysOf(a, b))) {
		from := a
		if rapid.Bool().Draw(t, "changed") {
			from = b
		}
		if v, ok := from.Lookup(key); ok {
			members = append(members, value.Member{Key: key, Value: v})
		}
	}

	return value.Object(members...)
}

// keepReplacing is now with the old values of what replaces the resource, so that there are
// updates.
func (p Provider) keepReplacing(old, now value.Value) value.Value {
	for _, key := range slices.Compact(slices.Sorted(keysOf(old, now))) {
		at := path.Of(path.Key(key))
		if !p.Compared.ReplaceOn.Covers(at) {
			continue
		}
		if v, ok := old.Lookup(key); ok {
			now, _ = now.WithField(key, v)
		} else {
			now, _ = now.Without(at)
		}
	}
	return now
}

func keysOf(a, b value.Value) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, side := range []value.Value{a, b} {
			for key := range side.Keys() {
				if !yield(key) {
					return
				}
			}
		}
	}
}

func (p Provider) urn() string {
	if p.URN == "" {
		return urnExamples()[0]
	}
	return p.URN
}

func (p Provider) kind() string {
	u, _ := urn.Parse(p.urn())
	return u.Type()
}

func (p Provider) name() string {
	u, _ := urn.Parse(p.urn())
	return u.Name()
}

// drawState returns a state of a resource that was not created, of which nothing is unknown.
func (p Provider) drawState(t *rapid.T, inputs value.Value) value.Value {
	if p.State != nil || p.Schema == nil {
		return p.state(inputs)
	}

	o := p.plain()
	o.NoUnknowns = true
	state := settled(StateOf(p.Schema, inputs, o).Draw(t, "state"))
	for property := range p.Schema.State().Properties() { // what is not set has no value, unless it always has one
		_, isInput := p.Schema.Inputs().Property(property.Name())
		_, isSet := inputs.Lookup(property.Name())
		if isInput && !isSet && !property.Required() {
			state, _ = state.Without(path.Of(path.Key(property.Name())))
		}
	}
	return p.Schema.State().MarkSecrets(state)
}

// likely returns a state that was made up with what the last preview of Create knows, such as
// defaults.
func (p Provider) likely(state value.Value, foretold []value.Value) value.Value {
	if p.State != nil || p.Schema == nil || len(foretold) == 0 {
		return state
	}

	for name, v := range foretold[len(foretold)-1].Members() {
		if !v.ContainsUnknown() {
			state, _ = state.WithField(name, v)
		}
	}
	return p.Schema.State().MarkSecrets(state)
}

// state returns the state of a resource that was not created.
func (p Provider) state(inputs value.Value) value.Value {
	if p.State != nil {
		return p.State(inputs)
	}

	state, err := inputs.With(path.Of(path.Key(computedOutput)), value.String("known after"))
	if err != nil {
		return inputs
	}
	return state
}
