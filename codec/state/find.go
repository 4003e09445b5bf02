package state

import (
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/tidwall/gjson"
)

// Find returns the resource with a URN. The bool is false if there is none, if urn is
// empty, or if the error is not nil. While replaced resources are pending deletion, several
// may have one URN: Find returns the live one (Delete is false), or else the first. It reads
// only that resource, so an error is about that one.
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
