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

// What is found in one object misleads no look-up in another with as many members: keys of
// all lengths, in which all but the middle agrees.
func TestFindInTurns(t *testing.T) {
	for length := range 40 {
		key := func(i int) string {
			text := []byte(strings.Repeat("k", length) + "k")
			text[len(text)/2] = byte('a' + i)
			return string(text)
		}
		var objects [3]value.Value // the second lacks the first key, the third the last
		for first := range objects {
			var members []value.Member
			for i := range 20 {
				if (first == 1 && i == 0) || (first == 2 && i == 19) {
					members = append(members, value.Field("~", value.Null()))
					continue
				}
				members = append(members, value.Field(key(i), value.Number(float64(100*first+i))))
			}
			objects[first] = value.Object(members...)
		}
		for i := range 2 * 20 {
			for o, v := range objects {
				want := value.Number(float64(100*o + i%20))
				lacks := (o == 1 && i%20 == 0) || (o == 2 && i%20 == 19)
				if got, is := v.Lookup(key(i % 20)); is == lacks || (is && !got.Equal(want)) {
					t.Fatalf("object %d, %q: %v %v, wanted %v", o, key(i%20), got, is, want)
				}
			}
		}
	}
}
