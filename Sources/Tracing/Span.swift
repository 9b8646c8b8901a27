internal import Concurrency

/// A unit of work of a trace, under way.
package final class Span: Sendable {
    /// The span of the running task; nil if its trace is not recorded.
    @TaskLocal package static var current: Span?

    private let trace: Trace
    package let id = UInt64.random(in: 1...UInt64.max)
    /// Nil for the first span of the trace in this process.
    private let parent: Span?
    private let name: String
    private let kind: FinishedSpan.Kind
    /// By the monotonic clock.
    private let start: Int64

    init(_ name: String, _ kind: FinishedSpan.Kind, of trace: Trace, parent: Span? = nil, at start: Int64) {
        (self.name, self.kind, self.trace, self.parent, self.start) = (name, kind, trace, parent, start)
    }

    /// The trace, as the process received or began it.
    package var context: TraceContext { trace.context }

    /// The value of `traceparent` for a request that this span sends.
    package var traceParent: String { trace.context.parent(span: id) }

    /// Begins a span within this one.
    package func child(_ name: String, _ kind: FinishedSpan.Kind = .internal) -> Span {
        Span(name, kind, of: trace, parent: self, at: MonotonicTime.nanoseconds)
    }

    /// Ends the span. To be called once.
    package func end(_ attributes: [SpanAttribute], failure: SpanFailure? = nil) {
        let finished = FinishedSpan(
            trace: trace.context, id: id, parent: parent?.id ?? trace.context.caller, name: name, kind: kind,
            start: trace.origin + start, end: trace.origin + MonotonicTime.nanoseconds, attributes: attributes,
            failure: failure)
        trace.record(finished, isFirst: parent == nil)
    }
}

/// A span that has ended.
package struct FinishedSpan: Sendable {
    /// The role of the process in a call, by its number in OTLP.
    package enum Kind: Int, Sendable {
        case `internal` = 1
        case server, client
    }

    package let trace: TraceContext
    package let id: UInt64
    /// 0 for none.
    package let parent: UInt64
    package let name: String
    package let kind: Kind
    /// In nanoseconds since 1970.
    package let start: Int64
    package let end: Int64
    package let attributes: [SpanAttribute]
    package let failure: SpanFailure?
}

/// A fact about a span, by its name in the semantic conventions of OpenTelemetry.
package struct SpanAttribute: Sendable, Hashable {
    package enum Value: Sendable, Hashable {
        case text(String)
        case number(Int)
    }

    package let name: String
    package let value: Value

    package init(_ name: String, _ text: String) { (self.name, value) = (name, .text(text)) }

    package init(_ name: String, _ number: Int) { (self.name, value) = (name, .number(number)) }
}

/// The failure of a span.
package struct SpanFailure: Sendable, Hashable {
    /// The kind of failure, from a small set: a status code, or the token of an error.
    package let type: String
    package let message: String

    package init(_ type: String, message: String = "") {
        (self.type, self.message) = (type, message)
    }
}

/// Takes spans that have ended. Called on any thread, by requests, so it does not wait.
package protocol SpanSink: Sendable {
    func record(_ span: FinishedSpan)

    /// Counts spans that a trace did not keep until it was known whether it is recorded.
    func drop(_ count: Int)
}

/// The spans of one trace in this process.
final class Trace: Sendable {
    private struct Undecided {
        var spans: [FinishedSpan] = []
        /// The number of those that did not fit.
        var lost = 0
    }

    /// The most spans that are kept until the first one ends. A refresh that asks for each of 500 products needs as many.
    static let longest = 512

    let context: TraceContext
    /// The time at which the monotonic clock was zero, in nanoseconds since 1970.
    let origin: Int64
    private let sink: any SpanSink
    /// The spans so far, of a trace that is recorded only if its first span fails; nil for any other trace.
    private let undecided: Mutex<Undecided?>

    init(_ context: TraceContext, origin: Int64, isRecorded: Bool, to sink: any SpanSink) {
        (self.context, self.origin, self.sink) = (context, origin, sink)
        undecided = Mutex(isRecorded ? nil : Undecided())
    }

    func record(_ span: FinishedSpan, isFirst: Bool) {
        let (ready, lost) = undecided.withLock { undecided -> ([FinishedSpan], Int) in
            guard let count = undecided?.spans.count else { return ([span], 0) }
            if !isFirst, count < Self.longest {
                undecided?.spans.append(span)
            } else if !isFirst {
                undecided?.lost += 1
            } else if span.failure == nil {
                undecided = Undecided()
            } else if let earlier = undecided.take() {
                return (earlier.spans + [span], earlier.lost)
            }
            return ([], 0)
        }
        for span in ready { sink.record(span) }
        if lost > 0 { sink.drop(lost) }
    }
}
