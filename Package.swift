// swift-tools-version:6.2
import PackageDescription

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let metricsTesting = Target.Dependency.product(name: "MetricsTestKit", package: "swift-metrics")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "larder",
    products: [
        .executable(name: "larder", targets: ["larder"]),
        .library(name: "PolymorphicCodable", targets: ["PolymorphicCodable"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: [
        .systemLibrary(name: "CLibevent", pkgConfig: "libevent_openssl", providers: [.apt(["libevent-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CHiredis", pkgConfig: "hiredis", providers: [.apt(["libhiredis-dev"])]),
        .target(name: "CEventShim", dependencies: ["CLibevent", "CCurl", "COpenSSL", "CHiredis"]),
        .target(name: "Text"),
        .target(name: "Concurrency"),
        .target(name: "Health", dependencies: ["Concurrency", logging]),
        .target(name: "Tracing", dependencies: ["Concurrency", "Text", logging]),
        .target(name: "EventLoop", dependencies: ["CEventShim", "Concurrency", "FileSystem"]),
        .target(
            name: "HTTPServer",
            dependencies: [
                "Hashing", "EventLoop", "CEventShim", "Compression", "Concurrency", "Text", "Tracing", logging,
            ]),
        .target(name: "Hashing", dependencies: ["COpenSSL", "Text"]),
        .target(name: "JSON", dependencies: ["Text"]),
        .target(name: "FileSystem", dependencies: ["Concurrency"]),
        .target(name: "Compression", dependencies: ["CZlib", "Hashing"]),
        .target(name: "Configuration", dependencies: ["Text", yams]),
        .target(name: "PolymorphicCodable"),
        .target(
            name: "Products",
            dependencies: [
                "JSON", "PolymorphicCodable", "Concurrency", "Health", "Prometheus", "Text", "Tracing", "Hashing",
                metrics,
            ]),
        .target(
            name: "Networking",
            dependencies: [
                "EventLoop", "CEventShim", "Compression", "JSON", "FileSystem", "Concurrency", "Health", "Products",
                "Prometheus", "Text", "Tracing", "Hashing", logging, metrics,
            ]),
        .target(
            name: "Analytics",
            dependencies: ["Networking", "JSON", "FileSystem", "Concurrency", "Health", "Text", logging]),
        .target(
            name: "Persistence",
            dependencies: [
                "Products", "JSON", "FileSystem", "Concurrency", "Health", "Hashing", "Prometheus", "Text", logging,
                metrics,
            ]),
        .target(
            name: "Redis",
            dependencies: ["CEventShim", "EventLoop", "FileSystem", "Concurrency", "Networking", "Text", logging]),
        .target(
            name: "Fleet",
            dependencies: [
                "Redis", "Compression", "CZlib", "Persistence", "Products", "Prometheus", "JSON", "Concurrency",
                "Health",
                "Hashing",
                "Text", logging, metrics,
            ]),
        .target(
            name: "Decoding",
            dependencies: ["CLibXML2", "Concurrency", "JSON", "PolymorphicCodable", "Products", "Text", logging]),
        .target(
            name: "Querying",
            dependencies: ["Decoding", "Products", "JSON", "Concurrency", "Hashing", "Text"]),
        .target(
            name: "Upstreams",
            dependencies: [
                "Compression", "Concurrency", "Decoding", "FileSystem", "Hashing", "Health", "JSON", "Networking",
                "Products", "Prometheus", "Text", "Tracing", logging, metrics,
            ]),
        .target(
            name: "Providers",
            dependencies: [
                "Analytics", "Concurrency", "Hashing", "Health", "JSON", "Networking", "Products", "Querying",
                "Prometheus",
                "Text", "Tracing", logging, metrics,
            ]),
        .target(
            name: "Wiring",
            dependencies: [
                "Analytics", "Concurrency", "Configuration", "Decoding", "EventLoop", "Fleet", "Hashing", "Health",
                "JSON", "Networking", "Persistence", "PolymorphicCodable", "Redis", "Products", "Querying", "Providers",
                "Text", "Upstreams", logging, metrics,
            ]),
        .target(
            name: "Access",
            dependencies: [
                "Concurrency", "FileSystem", "HTTPServer", "Hashing", "Health", "Prometheus", "Text", logging, metrics,
            ]),
        .target(
            name: "Webhooks",
            dependencies: [
                "Concurrency", "Configuration", "HTTPServer", "Hashing", "Networking", "Products", "Prometheus", "Text",
                logging, metrics,
            ]),
        .target(
            name: "Telemetry",
            dependencies: [
                "Concurrency", "Health", "JSON", "Networking", "Prometheus", "Text", "Tracing", logging, metrics,
            ]),
        .target(
            name: "GraphTools",
            dependencies: ["Analytics", "Configuration", "JSON", "Providers", "Text", "Wiring"]),
        .target(
            name: "ConfigDrafting",
            dependencies: [
                "Configuration", "Decoding", "FileSystem", "JSON", "Networking", "Products", "Text", "Wiring", logging,
            ],
            resources: [.embedInCode("KnownForms.yaml")]),
        .target(name: "OpenAPI", dependencies: ["HTTPServer", "JSON"]),
        .target(
            name: "Serving",
            dependencies: [
                "Analytics", "Compression", "Concurrency", "Configuration", "EventLoop", "Fleet", "GraphTools",
                "HTTPServer", "Health", "JSON", "Networking", "OpenAPI", "Persistence", "Products", "Querying",
                "Prometheus", "Providers", "Text", "Tracing", "Wiring", logging, metrics,
            ]),
        .target(
            name: "ClientAPI",
            dependencies: [
                "Concurrency", "HTTPServer", "JSON", "Networking", "OpenAPI", "Products", "Querying", "Serving",
                "Webhooks",
            ]),
        .target(
            name: "OperatorsAPI",
            dependencies: [
                "Analytics", "Concurrency", "Configuration", "Fleet", "GraphTools", "HTTPServer", "Hashing", "Health",
                "JSON", "Networking", "OpenAPI", "Persistence", "Products", "Querying", "Prometheus", "Providers",
                "Serving",
                "Access", "Telemetry", "Text", "Tracing", "Upstreams", "Webhooks", "Wiring", metrics,
            ],
            resources: ["graph.css", "graph.js", "history.css", "history.html", "history.js"].map {
                .embedInCode("Pages/\($0)")
            }),
        .target(
            name: "PracticeUpstream",
            dependencies: ["FileSystem", "HTTPServer", "JSON", "Concurrency", logging, lifecycle]),
        .target(name: "Prometheus", dependencies: ["FileSystem", "Concurrency", logging, metrics]),
        .target(
            name: "Service",
            dependencies: [
                "ClientAPI", "OpenAPI", "OperatorsAPI", "Serving", "GraphTools", "Prometheus",
                "PracticeUpstream", "EventLoop", "HTTPServer", "Networking", "Products", "Querying", "Analytics",
                "Providers",
                "Configuration", "JSON", "FileSystem", "Concurrency", "Health", "Text", "Tracing", "Hashing",
                "Access", "Telemetry", "Webhooks", "Wiring", logging, metrics, lifecycle, signals,
            ]),
        .executableTarget(
            name: "larder",
            dependencies: [
                "Service", "OperatorsAPI", "Serving", "Fleet", "GraphTools", "ConfigDrafting", "PracticeUpstream",
                "HTTPServer",
                "EventLoop", "Networking", "Products", "Querying", "Persistence", "Providers", "Configuration",
                "Concurrency",
                "JSON", "Decoding", "FileSystem", "Text", "Upstreams", "Wiring", arguments, logging, lifecycle,
            ]),
        .target(
            name: "TestSupport",
            dependencies: [
                "COpenSSL", "CZlib", "Networking", "HTTPServer", "EventLoop", "FileSystem", "JSON", "Concurrency",
                logging,
            ],
            path: "Tests/TestSupport", exclude: ["Certificates"]),
        .testTarget(name: "TextTests", dependencies: ["Text"]),
        .testTarget(name: "ConcurrencyTests", dependencies: ["Concurrency", "TestSupport"]),
        .testTarget(name: "TracingTests", dependencies: ["Tracing", "Concurrency", "TestSupport", "Text"]),
        .testTarget(name: "EventLoopTests", dependencies: ["EventLoop", "Concurrency", "TestSupport"]),
        .testTarget(
            name: "HTTPServerTests",
            dependencies: ["HTTPServer", "EventLoop", "Concurrency", "TestSupport", "Text", "Tracing", logging]),
        .testTarget(
            name: "PrometheusTests", dependencies: ["Prometheus", "FileSystem", "TestSupport", metrics]),
        .testTarget(name: "HashingTests", dependencies: ["Hashing"]),
        .testTarget(name: "CompressionTests", dependencies: ["Compression", "TestSupport"]),
        .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"]),
        .testTarget(name: "FileSystemTests", dependencies: ["FileSystem", "Concurrency", "TestSupport"]),
        .testTarget(name: "ConfigurationTests", dependencies: ["Configuration", "Text"]),
        .testTarget(
            name: "PolymorphicCodableTests",
            dependencies: ["PolymorphicCodable", "JSON", "TestSupport", yams]),
        .target(
            name: "QueryFuzzing", dependencies: ["Products", "Querying", "HTTPServer", "JSON"],
            path: "Tests/Fuzz/Query",
            exclude: ["Corpus", "query.dict"]),
        .target(
            name: "CatalogueFuzzing", dependencies: ["Products", "PolymorphicCodable", "JSON"],
            path: "Tests/Fuzz/Catalogue", exclude: ["Corpus", "catalogue.dict"]),
        .target(
            name: "ProductsTestSupport", dependencies: ["JSON", "PolymorphicCodable", "Products", "Querying"],
            path: "Tests/ProductsTestSupport"),
        .target(
            name: "DecodingFuzzing", dependencies: ["CatalogueFuzzing", "Decoding", "JSON", "Products", "Text"],
            path: "Tests/Fuzz/Decoding", exclude: ["csv", "decoding.dict", "json", "jsonl", "tsv", "xml"]),
        .testTarget(
            name: "ProductsTests",
            dependencies: [
                "Products", "ProductsTestSupport", "Querying", "JSON", "PolymorphicCodable", "CatalogueFuzzing",
                "Hashing", "TestSupport",
            ]),
        .testTarget(
            name: "QueryingTests",
            dependencies: [
                "Decoding", "Products", "ProductsTestSupport", "Querying", "JSON", "QueryFuzzing", "TestSupport",
            ]),
        .testTarget(
            name: "NetworkingTests",
            dependencies: [
                "Health", "Networking", "EventLoop", "JSON", "FileSystem", "Concurrency", "TestSupport", "Text",
                logging,
                metricsTesting,
            ]),
        .testTarget(
            name: "AnalyticsTests",
            dependencies: [
                "Analytics", "Health", "Networking", "EventLoop", "JSON", "FileSystem", "Text", "TestSupport", logging,
            ]),
        .testTarget(
            name: "PersistenceTests",
            dependencies: [
                "Persistence", "Products", "JSON", "FileSystem", "Hashing", "Health", "Concurrency", "TestSupport",
                logging, metricsTesting,
            ]),
        .testTarget(
            name: "RedisTests",
            dependencies: [
                "Redis", "EventLoop", "Networking", "Concurrency", "FileSystem", "Text", "TestSupport", logging,
            ]),
        .testTarget(
            name: "FleetTests",
            dependencies: [
                "Health", "Fleet", "Redis", "EventLoop", "Persistence", "Products", "Providers", "JSON", "FileSystem",
                "Concurrency",
                "Hashing", "Text", "TestSupport", logging, metricsTesting,
            ]),
        .target(
            name: "ProvidersTestSupport",
            dependencies: [
                "Concurrency", "Configuration", "Decoding", "JSON", "Networking", "Persistence", "Products",
                "Providers", "TestSupport", "Tracing", "Upstreams", "Wiring", logging, metrics,
            ],
            path: "Tests/ProvidersTestSupport"),
        .testTarget(
            name: "UpstreamsTests",
            dependencies: [
                "Upstreams", "Concurrency", "Configuration", "Decoding", "FileSystem", "Hashing", "Health", "JSON",
                "Networking", "Products", "Providers", "ProvidersTestSupport", "TestSupport", "Tracing", logging,
            ]),
        .testTarget(
            name: "ProvidersTests",
            dependencies: [
                "Decoding", "DecodingFuzzing", "Providers", "Products", "ProvidersTestSupport", "Networking",
                "Persistence", "Analytics", "EventLoop", "JSON", "FileSystem", "Configuration", "Concurrency", "Health",
                "Querying", "Text", "Tracing", "TestSupport", "Upstreams", "Wiring", logging, metrics, metricsTesting,
            ]),
        .testTarget(
            name: "WiringTests",
            dependencies: [
                "Decoding", "Wiring", "Analytics", "Concurrency", "Configuration", "EventLoop", "FileSystem", "Fleet",
                "JSON", "Networking",
                "Persistence", "Products", "Providers", "TestSupport", "Text", logging,
            ]),
        .target(
            name: "ServingTestSupport",
            dependencies: ["Concurrency", "Configuration", "Persistence", "Products", "Providers", "Wiring"],
            path: "Tests/ServingTestSupport"),
        .testTarget(
            name: "GraphToolsTests",
            dependencies: [
                "GraphTools", "Configuration", "FileSystem", "JSON", "Service", "ServingTestSupport", "TestSupport",
                "Wiring",
            ],
            exclude: ["BadConfigs"]),
        .testTarget(
            name: "ConfigDraftingTests",
            dependencies: [
                "ConfigDrafting", "Configuration", "Decoding", "FileSystem", "JSON", "Networking", "Products",
                "Service",
                "TestSupport", "Wiring",
            ]),
        .testTarget(
            name: "AccessTests",
            dependencies: [
                "Access", "CEventShim", "HTTPServer", "Hashing", "Health", "TestSupport", metrics, metricsTesting,
            ]),
        .testTarget(
            name: "WebhooksTests",
            dependencies: [
                "Webhooks", "HTTPServer", "Hashing", "Products", "ServingTestSupport", "TestSupport", "Text",
            ]),
        .testTarget(
            name: "TelemetryTests",
            dependencies: [
                "Telemetry", "Concurrency", "EventLoop", "Health", "JSON", "Networking", "Prometheus", "TestSupport",
                "Text", "Tracing", logging, metrics,
            ]),
        .testTarget(
            name: "ServingTests",
            dependencies: [
                "Serving", "Compression", "Concurrency", "Configuration", "Fleet", "HTTPServer", "JSON", "Persistence",
                "Products", "Providers", "Querying", "Prometheus", "ServingTestSupport", "TestSupport", "Wiring",
            ]),
        .testTarget(
            name: "OperatorsAPITests",
            dependencies: [
                "OperatorsAPI", "Concurrency", "Configuration", "Fleet", "GraphTools", "Health", "JSON", "Products",
                "Prometheus", "Providers", "Serving", "ServingTestSupport", "TestSupport",
            ]),
        .testTarget(
            name: "PracticeUpstreamTests",
            dependencies: ["PracticeUpstream", "FileSystem", "HTTPServer", "JSON", "Products", "TestSupport"]),
        .testTarget(
            name: "ServiceTests",
            dependencies: [
                "ClientAPI", "Health", "Service", "OperatorsAPI", "Serving", "Fleet", "GraphTools", "Prometheus",
                "PracticeUpstream", "HTTPServer", "Networking", "Products", "Querying", "Redis", "Persistence",
                "Providers",
                "Analytics", "EventLoop", "JSON", "FileSystem", "Configuration", "Concurrency", "Hashing",
                "ServingTestSupport", "TestSupport", "Tracing", "Wiring", logging, metrics, lifecycle,
            ]),
        .testTarget(
            name: "LarderTests",
            dependencies: [
                "larder", "Service", "OperatorsAPI", "Fleet", "GraphTools", "PracticeUpstream", "HTTPServer",
                "Networking", "EventLoop", "Products", "Persistence", "JSON", "FileSystem", "Configuration",
                "Concurrency", "Text", "TestSupport", arguments,
            ],
            exclude: ["Recordings"]),
    ]
)

// libFuzzer brings the program's entry, so these link only where `make fuzz` builds them.
if Context.environment["LARDER_FUZZ"] != nil {
    package.targets += [
        .executableTarget(name: "QueryFuzzer", dependencies: ["QueryFuzzing"], path: "Tests/Fuzz/QueryFuzzer"),
        .executableTarget(
            name: "CatalogueFuzzer", dependencies: ["CatalogueFuzzing"], path: "Tests/Fuzz/CatalogueFuzzer"),
        .executableTarget(
            name: "DecodingFuzzer", dependencies: ["Decoding", "DecodingFuzzing"], path: "Tests/Fuzz/DecodingFuzzer"),
    ]
}

// Measured by `make bench`; neither the image nor the tests need them.
if Context.environment["LARDER_BENCHMARKS"] != nil {
    package.targets += [
        .executableTarget(
            name: "QueryBenchmark", dependencies: ["Products", "Querying", "JSON"], path: "Tests/Benchmarks/Query")
    ]
}

/// The dialect every Swift target is written in, set in one place so that no target can fall behind.
let dialect: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
]

for target in package.targets where target.type != .system && target.name != "CEventShim" {
    target.swiftSettings = (target.swiftSettings ?? []) + dialect
}
