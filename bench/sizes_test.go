package bench_test

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"unsafe"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// sizes are the bytes of the types that slices and maps of users are full of.
func sizes() map[string]uintptr {
	return map[string]uintptr{
		"value.Value":             unsafe.Sizeof(value.Value{}),
		"value.Member":            unsafe.Sizeof(value.Member{}),
		"value.ResourceReference": unsafe.Sizeof(value.ResourceReference{}),
		"value.Asset":             unsafe.Sizeof(value.Asset{}),
		"path.Path":               unsafe.Sizeof(path.Path{}),
		"path.Pattern":            unsafe.Sizeof(path.Pattern{}),
		"path.Step":               unsafe.Sizeof(path.Step{}),
		"path.Matcher":            unsafe.Sizeof(path.Matcher{}),
		"path.Shown":              unsafe.Sizeof(path.Shown{}),
		"urn.URN":                 unsafe.Sizeof(urn.URN{}),
		"diff.Diff":               unsafe.Sizeof(diff.Diff{}),
		"diff.Change":             unsafe.Sizeof(diff.Change{}),
		"provider.Entry":          unsafe.Sizeof(provider.Entry{}),
		"diff.Options":            unsafe.Sizeof(diff.Options{}),
		"codec.Options":           unsafe.Sizeof(codec.Options{}),
	}
}

// inlined are functions that the compiler puts where they are called: what loops of
// users are made of.
func inlined() map[string]string {
	return map[string]string{
		"value": "Bool Null Number Secret Unknown Value.AsBool Value.AsNumber Value.ContainsSecret Value.ContainsUnknown " +
			"Value.Elems Value.Equal Value.Field Value.Has Value.Hint Value.IsNull Value.IsSecret Value.IsUnknown Value.Keys " +
			"Value.Kind Value.Len Value.Members Value.OwnSecret Value.Walk Kind.IsContainer",
		"path": "Index Key Parse Path.Equal Path.IsRoot Path.Member Path.Len Path.Parent Path.Steps Pattern.Covers " +
			"Pattern.Matches Matcher.MatchesAbove Matcher.Matches Step.AsIndex Step.AsKey Step.IsKey",
		"urn":   "Parse URN.Equal URN.IsZero URN.Name URN.Project URN.QualifiedType URN.Stack URN.Type",
		"diff":  "Between Change.New Change.Old Change.Op Change.Secret Change.Verdict Diff.Changes Diff.Empty Diff.Len",
		"codec": "Append AppendValue",
	}
}

// The compiler says what it inlines.
func TestBudgetInlining(t *testing.T) {
	if testing.Short() || race.Enabled {
		t.Skip("builds packages")
	}
	said := regexp.MustCompile(`(?m): can inline (\S+)$`)
	for name, wanted := range inlined() {
		out, err := exec.Command("go", "build", "-gcflags=-m", "../"+name).CombinedOutput()
		if err != nil {
			t.Skipf("no compiler that says: %v\n%s", err, out)
		}
		can := map[string]bool{}
		for _, match := range said.FindAllStringSubmatch(string(out), -1) {
			can[match[1]] = true
		}
		if len(can) == 0 {
			t.Errorf("%s: the compiler says nothing", name)
			continue
		}
		for _, f := range strings.Fields(wanted) {
			if !can[f] {
				t.Errorf("%s.%s is not inlined", name, f)
			}
		}
	}
}
