# Two commands do everything on a Debian machine that has a Swift toolchain: `make run` and `make test`.
PACKAGES = libevent-dev libcurl4-openssl-dev zlib1g-dev pkg-config
SWIFT ?= swift
SOURCES = Package.swift Sources Tests

.PHONY: run test test-sanitized build release check format lint deps clean

## Starts the practice upstream on port 8081 and the service on port 8080.
run: deps
	$(SWIFT) run larder demo

## Builds and runs every test.
test: deps
	$(SWIFT) test

## Builds for working on the code.
build: deps
	$(SWIFT) build

## Builds what is deployed, in a folder of its own: .build-release/release/larder
release: deps
	$(SWIFT) build -c release --static-swift-stdlib --product larder --scratch-path .build-release

## Runs the tests under both sanitizers.
test-sanitized: deps
	$(SWIFT) test --sanitize=thread --scratch-path .build-thread
	$(SWIFT) test --sanitize=address --scratch-path .build-address

## Says what is wrong with the example configs.
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
