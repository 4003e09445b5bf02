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
	members := []value.Member{
		textMember("type", r.Type), textMember("id", r.ID), textMember("parent", r.Parent), textMember("provider", r.Provider),
		boolMember("custom", r.Custom), boolMember("delete", r.Delete), boolMember("external", r.External), boolMember("protect", r.Protect),
		boolMember("taint", r.Taint), boolMember("pendingReplacement", r.PendingReplacement),
		boolMember("retainOnDelete", r.RetainOnDelete), boolMember("refreshBeforeUpdate", r.RefreshBeforeUpdate),
		textMember("importID", r.ImportID), textMember("deletedWith", r.DeletedWith), textMember("viewOf", r.ViewOf),
		textMember("extensionRef", r.ExtensionRef), textMember("snippetID", r.SnippetID),
		listMember("dependencies", r.Dependencies), listMember("aliases", r.Aliases), listMember("replaceWith", r.ReplaceWith),
		listMember("ignoreChanges", r.IgnoreChanges), listMember("replaceOnChanges", r.ReplaceOnChanges), listMember("hideDiff", r.HideDiff),
		listMember("additionalSecretOutputs", r.AdditionalSecretOutputs),
		listsMember("propertyDependencies", r.PropertyDependencies), listsMember("resourceHooks", r.ResourceHooks),
		{Key: "initErrors", Value: value.Array(r.InitErrors...)},
		{Key: "customTimeouts", Value: value.Object(
			numberMember("create", r.CustomTimeouts.Create), numberMember("update", r.CustomTimeouts.Update),
			numberMember("delete", r.CustomTimeouts.Delete), numberMember("read", r.CustomTimeouts.Read),
		)},
	}

	if !r.ReplacementTrigger.IsNull() {
		members = append(members, value.Member{Key: trigger, Value: r.ReplacementTrigger})
	}

	if times {
		members = append(members, r.times()...)
	}

	members = append(members, fieldMembers(r.Extra)...)

	return value.Object(members...), movedBelow(path.Root().Key(trigger), &r.ReplacementTriggerReport)
}

// times returns the metadata that change without a change of the resource.
func (r *Resource) times() []value.Member {
	return []value.Member{
		timeMember("created", r.Created), timeMember("modified", r.Modified),
		textMember("sourcePosition", r.SourcePosition), listMember("stackTrace", r.StackTrace),
	}
}

// metadata returns what a document says apart from its resources, and the numbers
// in that which were rounded. The order of plugins does not matter.
func (f *File) metadata(times bool) (value.Value, codec.Report, error) {
	var report codec.Report

	manifest, err := f.Manifest()
	if err != nil {
		return value.Value{}, report, err
	}

	about := []value.Member{textMember("version", manifest.Version), {Key: "plugins", Value: pluginVersions(manifest.Plugins)}}
	if times {
		about = append(about, timeMember("time", manifest.Time))
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

	return listsMember("", versions).Value
}

// secretsProviderMetadata returns the type of the secrets provider, and the rest of
// what the document says about it as secrets.
func (f *File) secretsProviderMetadata() value.Value {
	field, ok := f.field("secrets_providers")
	if !ok {
		return value.Object(textMember("type", ""))
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

		at := path.Root().Key("pendingOperations").Index(len(pending)).Key("resource")
		resource := value.Member{Key: "resource", Value: op.Resource.whole(times, at, report)}
		pending = append(pending, value.Object(textMember("type", op.Type), resource))
	}

	return value.Array(pending...), nil
}

// whole returns all that is set of a resource, and adds the numbers in it that were
// rounded to a report about what it is a part of.
func (r *Resource) whole(times bool, at path.Path, report *codec.Report) value.Value {
	metadata, rounded := r.metadata(times)
	for _, each := range []codec.Report{
		movedBelow(at, &rounded), movedBelow(at.Key("inputs"), &r.InputsReport), movedBelow(at.Key("outputs"), &r.OutputsReport),
	} {
		report.Rounded = append(report.Rounded, each.Rounded...)
		report.More += each.More
	}

	unset, _ := (&Resource{}).metadata(times)
	members := []value.Member{textMember("urn", r.URN), {Key: "inputs", Value: r.Inputs}, {Key: "outputs", Value: r.Outputs}}

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
		textMember("version", broken.Version), value.Member{Key: "command", Value: broken.Command},
		value.Member{Key: "error", Value: broken.Error}, value.Member{Key: "envVars", Value: broken.EnvVars},
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
	v, err := codec.DecodeJSON(f.RevealText(), codec.Options{RoundNumbers: true})
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

		if each.At.Cut() {
			visible = at.Len() + each.At.Path().Len()
		}

		each.At = path.Show(place, visible)
		moved.Rounded = append(moved.Rounded, each)
	}

	return moved
}

func textMember(key, s string) value.Member { return value.Member{Key: key, Value: value.String(s)} }

func boolMember(key string, b bool) value.Member { return value.Member{Key: key, Value: value.Bool(b)} }

func numberMember(key string, n float64) value.Member {
	return value.Member{Key: key, Value: value.Number(n)}
}

func timeMember(key string, t time.Time) value.Member {
	if t.IsZero() {
		return textMember(key, "")
	}

	return textMember(key, t.UTC().Format(time.RFC3339Nano))
}

func listMember(key string, ss []string) value.Member {
	vs := make([]value.Value, len(ss))
	for i, s := range ss {
		vs[i] = value.String(s)
	}

	return value.Member{Key: key, Value: value.Array(vs...)}
}

// listsMember returns texts by name; an empty list is like none.
func listsMember(key string, all map[string][]string) value.Member {
	named := make(map[string]value.Value, len(all))
	for name, ss := range all {
		if len(ss) > 0 {
			named[name] = listMember("", ss).Value
		}
	}

	return value.Member{Key: key, Value: value.ObjectFromMap(named)}
}
