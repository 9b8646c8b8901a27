@testable internal import Serving
import Concurrency
import Configuration
import FoundationEssentials
import JSON
import Persistence
import Products
import TestSupport
internal import Wiring

@testable import Service

/// A running service on sockets that takes orders: a `memory` above a gate above a store with a history, all scripted.
struct OrderedService: Sendable {
    let clock = ManualWallClock(now: Date(timeIntervalSince1970: 1_800_000_000))
    /// The time of streams of events.
    let pauses = ManualClock()
    let log = LogRecorder()
    let shelf: Shelf
    private let service: RunningService

    private init(_ shelf: Shelf, admin: String, address: String) async throws {
        self.shelf = shelf
        service = try await RunningService(
            yaml: Self.yaml(admin: admin, address: address, hasStore: shelf.isStore), clock: clock, log: log,
            pauses: pauses,
            adding: { registry in
                registry.register(ProviderFamily.self, [shelf.providerSpec])
                registry.register(StoreFamily.self, [shelf.storeSpec])
            })
    }

    private static func yaml(admin: String, address: String = "127.0.0.1", hasStore: Bool) -> String {
        """
        http: { listen: 127.0.0.1:0, threads: 1, drain: { delay: 1ms, deadline: 10s } }
        admin: { listen: "\(address):0" \(admin) }
        stores: { shelf: { type: shelf } }
        providers:
          gate: { type: shelved \(hasStore ? ", store: shelf" : "") }
          top: { type: memory, ttl: 1h, hold_off: 1h, upstream: gate }
        serve: top
        """
    }

    /// - Parameters:
    ///   - admin: more of `admin:`, after a comma.
    ///   - address: the address at which the port for operators is open.
    static func with(
        admin: String = "", address: String = "127.0.0.1", isStore: Bool = true, isEmpty: Bool = false,
        _ body: (OrderedService) async throws -> Void
    ) async throws {
        let service = try await OrderedService(
            Shelf(isStore: isStore, isEmpty: isEmpty), admin: admin, address: address)
        try await eventually { try await service.order("/readyz", method: "GET").status == 200 || isEmpty }
        try await attempt({ try await body(service) }, finally: { try await service.service.stop() })
    }

    var port: Int { service.application.port }

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

/// A store with a history in memory, and the provider above it, which fills it, gives what is pinned, and refuses
/// catalogues.
final class Shelf: ProductsStore, ProductsHistory, QuarantiningProvider {
    private struct State {
        var upstream: Catalogue?
        var generations: [Catalogue] = []
        var pin: CataloguePin?
        var quarantined: QuarantinedCatalogue?
        var accepted: [String] = []
        var asked = 0
        var isPublishing = false
        var thinned: Set<Int> = []
        var listings = 0
    }

    let isStore: Bool
    private let state = Mutex(State())

    init(isStore: Bool, isEmpty: Bool) {
        self.isStore = isStore
        state.withLock { $0.isPublishing = isEmpty }
    }

    var asked: Int { state.withLock(\.asked) }
    /// How often the generations were listed.
    var listings: Int { state.withLock(\.listings) }

    /// Removes a generation.
    func thin(_ generation: Int) {
        state.withLock { _ = $0.thinned.insert(generation) }
    }

    var isPinned: Bool { state.withLock { $0.pin != nil } }

    func pinnedAnswer(to request: ProductsRequest) async -> ProductsAnswer? {
        guard let answer = try? await products(for: request), answer.isPinned else { return nil }
        return answer
    }

    /// From now on the upstream has these products; fails without any.
    func publish(_ names: [String]?, sales: Int = 0) throws {
        let catalogue = try names.map { try makeCatalogue($0, sales: sales) }
        state.withLock { ($0.upstream, $0.isPublishing) = (catalogue, true) }
    }

    /// Keeps a refused catalogue.
    func quarantine(_ names: [String]) throws {
        let catalogue = try makeCatalogue(names)
        state.withLock { state in
            state.quarantined = QuarantinedCatalogue(
                catalogue, replacing: state.generations.last, failure: .refused(.empty(count: 0, minimum: 1)),
                since: Date(timeIntervalSince1970: 1_800_000_000), heldUntil: nil)
        }
    }

    /// The start of the service asks before the first catalogue is published, and gets one that is not kept.
    func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        try state.withLock { state in
            let now = Date(timeIntervalSince1970: 1_800_000_000)
            guard state.isPublishing else { return makeAnswer(try makeCatalogue(["Start"]), fetchedAt: now) }
            state.asked += 1
            if let upstream = state.upstream, upstream.revision != state.generations.last?.revision {
                state.generations.append(upstream)
            }
            if let pin = state.pin {
                let pinned = ProductsSnapshot(
                    catalogue: state.generations[pin.generation - 1], fetchedAt: now, origin: .store)
                return ProductsAnswer(snapshot: pinned, trail: [TrailStep(node: "shelf", outcome: .pinned)])
            }
            guard let upstream = state.upstream else { throw ProductsFailure.upstreamStatus(503, retryAfter: nil) }
            return makeAnswer(upstream, fetchedAt: now)
        }
    }

    func save(_ snapshot: ProductsSnapshot) async throws {}
    func saveLater(_ snapshot: ProductsSnapshot) {}
    func generationCount() async -> Int? { state.withLock(\.generations.count) }
    var savingTime: Duration { .zero }

    func history() async throws(ProductsFailure) -> [HistoryEntry] {
        let (generations, thinned) = state.withLock { state in
            state.listings += 1
            return (state.generations, state.thinned)
        }
        return generations.enumerated().reversed().filter { !thinned.contains($0.offset + 1) }.map { index, catalogue in
            HistoryEntry(
                generation: index + 1, revision: catalogue.revision,
                fetchedAt: Date(timeIntervalSince1970: 1_800_000_000), origin: .network, count: catalogue.count,
                size: catalogue.encoded.count)
        }
    }

    func snapshot(of target: HistoryTarget) async throws(ProductsFailure) -> ProductsSnapshot {
        let found = try await entry(target)
        let catalogue = state.withLock { $0.generations[found.generation - 1] }
        return ProductsSnapshot(catalogue: catalogue, fetchedAt: found.fetchedAt, origin: .store)
    }

    private func entry(_ target: HistoryTarget) async throws(ProductsFailure) -> HistoryEntry {
        let entries = try await history()
        let found =
            switch target {
            case .newest: entries.first
            case .generation(let number): entries.first { $0.generation == number }
            case .revision(let digits): entries.first { $0.revision.hasPrefix(digits) }
            }
        guard let found else { throw .notStored }
        return found
    }

    func currentPin() async throws(ProductsFailure) -> CataloguePin? { state.withLock(\.pin) }

    func pin(_ target: HistoryTarget, by order: OperatorOrder) async throws(ProductsFailure) -> CataloguePin {
        let found = try await entry(target)
        let pin = CataloguePin(generation: found.generation, revision: found.revision, order: order)
        state.withLock { $0.pin = pin }
        return pin
    }

    func unpin() async throws(ProductsFailure) -> CataloguePin? { state.withLock { $0.pin.take() } }

    var quarantined: QuarantinedCatalogue? { state.withLock(\.quarantined) }

    func accept(revision: String) -> Bool {
        state.withLock { state in
            guard let held = state.quarantined, held.catalogue.revision == revision else { return false }
            state.upstream = held.catalogue
            state.quarantined = nil
            return true
        }
    }

    var providerSpec: ComponentSpec<ProviderFamily> {
        ComponentSpec<ProviderFamily>(
            type: "shelved", summary: "a scripted upstream",
            fields: [.optional("store", .component(StoreFamily.self), "where it keeps products")],
            example: "{ type: shelved }"
        ) { reader in
            let store = reader.optionalComponent("store", StoreFamily.self)
            return { [self] assembly in
                _ = try store?.instantiate(in: assembly)
                return self
            }
        }
    }

    var storeSpec: ComponentSpec<StoreFamily> {
        ComponentSpec<StoreFamily>(type: "shelf", summary: "a scripted store", fields: [], example: "{ type: shelf }") {
            _ in { [self] _ in self }
        }
    }
}
