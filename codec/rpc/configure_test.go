package rpc_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// TestProperties: the configuration, in both forms.
func TestProperties(t *testing.T) {
	args := one("region", value.Secret(value.String("eu")))
	legacy := map[string]string{
		"aws:config:region": "eu", "aws:config:retries": "3", "aws:config:account": "123", "aws:config:on": "true", "aws:config:none": "null",
		"aws:config:tags": `{"a":[1,"x"]}`, "aws:config:quoted": `"x"`, "aws:config:big": "9007199254740993", "aws:config:broken": "{a", "aws:config:empty": "",
		"aws:config:unknown": "04da6b54-80e4-46f7-96ec-b56ff0331ba9", "aws:config:zeros": "007", "aws:config:with:colon": "1",
	}
	tags := one("a", value.Array(value.Number(1), value.String("x")))
	guessed := object(
		value.Member{Key: "region", Value: value.String("eu")}, value.Member{Key: "retries", Value: value.Number(3)},
		value.Member{Key: "account", Value: value.Number(123)}, value.Member{Key: "on", Value: value.Bool(true)},
		value.Member{Key: "none", Value: value.Null()}, value.Member{Key: "tags", Value: tags},
		value.Member{Key: "quoted", Value: value.String(`"x"`)}, value.Member{Key: "big", Value: value.String("9007199254740993")},
		value.Member{Key: "broken", Value: value.String("{a")}, value.Member{Key: "empty", Value: value.String("")},
		value.Member{Key: "unknown", Value: value.Unknown()}, value.Member{Key: "zeros", Value: value.String("007")},
		value.Member{Key: "with:colon", Value: value.Number(1)},
	)
	for _, row := range []struct {
		place
		m    rpc.ConfigureRequest
		want value.Value
	}{
		{here(), rpc.ConfigureRequest{}, object()},
		{here(), rpc.ConfigureRequest{Args: args}, args},
		{here(), rpc.ConfigureRequest{Args: args, Variables: rpc.Hide(legacy)}, args},
		{here(), rpc.ConfigureRequest{Args: object(), Variables: rpc.Hide(legacy)}, object()},
		{here(), rpc.ConfigureRequest{Variables: rpc.Hide(legacy)}, guessed},
	} {
		got, err := row.m.Properties()
		if err != nil || !got.Identical(row.want) {
			t.Errorf("%s: %v, %v", row.place, got, err)
		}
	}
	m := rpc.ConfigureRequest{Variables: rpc.Hide(map[string]string{"p:config:account": "123", "p:config:n": "123", "p:config:s": `"x"`})}
	got, err := m.PropertiesWithStrings("account", "s", "not there")
	want := object(
		value.Member{Key: "account", Value: value.String("123")}, value.Member{Key: "n", Value: value.Number(123)}, value.Member{Key: "s", Value: value.String(`"x"`)},
	)
	if err != nil || !got.Identical(want) {
		t.Error(got, err)
	}
}

func TestPropertiesErrors(t *testing.T) {
	for _, row := range []struct {
		place
		variables map[string]string
		cause     error
		text      string
	}{
		{here(), map[string]string{"a:b": "1"}, rpc.ErrVariables, `rpc: configure ConfigureRequest: variables["a:b"]: invalid configuration variables: expected package:config:name, found another key`},
		{here(), map[string]string{"a:config:": "1"}, rpc.ErrVariables, `rpc: configure ConfigureRequest: variables["a:config:"]: invalid configuration variables: expected package:config:name, found another key`},
		{here(), map[string]string{"a:config:x": "1", "b:config:x": "1"}, rpc.ErrVariables, `rpc: configure ConfigureRequest: variables["b:config:x"]: invalid configuration variables: found another key of the same name`},
		{here(), map[string]string{"a:config:x": `{"b":1,"b":2}`}, codec.ErrDuplicate, ""},
	} {
		_, err := (&rpc.ConfigureRequest{Variables: rpc.Hide(row.variables)}).Properties()
		if !errors.Is(err, row.cause) || (row.text != "" && err.Error() != row.text) {
			t.Errorf("%s: %v", row.place, err)
		}
	}
	m := &rpc.ConfigureRequest{Variables: rpc.Hide(map[string]string{"a:config:x": "eu"})}
	if _, err := m.PropertiesWithStrings(); !errors.Is(err, codec.ErrSyntax) {
		t.Error(err)
	}
}

// TestFeatures: what the two sides say that they accept.
func TestFeatures(t *testing.T) {
	const all = codec.AcceptSecrets | codec.AcceptResources | codec.AcceptOutputs | codec.AcceptByteStrings
	for _, row := range []struct {
		place
		got, want codec.Features
	}{
		{here(), (&rpc.ProviderHandshakeResponse{AcceptSecrets: true, AcceptResources: true, AcceptOutputs: true, AcceptsByteString: true}).Features(), all},
		{here(), (&rpc.ProviderHandshakeResponse{AcceptSecrets: true}).Features(), codec.AcceptSecrets},
		{here(), (&rpc.ProviderHandshakeRequest{AcceptsByteString: true}).Features(), codec.AcceptByteStrings},
		{here(), (&rpc.ConfigureRequest{AcceptResources: true}).Features(), codec.AcceptResources},
		{here(), (&rpc.ConfigureRequest{AcceptSecrets: true}).Features(), codec.AcceptSecrets},
		{here(), (&rpc.ConfigureResponse{AcceptOutputs: true}).Features(), codec.AcceptOutputs},
		{here(), (&rpc.ConfigureResponse{}).Features(), 0},
	} {
		if row.got != row.want {
			t.Errorf("%s: %b, want %b", row.place, row.got, row.want)
		}
	}
}

// TestConfigurationErrorsHide: a variable is a text that may be secret as a whole, so
// what is wrong in it is said without its keys, and without what was found there.
func TestConfigurationErrorsHide(t *testing.T) {
	const secret = "0123456789abcdef0123456789abcdef"
	for _, text := range []string{
		`{"` + secret + `":`, `{"` + secret + `":1,"` + secret + `":2}`, `{"a":{"` + secret + `":1e400}}`, `{"` + secret + `":{"` + codec.SignatureKey + `":7}}`,
		`{"` + codec.SignatureKey + `":"` + secret + `"}`, `[{"` + codec.SignatureKey + `":"` + secret + `"}]`, secret,
		strings.Repeat(`{"`+secret+`":`, 20_000) + "1" + strings.Repeat("}", 20_000), "\xff" + secret,
	} {
		m := &rpc.ConfigureRequest{Variables: rpc.Hide(map[string]string{"p:config:v": text})}
		_, guessed := m.Properties()
		_, known := m.PropertiesWithStrings()
		_, plain := m.PropertiesWithStrings("v")
		if known == nil {
			t.Errorf("%.60q: no error", text)
		}
		for _, err := range []error{guessed, known, plain} {
			var inner *codec.Error
			_ = errors.As(err, &inner)
			if strings.Contains(fmt.Sprintf("%v %+v %+v", err, err, inner), secret) {
				t.Errorf("%.60q: %.200v", text, err)
			}
		}
	}
}

// TestConfigWithStrings: generated SDKs send what is not a string as JSON text, also
// where Args are, and to CheckConfig and DiffConfig.
func TestConfigWithStrings(t *testing.T) {
	const urn = "urn:pulumi:s::p::a:b:C::n"
	sent := object(
		value.Member{Key: "region", Value: value.String("eu")}, value.Member{Key: "account", Value: value.String("123")},
		value.Member{Key: "version", Value: value.String("0.1.0")}, value.Member{Key: "pluginDownloadURL", Value: value.String("https://example.com")},
		value.Member{Key: "skip", Value: value.String("true")}, value.Member{Key: "retries", Value: value.Number(3)},
		value.Member{Key: "role", Value: value.Secret(value.String(`{"arn":"x","tags":["a"]}`)).WithDependencies(urn)},
		value.Member{Key: "later", Value: value.Unknown()}, value.Member{Key: "none", Value: value.Null()},
		value.Member{Key: "quoted", Value: value.String(`"x"`)},
	)
	role := object(value.Member{Key: "arn", Value: value.String("x")}, value.Member{Key: "tags", Value: value.Array(value.String("a"))})
	want := object(
		value.Member{Key: "region", Value: value.String("eu")}, value.Member{Key: "account", Value: value.String("123")},
		value.Member{Key: "version", Value: value.String("0.1.0")}, value.Member{Key: "pluginDownloadURL", Value: value.String("https://example.com")},
		value.Member{Key: "skip", Value: value.Bool(true)}, value.Member{Key: "retries", Value: value.Number(3)},
		value.Member{Key: "role", Value: value.Secret(role).WithDependencies(urn)},
		value.Member{Key: "later", Value: value.Unknown()}, value.Member{Key: "none", Value: value.Null()},
		value.Member{Key: "quoted", Value: value.String("x")},
	)
	configure := &rpc.ConfigureRequest{Args: sent, Variables: rpc.Hide(map[string]string{"p:config:skip": "false"})}
	for name, read := range map[string]func(...string) (value.Value, error){
		"Configure": configure.PropertiesWithStrings,
		"news":      func(names ...string) (value.Value, error) { return rpc.ConfigWithStrings(sent, names...) },
		"secret": func(names ...string) (value.Value, error) {
			v, err := rpc.ConfigWithStrings(value.Secret(sent), names...)
			if err == nil && !v.IsSecret() {
				t.Error("a secret was read to be in clear")
			}
			return want, err
		},
	} {
		if got, err := read("region", "account"); err != nil || !got.Identical(want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
		_, err := read("account")
		var e *rpc.Error
		if !errors.Is(err, codec.ErrSyntax) || !errors.As(err, &e) || !strings.Contains(e.Field, `["region"]`) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, text := range []string{"five", "true or not", "nil", "0x1f"} {
		if _, err := rpc.ConfigWithStrings(one("a", value.String(text))); err == nil || err.Error() != `rpc: configure: ["a"]: codec: decode json: syntax error` {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{`{"hunter2":`, `{"hunter2":1,"hunter2":2}`, `"hunter2`, "\"\xff hunter2\"", `{"4dabf18193072939515e22adb298388d":"hunter2"}`} {
		_, err := rpc.ConfigWithStrings(one("a", value.Secret(value.String(text))))
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if got, err := rpc.ConfigWithStrings(value.Null()); err != nil || !got.IsNull() {
		t.Errorf("%v, %v", got, err)
	}
}

// TestConfigurationFailures: each property whose text is wrong is named, with what was
// expected and nothing of the text.
func TestConfigurationFailures(t *testing.T) {
	text := func(name, text string) value.Member { return value.Field(name, value.String(text)) }
	sent := object(
		text("b", "hunter2"), text("d", `{"hunter2":1,"hunter2":2}`), text("e", ""), text("n", "9007199254740993"), text("region", "eu"),
		text("s", strings.Repeat("[", 20_000)), value.Field("x", value.Secret(value.String("hunter2"))), text("ok", "[1]"), text("u", "\xff"),
	)
	want := []string{
		"b|expected JSON, found text", "d|expected JSON, found an object with a name twice", "e|expected JSON, found text",
		"n|expected JSON, found a number that no float64 holds", "s|expected JSON, found a text that is nested too deeply",
		"u|expected JSON, found text", "|x: expected JSON, found text",
	}
	variables := map[string]string{}
	for name, v := range sent.DropSecret().Members() {
		variables["p:config:"+name], _ = v.AsString()
	}
	_, args := rpc.ConfigWithStrings(sent, "region")
	_, secret := rpc.ConfigWithStrings(value.Secret(sent), "region")
	_, configure := (&rpc.ConfigureRequest{Args: sent}).PropertiesWithStrings("region")
	_, old := (&rpc.ConfigureRequest{Variables: rpc.Hide(variables)}).PropertiesWithStrings("region")
	_, wrapped := rpc.ConfigWithStrings(sent, "region")
	for name, err := range map[string]error{"args": args, "configure": configure, "secret": secret, "variables": old, "wrapped": fmt.Errorf("demo: %w", wrapped)} {
		var got []string
		for _, f := range rpc.CheckFailuresOf(sent, err) {
			got = append(got, f.Property+"|"+f.Reason)
		}
		slices.Sort(got)
		all := slices.Sorted(slices.Values(want))
		if !slices.Equal(got, all) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, all)
		}
	}
	_, err := (&rpc.ConfigureRequest{Variables: rpc.Hide(map[string]string{"a:b": "1", "a:config:x": "1", "b:config:x": "1", "a:config:y": "04da6b54-80e4-46f7-96ec-b56ff0331ba9", "a:config:z": "z"})}).PropertiesWithStrings()
	got := fmt.Sprint(rpc.CheckFailuresOf(object(), err))
	if want := `[{ expected package:config:name, found another key {}} {z expected JSON, found text {}} {x found another key of the same name {}}]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestZeroConfiguration: no configuration has no properties, and no failures.
func TestZeroConfiguration(t *testing.T) {
	var m rpc.ConfigureRequest
	for name, read := range map[string]func() (value.Value, error){
		"Properties":            m.Properties,
		"PropertiesWithStrings": func() (value.Value, error) { return m.PropertiesWithStrings() },
		"ConfigWithStrings":     func() (value.Value, error) { return rpc.ConfigWithStrings(value.Value{}) },
	} {
		if v, err := read(); err != nil || v.Len() != 0 {
			t.Errorf("%s: %v, %v", name, v, err)
		}
	}
	if n := m.Features() | (&rpc.ConfigureResponse{}).Features() | (&rpc.ProviderHandshakeRequest{}).Features() | (&rpc.ProviderHandshakeResponse{}).Features(); n != 0 {
		t.Errorf("features %b", n)
	}
	if all := rpc.CheckFailuresOf(value.Value{}, nil); len(all) != 0 {
		t.Error(all)
	}
	for _, err := range []error{&bind.Error{}, &rpc.Error{}, (*bind.Error)(nil), (*rpc.Error)(nil)} {
		if all := rpc.CheckFailuresOf(value.Value{}, err); len(all) != 1 || all[0].Property != "" || all[0].Reason == "" {
			t.Errorf("%T: %v", err, all)
		}
	}
	if f := rpc.CheckFailureAt(value.Value{}, path.Path{}, ""); f.Property != "" || f.Reason != "" {
		t.Error(f)
	}
}

// TestConfigurationGrowth: the time grows as the configuration does.
func TestConfigurationGrowth(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector changes what is measured")
	}
	for _, text := range []string{"5", "hunter2", `{"a":`} {
		kit.Grows(t, "reading "+text, 4000, func(n int) func() {
			names, variables, members := make([]string, n), map[string]string{}, make([]value.Member, n)
			for i := range n {
				name := fmt.Sprintf("variable%d", i)
				names[i], variables["p:config:"+name], members[i] = "text"+name, text, value.Field(name, value.String(text))
			}
			config := value.Object(members...)
			return func() {
				_, err := rpc.ConfigWithStrings(config, names...)
				rpc.CheckFailuresOf(config, err)
				_, err = (&rpc.ConfigureRequest{Variables: rpc.Hide(variables)}).PropertiesWithStrings(names...)
				rpc.CheckFailuresOf(config, err)
				_, err = (&rpc.ConfigureRequest{Variables: rpc.Hide(variables)}).Properties()
				rpc.CheckFailuresOf(config, err)
			}
		})
	}
}
