package state

import (
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/tidwall/gjson"
)

// Find returns the resource with the given URN, and reports whether there is one. An empty
// URN finds none. While replaced resources are pending deletion, several may have the same
// URN: Find returns the first whose Delete is false or, if there is none, the first. It
// reads no other resource, so an error is about that one; the bool is then false.
func (f *File) Find(urn string) (Resource, bool, error) {
	f = f.self()
	found := -1
	for i := range f.resources {
		text, isDeleted := f.identity(i)
		if text != urn || urn == "" {
			continue
		}
		if !isDeleted {
			found = i
			break
		}
		if found < 0 {
			found = i
		}
	}
	if found < 0 {
		return Resource{}, false, nil
	}

	r, err := f.resource(found, new(jsonscan.Skipper))
	return r, err == nil, err
}

// identity returns the URN of resource i, and whether it is pending deletion.
func (f *File) identity(i int) (urn string, isDeleted bool) {
	at := f.resources[i]
	members := 0
	gjson.Result{Type: gjson.JSON, Raw: (*f.text.Open())[at.at:at.end]}.ForEach(func(key, v gjson.Result) bool {
		switch unquote(key.Raw) {
		case "urn":
			if v.Type == gjson.String {
				urn = unquote(v.Raw)
			}
			members++
		case "delete":
			isDeleted = v.Type == gjson.True
			members++
		}

		return members < 2
	})
	return urn, isDeleted
}
