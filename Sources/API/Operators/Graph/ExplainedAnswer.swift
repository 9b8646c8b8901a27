internal import Configuration
internal import FoundationEssentials
internal import JSON
internal import Products
internal import Providers

/// The explanation of an answer or a failure: the calls of providers that led to it.
struct ExplainedAnswer {
    private let names: [String: ComponentOutline]
    private let visits: [TraceSpan]
    private let outcome: Result<ProductsAnswer, ProductsFailure>
    private let time: Date

    init(
        _ root: ComponentOutline, _ visits: [TraceSpan], _ outcome: Result<ProductsAnswer, ProductsFailure>,
        at time: Date
    ) {
        names = Dictionary(root.all.map { ($0.id, $0) }) { first, _ in first }
        self.visits = visits
        self.outcome = outcome
        self.time = time
    }

    var json: JSONObject {
        var json: JSONObject = [:]
        switch outcome {
        case .success: json["outcome"] = "answered"
        case .failure(let failure):
            json["outcome"] = "failed"
            json["failure"] = .object(failure.json)
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
            json["failure"] = .object(failure.json)
        }
        let start = visits[0].begin
        json["start_ms"] = .milliseconds(visit.begin - start)
        if let end = visit.end { json["duration_ms"] = .milliseconds(end - visit.begin) }
        return json
    }

    /// The number of providers between this one and the caller.
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
}
