package rpc_test

import (
	"encoding/json"
	"errors"
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
		&rpc.CreateRequest{URN: "u", Properties: secret, ResourceStatusToken: rpc.Hide(canary), Extra: rpc.Extra{Unrecognized: rpc.Hide([]byte(canary))}},
		&rpc.ConfigureRequest{Variables: rpc.Hide(map[string]string{"a:config:b": canary}), Args: secret},
		&rpc.CallRequest{Config: rpc.Hide(map[string]string{"k": canary}), Args: secret},
		&rpc.ConstructRequest{Config: rpc.Hide(map[string]string{"k": canary}), ReplacementTrigger: ptr(secret)},
		&rpc.ParameterizeRequest{Value: &rpc.ParametersValue{Value: rpc.Hide([]byte(canary))}},
		&rpc.UpdateRequest{OldViews: []rpc.View{{Inputs: secret}}},
	} {
		plain, err := rpc.AppendJSON(nil, m, rpc.Options{})
		data, err2 := rpc.Append(nil, m, rpc.Options{})
		if err != nil || err2 != nil || !strings.Contains(string(data), canary) || (!strings.Contains(string(plain)+"aHVudGVyMg==", canary) && !strings.Contains(string(plain), "aHVudGVyMg")) {
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
}

// TestHidden: a field gives back what it holds, compares by that, and says only whether
// there is something.
func TestHidden(t *testing.T) {
	token, pass := rpc.Hide("token"), rpc.Hide("pass")
	if token.Reveal() != "token" || !token.Equal(rpc.Hide("token")) || token.Equal(pass) || token.Equal(rpc.Hidden[string]{}) {
		t.Error("text")
	}
	if b := rpc.Hide([]byte("b")); string(b.Reveal()) != "b" || !b.Equal(rpc.Hide([]byte("b"))) || b.Equal(rpc.Hide([]byte("c"))) {
		t.Error("bytes")
	}
	m := rpc.Hide(map[string]string{"k": "v"})
	if m.Reveal()["k"] != "v" || !m.Equal(rpc.Hide(map[string]string{"k": "v"})) || m.Equal(rpc.Hide(map[string]string{"k": "w"})) {
		t.Error("map")
	}

	shown := fmt.Sprintf("%v %+v", token, rpc.ListContinuation{ContinuationToken: "c", Extra: rpc.Extra{Unrecognized: rpc.Hide([]byte{1})}})
	if shown != "[secret] {ContinuationToken:c Extra:{Unrecognized:[secret]}}" || fmt.Sprint(rpc.Hidden[string]{}) != "" {
		t.Error(shown)
	}
}

// TestJSONUnmarshalRefuses: no message is filled by encoding/json, which knows neither the
// names nor the numbers of the protocol.
func TestJSONUnmarshalRefuses(t *testing.T) {
	for _, m := range rpc.All() {
		err := json.Unmarshal([]byte(`{"urn":"u"}`), m)
		if !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), "rpc.DecodeJSON") {
			t.Errorf("%T: %v", m, err)
		}
	}

	var token rpc.Hidden[string]
	if err := json.Unmarshal([]byte(`"t"`), &token); !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
}
