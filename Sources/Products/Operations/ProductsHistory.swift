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
    private struct Asking: Sendable {
        let task: Task<ProductsFailure?, Never>
        let isForced: Bool
    }

    private let running = Mutex<Asking?>(nil)
    private static let lines = TroubleBook.Lines(
        begin: "refresh behind the pin failed", end: "refreshes behind the pin succeed again")
    private let book: TroubleBook

    /// - Parameter book: keeps and logs the failure of the last ask.
    package init(_ book: TroubleBook) {
        self.book = book
    }

    /// The failure of the last ask.
    package var troubles: [Trouble] { book.troubles }

    /// Returns what is given for a request while a catalogue is pinned; nil while none is.
    ///
    /// - Parameters:
    ///   - pinned: gives the pinned catalogue.
    ///   - ask: asks the upstream, and returns the failure that its answer hides.
    package func answer(
        to request: ProductsRequest, pinned: () async -> ProductsAnswer?,
        ask: @escaping @Sendable (ProductsRequest) async throws -> ProductsFailure?
    ) async -> ProductsAnswer? {
        guard let answer = await pinned() else {
            book.record(.upstream, nil)
            return nil
        }
        let isForced = RefreshOrder.current?.isForced ?? false
        var (asking, isOwn) = begin(request, isForced: isForced, ask)
        guard request.waitsBehindPin else { return answer }
        var failure = await asking.task.value
        // An ask that was not forced may have met nothing but an open breaker.
        if failure != nil, !isOwn, isForced, !asking.isForced {
            (asking, isOwn) = begin(request, isForced: true, ask)
            failure = await asking.task.value
        }
        // The operator may have pinned another one meanwhile, or taken the pin off.
        guard let answer = await pinned() else { return nil }
        return failure.map { answer.adding(TrailStep(node: answer.trail.last?.node ?? "", outcome: .failedBehind($0))) }
            ?? answer
    }

    private func begin(
        _ request: ProductsRequest, isForced: Bool,
        _ ask: @escaping @Sendable (ProductsRequest) async throws -> ProductsFailure?
    ) -> (Asking, isOwn: Bool) {
        running.withLock { running in
            if let running { return (running, false) }
            var unlimited = request
            unlimited.deadline = nil
            let task = Task { [self, unlimited] in
                // No step on the way to the answer.
                await Explanation.$current.withValue(nil) { await outcome(of: unlimited, ask) }
            }
            let asking = Asking(task: task, isForced: isForced)
            running = asking
            return (asking, true)
        }
    }

    private func outcome(
        of request: ProductsRequest, _ ask: @Sendable (ProductsRequest) async throws -> ProductsFailure?
    ) async -> ProductsFailure? {
        var failure: ProductsFailure?
        do {
            failure = try await ask(request)
        } catch let error as ProductsFailure {
            failure = error
        } catch {
            failure = error is CancellationError ? .cancelled : .malformed(detail: "\(error)")
        }
        running.withLock { $0 = nil }
        // An ask that was given up says nothing about the upstream.
        guard failure != .cancelled else { return nil }
        book.record(.upstream, failure.map { "\($0)" }, lines: Self.lines)
        return failure
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
