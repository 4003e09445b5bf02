package infer_test

import (
	"reflect"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/value"
)

// The structs that both sides read. Optional fields are pointers, slices or maps, as
// infer asks of a provider; a secret is tagged as infer wants it, which bind reads too.
type (
	// Place is embedded.
	Place struct {
		Region string  `pulumi:"region"`
		Zone   *string `pulumi:"zone,optional"`
	}

	rule struct {
		From  int      `pulumi:"from"`
		To    *int     `pulumi:"to,optional"`
		Allow bool     `pulumi:"allow"`
		Hosts []string `pulumi:"hosts,optional"`
	}

	server struct {
		Place

		Name      string            `pulumi:"name"`
		Size      int               `pulumi:"size"`
		Ratio     float64           `pulumi:"ratio"`
		On        bool              `pulumi:"on"`
		Nickname  *string           `pulumi:"nickname,optional"`
		Limit     *int              `pulumi:"limit,optional"`
		Weight    *float64          `pulumi:"weight,optional"`
		Protected *bool             `pulumi:"protected,optional"`
		Zones     []string          `pulumi:"zones"`
		Ports     []int             `pulumi:"ports,optional"`
		Tags      map[string]string `pulumi:"tags"`
		Counts    map[string]int    `pulumi:"counts,optional"`
		First     rule              `pulumi:"first"`
		Last      *rule             `pulumi:"last,optional"`
		Rules     []rule            `pulumi:"rules"`
		Others    []*rule           `pulumi:"others,optional"`
		Named     map[string]rule   `pulumi:"named"`
		Password  string            `pulumi:"password" provider:"secret"`
		Key       *string           `pulumi:"key,optional" provider:"secret"`
	}

	numbers struct {
		I8  int8    `pulumi:"i8"`
		I16 int16   `pulumi:"i16"`
		I32 int32   `pulumi:"i32"`
		I64 int64   `pulumi:"i64"`
		U8  uint8   `pulumi:"u8"`
		U16 uint16  `pulumi:"u16"`
		U32 uint32  `pulumi:"u32"`
		U64 uint64  `pulumi:"u64"`
		F32 float32 `pulumi:"f32"`
		F64 float64 `pulumi:"f64"`
	}

	deep struct {
		Grid  [][]float64                  `pulumi:"grid"`
		Lists map[string][]string          `pulumi:"lists"`
		Maps  []map[string]*rule           `pulumi:"maps,optional"`
		Below *deep                        `pulumi:"below,optional"`
		Far   map[string]map[string][]bool `pulumi:"far"`
	}
)

// safeDepth is the length of the longest path at which infer keeps apart what it
// remembers of a bag; see the differences named "fourth level".
const safeDepth = 3

// source draws bags for Go types. What it draws is either of the type or wrong in a way
// that both sides refuse; where they differ by design, it draws nothing: see
// TestDifferences.
type source struct {
	t     *rapid.T
	wrong bool // whether the bag may be wrong somewhere
}

func (s source) oneOf(n int, label string) bool {
	return rapid.IntRange(0, n-1).Draw(s.t, label) == n-1
}

// draw returns a value for a type, where depth steps lead to it.
func (s source) draw(typ reflect.Type, depth int) value.Value {
	if s.wrong && depth > 0 && s.oneOf(60, "wrong kind") {
		if typ.Kind() == reflect.Bool {
			return value.String("wrong")
		}
		return value.Bool(true)
	}
	v := s.plain(typ, depth)
	if 0 < depth && depth <= safeDepth && s.oneOf(10, "secret") {
		return value.Secret(v)
	}
	return v
}

func (s source) plain(typ reflect.Type, depth int) value.Value {
	switch typ.Kind() {
	case reflect.Pointer:
		return s.plain(typ.Elem(), depth)
	case reflect.Bool:
		return value.Bool(rapid.Bool().Draw(s.t, "bool"))
	case reflect.String:
		return value.String(s.text("text"))
	case reflect.Float32:
		return value.Number(float64(rapid.Float32().Draw(s.t, "float32")))
	case reflect.Float64:
		return value.Number(rapid.Float64().Draw(s.t, "float64"))
	case reflect.Slice:
		all := make([]value.Value, s.length(depth))
		for i := range all {
			all[i] = s.draw(typ.Elem(), depth+1)
		}
		return value.Array(all...)
	case reflect.Map:
		all := map[string]value.Value{}
		for range s.length(depth) {
			all[s.text("key")] = s.draw(typ.Elem(), depth+1)
		}
		return value.ObjectFromMap(all)
	case reflect.Struct:
		return s.object(typ, depth)
	default:
		return value.Number(s.integer(typ))
	}
}

func (s source) text(label string) string {
	return rapid.StringOfN(rapid.RuneFrom([]rune("ab<é☃\".")), 0, 5, -1).Draw(s.t, label)
}

// length draws how many elements a list or map has.
func (s source) length(depth int) int {
	least := 0
	if depth > safeDepth {
		least = 1
	}
	return rapid.IntRange(least, 3).Draw(s.t, "length")
}

// integer draws an integer of a type that is exactly a float64.
func (s source) integer(typ reflect.Type) float64 {
	const exact = 53
	if name, unsigned := strings.CutPrefix(typ.Kind().String(), "uint"); unsigned {
		return float64(rapid.Uint64Max(1<<min(bits(name), exact)-1).Draw(s.t, "unsigned"))
	}
	most := int64(1)<<min(bits(strings.TrimPrefix(typ.Kind().String(), "int"))-1, exact) - 1
	return float64(rapid.Int64Range(-most-1, most).Draw(s.t, "integer"))
}

func bits(name string) int {
	if n, err := strconv.Atoi(name); err == nil {
		return n
	}
	return strconv.IntSize
}

func (s source) object(typ reflect.Type, depth int) value.Value {
	var members []value.Member
	for _, f := range reflect.VisibleFields(typ) {
		tag, tagged := f.Tag.Lookup("pulumi")
		if !tagged {
			continue
		}
		name, _, optional := strings.Cut(tag, ",")
		switch {
		case optional && s.oneOf(3, "missing"):
		case s.wrong && s.oneOf(60, "missing wrongly"):
		default:
			members = append(members, value.Field(name, s.draw(f.Type, depth+1)))
		}
	}
	if s.wrong && s.oneOf(60, "extra") {
		members = append(members, value.Field("extra", value.String("")))
	}
	return value.Object(members...)
}
