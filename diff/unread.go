package diff

import "github.com/propalg/propalg/internal/refuse"

// UnmarshalJSON always returns an error, which points to patch.Unmarshal.
func (*Diff) UnmarshalJSON([]byte) error { return refuse.JSON("diff.Diff", "patch.Unmarshal") }

// UnmarshalJSON always returns an error, which points to patch.Unmarshal.
func (*Change) UnmarshalJSON([]byte) error { return refuse.JSON("diff.Change", "patch.Unmarshal") }

// UnmarshalJSON always returns an error, which points to patch.Unmarshal.
func (*Place) UnmarshalJSON([]byte) error { return refuse.JSON("diff.Place", "patch.Unmarshal") }

// UnmarshalJSON always returns an error, which points to patch.Unmarshal.
func (*Record) UnmarshalJSON([]byte) error { return refuse.JSON("diff.Record", "patch.Unmarshal") }

// UnmarshalJSON always returns an error, which points to patch.Unmarshal.
func (*Inside) UnmarshalJSON([]byte) error { return refuse.JSON("diff.Inside", "patch.Unmarshal") }

// UnmarshalJSON always returns an error, which points to [Merge].
func (*Conflict) UnmarshalJSON([]byte) error { return refuse.JSON("diff.Conflict", "diff.Merge") }

// UnmarshalJSON returns an error: functions such as [Aligned] and [Keyed] make a Match.
func (*Match) UnmarshalJSON([]byte) error {
	return refuse.JSON("diff.Match", "diff.Aligned or diff.Keyed")
}
