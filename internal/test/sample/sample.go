// Package sample holds texts as Pulumi writes them, for generators and laws. It shares
// nothing with the codecs, which are judged by it.
package sample

import "strings"

// Texts that have a meaning on Pulumi's wire, and are ordinary strings in what a
// user wrote (codec/signature.go, sentinels.go).
const (
	SignatureKey = "4dabf18193072939515e22adb298388d" // the key of an object that stands for something else

	SignatureSecret     = "1b47061264138c4ac30d75fd1eb44270"
	SignatureAsset      = "c44067f5952c0a294b673a41bacd8c17"
	SignatureArchive    = "0def7320c3a5731c473e5ecbe6d01bc7"
	SignatureReference  = "5cf8f73096256a8f31e491e813e4eb8e"
	SignatureOutput     = "d0e6a833031e9bbcd3f4e8bde6ca49a4"
	SignatureByteString = "803fd3297a5875dc03ca845dda5d2a98"

	SentinelBool    = "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7"
	SentinelNumber  = "3eeb2bf0-c639-47a8-9e75-3b44932eb421"
	SentinelString  = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
	SentinelArray   = "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2"
	SentinelAsset   = "030794c1-ac77-496b-92df-f27374a8bd58"
	SentinelArchive = "e48ece36-62e2-4504-bad9-02848725956a"
	SentinelObject  = "dd056dcd-154b-4c76-9bd3-c8f88648b5ff"
)

// Sentinels returns the seven strings that stand for unknowns on the wire.
func Sentinels() []string {
	return []string{
		SentinelString, SentinelBool, SentinelNumber, SentinelArray,
		SentinelObject, SentinelAsset, SentinelArchive,
	}
}

// StackExport returns a stack export with one resource for each bag, a JSON text.
//
// Bags are not checked: other texts make a damaged export.
func StackExport(bags ...string) string {
	var b strings.Builder
	b.WriteString(`{"version":3,"deployment":{"manifest":{"time":"2024-01-01T00:00:00Z","magic":"m","version":"v3.100.0"},` +
		`"secrets_providers":{"type":"passphrase","state":{"salt":"v1:x"}},"resources":[`)
	for i, bag := range bags {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"urn":"urn:pulumi:s::p::a:b:C::n` + string(rune('a'+i%26)) + `","custom":true,"id":"i","type":"a:b:C","inputs":` + bag + `,"outputs":` + bag +
			`,"parent":"urn:pulumi:s::p::pulumi:pulumi:Stack::p-s","dependencies":[],"propertyDependencies":{"a":null},"modified":"2024-01-01T00:00:00Z"}`)
	}

	b.WriteString(`]}}`)
	return b.String()
}
