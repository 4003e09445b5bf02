package laws

import (
	"math/big"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/trees"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// Law13Structs is the law that package bind loses nothing. A value that fits a type reads
// into it, and what [bind.Info.Encode] makes of that is the value again, with all marks.
// Any value that reads at all is written and read to the same. What does not read leaves
// the data as it was.
func Law13Structs(t *rapid.T) {
	typ := structType(t)
	t.Logf("type %v", typ)

	o := bind.Options{AllowUnknown: rapid.Bool().Draw(t, "allow unknown"), AllowExtra: rapid.Bool().Draw(t, "allow extra")}
	g := &fitting{t: t, fits: true, zeros: rapid.Bool().Draw(t, "zeros"), unknowns: o.AllowUnknown}
	v := g.value(typ, 4)
	log(t, "v", v)
	x := reflect.New(typ)
	info, err := bind.Decode(v, x.Interface(), o)
	if err != nil {
		if g.fits {
			t.Fatalf("a value that fits does not read: %v", err)
		}
		if info != nil || !x.Elem().IsZero() {
			t.Fatalf("changed in spite of %v", err)
		}
		return
	}

	if got, err := info.Encode(x.Interface()); g.fits && (err != nil || !got.Identical(v)) {
		t.Fatalf("a value that fits becomes %v, %v", revealed{got}, err)
	}
	first, err := bind.Encode(x.Elem().Interface(), o)
	if err != nil {
		t.Fatalf("read, but not written: %v", err)
	}
	if g.fits && !g.hasMarked && !first.Identical(bare(v)) {
		t.Fatalf("without marks it becomes %v", revealed{first})
	}

	y := reflect.New(typ)
	if _, err = bind.Decode(first, y.Interface(), o); err != nil {
		t.Fatalf("what was written does not read: %v", err)
	}
	if again, err := bind.Encode(y.Interface(), o); err != nil || !again.Identical(first) {
		t.Fatalf("written as %v, and read and written again as %v, %v", revealed{first}, revealed{again}, err)
	}
}

// bare is v without any marks.
func bare(v value.Value) value.Value {
	children := trees.Children(v)
	for i := range children {
		children[i].Value = bare(children[i].Value)
	}
	return trees.Rebuild(trees.Bare(v), children)
}

// fitting makes values for Go types, by rules of its own.
type fitting struct {
	t         *rapid.T
	fits      bool // nothing else was drawn
	hasMarked bool // the type has fields that hold marks, or make them
	inOutput  bool // marks would move up
	zeros     bool // members may say as much as a zero
	unknowns  bool // anything may be unknown
}

func (g *fitting) oneIn(n int, what string) bool {
	return rapid.IntRange(1, n).Draw(g.t, what) == n
}

func (g *fitting) value(typ reflect.Type, depth int) value.Value {
	if g.oneIn(60, "other") {
		g.fits = false
		return fuzz.Values(fuzz.Options{Style: fuzz.Hostile}).Draw(g.t, "any")
	}

	outer := g.inOutput
	v := g.plain(typ, depth)
	if !outer && g.unknowns && g.oneIn(20, "not known") {
		v, g.hasMarked = value.Unknown(), true
	}
	g.inOutput = outer
	if !g.inOutput && g.oneIn(6, "secret") {
		v = value.Secret(v)
	}
	if !g.inOutput && g.oneIn(8, "depends") {
		v = v.WithDependencies(rapid.SampledFrom([]string{"urn:a", "urn:b"}).Draw(g.t, "urn"))
	}
	return v
}

// textsOf are texts that types which read texts write as they were.
func textsOf(typ reflect.Type) []string {
	switch typ {
	case reflect.TypeFor[time.Duration]():
		return []string{"1h0m0s", "5ms", "-3s"}
	case reflect.TypeFor[time.Time]():
		return []string{"2026-01-02T03:04:05Z", "1999-12-31T23:59:59.5+02:00"}
	case reflect.TypeFor[netip.Addr]():
		return []string{"10.0.0.1", "fe80::1"}
	case reflect.TypeFor[big.Int]():
		return []string{"1", "-170141183460469231731687303715884105728"}
	}

	return nil
}

// plain makes a value for a type that is never what reads as zero, since optional fields
// leave that out.
func (g *fitting) plain(typ reflect.Type, depth int) value.Value {
	if texts := textsOf(typ); texts != nil {
		return value.String(rapid.SampledFrom(texts).Draw(g.t, "text"))
	}

	switch typ {
	case reflect.TypeFor[value.Value]():
		if g.hasMarked = true; g.inOutput {
			return value.Number(7)
		}
		v := fuzz.Values(fuzz.Options{}).Draw(g.t, "held")
		if v.IsNull() {
			return value.Bool(true)
		}
		return v
	case reflect.TypeFor[value.Asset]():
		return value.TextAsset("text")
	case reflect.TypeFor[value.Archive]():
		return value.FileArchive("file")
	case reflect.TypeFor[value.ResourceReference]():
		return value.ResourceReference{URN: "urn:pulumi:a::b::c:d:E::f", ID: value.KnownID("i")}.Value()
	}

	for _, o := range outputTypes() {
		if typ != o.typ {
			continue
		}
		if g.hasMarked = true; g.oneIn(5, "unknown") {
			return value.Unknown()
		}

		g.inOutput = true
		return g.plain(o.content, depth)
	}

	switch typ.Kind() {
	case reflect.Bool:
		return value.Bool(true)
	case reflect.String:
		return value.String(fuzz.Internal.Keys().Draw(g.t, "text") + "x")
	case reflect.Float32, reflect.Float64:
		return value.Number(rapid.SampledFrom([]float64{0.5, -3, 1 << 40}).Draw(g.t, "float"))
	case reflect.Int8:
		return value.Number(rapid.SampledFrom([]float64{-128, 127, 1}).Draw(g.t, "int8"))
	case reflect.Uint8:
		return value.Number(rapid.SampledFrom([]float64{255, 1}).Draw(g.t, "uint8"))
	case reflect.Int, reflect.Int64:
		return value.Number(rapid.SampledFrom([]float64{-1 << 63, 1 << 53, -7}).Draw(g.t, "int"))
	case reflect.Uint64:
		return value.Number(rapid.SampledFrom([]float64{1 << 63, 1 << 53, 7}).Draw(g.t, "uint"))
	case reflect.Pointer:
		return g.value(typ.Elem(), depth)
	case reflect.Slice, reflect.Array:
		return g.list(typ, depth)
	case reflect.Map:
		return g.dictionary(typ, depth)
	default:
		return value.Object(g.members(typ, depth)...)
	}
}

func (g *fitting) list(typ reflect.Type, depth int) value.Value {
	if typ == reflect.TypeFor[[]byte]() {
		return value.String("\xff bytes")
	}

	n := rapid.IntRange(0, 3).Draw(g.t, "length")
	if typ.Kind() == reflect.Array {
		n = typ.Len()
	} else if depth <= 0 {
		n = 0
	}
	elems := make([]value.Value, n)
	for i := range elems {
		elems[i] = g.value(typ.Elem(), depth-1)
	}
	return value.Array(elems...)
}

func (g *fitting) dictionary(typ reflect.Type, depth int) value.Value {
	members := map[string]value.Value{}
	for range rapid.IntRange(0, min(3, depth)).Draw(g.t, "entries") {
		v := g.value(typ.Elem(), depth-1)
		if g.zeros && !hasNull(typ.Elem()) && g.oneIn(3, "null") {
			v, g.hasMarked = value.Null(), true
			if !g.inOutput && g.oneIn(3, "secret null") {
				v = value.Secret(v)
			}
		}
		members[fuzz.Internal.Keys().Draw(g.t, "key")] = v
	}

	return value.ObjectFromMap(members)
}

func hasNull(typ reflect.Type) bool {
	for _, o := range outputTypes() {
		if typ == o.typ {
			typ = o.content
		}
	}
	return typ == reflect.TypeFor[value.Value]() || slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map}, typ.Kind())
}

func (g *fitting) members(typ reflect.Type, depth int) []value.Member {
	var members []value.Member
	for i := range typ.NumField() {
		f := typ.Field(i)
		name, options, tagged := strings.Cut(f.Tag.Get("pulumi"), ",")
		switch {
		case f.Anonymous && !tagged && name == "":
			members = append(members, g.members(f.Type, depth)...)
		case name == "" || name == "-":

		case strings.Contains(options, "optional") && (depth <= 0 || g.oneIn(3, "missing")):
		case g.oneIn(60, "forgotten"):
			g.fits = false
		default:
			v := g.value(f.Type, depth-1)
			if zero, ok := zeroOf(f.Type); ok && g.zeros && !g.inOutput && strings.Contains(options, "optional") && g.oneIn(3, "zero") {
				v, g.hasMarked = zero, true
			}
			if strings.Contains(options, "secret") || f.Tag.Get("provider") == "secret" {
				v, g.hasMarked = value.Secret(v), true
			}
			members = append(members, value.Field(name, v))
		}
	}

	if g.oneIn(60, "extra") {
		g.fits = false
		members = append(members, value.Field(fuzz.Internal.Keys().Draw(g.t, "name"), value.Bool(true)))
	}
	return members
}

func zeroOf(typ reflect.Type) (value.Value, bool) {
	if textsOf(typ) != nil || (typ.PkgPath() != "" && typ.Kind() == reflect.Struct) {
		return value.Value{}, false
	}

	switch typ.Kind() {
	case reflect.Bool:
		return value.Bool(false), true
	case reflect.String:
		return value.String(""), true
	case reflect.Int, reflect.Int8, reflect.Int64, reflect.Uint8, reflect.Uint64, reflect.Float32, reflect.Float64:
		return value.Number(0), true
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return value.Null(), true
	default:
		return value.Value{}, false
	}
}

type (
	textual string
	numeric int8

	// list leads to itself by a pointer, tree by a slice and a map.
	list struct {
		Head string `pulumi:"head"`
		Tail *list  `pulumi:"tail,optional"`
	}
	tree struct {
		Nodes []tree          `pulumi:"nodes,optional"`
		Named map[string]tree `pulumi:"named,optional"`
		Leaf  *string         `pulumi:"leaf,optional"`
	}
	common struct {
		Region string            `pulumi:"region"`
		Tags   map[string]string `pulumi:"tags,optional"`
	}
	wide struct {
		common
		Z     bool                `pulumi:"z"`
		A     bind.Output[string] `pulumi:"a"`
		Inner struct {
			Key   string        `pulumi:"key" provider:"secret"`
			Since *time.Time    `pulumi:"since,optional"`
			For   time.Duration `pulumi:"for"`
		} `pulumi:"inner"`
		List    []common `pulumi:"list"`
		Skipped chan int `pulumi:"-"`
		hidden  func()   //nolint:unused // of no interest to bind
	}
)

// outputType is a type of Output, and what it holds.
type outputType struct{ typ, content reflect.Type }

func outputTypes() []outputType {
	return []outputType{
		{reflect.TypeFor[bind.Output[string]](), reflect.TypeFor[string]()},
		{reflect.TypeFor[bind.Output[[]string]](), reflect.TypeFor[[]string]()},
		{reflect.TypeFor[bind.Output[*int64]](), reflect.TypeFor[*int64]()},
		{reflect.TypeFor[bind.Output[value.Value]](), reflect.TypeFor[value.Value]()},
		{reflect.TypeFor[bind.Output[common]](), reflect.TypeFor[common]()},
		{reflect.TypeFor[bind.Output[[]bind.Output[string]]](), reflect.TypeFor[[]bind.Output[string]]()},
	}
}

// structType draws a type: one of those above, or a struct with one field, which is
// required, optional, or secret.
func structType(t *rapid.T) reflect.Type {
	named := []reflect.Type{
		reflect.TypeFor[list](), reflect.TypeFor[tree](), reflect.TypeFor[common](), reflect.TypeFor[wide](),
		reflect.TypeFor[[]wide](), reflect.TypeFor[map[string]list](), reflect.TypeFor[struct{}](),
	}
	fields := []reflect.Type{
		reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[numeric](), reflect.TypeFor[int64](), reflect.TypeFor[uint8](),
		reflect.TypeFor[uint64](), reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[string](), reflect.TypeFor[textual](),
		reflect.TypeFor[[]byte](), reflect.TypeFor[[]string](), reflect.TypeFor[[2]int](), reflect.TypeFor[map[string]int](),
		reflect.TypeFor[map[textual]*bool](), reflect.TypeFor[*string](), reflect.TypeFor[**int](), reflect.TypeFor[[][]float64](),
		reflect.TypeFor[value.Value](), reflect.TypeFor[value.Asset](), reflect.TypeFor[value.Archive](), reflect.TypeFor[value.ResourceReference](),
		reflect.TypeFor[time.Duration](), reflect.TypeFor[time.Time](), reflect.TypeFor[netip.Addr](), reflect.TypeFor[*big.Int](),
		reflect.TypeFor[common](), reflect.TypeFor[*common](), reflect.TypeFor[[]common](), reflect.TypeFor[[]struct{}](),
		reflect.TypeFor[[]value.Value](), reflect.TypeFor[map[string]value.Value](), reflect.TypeFor[map[string]bind.Output[string]](),
	}
	for _, o := range outputTypes() {
		fields = append(fields, o.typ)
	}

	tags := []reflect.StructTag{`pulumi:"x"`, `pulumi:"x,optional"`, `pulumi:"x,optional,secret"`}
	i := rapid.IntRange(0, len(named)+len(tags)*len(fields)-1).Draw(t, "type")
	if i < len(named) {
		return named[i]
	}

	i -= len(named)
	return reflect.StructOf([]reflect.StructField{{Name: "X", Type: fields[i/len(tags)], Tag: tags[i%len(tags)]}})
}
