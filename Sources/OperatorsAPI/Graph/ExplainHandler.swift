package import Concurrency
internal import Configuration
internal import FoundationEssentials
internal import HTTPServer
internal import JSON
package import Products
internal import Providers
package import Serving

/// `GET /products?explain=1` on the operators' port: asks the graph as a client would, and responds with an explanation
/// instead of the products. The request is not counted in analytics.
package struct ExplainHandler: HTTPHandler, QueryReading {
    enum Choice: String, CaseIterable {
        case yes = "1"
    }

    static let parameter = "explain"
    let graph: ServedGraph
    let useCase: ProductsUseCase
    let consulted: ConsultedHeaders
    let wallClock: WallClock

    package init(
        graph: ServedGraph, useCase: ProductsUseCase, consulted: ConsultedHeaders, wallClock: WallClock
    ) {
        self.graph = graph
        self.useCase = useCase
        self.consulted = consulted
        self.wallClock = wallClock
    }

    func respond(to request: HTTPRequest) -> EventualResponse {
        .pending { try await response(to: request) }
    }

    /// 200 even if the graph fails, since the client asked for the explanation.
    private func response(to request: HTTPRequest) async throws -> HTTPResponse {
        let query = try query(of: request, taking: [Self.parameter])
        guard try query.choice(Self.parameter, of: Choice.self) != nil else {
            throw ProblemDetails(
                status: .badRequest,
                detail: "this port serves no products; \"explain=1\" explains how the graph answers a request for them")
        }
        let recorder = SpanRecorder(timedBy: ContinuousClock())
        let outcome = try await ask(request, recorder)
        let explained = ExplainedAnswer(graph.outline, recorder.spans, outcome, at: wallClock.now())
        return HTTPResponse(
            status: .ok, headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: HTTPBody(bytes: JSONValue.object(explained.json).encoded()))
    }

    private func ask(
        _ request: HTTPRequest, _ recorder: SpanRecorder
    ) async throws -> Result<ProductsAnswer, ProductsFailure> {
        var asked = consulted.products(request)
        (asked.analyticsOptOut, asked.explanation) = (true, Explanation(recorder: recorder))
        do {
            return .success(try await useCase.products(for: asked).answer)
        } catch let failure as ProductsFailure {
            return .failure(failure)
        }
    }
}

/// The explanation of an answer or a failure: the calls of providers that led to it.
struct ExplainedAnswer {
    private let names: [String: ComponentOutline]
    private let spans: [TraceSpan]
    private let outcome: Result<ProductsAnswer, ProductsFailure>
    private let time: Date

    init(
        _ root: ComponentOutline, _ spans: [TraceSpan], _ outcome: Result<ProductsAnswer, ProductsFailure>,
        at time: Date
    ) {
        names = Dictionary(root.all.map { ($0.id, $0) }) { first, _ in first }
        self.spans = spans
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
        if let end = spans.first?.end { json["duration_ms"] = .milliseconds(end - spans[0].begin) }
        json["nodes"] = .array(spans.indices.map { .object(node(at: $0)) })
        if case .success(let answer) = outcome { json["answer"] = .object(self.json(of: answer)) }
        return json
    }

    private func node(at index: Int) -> JSONObject {
        let span = spans[index]
        let outline = names[span.node]
        let name = outline?.name ?? span.node
        var json: JSONObject = [
            "id": .string(span.node), "name": .string(name), "type": .string(outline?.type ?? "unknown"),
            "depth": .count(depth(of: index)), "asked_by": span.parent.map { .string(spans[$0].node) } ?? .null,
        ]
        switch span.outcome {
        case .running: json["outcome"] = "running"
        case .cancelled: json["outcome"] = "cancelled"
        case .answered:
            json["outcome"] = "answered"
            if let step = span.trail.last, step.node == name { json["did"] = .string("\(step.outcome)") }
        case .failed(let failure):
            json["outcome"] = "failed"
            json["failure"] = .object(failure.json)
        }
        let start = spans[0].begin
        json["start_ms"] = .milliseconds(span.begin - start)
        if let end = span.end { json["duration_ms"] = .milliseconds(end - span.begin) }
        return json
    }

    /// The number of providers between this one and the caller.
    private func depth(of index: Int) -> Int {
        spans[index].parent.map { depth(of: $0) + 1 } ?? 0
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
