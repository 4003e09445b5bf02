package provider

import "slices"

// stables returns the declared names that are not among those that changed, sorted. It has
// names alone: Respond is given a diff and no sides, so a name that neither side has is not
// left out. Engines have id and urn for every resource (provider/check/stables.go).
func stables(declared, changed []string) []string {
	if len(declared) == 0 {
		return nil
	}

	slices.Sort(changed)
	var same []string
	for _, name := range declared {
		if _, found := slices.BinarySearch(changed, name); !found {
			same = append(same, name)
		}
	}
	slices.Sort(same)
	return slices.Compact(same)
}
