package decide_test

import (
	"testing"

	"github.com/propalg/propalg/internal/decide"
)

func TestDefaultProvider(t *testing.T) {
	for version, want := range map[string]string{
		"": "default", "1.2.3": "default_1_2_3", "v1.2.3": "default_1_2_3", "1.2.3-beta.1+sha.5": "default_1_2_3_beta_1_sha_5",
	} {
		if got, err := decide.DefaultProvider(version); err != nil || got != want {
			t.Errorf("%s: %s %v, not %s", version, got, err, want)
		}
	}

	if name, err := decide.DefaultProvider("one"); err == nil {
		t.Error(name)
	}
}
