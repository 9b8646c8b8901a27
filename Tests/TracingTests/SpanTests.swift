import Concurrency
import FoundationEssentials
import TestSupport
import Testing

@testable import Tracing

struct SpanTests {
    /// Keeps the spans that end.
    private struct Ended: SpanSink {
        let spans = Shared<[FinishedSpan]>([])
        let dropped = Shared(0)

        func record(_ span: FinishedSpan) { spans.withLock { $0.append(span) } }

        func drop(_ count: Int) { dropped.withLock { $0 += count } }
    }

    private let ended = Ended()

    private func tracer(_ share: Double, failures: Bool = false) -> Tracer {
        let tracer = Tracer(to: ended, wallClock: WallClock { Date(timeIntervalSince1970: 1_700_000_000) })
        tracer.rules = TraceRules(TraceSampling(share), parent: .trusted, recordsFailures: failures)
        return tracer
    }

    private var names: [String] { ended.spans.withLock { $0.map(\.name) } }

    @Test(arguments: [(0, 0...0), (0.01, 900...1100), (0.5, 49_000...51_000), (1, 100_000...100_000)])
    func `sampling chooses its share of the requests`(share: Double, expected: ClosedRange<Int>) {
        let sampling = TraceSampling(share)
        let count = (0..<100_000).count { sampling.chooses(0x1234_5678_9abc_def0, UInt64($0)) }
        #expect(expected.contains(count))
        #expect(sampling.isNone == (share == 0))
    }

    @Test func `a larger share chooses all that a smaller one chooses, by the identifier of the trace`() {
        for number in UInt64(0)..<10_000 {
            let id = RequestIdentity(serial: (7, number)).id
            let bits = UInt64(id.suffix(14), radix: 16) ?? 0
            #expect(TraceSampling(0.25).chooses(7, number) == (bits >= 3 << 54))
            if TraceSampling(0.25).chooses(7, number) { #expect(TraceSampling(0.26).chooses(7, number)) }
        }
    }

    @Test func `a child has the trace of its parent, and its time is within`() throws {
        let context = try #require(TraceContext(parent: "00-\(String(repeating: "a", count: 32))-00000000000000b1-01"))
        let root = tracer(1).begin("root", .server, in: context)
        root.child("child", .client).end([SpanAttribute("a", 1)], failure: SpanFailure("503", message: "away"))
        root.end([])
        let spans = ended.spans.withLock { $0 }
        let (child, parent) = (spans[0], spans[1])
        #expect(spans.map(\.trace.traceID) == [context.traceID, context.traceID])
        #expect(parent.parent == 0xb1 && child.parent == parent.id)
        #expect(parent.start <= child.start && child.end <= parent.end && child.start <= child.end)
        #expect(abs(parent.start - 1_700_000_000 * 1_000_000_000) < 1_000_000_000)
        #expect(child.failure == SpanFailure("503", message: "away") && child.attributes == [SpanAttribute("a", 1)])
        #expect(root.traceParent.hasPrefix("00-\(context.traceID)-") && root.traceParent.hasSuffix("-01"))
    }

    @Test(arguments: [(0.01, true, true), (0.01, false, true), (0, true, false)])
    func `refreshes are recorded whole, without a share only if they fail`(
        share: Double, failures: Bool, isRecorded: Bool
    ) throws {
        let refresh = try #require(tracer(share, failures: failures).refresh())
        refresh.child("node").end([])
        #expect(names == (isRecorded ? ["node"] : []))
        refresh.end([])
        #expect(names == (isRecorded ? ["node", "refresh"] : []))
        refresh.child("late").end([])
        #expect(names.contains("late") == isRecorded)
    }

    @Test func `a failed refresh is recorded from its beginning, although nothing is sampled`() throws {
        let refresh = try #require(tracer(0, failures: true).refresh())
        refresh.child("node").end([], failure: SpanFailure("refused"))
        #expect(names == [])
        refresh.end([], failure: SpanFailure("refused"))
        #expect(names == ["node", "refresh"])
        #expect(tracer(0).refresh() == nil)
    }

    @Test(arguments: [nil, SpanFailure("refused")])
    func `a refresh that may fail keeps its first spans, and counts the others if it fails`(
        failure: SpanFailure?
    ) throws {
        let refresh = try #require(tracer(0, failures: true).refresh())
        for _ in 0..<(Trace.longest + 100) { refresh.child("node").end([]) }
        refresh.end([], failure: failure)
        #expect(names.count == (failure == nil ? 0 : Trace.longest + 1))
        #expect(names.last == (failure == nil ? nil : "refresh"))
        #expect(ended.dropped.withLock { $0 } == (failure == nil ? 0 : 100))
    }
}
