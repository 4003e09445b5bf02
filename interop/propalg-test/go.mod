module github.com/propalg/propalg/interop/propalg-test

go 1.25.0

require (
	github.com/propalg/propalg v0.0.0
	github.com/propalg/propalg/interop/grpc v0.0.0
	google.golang.org/grpc v1.82.1
	pgregory.net/rapid v1.3.0
)

require (
	github.com/tidwall/gjson v1.20.0 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.0 // indirect
	golang.org/x/net v0.53.0 // indirect
	golang.org/x/sys v0.43.0 // indirect
	golang.org/x/text v0.36.0 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20260414002931-afd174a4e478 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)

replace (
	github.com/propalg/propalg => ../..
	github.com/propalg/propalg/interop/grpc => ../grpc
)
