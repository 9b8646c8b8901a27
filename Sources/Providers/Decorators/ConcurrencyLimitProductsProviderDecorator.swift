internal import Concurrency
public import Configuration
public import Products

/// At most so many questions at once to what is below.
///
/// Those that come while all places are taken wait in the order in which they came, as long as the queue has room, and
/// fail at once when it has none. A caller that is cancelled leaves the queue. How long one may wait is for a `timeout`
/// above to say.
public struct ConcurrencyLimitProductsProviderDecorator: ProductsProvider {
    /// `type: concurrency_limit` in the `providers:` section.
    public static let spec = ComponentSpec<ProviderFamily>(
        type: "concurrency_limit",
        summary: "at most max questions at once; the rest wait in a queue, or fail at once",
        fields: [
            .required("max", .integer, "how many may be under way at once"),
            .defaulted("queue", .integer, "0", "how many more may wait for a place"),
            .required("upstream", .component(ProviderFamily.self), "the provider that is asked"),
        ],
        example: """
            { type: concurrency_limit, max: 10, queue: 100, \
            upstream: { type: http, request: { base_url: "http://shop.example" } } }
            """,
        plan: { reader in
            let places = reader.integer("max", in: 1...)
            let queue = reader.integer("queue", in: 0...)
            let upstream = reader.component("upstream", ProviderFamily.self)
            return { assembly in
                ConcurrencyLimitProductsProviderDecorator(
                    upstream: try upstream.instantiate(in: assembly),
                    gate: assembly.state(ifUnchanged: .settings) { ConcurrencyGate(places: places, queue: queue) })
            }
        })

    private let upstream: any ProductsProvider
    private let gate: ConcurrencyGate

    /// Decorates `upstream`.
    ///
    /// - Parameters:
    ///   - max: how many questions may be under way at once, 1 at least.
    ///   - queue: how many more may wait.
    public init(upstream: any ProductsProvider, max: Int, queue: Int = 0) {
        self.init(upstream: upstream, gate: ConcurrencyGate(places: max, queue: queue))
    }

    /// Decorates `upstream`, behind a gate through which others may have gone before.
    init(upstream: any ProductsProvider, gate: ConcurrencyGate) {
        self.upstream = upstream
        self.gate = gate
    }

    /// The upstream's answer; throws `ProductsFailure.overloaded` where there is no place.
    public func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        try await gate.enter()
        defer { gate.leave() }
        return try await upstream.products(for: request)
    }
}

extension ConcurrencyLimitProductsProviderDecorator: LiveStateReporting {
    /// How many questions are under way, and how many wait.
    public var liveState: [LiveStateEntry] {
        let (inside, waiting) = gate.occupancy
        return [LiveStateEntry("in_flight", "\(inside)"), LiveStateEntry("waiting", "\(waiting)")]
    }
}

/// Lets a number of tasks in at once, and others wait in the order in which they came.
final class ConcurrencyGate: Sendable {
    private struct Waiter: Sendable {
        let id: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State: Sendable {
        var inside = 0
        /// While somebody waits, everything inside is taken: places are handed on and not given back.
        var waiters: [Waiter] = []
        var nextID = 0
    }

    private enum Arrival: Sendable {
        case entered, full, mustWait
    }

    /// How many may be inside.
    let places: Int
    private let queue: Int
    private let state = Mutex(State())

    /// A gate with so many places inside and in the queue before it.
    init(places: Int, queue: Int) {
        precondition(places > 0 && queue >= 0, "nobody would ever get in")
        self.places = places
        self.queue = queue
    }

    /// How many are inside and how many wait.
    var occupancy: (inside: Int, waiting: Int) {
        state.withLock { ($0.inside, $0.waiters.count) }
    }

    /// Goes in, as soon as there is a place. Whoever got in has to call `leave`.
    ///
    /// - Throws: `ProductsFailure.overloaded` when the queue is full, `CancellationError` for who is cancelled in it.
    func enter() async throws {
        let (arrival, id) = state.withLock { state in
            state.nextID += 1
            return (arrive(&state), state.nextID)
        }
        switch arrival {
        case .entered: return
        case .full: throw ProductsFailure.overloaded(limit: places)
        case .mustWait: try await wait(id)
        }
    }

    /// Goes out, and lets in who has waited longest.
    func leave() {
        let next: Waiter? = state.withLock { state in
            guard state.waiters.isEmpty else { return state.waiters.removeFirst() }
            state.inside -= 1
            return nil
        }
        next?.continuation.resume()
    }

    private func arrive(_ state: inout State) -> Arrival {
        if state.inside < places {
            state.inside += 1
            return .entered
        }
        return state.waiters.count < queue ? .mustWait : .full
    }

    /// Between asking for the place and waiting for it anything can have happened, so all is looked at once more.
    private func wait(_ id: Int) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    switch arrive(&state) {
                    case .entered: return .success(())
                    case .full: return .failure(ProductsFailure.overloaded(limit: places))
                    case .mustWait:
                        state.waiters.append(Waiter(id: id, continuation: continuation))
                        return nil
                    }
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            takeOut(id)?.continuation.resume(throwing: CancellationError())
        }
    }

    private func takeOut(_ id: Int) -> Waiter? {
        state.withLock { state in
            state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
        }
    }
}
