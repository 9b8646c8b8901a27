FROM swift:6.3-bookworm AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends libevent-dev libcurl4-openssl-dev libssl-dev zlib1g-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY Package.swift ./
RUN swift package resolve
COPY Sources Sources
COPY Tests Tests
RUN swift build -c release --static-swift-stdlib --product larder \
    && install -D -s .build/release/larder /out/usr/local/bin/larder

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        ca-certificates libcurl4 libevent-2.1-7 libevent-openssl-2.1-7 libssl3 zlib1g \
    && rm -rf /var/lib/apt/lists/* \
    && install -d -o 10001 -g 10001 -m 0750 /var/lib/larder
COPY --from=build /out/ /
COPY config/larder.yaml /etc/larder/larder.yaml
ENV LARDER_CONFIG=/etc/larder/larder.yaml LARDER_DATA=/var/lib/larder
USER 10001:10001
VOLUME /var/lib/larder
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 CMD ["/usr/local/bin/larder", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/larder"]
CMD ["serve"]
