import Configuration
import FileSystem
import FoundationEssentials
import HTTPServer
import JSON
import Networking
import Products
import TestSupport
import Testing

@testable import Service

/// A service in front of two upstreams that a test fills, with a graph of the test's own.
final class VariedStand {
    let clock = ManualWallClock(now: Date(timeIntervalSince1970: 1_800_000_000))
    let gold: ScriptedShop
    let rest: ScriptedShop
    private let log = LogRecorder()
    private let client: Shop
    private let directory: TemporaryDirectory
    private var service: RunningService?

    private init() async throws {
        directory = try TemporaryDirectory()
        client = try await Shop(listeningOn: nil)
        gold = try await ScriptedShop()
        rest = try await ScriptedShop()
        gold.serve(try Self.catalogue("Gold"))
        rest.serve(try Self.catalogue("Rest"))
    }

    /// Runs a test with a service that serves the provider `top` of `providers`, in which `gold` and `rest` are the two
    /// upstreams and the sink `events` is a file.
    static func with(_ providers: String, http: String = "", _ body: (VariedStand) async throws -> Void) async throws {
        let stand = try await VariedStand()
        let outcome: Result<Void, any Error>
        do {
            try await stand.start(providers, http)
            outcome = .success(try await body(stand))
        } catch { outcome = .failure(error) }
        try await stand.stop()
        await stand.gold.close()
        await stand.rest.close()
        await stand.client.close()
        try outcome.get()
    }

    /// Products by which a test knows whose they are.
    static func catalogue(_ name: String) throws -> String {
        String(decoding: try makeCatalogue([name, "\(name) two"]).encoded, as: UTF8.self)
    }

    func get(_ target: String = "/products", _ headers: [String: String] = [:]) async throws -> HTTPClientResponse {
        try await visitor().get(target, headers)
    }

    /// As an operator who has a request with these headers explained.
    func explain(_ headers: [String: String] = [:]) async throws -> HTTPClientResponse {
        let port = try #require(service).application.adminPort
        return try await VariedStandVisitor(client: client.client, port: port).get("/products?explain=1", headers)
    }

    /// The name of the first product that a request with these headers gets; the status where it gets none.
    func name(_ headers: [String: String] = [:]) async throws -> String {
        try await visitor().name(headers)
    }

    /// Somebody who asks, beside others.
    func visitor() throws -> VariedStandVisitor {
        VariedStandVisitor(client: client.client, port: try #require(service).application.port)
    }

    /// Has the config read again, with another graph, and returns when the log says what became of it: that the graph is
    /// in force, unless another line is given.
    func reload(_ providers: String, until line: String = "notice: reloaded") async throws {
        let count = log.count(of: line)
        service?.reload(yaml(providers, ""))
        await log.wait(for: line, count: count + 1)
    }

    /// Does nothing when it is stopped already.
    func stop() async throws {
        try await service?.stop()
        service = nil
    }

    /// The events that were written until the service was stopped.
    func events() throws -> [JSONObject] {
        guard Files.exists(directory("events.jsonl")) else { return [] }
        return try Files.read(directory("events.jsonl")).split(separator: UInt8(ascii: "\n")).compactMap { line in
            try JSONParser().parse(Array(line)).object
        }
    }

    private func start(_ providers: String, _ http: String) async throws {
        service = try await RunningService(yaml: yaml(providers, http), clock: clock, log: log)
    }

    private func yaml(_ providers: String, _ http: String) -> String {
        """
        http: { listen: 127.0.0.1:0, threads: 1, drain: { delay: 1ms, deadline: 10s }\(http) }
        admin: { listen: 127.0.0.1:0 }
        analytics:
          events: { type: file, path: "\(directory("events.jsonl"))" }
        providers:
          gold: { type: http, timeout: 20s, request: { base_url: "http://127.0.0.1:\(gold.port)" } }
          rest: { type: http, timeout: 20s, request: { base_url: "http://127.0.0.1:\(rest.port)" } }
        \(providers.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))
        serve: top
        """
    }
}
