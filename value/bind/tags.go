package bind

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/propalg/propalg/internal/scan"
)

// fields adds the fields of a struct, which is the one of the plan or embedded in it.
func (b *planner) fields(p *plan, t reflect.Type, index []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		where := t.String() + "." + f.Name
		at := append(slices.Clone(index), i)

		tag, tagged := f.Tag.Lookup("pulumi")
		name, rest, _ := strings.Cut(tag, ",")
		switch {
		case tagged && name == "-" && rest == "":
			continue
		case f.Anonymous && !tagged:
			b.embedded(p, f, where, at)
			continue
		case !f.IsExported():
			if tagged {
				b.fail(where, "a tag on an unexported field")
			}
			continue
		case !tagged && b.lowerCamel:
			name = lowerCamel(f.Name)
		case name == "":
			b.unnamed(f, where)
			continue
		}
		made := field{name: name, index: at}
		for option := range strings.SplitSeq(rest, ",") {
			switch option {
			case "optional":
				made.optional = true
			case "secret":
				made.secret = true
			case "":
			default:
				b.fail(where, "a tag with the unknown word "+option)
			}
		}

		if slices.Contains(strings.Split(f.Tag.Get("provider"), ","), "secret") {
			made.secret = true
		}

		made.plan = b.plan(f.Type, where)
		_, hasDefault := f.Tag.Lookup("default") // a missing member means it, and not zero
		made.omitted = made.optional && (!hasDefault || made.plan.holdsNull())
		p.fields = append(p.fields, made)
	}
}

func (b *planner) embedded(p *plan, f reflect.StructField, where string, at []int) {
	switch {
	case f.Type.Kind() == reflect.Pointer:
		b.fail(where, "an embedded pointer without a tag")
	case f.Type.Kind() != reflect.Struct:
		if f.IsExported() {
			b.fail(where, "no tag with a name")
		}
	case formOf(f.Type) != formStruct:
		b.fail(where, "no tag with a name")
	default:
		b.fields(p, f.Type, at)
	}
}

// unnamed reports a field without a name, and says how it gets one.
func (b *planner) unnamed(f reflect.StructField, where string) {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "" || name == "-" {
		name = lowerCamel(f.Name)
	}

	want := "a tag such as pulumi:" + scan.Line(strconv.Quote(name))
	if _, tagged := f.Tag.Lookup("pulumi"); !tagged {
		want += ", or Options.LowerCamel"
	}
	b.problems = append(b.problems, Problem{Want: want, Found: "no tag with a name at " + where})
}

// lowerCamel returns the name of a property for that of a field: the capitals that it
// begins with are small, but for the last of several, if a small letter follows.
func lowerCamel(name string) string {
	letters := []rune(name)
	for i, r := range letters {
		if !unicode.IsUpper(r) || (i > 0 && i+1 < len(letters) && unicode.IsLower(letters[i+1])) {
			break
		}
		letters[i] = unicode.ToLower(r)
	}

	return string(letters)
}
