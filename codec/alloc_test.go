package codec_test

import (
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/value"
)

func TestAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	scalar, small, bag := []byte(`17`), []byte(`{"a":1}`), []byte(like)
	v := decode(t, like, codec.Options{})
	buffer := make([]byte, 0, 1<<16)
	read := func(data []byte) func() {
		return func() {
			if _, err := codec.DecodeJSONValue(data, codec.Options{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, row := range []struct {
		name string
		most float64
		f    func()
	}{
		// The copy of the text, the members and the elements, and what is out of line.
		{"DecodeJSON of a scalar", 1, read(scalar)},
		{"DecodeJSON of one member", 2, read(small)},
		{"DecodeJSON of a bag", 4, read(bag)},
		{"AppendJSON into room", 0, func() {
			if _, err := codec.AppendJSONValue(buffer, v, codec.Options{}); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		if n := testing.AllocsPerRun(100, row.f); n > row.most {
			t.Errorf("%s: %v allocations, at most %v are due", row.name, n, row.most)
		} else {
			t.Logf("%s: %v allocations", row.name, n)
		}
	}
	data := median(t)
	n := testing.AllocsPerRun(100, read(data))
	t.Logf("DecodeJSON of the median real bag, %d bytes: %v allocations", len(data), n)
	if n > 4 {
		t.Errorf("DecodeJSON of the median real bag: %v allocations", n)
	}
}

// due is how many allocations reading a bag may take: the copy of the bytes, the
// members, the elements; and one for each thing that has memory of its own.
func due(v value.Value, size int) int {
	n := 3 + size>>16
	for c := range v.Walk() {
		switch c.Value().Kind() {
		case value.KindAsset, value.KindResourceReference:
			n++
		case value.KindArchive:
			a, _ := c.Value().AsArchive()
			n += archives(a)
		case value.KindNull, value.KindBool, value.KindNumber, value.KindString, value.KindArray, value.KindObject, value.KindUnknown, value.KindSealed:
		}
		if c.Value().HasDependencies() {
			n++
		}
	}
	return n
}

func archives(a value.Archive) int {
	n := 1
	for _, v := range a.Entries() {
		if inner, ok := v.AsArchive(); ok {
			n += archives(inner)
		} else {
			n++
		}
	}
	return n
}

func TestProtoAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	buffer := make([]byte, 0, 1<<20)
	total, bags := 0.0, wireBags(t)
	for i, data := range bags {
		var v value.Value
		n := testing.AllocsPerRun(3, func() { v, _ = codec.Decode(data, codec.Options{}) })
		if n > float64(due(v, len(data))) {
			t.Errorf("bag %d, %d bytes: %v allocations, %d are due", i, len(data), n, due(v, len(data)))
		}
		total += n
		if n := testing.AllocsPerRun(3, func() { _, _ = codec.Append(buffer, v, codec.Options{}) }); n != 0 {
			t.Errorf("bag %d: writing it takes %v allocations", i, n)
		}
	}
	if mean := total / float64(len(bags)); mean > 3 {
		t.Errorf("%.2f allocations for the mean bag", mean)
	} else {
		t.Logf("%.2f allocations for the mean bag", mean)
	}
}

// What real bags hardly have.
func TestProtoAllocationsOfAll(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	var urns []string
	for i := range 12 {
		urns = append(urns, urnA+string(rune('a'+i)))
	}
	pack := literal(t, member("f", value.FileAsset("f").WithHash(hash)), member("p", value.FileArchive("p").WithHash(hash))).WithHash(hash)
	v := object(
		member("array", value.Array(num(1), value.Array(), value.Array(value.Array(str("x"))))), member("secret", value.Secret(object(member("k", num(1))))),
		member("text", value.TextAsset("some text")), member("elided", value.TextAsset("").WithHash(hash).DropContent()), member("pack", pack),
		member("gone", value.FileArchive("").WithHash(hash).DropContent()), member("ref", value.ResourceReference{URN: urnA, ID: value.KnownID("i"), Type: "t", Name: "n", PackageVersion: "v"}.Value()),
		member("out", num(1).WithDependencies(urnA)), member("outs", value.Secret(str("x")).WithDependencies(urns...)), member("later", value.Unknown().WithDependencies(urnA, urnB)),
		member("big", value.ObjectFromMap(map[string]value.Value{"a": num(1), "b": num(2), "c": value.Unknown()})),
	)
	data, err := codec.Append(nil, v, codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := testing.AllocsPerRun(100, func() { _, _ = codec.Decode(data, codec.Options{}) })
	if want := due(v, len(data)); n > float64(want) {
		t.Errorf("%v allocations, %d are due", n, want)
	}
	bytes := object(member("bytes", str("\xff\x00 not UTF-8, and longer than a few bytes")), member("sentinel", str(anyString)), member("all", v))
	out := make([]byte, 0, 1<<16)
	if n := testing.AllocsPerRun(100, func() { _, _ = codec.Append(out, bytes, codec.Options{}) }); n != 0 {
		t.Errorf("writing takes %v allocations", n)
	}
	if n := testing.AllocsPerRun(100, func() { _, _ = codec.Append(nil, v, codec.Options{}) }); n != 1 {
		t.Errorf("writing to nowhere takes %v allocations", n)
	}
}

// Memory is what the value takes, and the bytes once.
func TestProtoMemory(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	elems := make([]value.Value, 2_000)
	data, err := codec.Append(nil, object(member("a", value.Array(elems...))), codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const rounds = 50
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range rounds {
		if _, err := codec.Decode(data, codec.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	due := uint64(len(data) + 2_000*24 + 40)
	if got := (after.TotalAlloc - before.TotalAlloc) / rounds; got > due+due/4 {
		t.Errorf("%d bytes, %d are due", got, due)
	}
}

// A large bag of many containers takes no more than a small one.
func TestProtoAllocationsOfMany(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // pools are emptied by it
	var members []value.Member
	for i := range 9_000 {
		key := string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676))
		members = append(members, member(key, object(member("name", str(key)), member("tags", value.Array(str("x"), num(float64(i)))))))
	}
	data, err := codec.Append(nil, object(members...), codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(5, func() { _, _ = codec.Decode(data, codec.Options{}) }); n > 3 {
		t.Errorf("%v allocations for %d bytes", n, len(data))
	}
	m, err := codec.ToMessage(object(members...), codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if data, err = proto.Marshal(m); err != nil { // in another order
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(5, func() { _, _ = codec.Decode(data, codec.Options{}) }); n > float64(4+len(data)>>16) {
		t.Errorf("%v allocations for %d bytes in any order", n, len(data))
	}
}

// median returns a real bag of the median size.
func median(t testing.TB) []byte {
	t.Helper()
	rows := bags(t)
	slices.SortStableFunc(rows, func(a, b row) int { return len(a.Bag) - len(b.Bag) })
	return rows[len(rows)/2].Bag
}

// like is a bag as real ones are, for where there are none: 12 members, an
// array, an object, a secret, an unknown.
const like = `{"bucket":"my-bucket-1a2b3c","acl":"private","forceDestroy":false,"tags":{"Name":"web","env":"dev"},
	"ports":[80,443],"size":3,"password":{` + asSecret + `,"value":"hunter2"},"arn":"` + anyString + `","__defaults":["acl"],
	"region":"eu-west-1","enabled":true,"retention":null}`
