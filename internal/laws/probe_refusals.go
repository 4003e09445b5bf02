package laws

import (
	"encoding/json"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
)

// unreadProbes give JSON to what refuses it.
func unreadProbes() []probe {
	all := make([]probe, 0, 32)

	for _, refuses := range []struct {
		name string
		to   json.Unmarshaler
	}{
		{"value.Value", new(value.Value)},
		{"value.Member", new(value.Member)},
		{"value.Asset", new(value.Asset)},
		{"value.Archive", new(value.Archive)},
		{"value.ID", new(value.ID)},
		{"path.Shown", new(path.Shown)},
		{"path.Step", new(path.Step)},
		{"path.Set", new(path.Set)},
		{"diff.Diff", new(diff.Diff)},
		{"diff.Change", new(diff.Change)},
		{"diff/equality.Rules", new(equality.Rules)},
		{"diff.Place", new(diff.Place)},
		{"diff.Record", new(diff.Record)},
		{"diff.Inside", new(diff.Inside)},
		{"provider.Comparison", new(provider.Comparison)},
		{"diff.Conflict", new(diff.Conflict)},
		{"diff/ignore.Mismatch", new(ignore.Mismatch)},
		{"diff.Match", new(diff.Match)},
		{"codec.Rounded", new(codec.Rounded)},
		{"codec/patch.Patch", new(patch.Patch)},
		{"codec/rpc.LoggedCall", new(rpc.LoggedCall)},
		{"codec/state.File", new(state.File)},
		{"codec/state.Field", new(state.Field)},
		{"value/asset.List", new(asset.List)},
		{"value/asset.Entry", new(asset.Entry)},
	} {
		all = append(all, probe{refuses.name + ".UnmarshalJSON", "", func(s *scene) {
			s.say(refuses.to.UnmarshalJSON([]byte(s.wired())), refuses.to.UnmarshalJSON(nil))
		}})
	}

	return all
}
