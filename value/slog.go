package value

import (
	"log/slog"
	"math"
)

// LogValue returns the value for log/slog. A boolean or finite number that is not
// secret is logged as such, everything else as the text of [Value.String].
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
