package rpc

import (
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/path"
)

const opParse = "parse"

// parseOne reads a text of a message; an empty one is none.
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

func parseOptional[T any](m Message, name string, text *string, parse func(string) (T, error)) (T, error) {
	if text == nil {
		var none T
		return none, nil
	}
	return parseOne(m, name, *text, parse)
}

// parseAll reads a list of texts. An empty one in it is not left out.
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

// ParseDetailedDiff reads the keys of DetailedDiff as paths. It does not look at
// HasDetailedDiff. Two texts of one path are an error that wraps
// [codec.ErrDuplicate].
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
