package kit

import (
	"flag"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"pgregory.net/rapid"
)

// recorder is a test that records its output and whether it failed, for laws that are
// expected to fail.
type recorder struct {
	mu     sync.Mutex
	text   strings.Builder
	failed bool
}

func (r *recorder) Helper()      {}
func (r *recorder) Name() string { return "Recorder" }

func (r *recorder) Logf(format string, args ...any) { r.note(fmt.Sprintf(format, args...)) }
func (r *recorder) Log(args ...any)                 { r.note(fmt.Sprintln(args...)) }

func (r *recorder) note(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.text.WriteString(strings.TrimSuffix(text, "\n") + "\n")
}

func (r *recorder) Skipf(format string, args ...any)  { r.Logf(format, args...); r.SkipNow() }
func (r *recorder) Skip(args ...any)                  { r.Log(args...); r.SkipNow() }
func (r *recorder) SkipNow()                          { runtime.Goexit() }
func (r *recorder) Errorf(format string, args ...any) { r.Logf(format, args...); r.Fail() }
func (r *recorder) Error(args ...any)                 { r.Log(args...); r.Fail() }
func (r *recorder) Fatalf(format string, args ...any) { r.Logf(format, args...); r.FailNow() }
func (r *recorder) Fatal(args ...any)                 { r.Log(args...); r.FailNow() }
func (r *recorder) FailNow()                          { r.Fail(); runtime.Goexit() }
func (r *recorder) Fail()                             { r.mu.Lock(); r.failed = true; r.mu.Unlock() }

func (r *recorder) Failed() bool { r.mu.Lock(); defer r.mu.Unlock(); return r.failed }

// CheckRecorded runs rapid.Check on a law that may fail, from a fixed seed, and
// returns what it printed of the smallest failure and whether there was one. With
// shrink, shrinking ends when nothing smaller fails, and not after some time; without,
// the first failure is returned.
func CheckRecorded(checks int, shrink bool, law func(*rapid.T)) (text string, failed bool) {
	shrinking := time.Duration(0)
	if shrink {
		shrinking = 24 * time.Hour
	}
	flags := map[string]string{
		"rapid.checks": strconv.Itoa(checks), "rapid.seed": "7", "rapid.nofailfile": "true", "rapid.shrinktime": shrinking.String(),
	}
	before := map[string]string{}
	for name := range flags {
		before[name] = flag.Lookup(name).Value.String()
	}

	setFlags(flags)
	defer setFlags(before)

	r := &recorder{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		rapid.Check(r, law)
	}()
	<-done
	return r.text.String(), r.Failed()
}

// setFlags sets flags of rapid.
func setFlags(flags map[string]string) {
	for name, text := range flags {
		if err := flag.Set(name, text); err != nil {
			panic(err)
		}
	}
}
