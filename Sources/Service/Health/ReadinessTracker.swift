internal import FoundationEssentials
internal import Products
internal import Locks

/// Knows whether a catalogue can be served now: the rule behind `/readyz`.
///
/// It stands at the top of the graph and watches what every request gets. Ready means that the last answer may still be
/// served, whatever became of the upstream, and that the service is not stopping. Without any traffic it is fed by
/// `KeepWarm`.
final class ReadinessTracker: ProductsProvider {
    /// What a probe is told.
    enum Verdict: Sendable {
        case ready(ProductsAnswer)
        /// Nothing to serve: nothing came yet, or what came is too old.
        case empty(reason: String)
        case draining
    }

    private struct State {
        var last: ProductsAnswer?
        var failure = "no answer yet"
        var isDraining = false
    }

    private let upstream: any ProductsProvider
    private let wallClock: WallClock
    private let state = Mutex(State())

    init(upstream: any ProductsProvider, wallClock: WallClock) {
        self.upstream = upstream
        self.wallClock = wallClock
    }

    func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        do {
            let answer = try await upstream.products(for: request)
            note(answer)
            return answer
        } catch {
            noteFailure(error)
            throw error
        }
    }

    /// Whether a catalogue can be served now.
    var verdict: Verdict {
        let now = wallClock.now()
        return state.withLock { state in
            if state.isDraining { return .draining }
            guard let last = state.last else { return .empty(reason: state.failure) }
            if let end = last.freshness?.servableUntil, now > end { return .empty(reason: "too-old") }
            return .ready(last)
        }
    }

    /// From now on not ready.
    func startDraining() {
        state.withLock { $0.isDraining = true }
    }

    /// A hit tells nothing that the answer before it did not tell, so it does not wait for the lock.
    private func note(_ answer: ProductsAnswer) {
        if case .hit? = answer.freshness?.verdict {
            _ = state.withLockIfAvailable { $0.last = answer }
        } else {
            state.withLock { $0.last = answer }
        }
    }

    /// A cancelled request says nothing about the catalogue.
    private func noteFailure(_ error: any Error) {
        if error is CancellationError || error as? ProductsFailure == .cancelled { return }
        state.withLock { state in
            state.last = nil
            state.failure = Self.reason(of: error)
        }
    }

    private static func reason(of error: any Error) -> String {
        switch error {
        case ProductsFailure.unavailable(let reason, _, _): reason
        case let failure as ProductsFailure: failure.token
        default: "error"
        }
    }
}
