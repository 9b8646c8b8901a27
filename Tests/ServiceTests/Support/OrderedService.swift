@testable internal import Service
@testable internal import Serving
import Concurrency
import Configuration
import FoundationEssentials
import JSON
import Persistence
import Products
import ServingTestSupport
import TestSupport
internal import Wiring

/// A running service on sockets that takes orders: a `memory` above a gate above a store with a history, all scripted.
struct OrderedService: Sendable {
    let clock = ManualWallClock(now: Date(timeIntervalSince1970: 1_800_000_000))
    /// The time of streams of events.
    let pauses = ManualClock()
    let log = LogRecorder()
    let shelf: Shelf
    private let service: RunningService

    private init(_ shelf: Shelf, admin: String, address: String, serve: String) async throws {
        self.shelf = shelf
        service = try await RunningService(
            yaml: Self.yaml(admin: admin, address: address, hasStore: shelf.isStore, serve: serve), clock: clock,
            log: log,
            pauses: pauses,
            adding: { registry in
                registry.register(ProviderFamily.self, [shelf.providerSpec])
                registry.register(StoreFamily.self, [shelf.storeSpec])
            })
    }

    private static func yaml(admin: String, address: String = "127.0.0.1", hasStore: Bool, serve: String = "top")
        -> String
    {
        """
        http: { listen: 127.0.0.1:0, threads: 1, drain: { delay: 1ms, deadline: 10s } }
        admin: { listen: "\(address):0" \(admin) }
        stores: { shelf: { type: shelf } }
        providers:
          gate: { type: shelved \(hasStore ? ", store: shelf" : "") }
          top: { type: memory, ttl: 1h, hold_off: 1h, upstream: gate }
        serve: \(serve)
        """
    }

    /// - Parameters:
    ///   - admin: more of `admin:`, after a comma.
    ///   - address: the address at which the port for operators is open.
    ///   - serve: the root of the graph.
    ///   - shelf: the upstream and the store of an earlier service, which this one starts on.
    static func with(
        admin: String = "", address: String = "127.0.0.1", isStore: Bool = true, isEmpty: Bool = false,
        serve: String = "top", on shelf: Shelf? = nil,
        _ body: (OrderedService) async throws -> Void
    ) async throws {
        let service = try await OrderedService(
            shelf ?? Shelf(isStore: isStore, isEmpty: isEmpty), admin: admin, address: address, serve: serve)
        try await eventually { try await service.order("/readyz", method: "GET").status == 200 || isEmpty }
        try await attempt({ try await body(service) }, finally: { try await service.service.stop() })
    }

    var port: Int { service.application.port }

    /// The publication that requests are answered from; nil without one.
    var publication: CataloguePublication? {
        get async throws {
            let graph = service.application.parts.current.edition.graph
            return try await graph.provider.products(for: ProductsRequest()).lease?.publication
        }
    }

    /// Asks on the port for clients.
    func get(_ target: String, _ fields: String = "") async throws -> RawResponse {
        try await exchange("GET \(target) HTTP/1.1", fields, port: port)
    }

    /// The head that GET would have.
    func head(_ target: String, _ fields: String) async throws -> RawResponse {
        try await exchange("HEAD \(target) HTTP/1.1", fields, port: port)
    }

    /// Has the upstream publish products, and the service take them over.
    func put(_ names: [String], sales: Int = 0) async throws {
        try shelf.publish(names, sales: sales)
        let refreshed = try await order("/refresh")
        guard refreshed.status == 200 else { throw NotRefreshed(text: refreshed.text) }
    }

    struct NotRefreshed: Error {
        let text: String
    }

    /// Reloads the service with the config that it has.
    func reload() async throws {
        service.reload(Self.yaml(admin: "", hasStore: shelf.isStore))
        await log.wait(for: "notice: reloaded", count: 1)
    }

    var adminPort: Int { service.application.adminPort }

    /// Gives an order on the operators' port.
    func order(_ target: String, _ fields: String = "", method: String = "POST", host: String? = nil) async throws
        -> RawResponse
    {
        try await exchange("\(method) \(target) HTTP/1.1", fields, port: adminPort, host: host)
    }

    /// Asks on the operators' port.
    func show(_ target: String) async throws -> JSONObject {
        try await order(target, method: "GET").json
    }

    /// The name of the first product that clients get, and what `Cache-Status` adds to a hit.
    func served() async throws -> String {
        let response = try await exchange("GET /products HTTP/1.1", "", port: service.application.port)
        let name = response.json["products"]?.array?.first?.object?["name"]?.string ?? "\(response.status)"
        let detail = (response["Cache-Status"] ?? "").split(separator: ";").last { $0.contains("detail=") }
        return name + (detail ?? "")
    }

    private func exchange(_ line: String, _ fields: String, port: Int, host: String? = nil) async throws -> RawResponse
    {
        try await BackgroundThread.run {
            let client = try RawClient(port: port)
            try client.send("\(line)\r\nHost: \(host ?? "localhost:\(port)")\r\nConnection: close\r\n\(fields)\r\n")
            return try client.receiveToEnd()
        }
    }
}

extension RawResponse {
    /// The members of the body; none where it is no object.
    var json: JSONObject { (try? JSONParser().parse(body).object) ?? [:] }
}
