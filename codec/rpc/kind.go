package rpc

// MarshalText returns the text of [PropertyDiffKind.String], also for JSON.
func (x PropertyDiffKind) MarshalText() ([]byte, error) { return []byte(x.String()), nil }

// MarshalText returns the text of [DiffChanges.String], also for JSON.
func (x DiffChanges) MarshalText() ([]byte, error) { return []byte(x.String()), nil }
