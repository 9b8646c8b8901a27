internal import Concurrency
package import Products
internal import Tracing
internal import struct Synchronization.Atomic

/// A call of a provider on the path of a request through the graph.
package struct TraceSpan: Sendable {
    package enum Outcome: Sendable, Hashable {
        /// No answer yet.
        case running
        case answered
        case failed(ProductsFailure)
        case cancelled
    }

    /// The provider's place in the config.
    package let node: String
    /// The index of the caller's span; nil for the first.
    package let parent: Int?
    package internal(set) var outcome: Outcome
    /// The trail of the provider's answer; only on a timed path.
    package internal(set) var trail: [TrailStep] = []
    /// The start of the call, from the creation of the recorder on; zero on an untimed path.
    package let begin: Duration
    /// The end of the call; nil while it runs, and on an untimed path.
    package internal(set) var end: Duration?
}

/// Records the providers that a request passes.
package final class SpanRecorder: ExplanationRecorder {
    private let state = Mutex<[TraceSpan]>([])
    private let stopwatch: Uptime?

    /// Makes a recorder that times every span by `clock`.
    package convenience init<C: Clock>(timedBy clock: C) where C.Duration == Duration {
        self.init(stopwatch: Uptime(of: clock))
    }

    /// - Parameter stopwatch: times the spans; without one no clock is read.
    init(stopwatch: Uptime? = nil) {
        self.stopwatch = stopwatch
    }

    package var spans: [TraceSpan] { state.withLock { $0 } }

    var hasDescended: Bool { state.withLock { $0.count > 1 } }

    package func begin(_ node: String, within parent: ExplanationSpan?) -> ExplanationSpan {
        let now = stopwatch?.now ?? .zero
        return state.withLock { spans in
            spans.append(TraceSpan(node: node, parent: parent?.index, outcome: .running, begin: now))
            return ExplanationSpan(index: spans.count - 1)
        }
    }

    package func end(_ span: ExplanationSpan, with outcome: Result<ProductsAnswer, any Error>) {
        let now = stopwatch?.now
        state.withLock { spans in
            switch outcome {
            case .success(let answer):
                spans[span.index].outcome = .answered
                if now != nil { spans[span.index].trail = answer.trail }
            case .failure(let error):
                let failure = ProductsFailure(error)
                spans[span.index].outcome = failure == .cancelled ? .cancelled : .failed(failure)
            }
            spans[span.index].end = now
        }
    }
}

extension SpanRecorder {
    /// Records a successful request through these providers, from the answering ones up to the root.
    func record(_ path: LeasePath) {
        state.withLock { spans in
            spans = []
            Self.append(path, below: nil, to: &spans)
        }
    }

    private static func append(_ path: LeasePath, below parent: Int?, to spans: inout [TraceSpan]) {
        var parent = parent
        for node in path.nodes.reversed() {
            spans.append(TraceSpan(node: node, parent: parent, outcome: .answered, begin: .zero))
            parent = spans.count - 1
        }
        for path in path.joined { append(path, below: parent, to: &spans) }
    }
}

/// The paths of the last answer and the last refresh through the graph.
///
/// Requests do not wait for its lock: a path that ends while the lock is taken is dropped.
final class RecentTraces: Sendable {
    private struct State {
        var answer: SpanRecorder?
        var refresh: SpanRecorder?
    }

    let sampler: TraceSampler
    /// Records the spans of refreshes; nil to record none.
    let tracer: Tracer?
    private let state = Mutex(State())

    init(sampler: TraceSampler = TraceSampler(), tracer: Tracer? = nil) {
        (self.sampler, self.tracer) = (sampler, tracer)
    }

    /// The spans of the last recorded request from outside.
    var answer: [TraceSpan] { state.withLock(\.answer)?.spans ?? [] }

    /// The spans of the last recorded request that no memory answered at once.
    var refresh: [TraceSpan] { state.withLock(\.refresh)?.spans ?? [] }

    /// Returns a recorder for a request from outside; nil for most requests under load.
    func beginAnswer() -> SpanRecorder? {
        sampler.chooses() ? SpanRecorder() : nil
    }

    /// Keeps a path that has ended, as the last answer, the last refresh or both.
    ///
    /// - Parameters:
    ///   - isAnswer: whether it began at the root, and not with a refresh of a provider.
    ///   - isRefresh: whether it reached a source of products.
    func finish(_ recorder: SpanRecorder, isAnswer: Bool, isRefresh: Bool) {
        _ = state.withLockIfAvailable { state in
            if isAnswer { state.answer = recorder }
            if isRefresh { state.refresh = recorder }
        }
    }
}

/// Records the paths of refreshes, which begin at a provider that keeps answers and not at the graph's root.
package struct RefreshTraces: Sendable {
    private let traces: RecentTraces?

    /// Records nothing.
    package init() {
        traces = nil
    }

    init(_ traces: RecentTraces) {
        self.traces = traces
    }

    /// Returns the upstream's answer, as a span of its own if it is traced.
    func products(
        of upstream: any ProductsProvider, for request: ProductsRequest
    ) async throws -> ProductsAnswer {
        guard let span = Span.current?.child("refresh") ?? traces?.tracer?.refresh() else {
            return try await path(of: request, to: upstream)
        }
        return try await span.answer { try await path(of: request, to: upstream) }
    }

    /// Returns the upstream's answer, and keeps the request's path unless it is part of another one. The path of a
    /// cancelled request is dropped.
    private func path(
        of request: ProductsRequest, to upstream: any ProductsProvider
    ) async throws -> ProductsAnswer {
        guard let traces, request.explanation == nil else { return try await upstream.products(for: request) }
        let recorder = SpanRecorder()
        var request = request
        request.explanation = Explanation(recorder: recorder)
        do {
            let answer = try await upstream.products(for: request)
            traces.finish(recorder, isAnswer: false, isRefresh: true)
            return answer
        } catch {
            if ProductsFailure(error) != .cancelled { traces.finish(recorder, isAnswer: false, isRefresh: true) }
            throw error
        }
    }
}

extension Span {
    /// Returns a provider's answer, and ends the span with it. A cancelled call has not failed.
    func answer(
        _ attributes: [SpanAttribute] = [], _ ask: () async throws -> ProductsAnswer
    ) async throws -> ProductsAnswer {
        do {
            let answer = try await Span.$current.withValue(self, operation: ask)
            end(attributes)
            return answer
        } catch {
            let failure = ProductsFailure(error)
            end(attributes, failure: failure == .cancelled ? nil : SpanFailure(failure.token, message: "\(failure)"))
            throw error
        }
    }
}

/// Samples requests: all of them at a low rate, ten a second at a high one.
///
/// A request that is not chosen costs one reading of the clock. Simultaneous requests may all be chosen.
final class TraceSampler: Sendable {
    /// The number of low bits dropped from attoseconds. A tick is 1.1 ms, needs no division, and fits an `Int`.
    private static let tickBits = 50
    /// The ticks that one choice costs, about 100 ms.
    private static let price = 89
    private static let most = 32

    private let uptime: Uptime
    /// The tick up to which time has been spent on samples.
    private let spent = Atomic<Int>(-most * price)

    init(uptime: Uptime = Uptime(of: ContinuousClock())) {
        self.uptime = uptime
    }

    func chooses() -> Bool {
        let now = Int(truncatingIfNeeded: uptime.now.attoseconds >> Self.tickBits)
        let end = max(spent.load(ordering: .relaxed), now - Self.most * Self.price) + Self.price
        guard end <= now else { return false }
        spent.store(end, ordering: .relaxed)
        return true
    }
}
