internal import Locks
public import Products

/// Writes down who was asked on the way of a request.
public final class VisitRecorder: ExplanationRecorder {
    private let state = Mutex<[Visit]>([])
    private let stopwatch: Uptime?

    /// A recorder that times every visit by `clock`.
    public convenience init<C: Clock>(timedBy clock: C) where C.Duration == Duration {
        self.init(stopwatch: Uptime(of: clock))
    }

    /// - Parameter stopwatch: without one no time is taken and no clock read.
    init(stopwatch: Uptime? = nil) {
        self.stopwatch = stopwatch
    }

    /// The visits of the way in the order of their beginnings.
    public var visits: [Visit] { state.withLock { $0 } }

    /// Whether more than one provider was asked.
    var hasDescended: Bool { state.withLock { $0.count > 1 } }

    /// Notes that a provider is asked.
    public func begin(_ node: String, within parent: ExplanationVisit?) -> ExplanationVisit {
        let now = stopwatch?.now ?? .zero
        return state.withLock { visits in
            visits.append(Visit(node: node, parent: parent?.index, outcome: .running, begin: now))
            return ExplanationVisit(index: visits.count - 1)
        }
    }

    /// Notes what came of it.
    public func end(_ visit: ExplanationVisit, with outcome: Result<ProductsAnswer, any Error>) {
        let now = stopwatch?.now
        state.withLock { visits in
            visits[visit.index].outcome = Self.summary(of: outcome)
            guard let now else { return }
            visits[visit.index].end = now
            if case .success(let answer) = outcome { visits[visit.index].trail = answer.trail }
        }
    }

    private static func summary(of outcome: Result<ProductsAnswer, any Error>) -> Visit.Outcome {
        switch outcome {
        case .success: return .answered
        case .failure(let error):
            let failure = ProductsFailure(error)
            return failure == .cancelled ? .cancelled : .failed(failure)
        }
    }
}
