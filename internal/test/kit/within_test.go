package kit_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/propalg/propalg/internal/test/kit"
)

// recorder records the errors that a helper reports.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

var sum int

func spend() {
	for i := range 300_000_000 {
		sum += i
	}
}

func TestWithin(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux reports the time of a thread")
	}

	var r recorder

	kit.Within(&r, "sleeping", 100*time.Millisecond, func() { time.Sleep(200 * time.Millisecond) })

	if len(r.errors) > 0 {
		t.Errorf("counted sleep as work: %q", r.errors)
	}

	kit.Within(&r, "spending", time.Millisecond, spend)

	if len(r.errors) != 1 || !strings.HasPrefix(r.errors[0], "spending took ") {
		t.Errorf("errors are %q", r.errors)
	}
}
