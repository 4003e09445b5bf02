package probe

import (
	"maps"
	"strings"
)

// exceptions lists the functions that may do what others may not.
var exceptions = join(
	exempt(exception{reads: true, reason: "it decodes"}, `
		codec.Decode codec.DecodeValue codec.DecodeJSON codec.DecodeJSONValue codec.FromMessage codec.FromMessageValue
		codec/patch.Unmarshal codec/rpc.Decode codec/rpc.DecodeJSON codec/rpc.FindDetail codec/rpc.ReadLog
		codec/state.Check codec/state.Parse codec/state.NewReader codec/state.Compare codec/state.Scrub codec/state.IsState codec/steps.NewReader codec/steps.FormatOf provider/check.Log schema.Read`),
	exempt(exception{reads: true, copies: true, reason: "it edits a file of whose secrets some are plaintext"}, `codec/state.Rewrite`),
	exempt(exception{shows: true, reason: "it is an accessor of plaintext"}, `
		value.Value.AsArchive value.Value.AsAsset value.Value.AsBool value.Value.AsNumber value.Value.AsResourceReference value.Value.AsSealed value.Value.AsString
		value/asset.Blob.Read value/asset.Contents.Hash value/asset.Contents.Write value/asset.Entry.Name value/asset.Entry.Read`),
	exempt(exception{shows: true, reason: "it is an accessor of dependencies or keys"}, `
		value.Value.Dependencies value.Value.DependenciesAt value.Value.Keys value.Children.At value.Value.MemberAt value.Value.Members`),
	exempt(exception{shows: true, reason: "it gives a whole path, below secrets too; Shown is the redacted form"}, `
		diff.Breach.Path diff.Change.NewPath diff.Change.OldPath diff.Change.Path diff.Conflict.Path value.Cursor.Path value.Cursor.Step`),
	exempt(exception{shows: true, reason: "its name says so"}, `
		value.Value.Reveal value.Value.DropSecret codec.Rounded.RevealText codec/rpc.Hidden.Reveal codec/rpc.LoggedCall.RevealErrors codec/state.Field.RevealText engine.RevealError path.Shown.RevealPath`),
	exempt(exception{shows: true, reason: "plain Go data and digests have no marks"}, `
		value.Value.ToGo value.Value.Digest value/bind.As`),
	exempt(exception{shows: true, reason: "configuration comes as plain strings: what is secret of it only a schema knows"}, `
		codec/rpc.ConfigureRequest.Properties codec/rpc.ConfigureRequest.PropertiesWithStrings`),
	exempt(exception{shows: true, reason: "keys of entries are what a provider sent in the clear"}, `
		provider.Differ.Answer provider.Entry.Path provider.NewDiffResponse provider.Response.Entries provider.Response.Invert provider.ResponseOf`),
	exempt(exception{shows: true, reason: "with these options decoders drop marks"}, `codec.Features.Options`),
	exempt(exception{shows: true, reason: "it encodes"}, `
		codec.Append codec.AppendValue codec.AppendJSON codec.AppendJSONValue codec.ToMessage codec.ToMessageValue
		codec/rpc.Append codec/rpc.AppendJSON codec/rpc.Codec.Marshal codec/rpc.MarshalStatus codec/patch.Marshal codec/state.EncodeBags`),
	exempt(exception{panics: "path: ", reason: "it is for texts of the program's own"}, `path.MustParse path.MustParsePattern path.MustSet`),
	exempt(exception{panics: "urn: ", reason: "it is for texts of the program's own"}, `urn.MustParse`),
	exempt(exception{panics: "equality: ", reason: "it is for rules of the program's own"}, `diff/equality.MustRules`),
	exempt(exception{panics: "maphash: ", reason: "a zero maphash.Seed has no hash"}, `value.Relation.Hash`),
	exempt(exception{panics: "value: ", reason: "a nil function is a mistake of the program, and is found where it is given"}, `value.Lift value.Value.Transform value.Value.Update`),
	exempt(exception{panics: "provider: nil resource", reason: "a nil resource is a mistake of the program"}, `provider.FromSchema`),
)

func exempt(e exception, names string) map[string]exception {
	m := map[string]exception{}
	for _, name := range strings.Fields(names) {
		m[name] = e
	}
	return m
}

func join(all ...map[string]exception) map[string]exception {
	m := map[string]exception{}
	for _, some := range all {
		maps.Copy(m, some)
	}
	return m
}
