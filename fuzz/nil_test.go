package fuzz_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/value"
)

// TestNil: what is required and nil is a panic at once, with a message.
func TestNil(t *testing.T) {
	for want, call := range map[string]func(){
		"fuzz: nil law":           func() { fuzz.Native(&testing.F{}, nil) },
		"fuzz: nil generator":     func() { fuzz.Damaged(nil) },
		"fuzz: nil resource":      func() { fuzz.StateOf(nil, value.Null(), fuzz.Options{}) },
		"fuzz: nothing to test: ": func() { fuzz.Provider{Read: (&disks{}).read}.Run(&testing.T{}) },
	} {
		func() {
			defer func() {
				if r := recover(); !strings.HasPrefix(fmt.Sprint(r), want) {
					t.Errorf("panic %v, not %q", r, want)
				}
			}()

			call()
		}()
	}

	if said, failed := kit.CheckRecorded(1, false, fuzz.Provider{}.Law); !failed || !strings.Contains(said, "fuzz: nothing to test: ") {
		t.Errorf("failed %v: %s", failed, said)
	}

	rapid.Check(t, fuzz.Provider{Diff: honest}.Law) // the other fields are zero
}
