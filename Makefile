# Loopdock's commands. `make help` lists them.

BIN    := .build/bin
WASM   := .build/guests
GUESTS := $(notdir $(patsubst %/main.go,%,$(wildcard guests/*/main.go)))
# The packages of Kubernetes' integration tests that a guest has a stand-in for.
STANDINS := $(notdir $(wildcard testdata/upstream/_overlay/*))
GO     ?= go
ONCE   ?=

# Kubernetes' version, as its programs report it.
KUBE_VERSION := v1.37.2

.PHONY: help build devplane guests demo test test-devplane lint upstream parity e2e bench fuzz clean

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: $(BIN)/loopdock $(BIN)/demo devplane guests ## build the programs and the guests

.PHONY: $(BIN)/loopdock $(BIN)/demo $(BIN)/parity
$(BIN)/loopdock:
	@$(GO) build -o $@ ./cmd/loopdock
$(BIN)/demo:
	@$(GO) build -o $@ ./cmd/demo
$(BIN)/parity:
	@$(GO) build -o $@ ./cmd/parity

devplane: ## build the control plane (the first time takes minutes)
	@.ci/devplane $(BIN)/devplane $(KUBE_VERSION)

guests: $(BIN)/loopdock ## build the guests
	@mkdir -p $(WASM)
	@set -e; for g in $(GUESTS); do $(BIN)/loopdock build --output $(WASM)/$$g.wasm guests/$$g; done
	@$(BIN)/loopdock build --module-version v0.1.1-next --output $(WASM)/replicaset-next.wasm guests/replicaset

demo: build ## watch a ReplicaSet controller that is a .wasm file; ONCE=1 ends by itself
	@$(BIN)/demo -bin $(BIN) -guests $(WASM) $(if $(ONCE),-once)

test: build ## build all that the tests need, and run them
	$(GO) vet ./...
	$(GO) test -race -timeout 15m ./...
	GOOS=wasip1 GOARCH=wasm $(GO) vet ./abi/... ./sdk-go ./sdk-go/view/... ./sdk-go/meta ./guests/...
	$(MAKE) test-devplane

test-devplane:
	cd cmd/devplane && $(GO) vet ./... && $(GO) test -timeout 10m ./...

lint: ## run the linters, natively and for guests
	$(GO) tool -modfile=.ci/tools.mod golangci-lint run ./...
	cd testdata/bench && $(GO) vet ./...
	@linter=$$($(GO) tool -n -modfile=.ci/tools.mod golangci-lint) && GOOS=wasip1 GOARCH=wasm $$linter run ./abi/... ./sdk-go ./sdk-go/view/... ./guests/...

upstream: guests ## run Kubernetes' own integration tests against the guests; PKG=replicaset for one
	@failed=; tally=; for p in $(or $(PKG),$(STANDINS)); do \
		testdata/upstream/run $$p || failed="$$failed $$p"; tally="$$tally .build/upstream/$$p.tally"; done; \
	$(if $(PKG),,cat $$tally;) [ -z "$$failed" ] || { echo "upstream: not all passed:$$failed" >&2; exit 1; }

parity: $(BIN)/parity $(BIN)/loopdock devplane guests ## compare the guests with kube-controller-manager; ONLY=replicaset,deployment
	@$(BIN)/parity -bin $(BIN) -guests $(WASM) $(if $(ONLY),-only $(ONLY))

e2e: $(BIN)/loopdock devplane guests ## run Kubernetes' own end-to-end tests, with the guests and without; FOCUS=REGEX for some
	@testdata/upstream/e2e $(if $(FOCUS),'$(FOCUS)')

bench: $(BIN)/loopdock devplane guests ## measure against kube-controller-manager; NAME=converge_1000,gc_10k ROUNDS=5
	@cd testdata/bench && $(GO) build -o ../../$(BIN)/bench .
	@$(BIN)/bench -bin $(BIN) -guests $(WASM) $(if $(NAME),-name $(NAME)) $(if $(ROUNDS),-rounds $(ROUNDS))

fuzz: ## fuzz every parser for FUZZTIME (10s) each
	@.ci/fuzz $(or $(FUZZTIME),10s)

clean: ## remove what was built
	rm -rf .build
