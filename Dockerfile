# From this release on Debian's evhttp has the request-smuggling fixes of July 2026. An older one fails the build.
ARG LIBEVENT_MINIMUM=2.1.12-stable-8+deb12u1

# For a build that can be repeated, pin both by digest: --build-arg BASE=docker.io/library/debian:bookworm-slim@sha256:...
ARG BUILD_BASE=docker.io/library/swift:6.3-bookworm
ARG BASE=docker.io/library/debian:bookworm-slim

FROM ${BUILD_BASE} AS build
ARG LIBEVENT_MINIMUM
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        libcurl4-openssl-dev libevent-dev libhiredis-dev libssl-dev libxml2-dev libyaml-0-2 pkg-config zlib1g-dev \
    && rm -rf /var/lib/apt/lists/* \
    && dpkg --compare-versions "$(dpkg-query -W -f='${Version}' libevent-dev)" ge "$LIBEVENT_MINIMUM"
WORKDIR /src

# The packages that Package.swift names are built by a target that has nothing but them, so that this layer stays while
# only our own sources change. They go on in an archive: a layer keeps the times of files to the second, and a build that
# finds other times than it left starts anew.
COPY Package.swift ./
RUN printf '%s\n' \
        'let all = package.targets.flatMap(\.dependencies)' \
        'let products = all.filter { if case .productItem = $0 { true } else { false } }' \
        'package.products = []' \
        'package.targets = [.executableTarget(name: "Packages", path: "Packages")]' \
        'package.targets[0].dependencies = Array(Dictionary(products.map { ("\($0)", $0) }) { one, _ in one }.values)' \
        >> Package.swift \
    && mkdir Packages && touch Packages/main.swift \
    && swift build -c release --static-swift-stdlib \
    && tar --format=posix -cf /packages.tar .build \
    && rm -r Packages .build

COPY Package.swift ./
COPY Sources Sources
COPY Tests Tests
RUN tar -xf /packages.tar \
    && swift build -c release --static-swift-stdlib --product larder \
    && install -D -s .build/release/larder /out/usr/local/bin/larder

COPY config/notices.sh ./
RUN sh notices.sh .build/checkouts /out/usr/share/doc/larder

FROM ${BASE}
ARG BASE
ARG LIBEVENT_MINIMUM
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        ca-certificates libcurl4 libevent-2.1-7 libevent-openssl-2.1-7 libhiredis0.14 libssl3 libxml2 zlib1g \
    && rm -rf /var/lib/apt/lists/* \
    && dpkg --compare-versions "$(dpkg-query -W -f='${Version}' libevent-2.1-7)" ge "$LIBEVENT_MINIMUM" \
    && install -d -o 10001 -g 10001 -m 0750 /var/lib/larder
COPY --from=build /out/ /
COPY config/larder.yaml /etc/larder/larder.yaml
# The port for operators is on the container's loopback interface, where only the health check reaches it, unless
# LARDER_ADMIN says otherwise: LARDER_ADMIN=0.0.0.0:9090. Then orders take the token in LARDER_ADMIN_TOKEN_FILE.
ENV LARDER_CONFIG=/etc/larder/larder.yaml LARDER_DATA=/var/lib/larder
USER 10001:10001
VOLUME /var/lib/larder
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 CMD ["/usr/local/bin/larder", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/larder"]
CMD ["serve"]

# Last, because they change with every release and cost nothing to make anew.
ARG VERSION=0.1.0
ARG REVISION=unknown
ARG CREATED=1970-01-01T00:00:00Z
LABEL org.opencontainers.image.title="Larder" \
    org.opencontainers.image.description="Serves a product catalogue, and keeps serving it when its source is offline" \
    org.opencontainers.image.version="$VERSION" \
    org.opencontainers.image.revision="$REVISION" \
    org.opencontainers.image.created="$CREATED" \
    org.opencontainers.image.base.name="$BASE"
