package laws

import (
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/value"
)

// rpcTextProbes read the texts in messages: URNs, paths, patterns; and put
// configuration together.
func rpcTextProbes() []probe {
	configured := parsed("PropertiesWithStrings", func(m *rpc.ConfigureRequest) (value.Value, error) { return m.PropertiesWithStrings("a", "b") })
	properties := parsed("Properties", (*rpc.ConfigureRequest).Properties)

	configured.why = "configuration comes as plain strings: what is secret of it only a schema knows"
	properties.why = configured.why

	return []probe{
		configured, properties,
		features((*rpc.ConfigureRequest).Features), features((*rpc.ConfigureResponse).Features),
		features((*rpc.ProviderHandshakeRequest).Features), features((*rpc.ProviderHandshakeResponse).Features),
		parsed("ParseURN", (*rpc.Alias).ParseURN), parsed("ParseParentURN", (*rpc.AliasSpec).ParseParentURN),
		parsed("ParseProperty", (*rpc.CheckFailure).ParseProperty), parsed("ParseURN", (*rpc.CheckRequest).ParseURN),
		parsed("ParseURN", (*rpc.ConfigureRequest).ParseURN), parsed("ParseURN", (*rpc.ConstructResponse).ParseURN),
		parsed("ParseDeletedWith", (*rpc.ConstructRequest).ParseDeletedWith), parsed("ParseDependencies", (*rpc.ConstructRequest).ParseDependencies),
		parsed("ParseIgnoreChanges", (*rpc.ConstructRequest).ParseIgnoreChanges), parsed("ParseParent", (*rpc.ConstructRequest).ParseParent),
		parsed("ParseReplaceOnChanges", (*rpc.ConstructRequest).ParseReplaceOnChanges), parsed("ParseReplaceWith", (*rpc.ConstructRequest).ParseReplaceWith),
		parsed("ParseURN", (*rpc.CreateRequest).ParseURN), parsed("ParseURN", (*rpc.DeleteRequest).ParseURN),
		parsed("ParseIgnoreChanges", (*rpc.DiffRequest).ParseIgnoreChanges), parsed("ParseURN", (*rpc.DiffRequest).ParseURN),
		parsed("ParseDetailedDiff", (*rpc.DiffResponse).ParseDetailedDiff), parsed("ParseDiffs", (*rpc.DiffResponse).ParseDiffs),
		parsed("ParseReplaces", (*rpc.DiffResponse).ParseReplaces), parsed("ParseStables", (*rpc.DiffResponse).ParseStables),
		parsed("ParseURNs", (*rpc.PropertyDependencies).ParseURNs), parsed("ParseURN", (*rpc.ReadRequest).ParseURN),
		parsed("ParseDependencies", (*rpc.ReadResourceRequest).ParseDependencies), parsed("ParseParent", (*rpc.ReadResourceRequest).ParseParent),
		parsed("ParseURN", (*rpc.ReadResourceResponse).ParseURN), parsed("ParseURN", (*rpc.RegisterResourceOutputsRequest).ParseURN),
		parsed("ParseAliasURNs", (*rpc.RegisterResourceRequest).ParseAliasURNs), parsed("ParseDeletedWith", (*rpc.RegisterResourceRequest).ParseDeletedWith),
		parsed("ParseDependencies", (*rpc.RegisterResourceRequest).ParseDependencies), parsed("ParseHideDiffs", (*rpc.RegisterResourceRequest).ParseHideDiffs),
		parsed("ParseIgnoreChanges", (*rpc.RegisterResourceRequest).ParseIgnoreChanges), parsed("ParseParent", (*rpc.RegisterResourceRequest).ParseParent),
		parsed("ParseReplaceOnChanges", (*rpc.RegisterResourceRequest).ParseReplaceOnChanges), parsed("ParseReplaceWith", (*rpc.RegisterResourceRequest).ParseReplaceWith),
		parsed("ParseURN", (*rpc.RegisterResourceResponse).ParseURN), parsed("ParseDependsOn", (*rpc.ResourceInvokeRequest).ParseDependsOn),
		parsed("ParseParent", (*rpc.ResourceInvokeRequest).ParseParent), parsed("ParseIgnoreChanges", (*rpc.UpdateRequest).ParseIgnoreChanges),
		parsed("ParseURN", (*rpc.UpdateRequest).ParseURN),
	}
}
