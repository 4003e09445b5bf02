package rpcgen_test

import (
	"strings"
	"testing"

	"github.com/propalg/propalg/internal/rpcgen"
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
		if got := rpcgen.GoName(name); got != want[0] {
			t.Errorf("%s is %s in Go, want %s", name, got, want[0])
		}
		if got := rpcgen.JSONName(name); got != want[1] {
			t.Errorf("%s is %s in JSON, want %s", name, got, want[1])
		}
	}
}

func TestParse(t *testing.T) {
	s, err := rpcgen.Parse(`
# comment
file one
enum M.E = E, Kind
  doc is an enum.
  0 KIND_A
  1 B_C
message M
  doc is a message.
  1 a string urn hidden
  2 b optional M // note
  4 c map<string,E>
  9 d repeated M.N oneof=x
message M.N = Other
rpc S/M M M.N
`)
	if err != nil {
		t.Fatal(err)
	}
	m := s.Messages[0]
	f := m.Fields
	if m.Doc != "is a message." || len(f) != 4 || f[0].Parse != "urn" || !f[0].Hidden || f[1].Label != rpcgen.Optional || f[1].Message != m ||
		f[1].Note != "note" || f[2].Label != rpcgen.Map || f[2].Enum != s.Enums[0] || f[3].Message != s.Messages[1] || f[3].Oneof != "x" {
		t.Errorf("%+v", m)
	}
	if s.Messages[1].Type != "Other" || s.Calls[0].Response != s.Messages[1] || s.Calls[0].Method != "S/M" {
		t.Errorf("%+v", s)
	}
	files, err := s.Generate()
	if err != nil || !strings.Contains(string(files["one_gen.go"]), "KindBC E = 1") || !strings.Contains(string(files["one_gen.go"]), "KindA  E = 0") {
		t.Errorf("%v\n%s", err, files["one_gen.go"])
	}
}

func TestParseErrors(t *testing.T) {
	for table, want := range map[string]string{
		"nonsense":                                         "line 1: cannot be read",
		"message M\n  x a string":                          "line 2: ",
		"message M\n  1 a string odd":                      "line 2: no flag odd",
		"message M\n  2 a bool\n 1 b bool":                 "line 3: field 1 is out of order",
		"message M\n  1 a Nothing":                         "M.a: no type Nothing",
		"message M = X\n1 a bool\nmessage N = X\n1 b bool": "N and M are not alike",
		"enum E = E, E\n  1 A":                             "line 2: cannot be read",
		"rpc S/M A B":                                      "rpc S/M: no such message",
	} {
		if _, err := rpcgen.Parse(table); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", table, err, want)
		}
	}
}
