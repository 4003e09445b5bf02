package infer_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// difference is one bag or struct of which the sides make different things.
type difference struct {
	name         string // what infer does
	run          func() (theirs, ours string)
	theirs, ours string
	why          string // why ours is meant
}

type (
	of[T any] struct {
		A T `pulumi:"a"`
	}
	maybe[T any] struct {
		A T `pulumi:"a,optional"`
	}
	pair struct {
		D string `pulumi:"d"`
		E string `pulumi:"e"`
	}
	untagged struct {
		A string `pulumi:"a"`
		B string
	}
	taggedForJSON struct {
		A string `json:"other" pulumi:"a"`
	}
	secretByPulumi struct {
		A string `pulumi:"a,secret"`
	}
)

const failed, panicked, done = "error", "panic", "done"

func one(v value.Value) value.Value     { return value.Object(value.Field("a", v)) }
func list(v ...value.Value) value.Value { return one(value.Array(v...)) }

// outcome is how a side ends, and what it shows if it ends well.
func outcome(err error, show func() string) string {
	switch {
	case err == nil:
		return show()
	case strings.HasPrefix(err.Error(), panicked):
		return panicked
	default:
		return failed
	}
}

func jsonOf(x any) string {
	text, err := json.Marshal(x)
	if err != nil {
		return fmt.Sprint(x)
	}
	return string(text)
}

// reads are the structs that the sides read, as JSON. Bind is allowed nothing.
func reads[T any](v value.Value) func() (theirs, ours string) {
	return func() (string, string) {
		x, theirErr := theirDecode[T](v)
		y, err := bind.As[T](v)
		return outcome(theirErr, func() string { return jsonOf(x) }), outcome(err, func() string { return jsonOf(y) })
	}
}

// accepts is only whether the sides read the bag: where Go leaves to the machine what a
// number becomes that its type has no place for.
func accepts[T any](v value.Value) func() (theirs, ours string) {
	return func() (string, string) {
		_, theirErr := theirDecode[T](v)
		_, err := bind.As[T](v)
		ended := func() string { return done }
		return outcome(theirErr, ended), outcome(err, ended)
	}
}

// returns are the bags that the sides make of what they read.
func returns[T any](v value.Value) func() (theirs, ours string) {
	return func() (string, string) {
		back, theirErr := theirReturn[T](v)
		var x T
		info, err := bind.Decode(v, &x, bind.Options{AllowUnknown: true})
		var again value.Value
		if err == nil {
			again, err = info.Encode(x)
		}
		return outcome(theirErr, back.String), outcome(err, again.String)
	}
}

// writes are the bags that the sides make of a struct.
func writes[T any](x T) func() (theirs, ours string) {
	return func() (string, string) {
		v, theirErr := theirEncode(x)
		w, err := bind.Encode(x, bind.Options{})
		return outcome(theirErr, v.String), outcome(err, w.String)
	}
}

// What the sides make differently of a bag or a struct is this and, as
// TestSameStructsAndBags holds, nothing else in the types that they both have.
func TestDifferences(t *testing.T) {
	for _, all := range [][]difference{
		numberDifferences(), nullDifferences(), typeDifferences(), markDifferences(), writeDifferences(), schemaDifferences(),
	} {
		for _, d := range all {
			t.Run(d.name, func(t *testing.T) {
				theirs, ours := d.run()
				if theirs != d.theirs || ours != d.ours {
					t.Errorf("infer: %s, wanted %s; bind: %s, wanted %s", theirs, d.theirs, ours, d.ours)
				}
				if theirs == ours || d.why == "" {
					t.Errorf("no difference, or no reason")
				}
			})
		}
	}
}

func numberDifferences() []difference {
	const exactly = "bind reads a number exactly or not at all"
	n := func(f float64) value.Value { return one(value.Number(f)) }
	return []difference{
		{"infer cuts a fraction off", reads[of[int]](n(1.5)), `{"A":1}`, failed, exactly},
		{"infer wraps what an int8 has no place for", accepts[of[int8]](n(300)), done, failed, exactly},
		{"infer reads a negative number as a uint", accepts[of[uint]](n(-1)), done, failed, exactly},
		{"infer reads 1e300 as an int", accepts[of[int]](n(1e300)), done, failed, exactly},
		{"infer rounds 0.1 to a float32", returns[of[float32]](n(0.1)), `{a: 0.10000000149011612}`, failed, exactly},
		{
			"infer rounds an int64 when it writes", writes(of[int64]{1<<53 + 1}), `{a: 9007199254740992}`, failed,
			"bind writes a number exactly or not at all",
		},
	}
}

func nullDifferences() []difference {
	null, text := value.Null(), value.String("x")
	return []difference{
		{
			"infer panics at a null in a list", reads[of[[]string]](list(text, null)), panicked, failed,
			"a bag from outside is no reason to panic",
		},
		{
			"infer panics at a null in a list of pointers", reads[of[[]*string]](list(text, null)), panicked, `{"A":["x",null]}`,
			"a pointer has a place for null",
		},
		{
			"infer panics at a null in a map of pointers", reads[of[map[string]*string]](one(one(null))), panicked, `{"A":{"a":null}}`,
			"a pointer has a place for null",
		},
		{
			"infer panics at a null in a map of strings", reads[of[map[string]string]](one(one(null))), panicked, `{"A":{}}`,
			"a member that is null means the same as none",
		},
		{
			"infer takes a null for a missing pointer", reads[of[*string]](one(null)), failed, `{"A":null}`,
			"a pointer has a place for null, and the member is there",
		},
		{
			"infer takes a null for a missing list", reads[of[[]string]](one(null)), failed, `{"A":null}`,
			"a nil slice is null",
		},
		{
			"infer leaves out an optional null that it read", returns[maybe[*string]](one(null)), `{}`, `{a: null}`,
			"what did not change is written as it was read",
		},
		{
			"infer reads an empty list as nil", reads[of[[]string]](list()), `{"A":null}`, `{"A":[]}`,
			"an empty list is not null; infer remembers the difference outside of the struct",
		},
	}
}

func typeDifferences() []difference {
	text := one(value.String("x"))
	return []difference{
		{
			"infer has no arrays to read into", reads[of[[2]int]](list(value.Number(1), value.Number(2))), failed, `{"A":[1,2]}`,
			"an array is a list that has its length",
		},
		{
			"infer panics when it writes an array", writes(of[[2]int]{[2]int{1, 2}}), panicked, `{a: [1, 2]}`,
			"an array is a list that has its length",
		},
		{
			"infer reads into any", reads[of[any]](list(value.Number(1))), `{"A":[1]}`, failed,
			"bind has value.Value for what has no type, which keeps marks",
		},
		{
			"infer leaves out a field without a tag", reads[untagged](text), `{"A":"x","B":""}`, failed,
			"a tag that was forgotten is found; - leaves a field out",
		},
		{
			"infer takes the tag for encoding/json too", returns[taggedForJSON](text), failed, `{a: "x"}`,
			"a tag of another package says nothing of properties",
		},
		{
			"infer panics at secret in the pulumi tag", returns[secretByPulumi](text), panicked, `{a: [secret]}`,
			"bind reads both tags",
		},
		{
			"infer refuses Pulumi's own members", reads[of[string]](value.Object(value.Field("a", value.String("x")), value.Field("__defaults", value.Array()))),
			failed, `{"A":"x"}`, "they are the engine's, and in bags of providers that are bridged",
		},
		{
			"infer reads a duration in nanoseconds", reads[of[time.Duration]](one(value.Number(5))), `{"A":5}`, failed,
			"a duration is a text such as 1h30m",
		},
		{
			"infer refuses a duration in words", reads[of[time.Duration]](one(value.String("5ns"))), failed, `{"A":5}`,
			"a duration is a text such as 1h30m",
		},
	}
}

func markDifferences() []difference {
	unknown, text := value.Unknown(), value.String("x")
	secret := value.Secret(text)
	below := func(v value.Value) value.Value { return one(one(one(v))) }
	return []difference{
		{
			"infer marks the wrong field of the fourth level as secret",
			returns[of[of[of[pair]]]](below(value.Object(value.Field("d", secret), value.Field("e", value.String("y"))))),
			`{a: {a: {a: {d: "x", e: [secret]}}}}`, `{a: {a: {a: {d: [secret], e: "y"}}}}`,
			"what was secret stays so; infer's paths share memory from there on",
		},
		{
			"infer marks the wrong element of the fourth level as secret",
			returns[of[of[of[[]string]]]](below(value.Array(secret, value.String("y")))),
			`{a: {a: {a: ["x", [secret]]}}}`, `{a: {a: {a: [[secret], "y"]}}}`,
			"what was secret stays so; infer's paths share memory from there on",
		},
		{"infer reads an unknown as zero", reads[of[int]](one(unknown)), `{"A":0}`, failed, "only if AllowUnknown is set"},
		{"infer loses an unknown list", returns[of[[]string]](one(unknown)), `{}`, `{a: [unknown]}`, "what was unknown is not missing"},
	}
}

func writeDifferences() []difference {
	const sameAsRead = "bind reads it from what it writes"
	zero := "an optional field that is zero is left out, a pointer to zero is not"
	return []difference{
		{"infer writes an optional zero", writes(maybe[int]{}), `{a: 0}`, `{}`, zero},
		{"infer writes an optional struct of zeros", writes(maybe[of[int]]{}), `{a: {a: 0}}`, `{}`, zero},
		{"infer leaves out a nil pointer that is not optional", writes(of[*string]{}), `{}`, `{a: null}`, sameAsRead},
		{"infer leaves out a nil list that is not optional", writes(of[[]string]{}), `{}`, `{a: null}`, sameAsRead},
		{"infer writes bytes as a list of numbers", writes(of[[]byte]{[]byte("ab")}), `{a: [97, 98]}`, `{a: "ab"}`, sameAsRead},
		{"infer writes nothing of a time", writes(of[time.Time]{time.Unix(0, 0).UTC()}), `{a: {}}`, `{a: "1970-01-01T00:00:00Z"}`, sameAsRead},
		{"infer writes a duration in nanoseconds", writes(of[time.Duration]{time.Hour}), `{a: 3600000000000}`, `{a: "1h0m0s"}`, sameAsRead},
	}
}

// What a plain field has no place for comes back from both sides.
func TestBothPutBack(t *testing.T) {
	for name, run := range map[string]func() (theirs, ours string){
		"an unknown":          returns[of[int]](one(value.Unknown())),
		"an unknown element":  returns[of[[]string]](list(value.String("x"), value.Unknown())),
		"an optional unknown": returns[maybe[*string]](one(value.Unknown())),
		"an optional zero":    returns[maybe[int]](one(value.Number(0))),
	} {
		if theirs, ours := run(); theirs != ours || ours == failed || ours == panicked {
			t.Errorf("%s: infer: %s, bind: %s", name, theirs, ours)
		}
	}
}

// infer forgets which resources a value depends on, and bind puts it back.
func TestInferLosesDependencies(t *testing.T) {
	const urn = "urn:pulumi:dev::app::a:b:C::a"
	v := one(value.String("x").WithDependencies(urn))
	back, err := theirReturn[of[string]](v)
	if err != nil || !back.Equal(one(value.String("x"))) {
		t.Errorf("infer: %v, %v", back, err)
	}
	var x of[string]
	info, err := bind.Decode(v, &x, bind.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if again, err := info.Encode(x); err != nil || !again.Equal(v) {
		t.Errorf("bind: %v, %v", again, err)
	}
}
