package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/propalg/propalg/internal/decide"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// said is an error that a provider, or Launch, returned. It may quote whatever was sent, in
// any form, so that nothing can find the secrets in its text: if there were any, the text
// is withheld. errors.Is looks into it. Unwrap and errors.As would give away an error that
// shows its text.
type said struct {
	err      veil.Pointer[error] // whose text the printers of tests would show too
	withheld bool
}

// Error returns the text on one line, or says that it is withheld.
func (e *said) Error() string {
	if e.withheld && errors.Is(e, errors.ErrUnsupported) {
		return "the provider does not implement it"
	}
	if e.withheld {
		return veil.SecretText + ": what was said may quote a secret, see engine.RevealError"
	}
	return scan.Printable((*e.err.Open()).Error())
}

// Is reports whether the error is another one, or wraps it.
func (e *said) Is(target error) bool { return errors.Is(*e.err.Open(), target) }

// said returns an error of a provider as the run may show it.
func (r *run) said(err error) error {
	failed := protocol.InitFailed(err)
	if failed != nil {
		r.see(failed.Properties, failed.Inputs)
		err = withReasons(err, failed.Reasons)
	}
	return &said{veil.Hide(&err), r.stack.secret}
}

// withReasons returns the error for a resource that is there but does not work, with the
// reasons that are not in its text.
func withReasons(err error, reasons []string) error {
	text := err.Error()
	missing := slices.DeleteFunc(slices.Clone(reasons), func(reason string) bool { return strings.Contains(text, reason) })
	if len(missing) == 0 {
		return err
	}
	return fmt.Errorf("%w: %s", err, strings.Join(missing, "; "))
}

func initFailed(err error) *rpc.ErrorResourceInitFailed {
	if err == nil {
		return nil
	}
	return protocol.InitFailed(RevealError(err))
}

// RevealError returns the error that a provider returned, or the Launch of a [Stack], if err
// wraps it: the error of an action or the Err of a [Call]. Any other error is returned
// unchanged.
//
// What a provider says may quote the secrets that it was sent, as they are or encoded. If a
// program, the state or an answer had secrets, in this run or an earlier one of the Stack,
// err itself does not show it, errors.As does not find it, and only errors.Is looks into it.
// The text of the result is as the provider wrote it, with its secrets and control
// characters; that of a partial failure has the reasons.
func RevealError(err error) error {
	var e *said
	if errors.As(err, &e) {
		return *e.err.Open()
	}
	return err
}

// reasons returns why a resource does not work, as the state has it.
func (r *run) reasons(texts []string) []value.Value {
	all := decide.SecretTexts(texts)
	if r.stack.secret {
		return all
	}

	for i, text := range texts {
		all[i] = value.String(text)
	}
	return all
}

// refusal returns the error for a Check of inputs that failed. If the run has secrets, the
// response keeps the places alone: these are names, and shown in any case.
func (r *run) refusal(response *rpc.CheckResponse, inputs value.Value) error {
	lines, places := make([]string, len(response.Failures)), make([]string, len(response.Failures))
	for i, f := range response.Failures {
		lines[i] = f.Property + ": " + f.Reason
		places[i] = placeOf(f.Property, inputs)
	}
	err := r.said(errors.New(strings.Join(lines, "; ")))
	if !r.stack.secret {
		return err
	}

	response.Failures = make([]rpc.CheckFailure, len(places))
	for i, place := range places {
		response.Failures[i] = rpc.CheckFailure{Property: place, Reason: veil.SecretText}
	}
	if places = slices.DeleteFunc(places, func(place string) bool { return place == "" }); len(places) == 0 {
		return err
	}
	return fmt.Errorf("%s: %w", strings.Join(places, ", "), err)
}

// placeOf returns a place that a failure of a Check names, as far as the outermost secret,
// or "" if there is none.
func placeOf(property string, inputs value.Value) string {
	p, err := path.ParsePulumi(property)
	if err != nil {
		return ""
	}

	for depth := range p.Len() + 1 {
		if v, _ := inputs.At(p.Prefix(depth)); v.IsSecret() {
			return scan.Printable(path.Show(p, depth).String())
		}
	}
	return scan.Printable(path.Show(p, -1).String())
}

// failure is the error of an action, or of a run.
type failure struct {
	text string
	err  error
}

// Error returns one line such as "engine: urn:…::web: Create: the name is taken".
func (e *failure) Error() string { return e.text }

// Unwrap returns the cause.
func (e *failure) Unwrap() error { return e.err }

func failed(u string, err error) error {
	text := "engine: "
	if u != "" {
		text += u + ": "
	}
	return &failure{scan.Printable(text + err.Error()), err}
}
