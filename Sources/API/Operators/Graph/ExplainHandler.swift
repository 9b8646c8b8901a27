package import Concurrency
internal import HTTPServer
internal import JSON
package import Products
internal import Providers
internal import Tracing

/// `GET /products?explain=1` on the operators' port: asks the graph as a client would, and answers with an explanation
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
    var clock: any Clock<Duration> = ContinuousClock()

    package init(
        graph: ServedGraph, useCase: ProductsUseCase, consulted: ConsultedHeaders, wallClock: WallClock,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.graph = graph
        self.useCase = useCase
        self.consulted = consulted
        self.wallClock = wallClock
        self.clock = clock
    }

    func answer(to request: HTTPRequest) -> HTTPAnswer {
        .pending { try await response(to: request) }
    }

    /// 200 also where the graph fails, since the client asked for the explanation.
    private func response(to request: HTTPRequest) async throws -> HTTPResponse {
        let query = try query(of: request, taking: [Self.parameter])
        guard try query.choice(Self.parameter, of: Choice.self) != nil else {
            throw ProblemDetails(
                status: .badRequest,
                detail: "this port serves no products; \"explain=1\" tells how the graph answers a request for them")
        }
        let recorder = SpanRecorder(timedBy: clock)
        let outcome = try await ask(request, recorder)
        let explained = ExplainedAnswer(graph.outline, recorder.visits, outcome, at: wallClock.now())
        return HTTPResponse(
            status: .ok, headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: HTTPBody(bytes: JSONValue.object(explained.json).encoded()))
    }

    private func ask(
        _ request: HTTPRequest, _ recorder: SpanRecorder
    ) async throws -> Result<ProductsAnswer, ProductsFailure> {
        var asked = consulted.products(request)
        asked.analyticsOptOut = true
        do {
            let listing = try await RequestIdentity.$current.withValue(request) {
                try await Explanation.$current.withValue(Explanation(recorder: recorder)) {
                    try await useCase.products(for: asked)
                }
            }
            return .success(listing.answer)
        } catch let failure as ProductsFailure {
            return .failure(failure)
        }
    }
}
