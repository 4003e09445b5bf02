module github.com/hexops/autogold/v2

go 1.26
