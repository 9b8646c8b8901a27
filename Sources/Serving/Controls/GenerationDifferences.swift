internal import Concurrency
package import Products

/// The numbers of products by which two catalogues differ.
package struct DifferenceCounts: Sendable, Hashable {
    package let added: Int
    package let removed: Int
    package let changed: Int

    package static let none = DifferenceCounts(added: 0, removed: 0, changed: 0)

    package init(added: Int, removed: Int, changed: Int) {
        (self.added, self.removed, self.changed) = (added, removed, changed)
    }

    package init(_ difference: CatalogueDifference) {
        self.init(
            added: difference.added.count, removed: difference.removed.count, changed: difference.changed.count)
    }

    /// Compares two catalogues; takes some milliseconds for each ten thousand products.
    /// - Parameter before: nil if there was none, so that all products are new.
    package init(from before: Catalogue?, to after: Catalogue?) {
        guard let before, let after else {
            self.init(added: after?.count ?? 0, removed: before?.count ?? 0, changed: 0)
            return
        }
        self = before === after ? .none : DifferenceCounts(CatalogueDifference(from: before, to: after))
    }
}

/// Compares the generations of stores, one pair at a time, and keeps the counts of some hundred pairs.
///
/// A comparison needs the memory of two catalogues and a core, so comparisons run one at a time.
package final class GenerationDifferences: Sendable {
    private struct Pair: Hashable {
        let from: String
        let to: String
    }

    private struct State {
        var counts: [Pair: DifferenceCounts] = [:]
        /// The known pairs, oldest first.
        var order: [Pair] = []
        /// Ends with the last piece of work.
        var last: Task<Void, Never>?
    }

    private static let capacity = 512
    /// The time after which a listing omits further differences. They are there when it is requested again.
    private static let timeout = Duration.seconds(5)

    private let state = Mutex(State())

    package init() {}

    /// Runs work off the event loops, after all earlier work.
    package func alone<Value: Sendable>(_ work: @escaping @concurrent @Sendable () async throws -> Value) async throws
        -> Value
    {
        let task = state.withLock { state in
            let task = Task.detached { [last = state.last] in
                await last?.value
                return try await offLoop(work)
            }
            state.last = Task.detached { _ = await task.result }
            return task
        }
        return try await task.value
    }

    /// Compares each generation with the one before it, for a few seconds at most.
    /// - Parameter entries: the generations, newest first.
    /// - Returns: nil for a generation that was not compared, and for the last of them.
    package func counts(of entries: [HistoryEntry], in history: any ProductsHistory) async throws -> [DifferenceCounts?]
    {
        let pairs = zip(entries, entries.dropFirst()).map { Pair(from: $1.revision, to: $0.revision) }
        let isKnown = state.withLock { state in pairs.allSatisfy { state.counts[$0] != nil } }
        if !isKnown { try await alone { [self] in await compare(pairs, entries, in: history) } }
        return state.withLock { state in pairs.map { state.counts[$0] } } + (entries.isEmpty ? [] : [nil])
    }

    private func compare(_ pairs: [Pair], _ entries: [HistoryEntry], in history: any ProductsHistory) async {
        let end = ContinuousClock.now + Self.timeout
        // The earlier catalogue of the last pair, which is the later one of the next.
        var kept: (generation: Int, catalogue: Catalogue)?
        func catalogue(_ entry: HistoryEntry) async -> Catalogue? {
            if let kept, kept.generation == entry.generation { return kept.catalogue }
            return try? await history.snapshot(of: .generation(entry.generation)).catalogue
        }
        for (index, pair) in pairs.enumerated() where state.withLock({ $0.counts[pair] == nil }) {
            guard ContinuousClock.now < end else { return }
            guard let after = await catalogue(entries[index]), let before = await catalogue(entries[index + 1]) else {
                continue
            }
            kept = (entries[index + 1].generation, before)
            keep(DifferenceCounts(from: before, to: after), of: pair)
        }
    }

    private func keep(_ counts: DifferenceCounts, of pair: Pair) {
        state.withLock { state in
            guard state.counts.updateValue(counts, forKey: pair) == nil else { return }
            state.order.append(pair)
            if state.order.count > Self.capacity { state.counts[state.order.removeFirst()] = nil }
        }
    }
}
