internal import Concurrency
internal import Persistence
package import Products
package import TestSupport
package import Tracing

/// A provider and store with scripted behaviour, which records the requests.
package final class ScriptedProvider: ProductsStore {
    package typealias Behaviour = @Sendable () throws -> ProductsAnswer

    private struct State: Sendable {
        var behaviour: Behaviour
        var requests: [ProductsRequest] = []
        var causes: [(any RequestIdentitySource)?] = []
        var explanations: [Explanation?] = []
        /// Callers that wait for `release`.
        var parked: [Int: CheckedContinuation<Void, any Error>] = [:]
        var isHolding = false
        var cancellations = 0
        var saved: [ProductsSnapshot] = []
        var pinned: ProductsSnapshot?
        var hasNewer = false
        /// How often it was asked whether it has a newer catalogue.
        var newerAsks = 0
        /// Whether answers have leases, which hold until it does something else.
        var publishes = false
        var publication: CataloguePublication?

        mutating func withdraw() {
            publication?.withdraw()
            publication = nil
        }
    }

    private let state: Observed<State>
    private let onDeinit: @Sendable () -> Void

    package init(
        _ behaviour: @escaping Behaviour = { throw ProductsFailure.notStored },
        onDeinit: @escaping @Sendable () -> Void = {}
    ) {
        state = Observed(State(behaviour: behaviour))
        self.onDeinit = onDeinit
    }

    deinit {
        onDeinit()
    }

    /// How often it was asked.
    package var calls: Int { state.value.requests.count }

    /// What it was asked, in order.
    package var requests: [ProductsRequest] { state.value.requests }

    /// On whose behalf it was asked, in order.
    package var causes: [RequestIdentity?] { state.value.causes.map { $0?.cause } }

    /// The path on which it was asked, in order; nil where none was recorded.
    package var explanations: [Explanation?] { state.value.explanations }

    package var changes: AsyncStream<Void> { AsyncStream { $0.finish() } }

    package func hasNewer(than mark: CatalogueMark) -> Bool {
        state.update { state in
            state.newerAsks += 1
            return state.hasNewer
        }
    }

    /// Returns as soon as it was asked so often whether it has a newer catalogue.
    package func wait(newerAsks count: Int) async {
        await state.wait { $0.newerAsks >= count }
    }

    /// How many callers were cancelled while they waited here.
    package var cancellations: Int { state.value.cancellations }

    /// What was saved, in order.
    package var saved: [ProductsSnapshot] { state.value.saved }

    /// From now on does this.
    package func does(_ behaviour: @escaping Behaviour) {
        state.update {
            $0.behaviour = behaviour
            $0.withdraw()
        }
    }

    /// From now on hands a lease on with each answer, like an observed `memory`.
    package func publishes() {
        state.update { $0.publishes = true }
    }

    /// From now on gives this snapshot.
    package func gives(_ snapshot: ProductsSnapshot) {
        does { ProductsAnswer(snapshot: snapshot) }
    }

    /// From now on gives this catalogue, confirmed at the time of the call.
    package func works(_ catalogue: Catalogue, _ wall: ManualWallClock) {
        does { [wall] in
            ProductsAnswer(snapshot: ProductsSnapshot(catalogue: catalogue, fetchedAt: wall.now, origin: .network))
        }
    }

    /// From now on has this snapshot pinned; nil for none.
    package func pins(_ snapshot: ProductsSnapshot?) {
        state.update { $0.pinned = snapshot }
    }

    /// Sets whether it claims a catalogue newer than any other.
    package func hasNewer(_ hasNewer: Bool) {
        state.update { ($0.hasNewer, $0.newerAsks) = (hasNewer, 0) }
    }

    /// Returns as soon as so many snapshots have been saved.
    package func wait(saved count: Int) async {
        await state.wait { $0.saved.count >= count }
    }

    /// From now on fails like this.
    package func fails(_ failure: ProductsFailure) {
        does { throw failure }
    }

    /// Suspends all calls from now on, until `release`.
    package func hold() {
        state.update {
            $0.isHolding = true
            $0.withdraw()
        }
    }

    /// Resumes all suspended calls.
    package func release() {
        let parked = state.update { state in
            state.isHolding = false
            defer { state.parked = [:] }
            return state.parked
        }
        for continuation in parked.values { continuation.resume() }
    }

    /// Returns as soon as it has been asked so often.
    package func wait(calls count: Int) async {
        await state.wait { $0.requests.count >= count }
    }

    /// Returns as soon as so many wait for `release`.
    package func wait(parked count: Int) async {
        await state.wait { $0.parked.count >= count }
    }

    /// Returns as soon as so many were cancelled while they waited.
    package func wait(cancellations count: Int) async {
        await state.wait { $0.cancellations >= count }
    }

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let (number, isHolding) = state.update { state in
            state.requests.append(request)
            state.causes.append(request.cause)
            state.explanations.append(request.explanation)
            return (state.requests.count, state.isHolding)
        }
        if isHolding { try await park(number) }
        return published(try state.value.behaviour())
    }

    private func published(_ answer: ProductsAnswer) -> ProductsAnswer {
        state.update { state in
            guard state.publishes else { return answer }
            let publication =
                state.publication
                ?? CataloguePublication(
                    fresh: answer, stale: answer, decide: { _ in .init(isStale: false, isRefreshDue: false) },
                    refresh: { _ in false })
            state.publication = publication
            return answer.leasing(publication).handingLease()
        }
    }

    package func pinned() async -> ProductsAnswer? {
        state.value.pinned.map {
            ProductsAnswer(snapshot: $0, trail: [TrailStep(node: "store", outcome: .pinned)])
        }
    }

    package func save(_ snapshot: ProductsSnapshot) async throws {
        saveLater(snapshot)
    }

    /// Saves at once.
    package func saveLater(_ snapshot: ProductsSnapshot) {
        state.update { $0.saved.append(snapshot) }
    }

    package func generationCount() async -> Int? { nil }

    package var savingTime: Duration { .zero }

    private func park(_ number: Int) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let mayGo = state.update { state in
                    guard state.isHolding, !Task.isCancelled else { return true }
                    state.parked[number] = continuation
                    return false
                }
                if mayGo { continuation.resume() }
            }
            try Task.checkCancellation()
        } onCancel: {
            let parked = state.update { state in
                state.cancellations += 1
                return state.parked.removeValue(forKey: number)
            }
            parked?.resume(throwing: CancellationError())
        }
    }
}

/// A provider that keeps every caller for a while, and knows how many it had at once.
package final class CrowdedProvider: ProductsProvider {
    private let crowd = Mutex((now: 0, most: 0, all: 0))

    package init() {}

    /// How many callers there were at once at most, and how many in all.
    package var counts: (most: Int, all: Int) { crowd.withLock { ($0.most, $0.all) } }

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        crowd.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.all + 1) }
        for _ in 0..<5 { await Task.yield() }
        crowd.withLock { $0.now -= 1 }
        return ProductsAnswer(snapshot: Self.snapshot)
    }

    private static let snapshot = makeSnapshot()
}

/// A provider that does not care whether anybody still waits: it answers when the test lets it, and not before.
package final class StubbornProvider: ProductsProvider {
    private struct State: Sendable {
        var isReleased = false
        var answered = 0
    }

    private let state = Observed(State())

    package init() {}

    package func release() {
        state.update { $0.isReleased = true }
    }

    /// Returns as soon as it has answered so often.
    package func wait(answered count: Int) async {
        await state.wait { $0.answered >= count }
    }

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        await state.wait(until: \.isReleased)
        state.update { $0.answered += 1 }
        return ProductsAnswer(snapshot: makeSnapshot())
    }
}
