package laws

import (
	"hash/maphash"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/value"
)

// Law02Equivalence is the law that under every Relation, Equal is reflexive, symmetric and
// transitive, and Compare (a total order), Hash and Digest agree with it; a
// coarser Relation never distinguishes what a finer one does not; Identical is
// finer than all. What Equal says is what the specification says (model.md,
// section 1), by an oracle that is slow and plain.
func Law02Equivalence(t *rapid.T) {
	pair := drawPair(t, fuzz.Pairs(fuzz.Options{}))
	third := fuzz.Internal.EditOnce(t, pair.New, fuzz.Options{})
	log(t, "third", third)

	values := []value.Value{pair.Old, pair.New, third, trees.Copy(pair.Old)}
	seed := maphash.MakeSeed()
	for _, r := range AllRelations() {
		for _, a := range values {
			for _, b := range values {
				checkRelated(t, r, seed, a, b)
			}
		}
		checkOrder(t, r.String(), r.Compare, values[0], values[1], values[2])
	}

	checkOrder(t, "Identical", value.Internal.CompareIdentical, values[0], values[1], values[2])
	for _, a := range values {
		for _, b := range values {
			checkFiner(t, a, b)
		}
	}
}

// checkRelated holds Equal, Compare and Hash of one Relation against the oracle
// and each other.
func checkRelated(t *rapid.T, r value.Relation, seed maphash.Seed, a, b value.Value) {
	want := formOf(r, a) == formOf(r, b)
	equal, sign := r.Equal(a, b), r.Compare(a, b)

	switch {
	case equal != want:
		t.Fatalf("%v: Equal is %v, should be %v, of\n%s\nand\n%s", r, equal, want, fuzz.GoSource(a), fuzz.GoSource(b))
	case (sign == 0) != equal:
		t.Fatalf("%v: Compare is %d, Equal is %v, of\n%s\nand\n%s", r, sign, equal, fuzz.GoSource(a), fuzz.GoSource(b))
	case sign != -r.Compare(b, a):
		t.Fatalf("%v: Compare is %d one way and %d the other, of\n%s\nand\n%s", r, sign, r.Compare(b, a), fuzz.GoSource(a), fuzz.GoSource(b))
	case equal != r.Equal(b, a):
		t.Fatalf("%v: Equal is not symmetric, of\n%s\nand\n%s", r, fuzz.GoSource(a), fuzz.GoSource(b))
	case (r.Hash(seed, a) == r.Hash(seed, b)) != equal:
		// Two different values of one hash are 2^-64 of a chance.
		t.Fatalf("%v: hashes do not agree with Equal (%v), of\n%s\nand\n%s", r, equal, fuzz.GoSource(a), fuzz.GoSource(b))
	}
}

// checkOrder holds an order to being transitive.
func checkOrder(t *rapid.T, name string, compare func(v, w value.Value) int, a, b, c value.Value) {
	three := []value.Value{a, b, c}
	for i := range three {
		for j := range three {
			for k := range three {
				if compare(three[i], three[j]) <= 0 && compare(three[j], three[k]) <= 0 && compare(three[i], three[k]) > 0 {
					t.Fatalf("%s: the order is not transitive, of\n%s\n%s\n%s", name, fuzz.GoSource(three[i]), fuzz.GoSource(three[j]), fuzz.GoSource(three[k]))
				}
			}
		}
	}
}

// checkFiner holds the Relations against each other, and Strict's short forms
// against Strict.
func checkFiner(t *rapid.T, a, b value.Value) {
	identical, equal := a.Identical(b), a.Equal(b)
	if sign := value.Internal.CompareIdentical(a, b); (sign == 0) != identical || sign != -value.Internal.CompareIdentical(b, a) {
		t.Fatalf("CompareIdentical is %d, and %d the other way, of\n%s\nand\n%s", sign, value.Internal.CompareIdentical(b, a), fuzz.GoSource(a), fuzz.GoSource(b))
	}
	if identical != (exactFormOf(a) == exactFormOf(b)) {
		t.Fatalf("Identical is %v, of\n%s\nand\n%s", identical, fuzz.GoSource(a), fuzz.GoSource(b))
	}

	for _, fine := range AllRelations() {
		for _, coarse := range AllRelations() {
			if fine&coarse == fine && fine.Equal(a, b) && !coarse.Equal(a, b) {
				t.Fatalf("equal under %v, different under %v, of\n%s\nand\n%s", fine, coarse, fuzz.GoSource(a), fuzz.GoSource(b))
			}
		}
	}

	switch {
	case identical && !equal:
		t.Fatalf("Identical, but not Equal, of\n%s\nand\n%s", fuzz.GoSource(a), fuzz.GoSource(b))
	case (a.Digest() == b.Digest()) != equal:
		t.Fatalf("Digest does not agree with Equal, of\n%s\nand\n%s", fuzz.GoSource(a), fuzz.GoSource(b))
	case equal != value.Strict.Equal(a, b):
		t.Fatalf("the methods and Strict disagree, of\n%s\nand\n%s", fuzz.GoSource(a), fuzz.GoSource(b))
	case value.Internal.SharesMemory(a, b) && !identical:
		t.Fatalf("one memory, but not Identical, of\n%s\nand\n%s", fuzz.GoSource(a), fuzz.GoSource(b))
	}
}
