package pulumi_test

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/structpb"
	"pgregory.net/rapid"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/value"
)

// sdkMessages are the SDK's messages that codec/rpc has too.
func sdkMessages(t *testing.T) map[string]protoreflect.MessageType {
	t.Helper()
	all := map[string]protoreflect.MessageType{}
	protoregistry.GlobalTypes.RangeMessages(func(mt protoreflect.MessageType) bool {
		if name := string(mt.Descriptor().FullName()); rpc.New(name) != nil {
			all[name] = mt
		}
		return true
	})
	return all
}

// TestMessagesAreTheSDKs: no message of ours is made up, none has a field more or
// less than the SDK's. That the numbers and types agree is what the random
// messages show: a wrong one leaves something in Unrecognized.
func TestMessagesAreTheSDKs(t *testing.T) {
	all := sdkMessages(t)
	for _, m := range rpc.All() {
		if all[rpc.Name(m)] == nil {
			t.Errorf("%T is %s, which the SDK has not", m, rpc.Name(m))
		}
	}
	fields := 0
	for name, mt := range all {
		typ := reflect.TypeOf(rpc.New(name)).Elem()
		ours := typ.NumField() - 1 // without Unrecognized
		if theirs := mt.Descriptor().Fields().Len() + newerFields(name); ours != theirs {
			t.Errorf("%s has %d fields, ours %d", name, theirs, ours)
		}
		fields += ours
	}
	t.Logf("%d messages with %d fields", len(all), fields)
	if len(all) < 60 {
		t.Errorf("only %d messages", len(all))
	}
}

// newerFields is how many fields of a message are newer than the SDK that is pinned.
func newerFields(name string) int {
	if name == "pulumirpc.RegisterResourceRequest" {
		return 1 // state_migrations
	}
	return 0
}

// methods returns those of the services, as the SDK describes them.
func methods(t *testing.T) (all []protoreflect.MethodDescriptor) {
	t.Helper()
	for _, service := range []protoreflect.FullName{"pulumirpc.ResourceProvider", "pulumirpc.ResourceMonitor", "pulumirpc.Engine", "pulumirpc.ResourceStatus"} {
		d, err := protoregistry.GlobalFiles.FindDescriptorByName(service)
		if err != nil {
			t.Fatal(err)
		}
		of := d.(protoreflect.ServiceDescriptor).Methods()
		for i := range of.Len() {
			all = append(all, of.Get(i))
		}
	}
	return all
}

// TestMessagesWeLack: what is in the services and not in codec/rpc is of
// services of engines, and listed in the documentation of the package.
func TestMessagesWeLack(t *testing.T) {
	var lacking []string
	for _, m := range methods(t) {
		for _, d := range []protoreflect.MessageDescriptor{m.Input(), m.Output()} {
			if rpc.New(string(d.FullName())) == nil {
				lacking = append(lacking, string(m.Parent().Name()+"."+m.Name()+": "+d.Name()))
			}
		}
	}
	slices.Sort(lacking)
	want := []string{
		"Engine.GetRootResource: GetRootResourceRequest", "Engine.GetRootResource: GetRootResourceResponse",
		"Engine.RequirePulumiVersion: RequirePulumiVersionRequest", "Engine.RequirePulumiVersion: RequirePulumiVersionResponse",
		"Engine.SetRootResource: SetRootResourceRequest", "Engine.SetRootResource: SetRootResourceResponse",
		"Engine.StartDebugging: StartDebuggingRequest",
		"ResourceMonitor.GetDeploymentInfo: DeploymentInfo",
		"ResourceMonitor.RegisterErrorHook: RegisterErrorHookRequest", "ResourceMonitor.RegisterResourceHook: RegisterResourceHookRequest",
	}
	if !slices.Equal(lacking, want) {
		t.Errorf("lacking are %q", lacking)
	}
}

// TestCalls: the methods have the messages that the SDK says.
func TestCalls(t *testing.T) {
	known := 0
	for _, m := range methods(t) {
		full := fmt.Sprintf("/%s/%s", m.Parent().FullName(), m.Name())
		request, response := rpc.NewCall(full)
		if request == nil {
			t.Logf("no call %s", full)
			continue
		}
		known++
		if reflect.TypeOf(request) != reflect.TypeOf(rpc.New(string(m.Input().FullName()))) ||
			reflect.TypeOf(response) != reflect.TypeOf(rpc.New(string(m.Output().FullName()))) {
			t.Errorf("%s: %T, %T; the SDK has %s, %s", full, request, response, m.Input().FullName(), m.Output().FullName())
		}
	}
	if known < 20 {
		t.Errorf("only %d calls", known)
	}
}

func deterministic(t interface{ Fatal(args ...any) }, m proto.Message) []byte {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestMessageBytes: what the SDK writes, we read without leaving anything
// unrecognized, and write as the same bytes, which the SDK reads as the same
// message.
func TestMessageBytes(t *testing.T) {
	for name, mt := range sdkMessages(t) {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				theirs := drawMessage(t, mt, false)
				data := deterministic(t, theirs)
				ours := rpc.New(name)
				if err := rpc.Decode(data, ours, rpc.Options{}); err != nil {
					t.Fatalf("%v\n%v", err, theirs)
				}
				if at := unrecognized(reflect.ValueOf(ours)); at != "" {
					t.Fatalf("%s is left over of %v", at, theirs)
				}
				got, err := rpc.Append(nil, ours, rpc.Options{})
				if err != nil || !bytes.Equal(got, data) {
					t.Fatalf("%v\ngot  %q\nwant %q", err, got, data)
				}
				back := mt.New().Interface()
				if err := proto.Unmarshal(got, back); err != nil || !proto.Equal(back, theirs) {
					t.Fatalf("%v\nthe SDK reads %v\nof           %v", err, back, theirs)
				}
			})
		})
	}
}

// unrecognized finds fields that were not read, in the messages in a message too.
func unrecognized(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return unrecognized(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			if at := unrecognized(v.Index(i)); at != "" {
				return at
			}
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			if at := unrecognized(v.MapIndex(k)); at != "" {
				return at
			}
		}
	case reflect.Struct:
		isExtra := v.Type() == reflect.TypeFor[rpc.Extra]()
		if isExtra && len(v.Interface().(rpc.Extra).Unrecognized.Reveal()) > 0 {
			return v.Type().String()
		}
		for i := range v.NumField() {
			if at := unrecognized(v.Field(i)); at != "" {
				return at
			}
		}
	}
	return ""
}

// TestMessageJSON: what protojson writes of the SDK's messages we read, and what
// we write it reads, as the same message.
func TestMessageJSON(t *testing.T) {
	for name, mt := range sdkMessages(t) {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				theirs := drawMessage(t, mt, true)
				text, err := protojson.MarshalOptions{
					UseProtoNames:     rapid.Bool().Draw(t, "spelling"),
					UseEnumNumbers:    rapid.Bool().Draw(t, "enums"),
					EmitDefaultValues: rapid.Bool().Draw(t, "defaults"),
				}.Marshal(theirs)
				if err != nil {
					t.Skip("not for JSON: ", err)
				}
				ours := rpc.New(name)
				if err := rpc.DecodeJSON(text, ours, rpc.Options{}); err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
				data, err := rpc.Append(nil, ours, rpc.Options{})
				if want := deterministic(t, theirs); err != nil || !bytes.Equal(data, want) {
					t.Fatalf("%v\ngot  %q\nwant %q\n%s", err, data, want, text)
				}
				if text, err = rpc.AppendJSON(nil, ours, rpc.Options{}); err != nil {
					t.Fatal(err)
				}
				back := mt.New().Interface()
				if err := protojson.Unmarshal(text, back); err != nil || !proto.Equal(back, theirs) {
					t.Fatalf("%v\nwe wrote %s\nof       %v", err, text, theirs)
				}
			})
		})
	}
}

// TestAbsentAndEmpty: bags, messages and optional fields that are absent stay
// absent, those that are there and empty stay there.
func TestAbsentAndEmpty(t *testing.T) {
	empty := &structpb.Struct{}
	text, no := "", false
	rows := []struct {
		name string
		m    proto.Message
		want func(m rpc.Message) bool
	}{
		{"bag absent", &pulumirpc.DiffRequest{News: empty}, func(m rpc.Message) bool {
			d := m.(*rpc.DiffRequest)
			return d.Olds.IsNull() && !d.Olds.Identical(value.Object()) && d.News.Identical(value.Object())
		}},
		{"optional text there", &pulumirpc.ProviderHandshakeRequest{RootDirectory: &text}, func(m rpc.Message) bool {
			h := m.(*rpc.ProviderHandshakeRequest)
			return h.RootDirectory != nil && *h.RootDirectory == "" && h.ProgramDirectory == nil
		}},
		{"optional bool there", &pulumirpc.RegisterResourceRequest{Protect: &no}, func(m rpc.Message) bool {
			r := m.(*rpc.RegisterResourceRequest)
			return r.Protect != nil && !*r.Protect && r.RetainOnDelete == nil
		}},
		{"message there", &pulumirpc.RegisterResourceRequest{CustomTimeouts: &pulumirpc.RegisterResourceRequest_CustomTimeouts{}}, func(m rpc.Message) bool {
			r := m.(*rpc.RegisterResourceRequest)
			return r.CustomTimeouts != nil && r.Hooks == nil
		}},
	}
	for _, row := range rows {
		data := deterministic(t, row.m)
		ours := rpc.New(string(row.m.ProtoReflect().Descriptor().FullName()))
		if err := rpc.Decode(data, ours, rpc.Options{}); err != nil || !row.want(ours) {
			t.Errorf("%s: %v, %v", row.name, err, ours)
		}
		if got, err := rpc.Append(nil, ours, rpc.Options{}); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: %v, wrote %x, want %x", row.name, err, got, data)
		}
	}
}

// TestFieldsFromMemory holds the messages that no list of fields had when
// codec/rpc was written against the SDK's, each with every field set.
func TestFieldsFromMemory(t *testing.T) {
	for _, m := range []proto.Message{
		&pulumirpc.SourcePosition{Uri: "u", Line: 1, Column: 2},
		&pulumirpc.StackFrame{Pc: &pulumirpc.SourcePosition{Uri: "u"}},
		&pulumirpc.StackTrace{Frames: []*pulumirpc.StackFrame{{Pc: &pulumirpc.SourcePosition{Line: 3}}}},
		&pulumirpc.Callback{Target: "t", Token: "k"},
		&pulumirpc.ResourceInvokeRequest{Tok: "t", SourcePosition: &pulumirpc.SourcePosition{Uri: "u"}, StackTrace: &pulumirpc.StackTrace{}},
		&pulumirpc.RegisterResourceResponse{Result: pulumirpc.Result_SKIP},
		&pulumirpc.RegisterResourceResponse{Result: pulumirpc.Result_FAIL},
	} {
		name := string(m.ProtoReflect().Descriptor().FullName())
		ours := rpc.New(name)
		if ours == nil {
			t.Errorf("no %s", name)
			continue
		}
		data := deterministic(t, m)
		if err := rpc.Decode(data, ours, rpc.Options{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if at := unrecognized(reflect.ValueOf(ours)); at != "" {
			t.Errorf("%s: %s is left over", name, at)
		}
		text, err := rpc.AppendJSON(nil, ours, rpc.Options{})
		back := m.ProtoReflect().New().Interface()
		if err != nil || protojson.Unmarshal(text, back) != nil || !proto.Equal(back, m) {
			t.Errorf("%s: %v: we write %s", name, err, text)
		}
	}
}
