package check

import (
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

func (v *validator) stables() {
	if len(v.response.Stables) == 0 {
		return
	}

	reported := map[string]bool{}
	for _, name := range v.response.Diffs {
		reported[name] = true
	}

	for i := range v.all {
		if name, ok := protocol.TopName(v.all[i].path); ok && v.all[i].fate != OmittedUnreadable {
			reported[name] = true
		}
	}
	for _, name := range protocol.Union(v.response.Stables, nil) {
		at := path.Of(path.Key(name))
		switch {
		case reported[name]:
			v.find("stables-reported", -1, at)
		case v.changed[name]:
			v.find("stables-changed", -1, at)
		case name != "id" && name != "urn" && !v.top(name): // every resource has these two
			v.find("stables-absent", -1, at)
		}
	}
}

// change records a change from old to new inputs that ignoreChanges does not cover.
// A difference that an unknown may hide does not count, and neither do marks alone.
func (v *validator) change(c diff.Change, name string) {
	if c.Verdict() != value.Changed || !c.ValueChanged() {
		return
	}

	if v.changed == nil {
		v.changed = map[string]bool{}
	}
	v.changed[name] = true
}
