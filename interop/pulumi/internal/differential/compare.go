// Package differential feeds the same bytes to package codec and to
// proto.Unmarshal with the SDK's plugin.UnmarshalProperties, and holds the
// results against each other.
package differential

import (
	"errors"
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/value"
)

// Outcome is how a comparison ended without a disagreement.
type Outcome uint8

// The outcomes.
const (
	NoProtobuf Outcome = iota // protobuf-go refuses the bytes, and so do we
	Refused                   // protobuf-go takes them, the SDK refuses them, and so do we
	Agreed                    // both take them and find the same
	Lossy                     // both take them and find the same but for what the SDK loses; see View
	OnlyOurs                  // we take them, the SDK does not; a listed difference
	OnlyTheirs                // the SDK takes them, we do not; a listed difference
	Panicked                  // the SDK panics; we refuse them
	Outcomes                  // how many there are
)

// String names the outcome.
func (o Outcome) String() string {
	return [...]string{
		"refused by protobuf-go and us", "refused by the SDK and us", "agreed", "agreed but for the SDK's losses",
		"taken by us only", "taken by the SDK only", "SDK panics, refused by us", "invalid outcome",
	}[min(o, Outcomes)]
}

// Keep are the SDK's options under which it keeps everything.
func Keep() plugin.MarshalOptions {
	return plugin.MarshalOptions{
		KeepUnknowns: true, KeepSecrets: true, KeepResources: true, KeepOutputValues: true, KeepByteString: true,
	}
}

// errPanic says that the SDK panicked.
var errPanic = errors.New("the SDK panics")

// SDK reads a message with the SDK. A panic becomes an error that wraps one of
// this package.
func SDK(m *structpb.Struct) (props resource.PropertyMap, err error) {
	defer recovered(&err)
	return plugin.UnmarshalProperties(m, Keep())
}

// sdkValue reads one value with the SDK.
func sdkValue(m *structpb.Value) (p *resource.PropertyValue, err error) {
	defer recovered(&err)
	return plugin.UnmarshalPropertyValue("", m, Keep())
}

func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%w: %v", errPanic, r)
	}
}

// IsPanic reports whether an error of SDK was a panic.
func IsPanic(err error) bool { return errors.Is(err, errPanic) }

// Compare feeds bytes to both sides. An error is a disagreement that is not on
// the list of differences.
func Compare(data []byte) (Outcome, error) {
	ours, ourErr := codec.Decode(data, codec.Options{})
	m := new(structpb.Struct)
	if err := proto.Unmarshal(data, m); err != nil {
		switch {
		case ourErr == nil:
			return 0, fmt.Errorf("protobuf-go says %w, we take it", err)
		case !errors.Is(ourErr, codec.ErrSyntax) && !errors.Is(ourErr, codec.ErrUTF8) && !errors.Is(ourErr, codec.ErrDepth):
			return 0, fmt.Errorf("protobuf-go says %w, we say %w", err, ourErr)
		}

		return NoProtobuf, nil
	}
	if _, isSigned := m.GetFields()[codec.SignatureKey]; isSigned {
		return compareSigned(data, m, ours, ourErr)
	}

	props, theirErr := SDK(m)
	var theirs value.Value
	if theirErr == nil {
		var err error
		if theirs, err = pulumi.FromPropertyMap(props); err != nil {
			theirs = value.Value{}
			if ourErr == nil {
				return 0, fmt.Errorf("we take it, the adapter does not: %w", err)
			}
		}
	}
	return judge(structpb.NewStructValue(m), ours, ourErr, theirs, theirErr)
}

// compareSigned compares a bag with a signature of its own, which the SDK does
// not look at in the outermost object, as a value.
func compareSigned(data []byte, m *structpb.Struct, ours value.Value, ourErr error) (Outcome, error) {
	wrapped := protowire.AppendBytes(protowire.AppendTag(nil, 5, protowire.BytesType), data)
	v, err := codec.DecodeValue(wrapped, codec.Options{})
	isObject := err == nil && v.Kind() == value.KindObject
	switch {
	case errors.Is(err, codec.ErrDepth): // one message deeper
		return Refused, nil
	case isObject != (ourErr == nil):
		return 0, fmt.Errorf("as bag %w, as value %w", ourErr, err)
	case isObject && !v.Identical(ours):
		return 0, errors.New("as bag another value than as value")
	}

	whole := structpb.NewStructValue(m)
	p, theirErr := sdkValue(whole)
	var theirs value.Value
	if theirErr == nil {
		var fromErr error
		if theirs, fromErr = pulumi.FromPropertyValue(*p); fromErr != nil && err == nil {
			return 0, fmt.Errorf("we take it, the adapter does not: %w", fromErr)
		}
	}
	return judge(whole, v, err, theirs, theirErr)
}

// judge holds the results against each other and against the list.
func judge(m *structpb.Value, ours value.Value, ourErr error, theirs value.Value, theirErr error) (Outcome, error) {
	switch {
	case IsPanic(theirErr):
		if ourErr == nil || !Differences(m).Has(NoKind) {
			return 0, fmt.Errorf("%w, we say %w", theirErr, ourErr)
		}
		return Panicked, nil
	case ourErr != nil && theirErr != nil:
		return Refused, nil //nolint:nilerr // it is what was asked for

	case ourErr == nil && theirErr == nil:
		if ours.Identical(theirs) {
			return Agreed, nil
		}
		if !View(ours).Identical(theirs) {
			return 0, fmt.Errorf("another value: digest %x, of the SDK's %x", ours.Digest(), theirs.Digest())
		}
		return Lossy, nil

	case ourErr == nil:
		if !Differences(m).Any(SecretForm, OutputField) {
			return 0, fmt.Errorf("the SDK says %w, we take it", theirErr)
		}
		return OnlyOurs, nil
	default:
		if !Differences(m).Any(SecretForm, OutputField, TwoSources) {
			return 0, fmt.Errorf("the SDK takes it, we say %w", ourErr)
		}
		return OnlyTheirs, nil
	}
}
