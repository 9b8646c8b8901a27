import FileSystem
import Glibc
import JSON
import Networking
import TestSupport
import Testing

/// An example config with the variables that it needs.
struct Example: Sendable, CustomTestStringConvertible {
    static let token = "partner-token-1"

    /// Configs for a shop's API, one recording each.
    static let shops = ["dummyjson", "fakestore", "woocommerce", "shopify", "bigcommerce", "commercetools"]
        .map { Example(Recording($0)) }
    /// Recordings of an API whose minor units count by the currency's digits.
    static let currencies = ["commercetools-jpy", "commercetools-kwd"].map { Example(Recording($0)) }

    static let seed = Example(name: "seed", upstreams: ["LARDER_UPSTREAM"])
    static let audience = Example(name: "audience")
    static let optOut = Example(name: "opt-out")
    static let optOutByComposition = Example(name: "opt-out-by-composition")
    static let abTest = Example(
        name: "ab-test", secrets: ["LARDER_PARTNER_TOKEN_FILE": token],
        upstreams: ["LARDER_UPSTREAM_URL", "LARDER_PARTNER_URL"])
    static let resilient = Example(name: "resilient")
    static let merged = Example(name: "merged", upstreams: ["LARDER_UPSTREAM_URL", "LARDER_SECOND_UPSTREAM_URL"])
    static let overlay = Example(name: "overlay", upstreams: ["LARDER_UPSTREAM_URL", "LARDER_STOCK_URL"])
    static let findable = Example(name: "findable")
    static let fleet = Example(name: "fleet", secrets: ["LARDER_REDIS_PASSWORD_FILE": token])
    static let djangoOscar = Example(name: "django-oscar")
    static let googleFeed = Example(name: "google-feed")
    static let googleAnalytics = Example(name: "google-analytics", secrets: ["LARDER_GOOGLE_SECRET_FILE": token])

    /// Configs for a way to compose the graph.
    static let compositions = [
        seed, audience, optOut, optOutByComposition, abTest, resilient, merged, overlay, findable, fleet, djangoOscar,
        googleFeed,
        googleAnalytics,
    ]

    let recording: Recording
    let name: String
    let secrets: [String: String]
    /// The variables for the URLs of upstreams; for their hosts and ports where the name does not end with `_URL`.
    let upstreams: [String]

    init(_ recording: Recording) {
        self.recording = recording
        (name, secrets) = (recording.config, recording.secrets)
        upstreams = ["LARDER_UPSTREAM_URL"]
    }

    private init(name: String, secrets: [String: String] = [:], upstreams: [String] = ["LARDER_UPSTREAM_URL"]) {
        recording = .plain(name)
        (self.name, self.secrets, self.upstreams) = (name, secrets, upstreams)
    }

    var testDescription: String { recording.name }

    var config: String { "\(Repository.root)/config/examples/\(name).yaml" }

    /// The variables without a default.
    var needed: Set<String> {
        let isComposition = Self.compositions.contains { $0.name == name }
        return Set(secrets.keys).union(recording.variables.keys).subtracting(["LARDER_CURRENCY"])
            .union(isComposition ? upstreams : [])
    }

    /// All variables for the config; secrets are put into files.
    ///
    /// - Parameter secret: the content of those files in place of the right one.
    func environment(
        upstreams urls: [String], in directory: TemporaryDirectory, secret: String? = nil
    ) throws -> [String: String] {
        var environment = [
            "LARDER_DATA": directory("data"), "LARDER_LISTEN": "127.0.0.1:0", "LARDER_ADMIN": "127.0.0.1:0",
        ]
        environment.merge(zip(upstreams, urls)) { $1 }
        environment.merge(recording.variables) { $1 }
        for (variable, content) in secrets {
            let path = directory("\(variable)-\(UInt64.random(in: 0...UInt64.max))")
            try Files.create(path, Array("\(secret ?? content)\n".utf8))
            environment[variable] = path
        }
        return environment
    }

    /// Whether a text has a secret in it, as it is or as it is sent.
    func isTold(in text: String) -> Bool {
        secrets.values.contains { text.contains($0) } || text.contains("Basic ") || text.contains("Bearer ")
    }
}

/// A `larder serve` with an example config, and a client of it.
struct ExampleService {
    let process: LarderProcess
    private let port: Int
    private let visitor: Visitor
    private let directory: TemporaryDirectory

    /// Runs a test with the service as soon as it is ready, and ends it.
    ///
    /// - Parameter config: another file than the example's own.
    static func with(
        _ example: Example, config: String? = nil, upstreams: [StandIn], settings: [String: String] = [:],
        in directory: TemporaryDirectory, _ body: (ExampleService) async throws -> Void
    ) async throws {
        let environment = try example.environment(upstreams: upstreams.map(\.url), in: directory)
        let process = try LarderProcess(
            ["serve", "--config", config ?? example.config], environment: environment.merging(settings) { $1 },
            in: directory)
        defer { process.signal(SIGKILL) }
        let port = try await process.logged("serving", "port")
        try await Visitor.with { visitor in
            let service = ExampleService(process: process, port: port, visitor: visitor, directory: directory)
            try await eventually { try await visitor.get(port, "/readyz").status == 200 }
            try await body(service)
        }
        #expect(!example.isTold(in: String(decoding: process.output, as: UTF8.self) + process.error))
    }

    /// Asks for the products.
    func get(_ header: (name: String, value: String)? = nil) async throws -> HTTPClientResponse {
        try await visitor.get(
            port, "/products", headers: header.map { [HTTPHeader($0.name, $0.value)] } ?? [])
    }

    /// Asks the port for operators.
    func operators(_ target: String) async throws -> HTTPClientResponse {
        try await visitor.get(try await process.logged("serving", "admin_port"), target)
    }

    func products(_ header: (name: String, value: String)? = nil) async throws -> [JSONValue]? {
        JSONValue.products(in: try await get(header).body)
    }

    /// Stops the service in order, and gives the events that it has written, in order.
    func events() async throws -> [JSONObject] {
        process.signal(SIGINT)
        #expect(await process.exit() == .init(status: 0, signal: nil))
        let path = directory("data/events.jsonl")
        let file = Files.exists(path) ? try Files.read(path) : []
        return try file.split(separator: UInt8(ascii: "\n")).compactMap { try JSONParser().parse(Array($0)).object }
    }
}
