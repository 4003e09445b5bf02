package grpc

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/protocol"
)

// ErrInitFailed and ErrMissingKeys are wrapped by an [*Error] with such a detail, and
// ErrLaunch by the errors of [Launch].
var (
	ErrInitFailed  = errors.New("resource exists, but was not fully initialized")
	ErrMissingKeys = errors.New("missing configuration")
	ErrLaunch      = errors.New("provider did not start")
)

// Error is the error of a call. A provider returns one to send more than a text, and a
// [Client] returns one for each call that fails. It holds what the provider put into it,
// and no part of the request.
//
// Any other error that a provider returns is sent as its text, whatever that contains: if
// the error of another library quotes a secret, the engine and all readers of its log see
// it. The code is Canceled or DeadlineExceeded if the error wraps an error of package
// context, Unimplemented if it wraps [errors.ErrUnsupported], InvalidArgument if it wraps
// the [*rpc.Error] of a method that parses a field of a request or its configuration, and
// the code of the status if the error is a gRPC status; otherwise it is Unknown. If an
// error wraps an Error, only the Error is sent. Texts are cut at 64 KiB.
type Error struct {
	Method string      // "/pulumirpc.ResourceProvider/Create", or empty while unknown
	Code   codes.Code  // never OK
	Text   string      // for people, without secrets
	Detail rpc.Message // *rpc.ErrorResourceInitFailed, *rpc.ConfigureErrorMissingKeys, *rpc.InputPropertiesError, or nil
	err    error
}

// InitFailed returns the error for a resource that was not fully initialized. Create,
// Read and Update return it; the engine then keeps the resource, with the ID and the
// state of the detail, and calls Update in the next run. A detail of more than 8 MiB is
// not sent; the code of the error is then ResourceExhausted.
func InitFailed(detail *rpc.ErrorResourceInitFailed) error {
	return &Error{Code: codes.Unknown, Text: ErrInitFailed.Error(), Detail: detail, err: ErrInitFailed}
}

// MissingKeys returns the error of Configure for missing configuration.
func MissingKeys(keys ...rpc.MissingKey) error {
	detail := &rpc.ConfigureErrorMissingKeys{MissingKeys: keys}
	return &Error{Code: codes.InvalidArgument, Text: ErrMissingKeys.Error(), Detail: detail, err: ErrMissingKeys}
}

// Error returns one line such as "grpc: Create: Unknown: resource exists, but was not
// fully initialized". It shows no details, and the text with escapes for what is not
// printable.
func (e *Error) Error() string {
	if e == nil {
		return "<nil>"
	}

	b := "grpc: "
	if e.Method != "" {
		b += e.Method[strings.LastIndexByte(e.Method, '/')+1:] + ": "
	}
	return b + e.Code.String() + ": " + printable(e.Text)
}

// printable returns a text as it is, or with escapes as in Go if not all of it is printable.
func printable(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r == utf8.RuneError || !strconv.IsPrint(r) }) {
		return text
	}
	quoted := strconv.Quote(text)
	return quoted[1 : len(quoted)-1]
}

// Format writes the text of [Error.Error] for every verb.
func (e *Error) Format(f fmt.State, _ rune) { fmt.Fprint(f, e.Error()) }

// InitFailed returns the detail about a resource that was not fully initialized, or nil.
// Package fuzz calls it to learn whether a call that failed has made a resource.
func (e *Error) InitFailed() *rpc.ErrorResourceInitFailed {
	if e == nil {
		return nil
	}
	detail, _ := e.Detail.(*rpc.ErrorResourceInitFailed)
	return detail
}

// Unwrap returns the cause of the error, or nil. The cause is [ErrInitFailed],
// [ErrMissingKeys], an error of package context, or the [*rpc.Error] of a message that
// could not be encoded or decoded locally.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.err
}

// Is reports whether the target is [errors.ErrUnsupported] and the code is Unimplemented.
func (e *Error) Is(target error) bool {
	return e != nil && e.Code == codes.Unimplemented && target == errors.ErrUnsupported
}

// GRPCStatus returns the status that is sent. grpc-go calls it.
func (e *Error) GRPCStatus() *status.Status { return e.status(rpc.Options{}) }

// status returns the status that is sent to a peer.
func (e *Error) status(o rpc.Options) *status.Status {
	code := e.Code
	if code == codes.OK {
		code = codes.Unknown
	}
	if e.Detail == nil {
		return status.New(code, fitting(e.Text))
	}

	return detailed(code, e.Text, e.Detail, o)
}

// maxText is the limit on the bytes of a text. A header holds it too, with up to three
// bytes for each, and with a detail a second time.
const maxText = 64 << 10

// fitting returns a text that can be sent.
func fitting(text string) string {
	if len(text) > maxText {
		text = text[:maxText] + "…"
	}
	return strings.ToValidUTF8(text, "\ufffd")
}

// maxDetail is the limit on the bytes of a status with its detail. It is sent as base64
// in a header, for which peers allow 16 MiB; a larger one would end the connection and
// every call on it.
const maxDetail = 8 << 20

// detailed returns a status with a message as its detail. If that cannot be sent, the
// text says why, without payload.
func detailed(code codes.Code, text string, detail rpc.Message, o rpc.Options) *status.Status {
	text = fitting(text)
	data, err := rpc.MarshalStatus(int32(code), text, []rpc.Message{detail}, o) //nolint:gosec // there are 17 codes
	if err != nil {
		return status.New(codes.Internal, fitting(text+": "+err.Error()))
	}
	if len(data) > maxDetail {
		return status.New(codes.ResourceExhausted, fmt.Sprintf("%s: the detail of %d bytes is larger than %d", text, len(data), maxDetail))
	}

	var s spb.Status
	if err := proto.Unmarshal(data, &s); err != nil {
		return status.New(codes.Internal, text)
	}
	return status.FromProto(&s)
}

// sent converts a provider's error to the one that is sent.
func sent(err error, o rpc.Options) error {
	var e *Error
	var masked *protocol.Masked
	switch {
	case errors.As(err, &masked):
		mask, cause := masked.Reveal()
		s := status.Convert(sent(cause, o))
		return status.Error(s.Code(), mask(s.Message())) // its details may show the secret too
	case errors.As(err, &e):
		return e.status(o).Err()
	case errors.Is(err, context.Canceled):
		return status.Error(codes.Canceled, fitting(err.Error()))
	case errors.Is(err, context.DeadlineExceeded):
		return status.Error(codes.DeadlineExceeded, fitting(err.Error()))
	}

	if e := ofProtocol(err); e != nil {
		return e.status(o).Err()
	}
	if s, ok := status.FromError(err); ok {
		return foreign(s).Err()
	}
	if errors.Is(err, errors.ErrUnsupported) {
		return status.Error(codes.Unimplemented, fitting(err.Error()))
	}
	if isOfRequest(err) {
		return unreadable(err)
	}
	return status.Error(codes.Unknown, fitting(err.Error()))
}

// ofProtocol returns the Error for one of those that package provider/resource returns, or nil.
func ofProtocol(err error) *Error {
	var refusal *protocol.Refusal
	var missing *protocol.MissingKeys
	var partial *protocol.PartialFailure
	switch {
	case errors.As(err, &partial):
		return &Error{Code: codes.Unknown, Text: ErrInitFailed.Error(), Detail: partial.Detail}
	case errors.As(err, &missing):
		return &Error{Code: codes.InvalidArgument, Text: ErrMissingKeys.Error(), Detail: &rpc.ConfigureErrorMissingKeys{MissingKeys: missing.Keys}}
	case !errors.As(err, &refusal):
		return nil
	}

	e := &Error{Code: codes.InvalidArgument, Text: refusal.Text}
	if refusal.NotYet {
		e.Code = codes.FailedPrecondition
	}
	if refusal.Detail != nil {
		e.Detail = refusal.Detail
	}
	return e
}

// isOfRequest reports whether an error is one of package rpc about the configuration in a
// request, which a provider reads after the server has read the message.
func isOfRequest(err error) bool {
	var e *rpc.Error
	return errors.As(err, &e) && e.Op == "configure"
}

// foreign returns a status that a provider made itself, changed so that it can be sent:
// with its details, if they are small enough.
func foreign(s *status.Status) *status.Status {
	p := s.Proto()
	p.Message = fitting(p.GetMessage())
	if n := proto.Size(p); n > maxDetail {
		return status.New(codes.ResourceExhausted, fitting(fmt.Sprintf("the details of %d bytes are larger than %d: %s", n, maxDetail, p.GetMessage())))
	}
	return status.FromProto(p)
}

// received converts the error of a call to an [*Error].
func received(method string, err error) error {
	if err == nil {
		return nil
	}

	s := status.Convert(err)
	e := &Error{Method: method, Code: s.Code(), Text: s.Message()}
	switch e.Code { //nolint:exhaustive // these two have errors of their own
	case codes.Canceled:
		e.err = context.Canceled
	case codes.DeadlineExceeded:
		e.err = context.DeadlineExceeded
	}

	if len(s.Proto().GetDetails()) == 0 {
		return e
	}
	data, err := proto.Marshal(s.Proto())
	if err != nil {
		return e
	}
	failed, keys, inputs := &rpc.ErrorResourceInitFailed{}, &rpc.ConfigureErrorMissingKeys{}, &rpc.InputPropertiesError{}
	if found, err := rpc.FindDetail(data, failed, rpc.Options{}); err == nil && found {
		e.Detail, e.err = failed, ErrInitFailed
	} else if found, err := rpc.FindDetail(data, keys, rpc.Options{}); err == nil && found {
		e.Detail, e.err = keys, ErrMissingKeys
	} else if found, err := rpc.FindDetail(data, inputs, rpc.Options{}); err == nil && found {
		e.Detail = inputs
	}
	return e
}
