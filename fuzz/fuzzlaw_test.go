package fuzz_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/propalg/propalg/fuzz/internal/laws"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/fuzz"
)

// fuzzLaw makes a native target of a law: go test -fuzz=FuzzLaw01RoundTrip ./fuzz
func fuzzLaw(f *testing.F, law func(*rapid.T)) {
	f.Helper()
	fuzz.Native(f, law)
}

func FuzzLaw01RoundTrip(f *testing.F)            { fuzzLaw(f, laws.Law01RoundTrip) }
func FuzzLaw01Misfit(f *testing.F)               { fuzzLaw(f, laws.Law01Misfit) }
func FuzzLaw01Arrays(f *testing.F)               { fuzzLaw(f, laws.Law01Arrays) }
func FuzzLaw01Compose(f *testing.F)              { fuzzLaw(f, laws.Law01Compose) }
func FuzzLaw01Split(f *testing.F)                { fuzzLaw(f, laws.Law01Split) }
func FuzzLaw01Merge(f *testing.F)                { fuzzLaw(f, laws.Law01Merge) }
func FuzzLaw01Rebase(f *testing.F)               { fuzzLaw(f, laws.Law01Rebase) }
func FuzzLaw01Spellings(f *testing.F)            { fuzzLaw(f, laws.Law01Spellings) }
func FuzzLaw01Requests(f *testing.F)             { fuzzLaw(f, laws.Law01Requests) }
func FuzzLaw01Operations(f *testing.F)           { fuzzLaw(f, laws.Law01Operations) }
func FuzzLaw02EmptyMeansEqual(f *testing.F)      { fuzzLaw(f, laws.Law02EmptyMeansEqual) }
func FuzzLaw02Equivalence(f *testing.F)          { fuzzLaw(f, laws.Law02Equivalence) }
func FuzzLaw02Spellings(f *testing.F)            { fuzzLaw(f, laws.Law02Spellings) }
func FuzzLaw03AlignedArrays(f *testing.F)        { fuzzLaw(f, laws.Law03AlignedArrays) }
func FuzzLaw03Scripts(f *testing.F)              { fuzzLaw(f, laws.Law03Scripts) }
func FuzzLaw06NoPlaintext(f *testing.F)          { fuzzLaw(f, laws.Law06NoPlaintext) }
func FuzzLaw06BecomesSecret(f *testing.F)        { fuzzLaw(f, laws.Law06BecomesSecret) }
func FuzzLaw06ArraysBecomeSecret(f *testing.F)   { fuzzLaw(f, laws.Law06ArraysBecomeSecret) }
func FuzzLaw07MarksSurvive(f *testing.F)         { fuzzLaw(f, laws.Law07MarksSurvive) }
func FuzzLaw07MarkSecret(f *testing.F)           { fuzzLaw(f, laws.Law07MarkSecret) }
func FuzzLaw07Edits(f *testing.F)                { fuzzLaw(f, laws.Law07Edits) }
func FuzzLaw08MaskedAtLeaf(f *testing.F)         { fuzzLaw(f, laws.Law08MaskedAtLeaf) }
func FuzzLaw09Total(f *testing.F)                { fuzzLaw(f, laws.Law09Total) }
func FuzzLaw10PathsRoundTrip(f *testing.F)       { fuzzLaw(f, laws.Law10PathsRoundTrip) }
func FuzzLaw10PulumiDialect(f *testing.F)        { fuzzLaw(f, laws.Law10PulumiDialect) }
func FuzzLaw10URNsRoundTrip(f *testing.F)        { fuzzLaw(f, laws.Law10URNsRoundTrip) }
func FuzzLaw11PatternsTotal(f *testing.F)        { fuzzLaw(f, laws.Law11PatternsTotal) }
func FuzzLaw12IgnoreChanges(f *testing.F)        { fuzzLaw(f, laws.Law12IgnoreChanges) }
func FuzzLaw13LosslessJSON(f *testing.F)         { fuzzLaw(f, laws.Law13LosslessJSON) }
func FuzzLaw13LosslessBytes(f *testing.F)        { fuzzLaw(f, laws.Law13LosslessBytes) }
func FuzzLaw13LosslessState(f *testing.F)        { fuzzLaw(f, laws.Law13LosslessState) }
func FuzzLaw13Rewrite(f *testing.F)              { fuzzLaw(f, laws.Law13Rewrite) }
func FuzzLaw13Structs(f *testing.F)              { fuzzLaw(f, laws.Law13Structs) }
func FuzzLaw14Numbers(f *testing.F)              { fuzzLaw(f, laws.Law14Numbers) }
func FuzzLaw15BytesWithoutStructpb(f *testing.F) { fuzzLaw(f, laws.Law15BytesWithoutStructpb) }
func FuzzLaw16OneDecryption(f *testing.F)        { fuzzLaw(f, laws.Law16OneDecryption) }
func FuzzLaw17WideObjects(f *testing.F)          { fuzzLaw(f, laws.Law17WideObjects) }
func FuzzLaw17Determinism(f *testing.F)          { fuzzLaw(f, laws.Law17Determinism) }
func FuzzLaw18Truthful(f *testing.F)             { fuzzLaw(f, laws.Law18Truthful) }
func FuzzLaw18Direct(f *testing.F)               { fuzzLaw(f, laws.Law18Direct) }
func FuzzLaw18Lies(f *testing.F)                 { fuzzLaw(f, laws.Law18Lies) }
func FuzzLaw18Spellings(f *testing.F)            { fuzzLaw(f, laws.Law18Spellings) }
func FuzzLaw19Fillings(f *testing.F)             { fuzzLaw(f, laws.Law19Fillings) }
func FuzzLaw19Changes(f *testing.F)              { fuzzLaw(f, laws.Law19Changes) }
func FuzzLaw19Arrays(f *testing.F)               { fuzzLaw(f, laws.Law19Arrays) }
func FuzzLaw19Spellings(f *testing.F)            { fuzzLaw(f, laws.Law19Spellings) }
func FuzzLaw20Shared(f *testing.F)               { fuzzLaw(f, laws.Law20Shared) }
func FuzzLaw21Within(f *testing.F)               { fuzzLaw(f, laws.Law21Within) }
func FuzzLaw22Transport(f *testing.F)            { fuzzLaw(f, laws.Law22Transport) }
func FuzzLaw22Drift(f *testing.F)                { fuzzLaw(f, laws.Law22Drift) }
func FuzzLaw22Compare(f *testing.F)              { fuzzLaw(f, laws.Law22Compare) }

// TestEveryLawHasATarget compares the targets above with the laws.
func TestEveryLawHasATarget(t *testing.T) {
	const file = "fuzzlaw_test.go"

	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}

	targets := map[string]bool{}
	for _, found := range regexp.MustCompile(`(?m)^func Fuzz(Law\w+)\(f \*testing\.F\) +\{ fuzzLaw\(f, laws\.(\w+)\) \}$`).FindAllStringSubmatch(string(text), -1) {
		targets[found[1]] = found[1] == found[2]
	}

	for _, l := range laws.Laws() {
		if !targets[l.String()] {
			t.Errorf("no target Fuzz%s", l.String())
		}
	}

	if len(targets) != len(laws.Laws()) {
		t.Errorf("%d targets, %d laws", len(targets), len(laws.Laws()))
	}
}
