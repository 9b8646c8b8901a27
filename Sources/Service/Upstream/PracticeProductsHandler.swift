internal import HTTPServer

/// `GET /products` of the practice upstream: the catalogue, or what the fault makes of it.
struct PracticeProductsHandler: HTTPHandler {
    let shelf: PracticeShelf
    var clock: any Clock<Duration> = ContinuousClock()

    func answer(to request: HTTPRequest) -> HTTPAnswer {
        .pending { try await response(to: request) }
    }

    private func response(to request: HTTPRequest) async throws -> HTTPResponse {
        switch shelf.take() {
        case .none: return json(shelf.whole)
        case .down: return json(shelf.whole, .dropped)
        case .reset: return json(shelf.whole, .reset)
        case .hang:
            try await clock.sleep(for: .seconds(3600))
            return json(shelf.whole, .dropped)
        case .slow:
            try await clock.sleep(for: .seconds(1))
            return json(shelf.whole)
        case .status(let code): return ProblemDetails(status: HTTPStatus(code: code, reason: "On Request")).response()
        case .truncate: return json(shelf.whole, .cut(after: shelf.whole.count / 2))
        case .html:
            return HTTPResponse(
                status: .ok, headers: ["Content-Type": "text/html"],
                body: HTTPBody(text: "<!doctype html><title>Maintenance</title><p>Back soon.\n"))
        case .empty: return json(HTTPBody(text: "[]"))
        case .shrink: return json(shelf.shrunken)
        }
    }

    private func json(_ body: HTTPBody, _ delivery: HTTPDelivery = .whole) -> HTTPResponse {
        var response = HTTPResponse(status: .ok, headers: ["Content-Type": "application/json"], body: body)
        response.delivery = delivery
        return response
    }
}
