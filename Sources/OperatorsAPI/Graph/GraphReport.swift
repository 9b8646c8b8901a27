internal import Configuration
internal import FoundationEssentials
internal import GraphTools
internal import Health
internal import JSON
internal import Products
internal import Providers
internal import Querying
internal import Serving

/// The state of the graph at one moment, which `/graph` shows as JSON and as a page.
struct GraphReport: Sendable {
    /// A component and its state.
    struct Node: Sendable {
        let outline: ComponentOutline
        /// nil for a component that is not a provider, and in a graph that is not observed.
        let counts: NodeCounts?
        let liveState: [LiveStateEntry]
    }

    /// The use of one component by another.
    struct Edge: Sendable {
        let from: String
        let to: String
        let role: String
    }

    let time: Date
    let config: ConfigIdentity
    /// The id of the component that receives requests from outside.
    let root: String
    let serving: ServingReport
    /// The members by which clients find products.
    let members: FindableMembers
    /// The pins and the quarantine.
    let operators: ControlState
    let sharedStores: [SharedStoreReport]
    /// All known troubles.
    let troubles: [Trouble]
    /// Every shown component, each once, the root first.
    let nodes: [Node]
    let edges: [Edge]
    /// The path of the last traced request from outside that was answered; only a sample is traced.
    let lastAnswer: TracePath
    /// The path of the last request that no provider answered from memory.
    let lastRefresh: TracePath

    init(
        _ graph: ServedGraph, _ verdict: ReadinessTracker.Verdict, failing: [FailingUpstream] = [],
        operators: ControlState = .none, sharedStores: [SharedStoreReport] = [], troubles: [Trouble] = [],
        at time: Date
    ) {
        let outlines = graph.outline.shown
        let observation = graph.observation
        self.time = time
        (self.operators, self.troubles) = (operators, troubles)
        (config, members) = (graph.config, graph.members)
        root = graph.outline.id
        serving = ServingReport(
            verdict, root: observation.counts(of: graph.outline.id), failing: failing, at: time)
        nodes = outlines.map { outline in
            Node(
                outline: outline, counts: observation.counts(of: outline.id),
                liveState: observation.liveState(of: outline.id))
        }
        edges = outlines.flatMap { outline in
            outline.shownChildren.map { Edge(from: outline.id, to: $0.outline.id, role: $0.role) }
        }
        let (tiers, root) = (GraphTiers(nodes, edges), root)
        self.sharedStores = sharedStores.map { store in
            var store = store
            store.tiers = tiers.labels(from: root, to: store.id) ?? []
            return store
        }
        let known = Set(outlines.map(\.id))
        lastAnswer = TracePath(observation.lastAnswer, through: known)
        let refresh = observation.lastRefresh
        let askers = edges.filter { $0.to == refresh.first?.node }.map(\.from)
        lastRefresh = TracePath(refresh, through: known, from: askers)
    }
}

extension GraphReport {
    var json: JSONObject {
        var json: JSONObject = [
            "time": .string(time.formatted(.iso8601)),
            "config": .object(["edition": .count(config.edition), "hash": .string(config.hash)]),
            "root": .string(root),
            "serving": .object(serving.json),
        ]
        if !members.isEmpty { json["catalogue"] = .object(members.json) }
        if !troubles.isEmpty { json["troubles"] = .array(troubles.map { .object($0.json) }) }
        if let operators = operators.json { json["operators"] = .object(operators) }
        if !sharedStores.isEmpty { json["shared_stores"] = .array(sharedStores.map { .object($0.json) }) }
        json.add([
            "last_answer": .object(lastAnswer.json),
            "last_refresh": .object(lastRefresh.json),
            "nodes": .array(nodes.map { .object($0.json) }),
            "edges": .array(
                edges.map { ["from": .string($0.from), "to": .string($0.to), "role": .string($0.role)] }.map(
                    JSONValue.object)),
        ])
        return json
    }
}

extension GraphReport.Node {
    fileprivate var json: JSONObject {
        var json: JSONObject = [
            "id": .string(outline.id), "name": .string(outline.name), "type": .string(outline.type),
            "family": .string(outline.family),
        ]
        if let label = outline.label { json["label"] = .string(label) }
        json["settings"] = .object(JSONObject(outline.shownSettings.map { ($0.name, .string($0.text)) }))
        if let counts {
            json.add(counts.json)
            json["state"] = .object(JSONObject(liveState.map { ($0.name, .string($0.value)) }))
        }
        return json
    }
}

extension TracePath {
    fileprivate var json: JSONObject {
        ["path": .array(answered.nodes.map { .string($0) }), "failed": .array(failed.nodes.map { .string($0) })]
    }
}

extension NodeCounts {
    fileprivate var json: JSONObject {
        var json: JSONObject = [
            "calls": .count(calls), "answers": .count(answers),
            "hits": .count(hits), "failures": .count(failures),
            "cancellations": .count(cancellations), "in_flight": .count(inFlight),
        ]
        if let lastConfirmed { json["last_confirmed"] = .string(lastConfirmed.formatted(.iso8601)) }
        if let lastFailure {
            var failure = lastFailure.failure.json
            failure["time"] = .string(lastFailure.time.formatted(.iso8601))
            json["last_failure"] = .object(failure)
        }
        return json
    }
}

/// The path of a request through the graph.
struct TracePath: Sendable {
    /// A call from one provider to another.
    struct Step: Sendable, Hashable {
        let from: String
        let to: String
    }

    /// The providers with one outcome.
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
    ///   - askers: the providers that asked the first one; these calls are not part of the trace.
    init(_ spans: [TraceSpan], through known: Set<String>, from askers: [String] = []) {
        for span in spans where known.contains(span.node) {
            let askers = span.parent.map { [spans[$0].node] } ?? askers
            switch span.outcome {
            case .answered: answered.add(span.node, askedBy: askers)
            case .failed: failed.add(span.node, askedBy: askers)
            case .running, .cancelled: break
            }
        }
    }
}
