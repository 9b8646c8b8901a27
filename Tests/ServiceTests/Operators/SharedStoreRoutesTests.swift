import Concurrency
import Configuration
import CoreMetrics
import Fleet
import FoundationEssentials
import JSON
import Networking
import Persistence
import Products
import Serving
import ServingTestSupport
import TestSupport
import Testing
internal import Wiring

@testable import Prometheus
@testable import Service

@Suite(.timeLimit(.minutes(1)))
struct SharedStoreRoutesTests {
    private let store = ScriptedFleet()
    private let shelf: Shelf
    private let service: InMemoryService

    init() throws {
        let (store, shelf) = (store, Shelf(isStore: true, isEmpty: false))
        self.shelf = shelf
        service = try InMemoryService(
            """
            top: { type: memory, ttl: 10s, upstream: remote }
            remote: { type: caching, store: disk, upstream: { type: caching, store: shared, upstream: shop } }
            """,
            sections: "stores: { disk: { type: shelf }, shared: { type: fleet } }",
            adding: { $0.register(StoreFamily.self, [shelf.storeSpec, store.spec]) })
    }

    @Test func `the graph tells tier, connection, holder, generation, lag and pin`() async throws {
        _ = try await service.warm()
        store.change { $0 = Self.follower }
        let shared = try #require(try await service.graph()["shared_stores"]?.array?.first?.object)
        #expect(shared["store"]?.string == "shared")
        #expect(shared["tiers"]?.array?.compactMap(\.string) == ["top", "disk", "shared"])
        #expect(shared["connected"]?.bool == true)
        #expect(shared["holder"]?.string == "b")
        #expect(shared["generation"]?.number?.integer == 40)
        #expect(shared["lag_seconds"]?.number?.double == 1.5)
        #expect(shared["pin"]?.object?["generation"]?.number?.integer == 40)
        let newest = try #require(shared["newest"]?.object)
        #expect(newest["generation"]?.number?.integer == 41)
        #expect(newest["checked_at"]?.string == service.clock.now.formatted(.iso8601))
        let replicas = try #require(shared["replicas"]?.array).compactMap(\.object)
        #expect(replicas.compactMap { $0["name"]?.string } == ["a", "b"])
        #expect(replicas[1]["silence_seconds"]?.number?.double == 3)
    }

    @Test func `the page has a row for each replica, as text`() async throws {
        _ = try await service.warm()
        store.change { $0 = Self.follower }
        store.rename("b", "<b>")
        let page = try await service.get("/graph.html", admin: true).text
        #expect(page.contains("<h2>store shared</h2>"))
        #expect(page.contains("<div><dt>tier</dt><dd>top › disk › shared</dd></div>"))
        #expect(page.contains("<div><dt>turn</dt><dd>&lt;b&gt;</dd></div>"))
        #expect(page.contains("<div><dt>newest</dt><dd>41, checked 0 s ago</dd></div>"))
        #expect(page.contains("<tr><td>a (this one)</td><td>40</td>"))
        #expect(
            page.contains("<td>&lt;b&gt;</td><td>41</td><td>newer</td><td>0 s</td><td>3 s ago</td><td>refreshes</td>"))
        #expect(!page.contains("not connected"))
    }

    @Test func `a store that is away is asked for no replicas, and is a trouble on the page alone`() async throws {
        _ = try await service.warm()
        let shared = try #require(try await service.graph()["shared_stores"]?.array?.first?.object)
        #expect(shared["connected"]?.bool == false)
        #expect(shared["replicas"] == .null && shared["holder"] == .null)
        #expect(store.asked == 0)
        let page = try await service.get("/graph.html", admin: true).text
        #expect(page.contains("<p class=\"trouble\">store shared: not connected</p>"))
        #expect(try await service.get("/readyz").status == 200)
    }

    @Test func `readiness has a line without names and addresses, and never fails by it`() async throws {
        _ = try await service.warm()
        func line() async throws -> String? {
            let plain = try await service.get("/readyz?verbose").text
            #expect(!plain.contains("shared"))
            let response = try await service.get("/readyz?verbose", admin: true)
            #expect(response.status == 200)
            return response.text.split(separator: "\n").first { $0.contains("fleet") }.map(String.init)
        }
        #expect(try await line() == "[+]fleet warn: shared: not connected")
        #expect(try await service.get("/readyz?verbose").text.contains("\n[+]fleet warn: not connected\n"))
        store.change { $0 = Self.follower }
        #expect(try await line() == "[+]fleet ok: shared: connected, generation 40, 1 s behind")
        let accept = [HTTPHeader("Accept", "application/health+json")]
        let followed = try await service.get("/readyz?verbose", headers: accept, admin: true).json
        #expect(followed?["checks"]?.object?["fleet:shared"]?.array?.first?.object?["status"] == "pass")
        store.change { ($0.lag, $0.isFormer) = (.seconds(61), true) }
        #expect(
            try await line()
                == "[+]fleet warn: shared: connected, generation 40, 61 s behind, a catalogue of another configuration")
        let behind = try await service.get("/readyz?verbose", headers: accept, admin: true).json
        #expect(behind?["checks"]?.object?["fleet:shared"]?.array?.first?.object?["status"] == "warn")
        #expect(store.asked == 0)
    }

    @Test func `orders are about the shared store unless they name another one`() async throws {
        #expect(try await service.get("/history", admin: true).json?["store"]?.string == "shared")
        #expect(try await service.get("/history?store=disk", admin: true).json?["store"]?.string == "disk")
        #expect(try await service.get("/history?store=cellar", admin: true).status == 404)
    }

    @Test func `a catalogue that is let through is let through at all replicas`() async throws {
        let (store, shelf) = (store, shelf)
        let service = try InMemoryService(
            """
            top: { type: memory, upstream: { type: caching, store: shared, upstream: { type: shelved } } }
            """,
            sections: "stores: { shared: { type: fleet } }",
            adding: { registry in
                registry.register(StoreFamily.self, [store.spec])
                registry.register(ProviderFamily.self, [shelf.providerSpec])
            })
        try shelf.publish(["Mug"])
        try shelf.quarantine(["Mug", "Cup"])
        let accepted = try await service.graph.controls.accept(node: nil, revision: nil)
        #expect(store.accepted == [accepted.revision])
        #expect(try await service.get("/products").status == 200)
    }

    @Test func `metrics tell the state at the scrape, and every outcome from 0 on`() async throws {
        let labels = ["store": "shared"]
        let apart = try await service.metrics()
        #expect(apart.value("larder_shared_connected", labels) == 0)
        #expect(apart.value("larder_shared_generation", labels) == 0)
        store.change { $0 = Self.follower }
        store.change { $0.holdsTurn = true }
        let exposed = try await service.metrics()
        #expect(exposed.value("larder_shared_connected", labels) == 1)
        #expect(exposed.value("larder_shared_lease_held", labels) == 1)
        #expect(exposed.value("larder_shared_generation", labels) == 40)
        #expect(exposed.value("larder_shared_revision_lag_seconds", labels) == 1.5)
        let meter = store.meter
        for note in [FleetNote.commit("fenced"), .read("damaged"), .lost] { meter?.count(note) }
        meter?.adopted(after: .milliseconds(80))
        meter?.adopted(after: .milliseconds(-5))
        let counted = try await service.metrics()
        func count(_ name: String, _ outcome: String) -> Double? {
            counted.value("larder_shared_\(name)_total", ["store": "shared", "outcome": outcome])
        }
        for outcome in ["committed", "confirmed", "missing", "too_large", "failed"] {
            #expect(count("commits", outcome) == 0, "\(outcome)")
        }
        for outcome in ["adopted", "missing", "too_large", "refused", "failed"] {
            #expect(count("reads", outcome) == 0, "\(outcome)")
        }
        #expect(count("commits", "fenced") == 1 && count("reads", "damaged") == 1 && count("reads", "lost") == 1)
        let propagation = "larder_shared_propagation_seconds"
        #expect(counted.value("\(propagation)_count", labels) == 2)
        #expect(counted.value("\(propagation)_bucket", ["store": "shared", "le": "0.05"]) == 1)
        #expect(counted.value("\(propagation)_bucket", ["store": "shared", "le": "0.1"]) == 2)
    }

    @Test func `a graph without a shared store tells nothing of one`() async throws {
        let service = try InMemoryService()
        _ = try await service.warm()
        #expect(try await service.graph()["shared_stores"] == nil)
        #expect(!(try await service.get("/graph.html", admin: true).text).contains("<h2>"))
        #expect(!(try await service.get("/readyz?verbose").text).contains("fleet"))
        #expect(try await service.metrics()["larder_shared_connected"] == nil)
    }

    /// A replica that gives a pinned catalogue.
    private static var follower: FleetReport {
        var report = FleetReport()
        (report.name, report.isConnected, report.served) = ("a", true, (40, "older"))
        report.lag = .milliseconds(1500)
        report.pointer = CataloguePointer(
            generation: 41, revision: "newer", epoch: 7, startedAt: 1_799_999_999_000, checkedAt: 1_800_000_000_000,
            count: 100, bytes: 5000, sha256: "00", writer: "b")
        let order = OperatorOrder(at: Date(timeIntervalSince1970: 1_800_000_000), by: "somebody", reason: nil)
        report.pin = CataloguePin(generation: 40, revision: "older", order: order)
        return report
    }
}

/// A shared store whose state a test sets. It keeps nothing.
private final class ScriptedFleet: GraphStore, SharedHistory {
    private struct State {
        var report = FleetReport()
        var replicas = [
            FleetReport.Replica(
                name: "a", generation: 40, revision: "older", holdsTurn: false, silence: .zero,
                lag: .milliseconds(1500)),
            FleetReport.Replica(
                name: "b", generation: 41, revision: "newer", holdsTurn: true, silence: .seconds(3), lag: .zero),
        ]
        var asked = 0
        var accepted: [String] = []
        var meter: FleetMeter?
    }

    private let state = Mutex(State())

    var report: FleetReport { state.withLock(\.report) }
    /// How often the replicas were asked for.
    var asked: Int { state.withLock(\.asked) }
    var accepted: [String] { state.withLock(\.accepted) }
    var meter: FleetMeter? { state.withLock(\.meter) }

    func change(_ change: (inout FleetReport) -> Void) {
        state.withLock { change(&$0.report) }
    }

    func rename(_ name: String, _ other: String) {
        state.withLock { state in
            for index in state.replicas.indices where state.replicas[index].name == name {
                state.replicas[index].name = other
            }
        }
    }

    func replicas() async -> [FleetReport.Replica] {
        state.withLock { state in
            state.asked += 1
            return state.replicas
        }
    }

    func accept(revision: String) async throws(ProductsFailure) {
        state.withLock { $0.accepted.append(revision) }
    }

    func history() async throws(ProductsFailure) -> [HistoryEntry] { [] }
    func snapshot(of target: HistoryTarget) async throws(ProductsFailure) -> ProductsSnapshot { throw .notStored }
    func currentPin() async throws(ProductsFailure) -> CataloguePin? { nil }
    func pin(_ target: HistoryTarget, by order: OperatorOrder) async throws(ProductsFailure) -> CataloguePin {
        throw .notStored
    }
    func unpin() async throws(ProductsFailure) -> CataloguePin? { nil }

    func products(for request: ProductsRequest) async throws -> ProductsAnswer { throw ProductsFailure.notStored }
    var changes: AsyncStream<Void> { AsyncStream { $0.finish() } }
    func pinned() async -> ProductsAnswer? { nil }
    func hasNewer(than mark: CatalogueMark) -> Bool { false }
    func save(_ snapshot: ProductsSnapshot) async throws {}
    func saveLater(_ snapshot: ProductsSnapshot) {}
    func generationCount() async -> Int? { nil }
    var savingTime: Duration { .zero }
    func caching(_ node: CachingNode) -> any ProductsProvider { node.saving(to: self) }

    var spec: ComponentSpec<StoreFamily> {
        ComponentSpec<StoreFamily>(
            type: "fleet", summary: "a scripted shared store", fields: [], example: "{ type: fleet }"
        ) { _ in
            { [self] assembly in
                let factory = assembly.optionalResource((any MetricsFactory).self)
                state.withLock { $0.meter = factory.map { FleetMeter(store: "shared", factory: $0) } }
                return self
            }
        }
    }
}
