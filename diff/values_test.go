package diff_test

import (
	"testing"

	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Short names for the rows of tests.
var (
	num, str, arr, sec = value.Number, value.String, value.Array, value.Secret
	obj, dep, patterns = kit.Object, kit.Depends, path.MustSet
)

func TestRelationsAreAll(t *testing.T) {
	all := value.NullAsMissing | value.IgnoreSecrets | value.IgnoreDependencies | value.IgnoreReferenceDetails
	if all != kit.Relations()[15] {
		t.Fatalf("the relations are %#x, not the sixteen that are tested", uint16(all))
	}
}
