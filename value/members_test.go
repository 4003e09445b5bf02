package value_test

import (
	"strings"
	"testing"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Members are found among few and many, with keys of all lengths that begin alike
// or end alike, are prefixes of each other, have zero bytes or are not UTF-8; and
// nothing is found that is not there.
func TestFindMembers(t *testing.T) {
	heads := []string{"", "a", "description", "\x00", "\xff\xfe", "securityGroup", "averyveryverylongname"}
	tails := []string{"", "\x00", "\x00\x00", "1", "10", "2", "Id", "Ids", "\xff", "AndSoOnAndSoOn"}
	fill := strings.Repeat("x", 9)
	for most := 1; most <= len(heads)*len(tails)*len(fill); most = most*3/2 + 1 {
		there := map[string]value.Value{}
		var all []string
		for i := range len(fill) {
			for _, head := range heads {
				for _, tail := range tails {
					key := head + fill[:i] + tail
					all = append(all, key)
					if n := len(there); n < most && (n+len(key)+i)%3 > 0 {
						there[key] = value.Number(float64(len(all)))
					}
				}
			}
		}
		v := value.ObjectFromMap(there)
		for _, key := range all {
			want, is := there[key]
			got, found := v.Lookup(key)
			at, foundAt := v.At(path.Of(path.Key(key)))
			if found != is || foundAt != is || !got.Equal(want) || !at.Equal(want) {
				t.Fatalf("%d members, %q: %v %v, wanted %v", len(there), key, found, foundAt, is)
			}
			without, err := v.Without(path.Of(path.Key(key)))
			if err != nil || without.Has(path.Of(path.Key(key))) || (is && without.Len() != v.Len()-1) {
				t.Fatalf("%d members without %q: %v, %d are left", len(there), key, err, without.Len())
			}
		}
	}
}

// What is found in one object misleads no look-up in another with as many members, whose
// keys have all lengths and differ in one byte of all places.
func TestFindInTurns(t *testing.T) {
	for length := 1; length < 24; length++ {
		for at := range length {
			key := func(i int) string {
				return strings.Repeat("k", at) + string(rune('a'+i)) + strings.Repeat("k", length-at-1)
			}
			testInTurns(t, key)
		}
	}
}

func testInTurns(t *testing.T, key func(i int) string) {
	t.Helper()

	const size = 20
	lacks := [...]int{-1, 0, size - 1} // by object
	var objects [len(lacks)]value.Value
	for o := range objects {
		members := make([]value.Member, size)
		for i := range members {
			members[i] = value.Field(key(i), value.Number(float64(100*o+i)))
			if i == lacks[o] {
				members[i] = value.Field("~", value.Null())
			}
		}
		objects[o] = value.Object(members...)
	}

	for i := range 2 * size {
		name := key(i % size)
		for o, v := range objects {
			want, isThere := value.Number(float64(100*o+i%size)), lacks[o] != i%size
			if got, is := v.Lookup(name); is != isThere || (is && !got.Equal(want)) {
				t.Fatalf("object %d, %q: %v %v, wanted %v", o, name, got, is, want)
			}
		}
	}
}
