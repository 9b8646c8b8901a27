internal import Configuration
internal import FoundationEssentials
internal import GraphTools
internal import JSON
internal import Products
internal import Providers

/// How the graph is at one moment: what `/graph` shows, as JSON and as a page.
struct GraphReport: Sendable {
    /// A component, and what is known of it.
    struct Node: Sendable {
        let outline: ComponentOutline
        /// Nil for what is no provider, and in a graph that is not observed.
        let counts: NodeCounts?
        let liveState: [LiveStateEntry]
    }

    /// That a component is built on another.
    struct Edge: Sendable {
        let from: String
        let to: String
        let role: String
    }

    let time: Date
    /// The config in force.
    let config: ConfigIdentity
    /// The id of the component that requests from outside come to.
    let root: String
    let serving: ServingReport
    /// Every component that is shown, each once, the root first.
    let nodes: [Node]
    let edges: [Edge]
    /// The way of the last answer to a request from outside, of which only a sample is followed.
    let lastAnswer: GraphWay
    /// The way of the last question for which nobody had an answer at hand.
    let lastRefresh: GraphWay

    init(
        _ graph: ServedGraph, _ verdict: ReadinessTracker.Verdict, failing: [FailingUpstream] = [], at time: Date
    ) {
        let outlines = graph.outline.shown
        let observation = graph.observation
        self.time = time
        config = graph.config
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
        let known = Set(outlines.map(\.id))
        lastAnswer = GraphWay(observation.lastAnswer, through: known)
        let refresh = observation.lastRefresh
        let askers = edges.filter { $0.to == refresh.first?.node }.map(\.from)
        lastRefresh = GraphWay(refresh, through: known, from: askers)
    }
}

extension GraphReport {
    /// The report as `/graph` answers it.
    var json: JSONObject {
        [
            "time": .string(time.formatted(.iso8601)),
            "config": .object(["edition": .count(config.edition), "hash": .string(config.hash)]),
            "root": .string(root),
            "serving": .object(serving.json),
            "last_answer": .object(lastAnswer.json),
            "last_refresh": .object(lastRefresh.json),
            "nodes": .array(nodes.map { .object($0.json) }),
            "edges": .array(
                edges.map { ["from": .string($0.from), "to": .string($0.to), "role": .string($0.role)] }.map(
                    JSONValue.object)),
        ]
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

extension GraphWay {
    fileprivate var json: JSONObject {
        ["path": .array(answered.map { .string($0) }), "failed": .array(failed.map { .string($0) })]
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
            json["last_failure"] = .object([
                "reason": .string(lastFailure.failure.token), "detail": .string("\(lastFailure.failure)"),
                "time": .string(lastFailure.time.formatted(.iso8601)),
            ])
        }
        return json
    }
}

extension GraphReport {
    /// The schema of ``json``.
    static var schema: JSONObject {
        Schema.object(
            [
                .always("time", GraphSchemas.time, "when it was so"),
                .always("config", ConfigIdentity.schema, "the config in force"),
                .always("root", Schema.filledText, "the id of the node that requests come to"),
                .always("serving", ServingReport.schema, "what the graph as a whole serves"),
                .always("last_answer", GraphWay.schema, "the way of the last answer to a request that was followed"),
                .always("last_refresh", GraphWay.schema, "the way of the last question to which nobody had an answer"),
                .always("nodes", Schema.list(of: Node.schema), "every component, the root first"),
                .always("edges", Schema.list(of: Edge.schema), "which component is built on which"),
            ], "The graph of components, and what happens in it.")
    }
}

extension ConfigIdentity {
    fileprivate static var schema: JSONObject {
        Schema.object([
            .always("edition", Schema.count, "how many configs were in force since the start, this one included"),
            .always("hash", Schema.text, "the SHA-256 of the config file"),
        ])
    }
}

extension ServingReport {
    fileprivate static var schema: JSONObject {
        Schema.object(
            [
                .always("state", Schema.choice(of: State.allCases.map(\.rawValue)), "it in a word"),
                .sometimes("reason", Schema.text, "why there is nothing to serve"),
                .sometimes(
                    "failing_upstreams", Schema.list(of: FailingUpstream.schema), "the providers whose refreshes fail"),
                .sometimes("hit_ratio", Schema.number, "which share of the answers came from what was kept"),
            ] + GraphSchemas.answer(SchemaProperty.sometimes) + GraphSchemas.windows(SchemaProperty.sometimes))
    }
}

extension FailingUpstream {
    fileprivate static var schema: JSONObject {
        Schema.object(
            [.always("provider", Schema.filledText, "the provider that refreshes")] + GraphSchemas.failure + [
                .always("since", GraphSchemas.time, "when the first of the failures in a row was"),
                .sometimes("next_try_seconds", Schema.number, "how long the upstream is left alone yet"),
            ])
    }
}

extension GraphWay {
    fileprivate static var schema: JSONObject {
        let ids = Schema.list(of: Schema.filledText)
        return Schema.object([
            .always("path", ids, "the ids of the nodes that answered, in the order in which they were asked"),
            .always("failed", ids, "the ids of those that did not"),
        ])
    }
}

extension GraphReport.Edge {
    fileprivate static var schema: JSONObject {
        Schema.object([
            .always("from", Schema.filledText, "the id of the node that asks"),
            .always("to", Schema.filledText, "the id of the node that is asked"),
            .always("role", Schema.filledText, "what the one is to the other"),
        ])
    }
}

extension GraphReport.Node {
    fileprivate static var schema: JSONObject {
        Schema.object(identity + counts)
    }

    private static var identity: [SchemaProperty] {
        [
            .always("id", Schema.filledText, "where the config has it"),
            .always("name", Schema.filledText, "what trails and logs call it"),
            .always("type", Schema.filledText, "its type in the config"),
            .always("family", Schema.filledText, "what sort of component it is"),
            .sometimes("label", Schema.filledText, "its label in the config"),
            .always("settings", Schema.map(of: Schema.text), "its settings, without secrets"),
        ]
    }

    /// Of providers only.
    private static var counts: [SchemaProperty] {
        let failure = GraphSchemas.failure + [.always("time", GraphSchemas.time, "when it was")]
        return [
            .sometimes("calls", Schema.count, "how often it was asked"),
            .sometimes("answers", Schema.count, "how often it answered"),
            .sometimes("hits", Schema.count, "how often from what it had kept"),
            .sometimes("failures", Schema.count, "how often it failed"),
            .sometimes("cancellations", Schema.count, "how often nobody wanted the answer any more"),
            .sometimes("in_flight", Schema.count, "how many questions it has not answered yet"),
            .sometimes("last_confirmed", GraphSchemas.time, "when the source confirmed what it answered last"),
            .sometimes("last_failure", Schema.object(failure), "how it failed last"),
            .sometimes("state", Schema.map(of: Schema.text), "what it tells of itself"),
        ]
    }
}
