package grpc_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	google "google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/value"
)

// A text travels in a header, of which a peer takes so much: one that is longer is
// cut, since it would end the connection and all calls on it.
func TestLongTexts(t *testing.T) {
	long := "it starts so " + strings.Repeat("ö", 10<<20)
	detail := &rpc.ErrorResourceInitFailed{ID: "i-1", Properties: object(text("p"), text(strings.Repeat("p", 1<<20)))}
	for name, give := range map[string]error{
		"plain":       errors.New(long),
		"ours":        &grpc.Error{Code: codes.NotFound, Text: long},
		"detail":      &grpc.Error{Code: codes.NotFound, Text: long, Detail: detail},
		"status":      status.Error(codes.NotFound, long),
		"its details": tooDetailed(t),
		"cancelled":   errors.Join(context.Canceled, errors.New(long)),
	} {
		p := served(t, failing(give), grpc.ServeOptions{})
		_, err := p.Create(t.Context(), &rpc.CreateRequest{})
		var e *grpc.Error
		if !errors.As(err, &e) || e.Code == codes.Unavailable || e.Code == codes.Internal || len(e.Text) > 1<<17 || !utf8.ValidString(e.Text) {
			t.Errorf("%s: %.200v", name, err)
			continue
		}
		if !strings.Contains(e.Text, "it starts so") && name != "cancelled" {
			t.Errorf("%s: %.200s", name, e.Text)
		}
		if _, ok := e.Detail.(*rpc.ErrorResourceInitFailed); ok != (name == "detail") {
			t.Errorf("%s: %T", name, e.Detail)
		}
		if _, err := p.GetPluginInfo(t.Context(), &rpc.Empty{}); err != nil {
			t.Errorf("%s: it does not live on: %.200v", name, err)
		}
	}
}

// tooDetailed is a status of grpc with a detail that no header can hold.
func tooDetailed(t *testing.T) error {
	t.Helper()
	s, err := status.New(codes.NotFound, "it starts so").WithDetails(wrapperspb.Bytes(make([]byte, 20<<20)))
	if err != nil {
		t.Fatal(err)
	}
	return s.Err()
}

// So is where a request is malformed, which may be below a key of any length.
func TestLongPathOfMalformedRequest(t *testing.T) {
	p := served(t, &fake{}, grpc.ServeOptions{})
	conn, err := google.NewClient("passthrough:///"+p.Address(), google.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	bad := value.Object(value.Member{Key: strings.Repeat("k", 20<<20), Value: text("MARK")})
	data, err := rpc.Marshal(&rpc.CreateRequest{Properties: bad}, rpc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := strings.LastIndex(string(data), "MARK")
	data[at] = 0xff // no UTF-8
	var answer []byte
	err = conn.Invoke(t.Context(), "/pulumirpc.ResourceProvider/Create", &data, &answer, google.ForceCodec(raw{}), google.MaxCallSendMsgSize(64<<20))
	if s := status.Convert(err); s.Code() != codes.InvalidArgument || len(s.Message()) > 1<<17 {
		t.Errorf("%.300v", err)
	}
}
