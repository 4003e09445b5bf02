module github.com/propalg/propalg/bench/gate

go 1.26.0

require (
	github.com/propalg/propalg v0.0.0
	golang.org/x/perf v0.0.0-20260908200009-22c9c6c9d4da
)

require (
	github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794 // indirect
	github.com/tidwall/gjson v1.20.0 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.0 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)

replace github.com/propalg/propalg => ../..
