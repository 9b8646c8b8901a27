internal import Concurrency
package import Products
internal import Tracing
internal import struct Synchronization.Atomic

extension ProductsProvider {
    /// The provider without its observer, for its other capabilities.
    package var unobserved: any ProductsProvider { (self as? ObservedProductsProvider)?.upstream ?? self }
}

/// Passes calls through unchanged, counts their outcomes, and records the path of some.
///
/// Records requests that already have a recorder, such as explained requests and refreshes, and a sample of the
/// requests from outside. A request that is not sampled at the root is not recorded further down.
///
/// Hands a lease up only if the provider has passed it on. Answers from the lease are counted and sampled too.
final class ObservedProductsProvider: ProductsProvider {
    let upstream: any ProductsProvider
    let node: NodeObservation
    private let traces: RecentTraces
    private let wallClock: WallClock
    private let isRoot: Atomic<Bool>
    private let graphUse: Mutex<GraphUse?>

    /// - Parameters:
    ///   - isRoot: whether the provider receives requests from outside.
    ///   - graphUse: retained for the provider's lifetime.
    init(
        upstream: any ProductsProvider, node: NodeObservation, isRoot: Bool, traces: RecentTraces, wallClock: WallClock,
        graphUse: GraphUse? = nil
    ) {
        self.upstream = upstream
        self.node = node
        self.traces = traces
        self.wallClock = wallClock
        self.isRoot = Atomic(isRoot)
        self.graphUse = Mutex(graphUse)
    }

    /// Joins another graph after a reload.
    func join(_ graphUse: GraphUse, isRoot: Bool) {
        self.isRoot.store(isRoot, ordering: .relaxed)
        // Releasing the last use wakes a waiter, so it happens outside the lock.
        let left = self.graphUse.withLock { current in
            defer { current = graphUse }
            return current
        }
        _ = left
    }

    func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        node.begin()
        do {
            let answer =
                if let span = Span.current?.child(node.type) {
                    try await span.answer([SpanAttribute("larder.node", node.id)]) { try await ask(request) }
                } else {
                    try await ask(request)
                }
            node.succeed(with: answer)
            return leasing(answer)
        } catch {
            node.fail(with: error, wallClock: wallClock)
            throw error
        }
    }

    private func ask(_ request: ProductsRequest) async throws -> ProductsAnswer {
        if let place = place(of: request) { return try await follow(request, from: place) }
        return try await upstream.products(for: request)
    }

    /// Returns the answer with the lease that the provider has passed on. Answers from the lease are counted and, at
    /// the root, sampled.
    private func leasing(_ answer: ProductsAnswer) -> ProductsAnswer {
        answer.handingLease(from: node.id) { [node, traces, isRootNow] path in
            { _, answer in
                node.begin()
                node.succeed(with: answer)
                if isRootNow, let recorder = traces.beginAnswer() {
                    recorder.record(path)
                    traces.finish(recorder, isAnswer: true, isRefresh: false)
                }
            }
        }
    }

    private var isRootNow: Bool { isRoot.load(ordering: .relaxed) }

    /// The recorder of the request, and its position in the path; nil if the request is not recorded.
    private func place(of request: ProductsRequest) -> Explanation? {
        if let explanation = request.explanation { return explanation }
        return isRootNow ? traces.beginAnswer().map { Explanation(recorder: $0) } : nil
    }

    private func follow(_ request: ProductsRequest, from place: Explanation) async throws -> ProductsAnswer {
        let span = place.recorder.begin(node.id, within: place.span)
        // A path that begins here is kept when it ends.
        let own = request.explanation == nil ? place.recorder as? SpanRecorder : nil
        var request = request
        request.explanation = Explanation(recorder: place.recorder, span: span)
        do {
            let answer = try await upstream.products(for: request)
            place.recorder.end(span, with: .success(answer))
            if let own { keep(own, isHit: answer.isHit) }
            return answer
        } catch {
            place.recorder.end(span, with: .failure(error))
            if let own, ProductsFailure(error) != .cancelled { keep(own, isHit: false) }
            throw error
        }
    }

    private func keep(_ recorder: SpanRecorder, isHit: Bool) {
        let isAnswer = isRootNow
        traces.finish(recorder, isAnswer: isAnswer, isRefresh: !isAnswer || (recorder.hasDescended && !isHit))
    }
}
