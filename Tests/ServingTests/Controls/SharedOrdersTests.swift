import Concurrency
import Configuration
import Fleet
import FoundationEssentials
import HTTPServer
import Persistence
import Products
import Providers
import Serving
import ServingTestSupport
import TestSupport
import Testing
import Wiring

@Suite(.timeLimit(.minutes(1)))
struct SharedOrdersTests {
    private let shelf = Shelf(isStore: true, isEmpty: false)
    private let fleet = SharedShelf()

    /// The controls of a graph with a store on this machine's disk, a shared one, and a gate below both.
    private func controls() throws -> GraphControls {
        var registry = ComponentRegistry()
        registry.register(ProviderFamily.self, [shelf.providerSpec, fleet.providerSpec])
        registry.register(StoreFamily.self, [shelf.storeSpec, fleet.storeSpec])
        let yaml = """
            stores: { disk: { type: shelf }, fleet: { type: fleet } }
            providers: { gate: { type: shelved, store: disk } }
            serve: { type: shared, store: fleet, upstream: gate }
            """
        let document = try ConfigDocument.parse(yaml, file: "f", environment: [:])
        let check = ConfigurationCheck(
            document: document, registry: registry,
            sections: [.required("serve", .component(ProviderFamily.self), "the root")])
        let plan = check.root.component("serve", ProviderFamily.self)
        _ = try check.finish()
        var resources = ComponentResources()
        resources.set(CatalogueSignal())
        let assembly = Assembly(resources: resources)
        _ = try plan.instantiate(in: assembly)
        return GraphControls(assembly)
    }

    @Test func `without a name an order is about the shared store, with one about the other`() throws {
        let controls = try controls()
        #expect(try controls.history(nil).label == "fleet")
        #expect(try controls.history("disk").label == "disk")
        #expect(controls.historiesForClients.count == 1 && controls.historiesForClients.allSatisfy { $0 is Shelf })
    }

    @Test func `an accepted catalogue is let through here and by the fleet`() async throws {
        let controls = try controls()
        try shelf.quarantine(["Mug"])
        let revision = try #require(shelf.quarantined?.catalogue.revision)
        let accepted = try await controls.accept(node: nil, revision: nil)
        #expect(accepted.node == "gate" && accepted.revision == revision && accepted.isShared == true)
        #expect(fleet.accepted == [revision])
        #expect(shelf.quarantined == nil)
    }

    @Test func `while the storage is away the order counts here, and says so`() async throws {
        let controls = try controls()
        try shelf.quarantine(["Mug"])
        fleet.isAway = true
        let accepted = try await controls.accept(node: "gate", revision: nil)
        #expect(accepted.isShared == false && fleet.accepted.isEmpty && shelf.quarantined == nil)
    }

    @Test
    func `a catalogue that only another replica has refused is accepted by the beginning of its revision`() async throws
    {
        let controls = try controls()
        await #expect(throws: OrderProblem.nothingQuarantined) { try await controls.accept(node: nil, revision: nil) }
        fleet.refused = "abcdef0123"
        await #expect(throws: OrderProblem.nothingQuarantined) {
            try await controls.accept(node: nil, revision: "ffff")
        }
        let accepted = try await controls.accept(node: nil, revision: "ABCD")
        #expect(accepted.node == "gate" && accepted.revision == "abcdef0123" && accepted.isShared == true)
        #expect(fleet.accepted == ["abcdef0123"])
        fleet.isAway = true
        await #expect(throws: OrderProblem.self) { try await controls.accept(node: nil, revision: nil) }
    }

    @Test func `a pin that no memory would serve is refused, and nothing is pinned`() async throws {
        let controls = try controls()
        let order = OperatorOrder(at: Date(timeIntervalSince1970: 0), by: "me", reason: nil)
        for store in ["disk", "fleet"] {
            await #expect(throws: OrderProblem.unpinnable(store)) {
                try await controls.pin(.newest, store: store, by: order)
            }
        }
        #expect(try await shelf.currentPin() == nil && fleet.pin == nil)
        #expect(OrderProblem.unpinnable("disk").response.status == .conflict)
    }

    @Test func `the state of the shared store is read without asking the storage`() async throws {
        let order = OperatorOrder(at: Date(timeIntervalSince1970: 0), by: "me", reason: nil)
        fleet.pin = CataloguePin(generation: 3, revision: "abcd", order: order)
        let state = await (try controls()).state()
        #expect(state.pins.map(\.store) == ["fleet"])
        #expect(
            state.texts == [
                "store fleet pinned: generation 3 since 1970-01-01T00:00:00Z by me; no memory here serves it"
            ])
        #expect(fleet.asked == 0)
    }
}

/// A shared store whose state the test sets, and a provider above it.
private final class SharedShelf: GraphStore, SharedHistory {
    private struct State {
        var refused: String?
        var pin: CataloguePin?
        var isAway = false
        var accepted: [String] = []
        var asked = 0
    }

    private let state = Mutex(State())

    var refused: String? {
        get { state.withLock(\.refused) }
        set { state.withLock { $0.refused = newValue } }
    }
    var pin: CataloguePin? {
        get { state.withLock(\.pin) }
        set { state.withLock { $0.pin = newValue } }
    }
    var isAway: Bool {
        get { state.withLock(\.isAway) }
        set { state.withLock { $0.isAway = newValue } }
    }
    var accepted: [String] { state.withLock(\.accepted) }
    /// How often something was asked for that the storage has to tell.
    var asked: Int { state.withLock(\.asked) }

    var report: FleetReport {
        var report = FleetReport()
        (report.refused, report.pin) = state.withLock { ($0.refused, $0.pin) }
        return report
    }

    func replicas() async -> [FleetReport.Replica] { [] }

    func accept(revision: String) async throws(ProductsFailure) {
        if isAway { throw .storeFailed(detail: "away", answered: false) }
        state.withLock { $0.accepted.append(revision) }
    }

    func history() async throws(ProductsFailure) -> [HistoryEntry] {
        state.withLock { $0.asked += 1 }
        return []
    }
    func snapshot(of target: HistoryTarget) async throws(ProductsFailure) -> ProductsSnapshot { throw .notStored }
    func currentPin() async throws(ProductsFailure) -> CataloguePin? {
        state.withLock { $0.asked += 1 }
        return pin
    }
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

    var storeSpec: ComponentSpec<StoreFamily> {
        ComponentSpec<StoreFamily>(type: "fleet", summary: "a scripted store", fields: [], example: "{ type: fleet }") {
            _ in { [self] _ in self }
        }
    }

    var providerSpec: ComponentSpec<ProviderFamily> {
        ComponentSpec<ProviderFamily>(
            type: "shared", summary: "uses the store",
            fields: [
                .required("store", .component(StoreFamily.self), "the store"),
                .required("upstream", .component(ProviderFamily.self), "the gate"),
            ], example: "{ type: shared }"
        ) { reader in
            let store = reader.component("store", StoreFamily.self)
            let upstream = reader.component("upstream", ProviderFamily.self)
            return { [self] assembly in
                _ = try store.instantiate(in: assembly)
                _ = try upstream.instantiate(in: assembly)
                return self
            }
        }
    }
}
