package state

import (
	"slices"
	"strings"
	"time"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Metadata returns what the state says about the resource apart from its URN,
// inputs and outputs, as an object: one member for each field, whether it is set
// or not (the replacement trigger only if it is), and those of Extra. The texts of
// errors are secrets, since providers quote in them what they were sent.
func (r *Resource) Metadata() value.Value {
	v, _ := r.metadata(true)
	return v
}

// metadata returns the metadata, with or without times and source positions, and
// the numbers in them that were rounded.
func (r *Resource) metadata(times bool) (value.Value, codec.Report) {
	fields := r.fields()
	members := make([]value.Member, 0, len(fields)+len(r.Extra))
	for i := range fields {
		f := &fields[i]
		switch f.name {
		case "urn", "inputs", "outputs":
			continue
		case trigger:
			if r.ReplacementTrigger.IsNull() {
				continue
			}
		}

		if !times && changesByItself(f.name) {
			continue
		}

		members = append(members, member(f.name, f.to))
	}
	members = append(members, fieldMembers(r.Extra)...)
	return value.Object(members...), movedBelow(path.Path{}.Member(trigger), &r.ReplacementTriggerReport)
}

// changesByItself reports whether a field changes without a change of the resource.
func changesByItself(field string) bool {
	switch field {
	case "created", "modified", "sourcePosition", "stackTrace":
		return true
	}
	return false
}

// times returns the metadata that change without a change of the resource.
func (r *Resource) times() []value.Member {
	var members []value.Member

	for _, f := range r.fields() {
		if changesByItself(f.name) {
			members = append(members, member(f.name, f.to))
		}
	}
	return members
}

// metadata returns what a document says apart from its resources, and the numbers
// in that which were rounded. The order of plugins does not matter.
func (f *File) metadata(times bool) (value.Value, codec.Report, error) {
	var report codec.Report
	manifest, err := f.Manifest()
	if err != nil {
		return value.Value{}, report, err
	}
	about := []value.Member{member("version", &manifest.Version), {Key: "plugins", Value: pluginVersions(manifest.Plugins)}}
	if times {
		about = append(about, member("time", &manifest.Time))
	}
	pending, err := f.pendingMetadata(times, &report)
	if err != nil {
		return value.Value{}, report, err
	}

	broken, err := f.integrityMetadata()
	if err != nil {
		return value.Value{}, report, err
	}

	rest := slices.DeleteFunc(f.Fields(), func(field Field) bool {
		return slices.Contains([]string{"manifest", "secrets_providers", "pending_operations", "metadata"}, field.Name)
	})
	return value.Object(append(fieldMembers(rest),
		value.Member{Key: "manifest", Value: value.Object(about...)},
		value.Member{Key: "secretsProvider", Value: f.secretsProviderMetadata()},
		value.Member{Key: "pendingOperations", Value: pending},
		value.Member{Key: "integrityError", Value: broken},
	)...), report, nil
}

// pluginVersions returns the versions of plugins by kind and name.
func pluginVersions(all []Plugin) value.Value {
	versions := map[string][]string{}
	for _, p := range all {
		key := strings.TrimSpace(p.Type + " " + p.Name)
		versions[key] = append(versions[key], strings.TrimSpace(p.Version+" "+p.Path))
	}

	for _, each := range versions {
		slices.Sort(each)
	}
	return member("", &versions).Value
}

// secretsProviderMetadata returns the type of the secrets provider, and the rest of
// what the document says about it as secrets.
func (f *File) secretsProviderMetadata() value.Value {
	field, ok := f.field("secrets_providers")
	if !ok {
		return value.Object(member("type", new(string)))
	}

	v := fieldValue(field)
	members := []value.Member{{Key: "type", Value: v.Field("type")}}
	for key, part := range v.Members() {
		if key != "type" {
			members = append(members, value.Member{Key: key, Value: value.Secret(part)})
		}
	}
	return value.Object(members...)
}

// pendingMetadata returns the pending operations with their resources, and adds the
// numbers in them that were rounded to a report.
func (f *File) pendingMetadata(times bool, report *codec.Report) (value.Value, error) {
	var pending []value.Value
	for op, err := range f.PendingOperations() {
		if err != nil {
			return value.Value{}, err
		}

		at := path.Path{}.Member("pendingOperations").Elem(len(pending)).Member("resource")
		resource := value.Member{Key: "resource", Value: op.Resource.whole(times, at, report)}
		pending = append(pending, value.Object(member("type", &op.Type), resource))
	}
	return value.Array(pending...), nil
}

// whole returns all that is set of a resource, and adds the numbers in it that were
// rounded to a report about what it is a part of.
func (r *Resource) whole(times bool, at path.Path, report *codec.Report) value.Value {
	metadata, rounded := r.metadata(times)
	for _, each := range []codec.Report{
		movedBelow(at, &rounded), movedBelow(at.Member("inputs"), &r.InputsReport), movedBelow(at.Member("outputs"), &r.OutputsReport),
	} {
		report.Rounded = append(report.Rounded, each.Rounded...)
		report.More += each.More
	}

	unset, _ := (&Resource{}).metadata(times)
	members := []value.Member{member("urn", &r.URN), member("inputs", &r.Inputs), {Key: "outputs", Value: r.SecretOutputs()}}
	for key, v := range metadata.Members() {
		if other, ok := unset.Lookup(key); !ok || !v.Equal(other) {
			members = append(members, value.Member{Key: key, Value: v})
		}
	}
	return value.Object(members...)
}

// integrityMetadata returns the integrity error, or null without one.
func (f *File) integrityMetadata() (value.Value, error) {
	broken, isBroken, err := f.IntegrityError()
	if err != nil || !isBroken {
		return value.Null(), err
	}

	return value.Object(
		member("version", &broken.Version), member("command", &broken.Command),
		member("error", &broken.Error), member("envVars", &broken.EnvVars),
	), nil
}

// fieldMembers returns fields as members of an object.
func fieldMembers(fields []Field) []value.Member {
	members := make([]value.Member, 0, len(fields))
	for _, f := range fields {
		members = append(members, value.Member{Key: f.Name, Value: fieldValue(f)})
	}
	return members
}

// fieldValue returns a field as a value; one that cannot be decoded is a secret text.
func fieldValue(f Field) value.Value {
	v, err := codec.DecodeJSONValue(f.RevealText(), codec.Options{RoundNumbers: true})
	if err != nil {
		return value.Secret(value.String(f.RevealText()))
	}
	return v
}

// movedBelow returns a report about the same numbers at another place.
func movedBelow(at path.Path, r *codec.Report) codec.Report {
	moved := codec.Report{More: r.More}
	for _, each := range r.Rounded {
		place := at.Join(each.At.RevealPath())
		visible := place.Len()
		if each.At.Redacted() {
			visible = at.Len() + each.At.Path().Len()
		}
		each.At = path.Show(place, visible)
		moved.Rounded = append(moved.Rounded, each)
	}

	return moved
}

// member returns what a field of a struct holds as a member of an object. A zero time is
// an empty string, and a list without elements in a map of lists is left out.
func member(key string, to any) value.Member {
	v := value.Null()
	switch to := to.(type) {
	case *value.Value:
		v = *to
	case *string:
		v = value.String(*to)
	case *bool:
		v = value.Bool(*to)
	case *float64:
		v = value.Number(*to)
	case *[]string:
		v = textArray(*to)
	case *[]value.Value:
		v = value.Array(*to...)
	case *map[string][]string:
		named := make(map[string]value.Value, len(*to))
		for name, list := range *to {
			if len(list) > 0 {
				named[name] = textArray(list)
			}
		}

		v = value.ObjectFromMap(named)
	case *time.Time:
		text := ""
		if !to.IsZero() {
			text = to.UTC().Format(time.RFC3339Nano)
		}
		v = value.String(text)
	case *CustomTimeouts:
		v = value.Object(
			member("create", &to.Create), member("update", &to.Update),
			member("delete", &to.Delete), member("read", &to.Read),
		)
	}

	return value.Member{Key: key, Value: v}
}

func textArray(list []string) value.Value {
	vs := make([]value.Value, len(list))
	for i, s := range list {
		vs[i] = value.String(s)
	}
	return value.Array(vs...)
}
