import FileSystem
import Glibc
import JSON
import Networking
import TestSupport
import Testing

/// A `larder serve` with the config of a composition, and a client of it.
struct ComposedService {
    let process: LarderProcess
    private let port: Int
    private let visitor: Visitor
    private let directory: TemporaryDirectory

    /// Runs a test with the service as soon as it is ready, and ends it.
    ///
    /// - Parameters:
    ///   - config: another file than the composition's own.
    ///   - settings: what the config is told beside what it needs.
    static func with(
        _ composition: Composition, config: String? = nil, upstreams: [StandIn], settings: [String: String] = [:],
        in directory: TemporaryDirectory, _ body: (ComposedService) async throws -> Void
    ) async throws {
        let environment = try composition.environment(upstreams: upstreams.map(\.url), in: directory)
        let process = try LarderProcess(
            ["serve", "--config", config ?? composition.config], environment: environment.merging(settings) { $1 },
            in: directory)
        defer { process.signal(SIGKILL) }
        let port = try await process.logged("serving", "port")
        try await Visitor.with { visitor in
            let service = ComposedService(process: process, port: port, visitor: visitor, directory: directory)
            try await eventually { try await visitor.get(port, "/readyz").status == 200 }
            try await body(service)
        }
        #expect(!String(decoding: process.output, as: UTF8.self).contains(Composition.token))
        #expect(!process.error.contains(Composition.token))
    }

    /// Asks for the products.
    func get(_ header: (name: String, value: String)? = nil) async throws -> HTTPClientResponse {
        try await visitor.get(
            port, "/products", headers: header.map { [HTTPHeader($0.name, $0.value)] } ?? [])
    }

    /// Stops it in good order, and gives the events that were written, in order.
    func events() async throws -> [JSONObject] {
        process.signal(SIGINT)
        #expect(await process.exit() == .init(status: 0, signal: nil))
        let path = directory("data/events.jsonl")
        let file = Files.exists(path) ? try Files.read(path) : []
        return try file.split(separator: UInt8(ascii: "\n")).compactMap { try JSONParser().parse(Array($0)).object }
    }
}
