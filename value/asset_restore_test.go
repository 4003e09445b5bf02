package value_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/propalg/propalg/value"
)

func archived(t testing.TB, hash string, entries ...value.Member) value.Value {
	t.Helper()
	a, err := value.LiteralArchive(entries...)
	if err != nil {
		t.Fatal(err)
	}
	return a.WithHash(hash)
}

func TestRestoreTable(t *testing.T) {
	text := value.TextAsset("hello")
	hash, _ := assetOf(value.TextAsset("hello")).Hash()
	asset := value.TextAsset("").WithHash(hash).DropContent()
	file := value.FileAsset("f").WithHash(hash)
	archive, dir := value.FileArchive("").WithHash("aa").DropContent(), value.FileArchive("d").WithHash("aa")
	in := func(v value.Value) value.Value { return object(member("k", value.Array(num(1), v))) }
	full := archived(t, "bb", member("x", text), member("y", dir))
	bare := archived(t, "bb", member("x", asset), member("y", archive))
	box := func(v value.Value) value.Value { return archived(t, "", member("in", archived(t, "", member("x", v)))) }
	for i, c := range []struct{ v, from, want value.Value }{
		{asset, text, text},
		{in(asset), object(member("other", text)), in(text)},
		{in(archive), value.Array(dir), in(dir)},
		{value.Array(asset, asset, archive), value.Array(text, dir), value.Array(text, text, dir)},
		// Kinds are not mixed up, nor hashes, and what has contents keeps them.
		{in(asset), value.FileArchive("").WithHash(hash).DropContent(), in(asset)},
		{in(archive), value.FileAsset("f").WithHash("aa"), in(archive)},
		{in(archive), value.FileArchive("d").WithHash("ab"), in(archive)},
		{in(archive), value.FileArchive("d"), in(archive)},
		{in(archive), archive, in(archive)},
		{in(file), text, in(file)},
		{in(asset), value.Array(file, text), in(file)},
		// Entries of archives, on either side; an archive's own hash stays.
		{bare, value.Array(text, dir), full},
		{value.Array(asset, archive), full, value.Array(text, dir)},
		{box(asset), in(text), box(text)},
		{value.FileArchive("").WithHash("bb").DropContent(), value.Array(full, text), full},
		// Marks: v's stay, and what comes from a secret is one.
		{value.Secret(asset).WithDependencies(urnA), text.WithDependencies(urnB), value.Secret(text).WithDependencies(urnA)},
		{in(asset), value.Secret(text), in(value.Secret(text))},
		{in(asset), value.Secret(value.Array(text)), in(value.Secret(text))},
		{in(asset), value.Array(value.Secret(text), file), in(file)},
		{in(asset), value.Array(value.Secret(file), value.Secret(text)), in(value.Secret(file))},
		{value.Secret(in(asset)), value.Secret(text), value.Secret(in(text))},
		{in(box(asset)), value.Secret(box(text)), in(value.Secret(box(text)))},
		{value.Secret(value.Array(asset)).Elem(0), value.Secret(text), value.Secret(value.Array(text)).Elem(0)},
		{sample(), text, sample()},
		{value.Null(), value.Null(), value.Null()},
	} {
		got := c.v.Restore(c.from)
		if !got.Identical(c.want) {
			t.Errorf("row %d: %#v, want %#v", i, got, c.want)
		}
		if err := flaw(got); err != nil {
			t.Errorf("row %d: %v", i, err)
		}
		if !got.Restore(c.from).Identical(got) {
			t.Errorf("row %d: doing it again changes something", i)
		}
		if got.Identical(c.v) && !value.Internal.SharesMemory(got, c.v) {
			t.Errorf("row %d: nothing changed, and the value was made anew", i)
		}
	}
}

// What is filled in comes as it is: its entries are not looked up in turn, so that
// archives which claim to hold one another do no harm.
func TestRestoreOnce(t *testing.T) {
	elided := value.FileArchive("").WithHash("aa").DropContent()
	inItself := archived(t, "aa", member("x", elided), member("y", elided))
	if got := elided.Restore(inItself); !got.Identical(inItself) {
		t.Errorf("%#v", got)
	}
}

// What is restored is equal to what was elided: hashes are what counts.
func TestRestoreKeepsEquality(t *testing.T) {
	for i, v := range hosts(t) {
		for j, from := range hosts(t) {
			got := v.Restore(from)
			if !value.IgnoreSecrets.Equal(got, v) || flaw(got) != nil {
				t.Errorf("%d, %d: %#v was %#v; %v", i, j, got, v, flaw(got))
			}
		}
	}
}

// Deep values, deep archives and many of them: linear, without recursion.
func TestRestoreScale(t *testing.T) {
	elided, dir := value.FileArchive("").WithHash("aa").DropContent(), value.FileArchive("d").WithHash("aa")
	for _, s := range shapes() {
		depth := s.depth / 5
		got := wrap(elided, depth, s.container).Restore(wrap(dir, depth, s.container))
		if !got.Identical(wrap(dir, depth, s.container)) {
			t.Errorf("%s: not restored", s.name)
		}
	}
	in := func(v value.Value) value.Value { return archived(t, "", member("a", v)) }
	if got := wrap(elided, value.MaxDepth, in).Restore(wrap(dir, value.MaxDepth, in)); !got.Identical(wrap(dir, value.MaxDepth, in)) {
		t.Error("not restored in deep archives")
	}
	const n = 20_000
	v, from := make([]value.Value, n), make([]value.Value, n)
	for i := range v {
		v[i] = value.FileArchive("").WithHash(strconv.Itoa(i)).DropContent()
		from[n-1-i] = value.FileArchive("d").WithHash(strconv.Itoa(i))
	}
	got := value.Array(v...).Restore(value.Array(from...))
	for i := range v {
		if a, _ := got.Elem(i).AsArchive(); a.Source() != value.SourceFile {
			t.Fatalf("archive %d is %v", i, a)
		}
	}
}

func ExampleValue_Restore() {
	inputs := object(member("source", value.TextAsset("print('hello')")))
	code, _ := value.TextAsset("print('hello')").AsAsset()
	hash, _ := code.Hash()

	// A provider may answer with the hash alone.
	state := object(member("code", value.TextAsset("").WithHash(hash).DropContent()), member("size", num(14)))

	asset, _ := state.Restore(inputs).Field("code").AsAsset()
	text, _ := asset.Text()
	fmt.Println(text)
	// Output: print('hello')
}
