package resource

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// ErrNotFound is what Read returns for a resource that does not exist, wrapped or not. From
// Delete it is no error.
var ErrNotFound = errors.New("resource not found")

// Invalid returns the error of an [Of.Check] or a [Func] that refuses an argument, given its
// path in the Pulumi dialect, such as "rules[0].port"; an empty one is all arguments. The
// reason is shown, except for the secrets of the call. To refuse several, use [errors.Join].
func Invalid(property, reason string) error { return &invalid{property, reason} }

type invalid struct{ property, reason string }

func (e *invalid) Error() string {
	if e.property == "" {
		return scan.Line(e.reason)
	}
	return scan.Line(e.property) + ": " + scan.Line(e.reason)
}

// invalids returns the parts of an error that are from [Invalid], and whether it has no others.
func invalids(err error) (all []*invalid, only bool) {
	if one, ok := err.(*invalid); ok { //nolint:errorlint // joined errors are taken apart below
		return []*invalid{one}, true
	}
	switch e := err.(type) { //nolint:errorlint // see above
	case interface{ Unwrap() []error }:
		only = true
		for _, part := range e.Unwrap() {
			more, alone := invalids(part)
			all, only = append(all, more...), only && alone
		}
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			all, only = invalids(inner)
			if only && len(all) == 1 { // with what wraps it
				all = []*invalid{{all[0].property, strings.TrimPrefix(err.Error(), scan.Line(all[0].property)+": ")}}
			}
		}
	}
	return all, only && len(all) > 0
}

// failures returns those of a Check for errors from [Invalid]. With unknowns in the inputs, a
// failure counts only if it is about a place that is known: what is not known yet is zero in
// the arguments.
func failures(inputs value.Value, all []*invalid, hide *secrets) []rpc.CheckFailure {
	var made []rpc.CheckFailure
	for _, e := range all {
		at, err := path.ParsePulumi(e.property)
		reason := scan.Line(hide.mask(e.reason))
		if err != nil || hide.mask(e.property) != e.property {
			at, reason = path.Path{}, scan.Line(hide.mask(e.property))+": "+reason
		}
		if v, ok := inputs.At(at); inputs.ContainsUnknown() && (at.IsRoot() || (ok && v.ContainsUnknown())) {
			continue
		}
		made = append(made, rpc.CheckFailureAt(inputs, at, reason))
	}
	return made
}

// InitFailed returns the error of a Create, Read or Update for a resource that exists but does
// not work yet. The engine keeps it, with the ID and the state that were returned with the
// error, shows the reasons, and calls Update in the next run.
func InitFailed(reasons ...string) error { return &unready{reasons} }

type unready struct{ reasons []string }

func (e *unready) Error() string {
	return "resource exists, but is not ready: " + scan.Line(strings.Join(e.reasons, "; "))
}

// refused returns the error for a request that no function of the package is for.
func refused(format string, args ...any) error {
	return &protocol.Refusal{Text: fmt.Sprintf("resource: "+format, args...)}
}

// panicked returns the error for the panic that is being recovered. It has the function and
// the line where it began, and nothing of its value.
func panicked() error {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	isBelow := false
	for {
		f, more := frames.Next()
		isRuntime := strings.HasPrefix(f.Function, "runtime.")
		if isBelow && !isRuntime {
			name := f.Function[strings.LastIndexByte(f.Function, '/')+1:]
			file := f.File[strings.LastIndexByte(f.File, '/')+1:]
			return fmt.Errorf("resource: %s panicked at %s:%d", name, file, f.Line)
		}
		isBelow = isBelow || f.Function == "runtime.gopanic"
		if !more {
			return errors.New("resource: a function panicked")
		}
	}
}
