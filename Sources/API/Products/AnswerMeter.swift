package import CoreMetrics
internal import Prometheus
internal import Products

/// Counts the catalogues that requests were answered from, by origin and freshness.
package struct AnswerMeter: Sendable {
    /// One counter for each freshness of each origin, in the order of their raw values.
    private let counters: [Counter]

    package init(_ factory: any MetricsFactory) {
        counters = AnswerOrigin.allCases.flatMap { origin in
            AnswerFreshness.allCases.map { freshness in
                Counter(
                    label: MetricDescription.answers.seriesName,
                    dimensions: [("origin", "\(origin)"), ("freshness", "\(freshness)")], factory: factory)
            }
        }
    }

    func record(_ answer: borrowing ProductsAnswer) {
        let (origin, freshness) = (AnswerOrigin(answer), AnswerFreshness(answer))
        counters[origin.rawValue * AnswerFreshness.allCases.count + freshness.rawValue].increment()
    }
}

/// The origin of an answer's catalogue. The names of the cases are values of a metric's label.
enum AnswerOrigin: Int, Sendable, CaseIterable {
    /// A provider had kept it, and no source was asked.
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
}

/// The freshness of an answer's catalogue. The names of the cases are values of a metric's label.
enum AnswerFreshness: Int, Sendable, CaseIterable {
    case fresh
    case stale
    /// The upstream fails, and an earlier catalogue is served.
    case offline

    /// Takes the word of the providers, so that no clock is read.
    init(_ answer: borrowing ProductsAnswer) {
        if let freshness = answer.freshness {
            self = freshness.isOffline ? .offline : answer.isHit && Self.isStale(answer) ? .stale : .fresh
        } else {
            self = answer.failure == nil ? .fresh : .offline
        }
    }

    private static func isStale(_ answer: borrowing ProductsAnswer) -> Bool {
        for index in answer.trail.indices {
            if case .stale = answer.trail[index].outcome { return true }
        }
        return false
    }
}
