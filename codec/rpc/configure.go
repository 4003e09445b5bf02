package rpc

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

const opConfigure = "configure"

// Properties returns the configuration: Args if present, otherwise Variables. The
// name of a variable is the last part of its key, package:config:name.
//
// Variables hold strings verbatim and all other values as JSON text, so "true" and true
// cannot be distinguished. Properties parses every text that is JSON: a string that looks
// like a number, true, false, null, an array or an object IS LOST, unless it is a number
// that no float64 holds. [ConfigureRequest.PropertiesWithStrings] does not have this
// problem. Variables carry no marks, so secrets in them are not marked.
//
// The error is an [*Error] that names the variable and shows nothing of its text.
func (m *ConfigureRequest) Properties() (value.Value, error) {
	return m.properties(func(string) textReader { return guess })
}

// PropertiesWithStrings returns the configuration, given the names of all properties that
// are strings. Unlike [ConfigureRequest.Properties], it returns the texts of these
// properties verbatim, and requires all others to be JSON. It also parses texts in Args,
// as [ConfigWithStrings] does.
func (m *ConfigureRequest) PropertiesWithStrings(names ...string) (value.Value, error) {
	if (*bag)(&m.Args).isSet() {
		v, err := configWithStrings(m.Args, names)
		if err != nil {
			return value.Value{}, finish(inField(err, "args"), opConfigure, m)
		}
		return v, nil
	}

	verbatim := setOf(names)
	return m.properties(func(name string) textReader {
		if verbatim[name] {
			return plain
		}
		return known
	})
}

// ConfigWithStrings returns config with the JSON texts of properties parsed, except for
// those of the named properties, which are strings. The configuration is the Args of
// Configure, or the news or olds of CheckConfig or DiffConfig.
//
// Generated SDKs send properties of other kinds as JSON text; engines, and programs in
// YAML, send the values themselves. Texts are therefore parsed as JSON, and keep their
// marks. Besides those of the named properties, the texts that engines add are left as
// they are: the version of the provider and the download URL of its plugin.
//
// A schema knows more than the names of strings: its ParseConfig also turns numbers and
// booleans inside of these texts, which users wrote as strings, into what they stand for.
//
// The error is an [*Error] that names the first property whose text is wrong, and shows
// nothing of the text; [CheckFailuresOf] lists all of them.
func ConfigWithStrings(config value.Value, names ...string) (value.Value, error) {
	v, err := configWithStrings(config, names)
	if err != nil {
		return value.Value{}, finish(err, opConfigure, nil)
	}
	return v, nil
}

func configWithStrings(config value.Value, names []string) (value.Value, error) {
	if config.Kind() != value.KindObject {
		return config, nil
	}

	var wrong failed
	verbatim := setOf(names, engineTexts())
	members := make([]value.Member, 0, config.Len())
	for name, sent := range config.DropSecret().Members() {
		text, isText := sent.AsString()
		if isText && !verbatim[name] {
			v, err := codec.DecodeJSONValue(text, codec.Options{})
			wrong.add(name, entry(name), err)
			sent = marked(v, sent)
		}
		members = append(members, value.Member{Key: name, Value: sent})
	}
	if err := wrong.err(); err != nil {
		return value.Value{}, err
	}
	return marked(value.Object(members...), config), nil
}

// failed are the properties of a configuration whose texts cannot be parsed.
type failed struct {
	first  *Error
	all    []bind.Problem
	listed int // bytes of their names
}

// add adds a property, in a field of the message, unless the error is nil. All of them are
// listed, as long as [path.MaxListed] lasts; the error is that of the first one.
func (f *failed) add(name, field string, err error) {
	if err == nil {
		return
	}

	if f.first == nil {
		f.first = fail(concealed(err), -1)
		f.first.Field = field
		if own, ok := err.(*Error); ok { //nolint:errorlint // as in inField
			f.first = own
			_ = inField(own, field)
		}
	}
	if f.listed > path.MaxListed {
		return
	}
	f.listed += len(name)
	at := path.Of()
	if name != "" {
		at = path.Of(path.Key(name))
	}
	want, found := mistake(err)
	f.all = append(f.all, bind.Problem{At: path.Show(at, -1), Want: want, Found: found})
}

// mistake says what is wrong with a variable, and shows nothing of its text.
func mistake(err error) (want, found string) {
	var own *Error
	switch {
	case errors.As(err, &own):
		return own.Want, own.Found
	case errors.Is(err, codec.ErrNumber):
		return "JSON", "a number that no float64 holds"
	case errors.Is(err, codec.ErrDepth):
		return "JSON", "a text that is nested too deeply"
	case errors.Is(err, codec.ErrDuplicate):
		return "JSON", "an object with a name twice"
	}

	return "JSON", "text"
}

func (f *failed) err() error {
	if f.first == nil {
		return nil
	}
	f.first.config = &bind.Error{Op: opConfigure, Problems: f.all}
	return f.first
}

func setOf(lists ...[]string) map[string]bool {
	all := map[string]bool{}
	for _, names := range lists {
		for _, name := range names {
			all[name] = true
		}
	}
	return all
}

// engineTexts returns the properties that engines add to a configuration, as texts.
func engineTexts() []string { return []string{"version", "pluginDownloadURL"} }

// marked returns v with the marks of another value added.
func marked(v, like value.Value) value.Value {
	if like.HasDependencies() {
		v = v.WithDependencies(slices.Collect(like.Dependencies())...)
	}
	if like.IsSecret() {
		v = value.Secret(v)
	}
	return v
}

type textReader = func(text string, o codec.Options) (value.Value, error)

func (m *ConfigureRequest) properties(read func(name string) textReader) (value.Value, error) {
	if (*bag)(&m.Args).isSet() {
		return m.Args, nil
	}

	var wrong failed
	variables := m.Variables.Reveal()
	members := make([]value.Member, 0, len(variables))
	seen := make(map[string]bool, len(variables))
	for _, key := range slices.Sorted(maps.Keys(variables)) {
		name, err := variableName(key, seen)
		var v value.Value
		if err == nil {
			v, err = read(name)(variables[key], codec.Options{})
		}
		wrong.add(name, "variables"+entry(key), err)
		members = append(members, value.Member{Key: name, Value: v})
	}
	if err := wrong.err(); err != nil {
		return value.Value{}, finish(err, opConfigure, m)
	}
	return value.Object(members...), nil
}

// concealed redacts an error about a text that may be secret as a whole: it drops the
// path and the offset within the text, what was found there, and what was expected, which
// is "false" after an f.
func concealed(err error) error {
	var e *codec.Error
	if !errors.As(err, &e) {
		return err
	}
	bare := *e
	bare.At, bare.Offset, bare.Want, bare.Found = path.Show(e.At.RevealPath(), 0), -1, "", ""
	return &bare
}

// variableName returns the name in a key. An earlier key of the same name is an error.
func variableName(key string, seen map[string]bool) (string, error) {
	_, name, ok := strings.Cut(key, ":config:")
	e := fail(ErrVariables, -1)
	switch {
	case !ok || name == "":
		e.Want, e.Found = "package:config:name", "another key"
		return "", e
	case seen[name]:
		e.Found = "another key of the same name"
		return name, e
	}

	seen[name] = true
	return name, nil
}

// plain parses a text that is a string, or the sentinel of an unknown.
func plain(text string, o codec.Options) (value.Value, error) {
	quoted, err := appendQuoted(nil, text)
	if err != nil {
		return value.Value{}, err
	}
	return codec.DecodeJSONValue(quoted, o)
}

// known parses a text as JSON, or the sentinel of an unknown.
func known(text string, o codec.Options) (value.Value, error) {
	if v, err := plain(text, o); err == nil && v.IsUnknown() {
		return v, nil
	}
	return codec.DecodeJSONValue(text, o)
}

// guess parses a text as JSON of any kind but string, or else as a string.
func guess(text string, o codec.Options) (value.Value, error) {
	v, err := codec.DecodeJSONValue(text, o)
	switch {
	case err == nil && !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), `"`):
		return v, nil
	case err == nil, errors.Is(err, codec.ErrSyntax), errors.Is(err, codec.ErrUTF8), errors.Is(err, codec.ErrNumber):
		return plain(text, o)
	}

	return value.Value{}, err
}

// Features returns what the engine accepts, as far as this message reports it: whether
// it accepts byte strings. The ConfigureRequest reports the rest; combine the two with |.
func (m *ProviderHandshakeRequest) Features() codec.Features {
	return feature(m.AcceptsByteString, codec.AcceptByteStrings)
}

// Features returns what the provider accepts.
func (m *ProviderHandshakeResponse) Features() codec.Features {
	return feature(m.AcceptSecrets, codec.AcceptSecrets) |
		feature(m.AcceptResources, codec.AcceptResources) |
		feature(m.AcceptOutputs, codec.AcceptOutputs) |
		feature(m.AcceptsByteString, codec.AcceptByteStrings)
}

// Features returns what the engine accepts as far as this message reports it: secrets
// and resource references.
func (m *ConfigureRequest) Features() codec.Features {
	return feature(m.AcceptSecrets, codec.AcceptSecrets) |
		feature(m.AcceptResources, codec.AcceptResources)
}

// Features returns what the provider accepts, except for byte strings. Only its
// ProviderHandshakeResponse reports those.
func (m *ConfigureResponse) Features() codec.Features {
	return feature(m.AcceptSecrets, codec.AcceptSecrets) |
		feature(m.AcceptResources, codec.AcceptResources) |
		feature(m.AcceptOutputs, codec.AcceptOutputs)
}

// feature returns f if it is accepted.
func feature(accepted bool, f codec.Features) codec.Features {
	if accepted {
		return f
	}
	return 0
}
