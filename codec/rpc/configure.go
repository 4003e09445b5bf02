package rpc

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

const opConfigure = "configure"

// Properties returns the configuration: Args if it is there, else what Variables
// say, else an empty object. The names are those between the second colon and the
// end of a key, package:config:name.
//
// In Variables a string stands as it is and all else as JSON text, so without
// knowing which properties are strings one cannot tell "true" from true. Properties
// takes a text that is JSON of another kind as such, so that these are LOST: a
// string that reads as a number, true, false, null, an array or an object. (Only
// where no double holds the number is it taken as a string.)
// [ConfigureRequest.PropertiesWithStrings] loses nothing. Variables hold no marks:
// what was secret is not any more. The error is an [*Error]; it names the variable,
// and nothing that is in its text.
func (m *ConfigureRequest) Properties() (value.Value, error) {
	return m.properties(func(string) textReader { return guess })
}

// PropertiesWithStrings is [ConfigureRequest.Properties] for a caller that knows
// the names of all properties that are strings: their texts are taken as they are,
// and all others have to be JSON. Args hold such texts too, see
// [ConfigWithStrings].
func (m *ConfigureRequest) PropertiesWithStrings(names ...string) (value.Value, error) {
	if (*bag)(&m.Args).isSet() {
		v, err := configWithStrings(m.Args, names)
		if err != nil {
			return value.Value{}, finish(inField(err, "args"), opConfigure, m)
		}
		return v, nil
	}
	return m.properties(func(name string) textReader {
		if slices.Contains(names, name) {
			return plain
		}
		return codec.DecodeJSONText
	})
}

// ConfigWithStrings returns the configuration of a provider with what SDKs made a
// text of read again: the Args of Configure, the news and the olds of CheckConfig
// and DiffConfig. Generated SDKs send a property that is no string as JSON text,
// engines and programs in YAML as what it is. The text of a property that the names
// have not is therefore read as JSON, in which it keeps its marks; every other
// property stays as it is, and so do the texts that engines add: the version of the
// provider and the URL that its plugin is downloaded from.
//
// The error is an [*Error] that names the property, and nothing of a text.
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
	members := make([]value.Member, 0, config.Len())
	for name, sent := range config.DropSecret().Members() {
		text, isText := sent.AsString()
		if isText && !slices.Contains(names, name) && !slices.Contains(engineTexts(), name) {
			v, err := codec.DecodeJSONText(text, codec.Options{})
			if err != nil {
				return value.Value{}, inField(concealed(err), entry(name))
			}
			sent = marked(v, sent)
		}
		members = append(members, value.Member{Key: name, Value: sent})
	}
	return marked(value.Object(members...), config), nil
}

// engineTexts lists the properties of a configuration that engines add, as texts.
func engineTexts() []string { return []string{"version", "pluginDownloadURL"} }

// marked returns v with the marks of another as well.
func marked(v, like value.Value) value.Value {
	if like.HasDependencies() {
		v = v.WithDependencies(slices.Collect(like.Dependencies())...)
	}
	if like.IsSecret() {
		v = value.Secret(v)
	}
	return v
}

// textReader makes a value of the text of a variable.
type textReader = func(text string, o codec.Options) (value.Value, error)

func (m *ConfigureRequest) properties(read func(name string) textReader) (value.Value, error) {
	if (*bag)(&m.Args).isSet() {
		return m.Args, nil
	}
	members := make([]value.Member, 0, len(m.Variables))
	seen := make(map[string]bool, len(m.Variables))
	for _, key := range slices.Sorted(maps.Keys(m.Variables)) {
		var v value.Value
		name, err := variableName(key, seen)
		if text := m.Variables[key]; err == nil {
			v, err = read(name)(text, codec.Options{})
			err = concealed(err)
		}
		if err != nil {
			return value.Value{}, finish(inField(inField(err, entry(key)), "variables"), opConfigure, m)
		}
		members = append(members, value.Member{Key: name, Value: v})
	}
	return value.Object(members...), nil
}

// concealed makes an error about a text say nothing of what is in the text, which may
// be secret as a whole: the place is cut at its root.
func concealed(err error) error {
	var e *codec.Error
	if !errors.As(err, &e) {
		return err
	}
	bare := *e
	bare.At, bare.Found = path.Show(e.At.RevealPath(), 0), ""
	return &bare
}

// variableName returns the name in a key, which no key before had.
func variableName(key string, seen map[string]bool) (string, error) {
	_, name, ok := strings.Cut(key, ":config:")
	e := fail(ErrVariables, -1)
	switch {
	case !ok || name == "":
		e.Want, e.Found = "package:config:name", "another key"
		return "", e
	case seen[name]:
		e.Found = "another key of the same name"
		return "", e
	}
	seen[name] = true
	return name, nil
}

// plain reads a text that is a string: it can be the sentinel of an unknown.
func plain(text string, o codec.Options) (value.Value, error) {
	quoted, err := appendQuoted(nil, text, call{})
	if err != nil {
		return value.Value{}, err
	}
	return codec.DecodeJSON(quoted, o)
}

// guess reads a text that is JSON of another kind than string, or else a string.
func guess(text string, o codec.Options) (value.Value, error) {
	v, err := codec.DecodeJSONText(text, o)
	switch {
	case err == nil && !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), `"`):
		return v, nil
	case err == nil, errors.Is(err, codec.ErrSyntax), errors.Is(err, codec.ErrUTF8), errors.Is(err, codec.ErrNumber):
		return plain(text, o)
	}
	return value.Value{}, err
}

// features joins what was said.
func features(secrets, resources, outputs, byteStrings bool) codec.Features {
	var f codec.Features
	for _, said := range [...]struct {
		yes     bool
		feature codec.Features
	}{
		{secrets, codec.AcceptSecrets},
		{resources, codec.AcceptResources},
		{outputs, codec.AcceptOutputs},
		{byteStrings, codec.AcceptByteStrings},
	} {
		if said.yes {
			f |= said.feature
		}
	}
	return f
}

// Features returns what the engine says here that it accepts: byte strings. The
// rest it says in its ConfigureRequest; combine the two with |.
func (m *ProviderHandshakeRequest) Features() codec.Features {
	return features(false, false, false, m.AcceptsByteString)
}

// Features returns what the provider accepts.
func (m *ProviderHandshakeResponse) Features() codec.Features {
	return features(m.AcceptSecrets, m.AcceptResources, m.AcceptOutputs, m.AcceptsByteString)
}

// Features returns what the engine says here that it accepts.
func (m *ConfigureRequest) Features() codec.Features {
	return features(m.AcceptSecrets, m.AcceptResources, false, false)
}

// Features returns what the provider accepts, but for byte strings, which only
// its ProviderHandshakeResponse says.
func (m *ConfigureResponse) Features() codec.Features {
	return features(m.AcceptSecrets, m.AcceptResources, m.AcceptOutputs, false)
}
