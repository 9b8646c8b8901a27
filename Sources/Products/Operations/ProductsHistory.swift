internal import Concurrency
package import FoundationEssentials
package import Health

/// Lists the generations that a store keeps, and pins one of them.
///
/// While a generation is pinned the store gives it for every request, whatever is saved above it; saves go on. A pin
/// outlasts restarts and power cuts, and the pinned generation is never removed.
package protocol ProductsHistory: Sendable {
    /// Lists the usable generations, newest first.
    /// - Throws: `ProductsFailure.storeFailed` when the store cannot be read.
    func history() async throws(ProductsFailure) -> [HistoryEntry]
    /// Reads the snapshot of a generation.
    /// - Throws: `ProductsFailure.notStored` when there is none, and `storeFailed` when it cannot be read.
    func snapshot(of target: HistoryTarget) async throws(ProductsFailure) -> ProductsSnapshot
    /// The pin in force; nil without one.
    /// - Throws: `ProductsFailure.storeFailed` when it cannot be read.
    func currentPin() async throws(ProductsFailure) -> CataloguePin?
    /// Pins a generation, in place of any other.
    /// - Returns: the pin, which is in force also where it could not be written.
    /// - Throws: as `snapshot(of:)`.
    func pin(_ target: HistoryTarget, by order: OperatorOrder) async throws(ProductsFailure) -> CataloguePin
    /// Takes the pin off.
    /// - Returns: the pin that was in force; nil without one.
    func unpin() async throws(ProductsFailure) -> CataloguePin?
}

/// A provider of a catalogue that an operator may pin.
package protocol PinnableProvider: ProductsProvider {
    /// Whether a catalogue is pinned, as far as was seen last. Never waits.
    var isPinned: Bool { get }
    /// Gives the pinned catalogue, checked at this moment, with a step `pinned`; nil while none is pinned or it cannot
    /// be read.
    func pinnedAnswer(to request: ProductsRequest) async -> ProductsAnswer?
}

/// Asks an upstream behind a pin: once at a time, for no request in particular, and as long as it takes.
///
/// Requests get the pinned catalogue without waiting. A `memory` that serves it already waits, so that a failure counts as
/// one of its refresh.
package final class UpstreamBehindPin: TroubleReporting {
    /// Asks the upstream, and returns the failure that its answer hides.
    package typealias Ask = @Sendable (ProductsRequest) async throws -> ProductsFailure?

    private struct Asking: Sendable {
        let task: Task<ProductsFailure?, Never>
        let isForced: Bool
        let revalidates: Bool
    }

    private struct State: Sendable {
        var running: Asking?
        var isPinned = false
        /// Nil while the source does not call its answers stale.
        var source: StaleSource?
    }

    private let state = Mutex(State())
    private static let lines = TroubleBook.Lines(
        begin: "refresh behind the pin failed", end: "refreshes behind the pin succeed again")
    private static let linesOfUnpin = TroubleBook.Lines(
        begin: lines.begin, end: "the pin behind which refreshes failed was taken off")
    private let book: TroubleBook

    /// - Parameter book: keeps and logs the failure of the last ask.
    package init(_ book: TroubleBook) {
        self.book = book
    }

    /// The failure of the last ask, and a source that calls its own answer stale.
    package var troubles: [Trouble] { book.troubles + [state.withLock { $0.source?.trouble }].compactMap(\.self) }

    /// Returns what is given for a request while a catalogue is pinned; nil while none is.
    ///
    /// - Parameter pinned: gives the pinned catalogue.
    package func answer(
        to request: ProductsRequest, pinned: () async -> ProductsAnswer?, ask: @escaping Ask
    ) async -> ProductsAnswer? {
        guard let answer = await pinned() else {
            endPin()
            return nil
        }
        let isForced = RefreshOrder.current?.isForced ?? false
        var (asking, isOwn) = begin(request, isForced: isForced, ask)
        guard request.waitsBehindPin else { return answer }
        var failure = await asking.task.value
        // An ask that was not forced may have met nothing but an open breaker, or a cache before the source.
        while !isOwn, (isForced && !asking.isForced) || (request.revalidates && !asking.revalidates) {
            (asking, isOwn) = begin(request, isForced: isForced, ask)
            failure = await asking.task.value
        }
        // The operator may have pinned another one meanwhile, or taken the pin off.
        guard let answer = await pinned() else { return nil }
        return failure.map { answer.adding(TrailStep(node: answer.trail.last?.node ?? "", outcome: .failedBehind($0))) }
            ?? answer
    }

    /// Records what the upstream gave to an ask, which may be an old catalogue by its own word.
    package func record(_ snapshot: ProductsSnapshot) {
        state.withLock { state in
            guard state.isPinned else { return }
            state.source = StaleSource(snapshot, after: state.source)
        }
    }

    /// Forgets the troubles: without a pin, answers and failures of the upstream reach the provider above.
    private func endPin() {
        state.withLock { state in
            (state.isPinned, state.source) = (false, nil)
            book.record(.upstream, nil, lines: Self.linesOfUnpin)
        }
    }

    private func begin(_ request: ProductsRequest, isForced: Bool, _ ask: @escaping Ask) -> (Asking, isOwn: Bool) {
        state.withLock { state in
            state.isPinned = true
            if let running = state.running { return (running, false) }
            var unlimited = request
            unlimited.deadline = nil
            let task = Task { [self, unlimited] in
                // No step on the way to the answer.
                await Explanation.$current.withValue(nil) { await outcome(of: unlimited, ask) }
            }
            let asking = Asking(task: task, isForced: isForced, revalidates: request.revalidates)
            state.running = asking
            return (asking, true)
        }
    }

    private func outcome(of request: ProductsRequest, _ ask: Ask) async -> ProductsFailure? {
        var failure: ProductsFailure?
        do {
            failure = try await ask(request)
        } catch let error as ProductsFailure {
            failure = error
        } catch {
            failure = error is CancellationError ? .cancelled : .malformed(detail: "\(error)")
        }
        // An ask that was given up says nothing about the upstream.
        let isGivenUp = failure == .cancelled
        state.withLock { state in
            state.running = nil
            guard state.isPinned, !isGivenUp else { return }
            book.record(.upstream, failure.map { "\($0)" }, lines: Self.lines)
        }
        return isGivenUp ? nil : failure
    }
}

/// A generation of a store, by what its header says.
package struct HistoryEntry: Sendable, Hashable {
    package let generation: Int
    package let revision: String
    /// When the source confirmed the products.
    package let fetchedAt: Date
    package let origin: ProductsOrigin
    /// The number of products.
    package let count: Int
    /// The length of the file in bytes.
    package let size: Int

    package init(
        generation: Int, revision: String, fetchedAt: Date, origin: ProductsOrigin, count: Int, size: Int
    ) {
        (self.generation, self.revision, self.fetchedAt) = (generation, revision, fetchedAt)
        (self.origin, self.count, self.size) = (origin, count, size)
    }
}

/// Names a generation.
package enum HistoryTarget: Sendable, Hashable {
    case newest
    case generation(Int)
    /// The newest generation whose revision begins so.
    case revision(String)
}

/// The pin of a store.
package struct CataloguePin: Sendable, Hashable {
    package let generation: Int
    package let revision: String
    package let order: OperatorOrder
    /// Whether it outlasts a restart. One that could not be written is in force all the same.
    package let isWritten: Bool

    package init(generation: Int, revision: String, order: OperatorOrder, isWritten: Bool = true) {
        (self.generation, self.revision, self.order) = (generation, revision, order)
        self.isWritten = isWritten
    }

    /// The pin once it is written.
    package var written: CataloguePin { CataloguePin(generation: generation, revision: revision, order: order) }
}

/// Records the operator behind a change.
package struct OperatorOrder: Sendable, Hashable {
    package let at: Date
    /// The request id and the peer of the order.
    package let by: String
    /// The reason that the operator gave; nil without one.
    package let reason: String?

    package init(at: Date, by: String, reason: String?) {
        (self.at, self.by, self.reason) = (at, by, reason)
    }
}
