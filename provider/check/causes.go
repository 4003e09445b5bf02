package check

import (
	"maps"
	"slices"

	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/provider"
)

// rootCauses returns the findings about an answer without those that follow from another
// one, so that one mistake is one finding:
//
//   - With DIFF_NONE nothing is reported, and the first difference is its place.
//   - An entry that should not be there need not be in diffs and replaces.
//   - An entry at a name that no side has is why an input of a similar name is unreported,
//     and why the lists have it.
//   - A path in a list is why the list lacks the name of the property.
func rootCauses(found []Finding, s provider.Sides) []Finding {
	none := slices.IndexFunc(found, func(f Finding) bool { return f.Code == "none-while-differ" })
	superfluous, misspelt, changed, meant := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	inDiffs, inReplaces := map[string]bool{}, map[string]bool{} // by a path

	for _, f := range found {
		name := topName(f)
		switch {
		case f.Code == "unreported":
			if none >= 0 && len(changed) == 0 {
				found[none].At = f.At
			}
			changed[name] = true
		case f.Code == "output-only", f.Code == "update-equal":
			superfluous[name] = true
		case f.Code == "old-missing" && !hasProperty(name, s.OldInputs, s.OldState, s.News):
			superfluous[name], misspelt[name] = true, true
		case f.Code == "diffs-path":
			inDiffs[name] = true
		case f.Code == "replaces-path":
			inReplaces[name] = true
		}
	}

	for name := range misspelt {
		if near := scan.Nearest(maps.Keys(changed), name); near != "" {
			meant[near] = true
		}
	}

	return slices.DeleteFunc(found, func(f Finding) bool {
		name := topName(f)
		switch f.Code {
		case "unreported":
			return none >= 0 || meant[name]
		case "diffs-extra", "replaces-extra":
			return meant[name]
		case "diffs-missing":
			return superfluous[name] || inDiffs[name]
		case "replaces-missing":
			return superfluous[name] || inReplaces[name]
		default:
			return false
		}
	})
}

func topName(f Finding) string {
	name, _ := protocol.TopName(f.At.RevealPath())
	return name
}
