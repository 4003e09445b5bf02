package demo_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	google "google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/value"
)

func noSecret(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		t.Error("no error")
		return
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%q", "%d"} {
		if strings.Contains(fmt.Sprintf(verb, err), canary) {
			t.Errorf("%v tells a secret", err)
		}
	}
}

// No error has a secret in it, whatever is wrong.
func TestErrorsKeepSecrets(t *testing.T) {
	s, ctx := configured(t, nil), t.Context()
	inputs := s.check(full("one"))
	s.create(inputs)
	secret := value.Secret(text(canary))
	for name, try := range map[string]func() error{
		"other type": func() error {
			_, err := s.Create(ctx, &rpc.CreateRequest{URN: "urn:pulumi:dev::shop::demo:index:Other::one", Properties: inputs})
			return err
		},
		"no URN": func() error {
			_, err := s.Check(ctx, &rpc.CheckRequest{URN: "one", News: inputs})
			return err
		},
		"unknown outside preview": func() error {
			_, err := s.Create(ctx, &rpc.CreateRequest{URN: recordURN, Properties: with(inputs, "extra", array(secret, value.Unknown()))})
			return err
		},
		"no name": func() error {
			_, err := s.Create(ctx, &rpc.CreateRequest{URN: recordURN, Properties: with(inputs, "name", value.Null())})
			return err
		},
		"name is taken": func() error {
			_, err := s.Create(ctx, &rpc.CreateRequest{URN: recordURN + "x", Properties: inputs})
			return err
		},
		"secret name is taken": func() error {
			_, err := s.Create(ctx, &rpc.CreateRequest{URN: recordURN, Properties: with(inputs, "name", secret)})
			if err != nil {
				return err
			}
			_, err = s.Create(ctx, &rpc.CreateRequest{URN: recordURN + "x", Properties: with(inputs, "name", secret)})
			return err
		},
		"partial": func() error {
			_, err := s.Update(ctx, &rpc.UpdateRequest{URN: recordURN, ID: "one", News: with(inputs, "size", number(5000))})
			return err
		},
		"other function": func() error {
			_, err := s.Invoke(ctx, &rpc.InvokeRequest{Tok: "demo:index:f", Args: inputs})
			return err
		},
		"other component": func() error {
			_, err := s.Construct(ctx, &rpc.ConstructRequest{Type: "demo:index:Other", Inputs: inputs})
			return err
		},
		"bad component": func() error {
			_, err := s.Construct(ctx, &rpc.ConstructRequest{Type: "demo:index:Group", Inputs: object("names", value.Secret(array(number(1), object(canary, text(canary)))))})
			return err
		},
		"no monitor": func() error {
			_, err := s.Construct(ctx, &rpc.ConstructRequest{Type: "demo:index:Group", MonitorEndpoint: "127.0.0.1:1", Inputs: object("names", array(), "password", secret)})
			return err
		},
		"configuration": func() error {
			_, err := s.Configure(ctx, &rpc.ConfigureRequest{Variables: rpc.Hide(map[string]string{"nonsense": canary})})
			return err
		},
	} {
		err := try()
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		noSecret(t, err)
	}
}

// A group has each record once.
func TestOneNameTwice(t *testing.T) {
	s := configured(t, nil)
	inputs := object("names", array(text("a"), text("b"), text("a")), "password", value.Secret(text(canary)))
	_, err := s.Construct(t.Context(), &rpc.ConstructRequest{Type: "demo:index:Group", Inputs: inputs})
	if err == nil || !strings.Contains(err.Error(), "names: duplicate element") {
		t.Error(err)
	}
	noSecret(t, err)
}

// raw sends bytes as they are.
type raw struct{}

func (raw) Marshal(v any) ([]byte, error)      { return *v.(*[]byte), nil }
func (raw) Unmarshal(data []byte, v any) error { *v.(*[]byte) = data; return nil }
func (raw) Name() string                       { return "proto" }

func TestMalformedRequest(t *testing.T) {
	s := configured(t, nil)
	data, err := rpc.Append(nil, &rpc.CreateRequest{URN: recordURN, Properties: object("rules", array(object("name", value.Secret(text(canary)))))}, rpc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	data = []byte(strings.Replace(string(data), canary, "\xff"+canary[1:], 1))
	conn, err := google.NewClient("passthrough:///"+s.Address(), google.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var answer []byte
	err = conn.Invoke(t.Context(), "/pulumirpc.ResourceProvider/Create", &data, &answer, google.ForceCodec(raw{}))
	if status.Code(err) != codes.InvalidArgument || !strings.Contains(err.Error(), "CreateRequest: properties") || !strings.Contains(err.Error(), "rules[0].name") || strings.Contains(err.Error(), canary[1:]) {
		t.Error(err)
	}
}

func TestConcurrentCalls(t *testing.T) {
	s := configured(t, nil)
	const calls = 200
	var mu sync.Mutex
	made := map[string]bool{} // the IDs that calls returned
	var wg sync.WaitGroup
	for i := range calls {
		wg.Go(func() {
			ctx := t.Context()
			name := fmt.Sprint("r", i/4) // four want one name, and get one record
			urn := fmt.Sprint(recordURN, i/4)
			inputs, err := s.Check(ctx, &rpc.CheckRequest{URN: urn, News: full(name)})
			if err != nil {
				t.Error(err)
				return
			}
			if d, err := s.Diff(ctx, &rpc.DiffRequest{URN: urn, OldInputs: inputs.Inputs, Olds: inputs.Inputs, News: inputs.Inputs}); err != nil || d.Changes != rpc.DiffNone {
				t.Errorf("%v %v", d, err)
			}
			r, err := s.Create(ctx, &rpc.CreateRequest{URN: urn, Properties: inputs.Inputs})
			if err != nil {
				isCode(t, err, codes.Aborted)
				return
			}
			if _, err := s.Read(ctx, &rpc.ReadRequest{URN: urn, ID: r.ID, Properties: r.Properties, Inputs: inputs.Inputs}); err != nil {
				t.Error(err)
			}
			mu.Lock()
			made[r.ID] = true
			mu.Unlock()
		})
	}
	wg.Wait()
	all, err := s.cloud.List(t.Context())
	if err != nil || len(all) != calls/4 {
		t.Errorf("%d records, %v", len(all), err)
	}
	for _, r := range all {
		read, err := s.Read(t.Context(), &rpc.ReadRequest{URN: r.URN, ID: r.Name})
		if err != nil || !made[read.ID] {
			t.Errorf("%q: no call returned that: %v", read.ID, err)
		}
	}
}

// A provider that is killed in the middle of a create leaves a store that is whole,
// and the next create brings it to its end: one record, of a new making.
func TestKilledInCreate(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		fault string
		found bool
		phase string
	}{{"kill-before-commit", false, ""}, {"kill-after-reserve", true, "reserved"}, {"kill-after-commit", true, "ready"}} {
		s := configured(t, nil)
		env := append(os.Environ(), "PROPALG_TEST_PLUGIN=1", "DEMO_FAULT="+row.fault)
		mortal, err := grpc.Launch(t.Context(), self, grpc.LaunchOptions{Env: env, Timeout: 30 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		s.configure(mortal.Client)
		s.create(s.check(full("before")))
		inputs := s.check(full("one"))
		_, err = mortal.Create(t.Context(), &rpc.CreateRequest{URN: recordURN, Properties: inputs})
		isCode(t, err, codes.Unavailable)
		_ = mortal.Close()

		record, found, err := s.cloud.Load(t.Context(), "one")
		if err != nil || found != row.found || record.Phase != row.phase {
			t.Errorf("%s: %v %q %v", row.fault, found, record.Phase, err)
		}
		if r, err := s.Read(t.Context(), &rpc.ReadRequest{URN: recordURN, ID: "one"}); err != nil || (r.ID != "") != (row.phase == "ready") {
			t.Errorf("%s: %v %v", row.fault, r, err)
		}
		made := s.create(inputs)
		if now, _, err := s.cloud.Load(t.Context(), "one"); err != nil || now.Serial == record.Serial || !made.Properties.Field("token").Identical(now.Outputs.Field("token")) {
			t.Errorf("%s: %v", row.fault, err)
		}
		if !made.Properties.Field("revision").Identical(number(1)) {
			t.Errorf("%s: %v", row.fault, made)
		}
		if all, err := s.cloud.List(t.Context()); err != nil || len(all) != 2 {
			t.Errorf("%s: %d records, %v", row.fault, len(all), err)
		}
	}
}
