internal import CoreMetrics
internal import FoundationEssentials
internal import Prometheus
internal import Products

/// Counts the catalogues that requests were answered from, by origin and freshness.
struct AnswerMeter: Sendable {
    /// One counter for each freshness of each origin, in the order of their raw values.
    private let counters: [Counter]

    init(_ factory: any MetricsFactory) {
        counters = AnswerOrigin.allCases.flatMap { origin in
            AnswerFreshness.allCases.map { freshness in
                Counter(
                    label: MetricDescription.answers.seriesName,
                    dimensions: [("origin", "\(origin)"), ("freshness", "\(freshness)")], factory: factory)
            }
        }
    }

    func record(_ answer: borrowing ProductsAnswer, at time: Date) {
        let (origin, freshness) = (AnswerOrigin(answer), AnswerFreshness(answer, at: time))
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

    /// An answer that its source has just confirmed is fresh, however short the windows are.
    init(_ answer: borrowing ProductsAnswer, at time: Date) {
        guard let freshness = answer.freshness else {
            self = answer.failure == nil ? .fresh : .offline
            return
        }
        self =
            switch (freshness.verdict, freshness.state(at: time)) {
            case (.forwarded(_, _, stored: true), _), (_, .fresh): .fresh
            case (_, .stale): .stale
            case (_, .offline), (_, .expired): .offline
            }
    }
}
