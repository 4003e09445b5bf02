package urn_test

import (
	"errors"
	"fmt"
	"slices"

	"github.com/propalg/propalg/urn"
)

func ExampleURN() {
	u, err := urn.Parse("urn:pulumi:dev::shop::my:index:Web$aws:s3/bucketV2:BucketV2::assets")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(u.Stack(), u.Project(), u.Name())
	fmt.Println(u.Type(), "is", u.TypeName(), "of", u.Module(), "of", u.Package())
	for parent := range u.Parents() {
		fmt.Println("below", parent)
	}
	// Output:
	// dev shop assets
	// aws:s3/bucketV2:BucketV2 is BucketV2 of s3/bucketV2 of aws
	// below my:index:Web
}

func ExampleParse() {
	// A provider reference: the provider's URN, "::" and its ID. The ID reads as part of the name.
	u, err := urn.Parse("urn:pulumi:dev::shop::pulumi:providers:aws::default_6_67_0::600afa97")
	fmt.Println(u.Name(), err)

	_, err = urn.Parse("urn:pulumi:dev::shop")
	fmt.Println(err)
	// Output:
	// default_6_67_0::600afa97 <nil>
	// urn: not a URN: project: expected "::", found end of text at byte 20 of "urn:pulumi:dev::shop"
}

func ExampleParts() {
	parent := urn.MustParse("urn:pulumi:dev::shop::my:index:Web::web")
	child, err := urn.Build(urn.Parts{
		Stack:   parent.Stack(),
		Project: parent.Project(),
		Parents: append(slices.Collect(parent.Parents()), parent.Type()),
		Type:    "aws:s3/bucketV2:BucketV2",
		Name:    "assets",
	})
	fmt.Println(child, err)
	// Output:
	// urn:pulumi:dev::shop::my:index:Web$aws:s3/bucketV2:BucketV2::assets <nil>
}

func ExampleURN_Parts() {
	// Only the project changes, even if other parts hold its name.
	parts := urn.MustParse("urn:pulumi:shop::shop::shop:index:Web::shop").Parts()
	parts.Project = "store"
	fmt.Println(urn.Build(parts))
	// Output:
	// urn:pulumi:shop::store::shop:index:Web::shop <nil>
}

func ExampleURN_CheckSpec() {
	err := urn.MustParse("urn:pulumi:dev::shop::aws:s3/bucket:Bucket::assets").CheckSpec()
	fmt.Println(err)
	// Output:
	// urn: outside the URN specification: module: expected a letter, a digit or "_", found "/" at byte 28 of "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::assets"
}

func ExampleURN_CheckSpecNested() {
	u := urn.MustParse("urn:pulumi:dev::shop::my:index:Shop$my:index:Web$random:index:RandomPet::cat")
	fmt.Println(u.CheckSpec())
	fmt.Println(u.CheckSpecNested())
	// Output:
	// urn: outside the URN specification: qualified type: expected one parent type at most, found "$" at byte 48 of ..."shop::my:index:Shop$my:index:Web$random:index:RandomPet::cat"
	// <nil>
}

func ExampleError() {
	_, err := urn.Build(urn.Parts{Stack: "dev", Project: "shop", Type: "my::Web", Name: "web"})
	var e *urn.Error
	if errors.As(err, &e) && errors.Is(err, urn.ErrPart) {
		fmt.Printf("the %s %q has %s at byte %d\n", e.Part, e.Input, e.Found, e.Offset)
	}
	// Output:
	// the type "my::Web" has "::" at byte 2
}

func ExampleURN_Aliases() {
	group, was := urn.MustParse("urn:pulumi:dev::shop::my:index:Web::site"), urn.MustParse("urn:pulumi:dev::shop::my:index:Web::web")
	logs, err := group.Child("aws:s3/bucketV2:BucketV2", "site-logs")
	if err != nil {
		panic(err)
	}
	all, err := logs.Aliases(group, []urn.Alias{{Name: "logs"}}, func(u urn.URN) urn.URN { return map[urn.URN]urn.URN{group: was}[u] })
	for _, alias := range all {
		fmt.Println(alias)
	}
	fmt.Println(err)
	// Output:
	// urn:pulumi:dev::shop::my:index:Web$aws:s3/bucketV2:BucketV2::logs
	// urn:pulumi:dev::shop::my:index:Web$aws:s3/bucketV2:BucketV2::web-logs
	// <nil>
}
