module github.com/propalg/propalg/interop/peers

go 1.25.0

require (
	github.com/propalg/propalg v0.0.0
	github.com/wI2L/jsondiff v0.7.1
)

require (
	github.com/tidwall/gjson v1.20.0 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.1 // indirect
	github.com/tidwall/sjson v1.2.5 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)

replace github.com/propalg/propalg => ../..
