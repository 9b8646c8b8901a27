# Two commands do everything on a Debian machine that has a Swift toolchain: `make run` and `make test`.
PACKAGES = libevent-dev libcurl4-openssl-dev zlib1g-dev pkg-config
SWIFT ?= swift
SOURCES = Package.swift Sources Tests

.PHONY: run test test-sanitized valgrind bench build release check format lint deps clean

## Starts the practice upstream on port 8081 and the service on port 8080.
run: deps
	$(SWIFT) run larder demo

## Builds and runs every test. A few at a time: many start processes and watch the clock, which all at once would not pass
## on two cores.
test: deps
	$(SWIFT) test --experimental-maximum-parallelization-width 6

## Builds for working on the code.
build: deps
	$(SWIFT) build

## Builds what is deployed, in a folder of its own: .build-release/release/larder
release: deps
	$(SWIFT) build -c release --static-swift-stdlib --product larder --scratch-path .build-release

## Runs the tests under both sanitizers. Not in parallel: slowed down, they would time each other out. Without leak
## detection, which takes what an enum with a tagged pointer holds for lost.
test-sanitized: deps
	$(SWIFT) test --no-parallel --sanitize=thread --scratch-path .build-thread
	ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test --no-parallel --sanitize=address --scratch-path .build-address

## Runs the C shim through all that can happen to a connection, under valgrind.
valgrind: PACKAGES += valgrind gcc libc6-dev
valgrind: deps
	mkdir -p .build
	cc -std=gnu11 -g -O1 -ISources/CEventShim/include Sources/CEventShim/[a-z]*.c Tests/CEventShimProbe/[a-z]*.c \
		-o .build/shim-probe -levent -lcurl -lpthread
	.build/shim-probe
	valgrind --leak-check=full --track-fds=yes --error-exitcode=1 .build/shim-probe --keep-limits

## Measures what a refresh of 10,000 products costs, stage by stage.
bench: deps
	$(SWIFT) build -c release --static-swift-stdlib --product RefreshBenchmark --scratch-path .build-release
	.build-release/release/RefreshBenchmark

## Says what is wrong with the configs, but for config/examples, which want a shop's secrets.
check: build
	for config in config/*.yaml; do LARDER_UPSTREAM=localhost:8081 $(SWIFT) run --skip-build larder check --config $$config || exit 1; done

format:
	$(SWIFT) format --in-place --recursive $(SOURCES)

lint:
	$(SWIFT) format lint --strict --recursive $(SOURCES)

## Installs the Debian packages that are missing.
deps:
	@missing=; for package in $(PACKAGES); do \
		dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$package"; \
	done; \
	if [ -n "$$missing" ]; then \
		sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
		$$sudo apt-get update -qq && $$sudo apt-get install -y --no-install-recommends $$missing; \
	fi

clean:
	rm -rf .build .build-*
