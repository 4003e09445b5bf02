package engine_test

import (
	"errors"
	"testing"

	"github.com/propalg/propalg/engine"
)

func TestLookup(t *testing.T) {
	var installed []engine.Plugin
	for _, version := range []string{"v1.2.0", "1.10.0", "latest", "2.0.0-beta.2", "2.0.0-beta.11", "2.0.0-alpha", "0.1.0+one", "1.2"} {
		installed = append(installed, engine.Plugin{Name: "demo", Version: version})
	}

	installed = append(installed, engine.Plugin{Name: "pulumi"}, engine.Plugin{Name: "other", Version: "3.0.0"}, engine.Plugin{Name: "bare"}, engine.Plugin{Name: "pre", Version: "1.0.0-a.b"}, engine.Plugin{Name: "pre", Version: "1.0.0-a.1"}, engine.Plugin{Name: "pre", Version: "1.0.0-a"})

	for _, row := range []struct{ name, version, want, fails string }{
		{"demo", "", "1.10.0", ""},
		{"demo", "1.2.0", "v1.2.0", ""},
		{"demo", "v1.10.0", "1.10.0", ""},
		{"demo", "0.1.0", "0.1.0+one", ""},
		{"demo", "2.0.0-beta.2", "2.0.0-beta.2", ""},
		{"demo", "1.9.0", "", "engine: no plugin of that package and version is installed"},
		{"demo", "2.0.0", "", "engine: no plugin of that package and version is installed"},
		{"dem", "", "", "engine: no plugin of that package and version is installed"},
		{"demo", "1.2", "", "engine: version: expected three numbers"},
		{"demo", "1.2.x", "", "engine: version: part 3: expected a number"},
		{"demo", "1.02.3", "", "engine: version: part 2: expected a number"},
		{"demo", "1.2.", "", "engine: version: part 3: expected a number"},
		{"demo", "1.2.3-", "", "engine: version: part 4: expected letters, digits and dashes"},
		{"demo", "1.2.3-01", "", "engine: version: part 4: expected letters, digits and dashes"},
		{"demo", "1.2.3-99999999999999999999", "", "engine: version: part 4: expected letters, digits and dashes"}, // 64 bits
		{"demo", "1.2.3+a_b", "", "engine: version: part 4: expected letters, digits and dashes"},
		{"bare", "", "", ""},
		{"pulumi", "", "", ""}, // the engine's own, which the caller lists
		{"bare", "1.0.0", "", ""},
		{"pre", "", "1.0.0-a.b", ""},
	} {
		got, err := engine.Lookup(installed, engine.Plugin{Name: row.name, Version: row.version})
		if got.Version != row.want || (err == nil) != (row.fails == "") || (err != nil && err.Error() != row.fails) || (err == nil && got.Name != row.name) {
			t.Errorf("%s %s: %v, %v, not %q", row.name, row.version, got, err, row.want)
		}
	}

	if _, err := engine.Lookup(nil, engine.Plugin{Name: "demo"}); !errors.Is(err, engine.ErrNoPlugin) {
		t.Error(err)
	}
}
