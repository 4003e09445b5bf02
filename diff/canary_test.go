package diff_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// holder has everything of this package that can hold a value, where fmt does not
// call methods.
type holder struct {
	d    diff.Diff
	c    diff.Change
	err  error
	r    provider.Response
	many map[string]diff.Change
	one  *diff.Change
	any  any
}

// Law 6: no text that fmt makes of anything here shows a secret, nor a key below
// one.
func TestLaw6NoPlaintext(t *testing.T) {
	const canary = "canary"
	hidden := func(n float64) value.Value {
		return obj("s", sec(obj(canary+"Key", arr(str(canary), num(n)), canary+"\xff", num(n), "x", num(n))), "t", sec(str(canary+fmt.Sprint(n))))
	}
	old, now := hidden(1), hidden(2)
	for i, pair := range [][2]value.Value{
		{old, now},
		{sec(old), sec(now)},
		{obj("o", old, canary, value.Unknown()).Field("o"), obj("t", str("open"), "s", str("open"))},
		{old, obj()},
		{sec(old), obj("s", num(1))},
		{sec(old).Field("s"), now.Field("s")},
	} {
		for _, rel := range []value.Relation{value.Strict, value.Engine, value.Engine | value.IgnoreSecrets} {
			d := diff.Between(pair[0], pair[1], diff.Options{Relation: rel})
			_, err := d.Apply(pair[1])
			if err == nil {
				t.Fatalf("row %d: applied to new", i)
			}
			h := holder{d: d, err: err, r: provider.Differ{ReplaceOn: patterns("s.x", "[*]")}.Respond(d), many: map[string]diff.Change{}}
			for c := range d.Leaves() {
				h.c, h.one, h.any = c, &c, c
				h.many[c.Op().String()] = c
				kit.CheckCanary(t, canary, c, c.Shown(), h)
			}
			for _, b := range diff.Within(pair[0], pair[1], obj("s", now.Field("s"), "t", sec(value.Unknown())), diff.Options{Relation: rel}) {
				kit.CheckCanary(t, canary, b, &b, b.Shown(), []any{b})
			}
			encoded, jsonErr := json.Marshal([]any{h.r, d, h.c})
			kit.CheckCanary(t, canary, d, d.Invert(), &d, err, h.r, h, &h, []any{h, d, h.c}, string(encoded), jsonErr)
		}
	}
}
