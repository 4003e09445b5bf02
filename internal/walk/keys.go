package walk

import "github.com/propalg/propalg/value"

// elementKeys are the hashes of the keys of elements; nil where an element is
// not matched by its key.
type elementKeys []*uint64

func (k elementKeys) at(i int) *uint64 {
	if k == nil {
		return nil
	}
	return k[i]
}

// KeyRelation overlooks marks: a key is the same whether it is marked or not.
const KeyRelation = value.IgnoreSecrets | value.IgnoreDependencies

// keys finds the elements that are matched by their keys. Those whose key is not
// unique on either side are not: which of them is meant?
func (x *matcher) keys() {
	if x.how.By != ByKey {
		return
	}
	x.oldKeys, x.newKeys = x.keysOf(x.old), x.keysOf(x.now)
	unique(x.oldKeys, x.newKeys)
}

func (x *matcher) keysOf(v value.Value) elementKeys {
	keys := make(elementKeys, v.Len())
	for i, e := range v.Elems() {
		key, ok := e.At(x.how.Key)
		if !ok || key.IsNull() || key.IsUnknown() || key.Kind().IsContainer() {
			continue
		}
		sum := KeyRelation.Hash(x.prints.seed, key)
		keys[i] = &sum
	}
	x.prints.work.hashed += v.Len()
	return keys
}

// unique drops the keys that stand more than once on a side.
func unique(sides ...elementKeys) {
	const many = 2
	counts := make(map[uint64]int)
	for _, keys := range sides {
		here := make(map[uint64]int, len(keys))
		for _, k := range keys {
			if k != nil {
				here[*k]++
			}
		}
		for _, k := range keys {
			if k != nil && here[*k] >= many {
				counts[*k] = many
			}
		}
	}
	for _, keys := range sides {
		for i, k := range keys {
			if k != nil && counts[*k] == many {
				keys[i] = nil
			}
		}
	}
}
