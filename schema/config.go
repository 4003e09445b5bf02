package schema

import (
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// ParseConfig returns configuration with the values that its texts stand for. The type is
// that of the inputs of the provider ([Package.Provider]); the configuration is the Args of
// Configure, or the news or olds of CheckConfig or DiffConfig.
//
// SDKs send a property that is not a string as JSON text, in which users may have written
// numbers and booleans as strings:
//
//	{"endpoints": "{\"port\": \"443\", \"tls\": \"true\"}"}
//
// The text of a property whose type has no strings is therefore parsed as JSON. At any
// depth, a string in the place of a number or a boolean becomes that number or boolean, if
// it is the JSON text of one that the type has. All other strings are left as they are, for
// [Type.Check] to refuse: "0x1f", "yes", and a number that no float64 holds. Marks are kept,
// and nothing is changed where it is ambiguous to which alternative of a union a value
// belongs.
//
// The error is a [*bind.Error], which lists the properties whose text is not JSON. It shows
// nothing of these texts.
func (t *Type) ParseConfig(config value.Value) (value.Value, error) {
	f := filler{root: t, config: true, check: checker{outermostSecret: -1}}
	if config = f.fill(t, config); len(f.problems) > 0 {
		return value.Value{}, &bind.Error{Op: "schema: configuration", Problems: f.problems}
	}
	return config, nil
}

// parsed returns the value that a text in the place of a type stands for. Whoever replaces
// the text keeps its marks.
func (f *filler) parsed(t *Type, c *value.Cursor, v value.Value) value.Value {
	text, isText := v.AsString()
	if !isText || admits(t, value.KindString) {
		return v
	}

	if c.Depth() == 1 {
		made, err := codec.DecodeJSONValue(text, codec.Options{})
		if err != nil {
			f.wrong(c, t.String(), "text")
			return v
		}
		v = made
		text, isText = v.AsString()
	}
	if made, err := codec.DecodeJSONValue(text, codec.Options{}); isText && err == nil && isScalar(made) && admits(t, made.Kind()) {
		return made
	}
	return v
}
