package rpc_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/value"
)

// TestNoSecretShown: neither fmt nor JSON shows what is secret in a message.
func TestNoSecretShown(t *testing.T) {
	const canary = "hunter2"
	secret := one("p", value.Secret(value.String(canary)))
	for _, m := range []rpc.Message{
		&rpc.CreateRequest{URN: "u", Properties: secret, ResourceStatusToken: canary, Unrecognized: []byte(canary)},
		&rpc.ConfigureRequest{Variables: map[string]string{"a:config:b": canary}, Args: secret},
		&rpc.CallRequest{Config: map[string]string{"k": canary}, Args: secret},
		&rpc.ConstructRequest{Config: map[string]string{"k": canary}, ReplacementTrigger: ptr(secret)},
		&rpc.ParameterizeRequest{Value: &rpc.ParametersValue{Value: []byte(canary)}},
		&rpc.UpdateRequest{OldViews: []rpc.View{{Inputs: secret}}},
	} {
		plain, err := rpc.AppendJSON(nil, m, rpc.Options{})
		data, err2 := rpc.Marshal(m, rpc.Options{})
		if err != nil || err2 != nil || !strings.Contains(string(data), canary) || !strings.Contains(string(plain)+"aHVudGVyMg==", canary) && !strings.Contains(string(plain), "aHVudGVyMg") {
			t.Errorf("%T: the codec loses the canary: %v %v", m, err, err2)
		}
		text, err := json.Marshal(m)
		if err != nil || !json.Valid(text) {
			t.Errorf("%T: %v", m, err)
		}
		shown := string(text)
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d"} {
			shown += fmt.Sprintf(verb, m) + fmt.Sprintf(verb, []rpc.Message{m}) + fmt.Sprintf(verb, struct{ M rpc.Message }{m})
		}
		hex := fmt.Sprintf("%x", canary)
		for _, trace := range []string{canary, hex, strings.ToUpper(hex), "104 117 110", "aHVudGVyMg"} {
			if strings.Contains(shown, trace) {
				t.Errorf("%T shows %s: %s", m, trace, shown)
			}
		}
	}
	v := rpc.CreateRequest{Properties: secret, ResourceStatusToken: canary}
	if s := fmt.Sprint(v); s != `CreateRequest{"properties":{"p":"[secret]"},"resourceStatusToken":"[secret]"}` {
		t.Error(s)
	}
}
