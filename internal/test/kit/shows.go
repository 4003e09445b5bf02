package kit

import (
	"fmt"
	"strings"
	"testing"
)

// CheckCanary reports an error where a text that fmt makes of args holds canary.
func CheckCanary(t *testing.T, canary string, args ...any) {
	t.Helper()

	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%t"} {
		for _, a := range args {
			if text := fmt.Sprintf(verb, a); strings.Contains(text, canary) || strings.Contains(text, fmt.Sprintf("%x", canary)) {
				t.Fatalf("%s of %T shows a secret: %q", verb, a, text)
			}
		}
	}
}
