internal import Concurrency
internal import Products

/// Passes everything through unchanged, and notes what became of it.
///
/// Followed are requests that somebody has explained, everything that a provider asks on its own account, and a sample
/// of those that come in from outside. A request that was not chosen where it came in is not followed further down.
struct ObservedProductsProvider: PromptProductsProvider {
    let upstream: any ProductsProvider
    let node: NodeObservation
    /// Whether requests from outside come in here.
    let isRoot: Bool
    let ways: RecentWays
    let wallClock: WallClock
    /// Held as long as anybody may ask here.
    let tenancy: GraphTenancy?
    /// The upstream, if it may have answers at hand.
    private let prompt: (any PromptProductsProvider)?

    /// - Parameters:
    ///   - isRoot: whether requests from outside come in here.
    ///   - tenancy: held as long as anybody may ask here.
    init(
        upstream: any ProductsProvider, node: NodeObservation, isRoot: Bool, ways: RecentWays, wallClock: WallClock,
        tenancy: GraphTenancy? = nil
    ) {
        self.upstream = upstream
        self.node = node
        self.isRoot = isRoot
        self.ways = ways
        self.wallClock = wallClock
        self.tenancy = tenancy
        prompt = upstream as? any PromptProductsProvider
    }

    func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        node.begin()
        do {
            let answer =
                if let place = place(of: request) {
                    try await follow(request, from: place)
                } else {
                    try await upstream.products(for: request)
                }
            node.succeed(with: answer)
            return answer
        } catch {
            node.fail(with: error, wallClock: wallClock)
            throw error
        }
    }

    /// A request that is followed has to be waited for, which the many that are not do not pay for.
    func answerAtHand(for request: ProductsRequest) throws -> ProductsAnswer? {
        guard let prompt, !isFollowed(request) else { return nil }
        do {
            guard let answer = try prompt.answerAtHand(for: request) else { return nil }
            node.begin()
            node.succeed(with: answer)
            return answer
        } catch {
            node.begin()
            node.fail(with: error, wallClock: wallClock)
            throw error
        }
    }

    private func isFollowed(_ request: ProductsRequest) -> Bool {
        request.explanation != nil || request.isRefresh || (isRoot && !request.onlyIfAtHand && ways.wouldBeginAnswer)
    }

    /// From where on the request is followed; nil where it is not.
    private func place(of request: ProductsRequest) -> Explanation? {
        if let explanation = request.explanation { return explanation }
        let own = request.isRefresh ? ways.beginRefresh() : isRoot ? ways.beginAnswer() : nil
        return own.map { Explanation(recorder: $0) }
    }

    private func follow(_ request: ProductsRequest, from place: Explanation) async throws -> ProductsAnswer {
        let visit = place.recorder.begin(node.id, within: place.visit)
        // A way that has begun here is kept when it has ended.
        let own = request.explanation == nil ? place.recorder as? VisitRecorder : nil
        var request = request
        request.explanation = Explanation(recorder: place.recorder, visit: visit)
        do {
            let answer = try await upstream.products(for: request)
            place.recorder.end(visit, with: .success(answer))
            if let own { keep(own, isHit: answer.isHit) }
            return answer
        } catch {
            place.recorder.end(visit, with: .failure(error))
            if let own, ProductsFailure(error) != .cancelled { keep(own, isHit: false) }
            throw error
        }
    }

    private func keep(_ way: VisitRecorder, isHit: Bool) {
        ways.finish(way, isAnswer: isRoot, isRefresh: !isRoot || (way.hasDescended && !isHit))
    }
}
