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
