package import CoreMetrics
internal import Prometheus
internal import Products

/// Counts the catalogues that requests were answered from.
package struct AnswerMeter: Sendable {
    /// For each origin one for each freshness, in the order of their places.
    private let counters: [Counter]

    package init(_ factory: any MetricsFactory) {
        counters = AnswerOrigin.allCases.flatMap { origin in
            AnswerFreshness.allCases.map { freshness in
                Counter(
                    label: MetricDescription.answers.seriesName,
                    dimensions: [("origin", origin.rawValue), ("freshness", freshness.rawValue)], factory: factory)
            }
        }
    }

    func note(_ answer: borrowing ProductsAnswer) {
        let place = AnswerOrigin(answer).place * AnswerFreshness.allCases.count + AnswerFreshness(answer).place
        counters[place].increment()
    }
}

/// Where the catalogue of an answer came from, for metrics.
enum AnswerOrigin: String, Sendable, CaseIterable {
    /// It was kept, and nobody was asked.
    case memory
    case network
    case store
    case bundled

    init(_ answer: borrowing ProductsAnswer) {
        if answer.isHit {
            self = .memory
        } else {
            switch answer.snapshot.origin {
            case .network: self = .network
            case .store: self = .store
            case .bundled: self = .bundled
            }
        }
    }

    /// Its place among all.
    var place: Int {
        switch self {
        case .memory: 0
        case .network: 1
        case .store: 2
        case .bundled: 3
        }
    }
}

/// How fresh the catalogue of an answer was, for metrics.
enum AnswerFreshness: String, Sendable, CaseIterable {
    case fresh
    /// Its freshness had ended.
    case stale
    /// The upstream fails; what there was is served on.
    case offline

    /// By what the providers say of it, so that no clock is read for it.
    init(_ answer: borrowing ProductsAnswer) {
        if let freshness = answer.freshness {
            self = freshness.isOffline ? .offline : answer.isHit && Self.isStale(answer) ? .stale : .fresh
        } else {
            self = answer.failure == nil ? .fresh : .offline
        }
    }

    /// Its place among all.
    var place: Int {
        switch self {
        case .fresh: 0
        case .stale: 1
        case .offline: 2
        }
    }

    private static func isStale(_ answer: borrowing ProductsAnswer) -> Bool {
        for index in answer.trail.indices {
            if case .stale = answer.trail[index].outcome { return true }
        }
        return false
    }
}
