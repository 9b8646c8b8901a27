internal import Compression
internal import Concurrency
internal import HTTPServer

/// Packs the document of a view, and keeps its segments for the view of the next revision.
final class SharedGzip: Sendable {
    struct State {
        var earlier: SegmentedGzip?
        var packed: SegmentedGzip?
    }

    let state = Mutex(State())

    /// Sets the document whose segments are taken over, until the call of `end`.
    func begin(after other: SharedGzip?) {
        let earlier = other?.state.withLock(\.packed)
        state.withLock { $0.earlier = earlier }
    }

    /// Releases the earlier document, also if another caller has packed this one.
    func end() {
        state.withLock { $0.earlier = nil }
    }

    /// Packs the document; nil if memory is short.
    /// - Parameter starts: the places of its products.
    func packed(_ document: HTTPBody, itemsAt starts: [Int]) -> HTTPBody? {
        let earlier = state.withLock(\.earlier)
        let packed = document.withSpan { SegmentedGzip($0, itemsAt: starts, after: earlier) }
        state.withLock { $0.packed = packed }
        return packed.map { HTTPBody(owning: $0.bytes) }
    }
}
