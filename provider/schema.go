package provider

import (
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/schema"
)

// FromSchema returns a Differ with the InputNames and the ReplaceOn that follow from the
// schema of a resource. A schema does not say which arrays are sets, or which spellings
// mean the same. It returns [schema.ErrPlaces] if there are too many to list, and panics if r
// is nil.
func FromSchema(r *schema.Resource) (Differ, error) {
	if r == nil {
		panic("provider: nil resource")
	}

	replaceOn, err := r.ReplaceOn()
	if err != nil {
		return Differ{}, err
	}
	return Differ{InputNames: r.Inputs().Names(), ReplaceOn: path.NewSet(replaceOn...)}, nil
}
