internal import FoundationEssentials
internal import JSON
internal import Products
internal import Providers
internal import Serving

/// The state of the graph as a whole at one moment.
struct ServingReport: Sendable {
    enum State: Sendable {
        case kept(Freshness.State)
        case idle, unkept, empty, draining

        var name: String {
            if case .kept(let state) = self { "\(state)" } else { "\(self)" }
        }

        /// An explanation for the page.
        var meaning: String {
            switch self {
            case .kept(.fresh): "The catalogue is no older than its ttl."
            case .idle: "Freshness has ended because no request came. The next one refreshes, unless a refresh runs."
            case .kept(.stale), .kept(.expired):
                "Freshness has ended, and the refresh that is due has not finished."
            case .kept(.offline): "Refreshes fail. The last good catalogue is served until it is too old."
            case .unkept: "No memory node keeps answers: each such request asks its source."
            case .empty: "There is no catalogue to serve: requests get 503."
            case .draining: "The service is stopping: it finishes running requests."
            }
        }
    }

    let state: State
    /// The reason why there is no catalogue to serve.
    let reason: String?
    let answer: AnswerReport?
    /// The calls of the graph's root.
    let counts: NodeCounts?
    /// The providers whose refreshes fail.
    let failing: [FailingUpstream]

    init(
        _ verdict: ReadinessTracker.Verdict, root counts: NodeCounts?, failing: [FailingUpstream] = [],
        at time: Date
    ) {
        self.counts = counts
        self.failing = failing
        switch verdict {
        case .ready(let last):
            state = Self.state(of: last.freshness, at: time)
            reason = nil
            answer = AnswerReport(last, at: time)
        case .empty(let cause): (state, reason, answer) = (.empty, cause, nil)
        case .draining: (state, reason, answer) = (.draining, nil, nil)
        }
    }

    private static func state(of freshness: Freshness?, at time: Date) -> State {
        guard let freshness else { return .unkept }
        return switch freshness.state(at: time) {
        case .fresh: .kept(.fresh)
        case .offline: .kept(.offline)
        case .stale, .expired: freshness.isIdle(at: time) ? .idle : .kept(.stale)
        }
    }

    /// The member `serving` of `/graph`.
    var json: JSONObject {
        var json: JSONObject = ["state": .string(state.name)]
        if let reason { json["reason"] = .string(reason) }
        if let ratio = counts?.hitRatio { json["hit_ratio"] = .measure(ratio, digits: 4) }
        if !failing.isEmpty { json["failing_upstreams"] = .array(failing.map { .object($0.json) }) }
        json.add(answer?.json)
        json.add(answer?.windows?.json)
        return json
    }
}

/// An answer at one moment.
struct AnswerReport: Sendable {
    /// The times for which the answer is fresh and may be served; negative if they are over.
    struct Windows: Sendable {
        let isOffline: Bool
        let freshFor: Duration
        let servableFor: Duration

        var json: JSONObject {
            ["fresh_for_seconds": .seconds(freshFor), "servable_for_seconds": .seconds(servableFor)]
        }
    }

    let age: Duration
    let fetchedAt: Date
    let origin: ProductsOrigin
    let products: Int
    let revision: String
    /// nil if nothing in the graph keeps answers.
    let windows: Windows?

    init(_ answer: ProductsAnswer, at time: Date) {
        let snapshot = answer.snapshot
        age = snapshot.age(at: time)
        fetchedAt = snapshot.fetchedAt
        origin = snapshot.origin
        products = snapshot.products.count
        revision = snapshot.revision
        let reckoned = snapshot.reckoned(at: time)
        windows = answer.freshness.map { freshness in
            Windows(
                isOffline: freshness.isOffline,
                freshFor: .seconds(freshness.freshUntil.timeIntervalSince(reckoned)),
                servableFor: .seconds(freshness.servableUntil.timeIntervalSince(reckoned)))
        }
    }

    /// The answer without its windows.
    var json: JSONObject {
        [
            "age_seconds": .seconds(age), "fetched_at": .string(fetchedAt.formatted(.iso8601)),
            "origin": .string(origin.rawValue), "products": .count(products),
            "revision": .string(revision),
        ]
    }
}
