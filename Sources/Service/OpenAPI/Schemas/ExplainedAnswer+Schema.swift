internal import JSON

extension ExplainedAnswer {
    /// The schema of ``json``.
    static var schema: JSONObject {
        Schema.object(
            [
                .always("outcome", Schema.choice(of: ["answered", "failed"]), "what came of it"),
                .sometimes("failure", Schema.object(GraphSchemas.failure), "why there was no answer"),
                .sometimes("duration_ms", Schema.number, "how many milliseconds it took"),
                .always("nodes", Schema.list(of: node), "every node that was asked, in that order"),
                .sometimes("answer", answer, "what was answered"),
            ], "How the graph came to an answer, or to none.")
    }

    private static var node: JSONObject {
        Schema.object([
            .always("id", Schema.filledText, "where the config has it"),
            .always("name", Schema.filledText, "what trails and logs call it"),
            .always("type", Schema.filledText, "its type in the config"),
            .always("depth", Schema.count, "how many nodes stand between it and the caller"),
            .always("asked_by", ["type": .array(["string", "null"])], "the id of the node that asked it"),
            .always("outcome", Schema.choice(of: ["answered", "cancelled", "failed", "running"]), "what came of it"),
            .sometimes("did", Schema.text, "how it came to its answer"),
            .sometimes("failure", Schema.object(GraphSchemas.failure), "why it failed"),
            .always("start_ms", Schema.number, "milliseconds from the first question to this one"),
            .sometimes("duration_ms", Schema.number, "how many milliseconds it took"),
        ])
    }

    private static var answer: JSONObject {
        let freshness: [SchemaProperty] = [.always("offline", Schema.flag, "whether the upstream fails")]
        return Schema.object(
            [.always("trail", Schema.list(of: Schema.text), "what each node did")]
                + GraphSchemas.answer(SchemaProperty.always) + [
                    .always("cache_status", Schema.text, "the field `Cache-Status` of such an answer"),
                    .sometimes(
                        "freshness", Schema.object(freshness + GraphSchemas.windows(SchemaProperty.always)),
                        "its age by the rules of what keeps it"),
                ])
    }
}
