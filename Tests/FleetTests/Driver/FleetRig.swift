import Concurrency
import FoundationEssentials
import JSON
import Logging
import MetricsTestKit
import Persistence
import Products
import TestSupport

@testable import Fleet

/// A fleet under one clock that the test holds: a storage in memory, and replicas that run on it as they are shipped.
struct FleetRig {
    let clock = ManualClock()
    let server: FleetServer

    /// - Parameter skew: how far the storage's clock is ahead of the replicas'.
    init(skew: Duration = .zero) {
        server = FleetServer(clock: clock, skew: skew)
    }

    var wallClock: WallClock {
        WallClock { [clock] in Self.start.addingTimeInterval(clock.now.offset / .seconds(1)) }
    }

    static let start = ManualWallClock().now

    func replica(
        _ name: String, refill: (any ProductsStore)? = nil, judge: (any CatalogueJudge)? = nil,
        _ change: (inout FleetMember.Settings) -> Void = { _ in }
    ) -> Replica {
        var settings = FleetMember.Settings(name: name, seed: UInt64(name.utf8.reduce(7) { $0 * 31 + Int($1) }))
        change(&settings)
        return Replica(self, settings, refill: refill, judge: judge)
    }

    /// Lets time pass, a little at a time, until a fact is true.
    func pass(until fact: () async throws -> Bool, fileID: String = #fileID, line: Int = #line) async throws {
        for _ in 0..<8000 {
            if try await fact() { return }
            clock.advance(by: .milliseconds(5))
            try await Task.sleep(for: .milliseconds(1))
        }
        throw NeverCame(place: "\(fileID):\(line)")
    }

    /// Lets time pass until the work is done.
    func result<Value: Sendable>(
        of work: @escaping @Sendable () async throws -> Value, fileID: String = #fileID, line: Int = #line
    ) async throws -> Value {
        let result = Mutex<Result<Value, any Error>?>(nil)
        let task = Task {
            do {
                let value = try await work()
                result.withLock { $0 = .success(value) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
        }
        defer { task.cancel() }
        try await pass(until: { result.withLock { $0 != nil } }, fileID: fileID, line: line)
        guard let result = result.withLock({ $0 }) else { throw NeverCame(place: "\(fileID):\(line)") }
        return try result.get()
    }

    struct NeverCame: Error, CustomStringConvertible {
        let place: String
        var description: String { "\(place): it did not come true while forty seconds passed" }
    }
}

/// One replica: its way to the storage, its upstream, and what makes answers of both.
final class Replica: Sendable {
    let rig: FleetRig
    let link: FakeLink
    let upstream = FakeUpstream()
    let log = LogRecorder()
    let metrics = TestMetrics()
    let store: SharedProductsStore
    let catalogue: FleetCatalogue
    let provider: SharedCachingProductsProviderDecorator
    private let job = Mutex<Task<Void, Never>?>(nil)
    /// The place of the last answer, which the next request has like that of a memory.
    private let known = Mutex(CatalogueMark.none)

    init(
        _ rig: FleetRig, _ settings: FleetMember.Settings, refill: (any ProductsStore)?, judge: (any CatalogueJudge)?
    ) {
        self.rig = rig
        link = FakeLink(server: rig.server)
        store = SharedProductsStore(
            name: "shared", settings: settings, refill: refill, logger: log.logger, metricLabel: "shared",
            metrics: metrics, clock: rig.clock, wallClock: rig.wallClock
        ) { [link] _ in FakeStorage(link: link) }
        catalogue = store.catalogue(fingerprint: "f")
        provider = SharedCachingProductsProviderDecorator(
            name: "caching", upstream: upstream, catalogue: catalogue, judge: judge)
    }

    /// Runs it until `stop` or the end of the test.
    func start() { job.withLock { $0 = Task.detached { [provider] in await provider.run() } } }

    func stop() async throws {
        guard let job = job.withLock({ $0 }) else { return }
        job.cancel()
        try await rig.result { await job.value }
    }

    deinit { job.withLock { $0?.cancel() } }

    /// Asks as a memory does at the end of its time.
    func ask(
        _ order: RefreshOrder? = nil, fileID: String = #fileID, line: Int = #line
    ) async throws -> ProductsAnswer {
        try await rig.result(of: asking(order), fileID: fileID, line: line)
    }

    func asking(_ order: RefreshOrder? = nil) -> @Sendable () async throws -> ProductsAnswer {
        { [self] in
            var request = ProductsRequest()
            (request.known, request.order) = (known.withLock { $0 }, order)
            let answer = try await provider.products(for: request)
            known.withLock { $0 = answer.mark == .none ? $0 : answer.mark }
            return answer
        }
    }

    /// Whether the fleet's pin is obeyed.
    var isPinned: Bool { catalogue.pinned != nil }

    /// The number of asks that wait.
    var asks: Int { catalogue.state.withLock { $0.asks.count } }

    /// Asks without passing time.
    func begin() -> Task<ProductsAnswer, any Error> {
        Task { [asking = asking()] in try await asking() }
    }

    func connected() async throws {
        start()
        try await rig.pass { store.report.isConnected }
    }

    /// The failure of an ask; nil for an answer.
    func failure(_ order: RefreshOrder? = nil) async throws -> ProductsFailure? {
        do {
            _ = try await ask(order)
            return nil
        } catch let failure as ProductsFailure {
            return failure
        }
    }

    func reads(_ outcome: String) -> Int64 { count("larder_shared_reads_total", outcome) }
    func commits(_ outcome: String) -> Int64 { count("larder_shared_commits_total", outcome) }

    private func count(_ label: String, _ outcome: String) -> Int64 {
        (try? metrics.expectCounter(label, [("store", "shared"), ("outcome", outcome)]).totalValue) ?? -1
    }
}

/// An upstream that counts, and can be stopped.
final class FakeUpstream: ProductsProvider {
    struct State: Sendable {
        var behaviour: @Sendable () throws -> ProductsAnswer = { try answer("Mug") }
        var calls = 0
        /// Whether each request forbade caches to answer.
        var revalidates: [Bool] = []
        var isHolding = false
    }

    let state = Observed(State())

    var calls: Int { state.value.calls }

    func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        state.update { state in
            state.calls += 1
            state.revalidates.append(request.revalidates)
        }
        await state.wait { !$0.isHolding }
        return try state.value.behaviour()
    }

    func gives(_ name: String) { behaves { try answer(name) } }

    func fails(_ failure: ProductsFailure) { behaves { throw failure } }

    func behaves(_ behaviour: @escaping @Sendable () throws -> ProductsAnswer) {
        state.update { $0.behaviour = behaviour }
    }

    func hold() { state.update { $0.isHolding = true } }
    func release() { state.update { $0.isHolding = false } }
}

func answer(_ name: String) throws -> ProductsAnswer {
    ProductsAnswer(snapshot: try snapshot(name), trail: [TrailStep(node: "http", outcome: .fetched)])
}

func snapshot(_ name: String, fetchedAt: Date = FleetRig.start) throws -> ProductsSnapshot {
    let products = (0..<3).map { number in
        PhysicalProduct(
            details: ProductDetails(
                id: "p\(number)", name: "\(name) \(number)",
                price: Price(amount: Decimal(1999 + number) / 100, currency: "EUR"), sales: number,
                attributes: ["sku": .string("\(number)")]))
    }
    return ProductsSnapshot(
        catalogue: try Catalogue(products: products), fetchedAt: fetchedAt, origin: .network)
}

func revision(_ name: String) throws -> String { try snapshot(name).revision }
