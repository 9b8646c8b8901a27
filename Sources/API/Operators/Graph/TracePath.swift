internal import Providers

/// The way of a request through the graph.
struct TracePath: Sendable {
    /// One provider asking another.
    struct Step: Sendable, Hashable {
        let from: String
        let to: String
    }

    /// The asked providers of one outcome.
    struct Part: Sendable {
        /// The ids in the order in which the providers were asked, each once.
        fileprivate(set) var nodes: [String] = []
        fileprivate(set) var steps: Set<Step> = []

        fileprivate mutating func add(_ node: String, askedBy askers: [String]) {
            if !nodes.contains(node) { nodes.append(node) }
            steps.formUnion(askers.map { Step(from: $0, to: node) })
        }
    }

    private(set) var answered = Part()
    private(set) var failed = Part()

    /// - Parameters:
    ///   - known: the providers of the graph in force. After a reload, a trace may name others.
    ///   - askers: the providers that asked the first one on their own account, which is not part of the trace.
    init(_ visits: [TraceSpan], through known: Set<String>, from askers: [String] = []) {
        for visit in visits where known.contains(visit.node) {
            let askers = visit.parent.map { [visits[$0].node] } ?? askers
            switch visit.outcome {
            case .answered: answered.add(visit.node, askedBy: askers)
            case .failed: failed.add(visit.node, askedBy: askers)
            case .running, .cancelled: break
            }
        }
    }
}
