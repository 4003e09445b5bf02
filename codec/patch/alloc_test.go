package patch_test

import (
	"fmt"
	"testing"

	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// usual is a diff as updates of resources have it: a bag of twenty members, of
// which three changed, one in an array of objects.
func usual() (old value.Value, d diff.Diff) {
	var members []value.Member
	for i := range 18 {
		members = append(members, value.Member{Key: fmt.Sprintf("property%02d", i), Value: str("some value")})
	}
	rule := func(port float64) value.Value {
		return obj("name", str("http"), "port", num(port), "protocol", str("tcp"))
	}
	members = append(members,
		value.Member{Key: "rules", Value: arr(rule(80), rule(443), rule(8080))},
		value.Member{Key: "tags", Value: obj("env", str("dev"), "team", str("shop"))})
	old = value.Object(members...)
	now, _ := old.With(path.MustParse("tags.env"), str("prod"))
	now, _ = now.With(path.MustParse("rules[1].port"), num(8443))
	now, _ = now.With(path.MustParse("property07"), str("another value"))
	return old, diff.Between(old, now, diff.Options{})
}

func TestAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	old, d := usual()
	text, err := patch.Marshal(d, revealed)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name string
		most float64
		f    func()
	}{
		{"Marshal", mostMarshal, func() { text, err = patch.Marshal(d, revealed) }},
		{"Unmarshal", mostUnmarshal, func() { _, err = patch.Unmarshal(text, patch.Options{}) }},
		{"Fingerprint", mostFingerprint, func() { _ = patch.Fingerprint(old) }},
	} {
		if n := testing.AllocsPerRun(100, row.f); n > row.most || err != nil {
			t.Errorf("%s: %v allocations, at most %v are due; %v", row.name, n, row.most, err)
		} else {
			t.Logf("%s: %v allocations", row.name, n)
		}
	}
}

const (
	mostMarshal     = 9
	mostUnmarshal   = 43
	mostFingerprint = 5
)
