/// How a box or a line stands out, as a class of the page's style; the last applies where several do.
enum GraphEmphasis: String, CaseIterable {
    /// Not at all.
    case plain
    /// The last refresh went this way.
    case refreshed
    /// The last answer, or the last refresh where that failed here, found no answer here.
    case failed
    /// The last answer came this way.
    case answered

    /// Of a provider.
    init(node id: String, _ report: GraphReport) {
        self =
            if report.lastAnswer.answered.contains(id) {
                .answered
            } else if report.lastAnswer.failed.contains(id) || report.lastRefresh.failed.contains(id) {
                .failed
            } else if report.lastRefresh.answered.contains(id) {
                .refreshed
            } else {
                .plain
            }
    }

    /// Of a line between providers.
    init(_ line: GraphLayout.Line, _ report: GraphReport) {
        let step = GraphWay.Step(from: line.from, to: line.to)
        self =
            if report.lastAnswer.answeredSteps.contains(step) {
                .answered
            } else if report.lastAnswer.failedSteps.contains(step) || report.lastRefresh.failedSteps.contains(step) {
                .failed
            } else if report.lastRefresh.answeredSteps.contains(step) {
                .refreshed
            } else {
                .plain
            }
    }
}
