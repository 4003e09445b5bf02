package provider

import (
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/schema"
)

// FromSchema returns the options that the schema of a resource gives: InputNames and
// ReplaceOn. The schema does not say which arrays are sets, nor which spellings mean the
// same. The error is [schema.ErrPlaces].
func FromSchema(r *schema.Resource) (Options, error) {
	replaceOn, err := r.ReplaceOn()
	if err != nil {
		return Options{}, err
	}

	return Options{InputNames: r.Inputs().Names(), ReplaceOn: path.NewSet(replaceOn...)}, nil
}
