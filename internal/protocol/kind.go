package protocol

import "github.com/propalg/propalg/codec/rpc"

// replaceBit is set in the kinds that require a replacement.
const replaceBit = rpc.PropertyDiffAddReplace

// IsKind reports whether the protocol defines a kind.
func IsKind(k rpc.PropertyDiffKind) bool {
	return rpc.PropertyDiffAdd <= k && k <= rpc.PropertyDiffUpdateReplace
}

// IsChanges reports whether the protocol defines a number of changes.
func IsChanges(c rpc.DiffChanges) bool { return rpc.DiffUnknown <= c && c <= rpc.DiffSome }

// IsReplace reports whether a kind requires a replacement.
func IsReplace(k rpc.PropertyDiffKind) bool { return IsKind(k) && k&replaceBit != 0 }

// WithReplace returns the kind that also requires a replacement. Undefined kinds are
// returned unchanged.
func WithReplace(k rpc.PropertyDiffKind) rpc.PropertyDiffKind {
	if IsKind(k) {
		k |= replaceBit
	}
	return k
}

// WithoutReplace returns the kind without a replacement. As engines do, it treats
// undefined kinds as UPDATE.
func WithoutReplace(k rpc.PropertyDiffKind) rpc.PropertyDiffKind {
	if !IsKind(k) {
		return rpc.PropertyDiffUpdate
	}
	return k &^ replaceBit
}

// Invert returns a kind with ADD and DELETE exchanged. Whether it requires a replacement
// stays the same.
func Invert(k rpc.PropertyDiffKind) rpc.PropertyDiffKind {
	if WithoutReplace(k) == rpc.PropertyDiffUpdate {
		return k
	}
	return k ^ rpc.PropertyDiffDelete
}
