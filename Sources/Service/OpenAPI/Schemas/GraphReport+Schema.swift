internal import JSON

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
