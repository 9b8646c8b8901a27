internal import CoreMetrics
internal import FoundationEssentials
package import Prometheus
internal import Products

/// Counts answers by origin and freshness of their catalogues.
struct AnswerMeter: Sendable {
    /// The counted states. The names of the cases are values of a metric's label.
    private static let states: [Freshness.State] = [.fresh, .stale, .offline]
    /// One counter for each state of each origin, in the order of their raw values.
    private let counters: [Counter]

    init(_ factory: any MetricsFactory) {
        counters = AnswerOrigin.allCases.flatMap { origin in
            Self.states.map { state in
                MetricDescription.answers.counter(
                    [("origin", "\(origin)"), ("freshness", "\(state)")], in: factory)
            }
        }
    }

    func record(_ answer: borrowing ProductsAnswer, at time: Date) { counter(of: answer, at: time).increment() }

    /// The counter of an answer at a time.
    func counter(of answer: borrowing ProductsAnswer, at time: Date) -> Counter {
        let (origin, state) = (AnswerOrigin(answer), Freshness.State(counting: answer, at: time))
        return counters[origin.rawValue * Self.states.count + state.rawValue]
    }
}

extension MetricDescription {
    package static let answers = MetricDescription(
        "larder_answers", .counter,
        "Catalogues that requests were answered from, those of callers who opt out of analytics included: where they "
            + "came from, and how fresh they were.")
}

/// The origin of an answer's catalogue. The names of the cases are values of a metric's label.
enum AnswerOrigin: Int, Sendable, CaseIterable {
    /// Kept by a provider; no source was asked.
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

extension Freshness.State {
    /// The state of an answer's catalogue. `expired` counts as `offline`: it was served because nothing better existed.
    /// A catalogue that its source has just confirmed is fresh, however short the windows are.
    init(counting answer: borrowing ProductsAnswer, at time: Date) {
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
