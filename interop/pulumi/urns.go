package pulumi

import (
	"errors"

	sdkurn "github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"

	"github.com/propalg/propalg/urn"
)

// FromURN parses a URN of the SDK, which is any string. The empty one, which
// stands for none, is the zero URN. A text that is no URN is an error that wraps
// [ErrURN] and says what was wanted; what the SDK takes and we do not is
// "urn:pulumi::a::b::c" only, whose prefix lends it a colon.
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

// ToURN makes a URN of the SDK; the zero one is the empty text.
func ToURN(u urn.URN) sdkurn.URN { return sdkurn.URN(u.String()) }
