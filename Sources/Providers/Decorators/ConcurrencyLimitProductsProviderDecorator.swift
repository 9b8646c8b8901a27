internal import Concurrency
package import Products

/// Limits the number of concurrent calls to its upstream.
///
/// While all places are taken, calls wait in order of arrival, and fail at once if the queue is full. A cancelled
/// caller leaves the queue. A `timeout` above limits the time in the queue.
package struct ConcurrencyLimitProductsProviderDecorator: ProductsProvider {
    private let upstream: any ProductsProvider
    private let gate: ConcurrencyGate

    /// Decorates `upstream`.
    ///
    /// - Parameter max: the most concurrent calls, at least 1.
    package init(upstream: any ProductsProvider, max: Int, queue: Int = 0) {
        self.upstream = upstream
        gate = ConcurrencyGate(places: max, queue: queue)
    }

    /// Returns the upstream's answer; throws `ProductsFailure.overloaded` without a free place.
    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        try await gate.enter()
        defer { gate.leave() }
        return try await upstream.products(for: request)
    }
}

extension ConcurrencyLimitProductsProviderDecorator: StateReporting {
    package var report: ProviderReport {
        let (inside, waiting) = gate.occupancy
        return ProviderReport(entries: [
            LiveStateEntry("in_flight", "\(inside)"), LiveStateEntry("waiting", "\(waiting)"),
        ])
    }
}

/// A counting semaphore with a bounded queue in order of arrival.
final class ConcurrencyGate: Sendable {
    private struct Waiter: Sendable {
        let id: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State: Sendable {
        var inside = 0
        /// Not empty only while all places are taken: a place that becomes free goes to the first waiter.
        var waiters: [Waiter] = []
        var nextID = 0
    }

    private enum Arrival: Sendable {
        case entered, full, mustWait
    }

    let places: Int
    private let queue: Int
    private let state = Mutex(State())

    /// Creates a gate with this many places, and this many waiters.
    init(places: Int, queue: Int) {
        precondition(places > 0 && queue >= 0, "places must be positive, and the queue not negative")
        self.places = places
        self.queue = queue
    }

    var occupancy: (inside: Int, waiting: Int) {
        state.withLock { ($0.inside, $0.waiters.count) }
    }

    /// Waits for a place and takes it. `leave` returns it.
    ///
    /// - Throws: `ProductsFailure.overloaded` when the queue is full, `CancellationError` if the task is cancelled in
    ///   it.
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

    /// Returns the place, or hands it to the first waiter.
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

    /// Waits for a place. Checks everything again, since the state may have changed after `enter`.
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
            remove(id)?.continuation.resume(throwing: CancellationError())
        }
    }

    private func remove(_ id: Int) -> Waiter? {
        state.withLock { state in
            state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
        }
    }
}
