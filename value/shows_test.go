package value_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/propalg/propalg/value"
)

// What hands out members, cursors and builders of secrets does not show them.
func TestHandedOutSecretsAreMasked(t *testing.T) {
	secret := value.Secret(value.Object(value.Member{Key: "CANARY", Value: value.Number(31337)}))
	number := fmt.Sprint(uint64(0x40de9a4000000000)) // the bits of 31337
	var shown []any
	for k, v := range secret.Members() {
		shown = append(shown, value.Member{Key: k, Value: v})
	}
	var b value.Builder
	b.PushMember("CANARY", value.String("CANARY"))
	b.Push(value.Number(31337))
	shown = append(shown, &b)
	check := func(text string) {
		t.Helper()
		if strings.Contains(text, "CANARY") || strings.Contains(text, number) || strings.Contains(text, "31337") {
			t.Errorf("shown: %s", text)
		}
	}
	all := func(x any) {
		t.Helper()
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%z"} {
			check(fmt.Sprintf(verb, x))
		}
		var log bytes.Buffer
		slog.New(slog.NewJSONHandler(&log, nil)).Info("", "x", x)
		slog.New(slog.NewTextHandler(&log, nil)).Info("", "x", x)
		check(log.String())
	}
	for _, x := range shown {
		all(x)
		text, err := json.Marshal(x)
		if err != nil {
			t.Error(err)
		}
		check(string(text))
	}
	for c := range value.Array(secret).Walk() {
		all(c)
	}
	open, err := json.Marshal(value.Member{Key: "k", Value: secret})
	if err != nil || string(open) != `{"k":"[secret]"}` {
		t.Errorf("%s, %v", open, err)
	}
	for c := range value.Array(secret).Walk() {
		if got := fmt.Sprint(c); c.Depth() == 1 && got != "[0]: [secret]" {
			t.Errorf("got %q", got)
		}
	}
}
