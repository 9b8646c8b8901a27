import FileSystem
import FoundationEssentials
import JSON
import Networking
import Persistence
import Serving
import TestSupport
import Testing

@testable import Service

/// A running service on sockets, with its upstream, clock, log and data directory.
final class Stand: AskedService {
    /// Before the present, so that the `Date` of the upstream is in its future, which says nothing.
    let clock = ManualWallClock(now: Date(timeIntervalSince1970: 1_700_000_000))
    let log = LogRecorder()
    let shop: Shop
    let directory: TemporaryDirectory
    private(set) var settings: ServiceSettings
    private var service: RunningService?

    private init(_ shop: Shop, _ adjust: (inout ServiceSettings) -> Void) async throws {
        self.shop = shop
        directory = try TemporaryDirectory()
        settings = ServiceSettings(upstream: shop.address, data: directory.path)
        adjust(&settings)
    }

    /// Runs a test with a service in front of a practice upstream, and stops both.
    static func with(
        _ adjust: (inout ServiceSettings) -> Void = { _ in }, _ body: (Stand) async throws -> Void
    ) async throws {
        let shop = try await Shop()
        try await attempt({ try await Stand(shop, adjust).run(body) }, finally: { await shop.close() })
    }

    private func run(_ body: (Stand) async throws -> Void) async throws {
        try await attempt {
            try await start()
            try await body(self)
        } finally: {
            try await stop()
        }
    }

    func start() async throws {
        service = try await RunningService(yaml: settings.yaml, clock: clock, log: log)
    }

    /// Does nothing when it is stopped already.
    func stop() async throws {
        try await service?.stop()
        service = nil
    }

    /// Stops the service and starts another one on the same data.
    func restart(_ adjust: (inout ServiceSettings) -> Void = { _ in }) async throws {
        try await stop()
        adjust(&settings)
        try await start()
    }

    /// Reloads the running service with other settings, and returns when they are in force.
    func reload(_ adjust: (inout ServiceSettings) -> Void = { _ in }) async throws {
        adjust(&settings)
        try await reload(settings.yaml, until: "notice: reloaded")
    }

    /// Reloads the running service, and returns when it has logged the outcome.
    func reload(_ yaml: String, until line: String) async throws {
        let count = log.count(of: line)
        try ask(toReload: yaml)
        await log.wait(for: line, count: count + 1)
    }

    func ask(toReload yaml: String) throws {
        try #require(service).reload(yaml)
    }

    /// Asks for the bytes as they are unless other headers say otherwise, for the client by itself accepts gzip.
    func send(
        _ target: String, _ method: String, _ headers: [HTTPHeader], admin: Bool
    ) async throws -> HTTPClientResponse {
        let isCoded = headers.contains { $0.name == "Accept-Encoding" }
        return try await shop.client.send(
            HTTPClientRequest(
                method: method, url: try url(target, admin: admin),
                headers: headers + (isCoded ? [] : [HTTPHeader("Accept-Encoding", "identity")]), limits: .wide))
    }

    /// Asks until there is a fresh answer and the log has said so, which with a short timeout on a busy machine may take
    /// more than one try.
    func warm() async throws -> HTTPClientResponse {
        var fresh: HTTPClientResponse?
        try await eventually {
            let answer = try await get("/products")
            if answer.headers.catalogueAge == "0", answer.headers.cacheStatus == "larder; hit; ttl=10" {
                fresh = answer
            }
            return fresh != nil
        }
        let failures = log.count(of: "error: upstream fails, nothing to serve")
        await log.wait(for: "notice: upstream recovered", count: failures)
        return try #require(fresh)
    }

    /// The parts of the running service.
    var parts: Reloader.Parts {
        get throws { try #require(service).application.parts }
    }

    func url(_ target: String, admin: Bool = false) throws -> String {
        "http://127.0.0.1:\(try port(admin: admin))\(target)"
    }

    func port(admin: Bool = false) throws -> Int {
        let application = try #require(service).application
        return admin ? application.adminPort : application.port
    }

    /// The store's files with their bytes, once everything is saved.
    func stored() async throws -> [String: [UInt8]] {
        for store in try parts.current.edition.graph.components.stores {
            await (store.component as? JSONFileProductsStore)?.close(within: .seconds(30))
        }
        var files: [String: [UInt8]] = [:]
        for name in try Files.list(directory("store")) where name.hasPrefix("generation-") {
            files[name] = try Files.read(directory("store/\(name)"))
        }
        return files
    }

    /// The names of the events that were written, in order.
    func events(in file: String = "events.jsonl") throws -> [String] {
        try Files.read(directory(file)).split(separator: UInt8(ascii: "\n")).map { line in
            try JSONParser().parse(Array(line)).object?["event"]?.string ?? "none"
        }
    }
}
