internal import Providers

/// The way that a request took through the graph.
struct TracePath: Sendable {
    /// One provider asking another.
    struct Step: Sendable, Hashable {
        let from: String
        let to: String
    }

    /// The providers that answered, in the order in which they were asked.
    let answered: [String]
    /// The providers that were asked and did not answer.
    let failed: [String]
    /// The steps to those that answered.
    let answeredSteps: Set<Step>
    /// The steps to those that did not.
    let failedSteps: Set<Step>

    /// - Parameters:
    ///   - known: the providers there are. After a reload, a way may have led through others.
    ///   - askers: who asks the first of them on its own account. Such a question is nobody's visit, but its first step.
    init(_ visits: [TraceSpan], through known: Set<String>, from askers: [String] = []) {
        var (answered, failed): ([String], [String]) = ([], [])
        var (answeredSteps, failedSteps): (Set<Step>, Set<Step>) = ([], [])
        for visit in visits where known.contains(visit.node) {
            let from = visit.parent.map { [visits[$0].node] } ?? askers
            let steps = from.map { Step(from: $0, to: visit.node) }
            switch visit.outcome {
            case .answered:
                answered.append(visit.node)
                answeredSteps.formUnion(steps)
            case .failed:
                failed.append(visit.node)
                failedSteps.formUnion(steps)
            case .running, .cancelled: break
            }
        }
        self.answered = answered.firstOfEach
        self.failed = failed.firstOfEach
        self.answeredSteps = answeredSteps
        self.failedSteps = failedSteps
    }
}

extension [String] {
    /// The elements without those that were there before.
    fileprivate var firstOfEach: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
