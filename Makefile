# What there is to run; the scripts are in .ci/.
.DEFAULT_GOAL := help
.PHONY: help check test lint fmt api cross fuzz bench bench-check ci

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-12s %s\n", $$1, $$2 }' Makefile

check: ## what to run before a pull request: style, the API as text, all tests of the root
	@bash .ci/check

test: ## all tests of the root module: units, laws, layers, exact budgets
	@bash .ci/test

lint: ## golangci-lint, gofumpt, deadcode, in all modules (compiles the tools at first)
	@bash .ci/lint

fmt: ## format every Go file by gofumpt
	@go tool -modfile=tools/go.mod gofumpt -w $$(git ls-files --cached --others --exclude-standard '*.go')

api: ## write the exported API to api/
	@bash .ci/api

cross: ## build and vet for every platform
	@bash .ci/cross

fuzz: ## every fuzz target, three minutes in all
	@bash .ci/fuzz 180

bench: ## against every peer, ten rounds: docs/bench.md, ten rows of README.md
	@bash .ci/bench

bench-check: ## the gate: every hot path against HEAD (BASE=rev for another)
	@bash .ci/bench check $(or $(BASE),HEAD)

ci: ## everything that has to hold before a change lands
	@bash .ci/run
