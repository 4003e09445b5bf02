package main

import (
	"fmt"
	"runtime"
	"strings"
	"sync"

	"pgregory.net/rapid"
)

// verdict is what rapid tells the result of a law to.
type verdict struct {
	mu     sync.Mutex
	failed bool
	text   strings.Builder
}

var _ rapid.TB = (*verdict)(nil)

const longestVerdict = 1 << 16 // bytes

func (v *verdict) write(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.text.Len() < longestVerdict {
		v.text.WriteString(text + "\n")
	}
}

// Fail notes that the law does not hold.
func (v *verdict) Fail() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.failed = true
}

// Failed reports whether it does not.
func (v *verdict) Failed() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.failed
}

// FailNow ends the goroutine of the law, as of a test.
func (v *verdict) FailNow() {
	v.Fail()
	runtime.Goexit()
}

// SkipNow ends the goroutine of the law.
func (v *verdict) SkipNow() { runtime.Goexit() }

// Helper is for tests.
func (v *verdict) Helper() {}

// Name is what rapid names files by; none are written.
func (v *verdict) Name() string { return "campaign" }

// Log notes what rapid says.
func (v *verdict) Log(args ...any) { v.write(fmt.Sprint(args...)) }

// Logf notes what rapid says.
func (v *verdict) Logf(format string, args ...any) { v.write(fmt.Sprintf(format, args...)) }

// Error notes what rapid says, and that the law does not hold.
func (v *verdict) Error(args ...any) { v.Log(args...); v.Fail() }

// Errorf notes what rapid says, and that the law does not hold.
func (v *verdict) Errorf(format string, args ...any) { v.Logf(format, args...); v.Fail() }

// Fatal is Error and FailNow.
func (v *verdict) Fatal(args ...any) { v.Log(args...); v.FailNow() }

// Fatalf is Errorf and FailNow.
func (v *verdict) Fatalf(format string, args ...any) { v.Logf(format, args...); v.FailNow() }

// Skip is Log and SkipNow.
func (v *verdict) Skip(args ...any) { v.Log(args...); v.SkipNow() }

// Skipf is Logf and SkipNow.
func (v *verdict) Skipf(format string, args ...any) { v.Logf(format, args...); v.SkipNow() }
