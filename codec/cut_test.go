package codec_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
)

// What an error says of its place is cut at an output that a later field makes
// secret, or that may become so where the text breaks off.
func TestErrorsAreCutAtLateSecrets(t *testing.T) {
	const output = `"4dabf18193072939515e22adb298388d":"d0e6a833031e9bbcd3f4e8bde6ca49a4"`
	for _, text := range []string{
		`{"p":{` + output + `,"value":{"CANARY":1e999},"secret":true}}`,
		`{"p":{"value":{"CANARY":1e999},"secret":true,` + output + `}}`,
		`{"p":{` + output + `,"value":{"CANARY":nonsense},"secret":true}}`,
		`{"p":{` + output + `,"value":{"CANARY":`,
		`{"p":{` + output + `,"value":{"CANARY":[1,1e999]},"\u0073ecret":true}}`,
	} {
		_, err := codec.DecodeJSON([]byte(text), codec.Options{})
		if err == nil || strings.Contains(err.Error(), "CANARY") || !strings.Contains(err.Error(), "p[secret]") {
			t.Errorf("%s: %v", text, err)
		}
	}
	_, err := codec.DecodeJSON([]byte(`{"p":{`+output+`,"value":{"open":1e999},"secret":false}}`), codec.Options{})
	if err == nil || !strings.Contains(err.Error(), "p.open") {
		t.Errorf("an output that is not secret: %v", err)
	}
}

// A signature that is itself a secret, or has dependencies, is malformed: taking
// it would lose the mark.
func TestMarkedSignature(t *testing.T) {
	const k = `"4dabf18193072939515e22adb298388d":`
	for _, sig := range []string{
		`{` + k + `"1b47061264138c4ac30d75fd1eb44270","value":"c44067f5952c0a294b673a41bacd8c17"}`,
		`{` + k + `"d0e6a833031e9bbcd3f4e8bde6ca49a4","value":"c44067f5952c0a294b673a41bacd8c17","dependencies":["urn:x"]}`,
	} {
		_, err := codec.DecodeJSON([]byte(`{"a":{`+k+sig+`,"text":"t"}}`), codec.Options{})
		if !errors.Is(err, codec.ErrSignature) {
			t.Errorf("%s as signature: %v", sig, err)
		}
	}
}
