package laws

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/trees"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// inJSON is equality of what JSON holds of values.
const inJSON = value.IgnoreSecrets | value.IgnoreDependencies

// Law01Requests is the law that a JSON Patch or a merge patch that this module wrote of
// two values is read as a diff that makes the new one of the old one, but for marks.
func Law01Requests(t *rapid.T) {
	pair := drawPair(t, rapid.OneOf(fuzz.Pairs(fuzz.Options{}), fuzz.ListPairs(fuzz.Options{Nodes: 12})))
	o := patch.Options{Secrets: value.RevealSecrets, Tests: rapid.Bool().Draw(t, "tests")}
	match := Matches().Draw(t, "match")
	text, err := patch.JSONPatch(diff.Between(pair.Old, pair.New, diff.Options{Arrays: match}), o)
	if err == nil {
		d, err := patch.ReadJSONPatch(text, pair.Old, o)
		checkRead(t, string(text), d, err, pair)
	}

	text, err = patch.MergePatch(pair.Old, pair.New, o)
	if err == nil {
		d, err := patch.ReadMergePatch(text, pair.Old, o)
		checkRead(t, string(text), d, err, pair)
	}

	change := plainPart(t, pair.New)
	text, err = codec.AppendJSONValue(nil, change, codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := patch.ReadMergePatch(text, pair.Old, o)
	pair.New, pair.Edits = mergedByRFC(pair.Old, change), 0
	if err == nil || !errors.Is(err, diff.ErrFit) || !pair.New.IsUnknown() {
		checkRead(t, string(text), d, err, pair)
	}
}

// mergedByRFC returns what RFC 7396 makes of a value, or an unknown where an object would be
// merged into what is no object here.
func mergedByRFC(v, change value.Value) value.Value {
	if change.Kind() != value.KindObject {
		return change
	}
	text, err := codec.AppendJSONValue(nil, v.Reveal().DropDependencies(), codec.Options{Unknowns: codec.Reject})
	if !v.Kind().IsContainer() && v.Kind() != value.KindNumber && (err != nil || text[0] == '{') {
		return value.Unknown()
	}
	if v.Kind() != value.KindObject {
		v = value.Object()
	}
	for key, member := range change.Members() {
		if member.IsNull() {
			v, _ = v.Without(path.Of(path.Key(key)))
			continue
		}
		made := mergedByRFC(v.Field(key), member)
		if made.IsUnknown() && !member.IsUnknown() {
			return made
		}
		v, _ = v.WithField(key, made)
	}
	return v
}

func checkRead(t *rapid.T, text string, d diff.Diff, err error, pair fuzz.Pair) {
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	got, err := d.Apply(pair.Old)
	if err != nil || !inJSON.Equal(got, pair.New) {
		t.Fatalf("%s makes %s, %v", text, fuzz.GoSource(got), err)
	}
	if got.ContainsSecret() && !pair.Old.ContainsSecret() {
		t.Fatalf("%s makes a secret: %s", text, fuzz.GoSource(got))
	}

	for p := range pair.Old.SecretPaths() {
		if now, there := got.At(p); there && !hasIndex(p) && !now.IsSecret() {
			t.Fatalf("%s makes public what is at %v", text, p)
		}
	}
}

func hasIndex(p path.Path) bool {
	for s := range p.Steps() {
		if _, ok := s.AsIndex(); ok {
			return true
		}
	}
	return false
}

// Law01Operations is the law that a JSON Patch of any operations does what a plain
// reading of RFC 6902 does, one value after the other, or both refuse it at the same
// operation; that what was secret, and what came from a secret, is secret; and that
// nothing else has other marks.
func Law01Operations(t *rapid.T) {
	pair := drawPair(t, fuzz.Pairs(fuzz.Options{Nodes: 20}))
	r := replayed{base: pair.Old, v: pair.Old}
	var (
		texts []string
		fails = -1
	)
	n := rapid.IntRange(0, 8).Draw(t, "operations")
	for i := 0; i < n && fails < 0; i++ {
		o := r.draw(t, pair.New)
		for try := r; !try.do(o) && rapid.IntRange(0, 5).Draw(t, "refused") > 0; try = r {
			o = r.draw(t, pair.New)
		}
		texts = append(texts, o.text(t))
		if !r.do(o) {
			fails = i
		}
	}
	text := "[" + strings.Join(texts, ",") + "]"
	t.Logf("// %s", text)

	d, err := patch.ReadJSONPatch(text, pair.Old, patch.Options{})
	if fails >= 0 {
		var e *patch.Error
		if !errors.As(err, &e) || (!errors.Is(err, diff.ErrFit) && !errors.Is(err, patch.ErrForm)) || !strings.HasSuffix(e.Op, "operation "+strconv.Itoa(fails)) || !d.Empty() {
			t.Fatalf("operation %d is not possible: %v, %v", fails, d, err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	got, err := d.Apply(pair.Old)
	switch {
	case err != nil || !inJSON.Equal(got, r.v):
		t.Fatalf("makes %s, %v, want %s", fuzz.GoSource(got), err, fuzz.GoSource(r.v))
	case !pair.Old.ContainsSecret() && !got.Equal(r.v):
		t.Fatalf("makes %s, want with its marks %s", fuzz.GoSource(got), fuzz.GoSource(r.v))
	}
	for _, p := range trees.Paths(r.v) {
		now, _ := got.At(p)
		if want, _ := r.v.At(p); want.IsSecret() && !now.IsSecret() {
			t.Fatalf("at %v is %s, which should be secret", p, fuzz.GoSource(now))
		}
	}
}

// operation is one operation of a JSON Patch.
type operation struct {
	op, path, from string
	value          value.Value
}

func (o operation) text(t *rapid.T) string {
	members := []string{`"op":` + strconv.Quote(o.op), `"path":` + quoted(t, o.path), `"comment":{"op":"remove"}`}
	switch o.op {
	case "move", "copy":
		members = append(members, `"from":`+quoted(t, o.from))
	case "add", "replace", "test":
		text, err := codec.AppendJSONValue(nil, o.value, codec.Options{})
		if err != nil {
			t.Fatal(err)
		}
		members = append(members, `"value":`+string(text))
	}
	return "{" + strings.Join(rapid.Permutation(members).Draw(t, "members"), ",") + "}"
}

func quoted(t *rapid.T, s string) string {
	text, err := codec.AppendJSONValue(nil, value.String(s), codec.Options{ByteStrings: codec.Reject})
	if err != nil {
		t.Skip("a name that JSON does not have")
	}
	return string(text)
}

// replayed is a value on which operations are done as RFC 6902 says, each making a value.
type replayed struct {
	base, v value.Value
	recent  []string // pointers that were drawn: operations meet at one place
}

// draw draws an operation, with values of another value.
func (r *replayed) draw(t *rapid.T, other value.Value) operation {
	o := operation{op: rapid.SampledFrom([]string{"add", "replace", "remove", "move", "copy", "test"}).Draw(t, "op")}
	o.path, o.from = r.pointer(t, "path"), r.pointer(t, "from")
	r.recent = append(r.recent, o.path, o.from)
	if o.op == "test" && rapid.IntRange(0, 3).Draw(t, "true") > 0 {
		_, v, _ := r.find(o.path)
		o.value = plainOf(t, v)
		return o
	}

	o.value = plainPart(t, rapid.SampledFrom([]value.Value{r.base, other, value.Object(), value.Array()}).Draw(t, "of"))
	return o
}

// plainPart draws a part of a value, as plainOf.
func plainPart(t *rapid.T, v value.Value) value.Value {
	return plainOf(t, rapid.SampledFrom(trees.Places(v)).Draw(t, "part").Value)
}

// plainOf returns a value without marks, or draws a number if it has no JSON.
func plainOf(t *rapid.T, v value.Value) value.Value {
	plain, err := codec.ApplyPolicies(v.Reveal(), codec.Options{Unknowns: codec.Reject, Secrets: codec.Reject, Outputs: codec.Lower})
	if _, unwritable := codec.AppendJSONValue(nil, plain, codec.Options{}); err != nil || unwritable != nil {
		return value.Number(float64(rapid.IntRange(0, 2).Draw(t, "number")))
	}
	return plain
}

// pointer draws a pointer to a place, or beside one.
func (r *replayed) pointer(t *rapid.T, name string) string {
	below := rapid.SampledFrom([]string{"", "", "", "/-", "/0", "/1", "/01", "/a", "/b"})
	if len(r.recent) > 0 && rapid.Bool().Draw(t, "recent "+name) {
		return rapid.SampledFrom(r.recent).Draw(t, name) + below.Draw(t, name+" below")
	}

	p := rapid.SampledFrom(trees.Paths(r.v)).Draw(t, name)
	var b strings.Builder
	for s := range p.Steps() {
		token, ok := s.AsKey()
		if i, isIndex := s.AsIndex(); !ok && isIndex {
			token = strconv.Itoa(i)
		}
		b.WriteString("/" + strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1"))
	}
	return b.String() + below.Draw(t, name+" below")
}

// find returns the tokens of a pointer and the value that it names.
func (r *replayed) find(pointer string) (tokens []string, v value.Value, ok bool) {
	for _, token := range strings.Split(pointer, "/")[1:] {
		tokens = append(tokens, strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~"))
	}
	v = r.v
	for _, token := range tokens {
		s, there := step(v, token, 0)
		if !there {
			return tokens, value.Null(), false
		}
		v, _ = v.At(path.Of(s))
	}
	return tokens, v, true
}

// step returns the step to a child that a container has, or to one that is so many behind
// the last element.
func step(v value.Value, token string, behind int) (path.Step, bool) {
	switch i, err := strconv.Atoi(token); {
	case v.Kind() == value.KindObject:
		_, there := v.Lookup(token)
		return path.Key(token), there
	case v.Kind() != value.KindArray:
		return path.Step{}, false
	case token == "-" && behind > 0:
		return path.Index(v.Len()), true
	default:
		return path.Index(i), err == nil && strconv.Itoa(i) == token && i >= 0 && i < v.Len()+behind
	}
}

// do does an operation, and reports whether it could.
func (r *replayed) do(o operation) bool {
	_, there, found := r.find(o.path)
	_, source, sourceFound := r.find(o.from)
	isInside := strings.HasPrefix(o.path, o.from+"/")
	switch o.op {
	case "test":
		return found && inJSON.Equal(there, o.value)
	case "remove":
		return found && r.remove(o.path)
	case "add", "replace":
		if o.op == "replace" && !found {
			return false
		}
		return r.put(o.path, o.value, o.op == "add", true, false)
	case "copy":
		return sourceFound && r.put(o.path, source, true, false, false)
	case "move":
		if !sourceFound || isInside || o.from == o.path {
			return sourceFound && !isInside
		}
		up := func(pointer string) string { return pointer[:max(0, strings.LastIndex(pointer, "/"))] }
		r.remove(o.from)
		return r.put(o.path, source, true, false, up(o.path) == up(o.from))
	}
	panic(fmt.Sprintf("an operation %q", o.op))
}

func (r *replayed) remove(pointer string) (ok bool) {
	tokens, _, _ := r.find(pointer)
	if len(tokens) == 0 {
		return false
	}
	r.v, _ = r.v.Without(r.path(tokens))
	return true
}

// path returns the path of tokens of which all but the last lead to what exists.
func (r *replayed) path(tokens []string) path.Path {
	p, v := path.Path{}, r.v
	for _, token := range tokens {
		s, _ := step(v, token, 1)
		p = p.Join(path.Of(s))
		v, _ = v.At(path.Of(s))
	}
	return p
}

// put adds or replaces a value, which is from the document or from elsewhere in the array.
func (r *replayed) put(pointer string, x value.Value, adds, given, atHome bool) bool {
	tokens, old, found := r.find(pointer)
	if n := len(tokens) - 1; n >= 0 {
		_, parent, there := r.find(pointer[:strings.LastIndex(pointer, "/")])
		s, fits := step(parent, tokens[n], 1)
		switch {
		case !there || (!fits && (parent.Kind() != value.KindObject || !adds)):
			return false
		case adds && parent.Kind() == value.KindArray:
			r.insert(r.path(tokens[:n]), s, x, parent.ContainsSecret() && !atHome)
			return true
		}
	}

	p := r.path(tokens)
	if found && given && inJSON.Equal(old, x) {
		return true
	}
	if found {
		x = x.WithSecretsOf(old)
	}
	if was, there := r.base.At(p); there && !hasIndex(p) {
		x = x.WithSecretsOf(was)
	}
	var err error
	r.v, err = r.v.With(p, x)
	return err == nil
}

// insert puts a value before the element of the array at p that a step leads to.
func (r *replayed) insert(p path.Path, s path.Step, x value.Value, secret bool) {
	array, _ := r.v.At(p)
	elems := []value.Value{}
	for _, e := range array.Elems() {
		elems = append(elems, trees.Own(e))
	}
	if secret {
		x = value.Secret(x)
	}
	i, _ := s.AsIndex()
	r.v, _ = r.v.With(p, value.Array(slices.Insert(elems, i, x)...).WithMarksOf(array))
}
