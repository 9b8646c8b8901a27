package import Concurrency
internal import FoundationEssentials
internal import Text

/// The traces that are recorded.
package struct TraceRules: Sendable, Hashable {
    /// The callers whose sampled flag counts in place of the share: all, trusted proxies, or none.
    package enum Parent: String, Sendable, CaseIterable {
        case honour, trusted, ignore
    }

    package let sampling: TraceSampling
    package let parent: Parent
    /// Whether requests and refreshes that fail are recorded in any case.
    package let recordsFailures: Bool

    package init(_ sampling: TraceSampling, parent: Parent, recordsFailures: Bool) {
        (self.sampling, self.parent, self.recordsFailures) = (sampling, parent, recordsFailures)
    }
}

/// Begins the traces of a process.
package final class Tracer: Sendable {
    private let sink: any SpanSink
    private let wallClock: WallClock
    private let state = Mutex<TraceRules?>(nil)

    package init(to sink: any SpanSink, wallClock: WallClock = .system) {
        (self.sink, self.wallClock) = (sink, wallClock)
    }

    /// The rules in force; nil if nothing is recorded.
    package var rules: TraceRules? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// Begins the first span of a trace in this process.
    ///
    /// - Parameters:
    ///   - isRecorded: whether the trace is recorded even if this span does not fail.
    ///   - start: the start of the span, by the monotonic clock.
    package func begin(
        _ name: String, _ kind: FinishedSpan.Kind, in context: TraceContext, isRecorded: Bool = true,
        at start: Int64 = MonotonicTime.nanoseconds
    ) -> Span {
        let origin = Int64(wallClock.now().timeIntervalSince1970 * 1e9) - MonotonicTime.nanoseconds
        return Span(name, kind, of: Trace(context, origin: origin, isRecorded: isRecorded, to: sink), at: start)
    }

    /// Begins the trace of a refresh that no traced request waits for; nil if nothing is recorded. Refreshes are few, so
    /// they are not sampled.
    package func refresh() -> Span? {
        guard let rules, !rules.sampling.isNone || rules.recordsFailures else { return nil }
        let id = (0..<2).map { _ in UInt64.random(in: 1...UInt64.max).hexDigits }.joined()
        return begin("refresh", .internal, in: TraceContext(traceID: id), isRecorded: !rules.sampling.isNone)
    }
}
