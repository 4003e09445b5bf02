package diff

import "github.com/propalg/propalg/internal/refuse"

// UnmarshalJSON returns an error that points to patch.Unmarshal.
func (*Diff) UnmarshalJSON([]byte) error { return refuse.JSON("diff.Diff", "patch.Unmarshal") }

// UnmarshalJSON returns an error that points to patch.Unmarshal.
func (*Change) UnmarshalJSON([]byte) error { return refuse.JSON("diff.Change", "patch.Unmarshal") }

// UnmarshalJSON returns an error that points to patch.Unmarshal.
func (*Place) UnmarshalJSON([]byte) error { return refuse.JSON("diff.Place", "patch.Unmarshal") }

// UnmarshalJSON returns an error that points to [Merge].
func (*Conflict) UnmarshalJSON([]byte) error { return refuse.JSON("diff.Conflict", "diff.Merge") }

// UnmarshalJSON returns an error: functions such as [Aligned] and [Keyed] make a Match.
func (*Match) UnmarshalJSON([]byte) error {
	return refuse.JSON("diff.Match", "diff.Aligned or diff.Keyed")
}
