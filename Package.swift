// swift-tools-version:6.2
import PackageDescription

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "larder",
    products: [.executable(name: "larder", targets: ["larder"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-crypto", "3.12.0"..<"5.0.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
    ],
    targets: [
        .systemLibrary(name: "CLibevent", pkgConfig: "libevent", providers: [.apt(["libevent-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .target(name: "CEventShim", dependencies: ["CLibevent", "CCurl"]),
        .target(name: "EventLoop", dependencies: ["CEventShim"]),
        .target(name: "HTTPServer", dependencies: ["EventLoop", "CEventShim"]),
        .target(name: "JSON"),
        .target(name: "FileSystem"),
        .target(name: "Configuration", dependencies: [yams]),
        .target(name: "PolymorphicCodable"),
        .target(name: "Products", dependencies: ["JSON", "PolymorphicCodable", crypto]),
        .target(name: "Networking", dependencies: ["EventLoop", "CEventShim", "JSON", "Configuration"]),
        .target(name: "Analytics", dependencies: ["Networking", "JSON", "FileSystem", "Configuration", logging]),
        .target(
            name: "Persistence", dependencies: ["Products", "JSON", "FileSystem", "Configuration", crypto, logging]),
        .target(
            name: "Providers",
            dependencies: [
                "Products", "Networking", "Persistence", "Analytics", "JSON", "FileSystem", "Configuration", crypto,
                logging,
            ]),
        .target(
            name: "Service",
            dependencies: [
                "EventLoop", "HTTPServer", "Networking", "Products", "Analytics", "Persistence", "Providers",
                "Configuration", "JSON", "FileSystem", crypto, logging, lifecycle, signals,
            ]),
        .executableTarget(name: "larder", dependencies: ["Service", "Configuration", arguments]),
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        .testTarget(name: "ConfigurationTests", dependencies: ["Configuration"]),
        .testTarget(name: "NetworkingTests", dependencies: ["Networking", "EventLoop", "Configuration", "TestSupport"]),
    ]
)

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
