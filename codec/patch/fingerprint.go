package patch

import (
	"encoding/hex"
	"slices"

	"github.com/propalg/propalg/value"
)

// fingerprintLength is that of a SHA-256 in hex.
const fingerprintLength = 64

// Fingerprint tells values apart without giving secrets away: it is the
// [value.Value.Digest], in hex, of v with the contents of every secret replaced
// by one placeholder. So it is the same whether secrets are in clear, sealed or
// not known, and whatever they are. It takes linear time.
func Fingerprint(v value.Value) string {
	digest := blank(v).Digest()
	return hex.EncodeToString(digest[:])
}

// blanking is a container that is being made without the contents of secrets.
type blanking struct {
	from value.Value
	next int
}

// blank is v with a placeholder in every secret.
func blank(v value.Value) value.Value {
	var build value.Builder
	var open []blanking
	for {
		switch {
		case v.IsSecret():
			v = remark(v, value.Secret(value.Null()))
		case v.ContainsSecret() && v.Kind().IsContainer():
			open = append(open, blanking{from: v})
		}
		// v is done with, unless it was opened just now.
		for {
			if len(open) == 0 {
				return v
			}
			top := &open[len(open)-1]
			if top.next > 0 {
				top.push(&build, v)
			}
			if top.next < top.from.Len() {
				break
			}
			if top.from.Kind() == value.KindArray {
				v = build.Array(top.next)
			} else {
				v, _, _ = build.Object(top.next)
			}
			v = remark(top.from, v)
			open = open[:len(open)-1]
		}
		v = open[len(open)-1].child()
	}
}

// child is the child that comes next.
func (b *blanking) child() value.Value {
	b.next++
	if _, v, ok := b.from.MemberAt(b.next - 1); ok {
		return v
	}
	return b.from.Elem(b.next - 1)
}

// push adds the child that came last.
func (b *blanking) push(build *value.Builder, v value.Value) {
	if key, _, ok := b.from.MemberAt(b.next - 1); ok {
		build.PushMember(key, v)
		return
	}
	build.Push(v)
}

// remark gives a value the dependencies of another.
func remark(from, v value.Value) value.Value {
	if !from.HasDependencies() {
		return v
	}
	return v.WithDependencies(slices.Collect(from.Dependencies())...)
}
