# Without the command library's renderer of manual pages, which only "make man" needs.
TAGS    := urfave_cli_no_docs
COMMIT  := $(shell git describe --tags --always --dirty --abbrev=12 2>/dev/null || echo unknown)
LDFLAGS := -s -w -X main.commit=$(COMMIT)
# The hub and the tools are modules of their own in the folders hub and tools.
MODULES  := . hub tools
PROGRAMS := memctl memctl-hub
BUILD    := -trimpath -tags $(TAGS) -ldflags '$(LDFLAGS)'
FUZZ    ?= 5m
MEMORIES ?= 10000
WINE    ?= wine
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
NFPM        := github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.44.0
ROOTS       := golang.org/x/crypto/x509roots/fallback@v0.0.0-20261030153154-30a33513ff6d
GOTESTSUM   := gotest.tools/gotestsum@v1.13.0
ACTIONLINT  := github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

PLATFORMS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
# Where the releases are, as on GitHub: HOMEPAGE/releases/download/vVERSION/FILE. Who makes
# a release to publish sets it; the default is an address that no one can have.
HOMEPAGE  ?= https://homepage.invalid
MAINTAINER ?= The memctl authors <nobody@homepage.invalid>
RELEASE    = go build -C tools -o ../bin/ ./release && bin/release -programs '$(PROGRAMS)' -platforms '$(PLATFORMS)' -homepage '$(HOMEPAGE)' -maintainer '$(MAINTAINER)' -nfpm $(NFPM) -roots $(ROOTS)

export CGO_ENABLED = 0
# Everything is compiled with -trimpath, so that tests, vet and releases share what is compiled of the dependencies.
export GOFLAGS ?= -trimpath
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 315532800)

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: demo
demo: build ## show what memctl does, on a sample store in a temporary folder
	@go build -C tools -o ../bin/ ./demo
	@bin/demo -memctl bin/memctl

.PHONY: demo-ui
demo-ui: build ## show the same sample store in the browser, until Ctrl-C
	@go build -C tools -o ../bin/ ./demo
	@bin/demo -memctl bin/memctl -ui

.PHONY: screens
screens: ## take the pictures of README and docs/guide.md again (needs Chromium)
	MEMCTL_SCREENS=1 go test -tags $(TAGS) -count 1 -run TestInTheBrowser ./features/web

.PHONY: test
test: ## run the tests of memctl (make lint vets the code)
	go test -vet=off -tags $(TAGS) -parallel 4 ./...
	go test -C tools -vet=off -tags $(TAGS) -parallel 4 ./...

.PHONY: test-hub
test-hub: ## run the tests of memctl-hub (PostgreSQL's initdb)
	go test -C hub -vet=off -tags $(TAGS) -parallel 4 ./...

.PHONY: test-windows
test-windows: ## run the tests for Windows under Wine 10 and count them (docs/dev/platforms.md)
	@set -e; for module in $(MODULES); do \
		cd '$(CURDIR)'/$$module; \
		go run $(GOTESTSUM) --format pkgname --raw-command -- env GOOS=windows go test -json \
			-exec '"$(CURDIR)/tools/wine.sh" $(WINE)' -tags $(TAGS) -timeout 30m ./...; \
	done

# AXE is the version of axe-core with which "make soak" looks at the pages.
AXE := 4.14.1

bin/axe-$(AXE).js:
	@mkdir -p bin
	npm pack --silent --pack-destination bin axe-core@$(AXE)
	tar -xzOf bin/axe-core-$(AXE).tgz package/axe.min.js > $@.part && mv $@.part $@

.PHONY: soak
soak: bin/axe-$(AXE).js ## run every test at full size, then every fuzz target for 30s (20 minutes; needs npm)
	MEMCTL_SOAK=1 MEMCTL_AXE=$(CURDIR)/bin/axe-$(AXE).js go test -tags $(TAGS) -count 1 -timeout 2h ./...
	MEMCTL_SOAK=1 go test -C hub -tags $(TAGS) -count 1 -timeout 2h ./...
	MEMCTL_SOAK=1 go test -C tools -tags $(TAGS) -count 1 -timeout 2h ./...
	$(MAKE) fuzz FUZZ=30s

.PHONY: e2e
e2e: ## run a session in the real client: CLAUDE_BIN, else claude on the PATH
	@MEMCTL_E2E=1 go test -tags $(TAGS) -count 1 -run 'InTheClient$$' -v ./cmd/memctl
	@MEMCTL_E2E=1 go test -C hub -tags $(TAGS) -count 1 -run 'InTheClient$$' -v ./cmd/memctl-hub

.PHONY: e2e-clients
e2e-clients: build ## run a session in five other clients, installed from npm (Linux, root)
	@testdata/clients/harness/e2e.sh bin

.PHONY: build
build: ## build bin/memctl
	@go build $(BUILD) -o bin/ ./cmd/memctl

.PHONY: hub
hub: ## build bin/memctl-hub
	@go build -C hub $(BUILD) -o ../bin/ ./cmd/memctl-hub

.PHONY: plugin
plugin: build hub binaries ## make dist/plugin, a Claude Code plugin with a binary for each of PLATFORMS
	@$(RELEASE) -plugin
	@echo 'To install it, run:'
	@echo '  claude plugin marketplace add "$(CURDIR)/dist/plugin"'
	@echo '  claude plugin install memctl@memctl'

.PHONY: release
release: build hub man binaries ## make dist: archives, packages, installers, checksums; publishes nothing
	@$(RELEASE)
	@case '$(HOMEPAGE)' in *.invalid) echo 'To publish dist, make it with its address: make release HOMEPAGE=https://github.com/OWNER/memctl';; esac

.PHONY: release-check
release-check: release ## have all parts judged, install them in scratch folders, and make dist a second time
	MEMCTL_RELEASE="$(CURDIR)/dist" go test -C tools -count 1 -timeout 20m -v -run 'Release$$' ./release

.PHONY: release-dry
release-dry: PLATFORMS = $(sort linux/$(shell go env GOARCH) $(shell go env GOOS)/$(shell go env GOARCH))
release-dry: release ## make dist for one system, and have every part judged by its own tool (.ci/run installs them)
	MEMCTL_RELEASE="$(CURDIR)/dist" go test -C tools -count 1 -v -run 'TestValid.*OfRelease$$' ./release

.PHONY: install
install: ## install memctl into $GOBIN (the hub: make install-hub)
	go install $(BUILD) ./cmd/memctl
	@sh tools/onpath.sh memctl

.PHONY: install-hub
install-hub: ## install memctl-hub into $GOBIN
	go install -C hub $(BUILD) ./cmd/memctl-hub
	@sh tools/onpath.sh memctl-hub

.PHONY: man
man: ## write bin/memctl.1
	@mkdir -p bin
	@go run -trimpath -tags man ./cmd/memctl man > bin/memctl.1

.PHONY: picture
picture: ## draw docs/prompt.svg from the recorded screen
	@go test -C tools -count 1 -run TestPictureIsUpToDate ./picture -update

.PHONY: lint
lint: ## check format, vet, staticcheck and workflows
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$unformatted" ]; then echo "not gofmt-ed: $$unformatted"; exit 1; fi
	@set -e; for module in $(MODULES); do \
		cd '$(CURDIR)'/$$module; \
		go vet -tags $(TAGS) ./...; \
		go run $(STATICCHECK) -tags $(TAGS) ./...; \
	done
	GOOS=linux go vet -C tools -tags attack ./attack
	GOOS=linux go vet -C hub -tags attack ./cmd/memctl-hub
	go run $(ACTIONLINT) -shellcheck= -pyflakes=

.PHONY: binaries
binaries:
	@set -e; for platform in $(PLATFORMS); do \
		echo "  $$platform"; \
		export GOOS=$${platform%/*} GOARCH=$${platform#*/}; \
		go build $(BUILD) -buildvcs=false -o bin/memctl-$$GOOS-$$GOARCH ./cmd/memctl; \
		go build -C hub $(BUILD) -buildvcs=false -o ../bin/memctl-hub-$$GOOS-$$GOARCH ./cmd/memctl-hub; \
	done

.PHONY: cross
cross: binaries ## build everything for linux, macOS and Windows on amd64 and arm64 (the tools on amd64)
	@set -e; for platform in $(PLATFORMS); do \
		export GOOS=$${platform%/*} GOARCH=$${platform#*/}; \
		go build -trimpath -tags $(TAGS) ./...; \
		go build -C hub -trimpath -tags $(TAGS) ./...; \
		if [ "$$GOARCH" = amd64 ]; then go build -C tools -trimpath -tags $(TAGS) ./...; fi; \
	done

.PHONY: bench
bench: build ## measure whole processes against one that opens the index (takes minutes; BENCH=-catalogue adds 100 projects)
	@go test -C tools -run '^$$' -bench BenchmarkMemctl -benchtime 1x -timeout 0 ./bench $(BENCH)

.PHONY: bench-cold
bench-cold: build ## measure the session starts that build the index of 100,000 memories (BENCH=-cold=N makes N)
	@go test -C tools -run '^$$' -bench BenchmarkCold -benchtime 1x -timeout 0 ./bench $(BENCH)

.PHONY: budget
budget: build ## measure the time of each part of a prompt, at 600 and at 10,000 memories
	@go test -C tools -run '^$$' -bench BenchmarkBudget -benchtime 1x -timeout 0 ./bench

.PHONY: bench-hub
bench-hub: ## measure a hub of MEMORIES (10000) messages of the git folders COMMITS in the empty database DSN, and through the PgBouncer POOL; the folder TRUTH keeps the reference
	MEMCTL_HUB_DSN='$(DSN)' MEMCTL_HUB_POOL='$(POOL)' MEMCTL_HUB_TRUTH='$(TRUTH)' COMMITS='$(COMMITS)' MEMORIES=$(MEMORIES) go test -C hub -run '^$$' -bench BenchmarkHub -benchtime 1x -timeout 0 ./tools/benchhub

.PHONY: attack
attack: build ## run memctl on hostile projects (at most four minutes; needs Linux and root; RUN=REGEXP chooses)
	@MEMCTL="$(CURDIR)/bin/memctl" go test -C tools -tags attack -count 1 -v -run '$(if $(RUN),TestAttack/$(RUN),Test)' ./attack

.PHONY: follow-hub
follow-hub: ## publish to the hub of bench-hub for MINUTES (10) while 16 clients ask: is an answer wrong or stale?
	MEMCTL_HUB_DSN='$(DSN)' COMMITS='$(COMMITS)' MEMORIES=$(MEMORIES) MINUTES=$(or $(MINUTES),10) go test -C hub -run '^$$' -bench BenchmarkFollow -benchtime 1x -timeout 0 ./tools/benchhub

.PHONY: attack-hub
attack-hub: ## send a hub what no client sends, and measure its memory and another person's time (minutes; needs PostgreSQL and Linux)
	go test -C hub -tags 'attack $(TAGS)' -count 1 -v -timeout 20m -run 'TestAttackOn' ./cmd/memctl-hub

.PHONY: quality
quality: build ## measure the ranking on a small set of notes
	@go test -C tools -run '^$$' -bench BenchmarkQuality -benchtime 1x -timeout 0 ./quality

.PHONY: bench-public
bench-public: ## measure the search of past sessions on the public sets in DATA (docs/dev/measures.md; SETS=REGEXP chooses)
	@test -n '$(DATA)' || { echo 'name the folder of the sets: make bench-public DATA=FOLDER (docs/dev/measures.md)'; exit 2; }
	@DATA='$(abspath $(DATA))' SETS='$(SETS)' go test -C tools -run '^$$' -bench BenchmarkPublic -benchtime 1x -timeout 0 ./public

.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZ (5m) each
	@set -e; for module in $(MODULES); do \
		for package in $$(go list -C $$module ./...); do \
			for target in $$(go test -C $$module -tags $(TAGS) -list '^Fuzz' $$package | grep '^Fuzz'); do \
				echo "$$package $$target"; \
				go test -C $$module -tags $(TAGS) -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZ) $$package; \
			done; done; done

.PHONY: clean
clean: ## remove what the other targets built
	rm -rf bin dist
