package grpc

import (
	"context"
	"errors"
	"fmt"
	"strings"

	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/propalg/propalg/codec/rpc"
)

// What stands behind an [*Error] that has a detail, or none because of the peer.
var (
	ErrInitFailed  = errors.New("resource is there, but not well")
	ErrMissingKeys = errors.New("configuration is missing")
	ErrLaunch      = errors.New("no provider came up")
)

// Error is an error of a call: what a provider returns to say more than a text,
// and what a [Client] returns. It holds what the provider put in, and nothing of a
// request.
//
// Any other error that a provider returns travels as its text, whatever that holds:
// an error of another library that quotes a secret shows it to the engine, and to
// all who read its log. It has the code Canceled or DeadlineExceeded where it wraps
// one of the errors of package context, its own where it is a status of grpc, else
// Unknown. Of an error that wraps an Error only the Error travels, without the text
// around it. Texts are cut at 64 KiB.
type Error struct {
	Method string      // "/pulumirpc.ResourceProvider/Create"; empty: not known yet
	Code   codes.Code  // never OK
	Text   string      // for people; no secrets
	Detail rpc.Message // *rpc.ErrorResourceInitFailed, *rpc.ConfigureErrorMissingKeys, or nil
	err    error
}

// InitFailed is what Create, Read and Update return for a resource that is there
// but not well: an engine keeps it, with the ID and the state of the detail, and
// calls Update in the next run. A detail of more than 8 MiB does not come through,
// and ResourceExhausted is sent in its place.
func InitFailed(detail *rpc.ErrorResourceInitFailed) error {
	return &Error{Code: codes.Unknown, Text: ErrInitFailed.Error(), Detail: detail, err: ErrInitFailed}
}

// MissingKeys is what Configure returns when configuration is missing.
func MissingKeys(keys ...rpc.MissingKey) error {
	detail := &rpc.ConfigureErrorMissingKeys{MissingKeys: keys}
	return &Error{Code: codes.InvalidArgument, Text: ErrMissingKeys.Error(), Detail: detail, err: ErrMissingKeys}
}

// Error returns one line such as "grpc: Create: Unknown: resource is there, but
// not well". Details are left out.
func (e *Error) Error() string {
	if e == nil {
		return "<nil>"
	}
	b := "grpc: "
	if e.Method != "" {
		b += e.Method[strings.LastIndexByte(e.Method, '/')+1:] + ": "
	}
	return b + e.Code.String() + ": " + e.Text
}

// Format writes [Error.Error] for every verb.
func (e *Error) Format(f fmt.State, _ rune) { fmt.Fprint(f, e.Error()) }

// Unwrap returns [ErrInitFailed], [ErrMissingKeys], an error of package context, the
// [*rpc.Error] of a message that could not be written or read here, or nothing.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.err
}

// GRPCStatus is how the error travels; grpc-go asks for it.
func (e *Error) GRPCStatus() *status.Status {
	code := e.Code
	if code == codes.OK {
		code = codes.Unknown
	}
	if e.Detail == nil {
		return status.New(code, fitting(e.Text))
	}
	return detailed(code, e.Text, e.Detail, rpc.Options{})
}

// maxText is how long a text may be, in bytes. It travels in a header too, with up
// to three bytes for each, and beside a detail a second time.
const maxText = 64 << 10

// fitting is a text that can be sent.
func fitting(text string) string {
	if len(text) > maxText {
		text = text[:maxText] + "…"
	}
	return strings.ToValidUTF8(text, "\ufffd")
}

// maxDetail is how large a status with its detail may be, in bytes. It travels in
// base64 in a header, of which peers take 16 MiB; a larger one would end the
// connection, and every call on it.
const maxDetail = 8 << 20

// detailed is a status with a message as its detail. Where that cannot be sent the
// text says why, without a payload.
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

// sent makes of a provider's error what is sent.
func sent(err error, o rpc.Options) error {
	var e *Error
	switch {
	case errors.As(err, &e):
		code := e.Code
		if code == codes.OK {
			code = codes.Unknown
		}
		if e.Detail == nil {
			return status.Error(code, fitting(e.Text))
		}
		return detailed(code, e.Text, e.Detail, o).Err()
	case errors.Is(err, context.Canceled):
		return status.Error(codes.Canceled, fitting(err.Error()))
	case errors.Is(err, context.DeadlineExceeded):
		return status.Error(codes.DeadlineExceeded, fitting(err.Error()))
	}
	if s, ok := status.FromError(err); ok {
		return foreign(s).Err()
	}
	return status.Error(codes.Unknown, fitting(err.Error()))
}

// foreign is a status that a provider made itself, so that it can be sent: with its
// details, if they can be.
func foreign(s *status.Status) *status.Status {
	p := s.Proto()
	p.Message = fitting(p.GetMessage())
	if n := proto.Size(p); n > maxDetail {
		return status.New(codes.ResourceExhausted, fitting(fmt.Sprintf("the details of %d bytes are larger than %d: %s", n, maxDetail, p.GetMessage())))
	}
	return status.FromProto(p)
}

// received makes an [*Error] of what a call returned.
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
	failed, keys := &rpc.ErrorResourceInitFailed{}, &rpc.ConfigureErrorMissingKeys{}
	if found, err := rpc.FindDetail(data, failed, rpc.Options{}); err == nil && found {
		e.Detail, e.err = failed, ErrInitFailed
	} else if found, err := rpc.FindDetail(data, keys, rpc.Options{}); err == nil && found {
		e.Detail, e.err = keys, ErrMissingKeys
	}
	return e
}
