package rpc

import (
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/path"
)

const opParse = "parse"

// parseOne parses a field; an empty one gives the zero T.
func parseOne[T any](m Message, name, text string, parse func(string) (T, error)) (T, error) {
	var none T
	if text == "" {
		return none, nil
	}
	t, err := parse(text)
	if err != nil {
		return none, finish(inField(fail(err, -1), name), opParse, m)
	}
	return t, nil
}

// parseOptional parses a field that may be absent.
func parseOptional[T any](m Message, name string, text *string, parse func(string) (T, error)) (T, error) {
	if text == nil {
		var none T
		return none, nil
	}
	return parseOne(m, name, *text, parse)
}

// parseAll parses a list of texts, none of which may be empty.
func parseAll[T any](m Message, name string, texts []string, parse func(string) (T, error)) ([]T, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	all := make([]T, len(texts))
	for i, text := range texts {
		t, err := parse(text)
		if err != nil {
			return nil, finish(inField(inField(fail(err, -1), element(i)), name), opParse, m)
		}
		all[i] = t
	}
	return all, nil
}

// ParseDetailedDiff parses the keys of DetailedDiff as paths. It does so whether or not
// HasDetailedDiff is set. Two keys of one path are an error that wraps
// [codec.ErrDuplicate]. The error is an [*Error].
func (m *DiffResponse) ParseDetailedDiff() (map[path.Path]PropertyDiff, error) {
	const name = "detailedDiff"
	all := make(map[path.Path]PropertyDiff, len(m.DetailedDiff))
	for text, d := range m.DetailedDiff {
		p, err := path.ParsePulumi(text)
		if _, twice := all[p]; err == nil && twice {
			err = codec.ErrDuplicate
		}
		if err != nil {
			return nil, finish(inField(inField(fail(err, -1), entry(text)), name), opParse, m)
		}
		all[p] = d
	}
	return all, nil
}
