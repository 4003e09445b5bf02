package laws

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/fuzz"

	"github.com/propalg/propalg/value"
)

// Law is one promise of the library as a property: rapid.Check tries it on
// generated data, [fuzz.Native] makes a native fuzz target of it.
type Law struct {
	Number int    // of the promise
	Name   string // of the function, without "Law" and the number
	Check  func(*rapid.T)
}

// String returns the name of the function.
func (l Law) String() string { return fmt.Sprintf("Law%02d%s", l.Number, l.Name) }

// Laws lists all laws, in order of their numbers. A promise may have several.
func Laws() []Law {
	return []Law{
		{1, "RoundTrip", Law01RoundTrip},
		{1, "Misfit", Law01Misfit},
		{1, "Arrays", Law01Arrays},
		{1, "Compose", Law01Compose},
		{1, "Split", Law01Split},
		{1, "Merge", Law01Merge},
		{1, "Rebase", Law01Rebase},
		{1, "Spellings", Law01Spellings},
		{1, "Requests", Law01Requests},
		{1, "Operations", Law01Operations},
		{2, "EmptyMeansEqual", Law02EmptyMeansEqual},
		{2, "Equivalence", Law02Equivalence},
		{2, "Spellings", Law02Spellings},
		{3, "AlignedArrays", Law03AlignedArrays},
		{3, "Scripts", Law03Scripts},
		{6, "NoPlaintext", Law06NoPlaintext},
		{6, "BecomesSecret", Law06BecomesSecret},
		{6, "ArraysBecomeSecret", Law06ArraysBecomeSecret},
		{7, "MarksSurvive", Law07MarksSurvive},
		{7, "MarkSecret", Law07MarkSecret},
		{7, "Edits", Law07Edits},
		{8, "MaskedAtLeaf", Law08MaskedAtLeaf},
		{9, "Total", Law09Total},
		{10, "PathsRoundTrip", Law10PathsRoundTrip},
		{10, "PulumiDialect", Law10PulumiDialect},
		{10, "URNsRoundTrip", Law10URNsRoundTrip},
		{11, "PatternsTotal", Law11PatternsTotal},
		{12, "IgnoreChanges", Law12IgnoreChanges},
		{13, "LosslessJSON", Law13LosslessJSON},
		{13, "LosslessBytes", Law13LosslessBytes},
		{13, "LosslessState", Law13LosslessState},
		{13, "Rewrite", Law13Rewrite},
		{13, "Structs", Law13Structs},
		{14, "Numbers", Law14Numbers},
		{15, "BytesWithoutStructpb", Law15BytesWithoutStructpb},
		{16, "OneDecryption", Law16OneDecryption},
		{17, "Determinism", Law17Determinism},
		{17, "WideObjects", Law17WideObjects},
		{18, "Truthful", Law18Truthful},
		{18, "Direct", Law18Direct},
		{18, "Lies", Law18Lies},
		{18, "Spellings", Law18Spellings},
		{19, "Fillings", Law19Fillings},
		{19, "Changes", Law19Changes},
		{19, "Arrays", Law19Arrays},
		{19, "Spellings", Law19Spellings},
		{20, "Shared", Law20Shared},
		{21, "Within", Law21Within},
		{22, "Transport", Law22Transport},
		{22, "Drift", Law22Drift},
		{22, "Compare", Law22Compare},
	}
}

// log writes a generated value into the reproduction of a failure: an assignment
// in Go. It is next to free when nothing has failed.
func log(t *rapid.T, name string, v value.Value) { t.Logf("%s := %v", name, revealed{v}) }

// revealed is a value that prints as [fuzz.GoSource].
type revealed struct{ v value.Value }

func (r revealed) String() string { return fuzz.GoSource(r.v) }

// drawValue draws a value and logs it.
func drawValue(t *rapid.T, g *rapid.Generator[value.Value], name string) value.Value {
	v := g.Draw(t, name)
	log(t, name, v)
	return v
}

// drawPair draws a pair and logs it.
func drawPair(t *rapid.T, g *rapid.Generator[fuzz.Pair]) fuzz.Pair {
	p := g.Draw(t, "pair")
	log(t, "old", p.Old)
	log(t, "new", p.New)
	return p
}
