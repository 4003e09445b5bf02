package pulumi

import (
	"errors"

	sdkurn "github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"

	"github.com/propalg/propalg/urn"
)

// FromURN parses a URN of the SDK, which may be any string. The empty one, which means
// none, is the zero URN. The error for a text that is not a URN wraps [ErrURN]. FromURN
// refuses one kind of text that the SDK accepts: in "urn:pulumi::a::b::c" the SDK takes the
// last colon of the prefix as part of a separator.
func FromURN(u sdkurn.URN) (urn.URN, error) {
	if u == "" {
		return urn.URN{}, nil
	}
	own, err := urn.Parse(string(u))
	if err != nil {
		why := fail(ErrURN, "", "")
		if e := (*urn.Error)(nil); errors.As(err, &e) {
			why.Want = e.Want
		}
		return urn.URN{}, why.place(nil, "from urn")
	}

	return own, nil
}

// ToURN converts a URN to one of the SDK. The zero URN becomes the empty string.
func ToURN(u urn.URN) sdkurn.URN { return sdkurn.URN(u.String()) }
