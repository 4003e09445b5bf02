package schema_test

import (
	"net/netip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/provider/resource"
	"github.com/propalg/propalg/value"
	output "github.com/propalg/propalg/value/bind"
)

type level string

type branch struct {
	Name     string            `pulumi:"name" provider:"replaceOnChanges"`
	Password string            `pulumi:"password,optional" provider:"secret"`
	Below    []*branch         `pulumi:"below,optional"`
	Labels   map[string]branch `pulumi:"labels,optional"`
	Weight   int               `pulumi:"weight" default:"3" env:"WEIGHT"`
}

// one is a struct with a property of a type, and others with all tags.
type one[T any] struct {
	X       T       `pulumi:"x"`
	Y       T       `pulumi:"y,optional" provider:"secret,replaceOnChanges"`
	Size    int     `pulumi:"size" default:"3" env:"SIZE,OTHER_SIZE"`
	Ratio   float64 `pulumi:"ratio" default:"0.5"`
	Enabled bool    `pulumi:"enabled" default:"true"`
	Zone    string  `pulumi:"zone,optional" default:""`
}

// three are resources of a type, of lists and of maps of it.
func three[T any](name string) []resource.Resource {
	return []resource.Resource{
		resource.Of[one[T], one[T]]{Token: "typed:index:" + name},
		resource.Of[one[[]T], one[[]T]]{Token: "typed:index:" + name + "List"},
		resource.Component[one[map[string]T], one[map[string]T]]{Token: "typed:index:" + name + "Map"},
	}
}

// typed is a package of 60 types.
func typed() resource.Package {
	p := resource.Package{
		Name: "typed", Version: "1.2.3", Description: "types", Config: resource.Configure[one[string]](nil),
		Functions: []resource.Function{resource.Func[one[int], one[branch]]{Token: "typed:index:getOne"}},
	}
	for _, r := range [][]resource.Resource{
		three[bool]("Bool"), three[int]("Int"), three[int8]("Int8"), three[uint16]("Uint16"), three[uint64]("Uint64"), three[float32]("Float32"), three[float64]("Float64"),
		three[string]("String"), three[level]("Level"), three[[]byte]("Bytes"), three[time.Duration]("Duration"), three[netip.Addr]("Addr"), three[value.Value]("Value"),
		three[value.Asset]("Asset"), three[value.Archive]("Archive"), three[output.Output[string]]("Output"), three[*int]("Pointer"), three[branch]("Branch"),
		three[*branch]("BranchPointer"), three[[3]map[string][]float64]("Nested"),
	} {
		p.Resources = append(p.Resources, r...)
	}
	return p
}

// Pulumi accepts the schemas that follow from types, and reads the same from them.
func TestSchemasOfTypes(t *testing.T) {
	document, err := typed().Document()
	if err != nil {
		t.Fatal(err)
	}
	text, err := codec.AppendJSONValue(nil, document, codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{"60 types": text}
	for _, name := range []string{"zonal", "kubeish", "fleet", "provider/demo"} {
		if files[name], err = os.ReadFile(filepath.Join("..", "..", "..", "..", "examples", name, "schema.json")); err != nil {
			t.Fatal(err)
		}
	}

	for name, document := range files {
		v := judge(document, false, &loader{})
		if v.refused != "" || v.err != nil {
			t.Errorf("%s: %v", name, v)
		} else if at := firstDifference(theirText(v.theirs), ourText(v.ours)); at != "" {
			t.Errorf("%s: %s", name, at)
		}
	}
	if n := len(typed().Resources); n != 60 {
		t.Errorf("%d types", n)
	}
}
