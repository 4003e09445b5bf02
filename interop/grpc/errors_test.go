package grpc_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	google "google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/value"
)

const canary = "canary-5up3r"

func failing(err error) *fake {
	return &fake{create: func(context.Context, *rpc.CreateRequest) (*rpc.CreateResponse, error) { return nil, err }}
}

func TestErrorsTravel(t *testing.T) {
	for _, row := range []struct {
		name string
		give error
		want string
		is   error
	}{
		{"plain", errors.New("disk is full"), "grpc: Create: Unknown: disk is full", nil},
		{"ours", &grpc.Error{Code: codes.NotFound, Text: "no such thing"}, "grpc: Create: NotFound: no such thing", nil},
		{"wrapped", fmt.Errorf("while making: %w", &grpc.Error{Code: codes.NotFound, Text: "no such thing"}), "grpc: Create: NotFound: no such thing", nil},
		{"control characters", errors.New("a\x1b]0;pwn\a\n\u202eb"), `grpc: Create: Unknown: a\x1b]0;pwn\a\n\u202eb`, nil},
		{"without a code", &grpc.Error{Text: "no such thing"}, "grpc: Create: Unknown: no such thing", nil},
		{"status", status.Error(codes.ResourceExhausted, "enough"), "grpc: Create: ResourceExhausted: enough", nil},
		{"cancelled", fmt.Errorf("while making: %w", context.Canceled), "grpc: Create: Canceled: while making: context canceled", context.Canceled},
		{"late", context.DeadlineExceeded, "grpc: Create: DeadlineExceeded: context deadline exceeded", context.DeadlineExceeded},
		{"not UTF-8", &grpc.Error{Code: codes.Internal, Text: "a\xffb"}, "grpc: Create: Internal: a\ufffdb", nil},
	} {
		_, err := served(t, failing(row.give), grpc.ServeOptions{}).Create(t.Context(), &rpc.CreateRequest{})
		if err == nil || err.Error() != row.want {
			t.Errorf("%s: %v, want %s", row.name, err, row.want)
		}
		if row.is != nil {
			isError(t, row.name, err, row.is)
		}
	}
}

func TestDetailsTravel(t *testing.T) {
	failed := &rpc.ErrorResourceInitFailed{
		ID: "i-1", Reasons: []string{"not well"},
		Properties: object(text("p"), value.Secret(text(canary))), Inputs: object(text("q"), value.Number(1)),
	}
	_, err := served(t, failing(fmt.Errorf("at the end: %w", grpc.InitFailed(failed))), grpc.ServeOptions{}).Create(t.Context(), &rpc.CreateRequest{})
	isError(t, "init failed", err, grpc.ErrInitFailed)
	var e *grpc.Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	got, ok := e.Detail.(*rpc.ErrorResourceInitFailed)
	if !ok || got.ID != "i-1" || !got.Properties.Identical(failed.Properties) || !got.Inputs.Identical(failed.Inputs) || got.Reasons[0] != "not well" {
		t.Errorf("%v", e.Detail)
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
		if shown := fmt.Sprintf(verb+verb, err, *e); strings.Contains(shown, canary) || strings.Contains(shown, fmt.Sprintf("%x", canary)) {
			t.Errorf("%s: %s", verb, shown)
		}
	}

	_, err = served(t, failing(errors.Join(context.Canceled, grpc.InitFailed(failed))), grpc.ServeOptions{}).Create(t.Context(), &rpc.CreateRequest{})
	isError(t, "cancelled", err, grpc.ErrInitFailed)
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	if got, ok := e.Detail.(*rpc.ErrorResourceInitFailed); !ok || got.ID != "i-1" {
		t.Errorf("of a call that was cancelled: %v", err)
	}

	_, err = served(t, failing(grpc.MissingKeys(rpc.MissingKey{Name: "demo:store"})), grpc.ServeOptions{}).Create(t.Context(), &rpc.CreateRequest{})
	isError(t, "missing keys", err, grpc.ErrMissingKeys)
	if !errors.As(err, &e) || e.Code != codes.InvalidArgument {
		t.Fatal(err)
	}
	if keys, ok := e.Detail.(*rpc.ConfigureErrorMissingKeys); !ok || keys.MissingKeys[0].Name != "demo:store" {
		t.Errorf("%v", e.Detail)
	}
	detail := &rpc.InputPropertiesError{Errors: []rpc.PropertyError{{PropertyPath: "a.b", Reason: "too long"}}}
	wrong := &grpc.Error{Code: codes.InvalidArgument, Text: "the inputs are refused", Detail: detail}
	_, err = served(t, failing(wrong), grpc.ServeOptions{}).Create(t.Context(), &rpc.CreateRequest{})
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	if inputs, ok := e.Detail.(*rpc.InputPropertiesError); !ok || len(inputs.Errors) != 1 || inputs.Errors[0].PropertyPath != "a.b" || inputs.Errors[0].Reason != "too long" {
		t.Errorf("%v", e.Detail)
	}
}

// A detail that cannot be written must not hide that there was an error, and is
// written for what the engine accepts.
func TestDetailsOfTheWrongKind(t *testing.T) {
	var none *rpc.ErrorResourceInitFailed
	for name, detail := range map[string]rpc.Message{
		"nil":       none,
		"no object": &rpc.ErrorResourceInitFailed{ID: "\xff"},
	} {
		_, err := served(t, failing(&grpc.Error{Code: codes.Unknown, Text: "not well", Detail: detail}), grpc.ServeOptions{}).Create(t.Context(), &rpc.CreateRequest{})
		if err == nil || !strings.HasPrefix(err.Error(), "grpc: Create: Internal: not well: rpc: encode") {
			t.Errorf("%s: %v", name, err)
		}
	}
	plugin := served(t, failing(grpc.InitFailed(&rpc.ErrorResourceInitFailed{ID: "x", Properties: object(text("p"), value.Secret(text("s")))})), grpc.ServeOptions{})
	if _, err := plugin.Configure(t.Context(), &rpc.ConfigureRequest{}); err != nil {
		t.Fatal(err)
	}
	_, err := plugin.Create(t.Context(), &rpc.CreateRequest{})
	var e *grpc.Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	got, _ := e.Detail.(*rpc.ErrorResourceInitFailed)
	if want := object(text("p"), text("s")); got == nil || !got.Properties.Identical(want) {
		t.Errorf("%v, want %v", e.Detail, want)
	}
}

func TestPanic(t *testing.T) {
	var mu sync.Mutex
	var told string
	plugin := served(t, &fake{create: func(_ context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
		secret, _ := r.Properties.Field("p").AsString()
		panic("cannot make " + secret)
	}}, grpc.ServeOptions{Server: grpc.ServerOptions{Panicked: func(method, stack string) {
		mu.Lock()
		defer mu.Unlock()
		told = method + " " + stack
	}}})
	_, err := plugin.Create(t.Context(), &rpc.CreateRequest{Properties: object(text("p"), value.Secret(text(canary)))})
	if err == nil || err.Error() != "grpc: Create: Internal: Create panicked" {
		t.Error(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if !strings.HasPrefix(told, "Create ") || !strings.Contains(told, "errors_test.go") || strings.Contains(told, canary) {
		t.Errorf("told %q", told)
	}
}

// raw sends bytes as they are.
type raw struct{}

func (raw) Marshal(v any) ([]byte, error) { return *v.(*[]byte), nil }

func (raw) Unmarshal(data []byte, v any) error { *v.(*[]byte) = data; return nil }

func (raw) Name() string { return "proto" }

func TestMalformedRequest(t *testing.T) {
	good, err := rpc.Append(nil, &rpc.CreateRequest{Properties: object(text("tags"), object(text("a.b"), text(canary)))}, rpc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const known = "4dabf18193072939515e22adb298388X"
	signature, err := rpc.Append(nil, &rpc.CreateRequest{Properties: object(text("rules"), value.Array(object(text(known), text("other"), text("x"), text(canary))))}, rpc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plugin := served(t, &fake{}, grpc.ServeOptions{})
	conn, err := google.NewClient("passthrough:///"+plugin.Address(), google.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, row := range []struct {
		name string
		data []byte
		want []string
	}{
		{"cut off", good[:len(good)-3], []string{"rpc: decode CreateRequest"}},
		{"not UTF-8", []byte(strings.Replace(string(good), canary, "\xff"+canary[1:], 1)), []string{"CreateRequest", "properties", `tags["a.b"]`, "UTF-8"}},
		{"unknown signature", []byte(strings.Replace(string(signature), known, known[:31]+"d", 1)), []string{"CreateRequest", "properties", "rules[0]", "signature"}},
	} {
		var answer []byte
		err := conn.Invoke(t.Context(), "/pulumirpc.ResourceProvider/Create", &row.data, &answer, google.ForceCodec(raw{}))
		if status.Code(err) != codes.InvalidArgument {
			t.Fatalf("%s: %v", row.name, err)
		}
		for _, part := range row.want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v lacks %q", row.name, err, part)
			}
		}
		if strings.Contains(err.Error(), canary[2:]) {
			t.Errorf("%s: %v", row.name, err)
		}
	}
	stream, err := conn.NewStream(t.Context(), &google.StreamDesc{ServerStreams: true}, "/pulumirpc.ResourceProvider/List", google.ForceCodec(raw{}))
	if err != nil {
		t.Fatal(err)
	}
	data := []byte("\xff")
	if err := stream.SendMsg(&data); err != nil {
		t.Fatal(err)
	}
	if err := stream.RecvMsg(&data); status.Code(err) != codes.InvalidArgument {
		t.Error(err)
	}
}

// What a provider cannot parse in a request is the caller's fault; what it cannot parse
// in a response of another is not.
func TestMalformedText(t *testing.T) {
	for _, row := range []struct {
		name string
		read func(r *rpc.CreateRequest) error
		want string
	}{
		{"variables", func(*rpc.CreateRequest) error {
			_, err := (&rpc.ConfigureRequest{Variables: rpc.Hide(map[string]string{"a": "1"})}).Properties()
			return err
		}, "grpc: Create: InvalidArgument: rpc: configure ConfigureRequest: variables[\"a\"]: invalid configuration variables"},
		{"configuration", func(*rpc.CreateRequest) error {
			_, err := rpc.ConfigWithStrings(object(text("a"), text("{")))
			return err
		}, "grpc: Create: InvalidArgument: rpc: configure: [\"a\"]: "},
		{"other message", func(*rpc.CreateRequest) error {
			return rpc.Decode([]byte("\xff"), &rpc.CreateResponse{}, rpc.Options{})
		}, "grpc: Create: Unknown: rpc: decode CreateResponse"},
	} {
		p := &fake{create: func(_ context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) { return nil, row.read(r) }}
		_, err := served(t, p, grpc.ServeOptions{}).Create(t.Context(), &rpc.CreateRequest{URN: "x"})
		if err == nil || !strings.HasPrefix(err.Error(), row.want) {
			t.Errorf("%s: %v, want %s", row.name, err, row.want)
		}
	}
}

// What cannot be written is an error with a path, on either side.
func TestUnwritable(t *testing.T) {
	bad := object(text("tags"), object(text("4dabf18193072939515e22adb298388d"), text(canary)))
	plugin := served(t, &fake{create: func(context.Context, *rpc.CreateRequest) (*rpc.CreateResponse, error) {
		return &rpc.CreateResponse{Properties: bad}, nil
	}}, grpc.ServeOptions{})
	_, err := plugin.Create(t.Context(), &rpc.CreateRequest{})
	if err == nil || !strings.HasPrefix(err.Error(), "grpc: Create: Internal: rpc: encode CreateResponse: properties: codec: encode protobuf: tags") {
		t.Error(err)
	}
	_, err = plugin.Create(t.Context(), &rpc.CreateRequest{Properties: bad})
	if err == nil || !strings.HasPrefix(err.Error(), "grpc: Create: InvalidArgument: rpc: encode CreateRequest: properties: codec: encode protobuf: tags") {
		t.Error(err)
	}
	isError(t, "Create", err, codec.ErrSignature)
	if err := plugin.List(t.Context(), &rpc.ListRequest{Query: bad}, func(*rpc.ListResponse) error { return nil }); !errors.Is(err, codec.ErrSignature) {
		t.Error(err)
	}
}

// A detail that no header can hold costs the call, and not the connection.
func TestLargeDetail(t *testing.T) {
	large := func(n int) error {
		return grpc.InitFailed(&rpc.ErrorResourceInitFailed{ID: "x", Properties: object(text("p"), text(string(make([]byte, n))))})
	}
	_, err := served(t, failing(large(2<<20)), grpc.ServeOptions{}).Create(t.Context(), &rpc.CreateRequest{})
	isError(t, "2 MiB", err, grpc.ErrInitFailed)
	_, err = served(t, failing(large(9<<20)), grpc.ServeOptions{}).Create(t.Context(), &rpc.CreateRequest{})
	if err == nil || !strings.HasPrefix(err.Error(), "grpc: Create: ResourceExhausted: resource exists, but was not fully initialized: the detail of 9437325 bytes") {
		t.Error(err)
	}
}

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
	data, err := rpc.Append(nil, &rpc.CreateRequest{Properties: bad}, rpc.Options{})
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

// TestUnsupported sends what a method does not do as Unimplemented, and knows it again.
func TestUnsupported(t *testing.T) {
	_, err := served(t, grpc.Unimplemented{}, grpc.ServeOptions{}).Create(t.Context(), &rpc.CreateRequest{})
	var e *grpc.Error
	if !errors.As(err, &e) || e.Code != codes.Unimplemented || !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("%v", err)
	}
	if errors.Is(&grpc.Error{Code: codes.Unknown}, errors.ErrUnsupported) || errors.Is((*grpc.Error)(nil), errors.ErrUnsupported) {
		t.Error("another error is unsupported")
	}
}
