package value

import (
	"log/slog"
	"math"
)

// LogValue makes log/slog show a value as its handlers do a boolean or a finite
// number if it is one that is not secret, and every other value as the text of
// [Value.String]: masked, bounded, and without control characters.
func (v Value) LogValue() slog.Value {
	if v.facts&secretness == 0 {
		switch {
		case v.kind == KindBool:
			return slog.BoolValue(v.number() != 0)
		case v.kind == KindNumber && finite(v.number()):
			return slog.Float64Value(math.Float64frombits(v.number()))
		}
	}
	return slog.StringValue(v.String())
}

// LogValue makes log/slog show a member as [Member.String] does.
func (m Member) LogValue() slog.Value { return slog.StringValue(m.String()) }
