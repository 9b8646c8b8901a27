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
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.7.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
    ],
    targets: [
        .systemLibrary(name: "CLibevent", pkgConfig: "libevent_openssl", providers: [.apt(["libevent-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .target(name: "CEventShim", dependencies: ["CLibevent", "CCurl", "COpenSSL"]),
        .target(name: "Locks"),
        .target(name: "EventLoop", dependencies: ["CEventShim", "Locks"]),
        .target(name: "HTTPServer", dependencies: ["EventLoop", "CEventShim", "CZlib", "Locks"]),
        .target(name: "Hashing", dependencies: ["COpenSSL"]),
        .target(name: "JSON"),
        .target(name: "FileSystem", dependencies: ["Locks"]),
        .target(name: "Configuration", dependencies: [yams]),
        .target(name: "PolymorphicCodable", dependencies: ["Locks"]),
        .target(name: "Products", dependencies: ["JSON", "PolymorphicCodable", "Locks", "Hashing"]),
        .target(
            name: "Networking",
            dependencies: [
                "EventLoop", "CEventShim", "CZlib", "JSON", "FileSystem", "Configuration", "Locks", "Hashing", logging,
                metrics,
            ]),
        .target(
            name: "Analytics",
            dependencies: ["Networking", "JSON", "FileSystem", "Configuration", "Locks", logging]),
        .target(
            name: "Persistence",
            dependencies: [
                "Products", "JSON", "FileSystem", "Configuration", "Locks", "Hashing", logging, metrics,
            ]),
        .target(
            name: "Providers",
            dependencies: [
                "Products", "Networking", "Persistence", "Analytics", "JSON", "FileSystem", "Configuration", "Locks",
                "PolymorphicCodable", "Hashing", logging, metrics,
            ]),
        .target(
            name: "Service",
            dependencies: [
                "EventLoop", "HTTPServer", "Networking", "Products", "Analytics", "Persistence", "Providers",
                "Configuration", "JSON", "FileSystem", "Locks", "Hashing", logging, metrics, lifecycle, signals,
            ]),
        .executableTarget(name: "larder", dependencies: ["Service", "Configuration", arguments]),
        .target(
            name: "TestSupport", dependencies: ["COpenSSL", "CZlib", "FileSystem", "Locks", logging],
            path: "Tests/TestSupport", exclude: ["Certificates"]),
        .executableTarget(
            name: "RefreshBenchmark",
            dependencies: [
                "Providers", "Products", "Networking", "Persistence", "EventLoop", "JSON", "TestSupport", logging,
            ],
            path: "Tests/Benchmarks/Refresh"),
        .executableTarget(
            name: "QueryBenchmark", dependencies: ["Products", "JSON"], path: "Tests/Benchmarks/Query"),
        .testTarget(name: "LocksTests", dependencies: ["Locks"]),
        .testTarget(name: "EventLoopTests", dependencies: ["EventLoop", "Locks"]),
        .testTarget(name: "HTTPServerTests", dependencies: ["HTTPServer", "EventLoop", "Locks", "TestSupport"]),
        .testTarget(name: "HashingTests", dependencies: ["Hashing"]),
        .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"]),
        .testTarget(name: "FileSystemTests", dependencies: ["FileSystem", "Locks", "TestSupport"]),
        .testTarget(name: "ConfigurationTests", dependencies: ["Configuration"]),
        .testTarget(
            name: "PolymorphicCodableTests", dependencies: ["PolymorphicCodable", "JSON", "Locks", "TestSupport", yams]),
        .target(
            name: "QueryFuzzing", dependencies: ["Products", "HTTPServer", "JSON"], path: "Tests/Fuzz/Query",
            exclude: ["Corpus", "query.dict"]),
        .testTarget(
            name: "ProductsTests",
            dependencies: ["Products", "JSON", "PolymorphicCodable", "QueryFuzzing", "TestSupport"]),
        .testTarget(
            name: "NetworkingTests",
            dependencies: [
                "Networking", "EventLoop", "JSON", "FileSystem", "Configuration", "Locks", "TestSupport", logging,
                metricsTesting,
            ]),
        .testTarget(
            name: "AnalyticsTests",
            dependencies: [
                "Analytics", "Networking", "EventLoop", "JSON", "FileSystem", "Configuration", "Locks", "TestSupport",
                logging,
            ]),
        .testTarget(
            name: "PersistenceTests",
            dependencies: [
                "Persistence", "Products", "JSON", "FileSystem", "Configuration", "Locks", "TestSupport", logging,
                metricsTesting,
            ]),
        .testTarget(
            name: "ProvidersTests",
            dependencies: [
                "Providers", "Products", "Networking", "Persistence", "Analytics", "EventLoop", "JSON", "FileSystem",
                "Configuration", "Locks", "PolymorphicCodable", "TestSupport", logging, metrics,
                metricsTesting,
            ]),
        .testTarget(
            name: "ServiceTests",
            dependencies: [
                "Service", "HTTPServer", "Networking", "Products", "Persistence", "Providers", "Analytics",
                "EventLoop", "JSON", "FileSystem", "Configuration", "Locks", "Hashing", "TestSupport", logging,
                metrics, lifecycle,
            ],
            exclude: ["BadConfigs"]),
        .testTarget(
            name: "LarderTests",
            dependencies: [
                "larder", "HTTPServer", "Networking", "EventLoop", "JSON", "FileSystem", "Configuration", "Locks",
                "TestSupport",
            ],
            exclude: ["Recordings"]),
    ]
)

// libFuzzer brings the program's entry, so this one links only where `make fuzz` builds it.
if Context.environment["LARDER_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(name: "QueryFuzzer", dependencies: ["QueryFuzzing"], path: "Tests/Fuzz/QueryFuzzer"))
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
