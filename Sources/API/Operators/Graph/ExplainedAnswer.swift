internal import Configuration
internal import FoundationEssentials
internal import JSON
internal import Products
internal import Providers

/// How the graph came to an answer, or to none.
struct ExplainedAnswer {
    private let names: [String: ComponentOutline]
    private let visits: [Visit]
    private let outcome: Result<ProductsAnswer, ProductsFailure>
    private let time: Date

    init(
        _ root: ComponentOutline, _ visits: [Visit], _ outcome: Result<ProductsAnswer, ProductsFailure>, at time: Date
    ) {
        names = Dictionary(root.all.map { ($0.id, $0) }) { first, _ in first }
        self.visits = visits
        self.outcome = outcome
        self.time = time
    }

    /// The explanation as it is answered.
    var json: JSONObject {
        var json: JSONObject = [:]
        switch outcome {
        case .success: json["outcome"] = "answered"
        case .failure(let failure):
            json["outcome"] = "failed"
            json["failure"] = .object(Self.json(of: failure))
        }
        if let end = visits.first?.end { json["duration_ms"] = .milliseconds(end - visits[0].begin) }
        json["nodes"] = .array(visits.indices.map { .object(node(at: $0)) })
        if case .success(let answer) = outcome { json["answer"] = .object(self.json(of: answer)) }
        return json
    }

    private func node(at index: Int) -> JSONObject {
        let visit = visits[index]
        let outline = names[visit.node]
        let name = outline?.name ?? visit.node
        var json: JSONObject = [
            "id": .string(visit.node), "name": .string(name), "type": .string(outline?.type ?? "unknown"),
            "depth": .count(depth(of: index)), "asked_by": visit.parent.map { .string(visits[$0].node) } ?? .null,
        ]
        switch visit.outcome {
        case .running: json["outcome"] = "running"
        case .cancelled: json["outcome"] = "cancelled"
        case .answered:
            json["outcome"] = "answered"
            if let step = visit.trail.last, step.node == name { json["did"] = .string("\(step.outcome)") }
        case .failed(let failure):
            json["outcome"] = "failed"
            json["failure"] = .object(Self.json(of: failure))
        }
        let start = visits[0].begin
        json["start_ms"] = .milliseconds(visit.begin - start)
        if let end = visit.end { json["duration_ms"] = .milliseconds(end - visit.begin) }
        return json
    }

    /// How many providers stand between this one and the caller.
    private func depth(of index: Int) -> Int {
        visits[index].parent.map { depth(of: $0) + 1 } ?? 0
    }

    private func json(of answer: ProductsAnswer) -> JSONObject {
        let report = AnswerReport(answer, at: time)
        var json: JSONObject = ["trail": .array(answer.trail.map { .string("\($0)") })]
        json.add(report.json)
        json["cache_status"] = .string(CacheStatus.value(for: answer, at: time))
        if let windows = report.windows {
            var freshness: JSONObject = ["offline": .bool(windows.isOffline)]
            freshness.add(windows.json)
            json["freshness"] = .object(freshness)
        }
        return json
    }

    private static func json(of failure: ProductsFailure) -> JSONObject {
        ["reason": .string(failure.token), "detail": .string("\(failure)")]
    }
}

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
