package gen_test

import (
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc/internal/gen"
)

func TestParse(t *testing.T) {
	s, err := gen.Parse(`
# comment
file one
enum M.E = E, Kind
  doc is an enum.
  0 KIND_A
  1 B_C
message M
  doc is a message.
  1 a string hidden
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
	if m.Doc != "is a message." || len(f) != 4 || !f[0].Hidden || f[1].Label != gen.Optional || f[1].Message != m ||
		f[1].Note != "note" || f[2].Label != gen.Map || f[2].Enum != s.Enums[0] || f[3].Message != s.Messages[1] || f[3].Oneof != "x" {
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
		"nonsense":                                         "line 1: invalid line",
		"message M\n  x a string":                          "line 2: ",
		"message M\n  1 a string odd":                      "line 2: unknown flag odd",
		"message M\n  2 a bool\n 1 b bool":                 "line 3: field 1 is out of order",
		"message M\n  1 a Nothing":                         "M.a: unknown type Nothing",
		"message M = X\n1 a bool\nmessage N = X\n1 b bool": "N and M have one Go type and different fields",
		"enum E = E, E\n  1 A":                             "line 2: invalid line",
		"rpc S/M A B":                                      "rpc S/M: unknown message",
	} {
		if _, err := gen.Parse(table); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", table, err, want)
		}
	}
}
