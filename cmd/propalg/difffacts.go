package main

import (
	"slices"
	"strings"
	"time"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// facts are what a state says of a resource beyond its properties, and the numbers
// in them that were rounded. The texts of errors are secret: providers put into
// them what they were sent. Times and source positions count only if all does.
func facts(r *state.Resource, all bool) (value.Value, codec.Report) {
	members := []value.Member{
		textFact("type", r.Type), textFact("id", r.ID), textFact("parent", r.Parent), textFact("provider", r.Provider),
		boolFact("custom", r.Custom), boolFact("delete", r.Delete), boolFact("external", r.External), boolFact("protect", r.Protect),
		boolFact("taint", r.Taint), boolFact("pendingReplacement", r.PendingReplacement),
		boolFact("retainOnDelete", r.RetainOnDelete), boolFact("refreshBeforeUpdate", r.RefreshBeforeUpdate),
		textFact("importID", r.ImportID), textFact("deletedWith", r.DeletedWith), textFact("viewOf", r.ViewOf),
		textFact("extensionRef", r.ExtensionRef), textFact("snippetID", r.SnippetID),
		listFact("dependencies", r.Dependencies), listFact("aliases", r.Aliases), listFact("replaceWith", r.ReplaceWith),
		listFact("ignoreChanges", r.IgnoreChanges), listFact("replaceOnChanges", r.ReplaceOnChanges), listFact("hideDiff", r.HideDiff),
		listFact("additionalSecretOutputs", r.AdditionalSecretOutputs),
		listsFact("propertyDependencies", r.PropertyDependencies), listsFact("resourceHooks", r.ResourceHooks),
		{Key: "initErrors", Value: value.Array(r.InitErrors...)},
		{Key: "customTimeouts", Value: value.Object(
			numberFact("create", r.CustomTimeouts.Create), numberFact("update", r.CustomTimeouts.Update),
			numberFact("delete", r.CustomTimeouts.Delete), numberFact("read", r.CustomTimeouts.Read),
		)},
	}
	if !r.ReplacementTrigger.IsNull() {
		members = append(members, value.Member{Key: "replacementTrigger", Value: r.ReplacementTrigger})
	}
	if all {
		members = append(members, aside(r)...)
	}
	return value.Object(append(members, extras(r.Extra)...)...), below(path.Root().Key("replacementTrigger"), &r.ReplacementTriggerReport)
}

// aside are the facts that change without a cause that anybody asks for: when, and
// from which line of a program.
func aside(r *state.Resource) []value.Member {
	return []value.Member{
		timeFact("created", r.Created), timeFact("modified", r.Modified),
		textFact("sourcePosition", r.SourcePosition), listFact("stackTrace", r.StackTrace),
	}
}

// asideChanged counts the facts of these that differ.
func asideChanged(old, now *state.Resource) (n int) {
	was, is := aside(old), aside(now)
	for i := range was {
		if !was[i].Value.Equal(is[i].Value) {
			n++
		}
	}
	return n
}

// deploymentFacts are what a document says of the deployment beyond its resources,
// and the numbers in that which were rounded. The state of the secrets provider is
// a secret, and the order of plugins means nothing.
func deploymentFacts(document *state.File, all bool) (value.Value, codec.Report, error) {
	var report codec.Report
	manifest, err := document.Manifest()
	if err != nil {
		return value.Value{}, report, err
	}
	broken, isBroken, err := document.IntegrityError()
	if err != nil {
		return value.Value{}, report, err
	}
	var pending []value.Value
	for op, err := range document.PendingOperations() {
		if err != nil {
			return value.Value{}, report, err
		}
		at := path.Root().Key("pendingOperations").Index(len(pending)).Key("resource")
		pending = append(pending, value.Object(textFact("type", op.Type), value.Member{Key: "resource", Value: whole(&op.Resource, all, at, &report)}))
	}
	about := []value.Member{textFact("version", manifest.Version), {Key: "plugins", Value: pluginsOf(manifest.Plugins)}}
	if all {
		about = append(about, timeFact("time", manifest.Time))
	}
	members := []value.Member{
		{Key: "manifest", Value: value.Object(about...)},
		{Key: "secretsProvider", Value: secretsProvider(document)},
		{Key: "pendingOperations", Value: value.Array(pending...)},
	}
	if isBroken {
		members = append(members, value.Member{Key: "integrityError", Value: value.Object(
			textFact("version", broken.Version), value.Member{Key: "command", Value: broken.Command},
			value.Member{Key: "error", Value: broken.Error}, value.Member{Key: "envVars", Value: broken.EnvVars},
		)})
	} else {
		members = append(members, value.Member{Key: "integrityError"})
	}
	rest := slices.DeleteFunc(document.Fields(), func(f state.Field) bool {
		return slices.Contains([]string{"manifest", "secrets_providers", "pending_operations", "metadata"}, f.Name)
	})
	return value.Object(append(members, extras(rest)...)...), report, nil
}

// whole is a resource with all that a state says of it, at a place of which the
// numbers that were rounded are added to a report.
func whole(r *state.Resource, all bool, at path.Path, report *codec.Report) value.Value {
	said, rounded := facts(r, all)
	for _, each := range []codec.Report{
		below(at, &rounded), below(at.Key("inputs"), &r.InputsReport), below(at.Key("outputs"), &r.OutputsReport),
	} {
		report.Rounded = append(report.Rounded, each.Rounded...)
		report.More += each.More
	}
	members := append(set(said, all), textFact("urn", r.URN),
		value.Member{Key: "inputs", Value: r.Inputs}, value.Member{Key: "outputs", Value: r.Outputs})
	return value.Object(members...)
}

// set are the facts that are not what they are of a resource without any.
func set(said value.Value, all bool) (members []value.Member) {
	unset, _ := facts(&state.Resource{}, all)
	for key, v := range said.Members() {
		if other, ok := unset.Lookup(key); !ok || !v.Equal(other) {
			members = append(members, value.Member{Key: key, Value: v})
		}
	}
	return members
}

// pluginsOf are the versions of plugins by kind and name.
func pluginsOf(all []state.Plugin) value.Value {
	versions := map[string][]string{}
	for _, p := range all {
		key := strings.TrimSpace(p.Type + " " + p.Name)
		versions[key] = append(versions[key], strings.TrimSpace(p.Version+" "+p.Path))
	}
	for _, each := range versions {
		slices.Sort(each)
	}
	return listsFact("", versions).Value
}

// secretsProvider is what a deployment says of the provider that sealed its secrets.
func secretsProvider(document *state.File) value.Value {
	for _, f := range document.Fields() {
		if f.Name != "secrets_providers" {
			continue
		}
		v := extra(f)
		members := []value.Member{{Key: "type", Value: v.Field("type")}}
		for key, part := range v.Members() {
			if key != "type" {
				members = append(members, value.Member{Key: key, Value: value.Secret(part)})
			}
		}
		return value.Object(members...)
	}
	return value.Object(textFact("type", ""))
}

// extras are members that no type has a field for, as values.
func extras(fields []state.Field) []value.Member {
	members := make([]value.Member, 0, len(fields))
	for _, f := range fields {
		members = append(members, value.Member{Key: f.Name, Value: extra(f)})
	}
	return members
}

// extra is a member as a value; one that cannot be read as one is a secret text.
func extra(f state.Field) value.Value {
	v, err := codec.DecodeJSONText(f.RevealText(), codec.Options{Numbers: codec.RoundInexact})
	if err != nil {
		return value.Secret(value.String(f.RevealText()))
	}
	return v
}

// below is a report of the same numbers, at another place.
func below(at path.Path, r *codec.Report) codec.Report {
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

func textFact(key, s string) value.Member { return value.Member{Key: key, Value: value.String(s)} }

func boolFact(key string, b bool) value.Member { return value.Member{Key: key, Value: value.Bool(b)} }

func numberFact(key string, n float64) value.Member {
	return value.Member{Key: key, Value: value.Number(n)}
}

func timeFact(key string, t time.Time) value.Member {
	if t.IsZero() {
		return textFact(key, "")
	}
	return textFact(key, t.UTC().Format(time.RFC3339Nano))
}

func listFact(key string, ss []string) value.Member {
	vs := make([]value.Value, len(ss))
	for i, s := range ss {
		vs[i] = value.String(s)
	}
	return value.Member{Key: key, Value: value.Array(vs...)}
}

// lists are texts by name; an empty list is as good as none.
func listsFact(key string, all map[string][]string) value.Member {
	named := make(map[string]value.Value, len(all))
	for name, ss := range all {
		if len(ss) > 0 {
			named[name] = listFact("", ss).Value
		}
	}
	return value.Member{Key: key, Value: value.ObjectFromMap(named)}
}
