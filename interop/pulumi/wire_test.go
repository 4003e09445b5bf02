package pulumi_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"pgregory.net/rapid"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"

	"github.com/propalg/propalg/bench"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/interop/pulumi/internal/differential"
	"github.com/propalg/propalg/value"
)

// wireBags are the real bags of the wire, where there are any, as bytes.
func wireBags(t testing.TB) [][]byte {
	t.Helper()
	var bags [][]byte
	for _, row := range bench.RealRows(t, os.Open, "bags.jsonl") {
		if row.Text("form") != "grpc" {
			continue
		}
		m := new(structpb.Struct)
		if err := protojson.Unmarshal(row["bag"], m); err != nil {
			t.Fatal(err)
		}
		data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		bags = append(bags, data)
	}
	return bags
}

// TestRealBags: what the SDK finds in the real bags of the wire, we find, and what
// we write of it the SDK reads as the same.
func TestRealBags(t *testing.T) {
	bags := wireBags(t)
	if len(bags) == 0 {
		t.Skip("no real bags here")
	}
	var counts [differential.Outcomes]int
	for i, data := range bags {
		outcome, err := differential.Compare(data)
		if err != nil {
			t.Errorf("bag %d: %v", i, err)
			continue
		}
		counts[outcome]++
		v, err := codec.Decode(data, codec.Options{})
		if err != nil {
			t.Errorf("bag %d: %v", i, err)
			continue
		}
		reverse(t, v)
	}
	for o, n := range counts {
		t.Logf("%d %v", n, differential.Outcome(o))
		if o := differential.Outcome(o); n > 0 && o != differential.Agreed && o != differential.Lossy {
			t.Errorf("%d real bags %v", n, o)
		}
	}
}

// mutations is how many inputs TestMutatedBags has. A long run has more:
// go test -run TestMutatedBags -mutations 10000000.
var mutations = flag.Int("mutations", 20_000, "how many mutated bags")

// TestMutatedBags holds what both sides say of changed bags against each other.
func TestMutatedBags(t *testing.T) {
	messages := differential.Messages(wireBags(t))
	var counts [differential.Outcomes]int
	for n := range *mutations {
		data := messages.Example(n)
		outcome, err := differential.Compare(data)
		if err != nil {
			t.Fatalf("input %d: %v\n%x", n, err, data)
		}
		counts[outcome]++
	}
	for o, n := range counts {
		t.Logf("%d %v", n, differential.Outcome(o))
		if n == 0 {
			t.Errorf("no input that is %v", differential.Outcome(o))
		}
	}
}

// FuzzDecode feeds any bytes to both sides.
func FuzzDecode(f *testing.F) {
	bags := wireBags(f)
	messages := differential.Messages(bags)
	for n := range 100 {
		f.Add(messages.Example(n))
	}
	for i := 0; i < len(bags); i += 100 {
		f.Add(bags[i])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		const most = 1 << 14 // the SDK's time is quadratic in the depth
		if len(data) > most {
			t.Skip("too long for the SDK")
		}
		if _, err := differential.Compare(data); err != nil {
			t.Fatalf("%v\n%x", err, data)
		}
	})
}

// reverse checks that the SDK reads what we write as what it was, and that we read
// what the SDK writes of that.
func reverse(t interface {
	Helper()
	Fatalf(format string, args ...any)
}, v value.Value,
) {
	t.Helper()
	data, err := codec.Append(nil, v, codec.Options{})
	if errors.Is(err, codec.ErrSentinel) || errors.Is(err, codec.ErrUTF8) || errors.Is(err, codec.ErrSignature) {
		return // listed causes: the wire has no room for such names and texts
	}
	if err != nil {
		t.Fatalf("we do not write: %v", err)
	}
	m := new(structpb.Struct)
	if err := proto.Unmarshal(data, m); err != nil {
		t.Fatalf("protobuf-go does not read what we write: %v", err)
	}
	props, err := differential.SDK(m)
	if err != nil {
		t.Fatalf("the SDK does not read what we write: %v", err)
	}
	theirs, err := pulumi.FromPropertyMap(props)
	if err != nil || !theirs.Identical(differential.View(v)) {
		t.Fatalf("the SDK reads something else (%v) out of\n%x", err, data)
	}
	back, err := plugin.MarshalProperties(props, differential.Keep())
	if err != nil {
		t.Fatalf("the SDK does not write: %v", err)
	}
	if hasSentinel(v) {
		return // a listed difference: the SDK writes such a string as an unknown
	}
	again, err := codec.FromMessage(back, codec.Options{})
	if err != nil || !differential.View(again).Identical(differential.View(v)) {
		t.Fatalf("we read something else (%v) of what the SDK writes", err)
	}
}

// hasSentinel reports whether a string in v reads as an unknown.
func hasSentinel(v value.Value) bool {
	for c := range v.Walk() {
		s, isString := c.Value().AsString()
		if !isString {
			continue
		}
		if _, err := codec.AppendValue(nil, value.String(s), codec.Options{ByteStrings: codec.Reject}); errors.Is(err, codec.ErrSentinel) {
			return true
		}
	}
	return false
}

// TestReverse: what we encode, the SDK decodes to the same.
func TestReverse(t *testing.T) {
	for _, style := range []fuzz.Style{fuzz.Mixed, fuzz.Hostile, fuzz.RealLike} {
		bags := fuzz.Objects(fuzz.Options{Style: style, NoSealed: true})
		rapid.Check(t, func(t *rapid.T) {
			v := bags.Draw(t, "bag").DropSecret().DropDependencies()
			reverse(t, v)
		})
	}
}

// TestSDKWrites: what the SDK writes of a value that the adapter handed to it, we
// read as that value, and as the bytes that we would have written.
func TestSDKWrites(t *testing.T) {
	bags := fuzz.Objects(fuzz.Options{NoSealed: true})
	same := 0
	rapid.Check(t, func(t *rapid.T) {
		v := bags.Draw(t, "bag").DropSecret().DropDependencies()
		props, err := pulumi.ToPropertyMap(v)
		if errors.Is(err, pulumi.ErrSource) {
			t.Skip("the SDK has no room for it")
		}
		if err != nil {
			t.Fatal(err)
		}
		ours, ourErr := codec.Append(nil, v, codec.Options{})
		m, err := plugin.MarshalProperties(props, differential.Keep())
		if ourErr != nil || hasSentinel(v) {
			t.Skip("listed: ", ourErr)
		}
		if err != nil {
			t.Fatal(err)
		}
		data := deterministic(t, m)
		back, err := codec.Decode(data, codec.Options{})
		if err != nil || !back.Identical(v) {
			t.Fatalf("%v\n%x\n%x", err, data, ours)
		}
		if bytes.Equal(data, ours) {
			same++
		}
	})
	if same == 0 {
		t.Error("the SDK never writes the bytes that we write")
	}
	t.Logf("%d of the SDK's messages have our bytes", same)
}

// TestDepth: both sides take the same depth. (What is at the limit costs the SDK
// time that is quadratic in it.)
func TestDepth(t *testing.T) {
	for _, row := range []struct {
		name string
		wrap func(*structpb.Value) *structpb.Value
		in   int // messages a level
	}{
		{"arrays", func(v *structpb.Value) *structpb.Value {
			return structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{v}})
		}, 2},
		{"objects", func(v *structpb.Value) *structpb.Value {
			return structpb.NewStructValue(&structpb.Struct{Fields: map[string]*structpb.Value{"a": v}})
		}, 3},
	} {
		taken, refused := 0, 0
		for levels := 9990/row.in - 2; levels <= 10010/row.in; levels++ {
			v := structpb.NewBoolValue(true)
			for range levels {
				v = row.wrap(v)
			}
			data := deterministic(t, &structpb.Struct{Fields: map[string]*structpb.Value{"a": v}})
			theirErr := proto.Unmarshal(data, new(structpb.Struct))
			_, ourErr := codec.Decode(data, codec.Options{})
			switch {
			case theirErr == nil && ourErr == nil:
				taken++
			case theirErr != nil && errors.Is(ourErr, codec.ErrDepth):
				refused++
			default:
				t.Errorf("%d %s: protobuf-go says %v, we say %v", levels, row.name, theirErr, ourErr)
			}
		}
		if taken == 0 || refused == 0 {
			t.Errorf("%s: %d taken, %d refused", row.name, taken, refused)
		}
	}
}
