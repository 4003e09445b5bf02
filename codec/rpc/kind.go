package rpc

// MarshalText returns the text of [PropertyDiffKind.String]. Package encoding/json uses
// it.
func (x PropertyDiffKind) MarshalText() ([]byte, error) { return []byte(x.String()), nil }

// MarshalText returns the text of [DiffChanges.String]. Package encoding/json uses it.
func (x DiffChanges) MarshalText() ([]byte, error) { return []byte(x.String()), nil }
