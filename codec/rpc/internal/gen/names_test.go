package gen_test

import (
	"testing"

	"github.com/propalg/propalg/codec/rpc/internal/gen"
)

func TestNames(t *testing.T) {
	for name, want := range map[string][2]string{
		"urn":                {"URN", "urn"},
		"aliasURNs":          {"AliasURNs", "aliasURNs"},
		"importId":           {"ImportID", "importId"},
		"engine_address":     {"EngineAddress", "engineAddress"},
		"pluginDownloadURL":  {"PluginDownloadURL", "pluginDownloadURL"},
		"configure_with_urn": {"ConfigureWithURN", "configureWithUrn"},
		"return":             {"Return", "return"},
		"a__b_":              {"AB", "aB"},
		"pc":                 {"PC", "pc"},
	} {
		if got := gen.GoName(name); got != want[0] {
			t.Errorf("%s is %s in Go, want %s", name, got, want[0])
		}
		if got := gen.JSONName(name); got != want[1] {
			t.Errorf("%s is %s in JSON, want %s", name, got, want[1])
		}
	}
}
