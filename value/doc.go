// Package value is Pulumi's property value: an immutable tree of nulls, bools,
// numbers, strings, arrays, objects, assets, archives, resource references,
// unknowns and sealed secrets, any of which may be marked secret or as
// depending on resources.
//
//	tags := value.Object(value.Field("env", value.String("prod")))
//	props := value.Object(
//		value.Field("tags", tags),
//		value.Field("password", value.Secret(value.String("hunter2"))),
//	)
//	env, ok := props.At(path.MustParse("tags.env")) // "prod", true
//	more, err := props.Put(path.MustParse("rules[0].port"), value.Number(443))
//	props.Equal(more)               // false
//	more.Field("password").String() // [secret]
//
// Constructors and a [Builder] make values; [Value.At], [Value.Field] and iterators read
// them; [Value.With], [Value.Put], [Value.Without] and [Value.Transform] return edited ones.
// [Value.Equal] compares, and a [Relation] does as engines do. What is taken out of a secret
// is secret, and no text shows it: to see it, call an accessor (As…) or [Value.Reveal].
//
// # Details
//
// The kinds and marks, the laws that values obey, decisions that could have been otherwise,
// and limits.
//
// # Kinds and marks
//
// [Kind] lists the kinds. Secret is a mark rather than a kind, and so are dependencies:
// what the wire calls a secret or an output is a value with marks here. Marking
// twice is marking once, and a secret unknown is the same value as an unknown
// secret. An [Unknown] has a hint of the kind expected, which no comparison
// looks at but [Value.Identical]. A [Sealed] secret is a ciphertext that was
// not decrypted; it cannot lose its mark.
//
// A part of a secret is secret: everything that returns a part of a value
// ([Value.At], [Value.Field], iterators, [Value.Walk]) gives it an inherited mark,
// [Value.IsSecret] reports true, and it stays secret wherever it is put. Put back below
// a secret, it loses the inherited mark. [Value.OwnSecret] reports
// the value's own mark, which is what codecs write. Dependencies stay a value's own;
// [Value.DependenciesAt] adds those of the containers above. Only calls whose names say
// Drop or Reveal take a mark off.
//
// # Laws
//
// Those of the module's [laws] that are about values:
//
//   - [Value.Equal] is an equivalence (NaN equals NaN, -0 equals 0);
//     [Relation.Compare], [Relation.Hash] and [Value.Digest] agree with it. So do the
//     methods of every other [Relation].
//   - No content makes a function of this package panic or hang: not a depth
//     of [MaxDepth], a key of 1 MiB or an index of 2^62. What would be deeper is an
//     error, or a panic of a constructor that has none.
//   - Comparing equal or shared values allocates nothing, nor does At.
//   - No String, fmt verb, JSON, slog or error text shows what is in a secret.
//     Only the accessors (As…) and calls that say Reveal do.
//   - Editing below a marked container keeps the marks of every container
//     above; With(p, At(p)) is Identical to the value.
//   - [Value.MarkSecret] is total over mixed, missing, unknown and secret parts.
//   - The order of iteration, Compare and Digest are the same on every run and
//     machine.
//   - [Relation.Compatible] is same, changed or maybe, and not an equivalence.
//   - Values may be shared between goroutines.
//
// # Decisions
//
// Where a rule could have been otherwise:
//
//   - The order of values is kind, then marks, then content, and NaN before all
//     other numbers. A shorter array comes before a longer one only if it is its
//     beginning; objects compare as sequences of key and member.
//   - A null on the path of [Value.Put] counts as missing. The container that replaces it
//     gets the marks of the null.
//   - [Value.Put], like With, may write at the index that is the length of an array, also
//     on the way to the last step. An array that is missing has length 0, so only its
//     index 0 can be written.
//   - [Value.Without] below something of another kind finds nothing to delete and
//     changes nothing. Below an unknown and below a sealed secret it is an error,
//     since there may be something. The root cannot be removed.
//   - An edit that fails gives back the value as it was. Its error names the first place
//     that did not fit. In and below a secret it gives no keys, kinds or lengths.
//   - A step into an unknown gives the unknown, so that [Value.Has] is true of
//     every path below one, and [Value.MarkSecret] marks an unknown that a pattern goes
//     on below. A step into a sealed secret gives nothing.
//   - [Value.MarkSecret] marks every match, even below another secret: the mark is redundant
//     there, but counts once the outer mark is dropped.
//   - Entries of literal archives are content of the archive. Paths, walks and
//     edits do not go into them, and they carry no marks.
//   - [Value.DependenciesAt] of a place where nothing is gives nothing.
//
// # Limits
//
// Indexes go to 2^31-1, as in paths. Values, and the time of every walk over them, are as
// large as the tree is when written out: a part that occurs twice counts twice. Part of a
// value keeps the memory of the whole alive, texts included; [Value.Compact] cuts it
// loose. A printer that reads unexported fields, as go-cmp does, sees the booleans and
// numbers that are not secret, and the lengths of texts and containers. It sees no text,
// no part of a container, and nothing of a secret but its length.
//
// The methods of a nil [*Builder] or [*Cursor] panic, as elsewhere in Go; those of a
// nil [*Error] do not.
//
// # What it refuses
//
// Integers that a float64 does not hold ([ErrInexact]), marks on an archive's
// entries ([ErrMarks]), padding an array ([ErrRange]), writing below what is not
// known ([ErrUnknown]), and reading any file or URI: contents of assets and
// archives are for package value/asset.
//
// # Go data
//
// [FromGo] converts
//
//	nil, nil pointers, maps and slices     null
//	bool types                             bool
//	integer and float types                number
//	json.Number                            number
//	string types                           string
//	slices and arrays of byte              string of these bytes
//	other slices and arrays                array
//	maps whose keys are of a string type   object
//	Value                                  itself, with its marks
//	Asset, Archive, ResourceReference,     their values
//	Sealed
//	pointers and interfaces                what they point to
//
// A named type is converted as its underlying type, except that a slice of a named byte
// type is an array of numbers. A float32 is converted exactly. What is
// referred to twice is converted twice.
//
// Every error is an [*Error] with the place of the first element that cannot be
// converted, keys in bytewise order. It wraps
//   - [ErrInexact] for an integer that no float64 is equal to, and for a json.Number that
//     is not the value of a float64's shortest decimal (0.1 and 1e23 are,
//     9007199254740993 is not)
//   - [ErrDepth] for more than [MaxDepth] levels of containers and pointers, and so for
//     data that contains itself
//   - [ErrKind] for everything else, such as structs (package value/bind encodes them),
//     channels, functions, complex numbers, uintptr, maps whose keys are not strings (also
//     map[any]any), json.RawMessage, and a json.Number that is not a number
//
// If the path of the place exceeds 16 MiB, the error has only its beginning.
//
// [laws]: https://github.com/propalg/propalg/blob/main/docs/laws.md
package value
