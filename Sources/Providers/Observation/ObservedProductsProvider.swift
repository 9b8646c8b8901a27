internal import Products

/// Passes everything through unchanged, and notes what became of it.
///
/// Followed are requests that somebody has explained, everything that a provider asks on its own account, and a sample
/// of those that come in from outside. A request that was not chosen where it came in is not followed further down.
struct ObservedProductsProvider: ProductsProvider {
    let upstream: any ProductsProvider
    let node: NodeObservation
    /// Whether requests from outside come in here.
    let isRoot: Bool
    let ways: RecentWays
    let wallClock: WallClock
    /// Held as long as anybody may ask here.
    var tenancy: GraphTenancy?

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
            if let own { keep(own, isHit: Self.isHit(answer)) }
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

    private static func isHit(_ answer: ProductsAnswer) -> Bool {
        if case .hit? = answer.freshness?.verdict { true } else { false }
    }
}
